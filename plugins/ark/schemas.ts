// Answers of the management endpoints as schemas and types, and how a record becomes one (specification 1, "Resources
// and their fields"; A16, A17).
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { HoldResult } from "../../src/ark/holds.ts";
import type { Withdrawal } from "../../src/ark/lifecycle.ts";
import { holdAt } from "../../src/ark/lifecycle-table.ts";
import { type ArkRecord, type ArkState, forEachField, SHOULDER_STATUSES } from "../../src/ark/record.ts";
import type { HistoryEntry } from "../../src/ark/store.ts";
import { formatArk } from "../../src/ark/syntax.ts";
import { TIERS } from "../../src/auth/caller.ts";
import type { Instant } from "../../src/shared/time/instant.ts";

/** The states an answer can show: withdrawn names answer as if they were not there. */
export const LIVE_STATES = ["reserved", "published", "unpublished", "tombstoned"] as const satisfies ArkState[];

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], description }));
const text = (description: string) => Type.String({ description, default: "" });
const count = Type.Integer({ minimum: 0 });
const moment = (description: string) => Type.String({ format: "date-time", description });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const ark = Type.String({ description: "ark:<naan>/<name>, in normal form" });

export const ArkOut = Type.Object(
  {
    ark,
    url: text("Where the name leads"),
    ...forEachField(text),
    state: Type.Unsafe<ArkState>(Type.String({ enum: [...LIVE_STATES], description: "State of the name" })),
    created_at: orNull(moment("When the name was made")),
    updated_at: orNull(moment("Last change of anything in this record")),
    published_at: orNull(moment("Since when it is public; null while it is not")),
    hold_until: orNull(moment("End of the hold on this name; null without one, and once it is over")),
    hold_reason: orNull(Type.String({ description: "Why it is held; null with hold_until" })),
  },
  { $id: "ArkOut", description: "A name and its description" },
);
export type ArkOut = Static<typeof ArkOut>;

/** A record as it is returned at `now`: a hold that has ended is not included (A16). */
export function toArkOut(record: ArkRecord, now: Instant): ArkOut {
  const hold = holdAt(record, now);
  return {
    ark: formatArk(record.key),
    url: record.url,
    title: record.title,
    type: record.type,
    identifier: record.identifier,
    format: record.format,
    relation: record.relation,
    source: record.source,
    commitment: record.commitment,
    metadata: record.metadata,
    who: record.who,
    when: record.when,
    state: record.state,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    published_at: record.publishedAt,
    hold_until: hold?.until ?? null,
    hold_reason: hold?.reason ?? null,
  };
}

export const BulkMintOut = Type.Object(
  { minted: Type.Array(ArkOut), created: count, replayed: count },
  {
    $id: "BulkMintOut",
    description: "The names in the order of the rows; created counts new ones, replayed repeats of a request_id",
  },
);
export type BulkMintOut = Static<typeof BulkMintOut>;
export const BulkImportOut = Type.Object(
  { imported: Type.Array(ArkOut), created: count, replayed: count },
  {
    $id: "BulkImportOut",
    description: "The names in the order of the rows; created counts new ones, replayed repeats of a request_id",
  },
);
export type BulkImportOut = Static<typeof BulkImportOut>;
export const BulkUpdateOut = Type.Object({ updated: count }, { $id: "BulkUpdateOut", description: "Number of rows" });
export const BulkPublishOut = Type.Object(
  { published: count },
  { $id: "BulkPublishOut", description: "Number of rows" },
);
export const BulkUnpublishOut = Type.Object(
  { unpublished: count },
  { $id: "BulkUnpublishOut", description: "Number of rows" },
);
export const BulkQueryOut = Type.Object(
  { data: Type.Array(ArkOut) },
  { $id: "BulkQueryOut", description: "In the order sent; unknown and out-of-reach names are left out" },
);

export const WithdrawalOut = Type.Object(
  {
    ark,
    withdrawn_at: moment("When it was withdrawn"),
    reason: text("The reason given"),
    was_published_at: orNull(moment("When it was first public; null when it never was")),
  },
  { $id: "WithdrawalOut", description: "What was withdrawn. The name is never assigned again" },
);
export type WithdrawalOut = Static<typeof WithdrawalOut>;

