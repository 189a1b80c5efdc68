// The `citation_*` meta tags by which Google Scholar and reference managers read a landing page (R19a). Mail addresses are never among them.
import { type Metadata, mainTitle, publicationDate } from "../../domain/items/metadata.ts";
import { shortLanguage } from "../mapping/languages.ts";
import { agentAddress, type CitedItem, displayName, doiOf, mainLanguage, nameOf, workKind } from "./cited-item.ts";

export type MetaTag = { readonly name: string; readonly content: string };

/** An author list beyond this adds nothing to a search engine's record. */
export const MAX_AUTHOR_TAGS = 500;

/** The tags in the order they are printed; an author's institution and ORCID follow the author. Contents are plain text, to be escaped by the page. */
export function citationTags(item: CitedItem): readonly MetaTag[] {
  const { metadata } = item;
  const lang = mainLanguage(metadata);
  const publisher = metadata.publishers[0]?.names[0]?.value;
  const pairs: (readonly [string, string | null | undefined])[] = [
    ["citation_title", mainTitle(metadata)],
    ...authors(metadata, lang),
    ["citation_publication_date", slashed(publicationDate(metadata))],
    ...container(metadata),
    ["citation_publisher", publisher],
    ...degree(metadata),
    ["citation_conference_title", metadata.conferences[0]?.names[0]?.value],
    ["citation_doi", doiOf(metadata)],
    ...metadata.identifiers
      .filter(({ scheme }) => scheme.toUpperCase() === "ISBN")
      .map(({ value }) => ["citation_isbn", value.replace(/^urn:isbn:/i, "")] as const),
    ["citation_language", metadata.languages[0] === undefined ? null : shortLanguage(metadata.languages[0])],
    ["citation_keywords", metadata.subjects.flatMap(({ text }) => text?.value ?? []).join("; ")],
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
    const name = nameOf(agent, lang);
    if (name === null) return [];
    const institutions = agent.affiliations.flatMap(({ names }) => {
      const text = names.find((each) => each.lang === lang) ?? names[0];
      return text === undefined ? [] : [["citation_author_institution", text.value] as const];
    });
    const address = agentAddress(agent.ids);
    const orcid = address?.startsWith("https://orcid.org/") === true ? address : null;
    return [
      ["citation_author", displayName(name)] as const,
      ...institutions,
      ["citation_author_orcid", orcid] as const,
    ];
  });
}

/** `2015-10-01` as `2015/10/01`; of an interval the earlier bound; words are left out. */
function slashed(date: string | null): string | null {
  const bound = date?.split("/").find((part) => part !== "") ?? "";
  return /^\d{4}(?:-\d{2}){0,2}/.exec(bound)?.[0].replaceAll("-", "/") ?? null;
}

function container(metadata: Metadata): (readonly [string, string | undefined])[] {
  const [first] = metadata.containers;
  if (first === undefined) return [];
  const title = first.titles[0]?.value;
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

function degree(metadata: Metadata): (readonly [string, string | undefined])[] {
  const kind = workKind(metadata);
  if (kind === "thesis") {
    return [
      ["citation_dissertation_institution", metadata.degree?.grantors[0]?.names[0]?.value],
      ["citation_dissertation_name", metadata.degree?.names[0]?.value],
    ];
  }
  return kind === "report" ? [["citation_technical_report_institution", metadata.publishers[0]?.names[0]?.value]] : [];
}
