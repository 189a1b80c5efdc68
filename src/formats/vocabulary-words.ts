// Words of the shipped vocabularies as export formats use them (R6a, R38): what another model calls an entry, found by
// the entry's id or by any other name of it, whatever its case, hyphens and spaces.
import { type ShippedEntry, shippedEntry, shippedVocabulary } from "../assets/vocabularies/index.ts";
import { licenseIdOf } from "../model/metadata/licenses.ts";
import type { ResourceType, Right } from "../model/metadata/metadata.ts";
import { printedResourceType } from "../model/metadata/resource-types.ts";

export const flatWord = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Members of an entry that are names of it in another model. */
const NAMES = ["datacite", "jpcoar"];

/** Vocabularies whose entries have other names. */
const NAMED = ["contributorsroles", "datetypes", "descriptiontypes", "relationtypes", "resourcetypes"] as const;

function byName(type: string): ReadonlyMap<string, ShippedEntry> {
  const words = new Map<string, ShippedEntry>();
  const entries = shippedVocabulary(type);
  const add = (name: string | undefined, word: ShippedEntry): void => {
    if (name !== undefined && name !== "" && !words.has(flatWord(name))) words.set(flatWord(name), word);
  };
  // Ids first: a name in another model is no other entry's id.
  for (const word of entries) add(word.id, word);
  for (const word of entries) for (const name of NAMES) add(word.props[name], word);
  return words;
}
const BY_TYPE = new Map(NAMED.map((type) => [type, byName(type)]));

/** The entry of a vocabulary for a value; null where no entry matches. */
export function vocabularyWord(type: (typeof NAMED)[number], written: string | undefined): ShippedEntry | null {
  return written === undefined ? null : (BY_TYPE.get(type)?.get(flatWord(written)) ?? null);
}

/** The entry of a resource type: by its id, or by label and address where the id is only "other". */
export function resourceTypeWord(type: ResourceType | null): ShippedEntry | null {
  if (type === null) return null;
  const known = vocabularyWord("resourcetypes", type.id);
  if (known !== null && known.id !== "other") return known;
  return vocabularyWord("resourcetypes", printedResourceType(type)?.id) ?? known;
}

/** The entry of a licence, by its id or its address. */
export function licenseWord({ id, uri }: Pick<Right, "id" | "uri">): ShippedEntry | null {
  const known = id?.trim().toLowerCase() ?? (uri === undefined ? null : licenseIdOf(uri));
  return known === null ? null : shippedEntry("licenses", known);
}
