// Persons as pages show them (R6a, R20, R40): who somebody is, elsewhere and here, and their items in the repository.
// Mail addresses are for those who look after authors.

import { carriesOne, type Viewer } from "../../auth/account.ts";
import { openness } from "../../model/access/openness.ts";
import {
  type Affiliation,
  type Author,
  type AuthorContent,
  bareIdentifier,
  identifierKey,
  isAlive,
  LOCAL,
  nameKey,
} from "../../model/agents/author.ts";
import { formProblem } from "../../model/metadata/identifier-forms.ts";
import { may } from "../../model/rights/policy.ts";
import { isLinkable } from "../../shared/http/web-url.ts";
import type { AuthorId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import { RECORD_FACETS } from "../search/detail/record-schema.ts";
import { numberKey } from "../search/document/keys.ts";
import type { Condition, FacetCount } from "../search/index/index-port.ts";
import type { Finder } from "../search/query/finder.ts";
import { facetField, KEYS } from "../search/settings/search-schema.ts";
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
  /** Of all items: how many there are of each type, and of each year, the latest first. */
  readonly kinds: readonly CountedWorks[];
  readonly years: readonly CountedWorks[];
  /** Others in the same items, those with the most items in common first. */
  readonly coauthors: readonly ListedPerson[];
  /** The viewer curates authors: they see mail addresses and the link to the form. */
  readonly isManager: boolean;
};

/** Works with one value. `parameter`: by which a search narrows down to it; null where there is none. */
export type CountedWorks = { readonly value: string; readonly count: number; readonly parameter: string | null };

export type ListedPerson = {
  readonly id: AuthorId;
  readonly names: readonly PersonName[];
  readonly orcid: string | null;
  readonly count: number;
};

type PersonList = {
  readonly people: readonly ListedPerson[];
  readonly page: number;
  readonly pages: number;
  /** There are more people than a list counts. */
  readonly isMore: boolean;
};

export interface PersonShowing {
  /** People with items that the viewer may see, by how many. `words`: how a name begins, or an ORCID iD; "": everybody. */
  people(viewer: Viewer, words: string, page: number): Promise<PersonList>;
  /** The person, or the number of the one they were merged into. @throws not_found, gone */
  person(viewer: Viewer, id: AuthorId): Promise<ShownPerson | { readonly movedTo: AuthorId }>;
}

type PersonNeeds = {
  readonly store: Pick<RepositoryReader, "authors" | "items">;
  readonly finder: Pick<Finder, "find" | "settings">;
  readonly today: () => Day;
};

const ITEMS_SHOWN = 20;
/** People who are counted for one list, those of one page, and those whose name begins as it was typed. */
const COUNTED = 1_000;
const PEOPLE_SHOWN = 50;
const NAMED = 200;
const COAUTHORS = 20;
const KINDS = 50;
const YEARS = 200;

