// Importing a file of any length (A15, A51): batches of rows, each one transaction, so that an import that was cut off
// goes on where it stopped when it is started again. Rows that are there already are counted and left alone. Names
// minted elsewhere are made here; names that another Arkstone's operator exported are entered as they were
// (carried-names.ts).

import { attempt, isRefusal, makeNames, type NameRefusal, type Outcome } from "../ark/assign-names.ts";
import type { CarriedName } from "../ark/carried-name.ts";
import { differingFields } from "../ark/import-row.ts";
import type { ImportIn } from "../ark/inputs.ts";
import { importRecipe } from "../ark/minting.ts";
import { describe, fillTarget, isWithdrawn, takenRefusal } from "../ark/new-name.ts";
import type { ArkRecord } from "../ark/record.ts";
import type { ArkWriter, Receipt, Store } from "../ark/store.ts";
import { type Ark, formatArk, parseArk } from "../ark/syntax.ts";
import type { Call } from "../auth/caller.ts";
import { ServiceError } from "../shared/errors.ts";
import type { Row } from "../shared/text/text-lines.ts";
import type { Clock, Random } from "../shared/time/clock.ts";
import { enterCarried, enterReceipts } from "./carried-names.ts";

type FileImportNeeds = { readonly store: Store; readonly clock: Clock; readonly random: Random };

/**
 * A row that was not imported. `bad`: it cannot be. `differs`: the name is there with another description, which stays.
 */
export type RowIssue = {
  readonly line: number;
  readonly kind: "bad" | "differs";
  /** The error of the table of codes, `SVC-1012`; empty where the row could not even be read. */
  readonly code: string;
  readonly ark: string;
  readonly reason: string;
};

type ImportCounts = {
  readonly rows: number;
  readonly created: number;
  readonly alreadyThere: number;
  readonly differing: number;
  readonly bad: number;
  /** Receipts that came with the names, those that were there already too. */
  readonly receipts: number;
};

export type ImportProgress = ImportCounts & {
  /** The last line whose row is safely stored or reported. */
  readonly line: number;
};

export type ImportResult = ImportProgress & {
  /**
   * `done`: the whole file. `bad-rows`: nothing of the last batch was written. `interrupted`: stopped between two
   * batches.
   */
  readonly end: "done" | "bad-rows" | "interrupted";
};

export type ImportOptions = {
  /** Rows of one transaction at most. */
  readonly batchRows: number;
  /** What the rows of one transaction take in memory at most, as `rowBytes` counts it; `BATCH_BYTES` by default. */
  readonly batchBytes?: number;
  /** Waited for after each transaction of more rows than one in the order of names has: another process may write. */
  readonly pause?: () => Promise<void>;
  /** Called while the database commits such a transaction. */
  readonly onCommitting?: () => void;
  /** Leave bad rows out instead of stopping before their batch. */
  readonly skipBad: boolean;
  readonly onIssues: (issues: readonly RowIssue[]) => void | Promise<void>;
  readonly onProgress: (progress: ImportProgress) => void;
  /** Asked between batches: true stops the import. */
  readonly isInterrupted: () => boolean | Promise<boolean>;
};

/** A name to be made, or one that comes with everything it is, or the receipt of one that came. */
export type FileRow = ImportIn | CarriedName | ReceiptRow;
type ReceiptRow = { readonly receipt: Receipt };

type Batch = readonly Row<FileRow>[];
type BatchResult = {
  readonly created: number;
  readonly alreadyThere: number;
  readonly receipts: number;
  readonly issues: readonly RowIssue[];
};

/** Ends a transaction whose batch holds bad rows, so that nothing of it is written. */
class BadBatch extends Error {
  override readonly name = "BadBatch";
  readonly issues: readonly RowIssue[];

  constructor(issues: readonly RowIssue[]) {
    super("The batch holds bad rows");
    this.issues = issues;
  }
}

/** Rows that are written sooner in this thread than they are handed to another. */
const SMALL_ROWS = 1_000;
/**
 * Names in no order touch a page of each index for every row, so the more of them one transaction writes, the fewer
 * pages are written. About 43,000 rows with a target, a title, a person and a date.
 */
export const BATCH_BYTES = 32 * 1024 * 1024;
/** Rows of a transaction at most where they come in the order of names. */
export const ORDERED_ROWS = 10_000;
/** What a row takes apart from its texts: its objects, and its share of the lists it is in. */
const ROW_BYTES = 512;
/** Rows for which a transaction makes statements at a time: what it makes them from takes more than the rows do. */
const SLICE_ROWS = 5_000;
/** What an object within a row counts as, such as a step of a history. */
const OBJECT_CHARACTERS = 64;

