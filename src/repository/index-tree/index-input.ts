// What may be sent about an index (specification 2, "Index tree endpoints" and "Legacy index creation"; R24 to R26).
import { Type } from "@sinclair/typebox";
import { type ExistingGroups, INDEX_FIELDS, type IndexField } from "../../model/indexes/index-fields.ts";
import type { IndexNode } from "../../model/indexes/index-node.ts";
import { fieldsOf, sentName, valuesFrom } from "../../shared/declared.ts";
import { type Field, FieldFault, type Fields, isObject, memberOf, presentOf, whole } from "../../shared/fields.ts";
import type { IndexId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";

/** Levels of indexes below the root. */
export const TREE_DEPTH_MAX = 1_000;
/** What a request sets of an index: only what was sent. */
export type IndexChange = Partial<Omit<IndexNode, "id" | "owner" | "createdAt" | "updatedAt" | "deletedAt">>;

/** Fields of a request that an answer repeats, by the name they are sent under. */
export function indexFields(known: ExistingGroups): Fields {
  const fields: [string, IndexField<unknown>][] = Object.entries(INDEX_FIELDS);
  return Object.fromEntries(
    fields.map(([name, each]) => [sentName(name, each), each.among === undefined ? each.field : each.among(known)]),
  );
}

export const PARENT = whole(0, undefined, { description: "Id of the parent, 0: directly under the root" });
const ID_PATH = /^\d{1,16}(?:\/\d{1,16})*$/;
const PATH_MAX = TREE_DEPTH_MAX * 17;

/**
 * The parent as a number, or as GET shows it: the path of all ancestors, which ends with it. Clients send back what
 * they read (R25).
 */
export const PARENT_OR_PATH: Field<number> = {
  schema: Type.Union([
    PARENT.schema,
    Type.String({
      description: "The path of all ancestors, as GET gives it; its last id is the parent",
      pattern: "^\\d{1,16}(/\\d{1,16})*$",
    }),
  ]),
  read(value, path) {
    const isPath = typeof value === "string" && value.length <= PATH_MAX && ID_PATH.test(value);
    return PARENT.read(isPath ? Number(value.slice(value.lastIndexOf("/") + 1)) : value, path);
  },
};

export const POSITION = whole(0, undefined, { description: "Place among the siblings, from 0" });

/** All that a request may set of an index. */
const CHANGEABLE = {
  ...INDEX_FIELDS,
  parent: { field: PARENT, kept: "number" },
  position: { field: POSITION, kept: "number" },
} as const;

const { indexName, indexNameEnglish, comment, publicState, harvestPublicState } = INDEX_FIELDS;
/** What the legacy creation takes of them (R26). */
export const LEGACY_FIELDS = fieldsOf({ indexName, indexNameEnglish, comment, publicState, harvestPublicState });

/** Unknown fields are ignored: clients send back what they read. */
function changeBy(fields: Fields, sent: object): IndexChange {
  const read = worded(() => presentOf(fields, sent, "index"));
  return valuesFrom(CHANGEABLE, read);
}

/** Refusals of a field in the words of these interfaces. */
function worded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof FieldFault ? wrong(error.message) : error;
  }
}

const wrong = (what: string): Refusal => new Refusal("invalid", `Invalid payload: ${what}`);

/** The `index` of a body; throws when there is none. */
function indexOf(body: unknown): object {
  if (!isObject(body)) throw wrong("the body must be a JSON object");
  if (!Object.hasOwn(body, "index")) throw wrong("index: Missing data for required field.");
  if (!isObject(body.index)) throw wrong("index must be an object");
  return body.index;
}

export type NewIndex = IndexChange & { readonly parent: IndexId };

/** The body of POST. @throws Refusal `invalid`, naming the field and the value */
export function readNewIndex(body: unknown, known: ExistingGroups): NewIndex {
  const sent = indexOf(body);
  if (!Object.hasOwn(sent, "parent")) throw wrong("index.parent: Missing data for required field.");
  const parent = worded(() => PARENT.read(memberOf(sent, "parent"), "index.parent"));
  return { ...changeBy(indexFields(known), sent), parent };
}

/** The body of PUT: what is sent is changed (R25). @throws Refusal `invalid` */
export function readIndexChange(body: unknown, known: ExistingGroups): IndexChange {
  return changeBy({ parent: PARENT_OR_PATH, position: POSITION, ...indexFields(known) }, indexOf(body));
}

/**
 * The body of the legacy creation: `body` undefined where it is not JSON (R26).
 *
 * @throws Refusal `invalid` with the texts of the specification
 */
export function readLegacyIndex(body: unknown): NewIndex {
  if (!isObject(body) || Object.keys(body).length === 0) throw new Refusal("invalid", "No data to create.");
  const info = memberOf(body, "index_info");
  if (!isObject(info) || !Object.keys(LEGACY_FIELDS).some((name) => Object.hasOwn(info, name))) {
    throw new Refusal("invalid", "index_info can not be null.");
  }
  const parent = memberOf(body, "parent_id") ?? 0;
  return { ...changeBy(LEGACY_FIELDS, info), parent: worded(() => PARENT.read(parent, "index.parent_id")) };
}
