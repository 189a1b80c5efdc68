// Reading a record in the tools' model member by member (R37): its fields describe what is sent and read it; a member
// that is not as it should be is left out and noted under its path, the others are read.

import { type SchemaOptions, type TSchema, Type } from "@sinclair/typebox";
import { type FieldError, RECORD_SENTENCES, recordErrors } from "../../model/input/record-refusals.ts";
import { FieldFault, unfit } from "../../shared/field-faults.ts";
import { anyListOf, type Field, type Fields, object, optional, type ValueOf } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { maybe, own } from "../../shared/objects.ts";
import { membersOf } from "../../shared/shapes.ts";

export type RecordInput = {
  readonly entries: Entries;
  readonly fault: (field: string, message: string) => void;
  /** What the field reads; null where there is no value, and where it is wrong, which is noted. */
  readonly read: <T>(field: Field<T>, value: Json | undefined, path: string) => T | null;
};

type RecordReader = RecordInput & { readonly faults: () => readonly FieldError[] };

/** At most this many faults of one record are reported. */
const FAULTS_MAX = most("recordFaults");
const FIELD_CHARACTERS = 200;

export function recordInput(entries: Entries): RecordReader {
  const found = new Map<string, string[]>();
  const fault = (field: string, message: string): void => {
    const at = field.slice(0, FIELD_CHARACTERS);
    const messages = found.get(at);
    if (messages === undefined && found.size < FAULTS_MAX) found.set(at, [message]);
    else if (messages?.includes(message) === false) messages.push(message);
  };
  return {
    entries,
    fault,
    read(field, value, path) {
      if (value === undefined) {
        if (field.optional !== true) fault(path, RECORD_SENTENCES.missing);
        return null;
      }
      try {
        return field.read(value, path);
      } catch (error) {
        if (!(error instanceof FieldFault)) throw error;
        for (const each of recordErrors(error)) for (const message of each.messages) fault(each.field, message);
        return null;
      }
    },
    faults: () => [...found].map(([field, messages]) => ({ field, messages })),
  };
}

// Fields of the model.

export const NO_DATE = "Please provide a valid date or interval.";

/** Characters that XML cannot hold, unpaired surrogates and the space without width: they are never intended. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const UNMEANT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u200b\ufffe\uffff]/g;

type TextRule = { readonly min?: number; readonly max?: number; readonly about?: SchemaOptions };

/** A text, of which characters that are never intended are removed. */
export function line({ min = 0, max = most("nameCharacters"), about = {} }: TextRule = {}): Field<string> {
  return {
    schema: Type.String({ ...about, ...(min === 0 ? {} : { minLength: min }), maxLength: max }),
    read(value, path) {
      if (typeof value !== "string") throw unfit(path, value, "must be text", { kind: "type", type: "text" });
      if (value.length > max) throw unfit(path, value, "is too long", { kind: "length", min, max, short: false });
      return requireLength(value.toWellFormed().replace(UNMEANT, "").trim(), path, min, max);
    },
  };
}

/** The text. @throws FieldFault for fewer characters than `min` */
export function requireLength(text: string, path: string, min: number, max: number): string {
  if (min === 0 || [...text.slice(0, min * 2)].length >= min) return text;
  throw unfit(path, text, "is too short", { kind: "length", min, max, short: true });
}

/** A value that is read elsewhere, over the stored one, or that only answers have: it may be sent back. */
export const sentBack = (schema: TSchema): Field<Json> => ({
  schema,
  // Bodies are JSON.
  read: (value) => value as Json,
});

/** A member that only answers have. */
export const ANSWERED = optional(sentBack(Type.Unknown()));

type ListField = Field<readonly Json[]> & { readonly item: Field<unknown> };

/** A list whose entries are read over the stored ones. */
export const listed = (item: Field<unknown>, max: number = most("values")): ListField => ({
  item,
  schema: Type.Array(item.schema, { maxItems: max }),
  read(value, path) {
    const list = anyListOf(value, path);
    if (list.length <= max) return list as readonly Json[]; // bodies are JSON
    throw unfit(path, list.length, "is too long", { kind: "length", min: 0, max, short: false });
  },
});

/** An object of which each member is read alone. */
export type Shape<F extends Fields> = Field<Json> & { readonly fields: F; readonly others?: "ignored" };

/** `others`: members that are none of these are ignored, not reported. */
export const shape = <F extends Fields>(
  fields: F,
  rule: SchemaOptions & { readonly others?: "ignored" } = {},
): Shape<F> => ({ ...sentBack(object(fields, rule).schema), fields, ...maybe("others", rule.others) });

