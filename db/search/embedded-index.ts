// The embedded search index (port SearchIndex; R34): SQLite's full text table for words and keys, typed arrays in
// memory for sorting and counting, a separate file for each process. The database is the source of all of it: a
// damaged, unfinished or outdated file counts as not built.
import type { Key } from "../../src/repository/search/document/document.ts";
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
  type UnfinishedBuild,
} from "../../src/repository/search/index/index-port.ts";
import type { FeedPosition } from "../../src/shared/feed.ts";
import type { ItemId } from "../../src/shared/ids.ts";
import type { HoldLock } from "../../src/shared/process-lock.ts";
import { type InParts, inTurns, runPart } from "../../src/shared/time/event-loop.ts";
import { IndexFile } from "./building.ts";
import { type RowMaking, rowMaking, rowsIn, rowsText } from "./document-row.ts";
import { inspectUnfinished, isDamage, openWhole, type UnfinishedFile } from "./index-database.ts";
import { type IndexFiles, takeIndexFiles } from "./index-files.ts";
import { type FilledFile, IndexWriterThread, type StartIndexThread } from "./index-thread.ts";
import { type IndexMaking, OpenedIndex } from "./opened-index.ts";
import { type Sample, SPREAD_SLOTS } from "./scores.ts";
import { termsOf } from "./terms.ts";

/** Of reading an index into memory: at a start few others wait. */
const LOAD_PART_MS = 50;
const ROOM_FOR_TERMS_BYTES = 96 * 1024 * 1024;

type EmbeddedIndexNeeds = {
  /** Of all processes that share it, for search indexes alone. */
  readonly folder: string;
  readonly hold: HoldLock;
  /** For terms that many documents have. */
  readonly roomBytes?: number;
  /** Where common words are counted when that is enough. */
  readonly sample?: Sample;
  /** Starts the thread that writes what takes long; absent: there is none. */
  readonly startThread?: StartIndexThread;
};

/** Opens the index of this process, with what a process before it left there. */
export function openEmbeddedIndex(needs: EmbeddedIndexNeeds): OpenIndex {
  const { folder, hold, roomBytes = ROOM_FOR_TERMS_BYTES, sample = SPREAD_SLOTS, startThread } = needs;
  return async (schema) => {
    const files = await takeIndexFiles(folder, hold);
    try {
      const thread = startThread === undefined ? null : new IndexWriterThread(startThread);
      const index = new EmbeddedIndex(
        files,
        { schema, terms: termsOf(schema), roomBytes, sample, thread },
        startThread ?? null,
      );
      await index.takeOver();
      return index;
    } catch (error) {
      await files.release();
      throw error;
    }
  };
}

class EmbeddedIndex implements SearchIndex {
  readonly engine = "embedded";
  readonly ranks = true;
  readonly #files: IndexFiles;
  readonly #making: IndexMaking;
  readonly #line: WorkLine = workLine();
  /** What answers; null: nothing was built, or it was found damaged. */
  #opened: OpenedIndex | null = null;
  #building: FilledFile | null = null;
  /** A file that was begun and not finished. */
  #unfinished: (UnfinishedFile & { readonly path: string }) | null = null;
  readonly #startThread: StartIndexThread | null;
  readonly #makeRow: RowMaking;
  #isClosed = false;
  /** Writes run one after the other. */
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(files: IndexFiles, making: IndexMaking, startThread: StartIndexThread | null) {
    this.#files = files;
    this.#making = making;
    this.#startThread = startThread;
    this.#makeRow = rowMaking(making.schema, making.terms);
  }

