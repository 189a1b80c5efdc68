// The jobs that care for stored bytes: the sweep (R7a, R7c), the MD5 of large files (R7b), reading everything again,
// slowly (R19b).

import { HopelessJob, type Job } from "../../jobs/job.ts";
import type { JobContext, JobKinds } from "../../jobs/runner.ts";
import type { JobWriter } from "../../jobs/store.ts";
import type { ItemFile } from "../../model/items/item.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { FULL_TEXT_JOB } from "../store/full-text.ts";
import type { ItemReader, ItemWriter, ReckonedHashes } from "../store/items.ts";
import { checkFiles } from "./file-checks.ts";
import { NotOurs, type StorageClaim } from "./storage-claim.ts";
import { sweepStorage, TooManyToSweep } from "./storage-sweep.ts";

/** `subject` of `MD5_JOB` is the storage key. Enqueued for every file that was stored without MD5. */
export const MD5_JOB = "file_md5";
export const SWEEP_JOB = "storage_sweep";
export const CHECK_JOB = "file_check";

const DAY_MS = 86_400_000;
const CHECK_EVERY_MS = 30 * DAY_MS;
/** The slow check takes no more of the disk than this, and gives way to other jobs after so long. */
const CHECK_BYTES_PER_SECOND = 8 * 1024 * 1024;
const CHECK_SLICE_MS = 10 * 60_000;

type StorageJobNeeds = {
  readonly storage: Storage;
  readonly claim: Pick<StorageClaim, "takeTurn">;
  readonly hashing: Pick<Unpacking, "hash">;
  readonly items: Pick<ItemReader, "namedKeys" | "filesAfter" | "fileOfKey">;
  readonly store: {
    transact<T>(
      work: (tx: {
        readonly items: Pick<ItemWriter, "setHashes">;
        readonly jobs: Pick<JobWriter, "enqueue">;
      }) => Promise<T>,
    ): Promise<T>;
  };
  readonly clock: Clock;
  readonly log: Log;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** SVC_FULL_TEXT: the words of files are read once their content is known (R35). */
  readonly fullText?: boolean;
};

/**
 * Retried for ever: a storage that is unreachable, or refuses access until the settings are corrected, is not a fault
 * of the job.
 */
export function storageJobs(needs: StorageJobNeeds): JobKinds {
  return {
    [SWEEP_JOB]: { run: () => sweep(needs), maxAttempts: null, everyMs: DAY_MS },
    [MD5_JOB]: { run: (job, { signal }) => reckonMd5(needs, job.subject, signal), maxAttempts: null },
    [CHECK_JOB]: {
      run: (job, context) => checkSlice(needs, job, context),
      maxAttempts: null,
      everyMs: CHECK_EVERY_MS,
      atStart: false,
    },
  };
}

/** A sweep that is not allowed is reported each day, and waits for the operator. */
async function sweep({ storage, clock, claim, items, log }: StorageJobNeeds): Promise<void> {
  try {
    log.info("storage_swept", await sweepStorage({ storage, clock, claim, named: (keys) => items.namedKeys(keys) }));
  } catch (error) {
    if (!(error instanceof NotOurs || error instanceof TooManyToSweep)) throw error;
    log.warn("storage_not_swept", { reason: error.message });
  }
}

async function reckonMd5(needs: StorageJobNeeds, key: string, signal: AbortSignal): Promise<void> {
  const file = await needs.items.fileOfKey(key);
  if (file === null) {
    // The draft that had it was given up.
    if ((await needs.storage.stat(key)) !== null) return;
    throw new HopelessJob("There are no such bytes in the storage");
  }
  const hashes = await reckonHashes(needs, file, signal);
  if (hashes === "missing") throw new HopelessJob("There are no such bytes in the storage");
  if (hashes === "damaged") {
    needs.log.error("file_damaged", { key, problem: "composite" });
    throw new HopelessJob("The bytes are not those of the parts that were uploaded");
  }
  const at = needs.clock.now();
  await needs.store.transact(async (tx) => {
    const items = await tx.items.setHashes(key, hashes);
    if (needs.fullText !== true) return;
    for (const item of items) await tx.jobs.enqueue({ kind: FULL_TEXT_JOB, subject: String(item) }, at);
  });
}

