// Brands: types that keep apart what is the same kind of value at run time, such as the ids of items and of accounts.
// They exist in types alone.

declare const brand: unique symbol;

/**
 * A value with the name of its kind. A plain value is accepted, so that readers of input, rows of the database and
 * literals need no cast; a value of another brand is refused.
 */
export type Brand<Value, Name extends string> = Value & { readonly [brand]?: Name };
