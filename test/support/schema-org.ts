// Checks a description by schema.org (R38): each type is one of its types, each member one of that type, and all of it
// is Linked Data that a processor expands without losing anything. The context is in test/vectors/exports.
import { readFileSync } from "node:fs";
import jsonld from "jsonld";
import { exportVector } from "./export-judges.ts";

type Terms = {
  readonly addresses: readonly string[];
  readonly types: Readonly<Record<string, { readonly is: string | null; readonly has: readonly string[] }>>;
};
const { addresses, types }: Terms = JSON.parse(readFileSync(exportVector("schema-org.json"), "utf8"));

function membersOf(type: string): ReadonlySet<string> {
  const found = types[type];
  if (found === undefined) return new Set();
  return new Set([...found.has, ...(found.is === null ? [] : membersOf(found.is))]);
}

/** Members that do not belong to their type, by path. */
export function foreignMembers(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => foreignMembers(each, `${path}[${at}]`));
  if (typeof value !== "object" || value === null) return [];
  const type = "@type" in value ? String(value["@type"]) : "none";
  const known = membersOf(type);
  if (known.size === 0) return [`${path}: no type ${type}`];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name.startsWith("@")) return [];
    return [...(known.has(name) ? [] : [`${path}.${name} of ${type}`]), ...foreignMembers(member, `${path}.${name}`)];
  });
}

const SCHEMA = "https://schema.org/";
const names = [...new Set(Object.entries(types).flatMap(([type, { has }]) => [type, ...has]))];
const CONTEXT = Object.fromEntries(
  names.map((name) => [name, addresses.includes(name) ? { "@id": SCHEMA + name, "@type": "@id" } : SCHEMA + name]),
);

/**
 * The expanded form. Throws where anything of the document would be lost, and for a context that is not schema.org's.
 */
export async function expanded(document: object): Promise<unknown> {
  return await jsonld.expand(document, {
    safe: true,
    documentLoader: async (url: string) => {
      if (url !== "https://schema.org") throw new Error(`Nothing is read from ${url}`);
      return { documentUrl: url, document: { "@context": CONTEXT } };
    },
  });
}
