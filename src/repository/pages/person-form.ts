// An author as a form of a page, and the form as the interface takes it (specification 2, "Author resource"; R21, R40):
// a group of entries for each kind of thing that is stated.
import type { AuthorContent } from "../../model/agents/author.ts";
import { type GroupChange, rearranged } from "../../pages/components/groups.ts";
import type { AuthorChoice, ChoiceKind } from "../store/authors.ts";
import type { RepositoryTexts } from "./languages/index.ts";
import type { FormCell, FormEntry, FormGroup } from "./templates/person-page.ts";

const EMPTY_AUTHOR: AuthorContent = { emailInfo: [], authorIdInfo: [], authorNameInfo: [], affiliationInfo: [] };

const BLANK_NAME = { language: "", familyName: "", firstName: "", nameShowFlg: true };
const BLANK_ID = { idType: "", authorId: "", authorIdShowFlg: true };
const BLANK_MAIL = { email: "" };
const BLANK_ORG = { affiliationName: "", affiliationNameLang: "", affiliationNameShowFlg: true };
const BLANK_ORG_ID = { affiliationIdType: "", affiliationId: "", identifierShowFlg: true };
const BLANK_PERIOD = {};
type Affiliation = AuthorContent["affiliationInfo"][number];
const BLANK_AFFILIATION: Affiliation = {
  affiliationNameInfo: [BLANK_ORG],
  identifierInfo: [],
  affiliationPeriodInfo: [],
};

/** A new person: the name comes first. */
export const NEW_PERSON: AuthorContent = { ...EMPTY_AUTHOR, authorNameInfo: [BLANK_NAME] };

/** Entries of a list that a form holds; a person with more has them all, and can be given no further. */
const ENTRIES_MOST = 20;

/** The groups of the form of a person. */
export function formGroups(
  content: AuthorContent,
  choices: readonly AuthorChoice[],
  { person }: RepositoryTexts,
): readonly FormGroup[] {
  const of = (kind: ChoiceKind) => choices.filter((each) => each.kind === kind).map(({ id }) => id);
  const [schemes, institutions, languages] = [of("author"), of("institution"), of("language")];
  const group = <T>(
    name: string,
    [legend, entry]: readonly [string, string],
    [entries, blank]: readonly [readonly T[], T],
    cells: (at: string, value: T) => FormEntry,
  ): FormGroup => ({
    name,
    legend,
    entry,
    count: entries.length,
    most: Math.max(ENTRIES_MOST, entries.length),
    cells: (at) => cells(`${name}.${at}`, at === "new" ? blank : (entries[at] ?? blank)),
  });
  const only = (...cells: readonly FormCell[]): FormEntry => ({ cells, groups: [] });
  const names = group("n", [person.names, person.name], [content.authorNameInfo, BLANK_NAME], (at, name) =>
    only(
      { name: `${at}.language`, label: person.language, value: name.language ?? "", choices: languages },
      { name: `${at}.familyName`, label: person.family, value: name.familyName ?? "" },
      { name: `${at}.firstName`, label: person.given, value: name.firstName ?? "" },
      { name: `${at}.show`, label: person.show, value: `${name.nameShowFlg}`, isFlag: true },
    ),
  );
  const identifier = [person.identifiers, person.identifier] as const;
  const identifiers = group("i", identifier, [content.authorIdInfo, BLANK_ID], (at, id) =>
    only(
      { name: `${at}.type`, label: person.scheme, value: id.idType, choices: schemes },
      { name: `${at}.value`, label: person.identifier, value: id.authorId },
      { name: `${at}.show`, label: person.show, value: `${id.authorIdShowFlg}`, isFlag: true },
    ),
  );
  const mails = group("m", [person.mails, person.mail], [content.emailInfo, BLANK_MAIL], (at, { email }) =>
    only({ name: at, label: person.mail, value: email }),
  );
  const affiliations = group(
    "a",
    [person.affiliations, person.affiliation],
    [content.affiliationInfo, BLANK_AFFILIATION],
    (at, each) => ({
      cells: [],
      groups: [
        group(`${at}.n`, [person.names, person.name], [each.affiliationNameInfo, BLANK_ORG], (inner, name) =>
          only(
            { name: `${inner}.language`, label: person.language, value: name.affiliationNameLang, choices: languages },
            { name: `${inner}.value`, label: person.name, value: name.affiliationName },
            { name: `${inner}.show`, label: person.show, value: `${name.affiliationNameShowFlg}`, isFlag: true },
          ),
        ),
        group(`${at}.i`, identifier, [each.identifierInfo, BLANK_ORG_ID], (inner, id) =>
          only(
            { name: `${inner}.type`, label: person.scheme, value: id.affiliationIdType, choices: institutions },
            { name: `${inner}.value`, label: person.identifier, value: id.affiliationId },
            { name: `${inner}.show`, label: person.show, value: `${id.identifierShowFlg}`, isFlag: true },
          ),
        ),
        group(
          `${at}.p`,
          [person.periods, person.periodEntry],
          [each.affiliationPeriodInfo, BLANK_PERIOD],
          (inner, { periodStart = "", periodEnd = "" }: { periodStart?: string; periodEnd?: string }) =>
            only(
              { name: `${inner}.from`, label: person.from, value: periodStart },
              { name: `${inner}.to`, label: person.to, value: periodEnd },
            ),
        ),
      ],
    }),
  );
  return [names, identifiers, mails, affiliations];
}

