// Parts of the shapes of answers: TypeBox schemas whose static types are what the program returns. A shape with `$id`
// has its own place in the interface description, and everything else refers to it.
import { type Static, type TSchema, Type } from "@sinclair/typebox";

/** One of these words. */
export const wordOf = <const T extends string>(words: readonly T[]) =>
  Type.Unsafe<T>({ type: "string", enum: [...words] });

export const manyOf = <T extends TSchema>(items: T) => Type.Unsafe<readonly Static<T>[]>(Type.Array(items));

/** Members of any name. */
export const membersOf = <T extends TSchema>(value: T) =>
  Type.Unsafe<Readonly<Record<string, Static<T>>>>(Type.Record(Type.String(), value));

/** A moment as `2026-05-01T12:00:00.000Z`. */
export const MomentShape = Type.String({ format: "date-time" });
export const UuidShape = Type.String({ format: "uuid" });
/** Text in the languages of the pages. */
export const BilingualShape = Type.Object({ en: Type.String(), ja: Type.String() });
