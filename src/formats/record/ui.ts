// The member `ui` of a record in the form `inveniordm` (specification 3, "export_record"; R37): what is shown to
// people, in one language: titles of entries, dates in words, the affiliations of people. Made from the record as it is
// written, so that it adds nothing.

import { htmlToText } from "../../shared/html/html-text.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/objects.ts";
import { readEdtf } from "../../shared/time/edtf.ts";
import { MONTHS } from "../../shared/time/written-date.ts";

const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined => {
  let found = value;
  for (const name of path) found = isJsonObject(found) ? own(found, name) : undefined;
  return found;
};
const textAt = (value: Json | undefined, ...path: readonly string[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : undefined;
};
const listAt = (value: Json | undefined, ...path: readonly string[]): readonly JsonObject[] => {
  const found = at(value, ...path);
  return isJsonArray(found) ? found.filter(isJsonObject) : [];
};

/** Members that are defined. */
const definedMembers = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): [string, Json][] => (value === undefined ? [] : [[name, value]])),
  );

/** The wording for a reader: in their language, else in English, else any. */
function wording(titles: Json | undefined, language: UiLanguage): string | undefined {
  if (!isJsonObject(titles)) return undefined;
  const any = Object.values(titles).find((title) => typeof title === "string");
  return textAt(titles, language) ?? textAt(titles, "en") ?? (typeof any === "string" ? any : undefined);
}

/** An entry as people read it. */
function entry(value: Json | undefined, language: UiLanguage): JsonObject | undefined {
  const id = textAt(value, "id");
  return id === undefined ? undefined : definedMembers({ id, title_l10n: wording(at(value, "title"), language) });
}

/** People with the numbers of their affiliations, and the affiliations by number. */
function people(member: "creators" | "contributors", metadata: Json | undefined, language: UiLanguage) {
  const numbers = new Map<string, number>();
  const affiliations: Json[] = [];
  const numbered = listAt(metadata, member).map((person) => {
    const own = listAt(person, "affiliations").map((each): Json => {
      const [name = "", id = null] = [textAt(each, "name"), textAt(each, "id")];
      const key = name || (id ?? "");
      const number = numbers.get(key) ?? numbers.size + 1;
      if (!numbers.has(key)) affiliations.push([number, name, id]);
      numbers.set(key, number);
      return [number, name];
    });
    const role = at(person, "role");
    const title = wording(at(role, "title"), language);
    const worded = role === undefined ? {} : { role: definedMembers({ id: textAt(role, "id"), title }) };
    return { ...person, ...worded, ...(own.length === 0 ? {} : { affiliations: own }) };
  });
  return numbered.length === 0 ? undefined : { [member]: numbered, affiliations };
}

const ACCESS_WORDS = {
  open: { icon: "unlock", message: "", en: "Open", ja: "オープン" },
  embargoed: { icon: "outline clock", message: "warning", en: "Embargoed", ja: "エンバーゴ" },
  restricted: { icon: "ban", message: "negative", en: "Restricted", ja: "制限" },
  "metadata-only": { icon: "tag", message: "", en: "Metadata-only", ja: "メタデータのみ" },
} as const;

/** The sentence about access that a reader sees, by status, with `{date}` for the end of an embargo. */
function accessSentence(status: string, isRecordClosed: boolean, hasFiles: boolean, language: UiLanguage): string {
  const who = isRecordClosed ? (hasFiles ? "both" : "record") : "files";
  const sentences: Readonly<Record<string, { readonly en: string; readonly ja: string }>> = {
    open: { en: "The record and files are publicly accessible.", ja: "レコードとファイルは公開されています。" },
    "metadata-only": { en: "No files are available for this record.", ja: "このレコードにファイルはありません。" },
    "embargoed both": {
      en: "The record and files will be made publicly available on {date}.",
      ja: "レコードとファイルは{date}に公開されます。",
    },
    "embargoed record": {
      en: "The record will be made publicly available on {date}.",
      ja: "レコードは{date}に公開されます。",
    },
    "embargoed files": {
      en: "The files will be made publicly available on {date}.",
      ja: "ファイルは{date}に公開されます。",
    },
    "restricted both": {
      en: "The record and files are restricted to users with access.",
      ja: "レコードとファイルは権限のある利用者に限られます。",
    },
    "restricted record": {
      en: "The record is restricted to users with access.",
      ja: "レコードは権限のある利用者に限られます。",
    },
    "restricted files": {
      en: "The record is publicly accessible, but files are restricted to users with access.",
      ja: "レコードは公開されていますが、ファイルは権限のある利用者に限られます。",
    },
  };
  return (own(sentences, status) ?? own(sentences, `${status} ${who}`))?.[language] ?? "";
}

