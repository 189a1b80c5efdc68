// A thread in addition to the one that answers, for writing into embedded indexes what takes long (R9a, R34): very long
// documents, each of which is one statement of SQLite, and new index files. It is started when it is first needed, and
// ended when nothing came for a while. Documents travel as text.
import type { IndexSchema } from "../../src/repository/search/document/document.ts";
import type { IndexBatch } from "../../src/repository/search/index/index-port.ts";
import type { FeedPosition } from "../../src/shared/feed.ts";
import type { WrittenBatch } from "./index-writing.ts";

export type IndexOrder =
  | {
      readonly what: "write";
      readonly path: string;
      readonly schema: IndexSchema;
      readonly batch: string;
      readonly slots: readonly number[];
    }
  /** Without a position: goes on with a file that was begun. */
  | {
      readonly what: "create";
      readonly path: string;
      readonly schema: IndexSchema;
      readonly position: FeedPosition | null;
    }
  | { readonly what: "add"; readonly path: string; readonly rows: string }
  | { readonly what: "finish"; readonly path: string; readonly position: FeedPosition }
  | { readonly what: "close"; readonly path: string };

export type IndexMessage = { readonly id: number; readonly order: IndexOrder };
/** A failure in plain values: errors lose their class on the way. */
export type IndexResult =
  | { readonly id: number; readonly written: WrittenBatch | null }
  | { readonly id: number; readonly failure: string };

/** What a worker of either runtime is to us. */
export type IndexWorker = {
  postMessage(message: IndexMessage): void;
  on(event: "message", listener: (result: IndexResult) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "exit", listener: (code: number) => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
};

/**
 * Starts a thread that runs each {@link IndexOrder} (index-thread-worker.ts). `isBuilding`: it fills files, for which
 * nobody waits.
 */
export type StartIndexThread = (isBuilding: boolean) => IndexWorker;

/** A new index file that is being filled. */
export interface FilledFile {
  readonly path: string;
  /** As {@link rowsText} writes them. */
  add(rows: string): Promise<void>;
  finish(position: FeedPosition): Promise<void>;
  /** What was added is kept. */
  close(): Promise<void>;
}

export interface IndexThread {
  write(path: string, schema: IndexSchema, batch: IndexBatch, slots: readonly number[]): Promise<WrittenBatch>;
  create(path: string, schema: IndexSchema, position: FeedPosition | null): Promise<FilledFile>;
  close(): Promise<void>;
}

const IDLE_MS = 10_000;

type PendingBatch = {
  readonly settle: (written: WrittenBatch | null) => void;
  readonly reject: (error: Error) => void;
};

export class IndexWriterThread implements IndexThread {
  readonly #start: () => IndexWorker;
  readonly #idleMs: number;
  readonly #waiting = new Map<number, PendingBatch>();
  #worker: IndexWorker | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #nextId = 1;
  #files = 0;

  constructor(start: StartIndexThread, isBuilding = false, idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
    this.#start = () => start(isBuilding);
  }

  async write(path: string, schema: IndexSchema, batch: IndexBatch, slots: readonly number[]): Promise<WrittenBatch> {
    const written = await this.#ask({ what: "write", path, schema, batch: JSON.stringify(batch), slots });
    if (written === null)
      throw new RangeError("The thread that writes the search index returned no result for a batch");
    return written;
  }

  async create(path: string, schema: IndexSchema, position: FeedPosition | null): Promise<FilledFile> {
    // Counted before: the thread must not rest while the first documents are made.
    this.#files += 1;
    let isOpen = true;
    // What is being written while the next documents are made.
    let before: Promise<unknown> = Promise.resolve();
    const closed = (): void => {
      if (isOpen) this.#files -= 1;
      isOpen = false;
    };
    await this.#ask({ what: "create", path, schema, position }).catch((error) => {
      closed();
      throw error;
    });
    return {
      path,
      add: async (rows) => {
        await before;
        if (!isOpen) throw new RangeError("Cannot add to an index that is finished or was abandoned");
        before = this.#ask({ what: "add", path, rows });
        before.catch(() => {});
      },
      finish: async (position) => {
        await before;
        if (!isOpen) throw new RangeError("Cannot finish an index that is finished or was abandoned");
        await this.#ask({ what: "finish", path, position });
        closed();
        if (this.#waiting.size === 0) this.#rest();
      },
      close: async () => {
        if (!isOpen) return;
        closed();
        if (this.#worker !== null) await this.#ask({ what: "close", path });
      },
    };
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting.values()) reject(new Error("The search index is closed"));
    this.#waiting.clear();
    await this.#end();
  }

  #died(ended: IndexWorker, why: unknown): void {
    if (this.#worker !== ended) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.values())
      reject(new Error("The thread that writes the search index ended", { cause: why }));
    this.#waiting.clear();
  }

  #started(): IndexWorker {
    const made = this.#start();
    made.on("message", (result) => {
      const asked = this.#waiting.get(result.id);
      this.#waiting.delete(result.id);
      if ("failure" in result) asked?.reject(new Error(result.failure));
      else asked?.settle(result.written);
      if (this.#waiting.size === 0) this.#rest();
    });
    made.on("error", (error) => this.#died(made, error));
    made.on("exit", (code) => this.#died(made, code));
    return made;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const ended = this.#worker;
    this.#worker = null;
    await ended?.terminate();
  }

  /** A process that has nothing else to do may end. A file that is being filled keeps its thread. */
  #rest(): void {
    this.#worker?.unref();
    clearTimeout(this.#idle);
    if (this.#files > 0) return;
    this.#idle = setTimeout(() => void this.#end(), this.#idleMs);
    this.#idle.unref();
  }

  #ask(order: IndexOrder): Promise<WrittenBatch | null> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#started();
    const thread = this.#worker;
    thread.ref();
    const id = this.#nextId++;
    return new Promise((settle, reject) => {
      this.#waiting.set(id, { settle, reject });
      thread.postMessage({ id, order });
    });
  }
}
