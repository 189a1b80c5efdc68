// The flags of a JSON-LD document (R14; specification "Package content rules"): what it asks the repository to do. Read
// with `svc:` and `wk:` alike (the graph makes one of the two), true as well as "true". A flag with a value nobody can
// follow is refused, naming both.

import type { Instructions } from "../../model/files/described-package.ts";
import type { PrivateSettings } from "../../model/items/item.ts";
import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import { asList, type Graph } from "../json-ld/graph.ts";
import { plainText } from "../json-ld/values.ts";

/** At most this many values of one flag. */
const MAX_FLAG_VALUES = 1_000;
/** How far links within a `svc:grant` are followed, and how many objects they may become. */
const GRANT_DEPTH = 4;
const MAX_GRANT_OBJECTS = 10_000;

const SWITCHES = {
  "svc:isSplited": "split",
  "svc:saveAsIs": "saveAsIs",
  "svc:metadataAutoFill": "metadataAutoFill",
  "svc:metadataReplace": "metadataReplace",
} as const;

type Flags = { readonly instructions: Instructions; readonly settings: PrivateSettings };

/** Reads and marks every flag of an entity. Absent flags are absent in the answer. */
export function readFlags(entity: JsonObject, graph: Graph): Flags {
  const switches = Object.entries(SWITCHES).flatMap(([term, name]) => {
    const value = readSwitch(entity, term, graph);
    return value === null ? [] : [[name, value] as const];
  });
  const index = texts(entity, "svc:index", graph);
  const publishStatus = texts(entity, "svc:publishStatus", graph)[0];
  const editMode = texts(entity, "svc:editMode", graph)[0];
  const itemLinks = values(entity, "svc:itemLinks", graph).map((link) => readLink(link, graph));
  const feedbackMail = texts(entity, "svc:feedbackMail", graph);
  const requestMail = texts(entity, "svc:requestMail", graph);
  const budget = { objects: MAX_GRANT_OBJECTS };
  const grant = values(entity, "svc:grant", graph).flatMap((each) =>
    isJsonObject(each) && each["@type"] === "@json"
      ? asList(each["@value"])
      : [inlineLinks(each, graph, GRANT_DEPTH, budget)],
  );
  return {
    instructions: {
      ...Object.fromEntries(switches),
      ...(index.length === 0 ? {} : { index }),
      ...withoutUndefined({ publishStatus, editMode }),
      ...(itemLinks.length === 0 ? {} : { itemLinks }),
    },
    settings: {
      ...(feedbackMail.length === 0 ? {} : { feedbackMail }),
      ...(requestMail.length === 0 ? {} : { requestMail }),
      ...(grant.length === 0 ? {} : { grant }),
    },
  };
}

/** A flag that is on or off; null when it is absent. */
export function readSwitch(entity: JsonObject, term: string, graph: Graph): boolean | null {
  const [first, ...more] = values(entity, term, graph);
  if (first === undefined) return null;
  const value = isJsonObject(first) && first["@value"] !== undefined ? first["@value"] : first;
  if (more.length === 0 && typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (more.length === 0 && (text === "true" || text === "false")) return text === "true";
  throw new DocumentError(`Cannot follow ${term}: ${quoteValue(first)} is neither true nor false`);
}

function values(entity: JsonObject, term: string, graph: Graph): readonly Json[] {
  const found = graph.values(entity, term);
  if (found.length > MAX_FLAG_VALUES) {
    throw new DocumentError(`Cannot follow ${term}: it has ${found.length} values, the maximum is ${MAX_FLAG_VALUES}`);
  }
  return found;
}

function texts(entity: JsonObject, term: string, graph: Graph): readonly string[] {
  return values(entity, term, graph).map((value) => {
    const text = plainText(value, graph);
    if (text === null) throw new DocumentError(`Cannot follow ${term}: ${quoteValue(value)} is not text`);
    return text.trim();
  });
}

function readLink(link: Json, graph: Graph): { readonly identifier: string; readonly value: string } {
  const identifier = isJsonObject(link) ? idText(graph.values(link, "identifier")[0], graph) : null;
  const value = isJsonObject(link) ? plainText(graph.values(link, "value")[0], graph) : null;
  if (identifier === null || value === null) {
    throw new DocumentError(`Cannot follow svc:itemLinks: ${quoteValue(link)} has no identifier and value`);
  }
  return { identifier, value };
}

/** A link's target: a name or an entity of this document is named by its @id. */
function idText(value: Json | undefined, graph: Graph): string | null {
  const id = isJsonObject(value) ? value["@id"] : undefined;
  return typeof id === "string" ? id : plainText(value, graph);
}

/** A value with its links followed for `levels` levels; deeper links stay links. */
function inlineLinks(value: Json, graph: Graph, levels: number, budget: { objects: number }): Json {
  if (isJsonArray(value)) return value.map((each) => inlineLinks(each, graph, levels, budget));
  if (!isJsonObject(value)) return value;
  if (--budget.objects < 0) {
    throw new DocumentError(`Cannot follow svc:grant: it expands to more than ${MAX_GRANT_OBJECTS} objects`);
  }
  graph.markWhole(value);
  if (levels === 0) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const followed = isJsonArray(each) || key.startsWith("@") ? each : (graph.peek({ [key]: each }, key)[0] ?? each);
      return [key, inlineLinks(followed, graph, levels - 1, budget)];
    }),
  );
}

function quoteValue(value: Json): string {
  return JSON.stringify(value).slice(0, 100);
}
