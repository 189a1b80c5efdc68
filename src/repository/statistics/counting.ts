// Counts views of records and downloads of files (R39), as COUNTER does: robots, prefetching, HEAD and every part of a
// file but its beginning do not count, and repetitions by the same visitor within 30 seconds count once. Visitors are
// distinguished by a hash whose key is never stored on disk and changes each day; counts of a few seconds wait in
// memory and are written together.

import { errorMessage } from "../../shared/error-message.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import {
  NO_USAGE,
  type UsageCounts,
  type UsageOfDay,
  type UsageSubject,
  type UsageWriter,
  type VisitedRecord,
} from "../store/usage.ts";

/** What of a request counts, and how it was answered. */
export type Visit = {
  readonly method: string;
  readonly status: number;
  readonly address: string;
  readonly userAgent: string | null;
  /** Purpose, X-Purpose, Sec-Purpose, X-Moz: headers of browsers that fetch a page before the person requests it. */
  readonly purpose: string;
  /** Of a part of a file: where it begins. */
  readonly firstByte: number;
};

/** A hash of the whole text under a separate key; below 2^48. */
export type VisitorHash = (text: string) => number;

export interface Usage {
  view(visit: Visit, record: VisitedRecord): void;
  download(visit: Visit, record: VisitedRecord, file: { readonly name: string; readonly sizeBytes: number }): void;
  /** Writes what waits. What cannot be written waits on. */
  flush(): Promise<void>;
  /** The same for the last time. */
  close(): Promise<void>;
}

type UsageNeeds = {
  readonly clock: Clock;
  readonly dayOf: (at: string) => Day;
  readonly isRobot: (userAgent: string | null) => boolean;
  /** Another key each time. */
  readonly newHash: () => VisitorHash;
  readonly write: (work: (tx: UsageWriter) => Promise<void>) => Promise<void>;
  /** Has `flush` called after a while. */
  readonly later: (flush: () => void) => void;
  readonly log: Log;
  readonly limits?: UsageLimits;
};

type UsageLimits = {
  /** Visits of the last half minute, and visitors of a day, that are distinguished; beyond them a visit counts, and no visitor does. */
  readonly recent: number;
  readonly visitors: number;
  /** Subjects whose counts wait: while the database is away no more are kept. */
  readonly waiting: number;
};

/** COUNTER: within it the same counts once. */
const DOUBLE_CLICK_MS = 30_000;
const LIMITS: UsageLimits = { recent: 50_000, visitors: 200_000, waiting: 20_000 };
const PREFETCH = /prefetch|prerender|preview/i;

export const usageCounting = (needs: UsageNeeds): Usage => new UsageCounter(needs);

/** The visitors of one day. */
type UsageDay = { readonly day: Day; readonly hash: VisitorHash; readonly seen: Set<number> };

