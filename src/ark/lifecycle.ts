// Everything that changes a name after it exists (A8 to A12, A14, A17, A18, A27; specification 1, "States and
// transitions"). Each call is one transaction: lock the rows, check everything, write everything, sign every change.

import type { Call } from "../auth/caller.ts";
import { ServiceError } from "../shared/errors.ts";
import type { Clock } from "../shared/time/clock.ts";
import type { Instant } from "../shared/time/instant.ts";
import { type Decide, NAMED_MAX, nameChange, requireRows, type Step } from "./change-name.ts";
import { type Holds, holds } from "./holds.ts";
import type { BulkDeleteIn, BulkUnpublishIn, TombstoneIn, UpdateIn, WithdrawIn } from "./inputs.ts";
import * as rules from "./lifecycle-table.ts";
import { historyParts } from "./name-history.ts";
import { checkFilledTarget } from "./new-name.ts";
import type { ArkRecord } from "./record.ts";
import type { ArkWriter, Store } from "./store.ts";
import { ancestorKeys, arkOfKey, formatArk } from "./syntax.ts";

type LifecycleNeeds = {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: { readonly bulkRows: number; readonly holdMaxDays: number };
};

export interface Lifecycle extends Holds {
  /** Replaces the description (`replace`) or the sent fields (`patch`) (L18, A18). */
  update(call: Call, input: UpdateIn, mode: rules.UpdateMode): Promise<ArkRecord>;
  /** The same for many names, matched by key (L45). Returns their number. */
  updateBulk(call: Call, rows: readonly UpdateIn[], mode: rules.UpdateMode): Promise<number>;
  /** The thing is gone, the name and its description stay (L36, A10). */
  tombstone(call: Call, input: TombstoneIn): Promise<ArkRecord>;
  /** Resolution starts, or starts again (L28, L30). A published name stays as it is. */
  publish(call: Call, ark: string): Promise<ArkRecord>;
  publishBulk(call: Call, arks: readonly string[]): Promise<readonly ArkRecord[]>;
  /** Resolution stops, the row stays (L29). */
  unpublish(call: Call, input: WithdrawIn): Promise<ArkRecord>;
  /** A15: one reason for all rows; `confirm` is their number. */
  unpublishBulk(call: Call, input: BulkUnpublishIn): Promise<readonly ArkRecord[]>;
  /** Withdraws a name for ever; one that was ever public needs reason and confirm (L31 to L33). */
  delete(call: Call, input: WithdrawIn): Promise<Withdrawal>;
  /** Withdraws names that were never public, all or none (L34). */
  deleteBulk(call: Call, input: BulkDeleteIn): Promise<readonly Withdrawal[]>;
  /**
   * Withdraws a name in any state for ever, in one step; the history shows the unpublishing as a separate step (L35,
   * A9).
   */
  purge(call: Call, input: WithdrawIn): Promise<Withdrawal>;
}

/** What delete and purge answer (A17). */
export type Withdrawal = {
  readonly key: string;
  readonly withdrawnAt: Instant;
  readonly reason: string;
  /** When the name was first public; null when it never was. */
  readonly wasPublishedAt: Instant | null;
};

export const lifecycle = (needs: LifecycleNeeds): Lifecycle => {
  const { bulkRows } = needs.limits;
  const change = nameChange({ store: needs.store, clock: needs.clock, bulkRows });

  return {
    ...holds({ ...needs, change }),

    update(call, input, mode) {
      return change.one(call, input.ark, (before, now) => [updateStep(before, input, mode, now, null)]);
    },

    async updateBulk(call, rows, mode) {
      const texts = rows.map((row) => row.ark);
      const done = await change.rows(call, texts, (before, now, row) => {
        const input = rows[row];
        if (input === undefined) throw new RangeError(`Row ${row} is missing`);
        return updateStep(before, input, mode, now, row);
      });
      return done.length;
    },

    tombstone(call, input) {
      return change.one(call, input.ark, tombstoneSteps(input));
    },

    publish(call, ark) {
      return change.one(call, ark, (before, now) => [publishStep(before, now)]);
    },

    publishBulk(call, arks) {
      return change.rows(call, arks, publishStep);
    },

    unpublish(call, input) {
      return change.one(call, input.ark, (before, now) => {
        const step = unpublishStep(before, reasonOf(input), now);
        rules.requireCeremony(before.key, input, { reason: 1017, confirm: 1018 });
        return [step];
      });
    },

    async unpublishBulk(call, input) {
      const rows = input.data.length;
      requireRows(rows, bulkRows);
      if (rows === 0) return [];
      if (reasonOf(input).trim() === "") throw new ServiceError(1017, { count: rows });
      const confirm = String(input.confirm ?? "").trim();
      if (confirm !== String(rows)) throw new ServiceError(1018, { count: rows, confirm }, {}, CONFIRM_COUNT);
      return await change.rows(call, input.data, (before, now) => unpublishStep(before, reasonOf(input), now));
    },

    async delete(call, input) {
      const after = await change.one(call, input.ark, async (before, now, tx) => {
        const cell = rules.admit("delete", before);
        if (cell.ceremony !== "none") rules.requireCeremony(before.key, input, { reason: 1017, confirm: 1018 });
        await refuseParts(tx, [before.key], null);
        const reason = reasonOf(input);
        return [{ action: "delete", before, after: rules.withdrawn(before, "deleted", reason, now), reason }];
      });
      return withdrawalOf(after);
    },

    async deleteBulk(call, input) {
      const reason = reasonOf(input);
      const after = await change.rows(
        call,
        input.data,
        (before, now) => {
          rules.admit("delete-bulk", before);
          return { action: "delete", before, after: rules.withdrawn(before, "deleted", reason, now), reason };
        },
        (tx, keys) => refuseParts(tx, keys, "rows"),
      );
      return after.map(withdrawalOf);
    },

    async purge(call, input) {
      const after = await change.one(call, input.ark, async (before, now, tx) => {
        rules.admit("purge", before);
        rules.requireCeremony(before.key, input, { reason: 1015, confirm: 1016 });
        await refuseParts(tx, [before.key], null);
        const reason = reasonOf(input);
        const hidden = before.publishedAt === null ? before : rules.unpublished(before, now);
        const last = { action: "purge", before: hidden, after: rules.withdrawn(hidden, "purged", reason, now), reason };
        return hidden === before ? [last] : [{ action: "unpublish", before, after: hidden, reason }, last];
      });
      return withdrawalOf(after);
    },
  };
};

