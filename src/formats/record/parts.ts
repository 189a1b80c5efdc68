// Members of the tools' model (R3): subjects, dates, languages, rights, related works, references.
import { licenseAddress } from "../../model/metadata/licenses.ts";
import type { ItemDate, Metadata, Relation, Right, Subject, Text } from "../../model/metadata/metadata.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, optional, refined } from "../../shared/fields.ts";
import { isWebUrl } from "../../shared/http/web-url.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject } from "../../shared/json/read.ts";
import { maybe, own } from "../../shared/objects.ts";
import { readEdtf } from "../../shared/time/edtf.ts";
import { identMembers, identOf, shownIdentifier } from "./identifiers.ts";
import { hasSameContent, type ListFormat } from "./keep.ts";
import { entryNames } from "./people.ts";
import {
  ANSWERED,
  type Entries,
  entryAt,
  entryOf,
  entryWith,
  line,
  listed,
  NO_DATE,
  named,
  noEntry,
  opened,
  type RecordInput,
  shape,
  shownEntry,
} from "./record-input.ts";
import { DATE_WORDS, RELATION_WORDS, WORDING, type Words, worded, wordingAt } from "./words.ts";

/** What names an entry of a vocabulary. */
const byId = (sent: Json): readonly string[] => {
  const id = idOf(sent);
  return typeof id === "string" ? [id] : [];
};

const idOf = (value: Json | undefined): Json | undefined => (isJsonObject(value) ? own(value, "id") : undefined);

/** The word of an entry, or the stored one where its id is still the same. */
function wordAt(
  words: Words,
  sent: Json | undefined,
  path: string,
  to: RecordInput,
  before: string | undefined,
): string | null {
  if (before !== undefined && idOf(sent) === words.idOf(before)) return before;
  const entry = entryAt(words.entry, sent, path, to);
  return entry === null ? null : words.wordOf(entry);
}

/** A text that keeps its language as long as its words stay the same. */
function keepLanguage(value: string | null, before: Text | undefined): Text | undefined {
  if (value === null || value === "") return undefined;
  return before?.value === value ? before : { value };
}

export const LANGUAGE = entryOf("languages");
export const LANGUAGES = optional(listed(LANGUAGE));

export const languageFormat = (entries: Entries): ListFormat<string> => ({
  list: LANGUAGES,
  show: (id) => (id === "" ? null : shownEntry(entries, "languages", id)),
  read: (sent, path, to) => entryAt(LANGUAGE, sent, path, to)?.id ?? null,
});

const plainText = (blank: string): Field<string> =>
  refined(line(), (text, path) => {
    if (text === "") throw faultSentence(path, blank);
    return text;
  });
const SIZE = plainText("Size cannot be a blank string.");
const FORMAT = plainText("Format cannot be a blank string.");
export const SIZES = optional(listed(SIZE));
export const FORMATS = optional(listed(FORMAT));

/** Texts alone. */
const textFormat = (text: Field<string>, list: ListFormat<Text>["list"]): ListFormat<Text> => ({
  list,
  show: ({ value }) => (value === "" ? null : value),
  read(sent, path, to) {
    const value = to.read(text, sent, path);
    return value === null ? null : { value };
  },
});
export const sizeFormat = textFormat(SIZE, SIZES);
export const formatFormat = textFormat(FORMAT, FORMATS);

const SUBJECT = named(
  "subjects",
  shape(
    {
      id: optional(line({ about: { description: "Entry of the vocabulary subjects" } })),
      subject: optional(line({ about: { description: "A subject in words" } })),
      scheme: ANSWERED,
      title: ANSWERED,
      props: ANSWERED,
      identifiers: ANSWERED,
      synonyms: ANSWERED,
    },
    { $id: "RecordSubjectInput" },
  ),
);
export const SUBJECTS = optional(listed(SUBJECT));

export const subjectFormat: ListFormat<Subject> = {
  list: SUBJECTS,
  names: byId,
  show({ id, text, scheme, uri }) {
    const words = text?.value || uri || "";
    if ((id ?? "") === "") return words === "" ? null : { subject: words, ...(scheme ? { scheme } : {}) };
    return { id: id ?? "", ...(words === "" ? {} : { subject: words }), ...(scheme ? { scheme } : {}) };
  },
  read(sent, path, to, before) {
    const members = opened(SUBJECT, sent, path, to);
    if (members === null) return null;
    const id = members.read("id") ?? "";
    const subject = members.read("subject") ?? "";
    if (id === "" && subject === "") {
      to.fault(`${path}.subjects`, "An existing id or a free text subject must be present.");
      return null;
    }
    if (id === "") {
      const old = before?.value.text?.value === subject ? before.value : undefined;
      return { text: old?.text ?? { value: subject }, ...maybe("scheme", old?.scheme), ...maybe("uri", old?.uri) };
    }
    if (before?.value.id === id) return before.value;
    const entry = entryWith("subjects", id, path, to);
    if (entry === null) return null;
    const [text] = entryNames(entry.title);
    const uri = isWebUrl(id) ? id : entry.props.uri;
    return { id, ...maybe("text", text), ...maybe("scheme", entry.props.scheme), ...maybe("uri", uri) };
  },
};

