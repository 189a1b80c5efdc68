// Members of the tools' model (R3): subjects, dates, languages, rights, related works, references, titles,
// descriptions.
import { licenseAddress } from "../../model/metadata/licenses.ts";
import type {
  Description,
  ItemDate,
  Metadata,
  Relation,
  Right,
  Subject,
  Text,
  Title,
} from "../../model/metadata/metadata.ts";
import { maybe, own } from "../../shared/fields.ts";
import { cleanHtml, DESCRIPTION_ELEMENTS } from "../../shared/html/html-clean.ts";
import { isWebUrl } from "../../shared/http/web-url.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { readEdtf } from "../../shared/time/edtf.ts";
import type { InParts } from "../../shared/time/event-loop.ts";
import { identOf, shownIdentifier } from "./identifiers.ts";
import { hasSameContent, type ListFormat, readListInParts } from "./keep.ts";
import { entryNames } from "./people.ts";
import {
  atLeast,
  type Entries,
  entryAt,
  FAULT_MESSAGES,
  neededEntry,
  neededText,
  objectAt,
  type RecordInput,
  shownEntry,
  textAt,
} from "./record-input.ts";
import {
  DATE_WORDS,
  DESCRIPTION_WORDS,
  languageIdOf,
  RELATION_WORDS,
  textLanguage,
  titleKindOf,
  titleTypeOf,
  type Words,
  worded,
  wordingAt,
} from "./words.ts";

/** What names an entry of a vocabulary. */
const byId = (sent: Json): readonly string[] => {
  const id = idOf(sent);
  return typeof id === "string" ? [id] : [];
};

const idOf = (value: Json | undefined): Json | undefined => (isJsonObject(value) ? own(value, "id") : undefined);

/** The word of an entry, or the stored one where its id is still the same. */
function wordAt(
  sent: Json | undefined,
  path: string,
  words: Words,
  to: RecordInput,
  before: string | undefined,
): string | null {
  if (before !== undefined && idOf(sent) === words.idOf(before)) return before;
  const entry = neededEntry(sent, path, words.vocabulary, to);
  return entry === null ? null : words.wordOf(entry);
}

/** A text that keeps its language as long as its words stay the same. */
function keepLanguage(value: string | null, before: Text | undefined): Text | undefined {
  if (value === null || value === "") return undefined;
  return before?.value === value ? before : { value };
}

export const LANGUAGES = (entries: Entries): ListFormat<string> => ({
  show: (id) => (id === "" ? null : shownEntry(entries, "languages", id)),
  read: (sent, path, to) => entryAt(sent, path, "languages", to)?.id ?? null,
});

/** Texts alone: sizes, formats. */
export const plainTexts = (blank: string): ListFormat<Text> => ({
  show: ({ value }) => (value === "" ? null : value),
  read(sent, path, to) {
    const value = textAt(sent, path, to);
    if (value === "") to.fault(path, blank);
    return value === null || value === "" ? null : { value };
  },
});

export const SUBJECTS: ListFormat<Subject> = {
  names: byId,
  show({ id, text, scheme, uri }) {
    const words = text?.value || uri || "";
    if ((id ?? "") === "") return words === "" ? null : { subject: words, ...(scheme ? { scheme } : {}) };
    return { id: id ?? "", ...(words === "" ? {} : { subject: words }), ...(scheme ? { scheme } : {}) };
  },
  read(sent, path, to, before) {
    const known = ["id", "subject", "scheme", "title", "props", "identifiers", "synonyms"];
    const members = objectAt(sent, path, known, to);
    if (members === null) return null;
    const id = textAt(own(members, "id"), `${path}.id`, to) ?? "";
    const subject = textAt(own(members, "subject"), `${path}.subject`, to) ?? "";
    if (id === "" && subject === "") {
      to.fault(`${path}.subjects`, "An existing id or a free text subject must be present.");
      return null;
    }
    if (id === "") {
      const old = before?.value.text?.value === subject ? before.value : undefined;
      return { text: old?.text ?? { value: subject }, ...maybe("scheme", old?.scheme), ...maybe("uri", old?.uri) };
    }
    if (before?.value.id === id) return before.value;
    const entry = to.entries.get("subjects", id);
    if (entry === undefined) {
      to.fault(`${path}.id`, `Invalid value ${id.slice(0, 100)}.`);
      return null;
    }
    const [text] = entryNames(entry.title);
    const uri = isWebUrl(id) ? id : entry.props.uri;
    return { id, ...maybe("text", text), ...maybe("scheme", entry.props.scheme), ...maybe("uri", uri) };
  },
};

export const DATES = (entries: Entries): ListFormat<ItemDate> => ({
  show: ({ date, type, description }) => ({
    date,
    type: shownEntry(entries, DATE_WORDS.vocabulary, DATE_WORDS.idOf(type)),
    ...(description === undefined || description.value === "" ? {} : { description: description.value }),
  }),
  read(sent, path, to, before) {
    const members = objectAt(sent, path, ["date", "type", "description"], to);
    if (members === null) return null;
    const old = before?.value;
    const date = neededText(own(members, "date"), `${path}.date`, to);
    const isDate = date !== null && (date === old?.date || readEdtf(date) !== null);
    if (date !== null && !isDate) to.fault(`${path}.date`, FAULT_MESSAGES.date);
    const type = wordAt(own(members, "type"), `${path}.type`, DATE_WORDS, to, old?.type);
    const description = textAt(own(members, "description"), `${path}.description`, to);
    if (!isDate || type === null) return null;
    const lang = date === old?.date ? old.lang : undefined;
    return { date, type, ...maybe("description", keepLanguage(description, old?.description)), ...maybe("lang", lang) };
  },
});

