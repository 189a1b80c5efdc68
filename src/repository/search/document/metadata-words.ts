// Every text of an item's metadata that is looked into by words (R27, R4a: a library's own fields too), found by the
// schema: the words of the model itself, such as kinds, schemes and codes of languages, are not searched, and mail
// addresses of people are never searchable (R2g).
import { Kind, type TSchema } from "@sinclair/typebox";
import { annotationsOf, Metadata } from "../../../model/metadata/metadata.ts";
import { publicMetadata } from "../../../model/metadata/public-metadata.ts";
import { htmlToText } from "../../../shared/html/html-text.ts";
import type { Json } from "../../../shared/json/json.ts";
import { isJsonObject } from "../../../shared/json/read.ts";

/** Members that state how another one is meant. */
const SILENT: ReadonlySet<string> = new Set([
  ...["emails", "lang", "scheme", "schemeUri", "role", "numberType", "publisherType", "html", "kind", "point", "box"],
  ...["geometry", "extra", "authorId", "datasetSeries", "id", "objectType", "mimeType"],
]);

/** What is taken of a value: itself, each of its elements, some of its members, or whatever texts are in it. */
type Plan =
  | "text"
  | "json"
  | { readonly each: Plan }
  | { readonly members: readonly (readonly [name: string, plan: Plan])[]; readonly mayBeHtml: boolean };

function planOf(schema: TSchema): Plan | null {
  switch (schema[Kind]) {
    case "String":
      return "text";
    case "Array": {
      const each = planOf(schema.items);
      return each === null ? null : { each };
    }
    case "Object":
      return objectPlan(schema);
    case "Record":
      return "json";
    case "Union": {
      const object = (schema.anyOf as readonly TSchema[]).find((one) => one[Kind] === "Object");
      return object === undefined ? null : planOf(object);
    }
    default:
      return null;
  }
}

function objectPlan({ properties }: TSchema): Plan {
  // Addresses of identifiers are searched for; those of vocabularies, licences and funds are the same for many items.
  const isIdentifier = "scheme" in properties && "value" in properties;
  const members = Object.entries<TSchema>(properties).flatMap(([name, schema]): [string, Plan][] => {
    if (SILENT.has(name) || annotationsOf(schema).form === "marker") return [];
    if (name === "uri" && !isIdentifier) return [];
    // What kind of date, of relation: the metadata's own type is an object.
    if (name === "type" && schema[Kind] === "String") return [];
    const plan = planOf(schema);
    return plan === null ? [] : [[name, plan]];
  });
  return { members, mayBeHtml: "html" in properties };
}

const PLAN = planOf(Metadata);

/**
 * In the order of the schema, so that what most items are called comes before a limit is reached. A value of a library's
 * own fields that holds a mail address is left out, as in all public output.
 */
export function wordsOfMetadata(metadata: Metadata): readonly string[] {
  const texts: string[] = [];
  if (PLAN !== null) take(PLAN, publicMetadata(metadata), texts);
  return texts;
}

function take(plan: Plan, value: unknown, texts: string[]): void {
  if (value === undefined || value === null) return;
  if (plan === "text") {
    if (typeof value === "string") texts.push(value);
  } else if (plan === "json") {
    // What was read as JSON is JSON.
    takeTexts(value as Json, texts);
  } else if ("each" in plan) {
    if (Array.isArray(value)) for (const one of value) take(plan.each, one, texts);
  } else {
    const object = value as { readonly [name: string]: unknown };
    const { value: marked, html } = object;
    if (plan.mayBeHtml && html === true && typeof marked === "string") texts.push(htmlToText(marked));
    else for (const [name, member] of plan.members) take(member, object[name], texts);
  }
}

/** Depth is bounded where JSON is read. */
function takeTexts(value: Json, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "number") texts.push(String(value));
  else if (Array.isArray(value)) for (const one of value) takeTexts(one, texts);
  else if (isJsonObject(value)) for (const one of Object.values(value)) takeTexts(one, texts);
}
