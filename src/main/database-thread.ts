// Starts the thread in which SQLite writes, separate from the thread that answers (R9a).
import { Worker } from "node:worker_threads";
import type { StartThread } from "../../db/engine/sqlite-thread.ts";

export const databaseThread: StartThread = () => new Worker(new URL("./database-worker.ts", import.meta.url));
