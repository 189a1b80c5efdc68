// A decision about an activity as it is sent (R16): `{comment?, index?}`; without a body neither is set.

import { Type } from "@sinclair/typebox";
import { COMMENTED_FIELD, type FieldComment } from "../../model/metadata/commented-field.ts";
import { BODY, FieldFault } from "../../shared/field-faults.ts";
import { type Field, object, optional, orNull, refined, sequenceOf, worded } from "../../shared/fields.ts";
import type { IndexId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";

export type Decision = {
  readonly comment: string;
  readonly index: IndexId | null;
  readonly fields?: readonly FieldComment[];
};

/** Longest comment of a decision, in characters. */
export const COMMENT_MAX = 2_000;

/** The number of an index, as a number or in digits; null and "" name none. @throws FieldFault */
export function indexOf(value: unknown, path = "index"): IndexId | null {
  if (value === null || value === "") return null;
  const number = typeof value === "string" && /^[1-9]\d{0,15}$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number > 0) return number;
  throw new FieldFault(path, `${JSON.stringify(value).slice(0, 100)} is not the number of an index`);
}

const COMMENT: Field<string> = {
  schema: Type.String({ maxLength: COMMENT_MAX }),
  read(value, path) {
    if (typeof value !== "string") throw new FieldFault(path, "must be a text");
    return value;
  },
};
/** Comments on single fields. */
const FIELDS = sequenceOf(object({ field: COMMENTED_FIELD, content: COMMENT }), most("fieldComments"));
const INDEX: Field<IndexId | null> = {
  schema: Type.Union([Type.Integer({ minimum: 1 }), Type.String(), Type.Null()], {
    description: "Where an item is filed that names no index, where it is approved",
  }),
  read: indexOf,
};

function inWords(fault: FieldFault): FieldFault {
  const { path, reason } = fault;
  if (path === BODY) return fault.worded("The body must be a JSON object with comment and index");
  if (reason.kind !== "unknown") return fault;
  return fault.worded(`Unknown member "${reason.name.slice(0, 100)}": there are comment, index and fields`);
}

const BODY_FIELD = worded(
  refined(
    object(
      { comment: optional(orNull(COMMENT)), index: optional(INDEX), fields: optional(FIELDS) },
      { $id: "ActivityDecision" },
    ),
    ({ comment, index = null, fields = [] }): Decision => ({ comment: comment ?? "", index, fields }),
  ),
  inWords,
);
export const DECISION = optional({
  schema: BODY_FIELD.schema,
  read: (value, path) => BODY_FIELD.read(value ?? {}, path),
} satisfies Field<Decision>);
