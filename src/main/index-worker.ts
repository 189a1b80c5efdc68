// The thread in which long documents and new files of the embedded search index are written
// (db/search/index-thread.ts): started by index-thread.ts.
import { parentPort, workerData } from "node:worker_threads";
import { serveIndexes } from "../../db/search/index-thread-worker.ts";
import { lowerPriority } from "./process/lower-priority.ts";

// A new index is for later: requests come first.
if (workerData?.isBuilding === true) lowerPriority();
if (parentPort !== null) serveIndexes(parentPort);
