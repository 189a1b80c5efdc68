// Hands long work on the resolver's table to a separate thread (table-thread.ts), and knows the path of a database's
// snapshot.

import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { sqlitePath } from "../../db/engine/open.ts";
import { type SnapshotStore, type TableBuilder, TableTooLarge } from "../resolver/table-builder.ts";
import { errorMessage } from "../shared/error-message.ts";
import { postgresUrls } from "../shared/settings/database-url.ts";
import type { TableResult, TableTask } from "./table-thread.ts";

type TableThreads = { readonly builder: TableBuilder; readonly snapshots: SnapshotStore };

/** One file for each database: not for each way to log in to it. */
export function snapshotPath(dataDir: string, databaseUrl: string): string {
  const servers = postgresUrls(databaseUrl)?.map((url) => new URL(url));
  const database =
    servers?.map(({ host, pathname }) => `${host}${pathname}`).join() ?? resolve(sqlitePath(databaseUrl));
  const mark = createHash("sha256").update(database).digest("hex").slice(0, 16);
  return join(dataDir, `resolver-table-${mark}.snapshot`);
}

/** Builds from the database at `url`; keeps the snapshot at `path`. */
export function tableThreads({ url, path }: { readonly url: string; readonly path: string }): TableThreads {
  const running = new Set<() => void>();
  let isClosed = false;

  function run(task: TableTask): Promise<TableResult> {
    if (isClosed) return Promise.reject(new Error("The resolver is stopping"));
    return new Promise<TableResult>((settle, reject) => {
      const worker = new Worker(new URL("./table-thread.ts", import.meta.url));
      const end = (finish: () => void): void => {
        if (!running.delete(giveUp)) return;
        finish();
        void worker.terminate();
      };
      const giveUp = (): void => end(() => reject(new Error("The work on the table was given up")));
      running.add(giveUp);
      worker.on("message", (result: TableResult) => end(() => settle(result)));
      worker.on("error", (error: unknown) => end(() => reject(error)));
      worker.on("exit", () => end(() => reject(new Error("The thread that worked on the table ended"))));
      worker.postMessage(task);
    });
  }

  return {
    builder: {
      async fromReplica() {
        const result = await run({ kind: "replica", url });
        if (result.kind === "table") return result.table;
        throw failure(result);
      },
      async fromMemory(rebuild) {
        const result = await run({ kind: "memory", rebuild });
        if (result.kind === "base") return result.segments;
        throw failure(result);
      },
      close() {
        isClosed = true;
        for (const giveUp of running) giveUp();
      },
    },
    snapshots: {
      async load() {
        const result = await run({ kind: "load", path }).catch(failed);
        if (result.kind === "table") return result.table;
        if (result.kind === "too-large") return { fault: new TableTooLarge(result.message) };
        return { fault: result.kind === "fault" ? result.fault : "unreadable" };
      },
      async save(table) {
        const result = await run({ kind: "save", path, table });
        if (result.kind !== "saved") throw failure(result);
      },
    },
  };
}

function failed(error: unknown): TableResult {
  return { kind: "failed", message: errorMessage(error) };
}

function failure(result: TableResult): Error {
  if (result.kind === "too-large") return new TableTooLarge(result.message);
  return result.kind === "failed"
    ? new Error(result.message)
    : new TypeError(`A thread did ${result.kind} where it was asked for something else`);
}