/**
 * Imports rows as they come. Memory holds two batches: while the rows of one are written, the next one is read. Not
 * before: what is read while a transaction waits for a short answer keeps it waiting.
 */
export async function importFile(
  needs: FileImportNeeds,
  call: Call,
  rows: AsyncIterable<Batch>,
  options: ImportOptions,
): Promise<ImportResult> {
  let progress: ImportProgress = { rows: 0, created: 0, alreadyThere: 0, differing: 0, bad: 0, receipts: 0, line: 0 };
  await using batches = readInTurn(readBatches(rows, options));
  for (;;) {
    const batch = await batches.next();
    if (batch === null) return { ...progress, end: "done" };
    if (await options.isInterrupted()) return { ...progress, end: "interrupted" };
    const result = await importBatch(needs, call, batch, options, batches.begin);
    const issues = [...result.issues].sort((one, other) => one.line - other.line);
    if (issues.length > 0) await options.onIssues(issues);
    const bad = issues.filter((issue) => issue.kind === "bad").length;
    if (bad > 0 && !options.skipBad) return { ...progress, bad: progress.bad + bad, end: "bad-rows" };
    progress = {
      rows: progress.rows + batch.rows,
      created: progress.created + result.created,
      alreadyThere: progress.alreadyThere + result.alreadyThere,
      differing: progress.differing + issues.length - bad,
      bad: progress.bad + bad,
      receipts: progress.receipts + result.receipts,
      line: batch.lastLine,
    };
    options.onProgress(progress);
    if (batch.rows > ORDERED_ROWS) await options.pause?.();
  }
}

/** Items one after the other; `begin` starts reading the next one before it is asked for. */
function readInTurn<T>(items: AsyncGenerator<T, void>) {
  let begun: Promise<IteratorResult<T, void>> | null = null;
  const begin = (): void => {
    if (begun !== null) return;
    begun = items.next();
    // It is thrown when it is its turn; nobody may call it unhandled before.
    begun.catch(() => {});
  };
  return {
    begin,
    async next(): Promise<T | null> {
      begin();
      const item = await begun;
      begun = null;
      return item === null || item.done === true ? null : item.value;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await items.return();
    },
  };
}

async function* readBatches(rows: AsyncIterable<Batch>, size: BatchSize): AsyncGenerator<ReadBatch, void> {
  for await (const batch of inBatches(rows, size)) yield readBatch(batch);
}

type BatchSize = Pick<ImportOptions, "batchRows" | "batchBytes">;

/**
 * A batch ends before the row that would exceed its bytes; a row that is larger than that is a batch by itself. Rows in
 * the order of names gain nothing by being many.
 */
export async function* inBatches(
  rows: AsyncIterable<Batch>,
  { batchRows, batchBytes = BATCH_BYTES }: BatchSize,
): AsyncGenerator<Batch> {
  const empty = () => ({ rows: [] as Row<FileRow>[], bytes: 0, isInOrder: true, last: "" });
  let batch = empty();
  const isFull = (): boolean =>
    batch.rows.length >= batchRows || (batch.isInOrder && batch.rows.length >= ORDERED_ROWS);
  for await (const list of rows) {
    for (const row of list) {
      const bytes = rowBytes(row);
      if (isFull() || (batch.rows.length > 0 && batch.bytes + bytes > batchBytes)) {
        yield batch.rows;
        batch = empty();
      }
      const ark = arkOf(row) ?? batch.last;
      if (ark < batch.last) batch.isInOrder = false;
      batch.last = ark;
      batch.rows.push(row);
      batch.bytes += bytes;
    }
    if (!isFull()) continue;
    yield batch.rows;
    batch = empty();
  }
  if (batch.rows.length > 0) yield batch.rows;
}

/** The name as it is written. */
function arkOf(row: Row<FileRow>): string | null {
  return "value" in row && "ark" in row.value ? row.value.ark : null;
}

/** What a row takes in memory, estimated from above: two bytes a character. */
export function rowBytes(row: Row<FileRow>): number {
  return ROW_BYTES + 2 * ("wrong" in row ? row.wrong.length : characters(row.value));
}

/** Characters of all texts in a value. */
function characters(value: object): number {
  let count = 0;
  for (const member of Object.values(value)) {
    if (typeof member === "string") count += member.length;
    else if (typeof member === "object" && member !== null) count += OBJECT_CHARACTERS + characters(member);
  }
  return count;
}

