// Objects whose members are not known: what comes from outside, and objects with optional members.

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member of that name; undefined where the object itself has none. */
export function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** Members of JSON that others wrote: of another type, they are empty. */
export const objectIn = (value: unknown, name: string): Readonly<Record<string, unknown>> => {
  const member = isObject(value) ? memberOf(value, name) : undefined;
  return isObject(member) ? member : {};
};
export const listIn = (value: unknown, name: string): readonly unknown[] => {
  const member = isObject(value) ? memberOf(value, name) : undefined;
  return Array.isArray(member) ? member : [];
};
/** Trimmed. */
export const textIn = (value: unknown, name: string): string => {
  const member = isObject(value) ? memberOf(value, name) : undefined;
  return typeof member === "string" ? member.trim() : "";
};

/**
 * The entry of a table under `key`; undefined where the table itself has none: `toString` and its like are on every
 * object.
 */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

type Optional<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];
/** Members of T that may be undefined may be missing; the others are what they were. */
type WithoutUndefined<T> = Omit<T, Optional<T>> & { [K in Optional<T>]?: Exclude<T[K], undefined> };

/** The same members in the same order, without those that are undefined. */
export function withoutUndefined<T extends object>(members: T): WithoutUndefined<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  // Only members that are undefined are left out.
  return Object.fromEntries(present) as WithoutUndefined<T>;
}

/** `{key: value}`, or nothing when the value is absent; for spreading into objects with optional members. */
export function maybe<K extends string, Value>(key: K, value: Value | null | undefined): { readonly [P in K]?: Value } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: Value }); // computed keys lose their type
}
