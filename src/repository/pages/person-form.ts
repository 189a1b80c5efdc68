// An author as a form of a page, and the form as the interface takes it (specification 2, "Author resource"; R21, R40):
// a line for each thing that is stated, and an empty one for another.
import type { AuthorContent } from "../../model/agents/author.ts";
import type { AuthorChoice, ChoiceKind } from "../store/authors.ts";
import type { RepositoryTexts } from "./languages/index.ts";
import type { FormGroup } from "./templates/person-page.ts";

export const EMPTY_AUTHOR: AuthorContent = { emailInfo: [], authorIdInfo: [], authorNameInfo: [], affiliationInfo: [] };

/** One more than there are, up to what a form of a page may hold. */
const oneMore = <T>(list: readonly T[], blank: T): readonly T[] => [...list, blank];

export function formGroups(
  content: AuthorContent,
  choices: readonly AuthorChoice[],
  { person }: RepositoryTexts,
): readonly FormGroup[] {
  const of = (kind: ChoiceKind) => choices.filter((each) => each.kind === kind).map(({ id }) => id);
  const [schemes, institutions, languages] = [of("author"), of("institution"), of("language")];
  const blankName = { language: "", familyName: "", firstName: "", nameShowFlg: true };
  const names = oneMore(content.authorNameInfo, blankName).map((name, at) => [
    { name: `n${at}.language`, label: person.language, value: name.language ?? "", choices: languages },
    { name: `n${at}.familyName`, label: person.family, value: name.familyName ?? "" },
    { name: `n${at}.firstName`, label: person.given, value: name.firstName ?? "" },
    { name: `n${at}.show`, label: person.show, value: `${name.nameShowFlg}`, isFlag: true },
  ]);
  const blankId = { idType: "", authorId: "", authorIdShowFlg: true };
  const identifiers = oneMore(content.authorIdInfo, blankId).map((id, at) => [
    { name: `i${at}.type`, label: person.scheme, value: id.idType, choices: schemes },
    { name: `i${at}.value`, label: person.identifier, value: id.authorId },
    { name: `i${at}.show`, label: person.show, value: `${id.authorIdShowFlg}`, isFlag: true },
  ]);
  const mails = oneMore(content.emailInfo, { email: "" }).map(({ email }, at) => [
    { name: `m${at}`, label: person.mails, value: email },
  ]);
  const blank = { identifierInfo: [], affiliationNameInfo: [], affiliationPeriodInfo: [] };
  const affiliations = oneMore(content.affiliationInfo, blank).map((each, at): FormGroup => {
    const blankOrg = { affiliationName: "", affiliationNameLang: "", affiliationNameShowFlg: true };
    const blankOrgId = { affiliationIdType: "", affiliationId: "", identifierShowFlg: true };
    return {
      heading: person.affiliation(at + 1),
      rows: [
        ...oneMore(each.affiliationNameInfo, blankOrg).map((name, no) => [
          {
            name: `a${at}.n${no}.language`,
            label: person.language,
            value: name.affiliationNameLang,
            choices: languages,
          },
          { name: `a${at}.n${no}.value`, label: person.name, value: name.affiliationName },
          { name: `a${at}.n${no}.show`, label: person.show, value: `${name.affiliationNameShowFlg}`, isFlag: true },
        ]),
        ...oneMore(each.identifierInfo, blankOrgId).map((id, no) => [
          { name: `a${at}.i${no}.type`, label: person.scheme, value: id.affiliationIdType, choices: institutions },
          { name: `a${at}.i${no}.value`, label: person.identifier, value: id.affiliationId },
          { name: `a${at}.i${no}.show`, label: person.show, value: `${id.identifierShowFlg}`, isFlag: true },
        ]),
        ...oneMore(each.affiliationPeriodInfo, {}).map((period, no) => [
          { name: `a${at}.p${no}.from`, label: person.from, value: period.periodStart ?? "" },
          { name: `a${at}.p${no}.to`, label: person.to, value: period.periodEnd ?? "" },
        ]),
      ],
    };
  });
  return [
    { heading: person.names, rows: names },
    { heading: person.identifiers, rows: identifiers },
    { heading: person.mails, rows: mails },
    ...affiliations,
  ];
}

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
  rows(fields, "n", NAME_PARTS, (get) => ({
    ...optionalText("language", get(".language")),
    ...optionalText("familyName", get(".familyName")),
    ...optionalText("firstName", get(".firstName")),
    nameShowFlg: flag(get(".show")),
  }));
const idRows = (fields: Fields) =>
  rows(fields, "i", ID_PARTS, (get) => ({
    idType: get(".type"),
    authorId: get(".value"),
    authorIdShowFlg: flag(get(".show")),
  }));
const mailRows = (fields: Fields) => rows(fields, "m", [""], (get) => ({ email: get("") }));

function affiliationRows(fields: Fields) {
  const found: ReturnType<typeof affiliationRow>[] = [];
  for (let at = 0; fields.has(`a${at}.n0.value`); at += 1) found.push(affiliationRow(fields, at));
  return found;
}

function affiliationRow(fields: Fields, at: number) {
  const names = rows(fields, `a${at}.n`, ORG_PARTS, (get) => ({
    affiliationName: get(".value"),
    affiliationNameLang: get(".language"),
    affiliationNameShowFlg: flag(get(".show")),
  }));
  const identifiers = rows(fields, `a${at}.i`, ID_PARTS, (get) => ({
    affiliationIdType: get(".type"),
    affiliationId: get(".value"),
    identifierShowFlg: flag(get(".show")),
  }));
  const periods = rows(fields, `a${at}.p`, PERIOD_PARTS, (get) => ({
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

/** All rows to the last with a value: the form shows again what was sent, at its place. */
function upToLast<T>(all: readonly (Row<T> & { readonly isEmpty: boolean })[]): readonly T[] {
  return all.slice(0, all.findLastIndex(({ isEmpty }) => !isEmpty) + 1).map(({ value }) => value);
}

/** What was sent, as it is shown again: nothing is checked, and no row moves. */
export function sentContent(fields: Fields): AuthorContent {
  const affiliations = affiliationRows(fields);
  const last = affiliations.findLastIndex(({ isEmpty }) => !isEmpty);
  return {
    emailInfo: upToLast(mailRows(fields)),
    authorIdInfo: upToLast(idRows(fields)),
    authorNameInfo: upToLast(nameRows(fields)),
    affiliationInfo: affiliations.slice(0, last + 1).map(({ names, identifiers, periods }) => ({
      affiliationNameInfo: upToLast(names),
      identifierInfo: upToLast(identifiers),
      affiliationPeriodInfo: upToLast(periods),
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
        affiliationNameInfo: entries(`${path}.affiliationNameInfo`, `a${at}.n`, names),
        identifierInfo: entries(`${path}.identifierInfo`, `a${at}.i`, identifiers),
        affiliationPeriodInfo: entries(`${path}.affiliationPeriodInfo`, `a${at}.p`, periods),
      };
    });
  const communities = (fields.get("communities") ?? "").split(",").map((each) => each.trim());
  return {
    author: {
      emailInfo: entries("author.emailInfo", "m", mailRows(fields)),
      authorIdInfo: entries("author.authorIdInfo", "i", idRows(fields)),
      authorNameInfo: entries("author.authorNameInfo", "n", nameRows(fields)),
      affiliationInfo: affiliations,
      communityIds: communities.filter((each) => each !== ""),
    },
    force_change: flag(fields.get("force_change") ?? ""),
    places,
  };
}
