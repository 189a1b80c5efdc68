// Members that are not there are left out, instead of being there with nothing in them.

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
