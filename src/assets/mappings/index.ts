// The mapping definitions the product brings along (R14), in the format src/formats/mapping/definition.ts reads: both
// read JPCOAR's terms, Dublin Core and schema.org, in this order of preference, and end with what is required and
// absent: resource type `other`, pubdate today. They differ in what they write: Dublin Core, or schema.org's terms
// where there are such.
import roCrate from "./ro-crate-default.json" with { type: "json" };
import sword from "./sword-default.json" with { type: "json" };

/** Undecided JSON: `name`, `kind` (`ro-crate` or `sword`) and `definition`, checked where it is compiled. */
export const SHIPPED_MAPPINGS: readonly {
  readonly name: string;
  readonly kind: string;
  readonly definition: unknown;
}[] = [roCrate, sword];
