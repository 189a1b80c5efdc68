// Parts of the shapes of answers: TypeBox schemas whose static types are what the program returns. A shape with `$id`
// has its own place in the interface description, and everything else refers to it.
import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import type { Fields, ValueOf } from "./fields.ts";
import type { JsonObject } from "./json/read.ts";

const LIMITS: ReadonlySet<string> = new Set([
  ...["minLength", "maxLength", "pattern", "minItems", "maxItems", "maxProperties", "minimum", "maximum"],
]);

/** The schema of what is sent as answers have it: what is stored may be older than the limits of its values. */
export const withoutLimits = (schema: TSchema): TSchema & JsonObject =>
  JSON.parse(
    JSON.stringify(schema, (name, value) => (LIMITS.has(name) && typeof value !== "object" ? undefined : value)),
  );

/** The members of what is sent as optional members of an answer. */
export const shownFields = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [name, Type.Optional(Type.Unsafe(withoutLimits(schema)))]),
    // Each schema is that of the values its field reads.
  ) as unknown as { readonly [K in keyof F]: TOptional<TUnsafe<Exclude<ValueOf<F[K]>, undefined>>> };

/** One of these words. */
export const wordOf = <const T extends string>(words: readonly T[]) =>
  Type.Unsafe<T>({ type: "string", enum: [...words] });

export const manyOf = <T extends TSchema>(items: T) => Type.Unsafe<readonly Static<T>[]>(Type.Array(items));

/** Members of any name. */
export const membersOf = <T extends TSchema>(value: T) =>
  Type.Unsafe<Readonly<Record<string, Static<T>>>>(Type.Record(Type.String(), value));

/** Addresses of actions by their names. */
export const ActionLinksShape = Type.Unsafe<Readonly<Record<string, string>>>({
  ...membersOf(Type.String()),
  description: "What the caller may do now",
});

/** A moment as `2026-05-01T12:00:00.000Z`. */
export const MomentShape = Type.String({ format: "date-time" });
export const UuidShape = Type.String({ format: "uuid" });
/** Text in the languages of the pages. */
export const BilingualShape = Type.Object({ en: Type.String(), ja: Type.String() }, { $id: "Bilingual" });
/** A member that only the repository sets. */
export const IgnoredShape = Type.Unknown({
  $id: "Ignored",
  description: "Set by the repository; what is sent is ignored",
});
