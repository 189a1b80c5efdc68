// Persons as pages show them (R6a, R20, R40): who somebody is, elsewhere and here, and their items in the repository.
// Mail addresses are for those who look after authors.
import { carriesOne, type Viewer } from "../../auth/account.ts";
import { openness } from "../../model/access/openness.ts";
import { type Affiliation, type Author, type AuthorContent, isAlive, LOCAL } from "../../model/agents/author.ts";
import { formProblem } from "../../model/metadata/identifier-forms.ts";
import { may } from "../../model/rights/policy.ts";
import type { AuthorId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import { numberKey } from "../search/document/keys.ts";
import type { Finder } from "../search/query/finder.ts";
import { KEYS } from "../search/settings/search-schema.ts";
import type { AuthorChoice } from "../store/authors.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { ListedItem } from "./lists.ts";

type PersonIdentifier = {
  readonly scheme: string;
  readonly value: string;
  readonly href: string | null;
  /** An ORCID iD whose check character is right: only such a one has the mark. */
  readonly isOrcid: boolean;
};

export type PersonName = {
  readonly text: string;
  readonly lang?: string;
  readonly family: string;
  readonly given: string;
};

type PersonAffiliation = {
  readonly names: readonly { readonly text: string; readonly lang: string }[];
  readonly identifiers: readonly PersonIdentifier[];
  readonly periods: readonly { readonly from: string; readonly to: string }[];
};

export type ShownPerson = {
  readonly author: Author;
  readonly names: readonly PersonName[];
  readonly identifiers: readonly PersonIdentifier[];
  readonly affiliations: readonly PersonAffiliation[];
  readonly items: readonly ListedItem[];
  readonly total: number;
  /** The viewer curates authors: they see mail addresses and the link to the form. */
  readonly isManager: boolean;
};

export interface PersonShowing {
  /** The person, or the number of the one they were merged into. @throws not_found, gone */
  person(viewer: Viewer, id: AuthorId): Promise<ShownPerson | { readonly movedTo: AuthorId }>;
}

type PersonNeeds = {
  readonly store: Pick<RepositoryReader, "authors" | "items">;
  readonly finder: Pick<Finder, "find">;
  readonly today: () => Day;
};

const ITEMS_SHOWN = 20;

export const personShowing = ({ store, finder, today }: PersonNeeds): PersonShowing => ({
  async person(viewer, id) {
    const author = await store.authors.author(id);
    if (author === null) throw new Refusal("not_found", `There is no person ${id}`);
    if (author.mergedInto !== null) return { movedTo: author.mergedInto };
    if (!isAlive(author)) throw new Refusal("gone", "The entry of this person was deleted. The items are still there.");
    const linked = { kind: "key", field: KEYS.person, anyOf: [numberKey(id)] } as const;
    const [choices, found] = await Promise.all([
      store.authors.authorChoices(),
      finder.find(viewer, {
        where: linked,
        chosen: null,
        sort: [],
        page: { number: 1, size: ITEMS_SHOWN },
        facets: [],
      }),
    ]);
    const summaries = await store.items.summariesOf(found.items.map(({ item }) => item.id));
    return {
      author,
      names: namesOf(author.content, "shown"),
      identifiers: author.content.authorIdInfo
        .filter(({ idType, authorIdShowFlg }) => authorIdShowFlg && idType !== LOCAL)
        .map(({ idType, authorId }) => identifierOf(choices, "author", idType, authorId)),
      affiliations: author.content.affiliationInfo.map((each) => affiliationOf(each, choices)),
      items: summaries.flatMap((item) =>
        item.content === null ? [] : [{ item, openness: openness(item.content, today()) }],
      ),
      total: found.total,
      isManager: may(viewer, "author.manage", null) && carriesOne(viewer, ["author:search"]),
    };
  },
});

/** Names in their order: those that are to be shown to everybody, or all there are. */
export function namesOf({ authorNameInfo }: AuthorContent, whose: "shown" | "all"): readonly PersonName[] {
  const shown = whose === "all" ? authorNameInfo : authorNameInfo.filter(({ nameShowFlg }) => nameShowFlg);
  return shown.map(({ familyName = "", firstName = "", language }) => ({
    family: familyName,
    given: firstName,
    text: inOneLine(familyName, firstName),
    ...(language === undefined || language === "" ? {} : { lang: language }),
  }));
}

/** 山田 花子; Adachi, Jun. */
function inOneLine(family: string, given: string): string {
  const parts = [family, given].filter((part) => part !== "");
  return parts.join(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u.test(family) ? " " : ", ");
}

/** The address of an identifier as its scheme writes it; an identifier that is an address already is that. */
function identifierOf(
  choices: readonly AuthorChoice[],
  kind: "author" | "institution",
  scheme: string,
  value: string,
): PersonIdentifier {
  const choice = choices.find((each) => each.kind === kind && each.id === scheme);
  const isAddress = /^https?:\/\/[^\s"<>]+$/i.test(value);
  const template = choice?.url ?? "";
  const href = isAddress
    ? value
    : template.includes("##")
      ? template.replaceAll("##", encodeURIComponent(value))
      : null;
  const isOrcid = scheme.toUpperCase() === "ORCID" && formProblem("orcid", value) === null;
  return { scheme, value, href: href !== null && /^https?:\/\//i.test(href) ? href : null, isOrcid };
}

function affiliationOf(
  { affiliationNameInfo, identifierInfo, affiliationPeriodInfo }: Affiliation,
  choices: readonly AuthorChoice[],
): PersonAffiliation {
  return {
    names: affiliationNameInfo
      .filter(({ affiliationNameShowFlg }) => affiliationNameShowFlg)
      .map(({ affiliationName, affiliationNameLang }) => ({ text: affiliationName, lang: affiliationNameLang })),
    identifiers: identifierInfo
      .filter(({ identifierShowFlg }) => identifierShowFlg)
      .map(({ affiliationIdType, affiliationId }) =>
        identifierOf(choices, "institution", affiliationIdType, affiliationId),
      ),
    periods: affiliationPeriodInfo.map(({ periodStart = "", periodEnd = "" }) => ({
      from: periodStart,
      to: periodEnd,
    })),
  };
}
