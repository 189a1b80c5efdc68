// JSON-LD in the words of schema.org read as a record: the page of a work as repositories describe it for search
// engines.

import { languageOf } from "../../model/metadata/language-codes.ts";
import { licenseIdOf } from "../../model/metadata/licenses.ts";
import type { Agent, Container, Ident, Metadata, Org } from "../../model/metadata/metadata.ts";
import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { maybe, own } from "../../shared/objects.ts";
import { withoutMarkup } from "../completion/foreign-json.ts";
import { readAgent, readFunding, readOrg } from "../json-ld/agents.ts";
import { readLocation, readReference } from "../json-ld/entities.ts";
import { type Graph, openGraph, openSingle } from "../json-ld/graph.ts";
import { identFromText, plainText, readIdent, readTexts } from "../json-ld/values.ts";
import { findRoot } from "../ro-crate/read.ts";
import { CRATE_FILE_NAME } from "../ro-crate/terms.ts";
import { unreadTerms } from "../ro-crate/unread-terms.ts";
import { type ImportedWork, wholeOf, withKind } from "./works.ts";

const TYPES: Readonly<Record<string, string>> = {
  Article: "publication-article",
  AudioObject: "audio",
  Book: "publication-book",
  Chapter: "publication-section",
  Dataset: "dataset",
  Event: "event",
  ImageObject: "image",
  LearningResource: "lesson",
  Map: "image-other",
  Periodical: "publication-journal",
  Photograph: "image-photo",
  Poster: "poster",
  PresentationDigitalDocument: "presentation",
  Report: "publication-report",
  Review: "publication-peerreview",
  ScholarlyArticle: "publication-article",
  SoftwareApplication: "software",
  SoftwareSourceCode: "software",
  TechArticle: "publication-technicalnote",
  Thesis: "publication-thesis",
  VideoObject: "video",
};

/** In every page, and not about the work: who shows it, its files, when the page was made. */
const AROUND =
  /^(?:[^ ]+ )?(?:dateModified|dateCreated|sdPublisher|sdDatePublished|distribution|encoding|includedInDataCatalog|provider|isAccessibleForFree|url|mainEntityOfPage|sdLicense)\b/;

export function importSchemaOrg(document: JsonObject, bytes: number): ImportedWork {
  const isGraph = isJsonArray(document["@graph"]);
  const graph = isGraph ? openGraph(document, "the document", bytes) : openSingle(document, bytes);
  const root = rootOf(graph, isGraph ? null : document);
  const metadata = wholeOf(membersOf(root, graph));
  const { titles, creators, descriptions, identifiers } = metadata;
  if ([titles, creators, descriptions, identifiers].every((each) => each.length === 0)) {
    throw new DocumentError("The document holds no work");
  }
  const { extra } = unreadTerms(root, graph, "jsonld");
  const lost = extra.map(({ path }) => path.slice(0, 200)).filter((path) => !AROUND.test(path));
  return { metadata, lost: [...new Set(lost)].slice(0, 100), line: 1 };
}

/** Names of the entity of an RO-Crate that describes the document and names its root. */
const DESCRIPTORS = [CRATE_FILE_NAME, "ro-crate-metadata.jsonld"];

/** The entity that is a work; of a document without `@graph` the document. */
function rootOf(graph: Graph, document: JsonObject | null): JsonObject {
  if (document !== null) return document;
  const isDescriptor = (id: string): boolean => DESCRIPTORS.some((name) => id === name || id.endsWith(`/${name}`));
  if ([...graph.entities.keys()].some(isDescriptor)) return findRoot(graph, DESCRIPTORS, "the document").root;
  const entities = [...graph.entities.values()];
  const work = entities.find((entity) =>
    graph.typesOf(entity).some((type) => own(TYPES, type) !== undefined || type === "CreativeWork"),
  );
  return work ?? entities[0] ?? {};
}

