// The thread in which long documents are written into the embedded search index (db/search/index-thread.ts): started by
// index-thread.ts.
import { parentPort } from "node:worker_threads";
import { serveIndexes } from "../../db/search/index-thread-worker.ts";

if (parentPort !== null) serveIndexes(parentPort);