type Candidate<In = ImportIn> = { readonly line: number; readonly input: In; readonly ark: Ark };

function isCarriedRow(row: NameRow): row is CarriedName {
  return "record" in row;
}

function isReceiptRow(row: FileRow): row is ReceiptRow {
  return "receipt" in row;
}

async function importBatch(
  needs: FileImportNeeds,
  call: Call,
  read: ReadBatch,
  { skipBad, onCommitting }: ImportOptions,
  onWriting: () => void,
): Promise<BatchResult> {
  try {
    return await needs.store.transact(
      async (writer) => {
        const result = await writeBatch(needs, tellingOfRows(writer, onWriting), call, read);
        if (!skipBad && result.issues.some((issue) => issue.kind === "bad")) throw new BadBatch(result.issues);
        // The commit is sent before the next turn of the loop begins.
        if (read.rows > ORDERED_ROWS && onCommitting !== undefined) setImmediate(onCommitting);
        return result;
      },
      read.rows > SMALL_ROWS ? "large" : undefined,
    );
  } catch (error) {
    if (error instanceof BadBatch) return { created: 0, alreadyThere: 0, receipts: 0, issues: error.issues };
    throw error;
  }
}

async function writeBatch(needs: FileImportNeeds, tx: ArkWriter, call: Call, read: ReadBatch): Promise<BatchResult> {
  const issues = [...read.issues];
  let [created, alreadyThere, receipts] = [0, read.twins, 0];
  const count = (part: Omit<BatchResult, "receipts">): void => {
    created += part.created;
    alreadyThere += part.alreadyThere;
    for (const issue of part.issues) issues.push(issue);
  };
  for (const rows of slicesOf(read.carried)) count(await carry(needs, tx, rows));
  for (const part of await makeAll(needs, tx, call, read.candidates)) count(part);
  // Each slice when the one before is whole: a receipt that it finds there has its name.
  for (const rows of slicesOf(read.sharing)) count(await makeSlice(needs, tx, call, rows));
  for (const rows of slicesOf(read.receipts)) {
    const entered = await enterAllReceipts(tx, rows);
    receipts += entered.count;
    for (const issue of entered.issues) issues.push(issue);
  }
  return { created, alreadyThere, receipts, issues };
}

/** While the rows of one slice are written, the names of the next one are looked up and drafted. */
async function makeAll(
  needs: FileImportNeeds,
  tx: ArkWriter,
  call: Call,
  candidates: readonly Candidate[],
): Promise<readonly Omit<BatchResult, "receipts">[]> {
  const writer = inTurns(tx);
  const slices: Promise<Omit<BatchResult, "receipts">>[] = [];
  try {
    for (const rows of slicesOf(candidates)) {
      const { promise: isWriting, resolve } = Promise.withResolvers<void>();
      const slice = makeSlice(needs, tellingOfRows(writer, resolve), call, rows);
      const before = slices.at(-1);
      slices.push(slice);
      await Promise.race([isWriting, slice]);
      await before;
    }
    return await Promise.all(slices);
  } finally {
    // A transaction ends when nothing is asked of it any more.
    await Promise.allSettled(slices);
  }
}

async function makeSlice(needs: FileImportNeeds, tx: ArkWriter, call: Call, rows: readonly Candidate[]) {
  const known = await settleKnown(tx, rows);
  const made = await makeNew(needs, tx, call, known.fresh);
  const alreadyThere = known.alreadyThere + made.alreadyThere;
  return { created: made.created, alreadyThere, issues: [...known.issues, ...made.issues] };
}

/**
 * The same writer for several callers at a time. What one of them changes may take several statements: the next change
 * begins when it is done, and after one that failed none does.
 */
function inTurns(tx: ArkWriter): ArkWriter {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const done = last.then(change);
    // It is thrown to its caller; that nobody waits for it here is no other error.
    done.catch(() => {});
    last = done;
    return done;
  };
  return {
    ...tx,
    claimReceipts: (receipts) => inTurn(() => tx.claimReceipts(receipts)),
    insertArks: (rows) => inTurn(() => tx.insertArks(rows)),
    record: (actor, at, changes) => inTurn(() => tx.record(actor, at, changes)),
  };
}

function* slicesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += SLICE_ROWS) yield list.slice(from, from + SLICE_ROWS);
}

/** The same writer, which reports when rows of names are sent to the database: that takes longest. */
function tellingOfRows(tx: ArkWriter, onWriting: () => void): ArkWriter {
  return {
    ...tx,
    insertArks(rows) {
      const written = tx.insertArks(rows);
      onWriting();
      return written;
    },
  };
}

