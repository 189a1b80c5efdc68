// Reads the metadata of a DOI at Crossref (`GET /works/{doi}`) into the canonical metadata (R3, R14).

import { languageOf } from "../../model/metadata/language-codes.ts";
import { licenseIdOf } from "../../model/metadata/licenses.ts";
import type { Agent, Container, Funding, Metadata } from "../../model/metadata/metadata.ts";
import { resourceTypeOf } from "../../model/metadata/resource-types.ts";
import type { Json } from "../../shared/json/json.ts";
import { maybe, own } from "../../shared/objects.ts";
import { dateOfParts, list, member, text, withoutMarkup } from "./foreign-json.ts";

/** Crossref's types as JPCOAR labels. */
const TYPES: Readonly<Record<string, string>> = {
  "journal-article": "journal article",
  "proceedings-article": "conference paper",
  proceedings: "conference proceedings",
  book: "book",
  monograph: "book",
  "edited-book": "book",
  "reference-book": "book",
  "book-chapter": "book part",
  "book-part": "book part",
  "book-section": "book part",
  dissertation: "thesis",
  dataset: "dataset",
  report: "report",
  "report-component": "report",
  "peer-review": "peer review",
  journal: "journal",
  "posted-content": "working paper",
};

/** Members of the metadata that the document has values for; an empty object when it has none. */
export function readCrossref(document: Json): Partial<Metadata> {
  const work = member(document, "message");
  const titles = list(work, "title").flatMap((each) => text(each) ?? []);
  const subtitles = list(work, "subtitle").flatMap((each) => text(each) ?? []);
  const type = own(TYPES, text(work, "type") ?? "");
  const abstract = text(work, "abstract");
  const language = text(work, "language");
  const publisher = text(work, "publisher");
  const container = containerOf(work);
  return {
    ...maybe("type", type === undefined ? undefined : resourceTypeOf(type)),
    titles: [
      ...titles.map((value) => ({ value: withoutMarkup(value), kind: "main" as const })),
      ...subtitles.map((value) => ({ value: withoutMarkup(value), kind: "subtitle" as const })),
    ],
    creators: list(work, "author").flatMap(agentOf),
    contributors: list(work, "editor").flatMap((each) => agentOf(each).map((agent) => ({ ...agent, role: "Editor" }))),
    descriptions: abstract === undefined ? [] : [{ value: withoutMarkup(abstract), kind: "Abstract", html: false }],
    publishers: publisher === undefined ? [] : [{ names: [{ value: publisher }] }],
    ...maybe("publicationDate", dateOfParts(member(work, "published")) ?? dateOfParts(member(work, "issued"))),
    languages: language === undefined ? [] : [languageOf(language)],
    subjects: list(work, "subject").flatMap((each) => {
      const value = text(each);
      return value === undefined ? [] : [{ text: { value } }];
    }),
    rights: [...new Set(list(work, "license").flatMap((each) => text(each, "URL") ?? []))].map((uri) => ({
      ...maybe("id", licenseIdOf(uri) ?? undefined),
      text: [],
      uri,
    })),
    containers: container === null ? [] : [container],
    funding: list(work, "funder").flatMap(fundingOf),
  };
}

function agentOf(value: Json): readonly Agent[] {
  const family = text(value, "family");
  const given = text(value, "given");
  const name = text(value, "name");
  const orcid = /(\d{4}-\d{4}-\d{4}-\d{3}[\dX])$/.exec(text(value, "ORCID") ?? "")?.[1];
  const full = name ?? (family === undefined || given === undefined ? (family ?? given) : `${family}, ${given}`);
  if (full === undefined) return [];
  return [
    {
      kind: name === undefined ? "personal" : "organizational",
      names: [{ full, ...maybe("family", family), ...maybe("given", given) }],
      alternatives: [],
      ids: orcid === undefined ? [] : [{ scheme: "ORCID", value: orcid, uri: `https://orcid.org/${orcid}` }],
      emails: [],
      affiliations: list(value, "affiliation").flatMap((each) => {
        const affiliation = text(each, "name");
        return affiliation === undefined ? [] : [{ names: [{ value: affiliation }], ids: [] }];
      }),
    },
  ];
}

const ISSN_SCHEMES: Readonly<Record<string, string>> = { print: "PISSN", electronic: "EISSN" };

function containerOf(work: Json | undefined): Container | null {
  const titles = list(work, "container-title").flatMap((each) => text(each) ?? []);
  const typed = list(work, "issn-type").flatMap((each) => {
    const value = text(each, "value");
    return value === undefined ? [] : [{ scheme: own(ISSN_SCHEMES, text(each, "type") ?? "") ?? "ISSN", value }];
  });
  const plain = list(work, "ISSN").flatMap((each) => {
    const value = text(each);
    return value === undefined ? [] : [{ scheme: "ISSN", value }];
  });
  const volume = text(work, "volume");
  const issue = text(work, "issue");
  const [pageStart, pageEnd] = (text(work, "page") ?? "").split(/[-–]/).map((page) => page.trim());
  const ids = typed.length > 0 ? typed : plain;
  if (titles.length + ids.length === 0 && volume === undefined && issue === undefined && !pageStart) return null;
  return {
    titles: titles.slice(0, 1).map((value) => ({ value: withoutMarkup(value) })),
    ids,
    ...maybe("volume", volume),
    ...maybe("issue", issue),
    ...maybe("pageStart", pageStart || undefined),
    ...maybe("pageEnd", pageEnd || undefined),
    place: "flat",
  };
}

/** One entry for each award, as JPCOAR has it. */
function fundingOf(value: Json): readonly Funding[] {
  const name = text(value, "name");
  const doi = text(value, "DOI");
  if (name === undefined && doi === undefined) return [];
  const funder = {
    names: name === undefined ? [] : [{ value: name }],
    ids: doi === undefined ? [] : [{ scheme: "Crossref Funder", value: doi, uri: `https://doi.org/${doi}` }],
  };
  const awards = list(value, "award").flatMap((each) => text(each) ?? []);
  return awards.length === 0 ? [{ funder }] : awards.map((number) => ({ funder, award: { number, titles: [] } }));
}
