// The schemes and languages a repository has from its start (R21), until an administrator has others.
import type { IdentifierForm } from "../../model/metadata/identifier-forms.ts";
import type { AuthorChoice, ChoiceKind } from "../store/authors.ts";
import type { SetupStep } from "../store/store.ts";

type Scheme = readonly [id: string, url?: string, form?: IdentifierForm];

const AUTHOR: readonly Scheme[] = [
  ["LOCAL"],
  ["ORCID", "https://orcid.org/##", "orcid"],
  ["CiNii", "https://ci.nii.ac.jp/author/##"],
  ["KAKEN2", "https://nrid.nii.ac.jp/nrid/##"],
  ["ROR", "https://ror.org/##", "ror"],
  ["e-Rad_Researcher"],
  ["NRID"],
  ["ISNI", "http://www.isni.org/isni/##", "isni"],
  ["VIAF", "https://viaf.org/viaf/##"],
  ["AID"],
  ["kakenhi"],
  ["Ringgold"],
  ["GRID"],
  ["researchmap", "https://researchmap.jp/##"],
];
const INSTITUTION: readonly Scheme[] = [
  ["ISNI", "http://www.isni.org/isni/##", "isni"],
  ["GRID", "https://www.grid.ac/institutes/##"],
  ["Ringgold"],
  ["kakenhi"],
  ["ROR", "https://ror.org/##", "ror"],
];
const LANGUAGES = [
  "ja",
  "ja-Kana",
  "en",
  "fr",
  "it",
  "de",
  "es",
  "zh-cn",
  "zh-tw",
  "ru",
  "la",
  "ms",
  "eo",
  "ar",
  "el",
  "ko",
];

const choices = (kind: ChoiceKind, schemes: readonly Scheme[]): readonly AuthorChoice[] =>
  schemes.map(([id, url = "", form = "any"]) => ({ kind, id, url, form }));

const SHIPPED: readonly AuthorChoice[] = [
  ...choices("author", AUTHOR),
  ...choices("institution", INSTITUTION),
  ...choices(
    "language",
    LANGUAGES.map((language) => [language]),
  ),
];

/** Existing choices are the administrator's: LOCAL cannot be removed. */
export const seedAuthorChoices: SetupStep = async (tx) => {
  if ((await tx.authors.authorChoices()).length > 0) return;
  for (const choice of SHIPPED) await tx.authors.saveAuthorChoice(choice);
};
