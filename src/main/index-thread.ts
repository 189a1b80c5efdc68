// Starts the thread in which the embedded search index is written, separate from the thread that answers (R9a).
import { Worker } from "node:worker_threads";
import type { StartIndexThread } from "../../db/search/index-thread.ts";

export const startIndexThread: StartIndexThread = (isBuilding) =>
  new Worker(new URL("./index-worker.ts", import.meta.url), { workerData: { isBuilding } });
