// The item types the product brings along (R4), in the format src/model/item-types/read-definition.ts reads: the full
// one, whose keys, order, choices and labels are those of existing repositories, and a simple one.
import full from "./full.json" with { type: "json" };
import simple from "./simple.json" with { type: "json" };

/** Undecided JSON, checked where it is read. */
export const SHIPPED_ITEM_TYPES: readonly unknown[] = [full, simple];
