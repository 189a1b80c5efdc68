// The search index in Typesense (port SearchIndex; R27, R28, R34), shared by all processes, for repositories that
// outgrow the embedded one. An alias leads to the collection that answers; a build makes a collection next to it, and
// the alias moves when it is whole. Up to which place of the feed a collection is right is stored next to it, in
// Typesense: it is lost and comes back with the documents. How many documents there have to be is known in our
// database: a server that starts again reads its log while it answers, and its own figures are as old as its documents.
import type { Key } from "../repository/search/document/document.ts";
import {
  type CompletionAnswer,
  type CompletionQuery,
  type IndexAnswer,
  type IndexBatch,
  type IndexBuilding,
  type IndexQuery,
  type IndexStatus,
  IndexUnavailable,
  type OpenIndex,
  type SearchIndex,
} from "../repository/search/index/index-port.ts";
import type { FeedPosition } from "../shared/feed.ts";
import { sha256Hex } from "../shared/hash/digests.ts";
import type { ParentId } from "../shared/ids.ts";
import { CollectionBuild, removeLeftovers } from "./typesense/collection-build.ts";
import { CollectionStates } from "./typesense/collection-states.ts";
import { DIGEST, ID_TEXT, labelsOf, NUMBER_OF_ITEM, PARENT, sealLine } from "./typesense/collections.ts";
import { PAGE } from "./typesense/exact-search.ts";
import { importDocuments } from "./typesense/imports.ts";
import { IndexSearches } from "./typesense/index-searches.ts";
import { type CollectionState, type IndexNeeds, recordOf, type TypesenseNeeds } from "./typesense/known-collections.ts";
import { KnownLabels } from "./typesense/known-labels.ts";
import { type Members, orUnavailable, TypesenseServer } from "./typesense/server.ts";

/** Numbers in one filter that is part of an address. */
const NAMED_IN_ADDRESS = 200;
const PARENTS_IN_FILTER = 1000;
/** The keys there are, are read again after this. */
const KEYS_KNOWN_MS = 1000;

export const typesenseIndex =
  ({ nowMs = () => performance.now(), ...needs }: TypesenseNeeds): OpenIndex =>
  async (schema) => {
    const server = new TypesenseServer(needs);
    const fingerprint = sha256Hex(JSON.stringify(schema));
    return new TypesenseIndex({ ...needs, nowMs, server, schema, fingerprint });
  };

type DocumentDigest = { readonly id: number; readonly parentId: ParentId; readonly digest: string };

class TypesenseIndex implements SearchIndex {
  readonly engine = "typesense";
  readonly ranks = false;
  readonly #needs: IndexNeeds;
  readonly #states: CollectionStates;
  readonly #labels: KnownLabels;
  readonly #searches: IndexSearches;
  readonly #knownKeys = new Map<
    string,
    { readonly at: number; readonly written: string; readonly keys: readonly Key[] }
  >();
  #isOpen = true;

  constructor(needs: IndexNeeds) {
    this.#needs = needs;
    this.#states = new CollectionStates(needs);
    this.#labels = new KnownLabels(needs, this.#states);
    this.#searches = new IndexSearches(needs, this.#states, this.#labels);
  }

  async query(query: IndexQuery): Promise<IndexAnswer> {
    for (const { field } of query.sort) {
      if (field !== "id" && !this.#needs.schema.sorts.some(({ name: known }) => known === field)) {
        throw new TypeError(`Cannot sort by "${field}": the index has no such sort`);
      }
    }
    await this.#askable();
    return this.#searches.answer(query);
  }

  /** The newest. It cannot tell which sort text begins so without reading them all: `begins` is left out. */
  async complete({ where, words, limit, facet }: CompletionQuery): Promise<CompletionAnswer> {
    const condition = { kind: "and", of: [where, words] } as const;
    const facets = facet === null ? [] : [facet];
    const page = { chosen: null, sort: [], after: null, offset: 0, limit, facets };
    const { hits, facets: counted } = await this.query({ where: condition, ...page });
    return { ids: hits.map(({ id }) => id), labels: counted.flat().map(({ label }) => label) };
  }

  async keysOf(field: string, prefix: string, limit: number): Promise<readonly Key[]> {
    await this.#askable();
    const known = this.#knownKeys.get(field);
    const written = this.#states.written();
    const isFresh = known !== undefined && this.#needs.nowMs() - known.at < KEYS_KNOWN_MS && known.written === written;
    const keys = isFresh ? known.keys : await this.#searches.keysOf(field);
    if (!isFresh) this.#knownKeys.set(field, { at: this.#needs.nowMs(), written, keys });
    return keys.filter((key) => key.startsWith(prefix)).slice(0, limit);
  }

  // It lists no words: the words that match a pattern are not known (docs/record-search.md).
  async wordsOf(): Promise<null> {
    return null;
  }

