// Titles and descriptions in the tools' model (R3): `title` is the first main title, `description` the first abstract;
// all others are additional ones. The position of the separate one among the others is kept.
import type { Description, Metadata, Title } from "../../model/metadata/metadata.ts";
import type { InParts } from "../../shared/bytes/in-parts.ts";
import { cleanHtml, DESCRIPTION_ELEMENTS } from "../../shared/html/html-clean.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { own } from "../../shared/own-entry.ts";
import { maybe } from "../../shared/without-undefined.ts";
import { type Entries, shownEntry } from "./entries.ts";
import { type ListFormat, readListInParts } from "./keep.ts";
import { atLeast, entryAt, neededEntry, neededText, objectAt, type Reading, textAt } from "./reading.ts";
import { DESCRIPTION_WORDS, languageIdOf, textLanguage, titleKindOf, titleTypeOf } from "./words.ts";

const SHORTEST = 3;

/** Index of the title that is shown as `title`; -1 where there is none. */
function mainPlace(titles: readonly Title[]): number {
  const main = titles.findIndex(({ kind }) => kind === "main");
  return main === -1 ? Math.min(0, titles.length - 1) : main;
}

const abstractPlace = (descriptions: readonly Description[]): number =>
  descriptions.findIndex(({ kind }) => kind === "Abstract");

const shownLanguage = (entries: Entries, lang: string | undefined): JsonObject =>
  lang === undefined || lang === "" ? {} : { lang: shownEntry(entries, "languages", languageIdOf(lang)) };

function languageAt(sent: JsonObject, path: string, to: Reading, before: string | undefined): string | undefined {
  const lang = own(sent, "lang");
  const id = isJsonObject(lang) ? own(lang, "id") : undefined;
  if (before !== undefined && before !== "" && id === languageIdOf(before)) return before;
  const entry = entryAt(lang, `${path}.lang`, "languages", to);
  return entry === null ? undefined : textLanguage(entry.id, before);
}

function titleFormat(entries: Entries, main: number): ListFormat<Title> {
  return {
    show: ({ value, lang, kind }, index) =>
      index === main && main !== -1
        ? null
        : { title: value, type: shownEntry(entries, "titletypes", titleTypeOf(kind)), ...shownLanguage(entries, lang) },
    read(sent, path, to, before) {
      const members = objectAt(sent, path, ["title", "type", "lang"], to);
      if (members === null) return null;
      const value = atLeast(SHORTEST, neededText(own(members, "title"), `${path}.title`, to), `${path}.title`, to);
      const old = before?.value;
      const type = own(members, "type");
      const isKind = old !== undefined && isJsonObject(type) && own(type, "id") === titleTypeOf(old.kind);
      const entry = isKind ? null : neededEntry(type, `${path}.type`, "titletypes", to);
      const lang = languageAt(members, path, to, old?.lang);
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
  sent: JsonObject,
  before: readonly Title[],
  path: string,
  to: Reading,
): InParts<readonly Title[]> {
  const main = mainPlace(before);
  const old = before[main];
  const written = own(sent, "title");
  const others = yield* readListInParts(
    titleFormat(to.entries, main),
    own(sent, "additional_titles"),
    before,
    `${path}.additional_titles`,
    to,
  );
  if (old !== undefined && written === old.value) return others;
  const at = `${path}.title`;
  const value = atLeast(SHORTEST, neededText(written, at, to), at, to);
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

function htmlAt(value: Json | undefined, path: string, to: Reading) {
  const text = textAt(value, path, to, { characters: most("valueCharacters") });
  const cleaned = text === null ? null : atLeast(SHORTEST, cleanHtml(text, DESCRIPTION_ELEMENTS), path, to);
  return cleaned === null ? null : { value: cleaned, html: hasMarkup(cleaned) };
}

function descriptionFormat(entries: Entries, abstract: number): ListFormat<Description> {
  return {
    show: (description, index) =>
      index === abstract && abstract !== -1
        ? null
        : {
            description: asHtml(description),
            type: shownEntry(entries, "descriptiontypes", DESCRIPTION_WORDS.idOf(description.kind)),
            ...shownLanguage(entries, description.lang),
          },
    read(sent, path, to, before) {
      const members = objectAt(sent, path, ["description", "type", "lang"], to);
      if (members === null) return null;
      const at = `${path}.description`;
      if (own(members, "description") === undefined) to.fault(at, "Missing data for required field.");
      const old = before?.value;
      const written = own(members, "description");
      const text = old !== undefined && written === asHtml(old) ? old : htmlAt(written, at, to);
      const type = own(members, "type");
      const isKind = old !== undefined && isJsonObject(type) && own(type, "id") === DESCRIPTION_WORDS.idOf(old.kind);
      const entry = isKind ? null : neededEntry(type, `${path}.type`, "descriptiontypes", to);
      const lang = languageAt(members, path, to, old?.lang);
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
  sent: JsonObject,
  before: readonly Description[],
  path: string,
  to: Reading,
): InParts<readonly Description[]> {
  const place = abstractPlace(before);
  const old = before[place];
  const written = own(sent, "description");
  const at = `${path}.additional_descriptions`;
  const others = yield* readListInParts(
    descriptionFormat(to.entries, place),
    own(sent, "additional_descriptions"),
    before,
    at,
    to,
  );
  if (old !== undefined && written === asHtml(old)) return others;
  const text = htmlAt(written, `${path}.description`, to);
  const value: Description | null =
    text === null ? null : { value: text.value, ...maybe("lang", old?.lang), kind: "Abstract", html: text.html };
  return insertSeparate(others, old, value);
}
