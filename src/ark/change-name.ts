// How one name or many are changed in one transaction (A14, A27): lock in key order, check everything, write
// everything, sign every step.

import { actorOf, type Call, type Caller } from "../auth/caller.ts";
import { ServiceError } from "../shared/errors.ts";
import type { Clock } from "../shared/time/clock.ts";
import type { Instant } from "../shared/time/instant.ts";
import { callers, reachTest, requireActive } from "./current-caller.ts";
import { changedFields } from "./lifecycle-table.ts";
import { isWithdrawn } from "./new-name.ts";
import type { ArkRecord } from "./record.ts";
import type { ArkWriter, Change, Store } from "./store.ts";
import { type Ark, formatArk, parseArk } from "./syntax.ts";

/** Most keys that an error names (A14). */
export const NAMED_MAX = 20;

/**
 * One entry of a name's history: what it was, what it became. A step whose record stayed the same object is not
 * written.
 */
export type Step = {
  readonly action: string;
  readonly before: ArkRecord;
  readonly after: ArkRecord;
  readonly reason: string;
};

export interface NameChange {
  /** One name: `decide` returns its changes, in one or more steps. Returns the changed record. */
  one(call: Call, text: string, decide: Decide): Promise<ArkRecord>;
  /**
   * Many names, all or nothing (L10). An error about one row names it; the records come back in the order of the rows.
   */
  rows(
    call: Call,
    texts: readonly string[],
    decide: (record: ArkRecord, now: Instant, row: number) => Step,
    also?: (tx: ArkWriter, keys: readonly string[]) => Promise<void>,
  ): Promise<readonly ArkRecord[]>;
}

/** What becomes of a name, in one or more steps. */
export type Decide = (record: ArkRecord, now: Instant, tx: ArkWriter) => readonly Step[] | Promise<readonly Step[]>;

/**
 * Changes one name inside a transaction that is there: items and their names are one commit (R5). Returns the changed
 * record.
 *
 * @throws ServiceError 1303, 1401 as every change of a name; nothing was written then.
 */
export async function changeNameIn(
  tx: ArkWriter,
  call: Call,
  ark: Ark,
  clock: () => Instant,
  decide: Decide,
): Promise<ArkRecord> {
  const { caller, ...rest } = await callers(tx, clock())(call);
  const [record] = await lockWithin(tx, caller, [ark], null);
  if (record === undefined) throw new RangeError("A locked name was not returned");
  const now = clock();
  const steps = await decide(record, now, tx);
  await write(tx, { ...rest, caller }, now, steps);
  return steps.at(-1)?.after ?? record;
}

export const nameChange = (needs: {
  readonly store: Store;
  readonly clock: Clock;
  readonly bulkRows: number;
}): NameChange => ({
  async one(call, text, decide) {
    const ark = parseArk(text);
    return await needs.store.transact((tx) => changeNameIn(tx, call, ark, () => needs.clock.now(), decide));
  },

  async rows(call, texts, decide, also = async () => {}) {
    const arks = readRows(texts, needs.bulkRows);
    if (arks.length === 0) return [];
    return await needs.store.transact(async (tx) => {
      const { caller } = await callers(tx, needs.clock.now())(call);
      const records = await lockWithin(tx, caller, arks, "rows");
      const now = needs.clock.now();
      const steps = records.map((record, row) => inRow(row, () => decide(record, now, row)));
      await also(
        tx,
        arks.map((ark) => ark.key),
      );
      await write(tx, call, now, steps);
      return steps.map((step) => step.after);
    });
  },
});

/** @throws ServiceError 1011 for more rows than one request may carry: never a silent cut (A14). */
export function requireRows(rows: number, limit: number): void {
  if (rows > limit) throw new ServiceError(1011, { rows, limit });
}

/** Runs the check of one row; a refusal names the row (A14). */
function inRow<T>(row: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof ServiceError ? error.inRow(row) : error;
  }
}

function readRows(texts: readonly string[], limit: number): readonly Ark[] {
  requireRows(texts.length, limit);
  const first = new Map<string, number>();
  return texts.map((text, row) => {
    const ark = inRow(row, () => parseArk(text));
    const earlier = first.get(ark.key);
    if (earlier !== undefined) throw new ServiceError(1019, { ark: formatArk(ark), row, first_row: earlier });
    first.set(ark.key, row);
    return ark;
  });
}

/**
 * The rows of these names, locked, in the order asked for.
 *
 * @throws ServiceError 1303 when the caller may not write at all; 1401 when one is unknown, withdrawn or out of reach:
 *   the three look alike (A9, A22).
 */
async function lockWithin(
  tx: ArkWriter,
  caller: Caller,
  arks: readonly Ark[],
  bulk: "rows" | null,
): Promise<ArkRecord[]> {
  requireActive(caller);
  const locked = await tx.lockArks(arks.map((ark) => ark.key).sort());
  const reaches = await reachTest(tx, caller, locked.values());
  const records: ArkRecord[] = [];
  const missing: { readonly ark: Ark; readonly row: number }[] = [];
  for (const [row, ark] of arks.entries()) {
    const record = locked.get(ark.key);
    if (record === undefined || isWithdrawn(record) || !reaches(record)) missing.push({ ark, row });
    else records.push(record);
  }
  const [first] = missing;
  if (first === undefined) return records;
  if (bulk === null) throw new ServiceError(1401, { ark: formatArk(first.ark) });
  throw new ServiceError(1401, {
    arks: missing.slice(0, NAMED_MAX).map(({ ark }) => formatArk(ark)),
    count: missing.length,
    row: first.row,
  });
}

/** Writes the last step of each record and signs them all. */
async function write(tx: ArkWriter, call: Call, now: Instant, steps: readonly Step[]): Promise<void> {
  const taken = steps.filter((step) => step.after !== step.before);
  if (taken.length === 0) return;
  await tx.updateArks([...new Map(taken.map((step) => [step.after.key, step.after])).values()]);
  await tx.record(actorOf(call), now, taken.map(changeOf));
}

function changeOf(step: Step): Change {
  return {
    subject: "ark",
    target: step.before.key,
    action: step.action,
    beforeUrl: step.before.url,
    afterUrl: step.after.url,
    fields: changedFields(step.before, step.after),
    reason: step.reason,
  };
}
