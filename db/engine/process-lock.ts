// The lock of a process (port HoldLock; R7a, R13): an empty SQLite file held exclusively. The system lets go of it when
// the process ends, in whatever way; it holds between containers that share a folder, and between machines as far as
// their file system knows locks.
import { closeSync, openSync } from "node:fs";
import type { HoldLock } from "../../src/shared/process-lock.ts";
import { sqliteHandle } from "./sqlite-handle.ts";

export const holdLock: HoldLock = async (path) => {
  // For its owner alone, like all files in the folder.
  closeSync(openSync(path, "a", 0o600));
  const handle = await sqliteHandle(path);
  try {
    handle.exec("pragma busy_timeout = 0");
    // No journal file: nothing is ever written.
    handle.exec("pragma journal_mode = memory");
    handle.exec("begin exclusive");
  } catch {
    // Busy, or a file system without locks: then nobody may be taken for dead.
    handle.close();
    return null;
  }
  return { release: async () => handle.close() };
};