/** Goes on where the last slice ended; its payload is the storage key it came to. */
async function checkSlice(needs: StorageJobNeeds, job: Job, { signal }: JobContext): Promise<void> {
  const { items, clock, log, store } = needs;
  const until = addMilliseconds(clock.now(), CHECK_SLICE_MS);
  let after = typeof job.payload === "string" ? job.payload : "";
  let [isWhole, files] = [true, 0];
  const stopAt = {
    bytesPerSecond: CHECK_BYTES_PER_SECOND,
    after,
    progress: (soFar: { readonly files: number; readonly key: string }) => {
      [after, files] = [soFar.key, soFar.files];
    },
  };
  const sleep = async (milliseconds: number): Promise<void> => {
    signal.throwIfAborted();
    await needs.sleep(milliseconds);
  };
  const filesAfter = async (key: string, limit: number) => {
    isWhole = clock.now() < until;
    return isWhole ? await items.filesAfter(key, limit) : [];
  };
  for await (const finding of checkFiles({ ...needs, sleep, filesAfter }, stopAt)) log.error("file_damaged", finding);
  log.info("files_checked", { files, whole: isWhole });
  const next = isWhole ? { payload: null, runAt: addMilliseconds(clock.now(), CHECK_EVERY_MS) } : { payload: after };
  await store.transact((tx) => tx.jobs.enqueue({ kind: CHECK_JOB, subject: "", ...next }, clock.now()));
}

// What bytes are hashed to that were too large for it while they were written, or never passed through us as a whole
// (R7a, R7b): read once, and where they came in parts held against the MD5s of the parts.

type HashNeeds = {
  readonly storage: Pick<Storage, "read">;
  readonly hashing: Pick<Unpacking, "hash">;
};

const COMPOSITE = /^multipart:([0-9a-f]{32})-\d+-(\d+)$/;

/** `missing`: there are no such bytes. `damaged`: they are not what the parts were. */
async function reckonHashes(
  { storage, hashing }: HashNeeds,
  { storageKey, composite }: ItemFile,
  signal?: AbortSignal,
): Promise<ReckonedHashes | "missing" | "damaged"> {
  const read = await storage.read(storageKey, undefined, signal);
  if (read === null) return "missing";
  const [whole, md5] = [hashing.hash("sha256"), hashing.hash("md5")];
  const [, expected, partBytes] = COMPOSITE.exec(composite ?? "") ?? [];
  const parts = expected === undefined ? null : partHashes(hashing, Number(partBytes));
  for await (const piece of read.stream) {
    signal?.throwIfAborted();
    whole.update(piece);
    md5.update(piece);
    parts?.update(piece);
  }
  if (parts !== null && parts.hex() !== expected) return "damaged";
  return { md5: md5.hex(), sha256: whole.hex() };
}

/** MD5 of the MD5s of parts of `partBytes` bytes. */
function partHashes(hashing: Pick<Unpacking, "hash">, partBytes: number) {
  const composite = hashing.hash("md5");
  let part = hashing.hash("md5");
  let length = 0;
  const endPart = (): void => {
    composite.update(Uint8Array.from(part.hex().match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
    part = hashing.hash("md5");
    length = 0;
  };
  return {
    update(piece: Uint8Array): void {
      for (let rest = piece; rest.length > 0; ) {
        const some = rest.subarray(0, partBytes - length);
        part.update(some);
        length += some.length;
        rest = rest.subarray(some.length);
        if (length === partBytes) endPart();
      }
    },
    hex(): string {
      if (length > 0) endPart();
      return composite.hex();
    },
  };
}
