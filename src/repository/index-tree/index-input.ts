// What may be sent about an index (specification 2, "Index tree endpoints" and "Legacy index creation"; R24 to R26).
import { Type } from "@sinclair/typebox";
import { type ExistingGroups, INDEX_FIELDS, type IndexField } from "../../model/indexes/index-fields.ts";
import type { IndexNode } from "../../model/indexes/index-node.ts";
import { fieldsOf, sentName, valuesFrom } from "../../shared/declared.ts";
import { BODY, FaultList, type FieldFault, faultSentence } from "../../shared/field-faults.ts";
import {
  dependent,
  type Field,
  type Fields,
  object,
  optional,
  optionalFields,
  refined,
  whole,
  worded,
} from "../../shared/fields.ts";
import type { IndexId } from "../../shared/ids.ts";
import { isObject, memberOf } from "../../shared/objects.ts";

/** Levels of indexes below the root. */
export const TREE_DEPTH_MAX = 1_000;
/** What a request sets of an index: only what was sent. */
export type IndexChange = Partial<Omit<IndexNode, "id" | "owner" | "createdAt" | "updatedAt" | "deletedAt">>;

/** Nothing that an index may name. */
const NO_GROUPS: ExistingGroups = { groups: new Set() };

/** Fields of a request that an answer repeats, by the name they are sent under. */
function indexFields(known: ExistingGroups = NO_GROUPS): Fields {
  const fields: [string, IndexField<unknown>][] = Object.entries(INDEX_FIELDS);
  return Object.fromEntries(
    fields.map(([name, each]) => [sentName(name, each), each.among === undefined ? each.field : each.among(known)]),
  );
}

const PARENT = whole(0, undefined, { description: "Id of the parent, 0: directly under the root" });
const ID_PATH = /^\d{1,16}(?:\/\d{1,16})*$/;
const PATH_MAX = TREE_DEPTH_MAX * 17;

/**
 * The parent as a number, or as GET shows it: the path of all ancestors, which ends with it. Clients send back what
 * they read (R25).
 */
const PARENT_OR_PATH: Field<number> = {
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

const POSITION = whole(0, undefined, { description: "Place among the siblings, from 0" });

/** All that a request may set of an index. */
const CHANGEABLE = {
  ...INDEX_FIELDS,
  parent: { field: PARENT, kept: "number" },
  position: { field: POSITION, kept: "number" },
} as const;

const { indexName, indexNameEnglish, comment, publicState, harvestPublicState } = INDEX_FIELDS;
/** What the legacy creation takes of them (R26). */
const LEGACY_FIELDS = fieldsOf({ indexName, indexNameEnglish, comment, publicState, harvestPublicState });

/** Faults in the words of these interfaces. */
function inWords(fault: FieldFault): FieldFault {
  const { path, rule, reason, message } = fault;
  if (reason.kind === "sentence") return fault.worded(reason.sentence);
  if (path === BODY) return fault.worded("Invalid payload: the body must be a JSON object");
  if (reason.kind === "missing") return fault.worded(`Invalid payload: ${path}: Missing data for required field.`);
  const isNoObject = reason.kind === "type" && reason.type === "object";
  return fault.worded(`Invalid payload: ${isNoObject ? `${path} ${rule}` : message}`);
}

export type NewIndex = IndexChange & { readonly parent: IndexId };

const IGNORED = { others: "ignored" } as const;
/** What was read of the fields, by the names of the program. */
const changeFrom = (read: object): IndexChange => valuesFrom(CHANGEABLE, { ...read });
const settingsOf = (known: ExistingGroups) => optionalFields(indexFields(known));
/** What both bodies share is described once. */
const SETTINGS = object(settingsOf(NO_GROUPS), { ...IGNORED, $id: "IndexSettings" }).schema;
const withSettings = <T>(place: Fields, index: Field<T>): Field<T> => ({
  ...index,
  schema: Type.Intersect([object(place, IGNORED).schema, SETTINGS]),
});

/** The body of POST; a group it names must be known. Unknown fields are ignored: clients send back what they read. */
export const NEW_INDEX = dependent((known: ExistingGroups): Field<NewIndex> => {
  const index = withSettings({ parent: PARENT }, object({ parent: PARENT, ...settingsOf(known) }, IGNORED));
  const body = object({ index }, { ...IGNORED, $id: "NewIndex" });
  return worded(
    refined(body, ({ index: read }) => ({ ...changeFrom(read), parent: read.parent })),
    inWords,
  );
}, NO_GROUPS);

/** The body of PUT: what is sent is changed (R25). */
export const CHANGED_INDEX = dependent((known: ExistingGroups): Field<IndexChange> => {
  const place = { parent: optional(PARENT_OR_PATH), position: optional(POSITION) };
  const body = object(
    { index: withSettings(place, object({ ...place, ...settingsOf(known) }, IGNORED)) },
    { ...IGNORED, $id: "ChangedIndex" },
  );
  return worded(
    refined(body, ({ index }) => changeFrom(index)),
    inWords,
  );
}, NO_GROUPS);

const LEGACY_SETTINGS = object(optionalFields(LEGACY_FIELDS), { ...IGNORED, description: "At least one of the five" });

/** The body of the legacy creation, with the texts of the specification; what is not JSON counts as nothing (R26). */
export const LEGACY_INDEX: Field<NewIndex> = worded(
  {
    schema: Type.Object(
      { parent_id: Type.Optional({ ...PARENT.schema, default: 0 }), index_info: LEGACY_SETTINGS.schema },
      { $id: "LegacyIndex" },
    ),
    read(body) {
      if (!isObject(body) || Object.keys(body).length === 0) throw faultSentence("", "No data to create.");
      const info = memberOf(body, "index_info");
      if (!isObject(info) || !Object.keys(LEGACY_FIELDS).some((name) => Object.hasOwn(info, name))) {
        throw faultSentence("index_info", "index_info can not be null.");
      }
      const faults = new FaultList();
      const read = faults.collect(() => LEGACY_SETTINGS.read(info, "index"));
      const parent = faults.collect(() => PARENT.read(memberOf(body, "parent_id") ?? 0, "index.parent_id"));
      faults.end();
      return { ...changeFrom(read ?? {}), parent: parent ?? 0 };
    },
  },
  inWords,
);
