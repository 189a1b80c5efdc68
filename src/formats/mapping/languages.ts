// The language that a value of linked data names, in ISO 639-3 (R3 `languages`).
import { languageOf } from "../../model/metadata/language-codes.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject } from "../../shared/json/read.ts";
import type { Graph } from "../json-ld/graph.ts";
import { plainText } from "../json-ld/values.ts";

/** The language a value of linked data names: a code, or a Language entity with one. */
export function languageCode(value: Json, graph: Graph): string | null {
  const code = isJsonObject(value) ? graph.values(value, "alternateName")[0] : undefined;
  const text = plainText(code, graph) ?? plainText(value, graph);
  return text === null ? null : languageOf(text);
}