const OF_AFFILIATION = /^a\.(\d{1,6})\.([nip])$/;

/** The person after an entry was added, removed or moved by a button. */
export function rearrangedContent(content: AuthorContent, change: GroupChange): AuthorContent {
  const { group } = change;
  if (group === "n") return { ...content, authorNameInfo: rearranged(content.authorNameInfo, change, BLANK_NAME) };
  if (group === "i") return { ...content, authorIdInfo: rearranged(content.authorIdInfo, change, BLANK_ID) };
  if (group === "m") return { ...content, emailInfo: rearranged(content.emailInfo, change, BLANK_MAIL) };
  const { affiliationInfo: all } = content;
  if (group === "a") return { ...content, affiliationInfo: rearranged(all, change, BLANK_AFFILIATION) };
  const [, at = "", list] = OF_AFFILIATION.exec(group) ?? [];
  const each = all[Number(at)];
  if (list === undefined || each === undefined) return content;
  return { ...content, affiliationInfo: all.with(Number(at), rearrangedAffiliation(each, list, change)) };
}

function rearrangedAffiliation(each: Affiliation, list: string, change: GroupChange): Affiliation {
  if (list === "n") {
    return { ...each, affiliationNameInfo: rearranged(each.affiliationNameInfo, change, BLANK_ORG) };
  }
  if (list === "i") return { ...each, identifierInfo: rearranged(each.identifierInfo, change, BLANK_ORG_ID) };
  return { ...each, affiliationPeriodInfo: rearranged(each.affiliationPeriodInfo, change, BLANK_PERIOD) };
}

const COMMUNITY = "community:";

/** Slugs of the communities that a form names: those with a mark, and those that were typed. */
export function sentCommunities(fields: Fields): readonly string[] {
  const marked = [...fields.keys()].flatMap((name) =>
    name.startsWith(COMMUNITY) ? [name.slice(COMMUNITY.length)] : [],
  );
  const typed = (fields.get("further") ?? "").split(",").map((each) => each.trim());
  return [...new Set([...marked, ...typed])].filter((each) => each !== "");
}

export const communityBox = (slug: string): string => `${COMMUNITY}${slug}`;

type Fields = ReadonlyMap<string, string>;
type Row<T> = { readonly at: number; readonly value: T };

/** The rows `<prefix>0`, `<prefix>1`, … of a form, as far as they go, empty ones too. */
function rows<T>(
  fields: Fields,
  prefix: string,
  parts: readonly string[],
  read: (get: (part: string) => string) => T,
): readonly (Row<T> & { readonly isEmpty: boolean })[] {
  const found: (Row<T> & { isEmpty: boolean })[] = [];
  for (let at = 0; parts.some((part) => fields.has(`${prefix}${at}${part}`)); at += 1) {
    const get = (part: string): string => fields.get(`${prefix}${at}${part}`)?.trim() ?? "";
    // A box alone is not a value.
    found.push({ at, value: read(get), isEmpty: parts.every((part) => get(part) === "") });
  }
  return found;
}

const optionalText = <N extends string>(name: N, value: string): { readonly [name in N]?: string } =>
  (value === "" ? {} : { [name]: value }) as { readonly [name in N]?: string }; // its only member
const flag = (value: string): boolean => value === "true";

const NAME_PARTS = [".language", ".familyName", ".firstName"];
const ID_PARTS = [".type", ".value"];
const ORG_PARTS = [".language", ".value"];
const PERIOD_PARTS = [".from", ".to"];

