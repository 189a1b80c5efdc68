// Authors as rows of a table (R6a): columns that people write by hand, and the record the interface takes. A table
// holds names, identifiers, mail addresses and affiliations with one period each; only NDJSON holds what is not public.
import type { AuthorContent } from "../../model/agents/author.ts";

/** What else a table may have: a column for each scheme, and `affiliation_…` for each of institutions. */
export type TableSchemes = { readonly authors: readonly string[]; readonly institutions: readonly string[] };

type Cells = ReadonlyMap<string, string>;
type Place =
  | { readonly of: "name"; readonly number: number; readonly part: "familyName" | "firstName" | "language" }
  | { readonly of: "email"; readonly number: number }
  | { readonly of: "identifier"; readonly number: number; readonly scheme: string }
  | { readonly of: "affiliation"; readonly number: number; readonly part: string }
  | { readonly of: "communities" };

const NAME_PARTS: Readonly<Record<string, "familyName" | "firstName" | "language">> = {
  family_name: "familyName",
  given_name: "firstName",
  language: "language",
};
const NAME = /^(family_name|given_name|language)([2-9]|[1-9]\d)?$/;
const EMAIL = /^email([2-9]|[1-9]\d)?$/;
const AFFILIATION = /^affiliation([2-9]|[1-9]\d)?(?:_(.+))?$/;
const SCHEME = /^(.+?)([2-9]|[1-9]\d)?$/;
const AFFILIATION_PARTS = ["language", "from", "to"];

const numberOf = (text: string | undefined): number => (text === undefined ? 1 : Number(text));

/** What a column means; null for one that means nothing. */
export function placeOf(column: string, schemes: TableSchemes): Place | null {
  if (column === "communities") return { of: "communities" };
  const [, part = "", no] = NAME.exec(column) ?? [];
  const name = NAME_PARTS[part];
  if (name !== undefined) return { of: "name", number: numberOf(no), part: name };
  const email = EMAIL.exec(column);
  if (email !== null) return { of: "email", number: numberOf(email[1]) };
  const affiliation = AFFILIATION.exec(column);
  if (affiliation !== null) {
    const [, number, of = "name"] = affiliation;
    const isKnown = of === "name" || AFFILIATION_PARTS.includes(of) || schemes.institutions.includes(of);
    return isKnown ? { of: "affiliation", number: numberOf(number), part: of } : null;
  }
  if (schemes.authors.includes(column)) return { of: "identifier", number: 1, scheme: column };
  const [, scheme = "", number] = SCHEME.exec(column) ?? [];
  return schemes.authors.includes(scheme) ? { of: "identifier", number: numberOf(number), scheme } : null;
}

type Part = Record<string, string>;

/** The record of a row, in the words of the interface: it is read and checked as what comes over HTTP. */
export function authorOfRow(cells: Cells, schemes: TableSchemes): Readonly<Record<string, unknown>> {
  const [names, emails, affiliations] = [new Map<number, Part>(), new Map<number, string>(), new Map<number, Part>()];
  const identifiers: { idType: string; authorId: string; authorIdShowFlg: boolean }[] = [];
  let communityIds: readonly string[] = [];
  const partOf = (parts: Map<number, Part>, number: number): Part => {
    const part = parts.get(number) ?? {};
    parts.set(number, part);
    return part;
  };
  for (const [column, written] of cells) {
    const value = written.trim();
    const place = value === "" ? null : placeOf(column, schemes);
    if (place === null) continue;
    if (place.of === "name") partOf(names, place.number)[place.part] = value;
    else if (place.of === "email") emails.set(place.number, value);
    else if (place.of === "affiliation") partOf(affiliations, place.number)[place.part] = value;
    else if (place.of === "communities") communityIds = value.split(",").map((each) => each.trim());
    else identifiers.push({ idType: place.scheme, authorId: value, authorIdShowFlg: true });
  }
  const inOrder = <T>(parts: ReadonlyMap<number, T>): readonly T[] =>
    [...parts].sort(([one], [other]) => one - other).map(([, part]) => part);
  return {
    emailInfo: inOrder(emails).map((email) => ({ email })),
    authorIdInfo: identifiers,
    authorNameInfo: inOrder(names).map((name) => ({ ...name, nameShowFlg: true })),
    affiliationInfo: inOrder(affiliations).map(affiliationOf),
    communityIds,
  };
}

function affiliationOf({ name, language, from, to, ...identifiers }: Part) {
  const period = {
    ...(from === undefined ? {} : { periodStart: from }),
    ...(to === undefined ? {} : { periodEnd: to }),
  };
  return {
    identifierInfo: Object.entries(identifiers).map(([affiliationIdType, affiliationId]) => ({
      affiliationIdType,
      affiliationId,
      identifierShowFlg: true,
    })),
    affiliationNameInfo:
      name === undefined
        ? []
        : [{ affiliationName: name, affiliationNameLang: language ?? "", affiliationNameShowFlg: true }],
    affiliationPeriodInfo: Object.keys(period).length === 0 ? [] : [period],
  };
}

const numbered = (column: string, at: number): string => (at === 0 ? column : `${column}${at + 1}`);

/** The cells of an author by their columns; several identifiers of one scheme are numbered. */
export function rowOfAuthor(content: AuthorContent, communities: readonly string[]): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  const set = (column: string, value: string | undefined): void => {
    if (value !== undefined && value !== "") cells.set(column, value);
  };
  for (const [at, { familyName, firstName, language }] of content.authorNameInfo.entries()) {
    set(numbered("family_name", at), familyName);
    set(numbered("given_name", at), firstName);
    set(numbered("language", at), language);
  }
  for (const [at, { email }] of content.emailInfo.entries()) set(numbered("email", at), email);
  const had = new Map<string, number>();
  for (const { idType, authorId } of content.authorIdInfo) {
    const at = had.get(idType) ?? 0;
    had.set(idType, at + 1);
    set(numbered(idType, at), authorId);
  }
  for (const [
    at,
    { affiliationNameInfo, identifierInfo, affiliationPeriodInfo },
  ] of content.affiliationInfo.entries()) {
    const column = numbered("affiliation", at);
    const [name] = affiliationNameInfo;
    const [period] = affiliationPeriodInfo;
    set(column, name?.affiliationName);
    set(`${column}_language`, name?.affiliationNameLang);
    set(`${column}_from`, period?.periodStart);
    set(`${column}_to`, period?.periodEnd);
    for (const { affiliationIdType, affiliationId } of identifierInfo)
      set(`${column}_${affiliationIdType}`, affiliationId);
  }
  set("communities", communities.join(","));
  return cells;
}
