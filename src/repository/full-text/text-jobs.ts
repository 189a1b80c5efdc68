// The jobs that read the words of files (R35, R8): of one item after a revision brought files, and of all files that
// were never read or were read by an older reader. The reason for an unread file is stored, so that it is not tried
// again.

import { detectKind, HEAD_BYTES, type TextKind } from "../../formats/text/detect.ts";
import { errorText, finishedPass, type Job, nextPass } from "../../jobs/job.ts";
import type { JobContext, JobKinds } from "../../jobs/runner.ts";
import type { JobWriter } from "../../jobs/store.ts";
import { shownFileName } from "../../model/files/file-names.ts";
import type { ItemFile } from "../../model/items/item.ts";
import { joined } from "../../shared/bytes/byte-streams.ts";
import { errorMessage } from "../../shared/error-message.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { Storage } from "../../storage/storage.ts";
import { isStorageAway } from "../../storage/unavailable.ts";
import type { ChangeReader } from "../store/changes.ts";
import {
  FULL_TEXT_JOB,
  type FullTextReader,
  type FullTextWriter,
  RETRIED_STATES,
  readFiles,
  type TextState,
} from "../store/full-text.ts";
import type { ItemReader } from "../store/items.ts";
import { READER_VERSION, type TextOutcome, type TextReading } from "../store/text-reading.ts";

/** Finds what lacks its text; its payload is the content it came to, or that it has come to the end. */
export const TEXT_CATCH_UP_JOB = "full_text_catch_up";

/** Both kinds: one file at a time is read in a process, however many wait. */
const QUEUE = "full_text";
const DAY_MS = 86_400_000;
/** Then the others have their turn. */
const SLICE_MS = 60_000;
const CONTENTS_AT_ONCE = 500;
/** Items enqueued at once, before the next are searched for: a deposit in the meantime waits for no more than these. */
const ITEMS_AT_ONCE = 100;
const STRAYS_AT_ONCE = 1_000;
/** Longer words about a file are cut. */
const REASON_MOST = 300;

export type TextLimits = {
  /** SVC_FULL_TEXT_MAX_FILE */
  readonly fileBytes: number;
  /** SVC_FULL_TEXT_CHARACTERS */
  readonly fileCharacters: number;
  /** SVC_FULL_TEXT_ITEM_CHARACTERS */
  readonly itemCharacters: number;
};

export type TextJobNeeds = {
  readonly store: {
    readonly items: Pick<ItemReader, "item">;
    readonly fullText: Pick<FullTextReader, "textMarks" | "lackingTexts" | "textFiles">;
    readonly changes: Pick<ChangeReader, "position">;
    transact<T>(
      work: (tx: {
        readonly fullText: Pick<FullTextWriter, "saveText" | "dropStrayTexts">;
        readonly jobs: Pick<JobWriter, "enqueue">;
      }) => Promise<T>,
    ): Promise<T>;
  };
  readonly storage: Pick<Storage, "read">;
  readonly reading: TextReading;
  readonly limits: TextLimits;
  readonly clock: Clock;
  readonly log: Log;
};

/** Tried for ever: what fails here is the storage or the database, never a file. */
export function textJobs(needs: TextJobNeeds): JobKinds {
  return {
    [FULL_TEXT_JOB]: { run: (job, context) => readItem(needs, job, context), maxAttempts: null, queue: QUEUE },
    [TEXT_CATCH_UP_JOB]: {
      run: (job, context) => catchUp(needs, job, context),
      maxAttempts: null,
      queue: QUEUE,
      everyMs: DAY_MS,
    },
  };
}

/**
 * While texts are not read (SVC_FULL_TEXT=0) nothing is enqueued for what is published: once they are read again,
 * everything is searched.
 */
export function idleTextJobs({ store, clock }: Pick<TextJobNeeds, "store" | "clock">): JobKinds {
  const forget = async (): Promise<void> => {
    const at = clock.now();
    const next = { payload: "", runAt: addMilliseconds(at, DAY_MS) };
    await store.transact((tx) => tx.jobs.enqueue({ kind: TEXT_CATCH_UP_JOB, subject: "", ...next }, at));
  };
  return { [TEXT_CATCH_UP_JOB]: { run: forget, maxAttempts: null, everyMs: DAY_MS } };
}

/** Reads what was not read yet, in the order of the files, until the item has as many characters as are kept of one. */
async function readItem(needs: TextJobNeeds, job: Job, { signal, progress }: JobContext): Promise<void> {
  const { store, clock, limits } = needs;
  const until = addMilliseconds(clock.now(), SLICE_MS);
  const item = await store.items.item(Number(job.subject));
  const content = item?.content ?? null;
  const files = content === null ? [] : readFiles(content);
  const marks = await store.fullText.textMarks(files.map(({ sha256 }) => sha256));
  const isRead = new Set(
    [...marks.values()].filter(({ reader }) => reader >= READER_VERSION).map(({ sha256 }) => sha256),
  );
  let left = limits.itemCharacters - [...isRead].reduce((sum, each) => sum + (marks.get(each)?.characters ?? 0), 0);
  const failures: string[] = [];
  for (const file of files) {
    if (isRead.has(file.sha256)) continue;
    signal.throwIfAborted();
    if (clock.now() >= until) {
      await store.transact((tx) => tx.jobs.enqueue({ kind: FULL_TEXT_JOB, subject: job.subject }, clock.now()));
      break;
    }
    const outcome = await readOnce(needs, file, Math.min(left, limits.fileCharacters), signal);
    const reason = outcome.reason.replaceAll("\0", "").toWellFormed().slice(0, REASON_MOST);
    const text = { sha256: file.sha256, ...outcome, reason, reader: READER_VERSION, at: clock.now() };
    await store.transact((tx) => tx.fullText.saveText(text));
    isRead.add(file.sha256);
    left -= outcome.text.length;
    if (isReported(outcome.state)) failures.push(`${shownFileName(file.name)}: ${outcome.state} (${outcome.reason})`);
  }
  if (failures.length > 0) await progress(errorText(`Not read: ${failures.join("; ")}`));
}