function membersOf(root: JsonObject, graph: Graph): Partial<Metadata> {
  const texts = (terms: string | readonly string[]) => readTexts(root, terms, graph);
  const all = (term: string): readonly Json[] => graph.values(root, term);
  const plain = (term: string): string | undefined => plainText(all(term)[0], graph) ?? undefined;
  const people = (term: string, role?: string): readonly Agent[] =>
    all(term).flatMap((value) => {
      const agent = readAgent(value, graph);
      return agent === null ? [] : [{ ...withKind(agentWithin(agent)), ...maybe("role", agent.role ?? role) }];
    });
  const names = texts(["name", "headline"]);
  const container = containerOf(root, graph);
  const licenses = all("license").flatMap((value) => licenseOf(value, graph));
  const publishers = all("publisher").flatMap((value) => readOrg(value, graph) ?? []);
  return {
    type: { id: graph.typesOf(root).flatMap((type) => own(TYPES, type) ?? [])[0] ?? "other" },
    titles: [
      ...names.slice(0, 1).map((name) => ({ ...name, kind: "main" as const })),
      ...names.slice(1).map((name) => ({ ...name, kind: "translated" as const })),
      ...texts("alternateName").map((name) => ({ ...name, kind: "alternative" as const })),
    ],
    creators: withCreators(people("author"), people("creator")),
    contributors: [
      ...people("contributor", "Other"),
      ...people("editor", "Editor"),
      ...people("translator", "Translator"),
    ],
    descriptions: texts(["description", "abstract"]).map(({ value, ...lang }) => ({
      value: withoutMarkup(value),
      ...lang,
      kind: "Abstract",
      html: false,
    })),
    publishers: publishers.flatMap(({ names: of }) => (of.length === 0 ? [] : [{ names: of }])),
    ...maybe("publicationDate", plain("datePublished")?.split("T", 1)[0]),
    languages: all("inLanguage").flatMap((value) => languageIn(value, graph)),
    ...maybe("versionLabel", plain("version")),
    subjects: texts("keywords").flatMap(({ value, ...lang }) =>
      value
        .split(/[,;]/)
        .map((each) => each.trim())
        .flatMap((word) => (word === "" ? [] : [{ text: { value: word, ...lang } }])),
    ),
    rights: licenses,
    ...maybe("copyright", plain("copyrightNotice")),
    identifiers: identifiersOf(root, graph),
    temporals: texts("temporalCoverage"),
    locations: all("spatialCoverage").flatMap((value) => readLocation(value, graph) ?? []),
    funding: all("funding").flatMap((value) => readFunding(value, graph) ?? []),
    containers: container === null ? [] : [container],
    references: all("citation").flatMap((value) => readReference(value, graph) ?? []),
  };
}

const nameOf = ({ names: [name] }: Agent): string => `name ${JSON.stringify(name ?? null)}`;
const idsOf = ({ ids }: Agent): readonly string[] => ids.map(({ scheme, value }) => `${scheme.toLowerCase()} ${value}`);

/** Authors, and creators who are not among them: many documents list the same people under both terms. */
function withCreators(authors: readonly Agent[], creators: readonly Agent[]): readonly Agent[] {
  const ids = new Set(authors.flatMap(idsOf));
  const names = new Set(authors.map(nameOf));
  const namesAlone = new Set(authors.filter((author) => author.ids.length === 0).map(nameOf));
  const isAuthor = (creator: Agent): boolean =>
    creator.ids.length === 0
      ? names.has(nameOf(creator))
      : idsOf(creator).some((id) => ids.has(id)) || namesAlone.has(nameOf(creator));
  return [...authors, ...creators.filter((creator) => !isAuthor(creator))];
}

/** A name that is the same in parts and as a whole is kept in parts. */
function agentWithin(agent: Agent): Agent {
  return {
    ...agent,
    names: agent.names.map((name) =>
      name.family === undefined && name.given === undefined
        ? name
        : { ...maybe("family", name.family), ...maybe("given", name.given), ...maybe("lang", name.lang) },
    ),
    affiliations: agent.affiliations.filter(isNamed),
  };
}

