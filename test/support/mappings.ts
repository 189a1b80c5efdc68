// The shipped mappings, compiled (R14).
import roCrate from "../../src/assets/mappings/ro-crate-default.json" with { type: "json" };
import sword from "../../src/assets/mappings/sword-default.json" with { type: "json" };
import { compileMapping } from "../../src/formats/mapping/compile.ts";

export const RO_CRATE_DEFAULT = compileMapping(roCrate.definition);
export const SWORD_DEFAULT = compileMapping(sword.definition);
