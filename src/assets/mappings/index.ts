// The mapping definitions the product brings along (R14), both for the full item type.
import roCrate from "./ro-crate-default.json" with { type: "json" };
import sword from "./sword-default.json" with { type: "json" };

/** Undecided JSON, checked where it is read. */
export const SHIPPED_MAPPINGS: readonly {
  readonly name: string;
  readonly kind: string;
  readonly definition: object;
}[] = [sword, roCrate];
