// What the management routes share in reading a request and choosing a status (A13, A19, A20, A29).
import type { Static, TSchema } from "@sinclair/typebox";
import { t } from "elysia";
import { textProblems } from "../../src/ark/inputs.ts";
import type { FieldProblem } from "../../src/shared/errors.ts";
import { type OperationIn, operation } from "./documentation.ts";
import type { ExtraCheck, Guard } from "./guard.ts";

/** A mistyped parameter is refused (A46): an ignored filter would answer a different question. */
export const closed = { additionalProperties: false } as const;

const READ_ONLY = {
  description: "true: a read may be answered by the replica; a write takes no notice",
  default: false,
};

/**
 * Accepted on every endpoint; it sends a read to the replica and changes nothing on a write (A19). Written as clients write a boolean:
 * also `True` and `False`, which is how some of them print one, and 1 and 0.
 */
export const readOnlyField = {
  read_only: t.Optional(
    t
      .Transform(
        t.Union([t.String({ pattern: "^(?:[Tt]rue|TRUE|[Ff]alse|FALSE|1|0)$" }), t.Boolean(READ_ONLY)], READ_ONLY),
      )
      .Decode((value) => (typeof value === "boolean" ? value : /^(?:true|1)$/i.test(value)))
      .Encode((value) => value),
  ),
};
export const ReadOnly = t.Object(readOnlyField, closed);

/** Problems of the texts in a body that is one row. */
export function inFields(body: Readonly<Record<string, unknown>>): FieldProblem[] {
  return textProblems(body, ["body"]);
}

/** Problems of the texts in the rows of a bulk body. */
export function inRows(rows: readonly Readonly<Record<string, unknown>>[]): FieldProblem[] {
  return rows.flatMap((row, index) => textProblems(row, ["body", "data", index]));
}

/** 201 for something new, 200 for a repeat, which a header also reports (A13). */
export function statusOf(
  set: { readonly headers: Record<string, string | number | undefined> },
  nothingNew: boolean,
  replayed = nothingNew,
): 200 | 201 {
  if (nothingNew && replayed) set.headers["idempotency-replayed"] = "true";
  return nothingNew ? 200 : 201;
}

/** All of a route that writes but its handler: permission, body, further checks and description. */
export function writing<S extends TSchema>(
  guard: Guard,
  body: S,
  { problems, ...about }: Omit<OperationIn, "body"> & { readonly problems?: ExtraCheck<Static<S>> },
) {
  const detail = operation({ ...about, body: true });
  return { ...guard.write(about.scopes, body, problems), body, query: ReadOnly, detail };
}
