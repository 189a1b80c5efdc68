// Words of the shipped vocabularies as export formats use them (R6a, R38): what another model calls an entry, found by the entry's id or by any
// other name of it, whatever its case, hyphens and spaces.
import { SHIPPED_VOCABULARIES } from "../assets/vocabularies/index.ts";
import { licenseIdOf } from "../repository/model/licenses.ts";
import type { ResourceType, Right } from "../repository/model/metadata.ts";
import { printedResourceType } from "../repository/model/resource-types.ts";

export type Word = (typeof SHIPPED_VOCABULARIES)[number];

export const flatWord = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Members of an entry that are names of it in another model. */
const NAMES = ["datacite", "jpcoar"];

const BY_TYPE = new Map<string, Map<string, Word>>();
const add = (type: string, name: string | undefined, word: Word): void => {
  const words = BY_TYPE.get(type) ?? new Map<string, Word>();
  BY_TYPE.set(type, words);
  if (name !== undefined && !words.has(flatWord(name))) words.set(flatWord(name), word);
};
// Ids first: a name in another model is no other entry's id.
for (const word of SHIPPED_VOCABULARIES) add(word.type, word.id, word);
for (const word of SHIPPED_VOCABULARIES) for (const name of NAMES) add(word.type, word.props[name], word);

/** The entry of a vocabulary that a value means; null where there is none. */
export function vocabularyWord(type: string, written: string | undefined): Word | null {
  return written === undefined ? null : (BY_TYPE.get(type)?.get(flatWord(written)) ?? null);
}

/** The entry of a resource type: by its id, or by label and address where the id says only "other". */
export function resourceTypeWord(type: ResourceType | null): Word | null {
  if (type === null) return null;
  const known = vocabularyWord("resourcetypes", type.id);
  if (known !== null && known.id !== "other") return known;
  return vocabularyWord("resourcetypes", printedResourceType(type)?.id) ?? known;
}

/** The entry of a licence, by its id or its address. */
export function licenseWord({ id, uri }: Pick<Right, "id" | "uri">): Word | null {
  return vocabularyWord("licenses", id ?? (uri === undefined ? undefined : (licenseIdOf(uri) ?? undefined)));
}
