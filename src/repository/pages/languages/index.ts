// The languages the repository's pages are written in: the same as those of the resolver's (R19a).
import { en, type RepositoryTexts } from "./en.ts";
import { ja } from "./ja.ts";

export type { RepositoryTexts } from "./en.ts";

const ALL: readonly RepositoryTexts[] = [en, ja];

export const REPOSITORY_LANGUAGES: readonly string[] = ALL.map((texts) => texts.tag);

/** The texts of a language; of an unknown one, English. */
export function repositoryTexts(tag: string): RepositoryTexts {
  return ALL.find((texts) => texts.tag === tag) ?? en;
}
