// Opens the storage that the settings name (R7, R7c): a folder, or a store of the S3 kind with a work folder next to
// the data.

import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isPostgresUrl, sqlitePath } from "../../db/engine/open.ts";
import { holdLock } from "../../db/engine/process-lock.ts";
import { codeOf } from "../adapters/files.ts";
import { openLocalStorage } from "../adapters/storage-local.ts";
import { openS3Storage } from "../adapters/storage-s3.ts";
import { type OwnWorkFolder, openWorkFolder, takeWorkFolder } from "../adapters/work-folder.ts";
import type { Config } from "../config.ts";
import type { Check } from "../operating/readiness.ts";
import type { StorageLocation } from "../repository/store/storage-marker.ts";
import { errorMessage } from "../shared/error-message.ts";
import type { Log } from "../shared/log.ts";
import { StorageProblem } from "../storage/limits.ts";
import { relievedStorage } from "../storage/memory-saving-storage.ts";
import type { IncomingFiles, Storage } from "../storage/storage.ts";
import { sparingProbe } from "../storage/storage-probe.ts";
import { collectGarbage } from "./process/garbage.ts";
import { StartError } from "./process/role-parts.ts";

/** A store that does not answer so soon is waited for by a repository that runs already. */
const START_PROBE_MS = 5_000;
/** Before a probe of /readyz gives up. */
const READY_PROBE_MS = 1_200;
/** A store counts its requests, and sends a bill for them. */
const STORAGE_KEPT_MS = 5_000;

/** Whether what a deposit needs is available: a file in the work folder, and a store that reads and writes. */
export function storageCheck({ incoming, storage }: OpenedStorage): Check {
  const probe = sparingProbe({ storage, elapsedMs: () => performance.now() });
  return {
    async ask() {
      try {
        const file = await incoming.create();
        try {
          await file.write(new Uint8Array(1));
        } finally {
          await file.discard();
        }
        await probe(READY_PROBE_MS);
        return null;
      } catch (error) {
        return `Files cannot be stored: ${causeOf(error)}`;
      }
    },
    silent: "The storage of files does not answer",
    keptMs: STORAGE_KEPT_MS,
  };
}

/** In words, without the path that the system names: /readyz is public. */
function causeOf(error: unknown): string {
  const problem = error instanceof StorageProblem ? error : null;
  const code = codeOf(problem?.cause ?? error);
  const known = CAUSES[code] ?? (problem?.kind === "no_space" ? "the disk is full" : undefined);
  if (known !== undefined) return known;
  // A store gives its own reason.
  return problem?.message ?? `the disk reports ${code === "" ? "no reason" : code}`;
}

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: "this process may not write to the folder of SVC_STORAGE or SVC_DATA_DIR",
  EPERM: "this process may not write to the folder of SVC_STORAGE or SVC_DATA_DIR",
  EROFS: "the disk is mounted for reading",
  ENOENT: "the folder of SVC_STORAGE or SVC_DATA_DIR is gone",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EMFILE: "too many files and connections are open",
};

export type OpenedStorage = {
  readonly storage: Storage;
  readonly incoming: IncomingFiles;
  readonly location: StorageLocation;
  /** The slot of this process among those that take deposits; null for a command. */
  readonly own: OwnWorkFolder | null;
};

/** Where the settings have the bytes of files. */
export function filesLocation(config: Config): { readonly kind: "folder" | "bucket"; readonly where: string } {
  const where = config.storage ?? join(config.dataDir, "files");
  return { kind: where.startsWith("s3://") ? "bucket" : "folder", where };
}

/**
 * `serve`: for a process that takes deposits; what a dead one left half written is removed. `command`: for a process
 * next to it; nothing is.
 *
 * @throws StartError when it cannot be opened.
 */
export async function openStorage(config: Config, purpose: "serve" | "command"): Promise<OpenedStorage> {
  const hold = purpose === "serve" ? { hold: holdLock } : {};
  const { kind, where } = filesLocation(config);
  try {
    if (kind === "folder") {
      const opened = await openLocalStorage({ folder: where, ...hold });
      const storage = relievedStorage(opened.storage, collectGarbage);
      return {
        ...opened,
        storage,
        location: (await isNextToDatabase(config, where)) ? "beside_database" : "elsewhere",
      };
    }
    const path = join(config.dataDir, "incoming");
    const store = storeOf(config, where);
    const storage = relievedStorage(openS3Storage(store), collectGarbage);
    const own = purpose === "serve" ? await takeWorkFolder(path, holdLock) : null;
    const incoming = own?.incoming ?? (await openWorkFolder(path));
    return { storage, incoming, own, location: store.prefix === "" ? "whole_bucket" : "elsewhere" };
  } catch (error) {
    const why = errorMessage(error);
    const setting = config.storage === null ? "SVC_DATA_DIR" : "SVC_STORAGE";
    throw new StartError(`Cannot open the storage ${where}: ${why}; check ${setting}`, { cause: error });
  }
}

/**
 * One look into the storage before the first request. False for an unreachable store: that is logged, and waited for.
 *
 * @throws StartError for one that refuses us.
 */
export async function requireStorage(
  config: Config,
  { storage }: Pick<OpenedStorage, "storage">,
  log: Log,
): Promise<boolean> {
  try {
    await storage.probe({ write: true, withinMs: START_PROBE_MS });
    return true;
  } catch (error) {
    if (!(error instanceof StorageProblem)) throw error;
    const { where } = filesLocation(config);
    if (error.kind === "refused") {
      throw new StartError(`Cannot use the storage ${where}: ${error.message}`, { cause: error });
    }
    log.warn("storage_away", { storage: where, reason: error.message });
    return false;
  }
}

/**
 * True where the folder really is in the same folder as the SQLite file: nothing else than this database is at home
 * there (R7c).
 */
async function isNextToDatabase({ databaseUrl }: Config, folder: string): Promise<boolean> {
  if (isPostgresUrl(databaseUrl)) return false;
  const path = sqlitePath(databaseUrl);
  if (basename(path) !== "arkstone.db") return false;
  const [data, files] = await Promise.all([realpath(dirname(path)), realpath(folder)]).catch(() => [null, null]);
  return data !== null && files === join(data, "files");
}

/** That these settings are there is checked when they are read (src/config.ts). */
function storeOf(config: Config, where: string) {
  const {
    s3Endpoint: endpoint,
    s3Region: region,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  } = config;
  if (endpoint === null || accessKeyId === null || secretAccessKey === null) {
    throw new TypeError("SVC_S3_ENDPOINT, SVC_S3_ACCESS_KEY_ID and SVC_S3_SECRET_ACCESS_KEY are needed");
  }
  const [bucket = "", ...prefix] = where.slice("s3://".length).split("/");
  return {
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    bucket,
    prefix: prefix.filter((part) => part !== "").join("/"),
    pathStyle: true,
  };
}
