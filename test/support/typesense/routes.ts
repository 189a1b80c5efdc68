// The calls of a Typesense server that were recorded, each by method and path, with the queries they were seen with.
import type { Collection, WriteAction } from "./collection.ts";
import { parseExact, writeExact } from "./exact-json.ts";
import { readFilter } from "./filter.ts";
import { listOf, readParameters } from "./parameters.ts";
import { searchAnswer, searched, unionAnswer } from "./search.ts";
import { asDocument, type Caller, FORBIDDEN, isMembers, type Members, type Store } from "./store.ts";
import { Refused, unseen } from "./unseen.ts";

export type Asked = {
  readonly method: string;
  /** The parts of the path, decoded. */
  readonly path: readonly string[];
  readonly search: string;
  readonly query: { readonly [name: string]: string };
  readonly body: string;
  readonly caller: Caller;
};

export type Answer = { readonly status: number; readonly type: string; readonly text: string };

const JSON_TYPE = "application/json; charset=utf-8";
const json = (value: unknown, status = 200, type = JSON_TYPE): Answer => ({ status, type, text: writeExact(value) });
const lines = (all: readonly unknown[]): Answer => ({
  status: 200,
  type: "text/plain; charset=utf-8",
  text: all.map(writeExact).join("\n"),
});

/** What changes much at once answers without a charset. */
const BARE_JSON = "application/json";

const MAX_QUERY_BYTES = 4000;
const MAX_SEARCHES = 50;

function bodyOf({ body }: Asked): Members {
  try {
    const value = parseExact(body);
    if (isMembers(value)) return value;
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refused(400, "Bad JSON.");
    throw error;
  }
  return unseen("a body that is not an object");
}

function onlyQuery({ query }: Asked, names: readonly string[]): void {
  for (const name of Object.keys(query)) if (!names.includes(name)) unseen(`"${name}=${query[name]}" in this call`);
}

const described = (one: Collection): object => ({ ...one.schema, num_documents: one.documents().length });

/** May this caller search here? Keys other than the first were seen to search only, in the collections they name. */
function admit({ key }: Caller, action: string, collection: string): void {
  if (key === null) return;
  const isNamed = key.collections.some((pattern) => new RegExp(`^${pattern}$`).test(collection));
  if (!key.actions.includes(action) || !isNamed) throw new Refused(401, FORBIDDEN);
}

function surroundings(store: Store, name: string, stopwords = "") {
  return {
    overrides: store.overrides.get(name) ?? [],
    synonyms: store.synonyms.get(name) ?? [],
    stopwords: store.stopwords.get(stopwords) ?? new Set<string>(),
  };
}

function parametersOf(store: Store, input: Members, { embedded }: Caller) {
  const preset = typeof input.preset === "string" ? store.presets.get(input.preset) : undefined;
  return readParameters({ ...preset, ...input, ...embedded });
}

function oneSearch(store: Store, name: string, input: Members, caller: Caller): object {
  admit(caller, "documents:search", name);
  const found = store.collection(name);
  const parameters = parametersOf(store, input, caller);
  return searchAnswer(found, parameters, surroundings(store, found.schema.name, parameters.stopwords));
}

function multiSearch(store: Store, asked: Asked): Answer {
  const { searches, union, remove_duplicates: _, ...others } = bodyOf(asked);
  for (const other of Object.keys(others)) unseen(`"${other}" in addition to searches`);
  if (searches === undefined) throw new Refused(400, "Missing `searches` array.");
  if (!Array.isArray(searches)) unseen("searches that are not a list");
  if (searches.length === 0) throw new Refused(500, "Embedded params parsing error.");
  if (searches.length > MAX_SEARCHES)
    throw new Refused(400, "Number of multi searches exceeds `limit_multi_searches` parameter.");
  const whole = searches.map((search) => ({ ...asked.query, ...search }));
  if (union === true) {
    const all = whole.map(({ collection, ...input }) => {
      const found = store.collection(String(collection));
      return searched(found, parametersOf(store, input, asked.caller), surroundings(store, found.schema.name));
    });
    return json(unionAnswer(all, Number(asked.query.per_page ?? 10)));
  }
  const results = whole.map(({ collection, ...input }) => {
    try {
      return oneSearch(store, String(collection), input, asked.caller);
    } catch (error) {
      if (error instanceof Refused) return { code: error.status, error: error.message };
      throw error;
    }
  });
  return json({ results });
}