const isReported = (state: TextState): boolean => state === "encrypted" || RETRIED_STATES.includes(state);

const failed = (state: TextState, reason: string): TextOutcome => ({ state, reason, text: "" });

/** Formats of which the beginning alone can be read. */
const CUT_KINDS: readonly TextKind[] = ["plain", "html", "xml"];
/** Of UTF-8 and of every encoding that is known here. */
const CHARACTER_BYTES_MOST = 4;

/** @throws StorageProblem when the storage is away, the signal's reason. */
async function readOnce(
  { storage, reading, limits }: TextJobNeeds,
  file: ItemFile,
  characters: number,
  signal: AbortSignal,
): Promise<TextOutcome> {
  const { name, mediaType, sizeBytes, storageKey } = file;
  if (sizeBytes === 0) return failed("empty", "");
  if (characters <= 0) return failed("too-large", `Its item has ${limits.itemCharacters} characters without it`);
  async function* bytesTo(most: number): AsyncGenerator<Uint8Array> {
    const range = most < sizeBytes ? { first: 0, last: most - 1 } : undefined;
    const read = await storage.read(storageKey, range, signal);
    if (read === null) throw new NoBytes("The storage has no such bytes");
    yield* read.stream;
  }
  try {
    const head = await joined(bytesTo(Math.min(HEAD_BYTES, sizeBytes)));
    const kind = detectKind({ head, name, mediaType });
    if (kind === "unsupported") return failed(kind, "It is of no format whose words can be read");
    const isCuttable = CUT_KINDS.includes(kind);
    if (sizeBytes > limits.fileBytes && !isCuttable) {
      return failed("too-large", `It has ${sizeBytes} bytes, files of at most ${limits.fileBytes} are read`);
    }
    const wanted = kind === "plain" ? characters * CHARACTER_BYTES_MOST : limits.fileBytes;
    const most = Math.min(sizeBytes, wanted, limits.fileBytes);
    const order = { name, mediaType, sizeBytes: most, characters, isCut: most < sizeBytes };
    return await reading.read(order, () => bytesTo(most), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isStorageAway(error) || !isOfBytes(error)) throw error;
    return failed("unreadable", errorMessage(error));
  }
}

class NoBytes extends Error {}

/** True for a disk error about these bytes, recognized by the code of the system. */
function isOfBytes(error: unknown): boolean {
  return error instanceof NoBytes || (error instanceof Error && "code" in error && error.code === "EIO");
}

/** Texts are of a reader and of a database: one that was restored has none. */
const textsOf = async ({ changes }: Pick<TextJobNeeds["store"], "changes">): Promise<string> =>
  `${READER_VERSION} ${(await changes.position()).epoch}`;

/**
 * Enqueues the items whose files lack their text, in batches; then deletes texts that no item refers to. Once a day,
 * however often the program is started.
 */
async function catchUp({ store, clock, log }: TextJobNeeds, { payload }: Job, { signal }: JobContext): Promise<void> {
  const textsNow = await textsOf(store);
  const nextAt = nextPass(payload, textsNow, DAY_MS, clock.now());
  if (nextAt !== null) {
    await store.transact((tx) => tx.jobs.enqueue({ kind: TEXT_CATCH_UP_JOB, subject: "", runAt: nextAt }, clock.now()));
    return;
  }
  let after = typeof payload === "string" ? payload : "";
  const items = new Set<number>();
  let last: string | null = after;
  while (last !== null && items.size < ITEMS_AT_ONCE) {
    signal.throwIfAborted();
    after = last;
    const page = await store.fullText.lackingTexts(after, READER_VERSION, CONTENTS_AT_ONCE);
    const seen = new Set<string>();
    for (const { sha256, itemId } of await store.fullText.textFiles(page.sha256s)) {
      if (!seen.has(sha256)) items.add(itemId);
      seen.add(sha256);
    }
    last = page.last;
    await yieldToEventLoop();
  }
  const at = clock.now();
  const next =
    last === null
      ? { payload: finishedPass(textsNow, at), runAt: addMilliseconds(at, DAY_MS) }
      : { payload: last, runAt: at };
  await store.transact(async (tx) => {
    for (const id of items) await tx.jobs.enqueue({ kind: FULL_TEXT_JOB, subject: String(id) }, at);
    await tx.jobs.enqueue({ kind: TEXT_CATCH_UP_JOB, subject: "", ...next }, clock.now());
  });
  if (items.size > 0) log.info("full_text_enqueued", { items: items.size });
  if (last === null) await dropStrays(store, signal);
}

async function dropStrays(store: TextJobNeeds["store"], signal: AbortSignal): Promise<void> {
  for (let after: string | null = ""; after !== null; ) {
    signal.throwIfAborted();
    const from: string = after;
    after = await store.transact((tx) => tx.fullText.dropStrayTexts(from, STRAYS_AT_ONCE));
    await yieldToEventLoop();
  }
}