type NameRow = ImportIn | CarriedName;

type ReadBatch = {
  readonly rows: number;
  readonly lastLine: number;
  readonly candidates: readonly Candidate[];
  /** Those of which another one has the same request_id. */
  readonly sharing: readonly Candidate[];
  readonly carried: readonly Candidate<CarriedName>[];
  readonly receipts: readonly { readonly line: number; readonly receipt: Receipt }[];
  readonly issues: RowIssue[];
  readonly twins: number;
};

/** The rows that name an ARK, one for each; the same row twice counts as there already. */
function readBatch(batch: Batch): ReadBatch {
  const issues: RowIssue[] = [];
  const seen = new Map<string, Candidate<NameRow>>();
  const receipts: { readonly line: number; readonly receipt: Receipt }[] = [];
  let twins = 0;
  for (const row of batch) {
    if ("wrong" in row) {
      issues.push({ line: row.line, kind: "bad", code: "", ark: "", reason: row.wrong });
      continue;
    }
    const { line, value: input } = row;
    if (isReceiptRow(input)) {
      receipts.push({ line, receipt: input.receipt });
      continue;
    }
    const ark = attempt(() => parseArk(input.ark));
    if (isRefusal(ark)) {
      issues.push(badRow({ line, input }, ark));
      continue;
    }
    const twin = seen.get(ark.key);
    if (twin === undefined) seen.set(ark.key, { line, input, ark });
    else if (sameRow(twin.input, input)) twins++;
    else
      issues.push({
        ...badRow({ line, input }, new ServiceError(1019)),
        reason: `differs from line ${twin.line}, the same ARK`,
      });
  }
  return { rows: batch.length, lastLine: batch.at(-1)?.line ?? 0, ...inOrder(seen), receipts, issues, twins };
}

/**
 * In the order of the indexes, so that a transaction goes through them once. Rows that share a request_id are in the
 * order of the file: the first of them that can be made takes it.
 */
function inOrder(rows: ReadonlyMap<string, Candidate<NameRow>>): Pick<ReadBatch, "candidates" | "sharing" | "carried"> {
  const holders = new Map<string, number>();
  for (const { input } of rows.values()) {
    const id = requestIdOf(input);
    if (id !== "") holders.set(id, (holders.get(id) ?? 0) + 1);
  }
  const candidates: Candidate[] = [];
  const carried: Candidate<CarriedName>[] = [];
  const sharing: Candidate[] = [];
  for (const key of [...rows.keys()].sort()) {
    const row = rows.get(key);
    if (row === undefined) continue;
    const { line, input, ark } = row;
    if (isCarriedRow(input)) carried.push({ line, input, ark });
    else ((holders.get(requestIdOf(input)) ?? 0) > 1 ? sharing : candidates).push({ line, input, ark });
  }
  sharing.sort((one, other) => one.line - other.line);
  return { candidates, sharing, carried };
}

/** As the receipt will have it; empty where there is none. */
function requestIdOf(row: NameRow): string {
  return isCarriedRow(row) ? "" : (row.request_id ?? "").toWellFormed();
}

function sameRow(one: NameRow, other: NameRow): boolean {
  if (isCarriedRow(one) || isCarriedRow(other)) return JSON.stringify(one) === JSON.stringify(other);
  return JSON.stringify(describe(one)) === JSON.stringify(describe(other)) && one.reserve === other.reserve;
}

async function carry(
  needs: FileImportNeeds,
  tx: ArkWriter,
  rows: readonly Candidate<CarriedName>[],
): Promise<Omit<BatchResult, "receipts">> {
  if (rows.length === 0) return { created: 0, alreadyThere: 0, issues: [] };
  const outcomes = await enterCarried(
    tx,
    needs.clock,
    rows.map(({ input }) => input),
  );
  const issues: RowIssue[] = [];
  let created = 0;
  for (const row of rows) {
    const outcome = outcomes.get(row.ark.key);
    if (outcome?.kind === "entered") created++;
    else if (outcome?.kind === "differs") issues.push(differingRow(row, outcome.fields));
    else if (outcome?.kind === "bad") {
      const { refusal } = outcome;
      const unfit = { line: row.line, kind: "bad", code: "", ark: row.input.ark } as const;
      issues.push(typeof refusal === "string" ? { ...unfit, reason: refusal } : badRow(row, refusal));
    }
  }
  return { created, alreadyThere: rows.length - created - issues.length, issues };
}