const ACTIONS: readonly string[] = ["create", "update", "upsert", "emplace"];
const isAction = (text: string): text is WriteAction => ACTIONS.includes(text);

/** nlohmann's words for a line such as `{bad json`; other broken lines were not seen. */
function brokenLine(line: string): string {
  const [, read] = /^(\{[a-z])/.exec(line) ?? unseen(`the broken line ${line.slice(0, 40)}`);
  const where =
    "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing object key";
  return `Bad JSON: ${where} - invalid literal; last read: '${read}'; expected string literal`;
}

function importLine(found: Collection, line: string, action: WriteAction, query: Asked["query"], lastId: unknown) {
  let id = lastId;
  try {
    let input: unknown;
    try {
      input = parseExact(line);
    } catch {
      throw new Refused(400, brokenLine(line));
    }
    const document = asDocument(input);
    id = document.id;
    const stored = found.put(document, action, query.dirty_values === "coerce_or_reject");
    return {
      id,
      echoed: {
        ...(query.return_doc === "true" ? { document: stored.document } : {}),
        ...(query.return_id === "true" ? { id } : {}),
        success: true,
      },
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const named = query.return_id === "true" ? { id } : {};
    return { id, echoed: { code: error.status, error: error.message, ...named, success: false } };
  }
}

function importDocuments(store: Store, asked: Asked, name: string): Answer {
  onlyQuery(asked, ["action", "return_id", "return_doc", "dirty_values", "batch_size", "throwOnFail"]);
  const { action = "create", batch_size: batch } = asked.query;
  if (!isAction(action)) throw new Refused(400, "Parameter `action` must be a create|update|upsert.");
  if (batch !== undefined && !/^[1-9]\d*$/.test(batch)) {
    throw new Refused(400, "Parameter `batch_size` must be a positive integer.");
  }
  const found = store.collection(name);
  const echoed: unknown[] = [];
  let lastId: unknown;
  for (const line of asked.body.split(/\r?\n/)) {
    if (line.trim() === "") continue;
    const done = importLine(found, line, action, asked.query, lastId);
    lastId = done.id;
    echoed.push(done.echoed);
  }
  return lines(echoed);
}

function filtered(store: Store, { query }: Asked, name: string) {
  const found = store.collection(name);
  const matches = readFilter(query.filter_by ?? "", found);
  return { found, hits: found.documents().filter((stored) => matches(stored) > 0) };
}

function exported(store: Store, asked: Asked, name: string): Answer {
  onlyQuery(asked, ["filter_by", "include_fields"]);
  const fields = listOf(asked.query.include_fields);
  const { hits } = filtered(store, asked, name);
  return lines(
    hits.map(({ document }) =>
      fields.length === 0
        ? document
        : Object.fromEntries(Object.entries(document).filter(([field]) => fields.includes(field))),
    ),
  );
}

function deleteByQuery(store: Store, asked: Asked, name: string): Answer {
  onlyQuery(asked, ["filter_by", "batch_size", "truncate"]);
  const isAll = asked.query.truncate === "true";
  if (!isAll && asked.query.filter_by === undefined) throw new Refused(400, "Parameter `filter_by` must be provided.");
  const { found, hits } = filtered(store, asked, name);
  for (const { id } of hits) found.delete(id);
  return json({ num_deleted: hits.length }, 200, BARE_JSON);
}

function updateByQuery(store: Store, asked: Asked, name: string): Answer {
  onlyQuery(asked, ["filter_by"]);
  if (asked.query.filter_by === undefined) unseen("an update of everything");
  const { found, hits } = filtered(store, asked, name);
  const input = asDocument(bodyOf(asked));
  for (const { id } of hits) found.put({ ...input, id }, "update");
  return json({ num_updated: hits.length });
}

function deleteOne(store: Store, asked: Asked, name: string, id: string): Answer {
  onlyQuery(asked, ["ignore_not_found"]);
  const found = store.collection(name);
  if (asked.query.ignore_not_found === "true" && !found.has(id)) return json({ id });
  const { document } = found.get(id);
  found.delete(id);
  return json(document);
}

function writeOne(store: Store, asked: Asked, name: string): Answer {
  onlyQuery(asked, ["action"]);
  const { action = "create" } = asked.query;
  admit(asked.caller, `documents:${action}`, name);
  if (!isAction(action)) unseen(`the action ${action}`);
  return json(store.collection(name).put(asDocument(bodyOf(asked)), action).document, 201);
}

const NO_EXPIRY = 64_723_363_199;

type Route = readonly [method: string, path: string, run: (store: Store, asked: Asked, ...names: string[]) => Answer];

const keyAnswer = ({ id, actions, collections, description }: ReturnType<Store["addKey"]>) => ({
  actions,
  autodelete: false,
  collections,
  description,
  expires_at: NO_EXPIRY,
  id,
});
const aliasAnswer = (name: string, target: string): object => ({ collection_name: target, name });

const MEMORY =
  "active_bytes allocated_bytes fragmentation_ratio mapped_bytes metadata_bytes resident_bytes retained_bytes";
const SYSTEM =
  "cpu1_active_percentage cpu2_active_percentage cpu_active_percentage disk_total_bytes disk_used_bytes memory_total_bytes memory_total_swap_bytes memory_used_bytes memory_used_swap_bytes network_received_bytes network_sent_bytes";
const METRICS = Object.fromEntries([
  ...SYSTEM.split(" ").map((name) => [`system_${name}`, "0"]),
  ...MEMORY.split(" ").map((name) => [`typesense_memory_${name}`, "0"]),
]);
const RATES =
  "cache_hit_ratio delete_latency_ms delete_requests_per_second import_latency_ms import_requests_per_second overloaded_requests_per_second pending_write_batches search_latency_ms search_requests_per_second total_requests_per_second write_latency_ms write_requests_per_second";
const STATS = {
  ...Object.fromEntries(RATES.split(" ").map((name) => [name, 0])),
  latency_ms: {},
  requests_per_second: {},
};

const ROUTES: readonly Route[] = [
  ["GET", "debug", () => json({ state: 1, version: "29.0" })],
  ["GET", "metrics.json", () => json(METRICS)],
  ["GET", "stats.json", () => json(STATS)],
  ["POST", "operations/cache/clear", () => json({ success: true })],
  ["POST", "operations/snapshot", () => json({ success: true }, 201, BARE_JSON)],
  ["POST", "multi_search", multiSearch],
  ["GET", "collections", (store) => json(store.collections().map(described))],
  ["POST", "collections", (store, asked) => json(described(store.create(bodyOf(asked))), 201)],
  ["GET", "collections/*", (store, _, name = "") => json(described(store.collection(name)))],
  ["DELETE", "collections/*", (store, _, name = "") => json(described(store.drop(name)))],
  ["PATCH", "collections/*", (store, asked, name = "") => json({ fields: store.patch(name, bodyOf(asked)) })],
  ["POST", "collections/*/documents", (store, asked, name = "") => writeOne(store, asked, name)],
  ["PATCH", "collections/*/documents", (store, asked, name = "") => updateByQuery(store, asked, name)],
  ["DELETE", "collections/*/documents", (store, asked, name = "") => deleteByQuery(store, asked, name)],
  ["POST", "collections/*/documents/import", (store, asked, name = "") => importDocuments(store, asked, name)],
  ["GET", "collections/*/documents/export", (store, asked, name = "") => exported(store, asked, name)],
  [
    "GET",
    "collections/*/documents/search",
    (store, { search, query, caller }, name = "") => {
      if (search.length - 1 > MAX_QUERY_BYTES) {
        const hint = "Use the /multi_search end-point for larger payloads.";
        throw new Refused(400, `Query string exceeds max allowed length of ${MAX_QUERY_BYTES}. ${hint}`);
      }
      return json(oneSearch(store, name, query, caller));
    },
  ],
  ["GET", "collections/*/documents/*", (store, _, name = "", id = "") => json(store.collection(name).get(id).document)],
  ["DELETE", "collections/*/documents/*", (store, asked, name = "", id = "") => deleteOne(store, asked, name, id)],
  [
    "PATCH",
    "collections/*/documents/*",
    (store, asked, name = "", id = "") =>
      json(store.collection(name).put({ ...asDocument(bodyOf(asked)), id }, "update").document),
  ],
  [
    "PUT",
    "collections/*/overrides/*",
    (store, asked, name = "", id = "") => {
      const { rule, includes, ...others } = bodyOf(asked);
      const isKnown = isMembers(rule) && rule.match === "exact" && Array.isArray(includes);
      if (!isKnown || Object.keys(others).length > 0) unseen("such an override");
      const all = store.overrides.get(name) ?? [];
      store.overrides.set(name, [...all, { query: String(rule.query), includes }]);
      return json({ id, includes, rule });
    },
  ],
  [
    "PUT",
    "collections/*/synonyms/*",
    (store, asked, name = "", id = "") => {
      const { synonyms, ...others } = bodyOf(asked);
      if (!Array.isArray(synonyms) || Object.keys(others).length > 0) unseen("such synonyms");
      store.synonyms.set(name, [...(store.synonyms.get(name) ?? []), synonyms.map(String)]);
      return json({ id, synonyms });
    },
  ],
  ["GET", "aliases", (store) => json({ aliases: store.aliases().map(([name, target]) => aliasAnswer(name, target)) })],
  ["GET", "aliases/*", (store, _, name = "") => json(aliasAnswer(name, store.alias(name)))],
  ["DELETE", "aliases/*", (store, _, name = "") => json(aliasAnswer(name, store.dropAlias(name)))],
  [
    "PUT",
    "aliases/*",
    (store, asked, name = "") => {
      const target = String(bodyOf(asked).collection_name);
      store.setAlias(name, target);
      return json(aliasAnswer(name, target));
    },
  ],
  [
    "GET",
    "keys",
    (store) => json({ keys: store.keys().map((key) => ({ ...keyAnswer(key), value_prefix: key.value.slice(0, 4) })) }),
  ],
  [
    "POST",
    "keys",
    (store, asked) => {
      const key = store.addKey(bodyOf(asked));
      return json({ ...keyAnswer(key), value: key.value }, 201);
    },
  ],
  [
    "DELETE",
    "keys/*",
    (store, _, id = "") => {
      store.dropKey(Number(id));
      return json({ id: Number(id) });
    },
  ],
  [
    "PUT",
    "presets/*",
    (store, asked, name = "") => {
      const { value } = bodyOf(asked);
      store.presets.set(name, isMembers(value) ? value : unseen("such a preset"));
      return json({ name, value });
    },
  ],
  [
    "PUT",
    "stopwords/*",
    (store, asked, id = "") => {
      const { stopwords, locale } = bodyOf(asked);
      store.stopwords.set(id, new Set(Array.isArray(stopwords) ? stopwords.map(String) : unseen("such stopwords")));
      return json({ id, locale, stopwords });
    },
  ],
];

/** Paths a 29.0 answers with 404; whatever else is not in the table was not seen. */
const NO_PATHS: readonly string[] = ["", "nope", "synonym_sets/set1", "curation_sets/cur1"];

function namesIn(pattern: string, path: readonly string[]): string[] | null {
  const parts = pattern.split("/");
  if (parts.length !== path.length) return null;
  return parts.every((part, at) => part === "*" || part === path[at])
    ? path.filter((_, at) => parts[at] === "*")
    : null;
}

export function routed(store: Store, asked: Asked): Answer {
  const path = asked.path.join("/");
  if (NO_PATHS.includes(path)) return { status: 404, type: JSON_TYPE, text: '{ "message": "Not Found"}' };
  for (const [method, pattern, run] of ROUTES) {
    const names = method === asked.method ? namesIn(pattern, asked.path) : null;
    if (names !== null) return run(store, asked, ...names);
  }
  return unseen(`${asked.method} /${path}`);
}
