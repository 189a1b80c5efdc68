// The thread in which a server's SQLite writes (db/engine/sqlite-thread.ts): started by database-thread.ts.
import { parentPort } from "node:worker_threads";
import { serveSqlite } from "../../db/engine/sqlite-thread-worker.ts";
import { collectGarbageSoon } from "./process/garbage.ts";

if (parentPort !== null) serveSqlite(parentPort, collectGarbageSoon);
