// Members of the metadata that are words, codes or a yes and nothing else (R3): formats and pages treat all of them
// alike, from what the schema of each.
import { Kind, type TSchema } from "@sinclair/typebox";
import { type Annotations, annotationsOf, Metadata, type Text } from "./metadata.ts";
import { METADATA_MEMBERS, type MetadataMember } from "./metadata-schema.ts";
import { isTextSchema, itemSchema } from "./schema-shape.ts";

/** `word`: one text. `texts`: words in languages. `codes`: a list of ids or codes. `flag`: yes or no. */
export type PlainKind = "word" | "texts" | "codes" | "flag";
export type PlainMember = {
  readonly name: MetadataMember;
  readonly kind: PlainKind;
  readonly annotations: Annotations;
};

function kindOf(schema: TSchema): PlainKind | null {
  if (schema[Kind] === "String") return "word";
  if (schema[Kind] === "Boolean") return "flag";
  const item = itemSchema(schema);
  if (item === null) return null;
  return item[Kind] === "String" ? "codes" : isTextSchema(item) ? "texts" : null;
}

export const PLAIN_MEMBERS: readonly PlainMember[] = METADATA_MEMBERS.flatMap((name) => {
  const schema: TSchema = Metadata.properties[name];
  const kind = kindOf(schema);
  return kind === null ? [] : [{ name, kind, annotations: annotationsOf(schema) }];
});

/** The value of a plain member, as words; a flag is "true" or "false". */
export function plainTexts(metadata: Metadata, { name, kind }: PlainMember): readonly Text[] {
  const value = metadata[name];
  if (value === undefined) return [];
  // Its schema defines the type of the member of each kind.
  if (kind === "texts") return value as readonly Text[];
  return (kind === "codes" ? (value as readonly string[]) : [value]).map((each) => ({ value: String(each) }));
}