const DATE = shape(
  {
    date: line({ about: { description: "A day, month, year or interval in EDTF: 2020-06, 2020/2021" } }),
    type: DATE_WORDS.entry,
    description: optional(line()),
  },
  { $id: "DateInput" },
);
export const DATES = optional(listed(DATE));

export const dateFormat = (entries: Entries): ListFormat<ItemDate> => ({
  list: DATES,
  show: ({ date, type, description }) => ({
    date,
    type: shownEntry(entries, DATE_WORDS.vocabulary, DATE_WORDS.idOf(type)),
    ...(description === undefined || description.value === "" ? {} : { description: description.value }),
  }),
  read(sent, path, to, before) {
    const members = opened(DATE, sent, path, to);
    if (members === null) return null;
    const old = before?.value;
    const date = members.read("date");
    const isDate = date !== null && (date === old?.date || readEdtf(date) !== null);
    if (date !== null && !isDate) to.fault(`${path}.date`, NO_DATE);
    const type = wordAt(DATE_WORDS, members.sent("type"), members.at("type"), to, old?.type);
    const description = members.read("description");
    if (!isDate || type === null) return null;
    const lang = date === old?.date ? old.lang : undefined;
    return { date, type, ...maybe("description", keepLanguage(description, old?.description)), ...maybe("lang", lang) };
  },
});

const RIGHT = named(
  "licenses",
  shape(
    {
      id: optional(line({ about: { description: "Entry of the vocabulary licenses" } })),
      title: WORDING,
      description: WORDING,
      icon: ANSWERED,
      props: ANSWERED,
      link: optional(line()),
    },
    { $id: "RightInput" },
  ),
);
export const RIGHTS = optional(listed(RIGHT));

export const rightFormat = (entries: Entries): ListFormat<Right> => ({
  list: RIGHTS,
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
    const members = opened(RIGHT, sent, path, to);
    if (members === null) return null;
    const id = members.read("id") ?? "";
    const old = before?.value;
    if (id !== "") {
      const entry = to.entries.get("licenses", id);
      if (entry === undefined) {
        if (old?.id === id) return old;
        to.fault(`${path}.id`, noEntry(id));
        return null;
      }
      // Answers have titles, and clients send them back; a depositor's words differ from them.
      const isAnswer =
        hasSameContent(members.sent("title") ?? null, entry.title) || members.sent("title") === undefined;
      if (!isAnswer || members.sent("link") !== undefined) {
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
      members.sent("title"),
      members.at("title"),
      to,
      oldTitle ?? (old?.uri ? { value: old.uri } : undefined),
    );
    const description = wordingAt(members.sent("description"), members.at("description"), to, old?.description);
    const link = members.read("link") ?? "";
    const isLink = link === "" || link === old?.uri || isWebUrl(link);
    if (!isLink) to.fault(`${path}.link`, "Not a valid URL.");
    if (title === null) {
      to.fault(`${path}.rights`, "An existing id or a free text title must be present");
      return null;
    }
    const isOld = title === oldTitle;
    const text = oldTitle === undefined && title.value === old?.uri ? [] : [title, ...(isOld ? otherTitles : [])];
    return { text, ...maybe("uri", isLink && link !== "" ? link : undefined), ...maybe("description", description) };
  },
});

const RELATION = shape(
  {
    ...identMembers("works"),
    relation_type: RELATION_WORDS.entry,
    resource_type: optional(entryOf("resourcetypes")),
  },
  { $id: "RelatedIdentifierInput" },
);
export const RELATIONS = optional(listed(RELATION));

export const relationFormat = (entries: Entries): ListFormat<Relation> => ({
  list: RELATIONS,
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
    const members = opened(RELATION, sent, path, to);
    if (members === null) return null;
    const old = before?.value;
    const shown = old?.ident === undefined ? null : shownIdentifier("works", old.ident);
    const isIdent =
      shown !== null && shown.identifier === members.sent("identifier") && shown.scheme === members.sent("scheme");
    const ident = isIdent ? old?.ident : identOf("works", members, to);
    const type = wordAt(RELATION_WORDS, members.sent("relation_type"), members.at("relation_type"), to, old?.type);
    const sentType = members.sent("resource_type");
    const isType = old?.resourceType !== undefined && idOf(sentType) === old.resourceType;
    const resourceType = isType
      ? old.resourceType
      : entryAt(RELATION.fields.resource_type, sentType, members.at("resource_type"), to)?.id;
    if (ident === undefined || ident === null || type === null) return null;
    return { type, ident, titles: isIdent ? (old?.titles ?? []) : [], ...maybe("resourceType", resourceType) };
  },
});

type Reference = Metadata["references"][number];

const REFERENCE = shape({ reference: line(), ...identMembers("works", false) }, { $id: "ReferenceInput" });
export const REFERENCES = optional(listed(REFERENCE));

export const referenceFormat: ListFormat<Reference> = {
  list: REFERENCES,
  show({ text, ident }) {
    const shown = ident === undefined ? null : shownIdentifier("works", ident);
    return text === "" && shown === null ? null : { reference: text, ...shown };
  },
  read(sent, path, to) {
    const members = opened(REFERENCE, sent, path, to);
    if (members === null) return null;
    const text = members.read("reference");
    const ident = identOf("works", members, to, false);
    return text === null ? null : { text, ...maybe("ident", ident) };
  },
};
