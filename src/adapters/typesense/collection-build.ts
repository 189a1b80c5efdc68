// A new index in Typesense (R34): a collection next to the one that answers, to which the alias moves when it is whole.
import type { SearchDocument } from "../../repository/search/document/document.ts";
import {
  type IndexBuilding,
  IndexUnavailable,
  type PreparedDocuments,
} from "../../repository/search/index/index-port.ts";
import type { SearchCollection } from "../../repository/store/search-writer.ts";
import type { FeedPosition } from "../../shared/feed.ts";
import type { Log } from "../../shared/log.ts";
import type { CollectionStates } from "./collection-states.ts";
import {
  documentsSchema,
  labelsOf,
  labelsSchema,
  numberOf,
  type PreparedLines,
  preparedLines,
  sealLine,
} from "./collections.ts";
import { PAGE } from "./exact-search.ts";
import { ParallelImports } from "./imports.ts";
import { type IndexNeeds, ownCollections } from "./known-collections.ts";
import { orNull, orUnavailable, type TypesenseServer } from "./server.ts";

/** Words of keys that a build knows it has sent. */
const MAX_SENT_LABELS = 50_000;
const FIRST_WRITE = 1;
/** How often a build stores how far it is. */
const PROGRESS_MS = 1000;

/** Removes a collection with its words, and then what is known of it. */
async function removeCollection({ name, server, collections }: IndexNeeds, collection: string): Promise<void> {
  await orNull(server.deleteDocuments(`${name}_state`, `id:[${collection}]`));
  await orNull(server.drop(collection));
  await orNull(server.drop(labelsOf(collection)));
  await collections.remove(collection);
}

/**
 * Removes collections that do not answer and are ours: our database knows that it made them, or their state is stored
 * with that of the others. Whatever else has such a name stays. True: one of them was never finished.
 */
export async function removeLeftovers(all: IndexNeeds, kept: string | null = null): Promise<boolean> {
  const { name, server } = all;
  const serving = kept ?? (await orNull(server.aliasTarget(name)));
  const records = await ownCollections(all);
  const states = await orNull(server.search([{ collection: `${name}_state`, q: "*", per_page: PAGE }]));
  const stored = (states?.[0]?.documents ?? []).map(({ id }) => String(id)).filter((id) => numberOf(name, id) !== null);
  const left = new Set([...records.map((record) => record.name), ...stored].filter((each) => each !== serving));
  for (const collection of left) await removeCollection(all, collection);
  const number = serving === null ? 0 : (numberOf(name, serving) ?? 0);
  return records.some((record) => left.has(record.name) && (numberOf(name, record.name) ?? 0) > number);
}

/** A collection next to the one that answers. */
export class CollectionBuild implements IndexBuilding {
  readonly form = "lines";
  readonly #needs: IndexNeeds;
  readonly #states: CollectionStates;
  readonly #record: SearchCollection;
  /** Called when the new collection answers. */
  readonly #onFinished: () => void;
  readonly #imports: ParallelImports;
  readonly #added = new Set<number>();
  #sentLabels = new Set<string>();
  #notedAtMs: number;

  private constructor(needs: IndexNeeds, states: CollectionStates, record: SearchCollection, onFinished: () => void) {
    this.#needs = needs;
    this.#states = states;
    this.#record = record;
    this.#onFinished = onFinished;
    this.#imports = new ParallelImports(needs.server);
    this.#notedAtMs = needs.nowMs();
  }

  /** Collections that a kill left behind are removed first. */
  static async begin(needs: IndexNeeds, states: CollectionStates, onFinished: () => void): Promise<CollectionBuild> {
    const { name, server, schema, fingerprint, collections } = needs;
    await states.make();
    // A number that was ever seen is not used again: a process that still writes to an old collection writes to
    // nothing.
    const names = [...(await server.names()), ...(await ownCollections(needs)).map((record) => record.name)];
    const collection = `${name}_${Math.max(0, ...names.map((one) => numberOf(name, one) ?? 0)) + 1}`;
    await removeLeftovers(needs);
    const record: SearchCollection = {
      name: collection,
      state: "building",
      schema: fingerprint,
      least: 0,
      most: null,
      labels: 0,
      written: 0,
      seal: null,
    };
    // Known before it exists: what a kill leaves is found again.
    await collections.save(record);
    try {
      await server.create(documentsSchema(collection, schema));
      await server.create(labelsSchema(labelsOf(collection)));
    } catch (error) {
      await removeUnlessServing(needs, collection).catch(() => {});
      throw error;
    }
    return new CollectionBuild(needs, states, record, onFinished);
  }

