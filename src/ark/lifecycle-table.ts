// What may happen to a name after it exists: the state table of A9 as data, and what each call makes of a record (A8 to
// A12, A18, A42).
import { type ErrorCode, ServiceError } from "../shared/errors.ts";
import { addMilliseconds, type Instant } from "../shared/time/instant.ts";
import { describe, fillTarget, isWithdrawn } from "./new-name.ts";
import { type ArkRecord, type ArkState, DESCRIPTIVE_FIELDS, type Description, EMPTY_DESCRIPTION } from "./record.ts";
import { arkOfKey, formatArk, parseArk } from "./syntax.ts";

export const ACTIONS = [
  "update",
  "publish",
  "unpublish",
  "tombstone",
  "lift-tombstone",
  "hold",
  "release",
  "delete",
  "delete-bulk",
  "purge",
  "register-below",
] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * How much a caller must write down before a name is withdrawn: it follows the name's history, never the caller's rank
 * (L37, A8).
 */
export type Ceremony = "none" | "reason-and-confirm";

/**
 * One cell of the table: refused with a code, or allowed and leading to `to` (of `register-below`: the state of the
 * part).
 */
export type Cell = { readonly refuse: ErrorCode } | { readonly to: ArkState; readonly ceremony: Ceremony };

const refuse = (code: ErrorCode): Cell => ({ refuse: code });
const to = (state: ArkState): Cell => ({ to: state, ceremony: "none" });
const solemnly = (state: ArkState): Cell => ({ to: state, ceremony: "reason-and-confirm" });
const GONE = { deleted: refuse(1401), purged: refuse(1401) } as const;

/**
 * A9, and the two calls it has no column for. Where a lifted tombstone leads depends on the record's dates (`lifted`);
 * the cell holds the usual case.
 */
export const LIFECYCLE: Readonly<Record<Action, Readonly<Record<ArkState, Cell>>>> = {
  update: {
    reserved: to("reserved"),
    published: to("published"),
    unpublished: to("unpublished"),
    tombstoned: to("tombstoned"),
    ...GONE,
  },
  publish: {
    reserved: to("published"),
    published: to("published"),
    unpublished: to("published"),
    tombstoned: refuse(1505),
    ...GONE,
  },
  unpublish: {
    reserved: refuse(1503),
    published: solemnly("unpublished"),
    unpublished: refuse(1503),
    tombstoned: refuse(1505),
    ...GONE,
  },
  tombstone: {
    reserved: to("tombstoned"),
    published: to("tombstoned"),
    unpublished: to("tombstoned"),
    tombstoned: to("tombstoned"),
    ...GONE,
  },
  "lift-tombstone": {
    reserved: to("reserved"),
    published: to("published"),
    unpublished: to("unpublished"),
    tombstoned: to("published"),
    ...GONE,
  },
  hold: {
    reserved: refuse(1503),
    published: to("published"),
    unpublished: refuse(1503),
    tombstoned: refuse(1505),
    ...GONE,
  },
  release: {
    reserved: to("reserved"),
    published: to("published"),
    unpublished: to("unpublished"),
    tombstoned: to("tombstoned"),
    ...GONE,
  },
  delete: {
    reserved: to("deleted"),
    published: refuse(1501),
    unpublished: solemnly("deleted"),
    tombstoned: refuse(1505),
    ...GONE,
  },
  "delete-bulk": {
    reserved: to("deleted"),
    published: refuse(1501),
    unpublished: refuse(1504),
    tombstoned: refuse(1505),
    ...GONE,
  },
  purge: {
    reserved: solemnly("purged"),
    published: solemnly("purged"),
    unpublished: solemnly("purged"),
    tombstoned: solemnly("purged"),
    ...GONE,
  },
  "register-below": {
    reserved: to("reserved"),
    published: to("published"),
    unpublished: to("reserved"),
    tombstoned: refuse(1505),
    ...GONE,
  },
};

/**
 * The cell of the table for this record.
 *
 * @throws ServiceError with the code of A9 where the call is refused. Whether the caller reaches the name is not
 * checked.
 */
export function admit(action: Action, record: ArkRecord): { readonly to: ArkState; readonly ceremony: Ceremony } {
  const cell = LIFECYCLE[action][record.state];
  if (!("refuse" in cell)) return cell;
  // A withdrawn name must look like one that never was: its state is not reported.
  throw new ServiceError(cell.refuse, {
    ark: formatArk(record.key),
    ...(isWithdrawn(record) ? {} : { state: record.state }),
  });
}

/**
 * Reason and the ARK retyped (L29, L33, L35; A17).
 *
 * @throws ServiceError `codes.reason` when the reason is missing or blank, `codes.confirm` when `confirm` names another
 * ARK or none.
 */
export function requireCeremony(
  key: string,
  given: { readonly reason?: string | undefined; readonly confirm?: string | undefined },
  codes: { readonly reason: ErrorCode; readonly confirm: ErrorCode },
): void {
  const ark = formatArk(key);
  if ((given.reason ?? "").trim() === "") throw new ServiceError(codes.reason, { ark });
  if (!namesKey(given.confirm ?? "", key))
    throw new ServiceError(codes.confirm, { ark, confirm: (given.confirm ?? "").slice(0, 300) });
}

