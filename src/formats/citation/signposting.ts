// What a landing page tells programs. FAIR Signposting (levels 1 and 2): the typed links by which machines find their
// way from a landing page (R19a; RFC 8288, RFC 9264).
import { shortLanguage } from "../../model/metadata/language-codes.ts";
import { rightAddress } from "../../model/metadata/licenses.ts";
import { type Metadata, publicationDate } from "../../model/metadata/metadata.ts";
import { agentNames, citedTitle, wordIn } from "../../model/metadata/reader-language.ts";
import { agentAddress, type CitedItem, citeAs, doiOf, webAddress, workKind } from "./cited-item.ts";
import { schemaOrgType } from "./schema-org.ts";

export type TypedLink = {
  readonly target: string;
  readonly rel: string;
  readonly type?: string;
  readonly profile?: string;
};

/** A metadata document about the item: its address, its media type, and its profile where it has one. */
export type DescribedBy = { readonly url: string; readonly type: string; readonly profile?: string };

/**
 * Servers and proxies take header lines of 8 KiB; the rest is for the other headers. Links beyond this are left out,
 * files first.
 */
export const MAX_LINK_HEADER = 6_000;

/** At most this many author links; documents about the item list all authors. */
const MAX_AUTHOR_LINKS = 500;
const MAX_LICENSE_LINKS = 100;

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/**
 * All links of an item, by weight: cite-as, type, license, describedby, linkset, author, item. Values that are not web
 * addresses are left out. `linksets`: the documents that list all of them (level 2).
 */
export function signpostingLinks(
  item: CitedItem,
  describedBy: readonly DescribedBy[],
  linksets: readonly DescribedBy[] = [],
): readonly TypedLink[] {
  const { metadata } = item;
  const links: TypedLink[] = [];
  const known = new Set<string>();
  const add = (address: string | null | undefined, rel: string, type?: string, profile?: string): void => {
    const target = address === null || address === undefined ? null : webAddress(address);
    if (target === null || known.size === known.add(`${rel} ${target}`).size) return;
    links.push({
      target,
      rel,
      ...(type !== undefined && MEDIA_TYPE.test(type) ? { type } : {}),
      ...(profile === undefined ? {} : { profile }),
    });
  };
  add(citeAs(item), "cite-as");
  add("https://schema.org/AboutPage", "type");
  add(`https://schema.org/${schemaOrgType(metadata)}`, "type");
  for (const right of metadata.rights.slice(0, MAX_LICENSE_LINKS)) add(rightAddress(right), "license");
  for (const { url, type, profile } of describedBy) add(url, "describedby", type, profile);
  for (const { url, type } of linksets) add(url, "linkset", type);
  for (const agent of metadata.creators.slice(0, MAX_AUTHOR_LINKS)) add(agentAddress(agent.ids), "author");
  for (const file of item.files) add(file.url, "item", file.mediaType.split(";")[0]?.trim());
  return links;
}

