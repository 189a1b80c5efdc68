// Vocabularies over HTTP (R6a, R37): types, entries by words or by what somebody has begun to write, one entry, and the
// separate addresses that affiliations, funders, awards, subjects and names have, in the dialect clients of existing
// record repositories speak. Guests may ask.
import { type Static, Type } from "@sinclair/typebox";
import { hitsShape, type QueryReader } from "../../../src/model/input/list-parameters.ts";
import { type FieldError, invalidRecord } from "../../../src/model/input/record-refusals.ts";
import {
  type FoundVocabulary,
  VOCABULARY_PAGE,
  type VocabularyReading,
  type VocabularySearch,
} from "../../../src/repository/vocabularies/vocabulary-reading.ts";
import {
  AnyEntry,
  localizedItem,
  OWN_ENTRIES,
  OWN_SHAPES,
  type OwnShape,
  type VocabularyItem,
} from "../../../src/repository/vocabularies/vocabulary-shapes.ts";
import { sha256Hex } from "../../../src/shared/hash/digests.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { answerWith, JSON_TYPE } from "../../http/answer.ts";
import { type EndpointGroup, type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { recordGroup } from "../record-dialect.ts";

type Services = {
  readonly vocabularies: VocabularyReading;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

/**
 * Responses that are the same for everybody may be stored by shared caches, for a short time: new entries appear late.
 */
const KEPT = "public, max-age=60";
/** Clients that display labels request this type, and get the title in their language with the others. */
const RENDERED = "application/vnd.inveniordm.v1+json";

const GROUP: EndpointGroup = {
  ...recordGroup({
    name: "vocabularies",
    tag: "Vocabularies",
    access: "guests",
    scopes: [],
    pathParameters: { type: "Id of the vocabulary", id: "Id of the entry" },
  }),
  answerWith: (body, _status, _headers, request) => kept(request, body),
};

const TypeList = hitsShape(
  Type.Object({
    id: Type.String(),
    pid_type: Type.String(),
    count: Type.Integer({ description: "Entries; of names as of a minute ago at the most" }),
    is_custom_vocabulary: Type.Boolean({ description: "It has a separate address and shape" }),
    links: Type.Object({ self: Type.String() }),
  }),
  "VocabularyTypeList",
);
const EntryList = hitsShape(AnyEntry, "VocabularyEntryList");

const headers = {
  ETag: { description: "Of the answer", schema: { type: "string" } },
  "Cache-Control": { description: KEPT, schema: { type: "string" } },
};
const also = { 304: { description: "The client has it", schema: null, headers } };
const found = { status: 200, description: "What was found", headers };
const entry = { status: 200, description: "The entry", headers };

const parameter = (name: string, description: string, schema = Type.String()) => ({ name, description, schema });
const TYPE_QUERY: QueryReader<string> = {
  parameters: [parameter("q", "A part of the id")],
  read: (sent) => sent.get("q")?.toLowerCase() ?? "",
};
const ENTRY_QUERY: QueryReader<VocabularySearch> = {
  parameters: [
    parameter("suggest", "The beginning of an entry: each word begins a word of the id or of a title"),
    parameter("q", "Words that are all in it; one that ends with * begins one. Not together with suggest"),
    parameter("tags", "Entries with all of these tags, between commas"),
    parameter("sort", "bestmatch, title (name, subject), newest, oldest"),
    { name: "page", description: "From 1", schema: Type.Integer({ minimum: 1, default: 1 }) },
    {
      name: "size",
      description: "Entries a page, 1,000 at the most",
      schema: Type.Integer({ minimum: 1, default: VOCABULARY_PAGE }),
    },
  ],
  read: readQuery,
};

const { get } = endpointsOf<Services>();
const COMPARED = "Width, case and accents tell nothing apart. Guests may ask.";
const WHAT: Readonly<Record<OwnShape, string>> = {
  affiliations: "organisations (ROR)",
  awards: "awards",
  funders: "funders",
  names: "persons of the author database, without what is marked not to be shown",
  subjects: "subjects",
};
const pathOf = (type: string): string => `/vocabularies/${encodeURIComponent(type)}`;

const VOCABULARY_ENDPOINTS = [
  get("/vocabularies", {
    id: "listVocabularyTypes",
    summary: "List the vocabularies",
    description: "Each with how many entries it has. Guests may ask.",
    query: TYPE_QUERY,
    answer: { status: 200, description: "The vocabularies", schema: TypeList, headers },
    also,
    run: types,
  }),
  get("/vocabularies/:type", {
    id: "findVocabularyEntries",
    summary: "Find entries of a vocabulary",
    description: `By words, or by what somebody has begun to write; without either all of them by title. ${COMPARED}`,
    query: ENTRY_QUERY,
    answer: { ...found, schema: EntryList },
    also,
    refuses: [404],
    run: (services, { request, params: { type }, query }) => list(services, request, type, pathOf(type), query()),
  }),
  get("/vocabularies/:type/:id", {
    id: "readVocabularyItem",
    summary: "Read an entry of a vocabulary",
    description: "Its titles, and what else is known of it. Guests may ask.",
    answer: { ...entry, schema: AnyEntry },
    also,
    refuses: [404, 410],
    run: (services, { request, params: { type, id } }) => one(services, request, type, id, pathOf(type)),
  }),
  ...OWN_SHAPES.flatMap((type) => {
    // What is read of a type has the shape of that type.
    const schema = Type.Unsafe<Static<typeof AnyEntry>>(OWN_ENTRIES[type]);
    const name = `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;
    return [
      get(`/${type}`, {
        id: `find${name}`,
        summary: `Find ${type}`,
        description: `Entries of the vocabulary ${type}: ${WHAT[type]}. ${COMPARED}`,
        query: ENTRY_QUERY,
        answer: { ...found, schema: hitsShape(schema, `${OWN_ENTRIES[type].$id}List`) },
        also,
        run: (services, { request, query }) => list(services, request, type, `/${type}`, query()),
      }),
      get(`/${type}/:id`, {
        id: `readOneOf${name}`,
        summary: `Read one of the ${type}`,
        description: `One of the ${WHAT[type]}. Guests may ask.`,
        answer: { ...entry, schema },
        also,
        refuses: type === "names" ? [404, 410] : [404],
        run: (services, { request, params }) => one(services, request, type, params.id, `/${type}`),
      }),
    ];
  }),
];

export const vocabularyPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, VOCABULARY_ENDPOINTS, services, guard);

async function types({ vocabularies, baseUrl }: Services, { query }: { readonly query: () => string }) {
  const api = `${baseUrl}/api`;
  const sought = query();
  const all = (await vocabularies.types()).filter(({ id }) => id.includes(sought));
  const hits = all.map(({ id, count, isCustom }) => ({
    id,
    pid_type: PID_TYPES[id] ?? id,
    count,
    is_custom_vocabulary: isCustom,
    links: { self: isCustom ? `${api}/${id}` : api + pathOf(id) },
  }));
  const links = { self: `${api}/vocabularies/?page=1&size=${VOCABULARY_PAGE}&sort=id` };
  return { hits: { hits, total: hits.length }, sortBy: "id", links };
}

async function list(
  { vocabularies, baseUrl }: Services,
  request: Request,
  type: string,
  path: string,
  asked: VocabularySearch,
) {
  const address = `${baseUrl}/api${path}`;
  const page = await vocabularies.search(type, asked);
  return {
    hits: { hits: page.items.map((item) => shown(request, item, address)), total: page.total },
    aggregations: {},
    sortBy: page.sort,
    links: pageLinks(address, asked, page),
  };
}

async function one({ vocabularies, baseUrl }: Services, request: Request, type: string, id: string, path: string) {
  return shown(request, await vocabularies.item(type, id), `${baseUrl}/api${path}`);
}

function shown(request: Request, item: VocabularyItem, address: string): Static<typeof AnyEntry> {
  const links = { self: `${address}/${encodeURIComponent(item.id)}` };
  const isRendered = request.headers.get("accept")?.includes(RENDERED) === true;
  if (!isRendered) return { ...item, links };
  const language = wantedLanguage(request.headers.get("accept-language"), "en").split("-", 1)[0] ?? "en";
  return { ...localizedItem(item, language), links };
}

/** What the incumbent calls the identifiers of each type. */
const PID_TYPES: Readonly<Record<string, string>> = {
  affiliations: "aff",
  awards: "awa",
  communitytypes: "comtyp",
  contributorsroles: "cor",
  creatorsroles: "crr",
  datetypes: "dat",
  descriptiontypes: "dty",
  funders: "fun",
  languages: "lng",
  licenses: "lic",
  names: "names",
  relationtypes: "rlt",
  removalreasons: "rem",
  resourcetypes: "rsrct",
  subjects: "sub",
  titletypes: "ttyp",
} satisfies Readonly<Record<OwnShape, string>> & Readonly<Record<string, string>>;

/** The body with its tag, or 304. */
function kept(request: Request, body: unknown): Response {
  const text = JSON.stringify(body);
  const etag = `"${sha256Hex(text).slice(0, 32)}"`;
  const headers = new Headers({ etag, "cache-control": KEPT, vary: "Accept, Accept-Language" });
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  headers.set("content-type", JSON_TYPE);
  return answerWith(request, text, { status: 200, headers });
}

/** Unknown parameters are ignored. @throws Refusal `invalid` */
function readQuery(sent: URLSearchParams): VocabularySearch {
  const text = (name: string): string | undefined => sent.get(name) ?? undefined;
  const problems: FieldError[] = [];
  const whole = (name: string): number | undefined => {
    const value = sent.get(name);
    if (value === null || value === "") return undefined;
    if (!/^-?\d{1,9}$/.test(value)) problems.push({ field: name, messages: ["Not a valid integer."] });
    else if (Number(value) < 1) problems.push({ field: name, messages: ["Must be greater than or equal to 1."] });
    return Number(value);
  };
  const [page, size] = [whole("page"), whole("size")];
  if (problems.length > 0) throw invalidRecord(problems);
  const tags = sent.getAll("tags").join(",");
  return {
    q: text("q"),
    suggest: text("suggest"),
    sort: text("sort"),
    tags,
    ...(page === undefined ? {} : { page }),
    ...(size === undefined ? {} : { size }),
  };
}

/** Where this page, the one before and the next are; what was asked is repeated in the order of the names. */
function pageLinks(address: string, asked: VocabularySearch, { total, page, size, sort }: FoundVocabulary) {
  const at = (number: number): string => {
    const members = { page: number, q: asked.q, size, sort, suggest: asked.suggest, tags: asked.tags };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(members)) {
      if (value !== undefined && value !== "") query.set(name, String(value));
    }
    return `${address}?${query}`;
  };
  return {
    self: at(page),
    ...(page > 1 ? { prev: at(page - 1) } : {}),
    ...(page * size < total ? { next: at(page + 1) } : {}),
  };
}
