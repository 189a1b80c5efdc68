// Moving the targets of a shoulder from one prefix to another (A15): batches of names, each one transaction, history
// kept. What was moved does not begin with the old prefix any more, so running it again goes on where it was cut off.
// Where one prefix begins with the other that is not enough: there the history of a name shows whether it was already
// moved.

import { actorOf, type Call } from "../auth/caller.ts";
import type { Clock } from "../shared/time/clock.ts";
import type { Instant } from "../shared/time/instant.ts";
import { historyParts } from "./name-history.ts";
import type { ArkRecord } from "./record.ts";
import type { ArkReader, ArkWriter, Change, Store } from "./store.ts";

type RetargetInput = {
  readonly naan: string;
  readonly shoulder: string;
  readonly from: string;
  readonly to: string;
  readonly dryRun: boolean;
  /** Names read in one transaction. */
  readonly batchRows: number;
};

export type RetargetProgress = {
  /** Names read. */
  readonly seen: number;
  readonly moved: number;
  /**
   * Names left alone although their target begins with the old prefix: tombstones, and targets that would become no
   * target.
   */
  readonly skipped: number;
  /** The last name read; empty before the first. */
  readonly key: string;
};

type RetargetResult = RetargetProgress & { readonly end: "done" | "interrupted" };

export type TargetMove = { readonly key: string; readonly before: string; readonly after: string };

type RetargetWatch = {
  readonly onProgress: (progress: RetargetProgress) => void;
  /** Receives every target that is moved or, in a dry run, would be. */
  readonly onMove?: (move: TargetMove) => void;
  readonly isInterrupted: () => boolean | Promise<boolean>;
  /** What is wrong with a target; null when it may be stored. */
  readonly targetProblem: (url: string) => string | null;
};

/** The action that history and audit show. */
const ACTION = "retarget";

export async function retarget(
  needs: { readonly store: Store; readonly clock: Clock },
  call: Call,
  input: RetargetInput,
  watch: RetargetWatch,
): Promise<RetargetResult> {
  let progress: RetargetProgress = { seen: 0, moved: 0, skipped: 0, key: "" };
  for (;;) {
    if (await watch.isInterrupted()) return { ...progress, end: "interrupted" };
    const filter = { reach: { kind: "naan", naan: input.naan }, naan: input.naan, shoulder: input.shoulder } as const;
    const page = await needs.store.listArks(filter, progress.key, input.batchRows);
    const last = page.at(-1);
    if (last === undefined) return { ...progress, end: "done" };
    const batch = await moveBatch(needs, call, input, watch, page);
    progress = {
      seen: progress.seen + page.length,
      moved: progress.moved + batch.moved,
      skipped: progress.skipped + batch.skipped,
      key: last.key,
    };
    watch.onProgress(progress);
  }
}

type MoveCounts = { readonly moved: number; readonly skipped: number };

async function moveBatch(
  needs: { readonly store: Store; readonly clock: Clock },
  call: Call,
  input: RetargetInput,
  watch: RetargetWatch,
  page: readonly ArkRecord[],
): Promise<MoveCounts> {
  const found = page.filter((record) => isUnder(record.url, input.from));
  if (found.length === 0) return { moved: 0, skipped: 0 };
  const { chosen, seen } = input.dryRun
    ? { chosen: await moves(needs.store, input, watch, found), seen: found.length }
    : await needs.store.transact(async (tx) => {
        const locked = await tx.lockArks(found.map((record) => record.key).sort());
        const records = [...locked.values()].filter((record) => isUnder(record.url, input.from));
        const able = await moves(tx, input, watch, records);
        if (able.length > 0) await write(tx, call, input, able, needs.clock.now());
        return { chosen: able, seen: records.length };
      });
  for (const record of chosen) {
    watch.onMove?.({ key: record.key, before: record.url, after: moved(record, input) });
  }
  return { moved: chosen.length, skipped: seen - chosen.length };
}

function moved(record: ArkRecord, { from, to }: RetargetInput): string {
  return to + record.url.slice(from.length);
}

/** The records whose target is to be moved. A tombstone's page moves by a tombstone call alone (A9). */
async function moves(
  reader: ArkReader | ArkWriter,
  input: RetargetInput,
  watch: RetargetWatch,
  records: readonly ArkRecord[],
): Promise<readonly ArkRecord[]> {
  const able = records.filter(
    (record) =>
      isUnder(record.url, input.from) &&
      (record.state === "published" || record.state === "reserved" || record.state === "unpublished") &&
      watch.targetProblem(moved(record, input)) === null,
  );
  if (!input.to.startsWith(input.from) && !input.from.startsWith(input.to)) return able;
  const fresh: ArkRecord[] = [];
  for (const record of able) {
    if (!(await wasMoved(reader, record, input))) fresh.push(record);
  }
  return fresh;
}

/** True when this very move set the current target. */
async function wasMoved(reader: ArkReader, record: ArkRecord, input: RetargetInput): Promise<boolean> {
  for await (const entries of historyParts(reader, record.key, "newest first")) {
    const last = entries.find((entry) => entry.afterUrl !== entry.beforeUrl);
    if (last === undefined) continue;
    return last.action === ACTION && last.reason === reasonOf(input) && last.afterUrl === record.url;
  }
  return false;
}

function reasonOf({ from, to }: RetargetInput): string {
  return `${from} -> ${to}`;
}

async function write(
  tx: ArkWriter,
  call: Call,
  input: RetargetInput,
  records: readonly ArkRecord[],
  now: Instant,
): Promise<void> {
  await tx.updateArks(records.map((record) => ({ ...record, url: moved(record, input), updatedAt: now })));
  const changes = records.map(
    (record): Change => ({
      subject: "ark",
      target: record.key,
      action: ACTION,
      beforeUrl: record.url,
      afterUrl: moved(record, input),
      fields: ["url"],
      reason: reasonOf(input),
    }),
  );
  await tx.record(actorOf(call), now, changes);
}

// Where the targets of a server that moves begin (A15, `arkstone ark retarget`): a host or a path as a whole, never
// half a word.

/** What ends a host. */
const HOST_ENDS = "/?#";
/** What ends a segment, or a name or value of a query. */
const ENDS = "/?#&=";
const HOST_ALONE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*$/;

function endsOf(prefix: string): string {
  return HOST_ALONE.test(prefix) ? HOST_ENDS : ENDS;
}

function isClosed(prefix: string): boolean {
  return !HOST_ALONE.test(prefix) && ENDS.includes(prefix.slice(-1));
}

/** True when the target begins with the prefix and what follows is not the rest of the word the prefix ends with. */
export function isUnder(target: string, prefix: string): boolean {
  if (prefix === "" || !target.startsWith(prefix)) return false;
  return isClosed(prefix) || target.length === prefix.length || endsOf(prefix).includes(target.charAt(prefix.length));
}

/** What is wrong with moving targets from one prefix to another, or null: segments must neither be joined nor split. */
export function seamProblem(from: string, to: string): string | null {
  if (isClosed(from) !== isClosed(to))
    return `--from and --to must both end with one of ${[...ENDS].join(" ")}, or neither`;
  // What may follow a path, "=1", would become a part of a host.
  return HOST_ALONE.test(to) && !HOST_ALONE.test(from) && !isClosed(from)
    ? "--to is a host alone, --from is not: name a path"
    : null;
}