const nameRows = (fields: Fields) =>
  rows(fields, "n.", NAME_PARTS, (get) => ({
    ...optionalText("language", get(".language")),
    ...optionalText("familyName", get(".familyName")),
    ...optionalText("firstName", get(".firstName")),
    nameShowFlg: flag(get(".show")),
  }));
const idRows = (fields: Fields) =>
  rows(fields, "i.", ID_PARTS, (get) => ({
    idType: get(".type"),
    authorId: get(".value"),
    authorIdShowFlg: flag(get(".show")),
  }));
const mailRows = (fields: Fields) => rows(fields, "m.", [""], (get) => ({ email: get("") }));

const hasEntry = (fields: Fields, prefix: string): boolean => fields.keys().some((name) => name.startsWith(prefix));

function affiliationRows(fields: Fields) {
  const found: ReturnType<typeof affiliationRow>[] = [];
  for (let at = 0; hasEntry(fields, `a.${at}.`); at += 1) found.push(affiliationRow(fields, at));
  return found;
}

function affiliationRow(fields: Fields, at: number) {
  const names = rows(fields, `a.${at}.n.`, ORG_PARTS, (get) => ({
    affiliationName: get(".value"),
    affiliationNameLang: get(".language"),
    affiliationNameShowFlg: flag(get(".show")),
  }));
  const identifiers = rows(fields, `a.${at}.i.`, ID_PARTS, (get) => ({
    affiliationIdType: get(".type"),
    affiliationId: get(".value"),
    identifierShowFlg: flag(get(".show")),
  }));
  const periods = rows(fields, `a.${at}.p.`, PERIOD_PARTS, (get) => ({
    ...optionalText("periodStart", get(".from")),
    ...optionalText("periodEnd", get(".to")),
  }));
  return {
    at,
    names,
    identifiers,
    periods,
    isEmpty: [...names, ...identifiers, ...periods].every((row) => row.isEmpty),
  };
}

const valuesOf = <T>(all: readonly Row<T>[]): readonly T[] => all.map(({ value }) => value);

/** What was sent, as it is shown again: nothing is checked, and no row moves. */
export function sentContent(fields: Fields): AuthorContent {
  return {
    emailInfo: valuesOf(mailRows(fields)),
    authorIdInfo: valuesOf(idRows(fields)),
    authorNameInfo: valuesOf(nameRows(fields)),
    affiliationInfo: affiliationRows(fields).map(({ names, identifiers, periods }) => ({
      affiliationNameInfo: valuesOf(names),
      identifierInfo: valuesOf(identifiers),
      affiliationPeriodInfo: valuesOf(periods),
    })),
  };
}

/**
 * The content of the form as the interface takes it, which checks it; and which row of the form each entry is, by its
 * path.
 */
type FormBody = {
  readonly author: unknown;
  readonly force_change: boolean;
  readonly places: ReadonlyMap<string, string>;
};

export function formBody(fields: Fields): FormBody {
  const places = new Map<string, string>();
  const entries = <T extends object>(
    path: string,
    prefix: string,
    all: readonly (Row<T> & { readonly isEmpty: boolean })[],
  ): readonly unknown[] =>
    all
      .filter(({ isEmpty }) => !isEmpty)
      .map(({ at, value }, index) => {
        places.set(`${path}[${index}]`, `${prefix}${at}`);
        return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== ""));
      });
  const affiliations = affiliationRows(fields)
    .filter(({ isEmpty }) => !isEmpty)
    .map(({ at, names, identifiers, periods }, index) => {
      const path = `author.affiliationInfo[${index}]`;
      return {
        affiliationNameInfo: entries(`${path}.affiliationNameInfo`, `a.${at}.n.`, names),
        identifierInfo: entries(`${path}.identifierInfo`, `a.${at}.i.`, identifiers),
        affiliationPeriodInfo: entries(`${path}.affiliationPeriodInfo`, `a.${at}.p.`, periods),
      };
    });
  return {
    author: {
      emailInfo: entries("author.emailInfo", "m.", mailRows(fields)),
      authorIdInfo: entries("author.authorIdInfo", "i.", idRows(fields)),
      authorNameInfo: entries("author.authorNameInfo", "n.", nameRows(fields)),
      affiliationInfo: affiliations,
      communityIds: sentCommunities(fields),
    },
    force_change: flag(fields.get("force_change") ?? ""),
    places,
  };
}
