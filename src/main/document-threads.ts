// Starts the threads that make search documents out of the database (document-worker.ts): for building an index, apart from
// the thread that answers (R34).
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { DocumentThread, DocumentThreads } from "../repository/search/index/document-threads.ts";
import type { PreparedDocuments } from "../repository/search/index/index-port.ts";
import type { DocumentAnswer, DocumentOrder, DocumentWork } from "./document-worker.ts";

/** More would wait for the one that writes. */
const THREADS_MAX = 4;
const PARENTS_AT_ONCE = 250;
const PAGES_BEFORE = 8;

/** `url`: of the database, which they open themselves. */
export function documentThreads(url: string): DocumentThreads {
  return {
    count: Math.min(availableParallelism(), THREADS_MAX),
    parentsAtOnce: PARENTS_AT_ONCE,
    pagesBefore: PAGES_BEFORE,
    start: (settings, form) => startThread({ url, settings, form }),
  };
}

type Waiting = { readonly settle: (answer: DocumentAnswer) => void; readonly reject: (error: Error) => void };

function startThread(work: DocumentWork): DocumentThread {
  const worker = new Worker(new URL("./document-worker.ts", import.meta.url), { workerData: work });
  const answers = new Map<number, { readonly come: DocumentAnswer[]; waiting: Waiting | null }>();
  let ended: Error | null = null;
  let lastId = 0;
  const end = (error: Error): void => {
    ended ??= error;
    for (const { waiting } of answers.values()) waiting?.reject(ended);
  };
  worker.on("message", (answer: DocumentAnswer) => {
    const asked = answers.get(answer.id);
    if (asked === undefined) return;
    const { waiting } = asked;
    asked.waiting = null;
    if (waiting === null) asked.come.push(answer);
    else waiting.settle(answer);
  });
  worker.on("error", (error: unknown) => end(new Error("A thread that makes documents failed", { cause: error })));
  worker.on("exit", () => end(new Error("A thread that makes documents ended")));
  const send = (order: DocumentOrder): void => worker.postMessage(order);

  async function* slices(id: number): AsyncGenerator<PreparedDocuments> {
    for (;;) {
      const asked = answers.get(id);
      if (asked === undefined) return;
      const answer =
        asked.come.shift() ??
        (await new Promise<DocumentAnswer>((settle, reject) => {
          if (ended === null) asked.waiting = { settle, reject };
          else reject(ended);
        }));
      if ("failure" in answer) throw new Error(answer.failure);
      if (answer.isLast) answers.delete(id);
      else send({ what: "goOn", id });
      yield answer.prepared;
    }
  }
  return {
    make(parents, today) {
      lastId += 1;
      answers.set(lastId, { come: [], waiting: null });
      send({ what: "make", id: lastId, parents: JSON.stringify(parents), today });
      return slices(lastId);
    },
    async close() {
      end(new Error("The build of the search index has ended"));
      await worker.terminate();
    },
  };
}
