// The Typesense servers through their official client: several nodes, short time limits for waiting callers, and errors
// without secrets (the client's own carry the whole request).
import { Client } from "typesense";
import type { CollectionCreateSchema } from "typesense/lib/Typesense/Collections";
import { IndexUnavailable } from "../../repository/search/index/index-port.ts";
import { isObject } from "../../shared/objects.ts";
import { inTime } from "../../shared/time/event-loop.ts";

export type Members = { readonly [name: string]: unknown };
export type Search = Readonly<Record<string, string | number | boolean>>;

export type SearchResult = {
  readonly found: number;
  readonly outOf: number;
  /** The collection that answered, behind whatever alias. */
  readonly collection: string;
  readonly documents: readonly Members[];
  readonly counts: readonly (readonly { readonly value: string; readonly count: number }[])[];
};

/** Patience in seconds: a request waits (tries × patience) at most; a write may take what it takes. */
const READING_SECONDS = 2;
const WRITING_SECONDS = 120;
const RETRY_SECONDS = 0.05;
/** Searches in one request. */
const MAX_SEARCHES = 50;
/** The client waits for an import for ever. */
const IMPORT_MS = 600_000;

/** A refusal by Typesense of a request that had to be right. */
class TypesenseRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const isMissing = (error: unknown): boolean => error instanceof TypesenseRefusal && error.status === 404;
export const isThere = (error: unknown): boolean => error instanceof TypesenseRefusal && error.status === 409;

/** Addresses without names and passwords in them. */
const addressesOf = (urls: readonly string[]): string => urls.map((url) => URL.parse(url)?.host ?? "?").join(", ");

/** Anything the client throws, without the request it carries along. */
function problemOf(error: unknown, place: string): Error {
  if (error instanceof IndexUnavailable || error instanceof TypesenseRefusal) return error;
  const { httpStatus, message, code } = isObject(error) ? (error as Members) : {};
  if (typeof httpStatus !== "number") {
    const reason = typeof code === "string" ? code : String(message);
    return new IndexUnavailable(`Typesense at ${place} (SVC_TYPESENSE_URL) cannot be reached: ${reason}`);
  }
  if (httpStatus === 401 || httpStatus === 403) {
    return new IndexUnavailable(`Typesense at ${place} refuses the key in SVC_TYPESENSE_API_KEY`);
  }
  if (httpStatus >= 500) return new IndexUnavailable(`Typesense at ${place} is not ready: it answered ${httpStatus}`);
  return new TypesenseRefusal(httpStatus, `Typesense answered ${httpStatus}: ${String(message).slice(0, 300)}`);
}

const numberIn = (value: unknown): number => (typeof value === "number" ? value : 0);
const listIn = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isObject) : []);

function readResult(result: Members, place: string): SearchResult {
  if (typeof result.code === "number") {
    throw problemOf({ httpStatus: result.code, message: result.error }, place);
  }
  // Total and facets of a search that was cut off in time are of what it had seen by then.
  if (result.search_cutoff === true) throw new IndexUnavailable("Typesense did not finish a search in time");
  const { request_params: parameters } = result;
  return {
    found: numberIn(result.found),
    outOf: numberIn(result.out_of),
    collection: isObject(parameters) ? String(parameters.collection_name) : "",
    documents: listIn(result.hits).map(({ document }) => (isObject(document) ? document : {})),
    counts: listIn(result.facet_counts).map(({ counts }) =>
      listIn(counts).map(({ value, count }) => ({ value: String(value), count: numberIn(count) })),
    ),
  };
}

export type ServerNeeds = { readonly urls: readonly string[]; readonly apiKey: string };

function clientOf(nodes: readonly string[], apiKey: string, patience: number): Client {
  return new Client({
    nodes: nodes.map((url) => ({ url })),
    apiKey,
    connectionTimeoutSeconds: patience,
    numRetries: nodes.length,
    retryIntervalSeconds: RETRY_SECONDS,
    healthcheckIntervalSeconds: 10,
    // Its words hold addresses and requests; what matters is thrown.
    logLevel: "silent",
  });
}

