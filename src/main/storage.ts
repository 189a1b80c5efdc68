// Opens the storage that the settings name (R7): a folder, or a store of the S3 kind with a work folder beside the data.
import { join } from "node:path";
import { codeOf } from "../adapters/file-writing.ts";
import { openLocalStorage } from "../adapters/storage-local.ts";
import { openS3Storage } from "../adapters/storage-s3.ts";
import { openWorkFolder } from "../adapters/work-folder.ts";
import type { Config } from "../config.ts";
import { StorageProblem } from "../domain/storage/limits.ts";
import type { IncomingFiles, Storage } from "../ports/storage.ts";
import type { Check } from "../services/readiness.ts";
import { StartError } from "./service.ts";

/** Where several processes share a folder, what was touched so lately may be another one's upload. */
const SHARED_LEFT_OVER_MS = 6 * 3_600_000;

/** Whether what a deposit needs first can be had: a file in the work folder. */
export function storageCheck({ incoming }: OpenedStorage): Check {
  return {
    async ask() {
      try {
        const file = await incoming.create();
        try {
          await file.write(new Uint8Array(1));
        } finally {
          await file.discard();
        }
        return null;
      } catch (error) {
        return `Files cannot be stored: ${causeOf(error)}`;
      }
    },
    silent: "The storage of files does not answer",
  };
}

/** In words, without the path that the system names: /readyz is shown to whoever asks. */
function causeOf(error: unknown): string {
  const code = codeOf(error);
  return (
    CAUSES[code] ??
    (error instanceof StorageProblem && error.kind === "no_space"
      ? "the disk is full"
      : `the disk says ${code === "" ? "no reason" : code}`)
  );
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

export type OpenedStorage = { readonly storage: Storage; readonly incoming: IncomingFiles };

/** Where the settings have the bytes of files. */
export function placeOfFiles(config: Config): { readonly kind: "folder" | "bucket"; readonly where: string } {
  const where = config.storage ?? join(config.dataDir, "files");
  return { kind: where.startsWith("s3://") ? "bucket" : "folder", where };
}

/**
 * `serve`: for the process that takes deposits; what an earlier one left half written is removed. `command`: beside it; nothing is.
 *
 * @throws StartError when it cannot be had.
 */
export async function openStorage(config: Config, purpose: "serve" | "command"): Promise<OpenedStorage> {
  const leftOverMs = purpose === "command" ? Number.POSITIVE_INFINITY : isAlone(config) ? 0 : SHARED_LEFT_OVER_MS;
  const { where } = placeOfFiles(config);
  try {
    if (!where.startsWith("s3://")) return await openLocalStorage({ folder: where, leftOverMs });
    const incoming = await openWorkFolder({ path: join(config.dataDir, "incoming"), leftOverMs });
    return { storage: openS3Storage(storeOf(config, where)), incoming };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const setting = config.storage === null ? "SVC_DATA_DIR" : "SVC_STORAGE";
    throw new StartError(`Cannot open the storage ${where}: ${why}; check ${setting}`, { cause: error });
  }
}

/** True where no other process takes deposits into this repository. */
export function isAlone(config: Config): boolean {
  return !config.sharePort && config.jobs === "on";
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
    ...{ endpoint, region, accessKeyId, secretAccessKey, bucket },
    prefix: prefix.filter((part) => part !== "").join("/"),
    pathStyle: true,
  };
}
