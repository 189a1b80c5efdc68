// Jobs about files of drafts (R8, R37; specification 3, fetch transfer in the table of states): those that are fetched
// from an address, and uploads in parts that nobody goes on with.

import type { Job } from "../../jobs/job.ts";
import type { JobContext, JobKinds } from "../../jobs/runner.ts";
import { errorMessage } from "../../shared/error-message.ts";
import type { Log } from "../../shared/log.ts";
import { maybe } from "../../shared/objects.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import { StorageProblem } from "../../storage/limits.ts";
import type { Storage } from "../../storage/storage.ts";
import type { DraftFile } from "../store/draft-files.ts";
import type { RepositoryStore } from "../store/store.ts";
import { completeIn } from "./completing.ts";
import { UPLOAD_KEPT_MS, uploadOf } from "./part-links.ts";
import { FETCH_JOB, FetchRefused, type RemoteFiles } from "./remote-files.ts";
import { REMOVED_KEPT_MS } from "./removed-files.ts";

export const ABANDONED_JOB = "file_uploads_abandoned";

const DAY_MS = 86_400_000;
/** Tries of one file, where another try may do it. */
const FETCH_ATTEMPTS = 4;
/** A file that was begun so often has ended the process, or outlasted every storage. */
const BEGINNINGS_MAX = 50;
const STALE_AT_ONCE = 100;

type FileJobNeeds = {
  readonly store: RepositoryStore;
  readonly storage: Pick<Storage, "put" | "multipart">;
  readonly remote: RemoteFiles;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
};

export function recordFileJobs(needs: FileJobNeeds): JobKinds {
  return {
    [FETCH_JOB]: {
      run: (job, context) => fetchFile(needs, job, context),
      maxAttempts: null,
      queue: FETCH_JOB,
    },
    [ABANDONED_JOB]: { run: (_, { signal }) => endAbandoned(needs, signal), maxAttempts: null, everyMs: DAY_MS },
  };
}

async function fetchFile(
  needs: FileJobNeeds,
  { subject, attempts }: Job,
  { signal, progress }: JobContext,
): Promise<void> {
  const { store, storage, remote, maxBytes } = needs;
  const file = await store.draftFiles.draftFileById(subject);
  // Given up, or done before the process died.
  if (file === null || file.error !== null || file.transfer.type !== "F" || file.transfer.url === null) return;
  if (attempts > BEGINNINGS_MAX) {
    return await settle(needs, { ...file, transfer: { type: "F", url: null }, error: "The file could not be fetched" });
  }
  try {
    const { sizeBytes, pieces } = await remote.open(file.transfer.url, signal);
    await progress(sizeBytes === null ? "fetching" : `fetching ${sizeBytes} bytes`);
    const limits = { maxBytes, ...(sizeBytes === null ? {} : { sizeBytes }) };
    const stored = await storage.put(pieces, limits);
    if (file.sizeBytes !== null && file.sizeBytes !== stored.sizeBytes) {
      throw new FetchRefused(`The file has ${stored.sizeBytes} bytes, not ${file.sizeBytes} as announced`);
    }
    const received = { storageKey: stored.key, sha256: stored.sha256, md5: stored.md5 };
    await settle(needs, { ...file, sizeBytes: stored.sizeBytes, received });
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    if (reason === null || (isPassing(error) && attempts < FETCH_ATTEMPTS)) throw error;
    needs.log.info("file_not_fetched", { record: file.itemId, upload: file.id, reason });
    await settle(needs, { ...file, transfer: { type: "F", url: null }, error: reason });
  }
}

const isPassing = (error: unknown): boolean => error instanceof FetchRefused && error.passing;

/**
 * The reason for the depositor; null where the error is not about the file: the storage is unreachable, or the program
 * failed.
 */
function reasonOf(error: unknown): string | null {
  if (error instanceof FetchRefused) return error.message;
  if (error instanceof StorageProblem && (error.kind === "too_large" || error.kind === "wrong_size")) {
    return "The file is too large, or its size differs from what the other side states";
  }
  return null;
}

const setMeanwhile = ({ metadata, rule }: DraftFile) => ({ metadata, ...maybe("rule", rule) });

/** The file as it came, or why it did not, while its draft still waits for it. */
async function settle({ store, clock }: FileJobNeeds, file: DraftFile): Promise<void> {
  await store.transact(async (tx) => {
    const locked = await tx.items.lockItem(file.itemId);
    const draft = await tx.items.draft(file.itemId);
    const now = await tx.draftFiles.draftFileById(file.id);
    if (locked === null || draft === null || now === null) return;
    const at = clock.now();
    if (file.error === null) await completeIn(tx, { ...locked, draft }, { ...file, ...setMeanwhile(now) }, at);
    else await tx.draftFiles.saveDraftFile({ ...file, ...setMeanwhile(now), updatedAt: at });
  });
}

/**
 * Uploads in parts of which nothing was heard for so long that the addresses of their parts have ended: they fail, and
 * their parts go.
 */
async function endAbandoned({ store, storage, clock, log }: FileJobNeeds, signal: AbortSignal): Promise<void> {
  const forgotten = addMilliseconds(clock.now(), -REMOVED_KEPT_MS);
  await store.transact((tx) => tx.draftFiles.forgetRemovedFiles(forgotten));
  const before = addMilliseconds(clock.now(), -UPLOAD_KEPT_MS);
  let ended = 0;
  for (;;) {
    const files = await store.draftFiles.staleDraftFiles(before, STALE_AT_ONCE);
    for (const file of files) {
      signal.throwIfAborted();
      const upload = uploadOf(file);
      const isEnded = await store.transact(async (tx) => {
        await tx.items.lockItem(file.itemId);
        const now = await tx.draftFiles.draftFileById(file.id);
        if (now === null || now.error !== null || now.updatedAt >= before) return false;
        const given = now.transfer.type === "F" ? { ...now.transfer, url: null } : now.transfer;
        const failed = { ...now, transfer: given, received: null, updatedAt: clock.now() };
        return await tx.draftFiles.saveDraftFile({ ...failed, error: "It was given up: nothing came for 14 days" });
      });
      if (!isEnded) continue;
      ended += 1;
      // What cannot be dropped now, the sweep of the storage drops: no row names it.
      if (upload !== null) {
        await storage.multipart.abortMultipart(upload).catch((error: unknown) => {
          log.warn("upload_not_aborted", { record: file.itemId, reason: errorMessage(error) });
        });
      }
    }
    if (files.length < STALE_AT_ONCE) break;
  }
  if (ended > 0) log.info("file_uploads_ended", { ended });
}