class UsageCounter implements Usage {
  readonly #needs: UsageNeeds;
  readonly #limits: UsageLimits;
  #today: UsageDay | null = null;
  /** The last time of each act of a visitor, oldest first. */
  #recent = new Map<number, number>();
  #waiting = new Map<string, UsageOfDay>();
  #isScheduled = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(needs: UsageNeeds) {
    this.#needs = needs;
    this.#limits = needs.limits ?? LIMITS;
  }

  view(visit: Visit, record: VisitedRecord): void {
    this.#count(visit, record, { kind: "view", file: "", bytes: 0 });
  }

  download(visit: Visit, record: VisitedRecord, { name, sizeBytes }: Parameters<Usage["download"]>[2]): void {
    const bytes = visit.status === 304 ? 0 : sizeBytes;
    this.#count(visit, record, { kind: "download", file: name, bytes });
  }

  async flush(): Promise<void> {
    this.#isScheduled = false;
    this.#writing = this.#writing.then(() => this.#writeWaiting());
    await this.#writing;
  }

  close(): Promise<void> {
    return this.flush();
  }

  #begin(): { readonly now: number; readonly of: UsageDay } {
    const at = this.#needs.clock.now();
    const day = this.#needs.dayOf(at);
    if (this.#today === null || this.#today.day !== day) {
      this.#today = { day, hash: this.#needs.newHash(), seen: new Set() };
      this.#recent = new Map();
    }
    return { now: Date.parse(at), of: this.#today };
  }

  /** False for the same act again within half a minute, which starts the half minute again. */
  #isNew(key: number, now: number): boolean {
    const before = this.#recent.get(key);
    this.#recent.delete(key);
    this.#recent.set(key, now);
    for (const [old, time] of this.#recent) {
      if (now - time <= DOUBLE_CLICK_MS && this.#recent.size <= this.#limits.recent) break;
      this.#recent.delete(old);
    }
    return before === undefined || now - before > DOUBLE_CLICK_MS;
  }

  #isFirst(seen: Set<number>, key: number): boolean {
    if (seen.has(key) || seen.size >= this.#limits.visitors) return false;
    seen.add(key);
    return true;
  }

  #add(row: UsageOfDay): void {
    const key = keyOf(row);
    const before = this.#waiting.get(key);
    if (before === undefined && this.#waiting.size >= this.#limits.waiting) return;
    this.#waiting.set(key, before === undefined ? row : { ...row, ...sum(before, row) });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#needs.later(() => void this.flush());
  }

  #count(visit: Visit, { id, parentId, isOwn }: VisitedRecord, { kind, file, bytes }: UseEvent): void {
    if (isOwn || !isAsking(visit) || this.#needs.isRobot(visit.userAgent)) return;
    const { now, of } = this.#begin();
    const who = `${visit.address}\n${visit.userAgent ?? ""}`;
    if (!this.#isNew(of.hash(`${who}\n${kind} ${id} ${file}`), now)) return;
    const once = (subject: UsageSubject, number: number, name: string): number =>
      this.#isFirst(of.seen, of.hash(`${who}\n${kind} once ${subject} ${number} ${name}`)) ? 1 : 0;
    const row = (subject: UsageSubject, number: number, name: string): UsageOfDay => ({
      ...{ day: of.day, subject, id: number, file: name, ...NO_USAGE },
      ...(kind === "view"
        ? { views: 1, uniqueViews: once(subject, number, name) }
        : { downloads: 1, uniqueDownloads: once(subject, number, name), dataVolume: bytes }),
    });
    this.#add(row("item", id, ""));
    this.#add(row("parent", parentId, ""));
    if (file !== "") this.#add(row("item", id, file));
  }

  async #writeWaiting(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const taken = this.#waiting;
    this.#waiting = new Map();
    // In one order, so that two processes never wait for each other.
    const rows = [...taken].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    try {
      await this.#needs.write((tx) => tx.addUsage(rows));
    } catch (error) {
      this.#needs.log.warn("usage_not_written", { rows: rows.length, reason: errorMessage(error) });
      for (const row of rows) this.#add(row);
    }
  }
}

type UseEvent = { readonly kind: "view" | "download"; readonly file: string; readonly bytes: number };

/** The client received the file: whole, its beginning, or the answer that its copy is current. */
function isAsking({ method, status, purpose, firstByte }: Visit): boolean {
  const isThere = status === 200 || status === 304 || (status === 206 && firstByte === 0);
  return method === "GET" && isThere && !PREFETCH.test(purpose);
}

const keyOf = ({ day, subject, id, file }: UsageOfDay): string =>
  `${day} ${subject} ${String(id).padStart(16, "0")} ${file}`;

function sum(one: UsageCounts, other: UsageCounts): UsageCounts {
  return {
    views: one.views + other.views,
    uniqueViews: one.uniqueViews + other.uniqueViews,
    downloads: one.downloads + other.downloads,
    uniqueDownloads: one.uniqueDownloads + other.uniqueDownloads,
    dataVolume: one.dataVolume + other.dataVolume,
  };
}
