// Authors in request bodies (specification 2, "Author resource" and "Common validation on create and update"; R21,
// R22), read into the record that is stored. Texts of the specification are verbatim.

import {
  type Affiliation,
  type AuthorContent,
  type AuthorIdentifier,
  type AuthorName,
  LOCAL,
} from "../../model/agents/author.ts";
import { formProblem } from "../../model/metadata/identifier-forms.ts";
import { isObject, memberOf, quoted } from "../../shared/fields.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { isDay } from "../../shared/time/day.ts";
import type { AuthorChoice, ChoiceKind } from "../store/authors.ts";

/** The schemes and languages that an author may use, from the settings. */
export type Choices = Readonly<Record<ChoiceKind, ReadonlyMap<string, AuthorChoice>>>;

export function choicesOf(choices: readonly AuthorChoice[]): Choices {
  const of = (kind: ChoiceKind) => new Map(choices.filter((each) => each.kind === kind).map((each) => [each.id, each]));
  return { author: of("author"), institution: of("institution"), language: of("language") };
}

export type SentAuthor = {
  readonly content: AuthorContent;
  /** Slugs or UUIDs, as they were sent. */
  readonly communityIds: readonly string[];
};
export type SentUpdate = SentAuthor & { readonly forceChange: boolean };

/** Something sent is wrong: one sentence, and where (R9). */
export function invalidAt(field: string, message: string): Refusal {
  return new Refusal("invalid", message, { detail: { errors: [{ field, message }] } });
}

/**
 * R21: members that answers carry in addition to those of the specification. They may be sent back and have no effect.
 */
const IGNORED = ["id", "uuid", "is_deleted", "created", "updated"];
const NAME_FORMAT = "familyNmAndNm";
const COMMUNITY_ID = /^[a-zA-Z0-9_-]+$/;

/** @throws Refusal `invalid`, with the field that is wrong. */
export function readCreation(body: unknown, choices: Choices): SentAuthor {
  return readAuthor(authorOf(body, ["author"]), choices, false);
}

/** @throws Refusal `invalid`, as {@link readCreation}, and where the LOCAL number is missing. */
export function readUpdate(body: unknown, choices: Choices): SentUpdate {
  const author = readAuthor(authorOf(body, ["author", "force_change"]), choices, true);
  const force = memberOf(Object(body), "force_change");
  if (!author.content.authorIdInfo.some(({ idType }) => idType === LOCAL)) {
    throw invalidAt("author.authorIdInfo", `author.authorIdInfo must have at least one entry of the scheme ${LOCAL}`);
  }
  return { ...author, forceChange: force === undefined ? false : truth(force, "force_change") };
}

type AuthorBody = Readonly<Record<string, unknown>>;

function authorOf(body: unknown, members: readonly string[]): AuthorBody {
  if (body !== null && body !== undefined && !isObject(body))
    throw invalidAt("", `The body must be an object, not ${quoted(body)}`);
  const author = isObject(body) ? memberOf(body, "author") : undefined;
  if (author === undefined || author === null || (isObject(author) && Object.keys(author).length === 0)) {
    throw invalidAt("author", "author can not be null.");
  }
  refuseUnknown(body ?? {}, members, "");
  return objectAt(author, "author");
}

/** `wholeIds`: no entry of authorIdInfo may be empty. */
function readAuthor(given: AuthorBody, choices: Choices, wholeIds: boolean): SentAuthor {
  const known = ["emailInfo", "authorIdInfo", "authorNameInfo", "affiliationInfo", "communityIds"];
  refuseUnknown(given, [...known, ...IGNORED], "author");
  const content = {
    emailInfo: listAt(given, "emailInfo", "author", readEmail),
    authorIdInfo: listAt(given, "authorIdInfo", "author", (each, path) =>
      readIdentifier(each, path, choices, wholeIds),
    ),
    authorNameInfo: listAt(given, "authorNameInfo", "author", (each, path) => readName(each, path, choices)),
    affiliationInfo: listAt(given, "affiliationInfo", "author", (each, path) => readAffiliation(each, path, choices)),
  };
  return { content, communityIds: listAt(given, "communityIds", "author", readCommunity) };
}

function readEmail(value: unknown, path: string) {
  const email = textAt(membersAt(value, path, ["email"]), "email", path);
  return email === undefined ? null : { email };
}