function namesKey(text: string, key: string): boolean {
  try {
    return parseArk(text).key === key;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** The descriptive fields of a request; those left out are undefined. */
export type DescriptionIn = { readonly [field in keyof Description]?: string | undefined };

/** `replace`: a field left out becomes empty (PUT). `patch`: it stays (PATCH). */
export type UpdateMode = "replace" | "patch";

/**
 * The record after an update (A18). Placeholders in a new target are filled as they are at mint: what is stored is
 * where people are sent.
 *
 * @throws ServiceError 1505 when it would move the target of a tombstone.
 */
export function described(record: ArkRecord, input: DescriptionIn, mode: UpdateMode, now: Instant): ArkRecord {
  const sent = describe(input);
  const next: Record<keyof Description, string> = { ...sent, url: fillTarget(sent.url, arkOfKey(record.key)) };
  if (mode === "patch") {
    for (const field of DESCRIPTIVE_FIELDS) if (input[field] === undefined) next[field] = record[field];
  }
  if (record.state === "tombstoned") {
    if (input.url !== undefined && next.url !== record.url) {
      throw new ServiceError(1505, { ark: formatArk(record.key), state: record.state });
    }
    next.url = record.url;
  }
  return touched(record, { ...record, ...next }, now);
}

/**
 * The record with the new date when anything differs, otherwise the record itself: what changes nothing leaves no
 * trace.
 */
function touched(before: ArkRecord, after: ArkRecord, now: Instant): ArkRecord {
  return changedFields(before, after).length === 0 ? before : { ...after, updatedAt: now };
}

export function published(record: ArkRecord, now: Instant): ArkRecord {
  if (record.state === "published") return record;
  return {
    ...record,
    state: "published",
    publishedAt: now,
    firstPublishedAt: record.firstPublishedAt ?? now,
    updatedAt: now,
  };
}

/** A hold that has not ended stays: unpublishing a name and publishing it again does not end it. */
export function unpublished(record: ArkRecord, now: Instant): ArkRecord {
  return { ...record, state: "unpublished", publishedAt: null, updatedAt: now };
}

/**
 * A10: the description stays, the target becomes the page that explains, or nothing. An empty commitment keeps the
 * stored one.
 */
export function tombstoned(
  record: ArkRecord,
  input: { readonly url?: string | undefined; readonly commitment?: string | undefined },
  now: Instant,
): ArkRecord {
  const sent = describe(input);
  const after: ArkRecord = {
    ...record,
    state: "tombstoned",
    url: fillTarget(sent.url, arkOfKey(record.key)),
    commitment: sent.commitment === "" ? record.commitment : sent.commitment,
    tombstonedAt: record.tombstonedAt ?? now,
  };
  return touched(record, after, now);
}

/** A10, the one way out of a tombstone: back to the state its dates tell of, with the target it led to before. */
export function lifted(record: ArkRecord, url: string, now: Instant): ArkRecord {
  const state =
    record.publishedAt !== null ? "published" : record.firstPublishedAt !== null ? "unpublished" : "reserved";
  return { ...record, state, url, tombstonedAt: null, updatedAt: now };
}

/**
 * A11: target and description go, the row stays and holds the name for ever. `firstPublishedAt` tells whether it ever
 * was public (A31a).
 */
export function withdrawn(record: ArkRecord, state: "deleted" | "purged", reason: string, now: Instant): ArkRecord {
  return {
    ...record,
    ...EMPTY_DESCRIPTION,
    state,
    publishedAt: null,
    withdrawnAt: now,
    withdrawnReason: reason,
    holdUntil: null,
    holdReason: null,
    updatedAt: now,
  };
}

export function held(record: ArkRecord, until: Instant | null, reason: string | null, now: Instant): ArkRecord {
  return touched(record, { ...record, holdUntil: until, holdReason: reason }, now);
}

/** A42. @throws ServiceError 1020 unless the end lies after `now` and at most `maxDays` away. */
export function requireHoldEnd(until: Instant, now: Instant, maxDays: number): void {
  const latest = addMilliseconds(now, maxDays * 86_400_000);
  if (until <= now || until > latest) throw new ServiceError(1020, { until, now, latest, limit_days: maxDays });
}

/** The hold at `now`; null once it has ended, for it ends by the clock (A16, A42). */
export function holdAt(
  held: { readonly holdUntil: Instant | null; readonly holdReason: string | null },
  now: Instant,
): { readonly until: Instant; readonly reason: string } | null {
  if (held.holdUntil === null || held.holdUntil <= now) return null;
  return { until: held.holdUntil, reason: held.holdReason ?? "" };
}

/** Names of what differs, as the history writes them. */
export function changedFields(before: ArkRecord, after: ArkRecord): string[] {
  const fields: string[] = DESCRIPTIVE_FIELDS.filter((field) => before[field] !== after[field]);
  if (before.state !== after.state) fields.push("state");
  if (before.holdUntil !== after.holdUntil) fields.push("hold_until");
  if (before.holdReason !== after.holdReason) fields.push("hold_reason");
  return fields;
}
