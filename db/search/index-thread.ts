// A thread beside the one that answers, for writing into embedded indexes what takes long (R9a, R34): very long documents, each of which is one
// statement of SQLite, and new index files. Started when it is first needed, ended when nothing came for a while. Documents travel as text.
import type { IndexSchema, SearchDocument } from "../../src/repository/search/document.ts";
import type { IndexBatch } from "../../src/repository/search/index-port.ts";
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
  | { readonly what: "create"; readonly path: string; readonly schema: IndexSchema }
  | { readonly what: "add"; readonly path: string; readonly documents: string }
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
  on(event: "message", told: (result: IndexResult) => void): unknown;
  on(event: "error", told: (error: unknown) => void): unknown;
  on(event: "exit", told: (code: number) => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
};

/** Starts a thread that does what {@link IndexOrder} says (index-thread-worker.ts). */
export type StartIndexThread = () => IndexWorker;

/** A new index file that is being filled. */
export interface FilledFile {
  readonly path: string;
  add(documents: readonly SearchDocument[]): Promise<void>;
  finish(position: FeedPosition): Promise<void>;
  close(): Promise<void>;
}

export interface IndexThread {
  write(path: string, schema: IndexSchema, batch: IndexBatch, slots: readonly number[]): Promise<WrittenBatch>;
  create(path: string, schema: IndexSchema): Promise<FilledFile>;
  close(): Promise<void>;
}

const IDLE_MS = 10_000;

type Waiting = { readonly settle: (written: WrittenBatch | null) => void; readonly reject: (error: Error) => void };

export function indexThread(start: StartIndexThread): IndexThread {
  const waiting = new Map<number, Waiting>();
  let worker: IndexWorker | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let nextId = 1;
  let files = 0;

  function died(ended: IndexWorker, why: unknown): void {
    if (worker !== ended) return;
    worker = null;
    for (const { reject } of waiting.values())
      reject(new Error("The thread that writes the search index ended", { cause: why }));
    waiting.clear();
  }

  function started(): IndexWorker {
    const made = start();
    made.on("message", (result) => {
      const asked = waiting.get(result.id);
      waiting.delete(result.id);
      if ("failure" in result) asked?.reject(new Error(result.failure));
      else asked?.settle(result.written);
      if (waiting.size === 0) rest();
    });
    made.on("error", (error) => died(made, error));
    made.on("exit", (code) => died(made, code));
    return made;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  /** A process that has nothing else to do may end. A file that is being filled keeps its thread. */
  function rest(): void {
    worker?.unref();
    clearTimeout(idle);
    if (files > 0) return;
    idle = setTimeout(() => void end(), IDLE_MS);
    idle.unref();
  }

  function ask(order: IndexOrder): Promise<WrittenBatch | null> {
    clearTimeout(idle);
    worker ??= started();
    const thread = worker;
    thread.ref();
    const id = nextId++;
    return new Promise((settle, reject) => {
      waiting.set(id, { settle, reject });
      thread.postMessage({ id, order });
    });
  }

  return {
    async write(path, schema, batch, slots) {
      const written = await ask({ what: "write", path, schema, batch: JSON.stringify(batch), slots });
      if (written === null) throw new RangeError("The thread that writes the search index told nothing of a batch");
      return written;
    },
    async create(path, schema) {
      await ask({ what: "create", path, schema });
      files += 1;
      let isOpen = true;
      // What is being written while the next documents are made.
      let before: Promise<unknown> = Promise.resolve();
      const closed = (): void => {
        if (isOpen) files -= 1;
        isOpen = false;
      };
      return {
        path,
        async add(documents) {
          const text = JSON.stringify(documents);
          await before;
          if (!isOpen) throw new RangeError("Cannot add to an index that is finished or was abandoned");
          before = ask({ what: "add", path, documents: text });
          before.catch(() => {});
        },
        async finish(position) {
          await before;
          if (!isOpen) throw new RangeError("Cannot finish an index that is finished or was abandoned");
          await ask({ what: "finish", path, position });
          closed();
          if (waiting.size === 0) rest();
        },
        async close() {
          if (!isOpen) return;
          closed();
          if (worker !== null) await ask({ what: "close", path });
        },
      };
    },
    async close() {
      for (const { reject } of waiting.values()) reject(new Error("The search index is closed"));
      waiting.clear();
      await end();
    },
  };
}
