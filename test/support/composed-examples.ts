// The example of a shape of an interface description, as readers and the pages compose it: what is written at a shape
// counts before what is in it; every member is shown, of alternatives the first.
type Schema = { readonly [name: string]: unknown };

/** A text without an example. */
export const BARE = "string";

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-05-01T12:00:00.000Z",
  date: "2026-05-01",
  uuid: "0f8fad5b-d9cb-469f-a165-70867728950e",
  uri: "https://example.org/data.csv",
  binary: "",
};

const schemaIn = (value: unknown): Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What a reference of a description leads to. */
export const partOf = (description: unknown, reference: string): Schema =>
  schemaIn(
    reference
      .split("/")
      .slice(1)
      .reduce((value: unknown, step) => schemaIn(value)[step], description),
  );

/** `open`: the shapes that this one is in; one inside itself is left out (undefined). */
export function composed(schema: unknown, description: unknown, open: readonly string[] = []): unknown {
  const { $ref: reference, ...own } = schemaIn(schema);
  if (typeof reference === "string") {
    return open.includes(reference)
      ? undefined
      : composed(partOf(description, reference), description, [...open, reference]);
  }
  const inner = (each: unknown): unknown => composed(each, description, open);
  if ("example" in own) return own.example;
  const [example] = listIn(own.examples);
  if (example !== undefined) return example;
  if ("const" in own) return own.const;
  if ("default" in own && own.default !== "") return own.default;
  const [first] = [...listIn(own.enum), ...listIn(own.anyOf).map(inner)];
  if (first !== undefined) return first;
  if (Array.isArray(own.allOf)) {
    const parts = own.allOf.map(inner);
    return parts.length === 1 ? parts[0] : Object.assign({}, ...parts);
  }
  const type = listIn(own.type).find((each) => each !== "null") ?? own.type;
  switch (type) {
    case "string":
      return FORMATS[String(own.format)] ?? BARE;
    case "integer":
    case "number":
      return typeof own.minimum === "number" ? Math.max(own.minimum, 1) : 1;
    case "boolean":
      return true;
    case "array": {
      const item = own.maxItems === 0 ? undefined : inner(own.items ?? {});
      return item === undefined ? [] : Array.from({ length: Number(own.minItems ?? 1) }, () => item);
    }
    case "object": {
      const members = Object.entries(schemaIn(own.properties)).map(([name, each]) => [name, inner(each)] as const);
      return Object.fromEntries(members.filter(([, value]) => value !== undefined));
    }
    default:
      return null;
  }
}