  async position(): Promise<FeedPosition | null> {
    if (!this.#isOpen) throw new IndexUnavailable("The index is closed");
    const now = await this.#states.settled();
    return now?.position ?? null;
  }

  async apply({ parents, documents, position }: IndexBatch): Promise<void> {
    const before = await this.#writable();
    const kept = new Set(documents.map(({ id }) => String(id)));
    const gone = (await this.#idsOfParents([...new Set(parents)])).filter((id) => !kept.has(id));
    const record = recordOf(this.#needs, before);
    // While it is written there may be less and more documents than before and after it.
    const least = Math.max(0, record.least - gone.length);
    const most = record.most === null ? null : record.most + documents.length;
    const written = before.written + 1;
    const seal = record.seal === null || gone.includes(String(record.seal)) ? null : record.seal;
    await this.#needs.collections.save({ ...record, least, most, seal });
    if (gone.length > 0) {
      await this.#states.write({ ...before, floor: Math.max(0, before.floor - gone.length) });
      for (let at = 0; at < gone.length; at += NAMED_IN_ADDRESS) {
        const filter = `${ID_TEXT}:=[${gone.slice(at, at + NAMED_IN_ADDRESS).join(",")}]`;
        await orUnavailable(this.#needs.server.deleteDocuments(before.collection, filter));
      }
    }
    await importDocuments(this.#needs.server, before.collection, this.#needs.schema, documents, written);
    const sealed = await this.#sealedBy(before.collection, documents.at(-1)?.id ?? seal, documents.length > 0, written);
    const floor = await orUnavailable(this.#needs.server.count(before.collection));
    const labelled = await orUnavailable(this.#needs.server.count(labelsOf(before.collection)));
    // Another process wrote meanwhile, and what was just written may be older: from here on everything has to be read
    // again.
    const isAlone = (await this.#states.read())?.written === before.written;
    const reached = isAlone && position !== null ? position : before.position;
    await this.#states.write({ ...before, floor, position: reached, written });
    this.#knownKeys.clear();
    this.#labels.forget(documents);
    await this.#states.reachNodes();
    await this.#needs.collections.save({
      ...record,
      least: floor,
      most: isAlone ? floor : null,
      labels: labelled,
      written,
      seal: sealed,
    });
  }

  async unfinished(): Promise<null> {
    return null;
  }

  build(): Promise<IndexBuilding> {
    return CollectionBuild.begin(this.#needs, this.#states, () => {
      this.#knownKeys.clear();
      this.#labels.forgetAll();
    });
  }

  removeLeftovers(): Promise<boolean> {
    return removeLeftovers(this.#needs);
  }

  async digests(after: number, limit: number): Promise<readonly DocumentDigest[]> {
    await this.#askable();
    const rows: Members[] = [];
    for (let last = after; rows.length < limit; ) {
      const search = {
        q: "*",
        filter_by: `${NUMBER_OF_ITEM}:>${last}`,
        sort_by: `${NUMBER_OF_ITEM}:asc`,
        include_fields: `id,${PARENT},${DIGEST}`,
      };
      const [page] = await this.#searches.ask([{ ...search, offset: 0, limit: Math.min(PAGE, limit - rows.length) }]);
      const found = page?.documents ?? [];
      rows.push(...found);
      if (found.length === 0) break;
      last = Number(found.at(-1)?.id);
    }
    return rows.map((row) => ({ id: Number(row.id), parentId: Number(row[PARENT]), digest: String(row[DIGEST]) }));
  }

  async status(): Promise<IndexStatus> {
    const now = await this.#states.read();
    const figures = { documents: now?.documents ?? 0, position: now?.position ?? null, sizeBytes: null };
    return { engine: "typesense", ...figures, ...(now === null ? {} : { name: now.collection }) };
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  async #writable(): Promise<CollectionState> {
    if (!this.#isOpen) throw new IndexUnavailable("The index is closed");
    const now = await this.#states.read();
    if (now === null) throw new IndexUnavailable("The index in Typesense is not built");
    return now;
  }

  async #askable(): Promise<void> {
    if (!this.#isOpen) throw new IndexUnavailable("The index is closed");
    if ((await this.#states.known()) === null) throw new IndexUnavailable("The index in Typesense is not built");
  }

  async #idsOfParents(parents: readonly number[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (let at = 0; at < parents.length; at += PARENTS_IN_FILTER) {
      found.push(...(await this.#searches.ids(`${PARENT}:=[${parents.slice(at, at + PARENTS_IN_FILTER).join(",")}]`)));
    }
    return found;
  }

  /** The document that marks a write as complete: the last one it wrote, or any. */
  async #sealedBy(
    collection: string,
    given: number | null,
    isWritten: boolean,
    written: number,
  ): Promise<number | null> {
    if (isWritten) return given;
    const [any] = await orUnavailable(
      this.#needs.server.search([{ collection, q: "*", include_fields: "id", per_page: 1 }]),
    );
    const [found] = any?.documents ?? [];
    const id = given ?? (found === undefined ? null : Number(found.id));
    if (id !== null) await orUnavailable(this.#needs.server.importLines(collection, [sealLine(id, written)], "update"));
    return id;
  }
}
