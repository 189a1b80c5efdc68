// "Cite this": one line of plain text after the manner of APA (7th edition), for landing pages and for tombstones, where it outlives the item (R2c,
// R19a). Plain text has no italics, so titles stand as they are.

import { type Agent, type AgentName, type Metadata, mainTitle, type Text } from "../../domain/items/metadata.ts";
import { own } from "../../domain/own.ts";
import {
  type CitedItem,
  citeAs,
  displayName,
  mainLanguage,
  nameOf,
  publicationYears,
  type WorkKind,
  workKind,
} from "./cited-item.ts";

/** So many creators are named at most; of more, the first 19 and the last. */
const MAX_NAMED = 20;
const SENTENCE_END = /[.?!…。？！]["'”’)\]]?$/;

/** The citation. Never empty: without a title the item is `[Untitled]`, without a date `n.d.`. Holds no line break and no mail address. */
export function citationText(item: CitedItem): string {
  const { metadata } = item;
  const lang = mainLanguage(metadata);
  const authors = listed(metadata.creators, lang);
  const date = `(${publicationYears(metadata).join("–") || "n.d."})`;
  const title = titlePart(metadata, lang);
  const start = authors === "" ? [sentence(title), `${date}.`] : [`${authors} ${date}.`, sentence(title)];
  return [...start, ...sourceParts(item, lang).map(sentence), citeAs(item)].join(" ").replace(/\s+/g, " ").trim();
}

function sentence(text: string): string {
  return SENTENCE_END.test(text) ? text : `${text}.`;
}

function listed(agents: readonly Agent[], lang: string | undefined): string {
  const named = agents.flatMap((agent) => {
    const name = nameOf(agent, lang);
    return name === null ? [] : [{ agent, name }];
  });
  const last = named.at(-1);
  const names = named.slice(0, MAX_NAMED).map(({ agent, name }) => shortName(agent, name));
  if (named.length > MAX_NAMED && last !== undefined) {
    return `${names.slice(0, MAX_NAMED - 1).join(", ")}, … ${shortName(last.agent, last.name)}`;
  }
  if (names.length < 2) return names.length === 0 ? "" : ended(names[0] ?? "");
  return ended(`${names.slice(0, -1).join(", ")}, & ${names.at(-1)}`);
}

const ended = (names: string): string => (names.endsWith(".") ? names : `${names}.`);

/** "Adachi, J." for a person's Latin name; organisations and names in other scripts in full. */
function shortName(agent: Agent, name: AgentName): string {
  const full = displayName(name);
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

const BRACKETS: Readonly<Partial<Record<string, string>>> = {
  dataset: "Data set",
  software: "Computer software",
  "software-computationalnotebook": "Computer software",
  poster: "Poster",
  presentation: "Presentation",
  video: "Video",
  audio: "Audio",
  "publication-conferencepaper": "Conference paper",
  "publication-preprint": "Preprint",
  workflow: "Workflow",
};

function titlePart(metadata: Metadata, lang: string | undefined): string {
  const title = mainTitle(metadata).trim();
  const version =
    metadata.versionLabel === undefined
      ? ""
      : ` (Version ${metadata.versionLabel.replace(/^v(?:ersion)?\.?\s*/i, "")})`;
  const type = workKind(metadata) === "thesis" ? thesisBracket(metadata, lang) : own(BRACKETS, metadata.type?.id ?? "");
  return `${title === "" ? "[Untitled]" : title}${version}${type === undefined ? "" : ` [${type}]`}`;
}

function thesisBracket(metadata: Metadata, lang: string | undefined): string {
  const label = metadata.type?.label?.toLowerCase() ?? "";
  const isDoctoral = metadata.type?.id === "publication-dissertation" || label.startsWith("doctoral");
  const kind = isDoctoral
    ? "Doctoral dissertation"
    : label.startsWith("master")
      ? "Master’s thesis"
      : label.startsWith("bachelor")
        ? "Bachelor’s thesis"
        : "Thesis";
  const grantor = inLanguage(metadata.degree?.grantors[0]?.names ?? [], lang);
  return grantor === null ? kind : `${kind}, ${grantor}`;
}

function inLanguage(texts: readonly Text[], lang: string | undefined): string | null {
  return (texts.find((text) => text.lang === lang) ?? texts[0])?.value ?? null;
}

const IN_CONTAINER: readonly WorkKind[] = ["article", "conference", "part"];

/** Where the work appeared: the journal or book with its numbers, else the publisher; the repository when neither is known. */
function sourceParts(item: CitedItem, lang: string | undefined): string[] {
  const { metadata, repositoryName } = item;
  const kind = workKind(metadata);
  const container = containerPart(metadata, lang);
  const publisher = inLanguage(
    metadata.publishers.flatMap((each) => each.names),
    lang,
  );
  if (container !== null && (IN_CONTAINER.includes(kind) || publisher === null)) {
    return [
      kind === "part" ? `In ${container}` : container,
      ...(kind === "part" && publisher !== null ? [publisher] : []),
    ];
  }
  const source = kind === "thesis" ? repositoryName : (publisher ?? repositoryName);
  return source.trim() === "" ? [] : [source];
}

function containerPart(metadata: Metadata, lang: string | undefined): string | null {
  const [container] = metadata.containers;
  const title = container === undefined ? null : inLanguage(container.titles, lang);
  if (container === undefined || title === null) return null;
  const { volume = "", issue = "", pageStart = "", pageEnd = "" } = container;
  const numbers = `${volume}${issue === "" ? "" : `(${issue})`}`;
  const pages = [pageStart, pageEnd].filter((page) => page !== "").join("–");
  return [title, numbers, pages].filter((part) => part !== "").join(", ");
}