/** One link as a `Link` header has it. */
export function linkText({ target, rel, type, profile }: TypedLink): string {
  const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7E]/g, "").replace(/["\\]/g, "\\$&")}"`;
  const attributes = [
    `rel=${quoted(rel)}`,
    ...(type === undefined ? [] : [`type=${quoted(type)}`]),
    ...(profile === undefined ? [] : [`profile=${quoted(profile)}`]),
  ];
  return `<${target}>; ${attributes.join("; ")}`;
}

/** The value of one Link header: as many links as fit into MAX_LINK_HEADER characters, in their order. */
export function linkHeader(links: readonly TypedLink[]): string {
  const taken: string[] = [];
  let length = 0;
  for (const link of links) {
    const text = linkText(link);
    const longer = length === 0 ? text.length : length + 2 + text.length;
    if (longer > MAX_LINK_HEADER) continue;
    taken.push(text);
    length = longer;
  }
  return taken.join(", ");
}

// The `citation_*` meta tags by which Google Scholar and reference managers read a landing page (R19a). Mail addresses
// are never among them.

type MetaTag = { readonly name: string; readonly content: string };

/** Authors, their institutions and keywords beyond these numbers add nothing to a search engine's record. */
const MAX_AUTHOR_TAGS = 500;
const MAX_INSTITUTIONS = 20;
const MAX_KEYWORDS = 500;

/**
 * The tags in the order they are printed, in the language of the citation; an author's institution and ORCID follow the
 * author. Contents are plain text, to be escaped by the page.
 */
export function citationTags(item: CitedItem, reader?: string): readonly MetaTag[] {
  const { metadata } = item;
  const { title, lang } = citedTitle(metadata, reader);
  const publisher = wordIn(metadata.publishers[0]?.names ?? [], lang);
  const pairs: (readonly [string, string | null | undefined])[] = [
    ["citation_title", title?.value],
    ...authors(metadata, lang),
    ["citation_publication_date", slashedDate(publicationDate(metadata))],
    ...container(metadata, lang),
    ["citation_publisher", publisher],
    ...degree(metadata, lang, publisher),
    ["citation_conference_title", wordIn(metadata.conferences[0]?.names ?? [], lang)],
    ["citation_doi", doiOf(metadata)],
    ...metadata.identifiers
      .filter(({ scheme }) => scheme.toUpperCase() === "ISBN")
      .map(({ value }) => ["citation_isbn", value.replace(/^urn:isbn:/i, "")] as const),
    ["citation_language", metadata.languages[0] === undefined ? null : shortLanguage(metadata.languages[0])],
    [
      "citation_keywords",
      metadata.subjects
        .slice(0, MAX_KEYWORDS)
        .flatMap(({ text }) => text?.value ?? [])
        .join("; "),
    ],
    ["citation_abstract_html_url", item.landingPage],
    ["citation_pdf_url", item.files.find(({ mediaType }) => /^application\/pdf\b/i.test(mediaType))?.url],
  ];
  return pairs.flatMap(([name, content]) => {
    const text = content?.replace(/\s+/g, " ").trim() ?? "";
    return text === "" ? [] : [{ name, content: text }];
  });
}

function authors(metadata: Metadata, lang: string | undefined): (readonly [string, string | null])[] {
  return metadata.creators.slice(0, MAX_AUTHOR_TAGS).flatMap((agent) => {
    const [name] = agentNames({ ...agent, alternatives: [] }, lang, 1);
    if (name === undefined) return [];
    const institutions = agent.affiliations
      .slice(0, MAX_INSTITUTIONS)
      .map(({ names }) => ["citation_author_institution", wordIn(names, lang)] as const);
    const address = agentAddress(agent.ids);
    const orcid = address?.startsWith("https://orcid.org/") === true ? address : null;
    return [["citation_author", name.text] as const, ...institutions, ["citation_author_orcid", orcid] as const];
  });
}

/** `2015-10-01` as `2015/10/01`; of an interval the earlier bound; words are left out. */
function slashedDate(date: string | null): string | null {
  const bound = date?.split("/").find((part) => part !== "") ?? "";
  return /^\d{4}(?:-\d{2}){0,2}/.exec(bound)?.[0].replaceAll("-", "/") ?? null;
}

function container(metadata: Metadata, lang: string | undefined): (readonly [string, string | undefined])[] {
  const [first] = metadata.containers;
  if (first === undefined) return [];
  const title = wordIn(first.titles, lang);
  const isBook = workKind(metadata) === "part";
  return [
    [isBook ? "citation_inbook_title" : "citation_journal_title", title],
    ...first.ids
      .filter(({ scheme }) => ["ISSN", "PISSN", "EISSN"].includes(scheme.toUpperCase()))
      .map(({ value }) => ["citation_issn", value] as const),
    ["citation_volume", first.volume],
    ["citation_issue", first.issue],
    ["citation_firstpage", first.pageStart],
    ["citation_lastpage", first.pageEnd],
  ];
}

function degree(metadata: Metadata, lang: string | undefined, publisher: string): (readonly [string, string])[] {
  const kind = workKind(metadata);
  if (kind === "thesis") {
    return [
      ["citation_dissertation_institution", wordIn(metadata.degree?.grantors[0]?.names ?? [], lang)],
      ["citation_dissertation_name", wordIn(metadata.degree?.names ?? [], lang)],
    ];
  }
  return kind === "report" ? [["citation_technical_report_institution", publisher]] : [];
}
