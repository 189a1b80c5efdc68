// JSON whose shape is not known: an object's members by name.
export type Members = Readonly<Record<string, unknown>>;

/** None where the value is not an object. */
export const membersOf = (value: unknown): Members =>
  // Any object that is not null has members by name.
  typeof value === "object" && value !== null ? (value as Members) : {};