export class TypesenseServer {
  /** The servers as errors name them. */
  readonly #place: string;
  readonly #reader: Client;
  readonly #writer: Client;
  /** A client for each node. */
  readonly #nodes: readonly Client[];

  constructor({ urls, apiKey }: ServerNeeds) {
    this.#place = addressesOf(urls);
    this.#reader = clientOf(urls, apiKey, READING_SECONDS);
    this.#writer = clientOf(urls, apiKey, WRITING_SECONDS);
    this.#nodes = urls.map((url) => clientOf([url], apiKey, READING_SECONDS));
  }

  /** Answers in the order of the searches, always by POST: a query in an address may have at most 4,000 bytes. */
  async search(searches: readonly Search[]): Promise<SearchResult[]> {
    const results: SearchResult[] = [];
    for (let at = 0; at < searches.length; at += MAX_SEARCHES) {
      const portion = searches.slice(at, at + MAX_SEARCHES);
      // The types of the client know only the parameters of its version.
      const body = { searches: portion } as unknown as Parameters<Client["multiSearch"]["perform"]>[0];
      const answer: unknown = await this.#call(() => this.#reader.multiSearch.perform(body, {}));
      const all = isObject(answer) ? listIn(answer.results) : [];
      if (all.length !== portion.length) throw new IndexUnavailable("Typesense answered fewer searches than were sent");
      results.push(...all.map((result) => readResult(result, this.#place)));
    }
    return results;
  }

  /** The lines go in whole or this throws; lines are documents of JSON. */
  async importLines(
    collection: string,
    lines: readonly string[],
    action: "upsert" | "update" = "upsert",
  ): Promise<void> {
    if (lines.length === 0) return;
    const work = this.#call(() =>
      this.#writer.collections(collection).documents().import(lines.join("\n"), { action }),
    );
    const answer = await inTime(work, IMPORT_MS, () => {
      throw new IndexUnavailable("Typesense did not finish an import in time");
    });
    const results = String(answer).split("\n");
    const failed = results.map((line): Members => JSON.parse(line)).find(({ success }) => success !== true);
    if (failed !== undefined)
      throw new TypesenseRefusal(numberIn(failed.code), `Typesense refused a document: ${String(failed.error)}`);
    if (results.length !== lines.length)
      throw new IndexUnavailable("Typesense answered fewer documents than were sent");
  }

  /** What each node knows of a document; null where it is away or does not have it. */
  onEachNode(collection: string, id: string): Promise<(Members | null)[]> {
    return Promise.all(
      this.#nodes.map(async (node) => {
        try {
          return (await node.collections(collection).documents(id).retrieve()) as Members;
        } catch {
          return null;
        }
      }),
    );
  }

  deleteDocuments(collection: string, filter: string): Promise<unknown> {
    return this.#call(() => this.#writer.collections(collection).documents().delete({ filter_by: filter }));
  }

  create(schema: CollectionCreateSchema): Promise<unknown> {
    return this.#call(() => this.#writer.collections().create(schema));
  }

  drop(collection: string): Promise<unknown> {
    return this.#call(() => this.#writer.collections(collection).delete());
  }

  count(collection: string): Promise<number> {
    return this.#call(async () => (await this.#reader.collections(collection).retrieve()).num_documents);
  }

  names(): Promise<string[]> {
    return this.#call(async () => (await this.#reader.collections().retrieve()).map(({ name }) => name));
  }

  aliasTarget(alias: string): Promise<string> {
    return this.#call(async () => (await this.#reader.aliases(alias).retrieve()).collection_name);
  }

  setAlias(alias: string, collection: string): Promise<unknown> {
    return this.#call(() => this.#writer.aliases().upsert(alias, { collection_name: collection }));
  }

  snapshot(): Promise<unknown> {
    return this.#call(() => this.#writer.operations.perform("snapshot", {}));
  }

  async #call<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      throw problemOf(error, this.#place);
    }
  }
}

/** Why a collection is not asked: it is not there. */
export async function orUnavailable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) throw new IndexUnavailable("The index in Typesense is not built, or was taken away");
    throw error;
  }
}

export async function orNull<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
