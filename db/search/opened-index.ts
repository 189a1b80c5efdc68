// One file of an embedded index that is open (R34): its two connections, and what memory holds of it. Readers see a
// change when it is committed, and in the same step memory follows, so that no answer is half of one moment and half of
// another.

import type { DatabaseSync } from "node:sqlite";
import type { IndexSchema, Key } from "../../src/repository/search/document/document.ts";
import type {
  CompletionAnswer,
  CompletionQuery,
  FacetCount,
  IndexAnswer,
  IndexBatch,
  IndexQuery,
} from "../../src/repository/search/index/index-port.ts";
import type { FeedPosition } from "../../src/shared/feed.ts";
import type { ItemId, ParentId } from "../../src/shared/ids.ts";
import { type InParts, runWithoutYielding, yieldToEventLoop } from "../../src/shared/time/event-loop.ts";
import { Facets, hitsOf } from "./answers.ts";
import { Columns, countedFields, KNOWN_BY_HEART } from "./columns.ts";
import { completingSlots } from "./completions.ts";
import { type Evaluating, evaluate, type Plan, plan } from "./conditions.ts";
import { type Changes, DocumentRows } from "./document-rows.ts";
import { numberIn, readPosition, textIn } from "./index-database.ts";
import type { IndexThread } from "./index-thread.ts";
import { type WrittenBatch, writeBatch } from "./index-writing.ts";
import { HIGHEST, Postings } from "./postings.ts";
import { type QuestionRoom, questionRooms } from "./question-room.ts";
import {
  firstByScore,
  planRanking,
  type RankingPlan,
  roughWeights,
  type Sample,
  scoringRoom,
  weightsIn,
} from "./scores.ts";
import { countIn, shared } from "./slot-set.ts";
import { SortTexts } from "./sort-texts.ts";
import { quoted, type Terms } from "./terms.ts";

const ROWS_READ_AT_ONCE = 4_000;
/** Characters of words of which writing takes some tens of milliseconds. */
const LONG_CHARACTERS = 256 * 1024;
/** A query whose counts are invalidated by changes is counted again, the last time without yielding. */
const ATTEMPTS_WITH_PAUSES = 3;

type QueryPlans = { readonly where: Plan; readonly chosen: Plan | null; readonly ranking: RankingPlan | null };
type OpenedFile = { readonly path: string; readonly reader: DatabaseSync; readonly writer: DatabaseSync };
export type IndexMaking = {
  readonly schema: IndexSchema;
  readonly terms: Terms;
  readonly roomBytes: number;
  readonly sample: Sample;
  /** Writes what takes long; null: everything is written by the thread that answers. */
  readonly thread: IndexThread | null;
};

export class OpenedIndex {
  readonly path: string;
  readonly #file: OpenedFile;
  readonly #making: IndexMaking;
  readonly #counted: readonly string[];
  readonly #columns: Columns;
  readonly #texts: SortTexts;
  readonly #postings: Postings;
  readonly #facets: Facets;
  readonly #rows: DocumentRows;
  readonly #room = scoringRoom();
  readonly #beginRoom: () => QuestionRoom;
  /** Keys of the fields that are asked for by their beginning, and their numbers. */
  readonly #byHeart = new Map<string, KnownKeys>();

