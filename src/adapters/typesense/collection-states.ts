// What is known of the collection that answers, and whether a server has all of it (R34).
import { setTimeout as sleep } from "node:timers/promises";
import { IndexUnavailable } from "../../repository/search/index/index-port.ts";
import type { SearchCollection } from "../../repository/store/search-writer.ts";
import { isObject } from "../../shared/objects.ts";
import { SEALED, stateSchema } from "./collections.ts";
import { EXACTLY, PAGE } from "./exact-search.ts";
import {
  type CollectionState,
  hasCount,
  type IndexNeeds,
  isSealed,
  ownCollections,
  recordOf,
} from "./known-collections.ts";
import { isThere, type Members, orNull, orUnavailable, type Search, type SearchResult } from "./server.ts";

/** What is known of the collection is read again after this. */
export const KNOWN_MS = 5000;
/** How long a server may take to read its documents after a start before they are taken for lost. */
const SETTLING_MS = 600_000;
/** The same for a server that has no index at all: it has read nothing yet, or is another one. */
const SETTLING_EMPTY_MS = 60_000;
/** How long a write waits for the other nodes to have it. */
const NODES_MS = 1000;
const NODES_POLL_MS = 20;

/** The server has not read all of its documents after a start, or has lost them. */
export class Incomplete extends IndexUnavailable {
  readonly isEmpty: boolean;
  constructor(message: string, isEmpty = false) {
    super(message);
    this.isEmpty = isEmpty;
  }
}

/** What is known of the collection that answers, and whether a server has all of it. */
export class CollectionStates {
  readonly #all: IndexNeeds;
  readonly #name: IndexNeeds["name"];
  readonly #server: IndexNeeds["server"];
  readonly #fingerprint: IndexNeeds["fingerprint"];
  readonly #nowMs: IndexNeeds["nowMs"];
  readonly #urls: IndexNeeds["urls"];
  readonly #log: IndexNeeds["log"];
  readonly #collections: IndexNeeds["collections"];
  /** The collection in which the states of collections are stored. */
  readonly #collection: string;
  #known: { readonly at: number; readonly state: CollectionState | null } | null = null;
  #incompleteSince: number | null = null;
  #isTakenForLost = false;
  #aheadSince: number | null = null;

  constructor(all: IndexNeeds) {
    this.#all = all;
    this.#name = all.name;
    this.#server = all.server;
    this.#fingerprint = all.fingerprint;
    this.#nowMs = all.nowMs;
    this.#urls = all.urls;
    this.#log = all.log;
    this.#collections = all.collections;
    this.#collection = `${this.#name}_state`;
  }

  /** Throws Incomplete. What was written between the two questions is seen by the second pair of them. */
  async read(): Promise<CollectionState | null> {
    const first = await this.#readOnce();
    const state = first instanceof Incomplete ? await this.#readOnce() : first;
    if (state instanceof Incomplete) throw state;
    this.#known = { at: this.#nowMs(), state };
    return state;
  }

  async known(): Promise<CollectionState | null> {
    return this.#known !== null && this.#known.state !== null && this.#nowMs() - this.#known.at < KNOWN_MS
      ? this.#known.state
      : this.read();
  }