export const RIGHTS = (entries: Entries): ListFormat<Right> => ({
  names: byId,
  show({ id, text, uri, description }) {
    if (id !== undefined && id !== "") {
      const entry = entries.get("licenses", id);
      if (entry === undefined) return { id };
      const { description: text, icon, url, spdx } = entry.props;
      const scheme = entry.props.scheme ?? (spdx === undefined ? undefined : "spdx");
      return {
        id,
        title: entry.title,
        ...(text === undefined ? {} : { description: { en: text } }),
        ...(icon === undefined ? {} : { icon }),
        props: { ...maybe("url", url), ...maybe("scheme", scheme) },
      };
    }
    const [title = { value: uri ?? "" }] = text;
    if (title.value === "") return null;
    return {
      title: worded(title),
      ...(description === undefined ? {} : { description: worded(description) }),
      ...(uri === undefined || uri === "" ? {} : { link: uri }),
    };
  },
  read(sent, path, to, before) {
    const members = objectAt(sent, path, ["id", "title", "description", "icon", "props", "link"], to);
    if (members === null) return null;
    const id = textAt(own(members, "id"), `${path}.id`, to) ?? "";
    const old = before?.value;
    if (id !== "") {
      const entry = to.entries.get("licenses", id);
      if (entry === undefined) {
        if (old?.id === id) return old;
        to.fault(`${path}.id`, `Invalid value ${id.slice(0, 100)}.`);
        return null;
      }
      // Answers have titles, and clients send them back; a depositor's words differ from them.
      const isAnswer =
        hasSameContent(own(members, "title") ?? null, entry.title) || own(members, "title") === undefined;
      if (!isAnswer || own(members, "link") !== undefined) {
        to.fault(
          `${path}.rights`,
          "Only an existing id or free text title/description/link is accepted, but not both cases at the same time",
        );
      }
      if (old?.id === id) return old;
      return { id, text: [], ...maybe("uri", entry.props.url ?? licenseAddress(id)) };
    }
    const [oldTitle, ...otherTitles] = old?.text ?? [];
    const title = wordingAt(
      own(members, "title"),
      `${path}.title`,
      to,
      oldTitle ?? (old?.uri ? { value: old.uri } : undefined),
    );
    const description = wordingAt(own(members, "description"), `${path}.description`, to, old?.description);
    const link = textAt(own(members, "link"), `${path}.link`, to) ?? "";
    const isLink = link === "" || link === old?.uri || isWebUrl(link);
    if (!isLink) to.fault(`${path}.link`, FAULT_MESSAGES.notUrl);
    if (title === null) {
      to.fault(`${path}.rights`, "An existing id or a free text title must be present");
      return null;
    }
    const isOld = title === oldTitle;
    const text = oldTitle === undefined && title.value === old?.uri ? [] : [title, ...(isOld ? otherTitles : [])];
    return { text, ...maybe("uri", isLink && link !== "" ? link : undefined), ...maybe("description", description) };
  },
});

export const RELATIONS = (entries: Entries): ListFormat<Relation> => ({
  show({ type, ident, resourceType }) {
    const shown = ident === undefined ? null : shownIdentifier("works", ident);
    if (shown === null) return null;
    return {
      ...shown,
      ...(type === ""
        ? {}
        : { relation_type: shownEntry(entries, RELATION_WORDS.vocabulary, RELATION_WORDS.idOf(type)) }),
      ...(resourceType ? { resource_type: shownEntry(entries, "resourcetypes", resourceType) } : {}),
    };
  },
  read(sent, path, to, before) {
    const members = objectAt(sent, path, ["identifier", "scheme", "relation_type", "resource_type"], to);
    if (members === null) return null;
    const old = before?.value;
    const shown = old?.ident === undefined ? null : shownIdentifier("works", old.ident);
    const isIdent =
      shown !== null && shown.identifier === own(members, "identifier") && shown.scheme === own(members, "scheme");
    const ident = isIdent ? old?.ident : identOf("works", members, path, to);
    const type = wordAt(own(members, "relation_type"), `${path}.relation_type`, RELATION_WORDS, to, old?.type);
    const sentType = own(members, "resource_type");
    const isType = old?.resourceType !== undefined && idOf(sentType) === old.resourceType;
    const resourceType = isType
      ? old.resourceType
      : entryAt(sentType, `${path}.resource_type`, "resourcetypes", to)?.id;
    if (ident === undefined || ident === null || type === null) return null;
    return { type, ident, titles: isIdent ? (old?.titles ?? []) : [], ...maybe("resourceType", resourceType) };
  },
});

type Reference = Metadata["references"][number];

export const REFERENCES: ListFormat<Reference> = {
  show({ text, ident }) {
    const shown = ident === undefined ? null : shownIdentifier("works", ident);
    return text === "" && shown === null ? null : { reference: text, ...shown };
  },
  read(sent, path, to) {
    const members = objectAt(sent, path, ["reference", "identifier", "scheme"], to);
    if (members === null) return null;
    const text = neededText(own(members, "reference"), `${path}.reference`, to);
    const ident = identOf("works", members, path, to, false);
    return text === null ? null : { text, ...maybe("ident", ident) };
  },
};

// Titles and descriptions: `title` is the first main title, `description` the first abstract;
// all others are additional ones. The position of the separate one among the others is kept.

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

function languageAt(sent: JsonObject, path: string, to: RecordInput, before: string | undefined): string | undefined {
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
  to: RecordInput,
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

function htmlAt(value: Json | undefined, path: string, to: RecordInput) {
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
  to: RecordInput,
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
