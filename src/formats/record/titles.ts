// Titles and descriptions of the tools' model (R3): `title` is the first main title, `description` the first abstract;
// all others are additional ones. The position of the separate one among the others is kept.
import type { Description, Metadata, Title } from "../../model/metadata/metadata.ts";
import { type Field, optional, refined } from "../../shared/fields.ts";
import { cleanHtml, DESCRIPTION_ELEMENTS } from "../../shared/html/html-clean.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { maybe, own } from "../../shared/objects.ts";
import type { InParts } from "../../shared/time/event-loop.ts";
import { type ListFormat, readListInParts } from "./keep.ts";
import { LANGUAGE } from "./parts.ts";
import {
  type Entries,
  entryAt,
  entryOf,
  line,
  listed,
  opened,
  type RecordInput,
  requireLength,
  type SentMembers,
  shape,
  shownEntry,
} from "./record-input.ts";
import { DESCRIPTION_WORDS, languageIdOf, textLanguage, titleKindOf, titleTypeOf } from "./words.ts";

const SHORTEST = 3;
const OWN_LANGUAGE = optional(LANGUAGE);
export const TITLE = line({ min: SHORTEST });
const OTHER_TITLE = shape(
  { title: TITLE, type: entryOf("titletypes"), lang: OWN_LANGUAGE },
  { $id: "AdditionalTitleInput" },
);
export const OTHER_TITLES = optional(listed(OTHER_TITLE));

/** Index of the title that is shown as `title`; -1 where there is none. */
function mainPlace(titles: readonly Title[]): number {
  const main = titles.findIndex(({ kind }) => kind === "main");
  return main === -1 ? Math.min(0, titles.length - 1) : main;
}

const abstractPlace = (descriptions: readonly Description[]): number =>
  descriptions.findIndex(({ kind }) => kind === "Abstract");

const shownLanguage = (entries: Entries, lang: string | undefined): JsonObject =>
  lang === undefined || lang === "" ? {} : { lang: shownEntry(entries, "languages", languageIdOf(lang)) };

function languageAt(
  lang: Json | undefined,
  path: string,
  to: RecordInput,
  before: string | undefined,
): string | undefined {
  const id = isJsonObject(lang) ? own(lang, "id") : undefined;
  if (before !== undefined && before !== "" && id === languageIdOf(before)) return before;
  const entry = entryAt(OWN_LANGUAGE, lang, path, to);
  return entry === null ? undefined : textLanguage(entry.id, before);
}

function titleFormat(entries: Entries, main: number): ListFormat<Title> {
  return {
    list: OTHER_TITLES,
    show: ({ value, lang, kind }, index) =>
      index === main && main !== -1
        ? null
        : { title: value, type: shownEntry(entries, "titletypes", titleTypeOf(kind)), ...shownLanguage(entries, lang) },
    read(sent, path, to, before) {
      const members = opened(OTHER_TITLE, sent, path, to);
      if (members === null) return null;
      const value = members.read("title");
      const old = before?.value;
      const type = members.sent("type");
      const isKind = old !== undefined && isJsonObject(type) && own(type, "id") === titleTypeOf(old.kind);
      const entry = isKind ? null : entryAt(OTHER_TITLE.fields.type, type, members.at("type"), to);
      const lang = languageAt(members.sent("lang"), members.at("lang"), to, old?.lang);
      if (value === null || value === "" || (entry === null && !isKind)) return null;
      return {
        value,
        ...maybe("lang", lang),
        kind: isKind || entry === null ? (old?.kind ?? "other") : titleKindOf(entry.id),
      };
    },
  };
}

export function showTitles(titles: readonly Title[], entries: Entries): JsonObject {
  const main = mainPlace(titles);
  const format = titleFormat(entries, main);
  const others = titles.flatMap((title, index) => format.show(title, index) ?? []);
  const title = titles[main]?.value ?? "";
  return { ...(title === "" ? {} : { title }), ...(others.length === 0 ? {} : { additional_titles: others }) };
}

/** Inserts the separate value into the list of the others: where it was, or before all. */
function insertSeparate<T>(list: readonly T[], old: T | undefined, value: T | null): readonly T[] {
  const place = old === undefined ? -1 : list.indexOf(old);
  if (place !== -1) return value === null ? list.toSpliced(place, 1) : list.with(place, value);
  return value === null ? list : [value, ...list];
}