function accessStatus(record: JsonObject, language: UiLanguage): JsonObject | undefined {
  const status = textAt(record, "access", "status");
  const words = status === undefined ? undefined : own(ACCESS_WORDS, status);
  if (status === undefined || words === undefined) return undefined;
  const until = textAt(record, "access", "embargo", "until");
  const date = until === undefined ? null : dateWords(until, "long", language);
  const isClosed = textAt(record, "access", "record") === "restricted";
  const sentence = accessSentence(status, isClosed, at(record, "files", "enabled") === true, language);
  return {
    id: status,
    title_l10n: words[language],
    description_l10n: sentence.replace("{date}", date ?? ""),
    icon: words.icon,
    embargo_date_l10n: date,
    message_class: words.message,
  };
}

const joinParts = (parts: readonly (string | undefined)[], by: string): string =>
  parts.filter((part) => part !== undefined && part !== "").join(by);

/** Where a record appeared, a line each for journal, book and thesis. */
function publishing(record: JsonObject): JsonObject | undefined {
  const fields = at(record, "custom_fields");
  const [journal, imprint, thesis] = ["journal:journal", "imprint:imprint", "thesis:thesis"].map((key) =>
    at(fields, key),
  );
  const year = readEdtf(textAt(record, "metadata", "publication_date") ?? "")?.first?.slice(0, 4);
  const issue = textAt(journal, "issue");
  const volume = textAt(journal, "volume");
  const number = volume === undefined ? issue : `${volume}${issue === undefined ? "" : `(${issue})`}`;
  const issn = textAt(journal, "issn");
  const lines = {
    journal:
      journal === undefined
        ? ""
        : `${joinParts([textAt(journal, "title"), number, textAt(journal, "pages"), issn && `ISSN: ${issn}`, year], ", ")}.`,
    imprint: imprint === undefined || textAt(record, "metadata", "publisher") === undefined ? "" : bookLine(imprint),
    thesis: thesis === undefined ? "" : thesisLine(thesis),
  };
  const shown = Object.entries(lines).filter(([, line]) => line !== "");
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

function bookLine(imprint: Json): string {
  const [title, edition, pages] = ["title", "edition", "pages"].map((name) => textAt(imprint, name));
  const [place, isbn] = [textAt(imprint, "place"), textAt(imprint, "isbn")];
  const named = title === undefined ? undefined : `${title}${edition === undefined ? "" : ` ${edition} ed.`}`;
  const first = joinParts([named, pages], ", ");
  return joinParts([first && `${first}.`, place && `${place}.`, isbn && `ISBN: ${isbn}.`], " ");
}

function thesisLine(thesis: Json): string {
  const [university, department] = [textAt(thesis, "university"), textAt(thesis, "department")];
  const where =
    university !== undefined && department !== undefined ? `${university} (${department})` : (university ?? department);
  const [submitted, defended] = [textAt(thesis, "date_submitted"), textAt(thesis, "date_defended")];
  return joinParts(
    [where, textAt(thesis, "type"), submitted && `Submitted: ${submitted}`, defended && `Defended: ${defended}`],
    ", ",
  );
}

const MEETING = ["acronym", "dates", "place", "session_part", "session", "title", "url"];

function conference(record: JsonObject): JsonObject | undefined {
  const meeting = at(record, "custom_fields", "meeting:meeting");
  const shown = definedMembers(Object.fromEntries(MEETING.map((name) => [name, textAt(meeting, name)])));
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/** Objects of a list with those of their members that are entries put into words. */
function withWords(values: readonly JsonObject[], members: readonly string[], language: UiLanguage): Json | undefined {
  if (values.length === 0) return undefined;
  return values.map((value) =>
    definedMembers({
      ...value,
      ...Object.fromEntries(members.map((member) => [member, entry(at(value, member), language)])),
    }),
  );
}

function rights(values: readonly JsonObject[], language: UiLanguage): Json | undefined {
  if (values.length === 0) return undefined;
  return values.map((value) =>
    definedMembers({
      id: textAt(value, "id"),
      title_l10n: wording(at(value, "title"), language),
      description_l10n: wording(at(value, "description"), language),
      icon: textAt(value, "icon"),
      link: textAt(value, "link"),
      props: at(value, "props"),
    }),
  );
}

function funding(values: readonly JsonObject[], language: UiLanguage): Json | undefined {
  if (values.length === 0) return undefined;
  return values.map((value) => {
    const award = at(value, "award");
    if (!isJsonObject(award)) return value;
    const { title, ...others } = award;
    return { ...value, award: definedMembers({ ...others, title_l10n: wording(title, language) }) };
  });
}

export const uiLanguage = (locale: string | null): UiLanguage => (locale?.toLowerCase().startsWith("ja") ? "ja" : "en");

/** A record, as the interface writes it, with its labels. */
export const withLabels = (record: JsonObject, language: UiLanguage): JsonObject => ({
  ...record,
  ui: uiOf(record, language),
});

/** `ui` of a record that was written with the titles of its entries. */
function uiOf(record: JsonObject, language: UiLanguage): JsonObject {
  const metadata = at(record, "metadata");
  const date = textAt(metadata, "publication_date");
  const [created, updated] = [textAt(record, "created"), textAt(record, "updated")];
  const description = textAt(metadata, "description");
  const index = at(record, "versions", "index");
  const worded = (member: string, entries: readonly string[]) => withWords(listAt(metadata, member), entries, language);
  const languages = listAt(metadata, "languages");
  return definedMembers({
    publication_date_l10n_medium: date && dateWords(date, "medium", language),
    publication_date_l10n_long: date && dateWords(date, "long", language),
    created_date_l10n_long: created && dateWords(created.slice(0, 10), "long", language),
    updated_date_l10n_long: updated && dateWords(updated.slice(0, 10), "long", language),
    resource_type: entry(at(metadata, "resource_type"), language),
    additional_titles: worded("additional_titles", ["type", "lang"]),
    custom_fields: at(record, "custom_fields") ?? {},
    publishing_information: publishing(record),
    conference: conference(record),
    access_status: accessStatus(record, language),
    creators: people("creators", metadata, language),
    contributors: people("contributors", metadata, language),
    languages: languages.length === 0 ? undefined : languages.flatMap((each) => entry(each, language) ?? []),
    description_stripped: description && htmlToText(description),
    version: textAt(metadata, "version") ?? (typeof index === "number" ? `v${index}` : undefined),
    related_identifiers: worded("related_identifiers", ["relation_type", "resource_type"]),
    additional_descriptions: worded("additional_descriptions", ["type", "lang"]),
    dates: worded("dates", ["type"]),
    rights: rights(listAt(metadata, "rights"), language),
    is_draft: at(record, "is_draft") === true,
    funding: funding(listAt(metadata, "funding"), language),
    locations: at(metadata, "locations"),
  });
}

// Dates of records as people read them, in English and Japanese: days, months, years and intervals, long and medium.

type DateWording = "long" | "medium";
type UiLanguage = "en" | "ja";

/** The precision of a date: 1 a year, 2 a month, 3 a day. */
type Precision = 1 | 2 | 3;
type Parts = { readonly year: number; readonly month: number; readonly day: number };

const partsOf = (day: string): Parts => {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return { year, month, day: date };
};

function english({ year, month, day }: Parts, precision: Precision, wording: DateWording): string {
  if (precision === 1) return String(year);
  const name = MONTHS[month - 1] ?? "";
  const shown = wording === "long" ? name : name.slice(0, 3);
  return precision === 2 ? `${shown} ${year}` : `${shown} ${day}, ${year}`;
}

function japanese({ year, month, day }: Parts, precision: Precision, wording: DateWording): string {
  if (precision === 1) return `${year}年`;
  if (precision === 2) return `${year}年${month}月`;
  const two = (part: number): string => String(part).padStart(2, "0");
  return wording === "long" ? `${year}年${month}月${day}日` : `${year}/${two(month)}/${two(day)}`;
}

const WORDS = { en: english, ja: japanese } as const;
const BETWEEN = { en: "\u2009–\u2009", ja: "～" } as const;

const precisionOf = (written: string): Precision => {
  const parts = written.split("-").length;
  return parts >= 3 ? 3 : parts === 2 ? 2 : 1;
};

/** A date in words; as it is written where it is not a date of EDTF level 0. */
export function dateWords(written: string, wording: DateWording, language: UiLanguage): string {
  const date = readEdtf(written);
  if (date === null) return written;
  const inWords = WORDS[language];
  const ends = written.split("T")[0]?.split("/") ?? [];
  // Both ends get the precision of the more exact one.
  const precisions = ends.filter((end) => end !== "").map(precisionOf);
  const precision = precisions.includes(3) ? 3 : precisions.includes(2) ? 2 : 1;
  const [first, last] = [date.first, date.last].map((day) =>
    day === null ? "" : inWords(partsOf(day), precision, wording),
  );
  if (date.kind !== "interval" || first === last) return first ?? "";
  return `${first}${BETWEEN[language]}${last}`.trim();
}