function readIdentifier(value: unknown, path: string, { author }: Choices, wholeIds: boolean): AuthorIdentifier | null {
  const given = membersAt(value, path, ["idType", "authorId", "authorIdShowFlg"]);
  const [idType, authorId] = [textAt(given, "idType", path), textAt(given, "authorId", path)];
  if (idType === undefined && authorId === undefined && !wholeIds) return null;
  if (idType === undefined || authorId === undefined) {
    throw invalidAt(path, "Both 'idType' and 'authorId' must be provided together.");
  }
  const scheme = choice(author, idType, `${path}.idType`, "authorIdInfo.idType");
  requireForm(scheme, authorId, `${path}.authorId`);
  return { idType, authorId, authorIdShowFlg: flagAt(given, "authorIdShowFlg", path) };
}

/** The interface also writes given and family name in lower case. */
const OTHER_SPELLINGS = { firstname: "firstName", familyname: "familyName" } as const;

function readName(value: unknown, path: string, { language: languages }: Choices): AuthorName {
  const members = ["language", "firstName", "familyName", "nameFormat", "nameShowFlg"];
  const given: Record<string, unknown> = { ...membersAt(value, path, [...members, ...Object.keys(OTHER_SPELLINGS)]) };
  for (const [other, name] of Object.entries(OTHER_SPELLINGS)) given[name] ??= given[other];
  const [language, firstName, familyName, nameFormat] = members
    .slice(0, 4)
    .map((name) => textAt(given, name, path, most("nameCharacters"))) as readonly (string | undefined)[];
  if (language === undefined && (firstName !== undefined || familyName !== undefined)) {
    throw invalidAt(path, "If 'firstName' or 'familyName' is provided, 'language' must also be specified.");
  }
  if (language !== undefined) choice(languages, language, `${path}.language`, "authorNameInfo.language");
  if (nameFormat !== undefined && nameFormat !== NAME_FORMAT) {
    throw invalidAt(`${path}.nameFormat`, `${path}.nameFormat must be ${NAME_FORMAT}, not ${quoted(nameFormat)}`);
  }
  const isWhole = language !== undefined && firstName !== undefined && familyName !== undefined;
  const format = nameFormat ?? (isWhole ? NAME_FORMAT : undefined);
  return {
    ...(language === undefined ? {} : { language }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(familyName === undefined ? {} : { familyName }),
    ...(format === undefined ? {} : { nameFormat: format }),
    nameShowFlg: flagAt(given, "nameShowFlg", path),
  };
}

function readAffiliation(value: unknown, path: string, choices: Choices): Affiliation {
  const given = membersAt(value, path, ["identifierInfo", "affiliationNameInfo", "affiliationPeriodInfo"]);
  return {
    identifierInfo: listAt(given, "identifierInfo", path, (each, at) => readInstitution(each, at, choices)),
    affiliationNameInfo: listAt(given, "affiliationNameInfo", path, (each, at) =>
      readInstitutionName(each, at, choices),
    ),
    affiliationPeriodInfo: listAt(given, "affiliationPeriodInfo", path, readPeriod),
  };
}

function readInstitution(value: unknown, path: string, { institution }: Choices) {
  const given = membersAt(value, path, ["affiliationIdType", "affiliationId", "identifierShowFlg"]);
  const [idType, id] = [textAt(given, "affiliationIdType", path), textAt(given, "affiliationId", path)];
  if (idType === undefined && id === undefined) return null;
  if (idType === undefined || id === undefined) {
    throw invalidAt(path, "Both 'affiliationIdType' and 'affiliationId' must be provided together.");
  }
  const scheme = choice(institution, idType, `${path}.affiliationIdType`, "affiliationInfo.affiliationIdType");
  requireForm(scheme, id, `${path}.affiliationId`);
  const identifierShowFlg = flagAt(given, "identifierShowFlg", path);
  return { affiliationIdType: idType, affiliationId: id, identifierShowFlg };
}

function readInstitutionName(value: unknown, path: string, { language }: Choices) {
  const given = membersAt(value, path, ["affiliationName", "affiliationNameLang", "affiliationNameShowFlg"]);
  const name = textAt(given, "affiliationName", path, most("nameCharacters"));
  const lang = textAt(given, "affiliationNameLang", path);
  if (name === undefined && lang === undefined) return null;
  if (name === undefined || lang === undefined) {
    throw invalidAt(path, "Both 'affiliationName' and 'affiliationNameLang' must be provided together.");
  }
  choice(language, lang, `${path}.affiliationNameLang`, "affiliationInfo.affiliationNameLang");
  const affiliationNameShowFlg = flagAt(given, "affiliationNameShowFlg", path);
  return { affiliationName: name, affiliationNameLang: lang, affiliationNameShowFlg };
}

function readPeriod(value: unknown, path: string) {
  const given = membersAt(value, path, ["periodStart", "periodEnd"]);
  const [start, end] = [dayAt(given, "periodStart", path), dayAt(given, "periodEnd", path)];
  if (start !== undefined && end !== undefined && start > end) {
    throw invalidAt(path, "periodStart must be before periodEnd.");
  }
  return {
    ...(start === undefined ? {} : { periodStart: start }),
    ...(end === undefined ? {} : { periodEnd: end }),
  };
}

function readCommunity(value: unknown, path: string): string {
  if (typeof value !== "string") throw wrongType(path, value, "a string");
  if (value.length <= most("authorCharacters") && COMMUNITY_ID.test(value)) return value;
  throw invalidAt(path, `Invalid community ID format: ${quoted(value).slice(1, -1)}`);
}

/** No day is an open end. */
function dayAt(given: AuthorBody, name: string, path: string): string | undefined {
  const text = given[name] === null ? undefined : textAt(given, name, path);
  if (text === undefined || isDay(text)) return text;
  throw invalidAt(`${path}.${name}`, "Not a valid date format. Use YYYY-MM-DD.");
}

function choice(choices: ReadonlyMap<string, AuthorChoice>, value: string, path: string, shown: string): AuthorChoice {
  const found = choices.get(value);
  if (found !== undefined) return found;
  const allowed = [...choices.keys()].map((each) => `'${each}'`).join(", ");
  throw invalidAt(path, `Invalid ${shown}: ['${quoted(value).slice(1, -1)}']. Allowed values are [${allowed}].`);
}

function requireForm({ id, form }: AuthorChoice, identifier: string, path: string): void {
  const rule = formProblem(form, identifier);
  if (rule === null) return;
  throw invalidAt(path, `${path}: an identifier of the scheme ${id} ${rule}, not ${quoted(identifier)}`);
}

function wrongType(path: string, value: unknown, what: string): Refusal {
  return invalidAt(path, `${path} must be ${what}, not ${quoted(value)}`);
}

function objectAt(value: unknown, path: string): AuthorBody {
  if (isObject(value)) return value;
  throw wrongType(path, value, "an object");
}

/** An object that has no other members than these. */
function membersAt(value: unknown, path: string, members: readonly string[]): AuthorBody {
  const given = objectAt(value, path);
  refuseUnknown(given, members, path);
  return given;
}

function refuseUnknown(given: object, known: readonly string[], path: string): void {
  const stray = Object.keys(given).find((name) => !known.includes(name));
  if (stray === undefined) return;
  const named = quoted(stray);
  const where = path === "" ? "" : ` in ${path}`;
  throw invalidAt(path, `Unknown member ${named}${where}; there are ${known.join(", ")}`);
}

/** Empty entries, as forms send them, are left out. */
function listAt<T>(
  given: AuthorBody,
  name: string,
  parent: string,
  read: (value: unknown, path: string) => T | null,
): readonly T[] {
  const path = `${parent}.${name}`;
  const value = memberOf(given, name);
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrongType(path, value, "a list");
  if (value.length > most("authorEntries")) {
    throw invalidAt(path, `${path} must have at most ${most("authorEntries")} entries, not ${value.length}`);
  }
  return value.map((each, index) => read(each, `${path}[${index}]`)).filter((each) => each !== null);
}

/** Text of one line, trimmed; undefined where there is none, or nothing in it. */
function textAt(
  given: AuthorBody,
  name: string,
  parent: string,
  longest: number = most("authorCharacters"),
): string | undefined {
  const path = `${parent}.${name}`;
  const value = memberOf(given, name);
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw wrongType(path, value, "a string");
  const text = value.trim();
  if (text.length > longest) {
    throw invalidAt(path, `${path} may have ${longest} characters at most`);
  }
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) {
    throw invalidAt(path, `${path} must be text of one line without control characters, not ${quoted(value)}`);
  }
  return text === "" ? undefined : text;
}

/** R21: booleans, and the strings "true" and "false". */
function flagAt(given: AuthorBody, name: string, parent: string): boolean {
  const value = memberOf(given, name);
  return value === undefined ? true : truth(value, `${parent}.${name}`);
}

function truth(value: unknown, path: string): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw wrongType(path, value, "true or false");
}