export function* readTitles(
  { sent, at }: SentMembers<{ title: typeof TITLE; additional_titles: typeof OTHER_TITLES }>,
  before: readonly Title[],
  to: RecordInput,
): InParts<readonly Title[]> {
  const main = mainPlace(before);
  const old = before[main];
  const written = sent("title");
  const others = yield* readListInParts(
    titleFormat(to.entries, main),
    sent("additional_titles"),
    before,
    at("additional_titles"),
    to,
  );
  if (old !== undefined && written === old.value) return others;
  const value = to.read(TITLE, written, at("title"));
  // Its language is not shown, and stays.
  const title: Title | null = value === null ? null : { value, ...maybe("lang", old?.lang), kind: old?.kind ?? "main" };
  // Without a main title the next list would show another one as it.
  return value === null && written === undefined && old?.value === "" ? others : insertSeparate(others, old, title);
}

/** Plain text as HTML that shows it. */
const htmlOfText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const hasMarkup = (text: string): boolean => /[<&>]/.test(text);

/** A description as HTML: plain text is written as what shows it. */
const asHtml = ({ value, html }: Description): string =>
  html ? cleanHtml(value, DESCRIPTION_ELEMENTS) : htmlOfText(value);

const MOST = most("valueCharacters");
const WORDS = line({ max: MOST, about: { minLength: SHORTEST, description: "HTML" } });
const HTML: Field<Pick<Description, "value" | "html">> = refined(WORDS, (text, path) => {
  const value = requireLength(cleanHtml(text, DESCRIPTION_ELEMENTS), path, SHORTEST, MOST);
  return { value, html: hasMarkup(value) };
});
export const DESCRIPTION = optional(HTML);
const OTHER_DESCRIPTION = shape(
  { description: HTML, type: DESCRIPTION_WORDS.entry, lang: OWN_LANGUAGE },
  { $id: "AdditionalDescriptionInput" },
);
export const OTHER_DESCRIPTIONS = optional(listed(OTHER_DESCRIPTION));

function descriptionFormat(entries: Entries, abstract: number): ListFormat<Description> {
  return {
    list: OTHER_DESCRIPTIONS,
    show: (description, index) =>
      index === abstract && abstract !== -1
        ? null
        : {
            description: asHtml(description),
            type: shownEntry(entries, "descriptiontypes", DESCRIPTION_WORDS.idOf(description.kind)),
            ...shownLanguage(entries, description.lang),
          },
    read(sent, path, to, before) {
      const members = opened(OTHER_DESCRIPTION, sent, path, to);
      if (members === null) return null;
      const old = before?.value;
      const isText = old !== undefined && members.sent("description") === asHtml(old);
      const text = isText ? old : members.read("description");
      const type = members.sent("type");
      const isKind = old !== undefined && isJsonObject(type) && own(type, "id") === DESCRIPTION_WORDS.idOf(old.kind);
      const entry = isKind ? null : entryAt(OTHER_DESCRIPTION.fields.type, type, members.at("type"), to);
      const lang = languageAt(members.sent("lang"), members.at("lang"), to, old?.lang);
      if (text === null || (entry === null && !isKind)) return null;
      const kind = entry === null ? (old?.kind ?? "Other") : DESCRIPTION_WORDS.wordOf(entry);
      return { value: text.value, ...maybe("lang", lang), kind, html: text.html };
    },
  };
}

export function showDescriptions({ descriptions }: Metadata, entries: Entries): JsonObject {
  const place = abstractPlace(descriptions);
  const format = descriptionFormat(entries, place);
  const others = descriptions.flatMap((each, index) => format.show(each, index) ?? []);
  const abstract = descriptions[place];
  return {
    ...(abstract === undefined ? {} : { description: asHtml(abstract) }),
    ...(others.length === 0 ? {} : { additional_descriptions: others }),
  };
}

export function* readDescriptions(
  { sent, at }: SentMembers<{ description: typeof DESCRIPTION; additional_descriptions: typeof OTHER_DESCRIPTIONS }>,
  before: readonly Description[],
  to: RecordInput,
): InParts<readonly Description[]> {
  const place = abstractPlace(before);
  const old = before[place];
  const written = sent("description");
  const others = yield* readListInParts(
    descriptionFormat(to.entries, place),
    sent("additional_descriptions"),
    before,
    at("additional_descriptions"),
    to,
  );
  if (old !== undefined && written === asHtml(old)) return others;
  const text = to.read(DESCRIPTION, written, at("description"));
  const value: Description | null =
    text === null ? null : { value: text.value, ...maybe("lang", old?.lang), kind: "Abstract", html: text.html };
  return insertSeparate(others, old, value);
}
