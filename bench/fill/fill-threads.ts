// Fills by several threads that make rows, while this one hands them to the database in the order of works.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FillAnswer, FillOrder, FillWork } from "./fill-worker.ts";
import { Filler, openSink, type Plan, type Recordings } from "./filling.ts";
import { Batching, type Sink } from "./sinks.ts";

/** Works of one batch. */
const WORKS = 1_000;
/** Batches that are asked of a thread at once. */
const AHEAD = 2;
const REPORTED_WORKS = 50_000;

type Work = { readonly plan: Plan; readonly recordings: Recordings };

/** Fills the database with persons and works; `url`: of PostgreSQL, null: of SQLite in the folder of the plan. */
export async function fillDatabase(work: Work, url: string | null, threads = availableParallelism()) {
  const { plan, recordings } = work;
  const filler = new Filler(plan, recordings);
  const sink = await openSink(plan, url);
  const batching = new Batching(sink.form);
  filler.persons(batching.write);
  await sink.take(batching.take());
  plan.progress?.(`${plan.persons} persons`);
  const ids = await fillWorks(work, sink, threads);
  for (const [table, cells] of filler.changed()) sink.replace(table, cells);
  plan.progress?.(`${plan.works} works; indexes are made`);
  await sink.close(filler.lastBefore(plan.works));
  return { filler, ids };
}

/** First version and parent of each work. */
async function fillWorks(work: Work, sink: Sink, threads: number): Promise<Int32Array> {
  const { plan } = work;
  const workers = Array.from({ length: threads }, () => startWorker({ ...work, form: sink.form }));
  const ids = new Int32Array(plan.works * 2);
  const begun: { readonly from: number; readonly answer: Promise<FillAnswer> }[] = [];
  const startedAt = performance.now();
  let next = 0;
  try {
    for (let taken = 0; taken < plan.works; ) {
      while (begun.length < threads * AHEAD && next < plan.works) {
        const [from, to] = [next, Math.min(plan.works, next + WORKS)];
        const worker = workers[Math.floor(from / WORKS) % threads];
        if (worker === undefined) throw new RangeError("There is no thread");
        begun.push({ from, answer: worker.make({ from, to }) });
        next = to;
      }
      const first = begun.shift();
      if (first === undefined) break;
      const { batch, ids: some } = await first.answer;
      await sink.take(new Map(batch));
      ids.set(some, first.from * 2);
      taken = first.from + some.length / 2;
      if (taken % REPORTED_WORKS > 0) continue;
      plan.progress?.(`${taken} works, ${Math.round((taken * 1_000) / (performance.now() - startedAt))} a second`);
    }
  } finally {
    await Promise.all(workers.map((each) => each.close()));
  }
  return ids;
}

function startWorker({ plan: { progress: _, ...plan }, ...work }: FillWork) {
  const worker = new Worker(new URL("./fill-worker.ts", import.meta.url), { workerData: { plan, ...work } });
  const waiting: PromiseWithResolvers<FillAnswer>[] = [];
  worker.on("message", (answer: FillAnswer) => waiting.shift()?.resolve(answer));
  worker.on("error", (error) => {
    for (const each of waiting) each.reject(error);
  });
  return {
    make(order: FillOrder): Promise<FillAnswer> {
      const asked = Promise.withResolvers<FillAnswer>();
      waiting.push(asked);
      worker.postMessage(order);
      return asked.promise;
    },
    close: async (): Promise<void> => void (await worker.terminate()),
  };
}
