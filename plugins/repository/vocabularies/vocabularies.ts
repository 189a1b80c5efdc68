// Vocabularies over HTTP (R6a, R37): types, entries by words or by what somebody has begun to write, one entry, and the
// separate addresses that affiliations, funders, awards, subjects and names have, in the dialect clients of existing
// record repositories speak. Guests may ask.
import { Elysia } from "elysia";
import { invalidRecord } from "../../../src/model/input/record-refusals.ts";
import {
  type FoundVocabulary,
  VOCABULARY_PAGE,
  type VocabularyReading,
  type VocabularySearch,
} from "../../../src/repository/vocabularies/vocabulary-reading.ts";
import {
  localizedItem,
  OWN_SHAPES,
  type OwnShape,
  type VocabularyItem,
} from "../../../src/repository/vocabularies/vocabulary-shapes.ts";
import { sha256Hex } from "../../../src/shared/hash/digests.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { answerWith, JSON_TYPE, queryOf } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordDialect } from "../record-dialect.ts";
import * as detail from "./document.ts";

export type VocabularyPluginNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyoneOrGuest">;
  readonly vocabularies: VocabularyReading;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "vocabularies";
/**
 * Responses that are the same for everybody may be stored by shared caches, for a short time: new entries appear late.
 */
const KEPT = "public, max-age=60";
/** Clients that display labels request this type, and get the title in their language with the others. */
const RENDERED = "application/vnd.inveniordm.v1+json";

export const vocabularyPlugin = ({ guard, vocabularies, baseUrl }: VocabularyPluginNeeds) => {
  const api = `${baseUrl}/api`;

  async function types(request: Request): Promise<Response> {
    await guard.anyoneOrGuest(request, GROUP, []);
    const sought = new URLSearchParams(queryOf(request)).get("q")?.toLowerCase() ?? "";
    const all = (await vocabularies.types()).filter(({ id }) => id.includes(sought));
    const hits = all.map(({ id, count, isCustom }) => ({
      id,
      pid_type: PID_TYPES[id] ?? id,
      count,
      is_custom_vocabulary: isCustom,
      links: { self: isCustom ? `${api}/${id}` : `${api}/vocabularies/${id}` },
    }));
    const links = { self: `${api}/vocabularies/?page=1&size=${VOCABULARY_PAGE}&sort=id` };
    return await kept(request, { hits: { hits, total: hits.length }, sortBy: "id", links });
  }

  async function list(request: Request, type: string, path: string): Promise<Response> {
    await guard.anyoneOrGuest(request, GROUP, []);
    const asked = readQuery(request);
    const found = await vocabularies.search(type, asked);
    return await kept(request, {
      hits: { hits: found.items.map((item) => shown(request, item, path)), total: found.total },
      aggregations: {},
      sortBy: found.sort,
      links: pageLinks(api + path, asked, found),
    });
  }

  async function one(request: Request, type: string, id: string, path: string): Promise<Response> {
    await guard.anyoneOrGuest(request, GROUP, []);
    return await kept(request, shown(request, await vocabularies.item(type, id), path));
  }

  function shown(request: Request, item: VocabularyItem, path: string): VocabularyItem {
    const linked = { ...item, links: { self: `${api}${path}/${encodeURIComponent(item.id)}` } };
    const isRendered = request.headers.get("accept")?.includes(RENDERED) === true;
    if (!isRendered) return linked;
    return localizedItem(linked, wantedLanguage(request.headers.get("accept-language"), "en").split("-", 1)[0] ?? "en");
  }

  const app = new Elysia({ name: "vocabularies", prefix: "/api" })
    .use(errors(recordDialect))
    .get("/vocabularies", ({ request }) => types(request), { detail: detail.TYPES })
    .get("/vocabularies/", ({ request }) => types(request), { detail: { hide: true } })
    .get(
      "/vocabularies/:type",
      ({ request, params: { type } }) => list(request, type, `/vocabularies/${encodeURIComponent(type)}`),
      { detail: detail.LIST },
    )
    .get(
      "/vocabularies/:type/:id",
      ({ request, params: { type, id } }) => one(request, type, id, `/vocabularies/${encodeURIComponent(type)}`),
      { detail: detail.ITEM },
    );
  for (const type of OWN_SHAPES) {
    app.get(`/${type}`, ({ request }) => list(request, type, `/${type}`), { detail: detail.ownList(type) });
    app.get(`/${type}/:id`, ({ request, params }) => one(request, type, idIn(params), `/${type}`), {
      detail: detail.ownItem(type),
    });
  }
  return app;
};

const idIn = (params: Readonly<Record<string, string>>): string => params.id ?? "";

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
async function kept(request: Request, body: object): Promise<Response> {
  const text = JSON.stringify(body);
  const etag = `"${sha256Hex(text).slice(0, 32)}"`;
  const headers = new Headers({ etag, "cache-control": KEPT, vary: "Accept, Accept-Language" });
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  headers.set("content-type", JSON_TYPE);
  return answerWith(request, text, { status: 200, headers });
}

/** The query; unknown parameters are ignored. @throws invalid */
function readQuery(request: Request): VocabularySearch {
  const sent = new URLSearchParams(queryOf(request));
  const text = (name: string): string | undefined => sent.get(name) ?? undefined;
  const problems: { field: string; messages: string[] }[] = [];
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
