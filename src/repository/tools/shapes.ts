// The shapes that arguments and results of tools are put together from (reference 1.1): small, for every one of them is
// sent to a model with each list of tools.
import {
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from "@sinclair/typebox";
import type { Fields } from "../../shared/fields.ts";
import { RecordShape } from "../records/record-shape.ts";

/** Bounds of what tools list (reference 1.1). */
export const SIZE_MAX = 100;
/** A page and its size reach so far (R10). */
export const WINDOW = 10_000;
/** Bytes of a file that is sent in JSON (specification 3, "Limits"). */
export const INLINE_BYTES = 16 * 1024 * 1024;
/** Bytes of a file that are returned by default. */
export const GIVEN_BYTES = 1024 * 1024;
/** And at most: rendering more as JSON would block the event loop. */
export const GIVEN_MAX_BYTES = 4 * GIVEN_BYTES;
/** Of a text result that is handed over whole. */
export const EXPORT_BYTES = 1024 * 1024;
/** Characters of the name of one call of create_record: the key of its receipt is a little longer. */
export const REQUEST_ID_MAX = 150;
/** Addresses of parts in one result. */
export const PARTS_SHOWN = 250;
export const PART_BYTES = 64 * 1024 * 1024;
export const SMALLEST_PART_BYTES = 5 * 1024 * 1024;

const RECORD = "Record id; an ARK, DOI or the address of its page work too";

export const args = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });
/** Need not be sent, but is always there for the handler, as the schema has a default: its type is not optional. */
export const defaulted = <S extends TSchema>(schema: S): S => Type.Optional(schema) as TSchema as S;
/** `fallback`: need not be sent. */
export const text = (description: string, fallback?: string): TString =>
  fallback === undefined ? Type.String({ description }) : defaulted(Type.String({ description, default: fallback }));
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
export const yes = (description: string, fallback: boolean) =>
  defaulted(Type.Boolean({ description, default: fallback }));
/** One of these words; a union of literals would be explained by as many messages as there are words. */
export const oneOf = <const T extends string>(values: readonly T[], description: string, fallback?: T) => {
  const schema = { type: "string", enum: [...values], description };
  return fallback === undefined ? Type.Unsafe<T>(schema) : defaulted(Type.Unsafe<T>({ ...schema, default: fallback }));
};
/** Null, where it is not sent. One type a branch: clients that know a type by one word take such a schema whole. */
export const nullable = <S extends TSchema>({ description, ...schema }: S) =>
  defaulted(
    Type.Unsafe<Static<S> | null>({
      anyOf: [schema, { type: "null" }],
      ...(description === undefined ? {} : { description }),
      default: null,
    }),
  );

/** Members of a body as arguments; none need be sent. The use case reads them with the body. */
export const argumentsOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [name, Type.Optional(Type.Unsafe(schema))]),
  ) as unknown as { readonly [K in keyof F]: TOptional<TUnsafe<unknown>> };

/** Models send the number of a record as a number, too. */
export const recid = Type.Unsafe<string>({
  anyOf: [
    { type: "string", minLength: 1, maxLength: 2_000 },
    { type: "integer", minimum: 1 },
  ],
  description: RECORD,
});
export const query = (description: string) => text(description, "");
export const size = (fallback: number) => defaulted(Type.Integer({ minimum: 1, maximum: SIZE_MAX, default: fallback }));
export const page = defaulted(Type.Integer({ minimum: 1, default: 1 }));
export const draft = (fallback: boolean) =>
  yes("Its draft instead of what is published; needs the token of a user who may edit it", fallback);
/** Checked by the use case. */
const anyObject = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { additionalProperties: true, description }));
const METADATA =
  "resource_type {id}, title (3 characters or more), publication_date (EDTF: 2026-05-01, 2026-05, 2026, intervals), creators [{person_or_org: {type: personal|organizational, family_name, given_name | name, identifiers}, affiliations}]; optional: description (HTML), additional_titles, additional_descriptions, contributors (with role), subjects, languages, dates, identifiers, related_identifiers, rights, publisher, version, funding, locations, references, sizes, formats, copyright. Look ids up first";
/** `lookup`: where ids of vocabularies are. */
export const metadataBy = (lookup: string) => anyObject(`${METADATA}: ${lookup}`);
const members = (description: string) => nullable(anyObject(description));
export const access = members(
  "{record: public|restricted, files: public|restricted, embargo: {active: true, until: YYYY-MM-DD, reason}}; what is left out stays, at first public",
);
export const customFields = members(
  "Fields of this repository by name, such as journal:journal {title, volume, issue, pages}",
);

/**
 * An object of a result; more may be in it than is listed. Or an error: clients of the protocol's older revisions hold
 * whatever comes back against this, refusals too.
 */
export function result(properties: TProperties): TSchema {
  const { required = [], ...shape } = Type.Object(properties);
  return Type.Unsafe({ ...shape, anyOf: [{ required }, { required: ["error"] }] });
}
export const many = (items: TSchema = Type.Object({})) => Type.Array(items);
/** A page of a list under the name of what it holds. */
export const listOf = (name: string, more: TProperties = {}) =>
  result({
    total: Type.Integer(),
    page: Type.Integer(),
    size: Type.Integer(),
    next_page: Type.Optional(Type.Integer()),
    [name]: many(),
    ...more,
  });
/** A record as results show it (src/repository/tools/record-answers.ts). */
export const record = (more: TProperties = {}) =>
  result({ id: RecordShape.properties.id, status: RecordShape.properties.status, ...more });