/** The shape, whose `id` names an entry of this vocabulary. */
export const named = <F extends Fields>(vocabulary: string, of: Shape<F>) => ({ ...of, vocabulary });

/** What was sent for a shape, member by member. */
export type SentMembers<F extends Fields> = {
  /** As it was sent. */
  readonly sent: (name: keyof F & string) => Json | undefined;
  readonly at: (name: keyof F & string) => string;
  /** What the field of that name reads; null where it is absent or wrong, which is noted. */
  readonly read: <K extends keyof F & string>(name: K) => ValueOf<F[K]> | null;
};

/** Null for anything but an object, which is noted; members that the shape does not have are noted too. */
export function opened<F extends Fields>(
  { fields, others }: Shape<F>,
  value: Json | undefined,
  path: string,
  to: RecordInput,
): SentMembers<F> | null {
  if (value === undefined) return null;
  if (!isJsonObject(value)) {
    if (value === null) to.fault(path, RECORD_SENTENCES.nullValue);
    else to.fault(`${path}._schema`, RECORD_SENTENCES.notObject);
    return null;
  }
  if (others === undefined) {
    for (const name of Object.keys(value))
      if (!Object.hasOwn(fields, name)) to.fault(`${path}.${name}`, RECORD_SENTENCES.otherMember);
  }
  const at = (name: string): string => `${path}.${name}`;
  return {
    sent: (name) => own(value, name),
    at,
    read(name) {
      const [member, field] = [own(value, name), fields[name]];
      if (member === undefined && field?.optional === true) return null;
      // `name` is a key of the fields.
      return to.read(field as Field<never>, member, at(name));
    },
  };
}

const TITLES = membersOf(Type.String());

const REFERENCE = shape(
  {
    id: line(),
    title: optional(sentBack(TITLES)),
    props: optional(sentBack(Type.Object({}))),
    icon: optional(sentBack(Type.String())),
    description: optional(sentBack(TITLES)),
    subject: optional(sentBack(Type.String())),
    scheme: optional(sentBack(Type.String())),
    name: optional(sentBack(Type.String())),
  },
  { $id: "EntryReferenceInput" },
);

/** What names an entry of a vocabulary. */
export const entryOf = (vocabulary: string) => ({
  ...REFERENCE,
  schema: Type.Unsafe({ allOf: [REFERENCE.schema], description: `Entry of the vocabulary ${vocabulary}` }),
  vocabulary,
});
export type EntryField = ReturnType<typeof entryOf> & { readonly optional?: boolean };

/** The entry that a value names by its id; null, and noted, where it does not exist. */
export function entryAt(field: EntryField, value: Json | undefined, path: string, to: RecordInput): Entry | null {
  if (value === undefined && field.optional !== true) to.fault(path, RECORD_SENTENCES.missing);
  const id = opened(field, value, path, to)?.read("id") ?? null;
  return id === null ? null : entryWith(field.vocabulary, id, path, to);
}

/** The entry of that id; null, and noted, where it does not exist. */
export function entryWith(vocabulary: string, id: string, path: string, to: RecordInput): Entry | null {
  const entry = to.entries.get(vocabulary, id);
  if (entry === undefined) to.fault(`${path}.id`, noEntry(id));
  return entry ?? null;
}

export const noEntry = (id: string): string => `Invalid value ${id.slice(0, 100)}.`;

// The vocabulary entries that a record names (R6a). They are listed without a lookup, so that a use case reads them all
// in one statement and hands them to reader and writer.

/** An entry of a vocabulary by its name. */
export type EntryName = { readonly type: string; readonly id: string };

export type Entry = EntryName & {
  readonly title: Readonly<Record<string, string>>;
  readonly props: Readonly<Record<string, string>>;
};

export type Entries = { readonly get: (type: string, id: string) => Entry | undefined };

export const entryKey = (type: string, id: string): string => `${type}\n${id}`;

/** A title that is not known is "" in the table of vocabularies, and no title. */
const titled = (entry: Entry): Entry => ({
  ...entry,
  title: Object.fromEntries(Object.entries(entry.title).filter(([, title]) => title !== "")),
});

export function entriesOf(found: readonly Entry[]): Entries {
  const byKey = new Map(found.map((entry) => [entryKey(entry.type, entry.id), titled(entry)]));
  return { get: (type, id) => byKey.get(entryKey(type, id)) };
}

export const NO_ENTRIES: Entries = { get: () => undefined };

/** An entry as a record shows it: its titles only where the entry is known. */
export function shownEntry(entries: Entries, type: string, id: string): { readonly id: string; readonly title?: Json } {
  const entry = entries.get(type, id);
  return entry === undefined ? { id } : { id, title: entry.title };
}
