// JSON that keeps whole numbers past 2^53 as bigint: scores and int64 fields of Typesense are larger than a double
// holds.

type Sourced = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;
// The standard library's types know neither the reviver's third argument nor rawJSON; both runtimes have them.
const parseSourced = JSON.parse as (text: string, reviver: Sourced) => unknown;
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

const WHOLE = /^-?\d{16,}$/;

export function parseExact(text: string): unknown {
  return parseSourced(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && WHOLE.test(source) ? BigInt(source) : value,
  );
}

export function writeExact(value: unknown): string {
  return JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? rawJSON(String(one)) : one));
}