export function toWithdrawalOut(withdrawal: Withdrawal): WithdrawalOut {
  return {
    ark: formatArk(withdrawal.key),
    withdrawn_at: withdrawal.withdrawnAt,
    reason: withdrawal.reason,
    was_published_at: withdrawal.wasPublishedAt,
  };
}

export const BulkDeleteOut = Type.Object(
  { withdrawn: Type.Array(ark), count },
  { $id: "BulkDeleteOut", description: "The names withdrawn, in the order sent" },
);

const PolicyHoldOut = Type.Object(
  {
    scope: oneOf(["shoulder", "naan"], "What is held"),
    naan: Type.String(),
    shoulder: orNull(Type.String({ description: "Without slash; null for a hold on the NAAN" })),
    until: orNull(moment("End of the hold; null when it was released")),
    reason: orNull(Type.String()),
  },
  { $id: "PolicyHoldOut", description: "The hold of a shoulder or of a NAAN" },
);
/** A hold on one name answers its record; on a shoulder or a NAAN, the hold. */
export const HoldOut = Type.Union([ArkOut, PolicyHoldOut], {
  $id: "HoldOut",
  description: "The record of the name, or the hold of the shoulder or NAAN",
});
export type HoldOut = Static<typeof HoldOut>;

export function toHoldOut(held: HoldResult, now: Instant): HoldOut {
  if (held.scope === "ark") return toArkOut(held.record, now);
  const { scope, naan, shoulder, until, reason } = held;
  return { scope, naan, shoulder, until, reason };
}

export const ArkPageOut = Type.Object(
  { data: Type.Array(ArkOut), next: orNull(Type.String({ description: "Send it as after for the next page" })) },
  { $id: "ArkPageOut", description: "One page of names, by key" },
);

export const HistoryOut = Type.Object(
  {
    ark,
    data: Type.Array(
      Type.Object({
        at: moment("When"),
        action: Type.String({ description: "mint, register, import, update, publish, unpublish, tombstone …" }),
        before_url: Type.String(),
        after_url: Type.String(),
        fields: Type.Array(Type.String(), { description: "Names of the fields that changed" }),
        by: Type.String({ description: "client_id of the credential" }),
        reason: Type.String(),
      }),
    ),
  },
  { $id: "HistoryOut", description: "Every change of a name, oldest first" },
);
export type HistoryOut = Static<typeof HistoryOut>;

export const toHistoryEntryOut = (entry: HistoryEntry): HistoryOut["data"][number] => ({
  at: entry.at,
  action: entry.action,
  before_url: entry.beforeUrl,
  after_url: entry.afterUrl,
  fields: [...entry.fields],
  by: entry.by,
  reason: entry.reason,
});

const counts = <K extends string>(names: readonly K[]) =>
  Type.Unsafe<Readonly<Record<K, number>>>(
    Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer({ minimum: 0 })]))),
  );
const figures = {
  arks: counts(LIVE_STATES),
  withdrawn: counts(["deleted", "purged"]),
  minted: counts(["24h", "7d", "30d"]),
  holds: Type.Integer({ minimum: 0, description: "Holds in force" }),
};
export const StatsOut = Type.Object(
  {
    scope: Type.Object(
      {
        tier: oneOf(TIERS, "Tier of the credential"),
        naan: orNull(Type.String()),
        organisation: orNull(Type.String()),
        shoulder: orNull(Type.String()),
      },
      { description: "What the figures cover: the reach of the credential" },
    ),
    ...figures,
    shoulders: counts(SHOULDER_STATUSES),
    by_shoulder: Type.Array(
      Type.Object({
        naan: Type.String(),
        shoulder: Type.String(),
        status: oneOf(SHOULDER_STATUSES, "Status of the shoulder"),
        ...figures,
      }),
    ),
  },
  { $id: "StatsOut", description: "Counts over the reach of the credential; minted leaves imports out" },
);

export const ValidationOut = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
        msg: Type.String(),
        type: Type.String(),
        input: Type.Optional(Type.Unknown()),
        ctx: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    ),
  },
  { $id: "ValidationOut", description: "Every wrong field" },
);