  /** Opens what a process before left in this place, and removes what does not count. */
  async takeOver(): Promise<void> {
    for (const path of this.#files.found) {
      if (this.#opened === null) this.#noteUnfinished(path);
      this.#opened ??= await this.#open(path);
      if (this.#opened?.path !== path && this.#unfinished?.path !== path) await this.#files.remove(path);
    }
  }

  async query(query: IndexQuery): Promise<IndexAnswer> {
    const opened = this.#answering();
    return await this.#noticingDamage(opened, () => this.#line.run(opened.query(query)));
  }

  async complete(query: CompletionQuery): Promise<CompletionAnswer> {
    const opened = this.#answering();
    return await this.#noticingDamage(opened, () => this.#line.run(opened.complete(query)));
  }

  async keysOf(field: string, prefix: string, limit: number): Promise<readonly Key[]> {
    const opened = this.#answering();
    return await this.#noticingDamage(opened, async () => opened.keysOf(field, prefix, limit));
  }

  async wordsOf(field: string, prefix: string, after: string, limit: number): Promise<readonly string[]> {
    const opened = this.#answering();
    return await this.#noticingDamage(opened, async () => opened.wordsOf(field, prefix, after, limit));
  }

  async digests(after: ItemId, limit: number): ReturnType<SearchIndex["digests"]> {
    const opened = this.#answering();
    return await this.#noticingDamage(opened, async () => opened.digests(after, limit));
  }

  async position(): Promise<FeedPosition | null> {
    this.#mustBeOpen();
    const opened = this.#opened;
    return opened === null ? null : await this.#noticingDamage(opened, async () => opened.position());
  }

  async status(): Promise<IndexStatus> {
    this.#mustBeOpen();
    const opened = this.#opened;
    if (opened === null) return { engine: this.engine, documents: 0, position: null, sizeBytes: null };
    const { documents, path } = opened;
    return { engine: this.engine, documents, position: opened.position(), sizeBytes: await this.#files.bytesOf(path) };
  }

  apply(batch: IndexBatch): Promise<void> {
    return this.#inWriteLine(async () => {
      const opened = this.#answering();
      await this.#noticingDamage(opened, () => opened.apply(batch));
    });
  }

  async unfinished(): Promise<UnfinishedBuild | null> {
    return this.#unfinished;
  }

  async build(position: FeedPosition = { epoch: "", horizon: "" }, goesOn = false): Promise<IndexBuilding> {
    this.#mustBeOpen();
    await this.#abandon(this.#building);
    const left = this.#unfinished;
    this.#unfinished = null;
    if (left !== null && !goesOn) await this.#files.remove(left.path);
    const from = goesOn ? null : position;
    const file = await this.#fill(left !== null && goesOn ? left.path : this.#files.next(), from);
    this.#building = file;
    return {
      form: "rows",
      add: (documents) => file.add(rowsText(documents.map(this.#makeRow))),
      addPrepared: ({ text }) => file.add(text),
      finish: async (reached) => {
        await file.finish(reached);
        const opened = await this.#open(file.path);
        if (opened === null) throw new Error("Cannot open the search index that was just built");
        await this.#inWriteLine(() => this.#replaceBy(opened));
      },
      leave: () => this.#leave(file),
      abandon: () => this.#abandon(file),
    };
  }

  /** Filled by a separate thread, where there are any: it ends with the work, and its memory with it. */
  async #fill(path: string, position: FeedPosition | null): Promise<FilledFile> {
    const { schema } = this.#making;
    if (this.#startThread === null) return filledHere(IndexFile.open(path, this.#making, position));
    const thread = new IndexWriterThread(this.#startThread, true);
    try {
      const file = await thread.create(path, schema, position);
      const ending = (work: Promise<void>): Promise<void> => work.finally(() => thread.close());
      return { ...file, finish: (reached) => ending(file.finish(reached)), close: () => ending(file.close()) };
    } catch (error) {
      await thread.close();
      throw error;
    }
  }

  #noteUnfinished(path: string): void {
    if (this.#unfinished !== null) return;
    const found = inspectUnfinished(path, this.#making.schema);
    if (found !== null) this.#unfinished = { ...found, path };
  }

  /** A later build goes on with the file. */
  async #leave(file: FilledFile): Promise<void> {
    if (this.#building !== file) return;
    this.#building = null;
    await file.close();
    this.#noteUnfinished(file.path);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#lastWrite;
    await this.#building?.close();
    this.#building = null;
    await this.#opened?.close();
    this.#opened = null;
    await this.#making.thread?.close();
    await this.#files.release();
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new IndexUnavailable("The search index is closed");
  }

  #answering(): OpenedIndex {
    this.#mustBeOpen();
    if (this.#opened === null) throw new IndexUnavailable("The search index is not built yet");
    return this.#opened;
  }

  #inWriteLine(write: () => Promise<void>): Promise<void> {
    const written = this.#lastWrite.then(write);
    this.#lastWrite = written.catch(() => {});
    return written;
  }

  /** Null: it does not count, or is damaged. */
  async #open(path: string): Promise<OpenedIndex | null> {
    const connections = openWhole(path, this.#making.schema);
    if (connections === null) return null;
    try {
      return await inTurns(OpenedIndex.load({ path, ...connections }, this.#making), LOAD_PART_MS);
    } catch {
      // Whatever is wrong with it, it can be made again.
      connections.reader.close();
      connections.writer.close();
      return null;
    }
  }

  async #replaceBy(opened: OpenedIndex): Promise<void> {
    this.#building = null;
    const before = this.#opened;
    if (this.#isClosed) {
      await opened.close();
      return;
    }
    this.#opened = opened;
    if (before === null) return;
    await before.close();
    await this.#files.remove(before.path);
  }

  async #abandon(file: FilledFile | null): Promise<void> {
    if (file === null || this.#building !== file) return;
    this.#building = null;
    await file.close();
    await this.#files.remove(file.path);
  }

  /** A file that is found damaged is not queried again: it has to be rebuilt. */
  async #noticingDamage<Result>(opened: OpenedIndex, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (this.#opened === opened) {
        this.#opened = null;
        void opened.close();
      }
      throw new IndexUnavailable("The search index is damaged: it must be rebuilt", { cause: error });
    }
  }
}

// Work in parts on the thread that answers (R9a): what is short is done at once; what is long gives way to others
// between its parts, and such work waits in a queue of limited length.

const WAITING_AT_MOST = 200;

type WorkLine = {
  /** @throws IndexUnavailable while too much long work waits. */
  run<Result>(work: InParts<Result>): Promise<Result>;
};

export function workLine(): WorkLine {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run<Result>(work: InParts<Result>): Promise<Result> {
      const first = runPart(work);
      if (first.done) return first.value;
      if (waiting >= WAITING_AT_MOST) {
        endEarly(work);
        throw new IndexUnavailable("Too much is being searched for at this moment");
      }
      waiting += 1;
      const result = last
        .then(() => inTurns(work))
        .finally(() => {
          waiting -= 1;
        });
      last = result.catch(() => {});
      return result;
    },
  };
}

function endEarly(work: InParts<unknown>): void {
  work.return(undefined);
}

const filledHere = (file: IndexFile): FilledFile => ({
  path: file.path,
  add: (rows) => file.add(rowsIn(rows)),
  finish: (position) => file.finish(position),
  close: () => file.close(),
});