async function enterAllReceipts(
  tx: ArkWriter,
  rows: ReadBatch["receipts"],
): Promise<{ readonly count: number; readonly issues: readonly RowIssue[] }> {
  if (rows.length === 0) return { count: 0, issues: [] };
  const outcomes = await enterReceipts(
    tx,
    rows.map(({ receipt }) => receipt),
  );
  const issues = rows.flatMap(({ line, receipt }, index): RowIssue[] => {
    const outcome = outcomes[index];
    if (outcome?.kind !== "bad") return [];
    const { refusal } = outcome;
    const ark = formatArk(receipt.key);
    if (typeof refusal === "string") return [{ line, kind: "bad", code: "", ark, reason: refusal }];
    return [{ line, kind: "bad", code: refusal.wireCode, ark, reason: refusal.message }];
  });
  return { count: rows.length - issues.length, issues };
}

type BatchOutcome = { readonly fresh: Candidate[]; readonly issues: RowIssue[]; readonly alreadyThere: number };

/** Looks the names up: those that are there are compared with their rows, the others are new. */
async function settleKnown(tx: ArkWriter, candidates: readonly Candidate[]): Promise<BatchOutcome> {
  const stored = await tx.arks(candidates.map((candidate) => candidate.ark.key));
  const fresh: Candidate[] = [];
  const issues: RowIssue[] = [];
  for (const candidate of candidates) {
    const record = stored.get(candidate.ark.key);
    if (record === undefined) fresh.push(candidate);
    else {
      const issue = compare(candidate, record);
      if (issue !== null) issues.push(issue);
    }
  }
  return { fresh, issues, alreadyThere: candidates.length - fresh.length - issues.length };
}

/** Null when the row is there with the same description. */
function compare(candidate: Candidate, record: ArkRecord): RowIssue | null {
  if (isWithdrawn(record)) return badRow(candidate, takenRefusal(record));
  const description = describe(candidate.input);
  const fields = differingFields(record, { ...description, url: fillTarget(description.url, candidate.ark) });
  if (fields.length === 0) return null;
  return differingRow(candidate, fields);
}

function differingRow({ line, ark }: Pick<Candidate, "line" | "ark">, fields: readonly string[]): RowIssue {
  const reason = `is there already with another ${fields.join(", ")}`;
  return { line, kind: "differs", code: "SVC-1005", ark: formatArk(ark), reason };
}

async function makeNew(
  needs: FileImportNeeds,
  tx: ArkWriter,
  call: Call,
  fresh: readonly Candidate[],
): Promise<{ created: number; alreadyThere: number; issues: RowIssue[] }> {
  if (fresh.length === 0) return { created: 0, alreadyThere: 0, issues: [] };
  const requests = fresh.map(({ input, ark }, row) => {
    const written = formatArk(ark);
    return { call, input: input.ark === written ? input : { ...input, ark: written }, row };
  });
  const { outcomes, tally } = await makeNames(needs, tx, importRecipe, requests, false);
  // On PostgreSQL another process may have made a name since it was looked up: look again.
  const late = fresh.filter((_, index) => isTaken(outcomes[index]));
  const settled = late.length === 0 ? null : await settleKnown(tx, late);
  const issues = [...(settled?.issues ?? [])];
  fresh.forEach((candidate, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined || isTaken(outcome)) return;
    if (isRefusal(outcome)) issues.push(badRow(candidate, outcome));
    else if (outcome.replayed) issues.push(replayedRow(candidate, outcome.record));
  });
  return { created: tally.made, alreadyThere: settled?.alreadyThere ?? 0, issues };
}

function isTaken(outcome: Outcome | undefined): boolean {
  return outcome instanceof ServiceError && outcome.code === 1005;
}

/** The row is new, yet its request_id was used: for another name. */
function replayedRow({ line, ark }: Candidate, record: ArkRecord): RowIssue {
  const reason = `its request_id belongs to ${formatArk(record.key)}`;
  return { line, kind: "bad", code: "SVC-1507", ark: formatArk(ark), reason };
}

function badRow(row: { readonly line: number; readonly input: NameRow }, refusal: NameRefusal): RowIssue {
  const ark = row.input.ark.slice(0, 300);
  if (refusal instanceof ServiceError) {
    return { line: row.line, kind: "bad", code: refusal.wireCode, ark, reason: refusal.message };
  }
  const reason = refusal.problems.map((problem) => `${problem.loc.at(-1)}: ${problem.msg}`).join("; ");
  return { line: row.line, kind: "bad", code: "", ark, reason };
}