export const personShowing = ({ store, finder, today }: PersonNeeds): PersonShowing => ({
  async people(viewer, words, page) {
    const named = words === "" ? null : await authorsNamed(store.authors, words);
    const found = await finder.find(viewer, {
      where: named === null ? { kind: "and", of: [] } : linkedTo(named.map(({ id }) => id)),
      ...{ chosen: null, sort: [] },
      page: { number: 1, size: 0 },
      facets: [{ field: RECORD_FACETS.person, size: COUNTED }],
    });
    const sought = named === null ? null : new Set(named.map(({ id }) => String(id)));
    const counts = (found.facets[0] ?? []).filter(({ label }) => sought === null || sought.has(label));
    const from = (page - 1) * PEOPLE_SHOWN;
    return {
      people: await listed(store.authors, counts.slice(from, from + PEOPLE_SHOWN)),
      page,
      pages: Math.max(1, Math.ceil(counts.length / PEOPLE_SHOWN)),
      isMore: named === null ? counts.length === COUNTED : named.length === NAMED,
    };
  },

  async person(viewer, id) {
    const author = await store.authors.author(id);
    if (author === null) throw new Refusal("not_found", `There is no person ${id}`);
    if (author.mergedInto !== null) return { movedTo: author.mergedInto };
    if (!isAlive(author)) throw new Refusal("gone", "The entry of this person was deleted. The items are still there.");
    const counted = [
      { field: RECORD_FACETS.resourceType, size: KINDS },
      { field: RECORD_FACETS.year, size: YEARS },
      { field: RECORD_FACETS.person, size: COAUTHORS + 1 },
    ];
    const [choices, settings, found] = await Promise.all([
      store.authors.authorChoices(),
      finder.settings(),
      finder.find(viewer, {
        where: linkedTo([id]),
        chosen: null,
        sort: [],
        page: { number: 1, size: ITEMS_SHOWN },
        facets: counted,
      }),
    ]);
    const [kinds = [], years = [], people = []] = found.facets;
    const parameterOf = (field: string): string | null =>
      settings.facets.find((facet) => facet.active && facetField(facet) === field)?.name.en ?? null;
    const works = (counts: readonly FacetCount[], field: string): readonly CountedWorks[] =>
      counts.map(({ label: value, count }) => ({ value, count, parameter: parameterOf(field) }));
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
      kinds: works(kinds, RECORD_FACETS.resourceType),
      years: works(years, RECORD_FACETS.year).toSorted((one, other) => Number(other.value) - Number(one.value)),
      coauthors: await listed(store.authors, people.filter(({ label }) => label !== String(id)).slice(0, COAUTHORS)),
      isManager: may(viewer, "author.manage", null) && carriesOne(viewer, ["author:search"]),
    };
  },
});

/** Items in which one of these is linked. */
const linkedTo = (ids: readonly AuthorId[]): Condition => ({
  kind: "key",
  field: KEYS.person,
  anyOf: ids.map(numberKey),
});

const ORCID = /^\d{4}-?\d{4}-?\d{4}-?\d{3}[\dXx]$/;

/** Authors with a name, shown to everybody, that begins so, either part first; or with this ORCID iD. */
async function authorsNamed(authors: PersonNeeds["store"]["authors"], words: string): Promise<readonly Author[]> {
  const bare = bareIdentifier(words);
  if (ORCID.test(bare)) {
    const identifier = identifierKey("ORCID", bare);
    const found = await authors.findAuthors({ names: [], identifier, number: null, community: null }, NAMED, 0);
    const isShown = ({ content }: Author): boolean =>
      content.authorIdInfo.some(
        ({ idType, authorId, authorIdShowFlg }) => authorIdShowFlg && identifierKey(idType, authorId) === identifier,
      );
    return found.filter(isShown);
  }
  const key = nameKey(words);
  const begins = ({ family, given }: PersonName): boolean =>
    [`${family} ${given}`, `${given} ${family}`].some((name) => nameKey(name).startsWith(key));
  const found = key === "" ? [] : await authors.namesBeginning(key, NAMED);
  return found.filter(({ content }) => namesOf(content, "shown").some(begins));
}

/** In the order of the counts; who was deleted or taken in by another, or shows no name, is left out. */
async function listed(
  authors: PersonNeeds["store"]["authors"],
  counts: readonly FacetCount[],
): Promise<readonly ListedPerson[]> {
  const found = await authors.authors(counts.map(({ label }) => Number(label)));
  const byId = new Map(found.filter(isAlive).map((author) => [String(author.id), author]));
  return counts.flatMap(({ label, count }) => {
    const author = byId.get(label);
    const names = author === undefined ? [] : namesOf(author.content, "shown");
    if (author === undefined || names.length === 0) return [];
    const orcid = author.content.authorIdInfo.find(
      ({ idType, authorId, authorIdShowFlg }) =>
        authorIdShowFlg && idType.toUpperCase() === "ORCID" && formProblem("orcid", authorId) === null,
    );
    return [{ id: author.id, names, orcid: orcid === undefined ? null : bareIdentifier(orcid.authorId), count }];
  });
}

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
  const isAddress = isLinkable(value);
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