  async write(state: CollectionState): Promise<void> {
    const { collection: id, documents: _, record: __, ...stored } = state;
    const line = JSON.stringify({ id, ...stored, position: JSON.stringify(state.position) });
    await orUnavailable(this.#server.importLines(this.#collection, [line]));
    this.#known = { at: this.#nowMs(), state };
  }

  /** Another text after every write that is known of here. */
  written(): string {
    return `${this.#known?.state?.collection} ${this.#known?.state?.written}`;
  }

  async make(): Promise<void> {
    try {
      await this.#server.create(stateSchema(this.#collection));
    } catch (error) {
      if (!isThere(error)) throw error;
    }
  }

  /**
   * Answers of a collection that has as many documents as our database has recorded. The number may change during a
   * search: the number known before it counts as well, and the search is sent a second time.
   */
  async trusted(search: (seals: Search) => Promise<SearchResult[]>): Promise<SearchResult[]> {
    const wholeCollections = async (): Promise<readonly SearchCollection[]> =>
      (await ownCollections(this.#all)).filter((each) => each.state === "whole");
    let records = await wholeCollections();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const [seals, ...results] = await search(this.#sealsOf(records));
      const isComplete = (): boolean =>
        results.every(({ collection: of, outOf }) => {
          const record = records.find((each) => each.name === of);
          return record !== undefined && hasCount(record, outOf) && isSealed(record, seals?.documents ?? []);
        });
      if (isComplete()) return results;
      records = await wholeCollections();
      if (isComplete()) return results;
    }
    throw new IndexUnavailable("Typesense has not read all of its documents yet");
  }

  /** The number of words of keys that a collection has at least. */
  async labels(of: string): Promise<number> {
    return (await ownCollections(this.#all)).find((each) => each.name === of)?.labels ?? 0;
  }

  /**
   * The state for a process that follows: what is not there again after a long time is lost, and the index has to be
   * built.
   */
  async settled(): Promise<CollectionState | null> {
    try {
      const now = await this.read();
      this.#incompleteSince = null;
      this.#isTakenForLost = false;
      if (now !== null) await this.#adopt(now);
      return now;
    } catch (error) {
      if (!(error instanceof Incomplete)) throw error;
      this.#incompleteSince ??= this.#nowMs();
      if (this.#nowMs() - this.#incompleteSince < (error.isEmpty ? SETTLING_EMPTY_MS : SETTLING_MS)) throw error;
      if (!this.#isTakenForLost) this.#log.error("search.typesense_lost_documents", { error: error.message });
      this.#isTakenForLost = true;
      return null;
    }
  }

  /** A search after a write is answered by any node: the nodes get a moment to receive it. */
  async reachNodes(): Promise<void> {
    const { state } = this.#known ?? {};
    if (this.#urls.length < 2 || state === undefined || state === null) return;
    const until = this.#nowMs() + NODES_MS;
    while (this.#nowMs() < until) {
      const seen = await this.#server.onEachNode(this.#collection, state.collection);
      if (seen.every((node) => node === null || Number(node.written) >= state.written)) return;
      await sleep(NODES_POLL_MS);
    }
  }

  #readState({ collection: target, outOf }: SearchResult, stored: Members): CollectionState {
    const position: unknown = JSON.parse(String(stored.position));
    const isPosition = isObject(position) && typeof position.epoch === "string" && typeof position.horizon === "string";
    return {
      collection: target,
      documents: outOf,
      schema: String(stored.schema),
      position: isPosition ? { epoch: String(position.epoch), horizon: String(position.horizon) } : null,
      floor: Number(stored.floor),
      written: Number(stored.written),
      record: null,
    };
  }

  /** Null: no index exists, or one of another schema. */
  async #readOnce(): Promise<CollectionState | null | Incomplete> {
    // Before the question: the database is written after Typesense.
    const records = (await ownCollections(this.#all)).filter((each) => each.state === "whole");
    const counted = { collection: this.#name, q: "*", per_page: 0 };
    const searches = [counted, { collection: this.#collection, q: "*", per_page: PAGE }, this.#sealsOf(records)];
    const [documents, states, seals] = (await orNull(this.#server.search(searches))) ?? [];
    const stored = states?.documents.find(({ id }) => id === documents?.collection);
    const found = documents === undefined || stored === undefined ? null : this.#readState(documents, stored);
    if (records.length === 0) {
      if (found?.schema !== this.#fingerprint) return null;
      return found.documents < found.floor ? this.#incomplete(found.documents, found.floor) : found;
    }
    // What another version built is replaced, and not waited for.
    if (!records.some(({ schema }) => schema === this.#fingerprint)) return null;
    const record = records.find((each) => each.name === found?.collection);
    if (found === null || record?.schema !== this.#fingerprint) {
      const text = "Typesense has not read its documents after a start yet, or has lost them";
      return new Incomplete(text, documents === undefined);
    }
    const isAsWritten = found.written > record.written || hasCount(record, found.documents);
    const isThere = found.written >= record.written && isSealed(record, seals?.documents ?? []);
    if (!isThere || found.documents < record.least || !isAsWritten) {
      return this.#incomplete(found.documents, record.least);
    }
    return { ...found, record };
  }

  /** The content of the sealed documents, in the collection that answers. */
  #sealsOf(records: readonly SearchCollection[]): Search {
    const seals = records.flatMap(({ seal }) => seal ?? []);
    const filter_by = `id:[${(seals.length === 0 ? [0] : seals).join(",")}]`;
    return { collection: this.#name, ...EXACTLY, q: "*", filter_by, include_fields: `id,${SEALED}`, per_page: PAGE };
  }

  #incomplete(documents: number, least: number): Incomplete {
    return new Incomplete(
      `Typesense has not read all of its documents yet: it has ${documents}, and ${least} are expected`,
    );
  }

  /** A collection of an earlier version, and one whose writer ended before our database knew of its last write. */
  async #adopt(state: CollectionState): Promise<void> {
    const { record, written, documents } = state;
    if (record !== null && written <= record.written) {
      this.#aheadSince = null;
      return;
    }
    if (record === null) return await this.#collections.save(recordOf(this.#all, state));
    this.#aheadSince ??= this.#nowMs();
    if (this.#nowMs() - this.#aheadSince < KNOWN_MS) return;
    await this.#collections.save({
      ...record,
      least: Math.min(record.least, documents),
      most: null,
      written,
      seal: null,
    });
  }
}
