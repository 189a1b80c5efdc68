// Words of keys, as they were a moment ago (R28).
import type { Key, SearchDocument } from "../../repository/search/document/document.ts";
import { IndexUnavailable } from "../../repository/search/index/index-port.ts";
import { type CollectionStates, KNOWN_MS } from "./collection-states.ts";
import { labelsOf } from "./collections.ts";
import { PAGE } from "./exact-search.ts";
import type { IndexNeeds } from "./known-collections.ts";
import { orUnavailable } from "./server.ts";

const MAX_KNOWN_LABELS = 50_000;

export class KnownLabels {
  readonly #server: IndexNeeds["server"];
  readonly #nowMs: IndexNeeds["nowMs"];
  readonly #state: CollectionStates;
  #known = new Map<Key, { readonly at: number; readonly label: string }>();
  #knownOf = "";

  constructor({ server, nowMs }: IndexNeeds, state: CollectionStates) {
    this.#server = server;
    this.#nowMs = nowMs;
    this.#state = state;
  }

  async of(collection: string, keys: readonly Key[]): Promise<ReadonlyMap<Key, string>> {
    if (this.#knownOf !== collection) this.#known = new Map();
    this.#knownOf = collection;
    const missing = [...new Set(keys)].filter(
      (key) => this.#nowMs() - (this.#known.get(key)?.at ?? Number.NEGATIVE_INFINITY) > KNOWN_MS,
    );
    if (missing.length > 0) await this.#load(collection, missing);
    return new Map(keys.map((key) => [key, this.#known.get(key)?.label ?? ""]));
  }

  forget(documents: readonly SearchDocument[]): void {
    for (const { labels } of documents) for (const key of Object.keys(labels)) this.#known.delete(key);
  }

  forgetAll(): void {
    this.#known = new Map();
  }

  async #load(collection: string, keys: readonly Key[]): Promise<void> {
    const portions = Array.from({ length: Math.ceil(keys.length / PAGE) }, (_, at) =>
      keys.slice(at * PAGE, (at + 1) * PAGE),
    );
    const results = await orUnavailable(
      this.#server.search(
        portions.map((some) => ({
          collection: labelsOf(collection),
          q: "*",
          filter_by: `id:[${some.join(",")}]`,
          include_fields: "id,label",
          per_page: PAGE,
        })),
      ),
    );
    const least = await this.#state.labels(collection);
    if (results.some(({ outOf }) => outOf < least)) {
      throw new IndexUnavailable("Typesense has not read all words of facets yet");
    }
    if (this.#known.size + keys.length > MAX_KNOWN_LABELS) this.#known = new Map();
    for (const { id, label } of results.flatMap(({ documents }) => documents)) {
      this.#known.set(String(id), { at: this.#nowMs(), label: String(label) });
    }
  }
}
