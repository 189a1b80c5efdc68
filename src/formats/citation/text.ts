// "Cite this": one line of plain text after the manner of APA (7th edition), for landing pages and for tombstones, where it outlives the item (R2c,
// R19a). Plain text has no italics, so titles stand as they are.

import { closedName, isEastAsianName, nameText } from "../../repository/model/agent-names.ts";
import { citedLanguage, namesIn, primaryLanguage, titleIn, wordIn } from "../../repository/model/reader-language.ts";
import type { Agent, AgentName, Metadata } from "../../repository/model/metadata.ts";
import { own } from "../../shared/own-entry.ts";
import { type CitedItem, citeAs, publicationYears, type WorkKind, workKind } from "./cited-item.ts";
import { type CitationWords, citationWords } from "./words.ts";

/** So many creators are named at most; of more, the first 19 and the last. */
const MAX_NAMED = 20;
const SENTENCE_END = /[.?!…。？！]["'”’)\]]?$/;

/** What stands between creators in languages that write names without initials; all others follow the English way. */
const BETWEEN: Readonly<Record<string, string>> = { ja: "・", zh: "、", ko: ", " };

/**
 * The citation for a reader of a language, else in the language of the title. Never empty: without a title the item is `[Untitled]`, without
 * a date `n.d.`. Holds no line break and no mail address.
 */
export function citationText(item: CitedItem, reader?: string): string {
  const { metadata } = item;
  const lang = citedLanguage(metadata, reader);
  const authors = listed(metadata.creators, lang);
  const date = `(${publicationYears(metadata).join("–") || "n.d."})`;
  const title = titlePart(metadata, lang);
  const start = authors === "" ? [sentence(title), `${date}.`] : [`${authors} ${date}.`, sentence(title)];
  return [...start, ...sourceParts(item, lang).map(sentence), citeAs(item)].join(" ").replace(/\s+/g, " ").trim();
}

function sentence(text: string): string {
  return SENTENCE_END.test(text) ? text : `${text}.`;
}

function listed(creators: readonly Agent[], lang: string | undefined): string {
  const between = own(BETWEEN, primaryLanguage(lang ?? ""));
  const named = creators.filter(({ names }) => namesIn(names, undefined).length > 0);
  const isLong = named.length > MAX_NAMED;
  const last = named.slice(-1);
  const names = (isLong ? [...named.slice(0, MAX_NAMED - 1), ...last] : named).flatMap((agent) =>
    namesIn(agent.names, lang)
      .slice(0, 1)
      .map((name) => citedName(agent, name, between !== undefined)),
  );
  return between === undefined ? westernList(names, isLong) : closedList(names, isLong, between);
}

function westernList(names: readonly string[], isLong: boolean): string {
  if (isLong) return `${names.slice(0, -1).join(", ")}, … ${names.at(-1)}`;
  if (names.length < 2) return names.length === 0 ? "" : ended(names[0] ?? "");
  return ended(`${names.slice(0, -1).join(", ")}, & ${names.at(-1)}`);
}

/** 山田花子・鈴木一郎; where a name itself holds the middle dot, a comma keeps them apart. */
function closedList(names: readonly string[], isLong: boolean, between: string): string {
  const mark = between === "・" && names.some((name) => /[・･]/.test(name)) ? "、" : between;
  return isLong ? `${names.slice(0, -1).join(mark)}${mark}…${mark}${names.at(-1)}` : names.join(mark);
}

const ended = (names: string): string => (names.endsWith(".") ? names : `${names}.`);

/** "Adachi, J." for a person's Latin name; organisations and names in other scripts in full. */
function citedName(agent: Agent, name: AgentName, isClosed: boolean): string {
  if (isClosed && isEastAsianName(name)) return closedName(name, agent.kind);
  const full = nameText(name, agent.kind);
  const [first = "", ...rest] = full.split(",").map((part) => part.trim());
  const family = name.family ?? first;
  const given = name.given ?? rest.join(" ");
  const isPerson = agent.kind !== "organizational" && given !== "" && rest.length <= 1;
  if (!isPerson || !/^[\p{Script=Latin}\p{M}\s.'’-]+$/u.test(`${family}${given}`)) return full;
  const initials = given
    .split(/\s+/)
    .filter((part) => part !== "")
    .map((part) =>
      part
        .split("-")
        .filter(Boolean)
        .map((piece) => `${[...piece][0]?.toUpperCase()}.`)
        .join("-"),
    );
  return `${family}, ${initials.join(" ")}`;
}

function titlePart(metadata: Metadata, lang: string | undefined): string {
  const words = citationWords(lang);
  const title = titleIn(metadata, lang)?.value.trim() ?? "";
  const version =
    metadata.versionLabel === undefined
      ? ""
      : ` ${words.version(metadata.versionLabel.replace(/^v(?:ersion)?\.?\s*/i, ""))}`;
  const type =
    workKind(metadata) === "thesis" ? thesisBracket(metadata, lang, words) : own(words.types, metadata.type?.id ?? "");
  return `${title === "" ? words.untitled : title}${version}${type === undefined ? "" : ` [${type}]`}`;
}

function thesisBracket(metadata: Metadata, lang: string | undefined, { theses, thesis }: CitationWords): string {
  const label = metadata.type?.label?.toLowerCase() ?? "";
  const isDoctoral = metadata.type?.id === "publication-dissertation" || label.startsWith("doctoral");
  const kind = isDoctoral
    ? "doctoral"
    : label.startsWith("master")
      ? "master"
      : label.startsWith("bachelor")
        ? "bachelor"
        : "other";
  return thesis(theses[kind], wordIn(metadata.degree?.grantors[0]?.names ?? [], lang));
}

const IN_CONTAINER: readonly WorkKind[] = ["article", "conference", "part"];

/** Where the work appeared: the journal or book with its numbers, else the publisher; the repository when neither is known. */
function sourceParts(item: CitedItem, lang: string | undefined): string[] {
  const { metadata, repositoryName } = item;
  const kind = workKind(metadata);
  const container = containerPart(metadata, lang);
  const publisher = wordIn(
    metadata.publishers.flatMap((each) => each.names),
    lang,
  );
  if (container !== null && (IN_CONTAINER.includes(kind) || publisher === "")) {
    return [
      kind === "part" ? citationWords(lang).inBook(container) : container,
      ...(kind === "part" && publisher !== "" ? [publisher] : []),
    ];
  }
  const source = kind === "thesis" ? repositoryName : publisher || repositoryName;
  return source.trim() === "" ? [] : [source];
}

function containerPart(metadata: Metadata, lang: string | undefined): string | null {
  const [container] = metadata.containers;
  const title = wordIn(container?.titles ?? [], lang);
  if (container === undefined || title === "") return null;
  const { volume = "", issue = "", pageStart = "", pageEnd = "" } = container;
  const numbers = `${volume}${issue === "" ? "" : `(${issue})`}`;
  const pages = [pageStart, pageEnd].filter((page) => page !== "").join("–");
  return [title, numbers, pages].filter((part) => part !== "").join(", ");
}
