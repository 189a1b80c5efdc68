// The field of a record that a comment of a reviewer is about (R44): a part of its metadata as its page names it, its
// files or its access; a single value by its number. Pure.
import { Type } from "@sinclair/typebox";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, trimmed } from "../../shared/fields.ts";
import { METADATA_MEMBERS } from "./metadata-schema.ts";

const OTHERS = ["title", "otherTitles", "files", "access", "files_access", "embargo"] as const;
const COMMENTED_FIELDS: readonly string[] = [...METADATA_MEMBERS, ...OTHERS];
const KNOWN: ReadonlySet<string> = new Set(COMMENTED_FIELDS);

/** Without the number of the value. */
export const commentedMember = (field: string): string => field.replace(/\.\d+$/, "");

/** `creators`, or `creators.0` for its first value. */
export const COMMENTED_FIELD: Field<string> = {
  schema: Type.String({ maxLength: 60, description: "Field of the record, such as creators, or creators.0" }),
  read(value, path) {
    const field = trimmed({ min: 1, max: 60 }).read(value, path);
    if (/^\w+(?:\.\d{1,4})?$/.test(field) && KNOWN.has(commentedMember(field))) return field;
    throw faultSentence(path, `"${field}" is not a field of a record.`);
  },
};

/** A comment on a field. */
export type FieldComment = { readonly field: string; readonly content: string };