  private constructor(file: OpenedFile, making: IndexMaking) {
    this.path = file.path;
    this.#file = file;
    this.#making = making;
    const { schema, terms, roomBytes } = making;
    this.#counted = countedFields(schema);
    this.#columns = new Columns(schema);
    this.#beginRoom = questionRooms(this.#columns);
    this.#texts = new SortTexts(file.reader);
    this.#postings = new Postings(file.reader, this.#columns, roomBytes);
    this.#facets = new Facets(file.reader, this.#columns, schema);
    this.#rows = new DocumentRows(file.writer, schema, terms);
    for (const field of KNOWN_BY_HEART) if (this.#counted.includes(field)) this.#byHeart.set(field, new KnownKeys());
  }

  /** Reads what memory holds. @throws Error where the file is damaged. */
  static *load(file: OpenedFile, making: IndexMaking): InParts<OpenedIndex> {
    const opened = new OpenedIndex(file, making);
    yield* opened.#loadKeys();
    for (const [index, { type }] of making.schema.sorts.entries())
      if (type === "text") yield* opened.#texts.load(index);
    yield* opened.#loadDocuments();
    return opened;
  }

  get documents(): number {
    return this.#columns.documents;
  }

  position(): FeedPosition {
    return readPosition(this.#file.reader);
  }

  *query(query: IndexQuery): InParts<IndexAnswer> {
    const { where, chosen, ranking } = query;
    const held = this.#postings.begin();
    const room = this.#beginRoom();
    try {
      const reading = { schema: this.#making.schema, terms: this.#making.terms, postings: this.#postings, held };
      const rough =
        query.limit === 0 && ranking?.isRough === true
          ? yield* roughWeights(reading, this.#evaluating(room), ranking, this.#making.sample)
          : null;
      const plans: QueryPlans = {
        // First, so that what it reads of single words is not read again.
        ranking: ranking === undefined || rough !== null ? null : yield* planRanking(reading, ranking),
        where: yield* plan(reading, where),
        chosen: chosen === null ? null : yield* plan(reading, chosen),
      };
      for (let attempt = 1; ; attempt += 1) {
        const answer = yield* this.#answer(plans, query, room, attempt < ATTEMPTS_WITH_PAUSES);
        if (answer !== null) return rough === null ? answer : { ...answer, weights: rough };
        room.end();
      }
    } finally {
      room.end();
      this.#postings.end(held);
    }
  }

  *complete({ where, words, begins, limit, facet }: CompletionQuery): InParts<CompletionAnswer> {
    const { schema, terms } = this.#making;
    const held = this.#postings.begin();
    const room = this.#beginRoom();
    try {
      const plans = yield* plan({ schema, terms, postings: this.#postings, held }, where);
      // From here on without yielding: few documents are read, and all at one moment.
      const visible = room.copyOf(evaluate(this.#evaluating(room), plans));
      const index = { columns: this.#columns, texts: this.#texts, postings: this.#postings, schema, terms };
      const slots = completingSlots(index, { visible, words, begins, limit });
      const labels =
        facet === null ? [] : this.#facets.of(Int32Array.from(slots).sort(), room).count(facet.field, facet.size);
      return { ids: slots.map((slot) => this.#columns.ids[slot] ?? 0), labels: labels.map(({ label }) => label) };
    } finally {
      room.end();
      this.#postings.end(held);
    }
  }

  /** Null: a document changed in a pause. */
  *#answer(
    { where, chosen, ranking }: QueryPlans,
    { facets, ...page }: IndexQuery,
    room: QuestionRoom,
    mayPause: boolean,
  ): InParts<IndexAnswer | null> {
    const { changes } = this.#columns;
    const at = this.#evaluating(room);
    const found = evaluate(at, where);
    const counts: FacetCount[][] = [];
    const counting = facets.length > 0 ? this.#facets.of(found, room) : null;
    for (const { field, size } of facets) {
      counts.push(counting?.count(field, size) ?? []);
      if (mayPause) yield;
      if (this.#columns.changes !== changes) return null;
    }
    counting?.end();
    const chosenToo = chosen === null ? found : shared(found, evaluate(at, chosen), room.copyOf);
    const { schema } = this.#making;
    const total = countIn(chosenToo);
    if (page.limit === 0) {
      const weights = ranking === null ? {} : { weights: weightsIn(at, schema, ranking) };
      return { total, hits: [], facets: counts, ...weights };
    }
    if (ranking === null) {
      const hits = hitsOf(this.#columns, this.#texts, schema, room.listOf(chosenToo), page);
      return { total, hits, facets: counts };
    }
    const index = { columns: this.#columns, schema, room: this.#room, sets: room };
    const scoring = firstByScore(index, ranking, chosenToo, page);
    const { slots, scores, weights } = mayPause ? yield* scoring : runWithoutYielding(scoring);
    if (this.#columns.changes !== changes) return null;
    const hits = hitsOf(this.#columns, this.#texts, schema, slots, page, scores);
    return { total, hits, facets: counts, weights };
  }

  #evaluating({ copyOf }: QuestionRoom): Evaluating {
    return { columns: this.#columns, copyOf };
  }

  keysOf(field: string, prefix: string, limit: number): Key[] {
    const known = this.#byHeart.get(field);
    if (known === undefined) return this.#keysInFile(field, prefix, limit);
    return known.from(prefix, limit, (number) => (this.#columns.uses[number] ?? 0) > 0);
  }

  wordsOf(field: string, prefix: string, after: string, limit: number): string[] {
    const { terms } = this.#making;
    const [begin, behind] = [terms.ofToken(field, prefix), after === "" ? "" : terms.ofToken(field, after)];
    if (begin === null || behind === null) return [];
    return this.#postings.termsFrom(begin, behind, limit).map((term) => terms.tokenOf(field, term));
  }

  digests(
    after: ItemId,
    limit: number,
  ): { readonly id: ItemId; readonly parentId: ParentId; readonly digest: string }[] {
    const rows = this.#file.reader
      .prepare("select id, parent, digest from document where id > ? order by id limit ?")
      .all(after, limit);
    return rows.map((row) => ({
      id: numberIn(row, "id"),
      parentId: numberIn(row, "parent"),
      digest: textIn(row, "digest"),
    }));
  }

  /** One transaction, and then memory. Nobody else writes meanwhile: callers wait in a queue. */
  async apply(batch: IndexBatch): Promise<void> {
    const slots = batch.documents.map(() => this.#columns.takeSlot());
    let taken = 0;
    try {
      const written = await this.#write(batch, slots);
      taken = written.taken;
      this.#follow(written.changes);
    } finally {
      for (const slot of slots.slice(taken)) this.#columns.giveBack(slot);
    }
  }

  async #write(batch: IndexBatch, slots: readonly number[]): Promise<WrittenBatch> {
    const { thread } = this.#making;
    if (thread === null || !isLong(batch)) return await writeBatch(this.#file.writer, this.#rows, batch, slots);
    // What it learns of keys and their labels is not known here.
    this.#rows.forget();
    return await thread.write(this.path, this.#making.schema, batch, slots);
  }

  /** Questions that are being answered are answered first. */
  async close(): Promise<void> {
    while (this.#postings.isAsked) await yieldToEventLoop();
    this.#file.reader.close();
    this.#file.writer.close();
  }

  #follow({ keys, relabelled, texts, slots }: Changes): void {
    for (const { number, counted, key, beginning } of keys) {
      this.#columns.addKey(number, counted, beginning);
      this.#byHeart.get(this.#counted[counted] ?? "")?.add(key, number);
    }
    for (const number of relabelled) this.#facets.forget(number);
    this.#texts.place(texts);
    for (const { slot, now } of slots) {
      if (now === null) this.#columns.remove(slot);
      else this.#columns.put(now.row, 0);
      if (this.#postings.followsNothing) continue;
      this.#postings.follow(slot, now === null ? null : new Set(now.terms.split(" ")));
    }
  }

  *#loadKeys(): InParts<void> {
    const { reader } = this.#file;
    const part = reader.prepare(
      `select group_concat(number || ',' || field || ',' || beginning) as keys, max(number) as last
        from (select number, field, beginning from facet_key where number > ? order by number limit ?)`,
    );
    for (let last = 0; ; ) {
      const row = part.get(last, ROWS_READ_AT_ONCE);
      if (row?.last === null) break;
      const keys = numbersIn(textIn(row, "keys"));
      for (let index = 0; index < keys.length; index += 3) {
        this.#columns.addKey(keys[index] ?? 0, keys[index + 1] ?? 0, keys[index + 2] ?? 0);
      }
      last = numberIn(row, "last");
      yield;
    }
    for (const [field, known] of this.#byHeart) {
      const rows = reader
        .prepare("select key, number from facet_key where field = ?")
        .all(this.#counted.indexOf(field));
      for (const row of rows) known.add(textIn(row, "key"), numberIn(row, "number"));
    }
  }

  *#loadDocuments(): InParts<void> {
    const { reader } = this.#file;
    const highest = reader.prepare("select coalesce(max(slot), 0) as slot, count(*) as count from document").get();
    const last = numberIn(highest, "slot");
    this.#columns.reserve(last + ROWS_READ_AT_ONCE);
    const part = reader.prepare("select group_concat(columns) as columns from document where slot between ? and ?");
    for (let from = 1; from <= last; from += ROWS_READ_AT_ONCE) {
      const { columns } = part.get(from, from + ROWS_READ_AT_ONCE - 1) ?? {};
      const rows = typeof columns === "string" ? numbersIn(columns) : [];
      for (let at = 0; at < rows.length; ) at = this.#columns.put(rows, at);
      yield;
    }
    if (this.#columns.documents !== numberIn(highest, "count"))
      throw new RangeError("Rows of the search index are missing");
    this.#columns.findFreeSlots();
  }

  #keysInFile(field: string, prefix: string, limit: number): Key[] {
    const { reader } = this.#file;
    const first = this.#making.terms.ofKey(field, prefix) ?? this.#making.terms.codeOfKeys(field);
    const terms = reader.prepare("select term from vocabulary where term >= ? and term < ? order by term");
    const isThere = reader.prepare("select rowid from word where word match ? limit 1");
    const keys: Key[] = [];
    for (const row of terms.iterate(first, first + HIGHEST)) {
      if (keys.length >= limit) break;
      const term = textIn(row, "term");
      // A term outlives its last document until the table is next tidied.
      if (isThere.get(quoted(term)) !== undefined) keys.push(term.slice(this.#making.terms.codeOfKeys(field).length));
    }
    return keys;
  }
}

/** @throws SyntaxError where the file is damaged. */
function numbersIn(list: string): number[] {
  const numbers: number[] = JSON.parse(`[${list}]`);
  return numbers;
}

function isLong({ documents }: IndexBatch): boolean {
  let left = LONG_CHARACTERS;
  for (const { texts } of documents) for (const words of Object.values(texts)) left -= words.length;
  return left < 0;
}

// The keys of one field in their order, with their numbers: those that begin alike are found without going through the
// others.

class KnownKeys {
  readonly #numbers = new Map<Key, number>();
  /** Sorted but for those that came in since it was last asked. */
  #sorted: Key[] = [];
  #isSorted = true;

  add(key: Key, number: number): void {
    this.#numbers.set(key, number);
    this.#sorted.push(key);
    this.#isSorted = false;
  }

  /** At most `limit` keys that begin so and are in use. */
  from(prefix: string, limit: number, isUsed: (number: number) => boolean): Key[] {
    if (!this.#isSorted) this.#sorted.sort();
    this.#isSorted = true;
    const keys: Key[] = [];
    for (let at = this.#firstFrom(prefix); at < this.#sorted.length && keys.length < limit; at += 1) {
      const key = this.#sorted[at] ?? "";
      if (!key.startsWith(prefix)) break;
      if (isUsed(this.#numbers.get(key) ?? 0)) keys.push(key);
    }
    return keys;
  }

  #firstFrom(prefix: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? "") < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
