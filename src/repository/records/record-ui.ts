// A record with its labels (R38 `inveniordm`): what the interface says of it, and under `ui` the same in the words of a language, for clients that show it.
import { htmlToText } from "../../shared/html-text.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";

const LANGUAGES = ["en", "ja"] as const;
type Language = (typeof LANGUAGES)[number];

type Status = { readonly title: string; readonly description: string; readonly icon: string };

/** By `access.status`, in each language. */
const STATUS: Readonly<Record<Language, Readonly<Record<string, Status>>>> = {
  en: {
    open: {
      title: "Open",
      description: "The record and files are publicly accessible.",
      icon: "unlock",
    },
    embargoed: {
      title: "Embargoed",
      description: "The files will be made publicly available on the day the embargo ends.",
      icon: "outline clock",
    },
    restricted: {
      title: "Restricted",
      description: "The record is publicly accessible, but files are restricted to users with access.",
      icon: "ban",
    },
    "metadata-only": {
      title: "Metadata-only",
      description: "No files are available for this record.",
      icon: "tag",
    },
  },
  ja: {
    open: { title: "オープン", description: "レコードとファイルは公開されています。", icon: "unlock" },
    embargoed: {
      title: "エンバーゴ中",
      description: "ファイルはエンバーゴが終わる日に公開されます。",
      icon: "outline clock",
    },
    restricted: {
      title: "制限あり",
      description: "レコードは公開されていますが、ファイルは許可された利用者に限られます。",
      icon: "ban",
    },
    "metadata-only": { title: "メタデータのみ", description: "このレコードにファイルはありません。", icon: "tag" },
  },
};

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : []);

/** A day, month or year in words; an interval by both ends; what is none of these stands as it is. */
function dated(written: string, language: Language, style: "medium" | "long"): string {
  return written
    .split("/")
    .map((end) => datedOne(end, language, style))
    .join(" – ");
}

function datedOne(written: string, language: Language, month: "medium" | "long"): string {
  const match = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?(?:T.*)?$/.exec(written.trim());
  if (match === null) return written;
  const [, year, monthOf, day] = match;
  if (year === undefined || monthOf === undefined) return written;
  const at = new Date(`${year}-${monthOf}-${day ?? "01"}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return written;
  const format = new Intl.DateTimeFormat(language === "ja" ? "ja-JP" : "en-US", {
    year: "numeric",
    month: month === "long" ? "long" : "short",
    ...(day === undefined ? {} : { day: "numeric" }),
    timeZone: "UTC",
  });
  return format.format(at);
}

/** The title of an entry in a language, else in English, else in any. */
function titled(entry: Json | undefined, language: Language): JsonObject | null {
  const { id, title } = objectOf(entry);
  const titles = objectOf(title);
  const label = textOf(titles[language]) || textOf(titles.en) || textOf(Object.values(titles)[0]) || textOf(id);
  return textOf(id) === "" ? null : { id: textOf(id), title_l10n: label };
}

const titledAll = (entries: Json | undefined, language: Language): readonly Json[] =>
  listOf(entries).flatMap((entry) => titled(entry, language) ?? []);

/** People with numbers in place of their institutions, and the numbered institutions. */
function people(member: "creators" | "contributors", value: Json | undefined, language: Language): JsonObject | null {
  const numbers = new Map<string, number>();
  const affiliations: Json[] = [];
  const numbered = (affiliation: Json): Json => {
    const { name, id = null } = objectOf(affiliation);
    const key = textOf(name) || textOf(id);
    const known = numbers.get(key) ?? numbers.size + 1;
    if (known > numbers.size) {
      numbers.set(key, known);
      affiliations.push([known, key, id]);
    }
    return [known, key];
  };
  const told = listOf(value).map((each): Json => {
    const agent = objectOf(each);
    const role = titled(agent.role, language);
    return {
      ...agent,
      ...(agent.affiliations === undefined ? {} : { affiliations: listOf(agent.affiliations).map(numbered) }),
      ...(role === null ? {} : { role: { ...objectOf(agent.role), title: role.title_l10n ?? "" } }),
    };
  });
  return told.length === 0 ? null : { [member]: told, affiliations };
}

function statusOf({ access }: JsonObject, language: Language): JsonObject {
  const { status, embargo } = objectOf(access);
  const id = textOf(status);
  const { title = id, description = "", icon = "" } = STATUS[language][id] ?? {};
  const until = textOf(objectOf(embargo).until);
  return {
    id,
    title_l10n: title,
    description_l10n: description,
    icon,
    embargo_date_l10n: until === "" ? null : dated(until, language, "long"),
    message_class: id === "open" ? "" : "warning",
  };
}

export const uiLanguage = (locale: string | null): Language => (locale?.toLowerCase().startsWith("ja") ? "ja" : "en");

/** `record`: as the interface writes it. */
export function withLabels(record: JsonObject, language: Language): JsonObject {
  const metadata = objectOf(record.metadata);
  const date = textOf(metadata.publication_date);
  const type = titled(metadata.resource_type, language);
  const creators = people("creators", metadata.creators, language);
  const contributors = people("contributors", metadata.contributors, language);
  const languages = titledAll(metadata.languages, language);
  const description = textOf(metadata.description);
  const version = textOf(metadata.version) || `v${JSON.stringify(objectOf(record.versions).index ?? 1)}`;
  const ui: JsonObject = {
    ...(date === ""
      ? {}
      : {
          publication_date_l10n_medium: dated(date, language, "medium"),
          publication_date_l10n_long: dated(date, language, "long"),
        }),
    created_date_l10n_long: dated(textOf(record.created), language, "long"),
    updated_date_l10n_long: dated(textOf(record.updated), language, "long"),
    ...(type === null ? {} : { resource_type: type }),
    access_status: statusOf(record, language),
    ...(creators === null ? {} : { creators }),
    ...(contributors === null ? {} : { contributors }),
    ...(languages.length === 0 ? {} : { languages }),
    ...(description === "" ? {} : { description_stripped: htmlToText(description) }),
    version,
    is_draft: record.is_draft === true,
  };
  return { ...record, ui };
}
