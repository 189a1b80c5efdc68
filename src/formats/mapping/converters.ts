// The named conversions a mapping definition may ask for with `key | name`: what one value of linked data is in the
// canonical metadata, and how it is written. Each names an example of what it gives, so that a definition can be
// refused when the two do not fit (R14).
import type { Text } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { readAgent, readFunding, readOrg, writeAgent, writeFunding, writeOrg } from "../json-ld/agents.ts";
import {
  readAccessRights,
  readContainer,
  readDate,
  readDescription,
  readJpcoarRelation,
  readLocation,
  readPublisher,
  readReference,
  readRelation,
  readResourceType,
  readRight,
  readSubject,
  readVersionType,
  writeAccessRights,
  writeContainer,
  writeDate,
  writeDescription,
  writeJpcoarRelation,
  writeLocation,
  writePublisher,
  writeReference,
  writeRelation,
  writeResourceType,
  writeRight,
  writeSubject,
  writeVersionType,
} from "../json-ld/entities.ts";
import type { Graph } from "../json-ld/graph.ts";
import { plainText, readIdent, readText, writeIdent, writeText } from "../json-ld/values.ts";
import { languageCode } from "./languages.ts";

export type Converter = {
  /** An example of the conversion's result, for checking definitions. */
  readonly example: unknown;
  /** Null: the value is empty. */
  read(value: Json, graph: Graph): unknown;
  write(value: unknown): Json;
};

/**
 * The one place where the type of the metadata is given up: a definition is checked by its example before it is
 * applied.
 */
function converter<Value>(
  example: Value,
  read: (value: Json, graph: Graph) => Value | null,
  write: (value: Value) => Json,
): Converter {
  return { example, read, write: (value) => write(value as Value) }; // checked by compileMapping() through `example`
}

const text: Text = { value: "x", lang: "en" };
const agent = { kind: null, names: [], alternatives: [], ids: [], emails: [], affiliations: [] };

export const CONVERTERS: Readonly<Record<string, Converter>> = {
  plain: converter("x", plainText, (value) => value),
  text: converter(text, readText, writeText),
  ident: converter({ scheme: "DOI", value: "x" }, readIdent, writeIdent),
  agent: converter(agent, readAgent, writeAgent),
  org: converter({ names: [], ids: [] }, readOrg, writeOrg),
  funding: converter({ funder: { names: [], ids: [] } }, readFunding, writeFunding),
  right: converter({ text: [] }, readRight, writeRight),
  subject: converter({}, readSubject, writeSubject),
  publisher: converter({ names: [] }, readPublisher, writePublisher),
  relation: converter({ type: "", titles: [] }, readRelation, writeRelation),
  "jpcoar-relation": converter({ type: "", titles: [] }, readJpcoarRelation, writeJpcoarRelation),
  location: converter({ places: [], ids: [] }, readLocation, writeLocation),
  container: converter({ titles: [], ids: [], place: "flat" }, readContainer, writeContainer),
  reference: converter({ text: "x" }, readReference, writeReference),
  "access-rights": converter({ label: "x" }, readAccessRights, writeAccessRights),
  description: converter({ value: "x", kind: "Abstract", html: false }, readDescription, writeDescription),
  date: converter({ date: "x", type: "Issued" }, readDate, writeDate),
  "version-type": converter({ label: "x" }, readVersionType, writeVersionType),
  "resource-type": converter({ id: "x" }, readResourceType, writeResourceType),
  language: converter("jpn", languageCode, (value) => value),
};