const CONFIRM_COUNT = "Unpublishing several names needs confirm to be their number";

/** What `tombstone` does to a name; also inside the transaction of an item that is deleted (R5). */
export function tombstoneSteps(input: Pick<TombstoneIn, "url" | "commitment">): Decide {
  return (before, now) => {
    rules.admit("tombstone", before);
    checkFilledTarget(input.url ?? "", arkOfKey(before.key), null);
    return [{ action: "tombstone", before, after: rules.tombstoned(before, input, now), reason: "" }];
  };
}

/**
 * The way out of a tombstone, in the transaction of a repository item that is restored (A10, R5). No endpoint leads
 * here.
 */
export const liftTombstoneSteps: Decide = async (before, now, tx) => {
  rules.admit("lift-tombstone", before);
  if (before.state !== "tombstoned") return [];
  const after = rules.lifted(before, await urlBeforeTombstone(tx, before), now);
  return [{ action: "lift-tombstone", before, after, reason: "" }];
};

/** What `update` in mode patch does; also inside the transaction of an item whose description changed (R5). */
export function describeSteps(input: Omit<UpdateIn, "ark">): Decide {
  return (before, now) => [updateStep(before, { ...input, ark: before.key }, "patch", now, null)];
}

function reasonOf(input: { readonly reason?: string | undefined }): string {
  return (input.reason ?? "").toWellFormed();
}

function publishStep(before: ArkRecord, now: Instant): Step {
  rules.admit("publish", before);
  return { action: "publish", before, after: rules.published(before, now), reason: "" };
}

function updateStep(
  before: ArkRecord,
  input: UpdateIn,
  mode: rules.UpdateMode,
  now: Instant,
  row: number | null,
): Step {
  rules.admit("update", before);
  checkFilledTarget(input.url ?? "", arkOfKey(before.key), row);
  return { action: "update", before, after: rules.described(before, input, mode, now), reason: "" };
}

function unpublishStep(before: ArkRecord, reason: string, now: Instant): Step {
  rules.admit("unpublish", before);
  return { action: "unpublish", before, after: rules.unpublished(before, now), reason };
}

/**
 * @throws ServiceError 1502 when names hang below that are not withdrawn by the same call (A11): the first of them, and
 * how many there are.
 */
async function refuseParts(tx: ArkWriter, keys: readonly string[], bulk: "rows" | null): Promise<void> {
  const parts = await tx.partsBelow(keys, NAMED_MAX);
  const [first] = parts;
  if (first === undefined) return;
  const above = new Set(ancestorKeys(first));
  const row = keys.findIndex((key) => above.has(key));
  throw new ServiceError(1502, {
    ark: formatArk(keys[row] ?? first),
    parts: parts.map((part) => formatArk(part)),
    count: parts.length < NAMED_MAX ? parts.length : await tx.countPartsBelow(keys),
    ...(bulk === null ? {} : { row }),
  });
}

/** Where a tombstoned name led before its tombstone was set; the page of the tombstone may have moved since. */
async function urlBeforeTombstone(tx: ArkWriter, record: ArkRecord): Promise<string> {
  let url = record.url;
  for await (const entries of historyParts(tx, record.key, "newest first")) {
    for (const { action, beforeUrl } of entries) {
      if (action === "lift-tombstone") return url;
      if (action === "tombstone") url = beforeUrl;
    }
  }
  return url;
}

function withdrawalOf(record: ArkRecord): Withdrawal {
  return {
    key: record.key,
    withdrawnAt: record.withdrawnAt ?? record.updatedAt,
    reason: record.withdrawnReason ?? "",
    wasPublishedAt: record.firstPublishedAt,
  };
}
