// The mapping definitions the product brings along (R14), in the format src/formats/mapping/definition.ts reads: dc: and dcterms: terms first,
// or schema.org's terms first. Both know both, and end with what is required and absent: resource type `other`, pubdate today.
import roCrate from "./ro-crate-default.json" with { type: "json" };
import sword from "./sword-default.json" with { type: "json" };

/** Undecided JSON: `name`, `kind` (`ro-crate` or `sword`) and `definition`, checked where it is compiled. */
export const SHIPPED_MAPPINGS: readonly {
  readonly name: string;
  readonly kind: string;
  readonly definition: unknown;
}[] = [roCrate, sword];