  async add(documents: readonly SearchDocument[]): Promise<void> {
    for (const document of documents) await this.#send(preparedLines(this.#needs.schema, document));
    await this.#noteProgress();
  }

  async addPrepared({ text }: PreparedDocuments): Promise<void> {
    // Written by a thread of this process only.
    for (const lines of JSON.parse(text) as readonly PreparedLines[]) await this.#send(lines);
    await this.#noteProgress();
  }

  async #send({ id, line, labels }: PreparedLines): Promise<void> {
    const collection = this.#record.name;
    for (const label of labels) {
      if (this.#sentLabels.has(label)) continue;
      if (this.#sentLabels.size >= MAX_SENT_LABELS) this.#sentLabels = new Set();
      this.#sentLabels.add(label);
      await this.#imports.add(labelsOf(collection), label);
    }
    await this.#imports.add(collection, line);
    this.#added.add(id);
  }

  async #noteProgress(): Promise<void> {
    const { collections, nowMs } = this.#needs;
    if (nowMs() - this.#notedAtMs < PROGRESS_MS) return;
    this.#notedAtMs = nowMs();
    await collections.save({ ...this.#record, least: this.#added.size });
  }

  async finish(position: FeedPosition): Promise<void> {
    const { name, server, fingerprint, log, collections } = this.#needs;
    const collection = this.#record.name;
    const added = this.#added;
    await this.#imports.finish();
    const floor = await orUnavailable(server.count(collection));
    if (floor < added.size)
      throw new IndexUnavailable(`Typesense has ${floor} of ${added.size} documents that were sent`);
    const labels = await orUnavailable(server.count(labelsOf(collection)));
    // Portions came in any order: one more write after all of them.
    const [seal = null] = added;
    if (seal !== null) await server.importLines(collection, [sealLine(seal, FIRST_WRITE)], "update");
    await takeSnapshot(server, log);
    const whole: SearchCollection = {
      ...this.#record,
      state: "whole",
      least: floor,
      most: floor,
      labels,
      written: FIRST_WRITE,
      seal,
    };
    await this.#states.write({
      collection,
      documents: floor,
      schema: fingerprint,
      position,
      floor,
      written: FIRST_WRITE,
      record: whole,
    });
    await collections.save(whole);
    await server.setAlias(name, collection);
    this.#onFinished();
    await this.#states.reachNodes();
    // It answers already: what cannot be removed now is removed by the next build or by the next process that writes.
    await removeLeftovers(this.#needs, collection).catch((error: unknown) => {
      log.warn("search.typesense_leftovers_stay", { error: error instanceof Error ? error.message : "" });
    });
  }

  leave(): Promise<void> {
    return this.abandon();
  }

  async abandon(): Promise<void> {
    await this.#imports.settle();
    await removeUnlessServing(this.#needs, this.#record.name);
  }
}

/** The alias may have moved although the answer to that was lost. */
async function removeUnlessServing(needs: IndexNeeds, collection: string): Promise<void> {
  if ((await orNull(needs.server.aliasTarget(needs.name))) !== collection) await removeCollection(needs, collection);
}

/**
 * Without a snapshot a restarted server answers for a while as if it had lost documents; a failure does not keep the
 * old index in use.
 */
async function takeSnapshot(server: TypesenseServer, log: Log): Promise<void> {
  try {
    await server.snapshot();
  } catch (error) {
    log.warn("search.typesense_snapshot_failed", { error: error instanceof Error ? error.message : "" });
  }
}