const isNamed = ({ names, ids }: Org): boolean => names.length + ids.length > 0;

function languageIn(value: Json, graph: Graph): readonly string[] {
  const code = isJsonObject(value) ? plainText(graph.values(value, "alternateName")[0], graph) : null;
  const written = code ?? plainText(value, graph);
  return written === null ? [] : [languageOf(written)];
}

function licenseOf(value: Json, graph: Graph): Metadata["rights"] {
  const id = isJsonObject(value) ? value["@id"] : undefined;
  const uri =
    typeof id === "string"
      ? id
      : (plainText(isJsonObject(value) ? graph.values(value, "url")[0] : value, graph) ?? undefined);
  const words = isJsonObject(value) ? readTexts(value, "name", graph) : [];
  if (uri !== undefined && /^https?:/i.test(uri)) {
    const known = licenseIdOf(uri);
    return [{ ...maybe("id", known), text: known === null ? words : [], uri }];
  }
  const text = words.length > 0 ? words : uri === undefined ? [] : [{ value: uri }];
  return text.length === 0 ? [] : [{ text }];
}

/** Identifiers that are stated, and the address of the work. */
function identifiersOf(root: JsonObject, graph: Graph): readonly Ident[] {
  const found = graph.values(root, "identifier").flatMap((value) => readIdent(value, graph) ?? []);
  const id = root["@id"];
  const named = typeof id === "string" && /^https?:/i.test(id) ? [identFromText(id)] : [];
  const issn = graph.values(root, "isbn").flatMap((value) => plainText(value, graph) ?? []);
  const all = [...found, ...named, ...issn.map((value) => ({ scheme: "ISBN", value }))];
  const keyOf = ({ scheme, value }: Ident): string =>
    `${scheme.toLowerCase()} ${value.replace(/^https?:\/\/[^/]+\//, "").toLowerCase()}`;
  const once = new Map<string, Ident>();
  for (const { scheme, value } of all)
    if (!once.has(keyOf({ scheme, value }))) once.set(keyOf({ scheme, value }), { scheme, value });
  return [...once.values()];
}

/** The journal around issue and volume, from the inside out. */
function containerOf(root: JsonObject, graph: Graph): Container | null {
  let at: Json | undefined = graph.values(root, "isPartOf")[0];
  const found: { volume: string | undefined; issue: string | undefined; titles: Container["titles"]; ids: Ident[] } = {
    volume: undefined,
    issue: undefined,
    titles: [],
    ids: [],
  };
  for (let depth = 0; depth < 4 && isJsonObject(at); depth++) {
    const here: JsonObject = at;
    const one = (term: string): string | undefined => plainText(graph.values(here, term)[0], graph) ?? undefined;
    found.volume ??= one("volumeNumber");
    found.issue ??= one("issueNumber");
    if (found.titles.length === 0) found.titles = readTexts(here, "name", graph);
    found.ids.push(
      ...graph
        .values(here, "issn")
        .flatMap((value) => plainText(value, graph) ?? [])
        .map((value) => ({ scheme: "ISSN", value })),
    );
    found.ids.push(
      ...graph
        .values(here, "isbn")
        .flatMap((value) => plainText(value, graph) ?? [])
        .map((value) => ({ scheme: "ISBN", value })),
    );
    at = graph.values(here, "isPartOf")[0];
  }
  const pages = ["pageStart", "pageEnd"].map((term) => plainText(graph.values(root, term)[0], graph) ?? undefined);
  const [start, end] =
    pages[0] === undefined
      ? (plainText(graph.values(root, "pagination")[0], graph) ?? "").split(/\s?[-–]\s?/, 2)
      : pages;
  const { volume, issue, titles, ids } = found;
  if (titles.length + ids.length === 0 && [volume, issue, start].every((each) => each === undefined || each === ""))
    return null;
  return {
    titles,
    ids,
    ...maybe("volume", volume),
    ...maybe("issue", issue),
    ...maybe("pageStart", start || undefined),
    ...maybe("pageEnd", end || undefined),
    place: "flat",
  };
}
