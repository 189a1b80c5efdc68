// Members of the tools' model that are lists (R3): subjects, dates, languages, rights, related works, references,
// places, funding.
import { licenseAddress } from "../../model/metadata/licenses.ts";
import type { ItemDate, Metadata, Relation, Right, Subject, Text } from "../../model/metadata/metadata.ts";
import { isWebUrl } from "../../shared/http/web-url.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/own-entry.ts";
import { readEdtf } from "../../shared/time/edtf.ts";
import { maybe } from "../../shared/without-undefined.ts";
import { type Entries, shownEntry } from "./entries.ts";
import { identOf } from "./identifiers.ts";
import { hasSameContent, type ListFormat } from "./keep.ts";
import { entryNames } from "./people.ts";
import { entryAt, FAULT_MESSAGES, neededEntry, neededText, objectAt, type Reading, textAt } from "./reading.ts";
import { shownIdentifier } from "./schemes.ts";
import { worded, wordingAt } from "./wordings.ts";
import { DATE_WORDS, RELATION_WORDS, type Words } from "./words.ts";

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
  to: Reading,
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
