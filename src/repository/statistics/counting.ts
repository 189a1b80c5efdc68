// Counting views of records and downloads of files (R39), as COUNTER counts them: robots, prefetching, HEAD and every part of a file but its beginning
// count nothing, and the same by the same within 30 seconds counts once. Who came is told apart by a hash under a key that no disk ever holds and
// that is another one each day; counts of a few seconds wait in memory and are written together.
import type { Clock } from "../../shared/clock.ts";
import type { Day } from "../../shared/day.ts";
import { errorMessage } from "../../shared/error-message.ts";
import type { Log } from "../../shared/log.ts";
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
  /** Purpose, X-Purpose, Sec-Purpose, X-Moz: what browsers say that fetch what nobody asked for yet. */
  readonly purpose: string;
  /** Of a part of a file: where it begins. */
  readonly firstOctet: number;
};

/** A hash under a key of its own, of the whole text; below 2^48. */
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

export function usageCounting(needs: UsageNeeds): Usage {
  const { clock, dayOf, isRobot, newHash, log, limits = LIMITS } = needs;
  let today: { readonly day: Day; readonly hash: VisitorHash; readonly seen: Set<number> } | null = null;
  /** When somebody did something the last time. */
  let recent = new Map<number, number>();
  let waiting = new Map<string, UsageOfDay>();
  let isAsked = false;
  let writing: Promise<void> = Promise.resolve();

  function begin(): { readonly now: number; readonly of: NonNullable<typeof today> } {
    const at = clock.now();
    const day = dayOf(at);
    if (today === null || today.day !== day) {
      today = { day, hash: newHash(), seen: new Set() };
      recent = new Map();
    }
    return { now: Date.parse(at), of: today };
  }

  /** False for the same thing once more within half a minute; the last time counts for what comes behind. */
  function isNew(key: number, now: number): boolean {
    const before = recent.get(key);
    recent.delete(key);
    recent.set(key, now);
    // In the order of their times: the oldest stand first.
    for (const [old, time] of recent) {
      if (now - time <= DOUBLE_CLICK_MS && recent.size <= limits.recent) break;
      recent.delete(old);
    }
    return before === undefined || now - before > DOUBLE_CLICK_MS;
  }

  function isFirst(seen: Set<number>, key: number): boolean {
    if (seen.has(key) || seen.size >= limits.visitors) return false;
    seen.add(key);
    return true;
  }

  function add(row: UsageOfDay): void {
    const key = keyOf(row);
    const before = waiting.get(key);
    if (before === undefined && waiting.size >= limits.waiting) return;
    waiting.set(key, before === undefined ? row : { ...row, ...sum(before, row) });
    if (isAsked) return;
    isAsked = true;
    needs.later(() => void flush());
  }

  function count(visit: Visit, { id, parentId, isOwn }: VisitedRecord, what: Counted): void {
    if (isOwn || !isAsking(visit) || isRobot(visit.userAgent)) return;
    const { now, of } = begin();
    const who = `${visit.address}\n${visit.userAgent ?? ""}`;
    const { kind, file, octets } = what;
    if (!isNew(of.hash(`${who}\n${kind} ${id} ${file}`), now)) return;
    const once = (subject: UsageSubject, number: number, name: string): number =>
      isFirst(of.seen, of.hash(`${who}\n${kind} once ${subject} ${number} ${name}`)) ? 1 : 0;
    const row = (subject: UsageSubject, number: number, name: string): UsageOfDay => ({
      ...{ day: of.day, subject, id: number, file: name, ...NO_USAGE },
      ...(kind === "view"
        ? { views: 1, uniqueViews: once(subject, number, name) }
        : { downloads: 1, uniqueDownloads: once(subject, number, name), dataVolume: octets }),
    });
    add(row("item", id, ""));
    add(row("parent", parentId, ""));
    if (file !== "") add(row("item", id, file));
  }

  async function flush(): Promise<void> {
    isAsked = false;
    writing = writing.then(writeWaiting);
    await writing;
  }

  async function writeWaiting(): Promise<void> {
    if (waiting.size === 0) return;
    const taken = waiting;
    waiting = new Map();
    // In one order, so that two processes never wait for each other.
    const rows = [...taken].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    try {
      await needs.write((tx) => tx.addUsage(rows));
    } catch (error) {
      log.warn("usage_not_written", { rows: rows.length, reason: errorMessage(error) });
      for (const row of rows) add(row);
    }
  }

  return {
    view: (visit, record) => count(visit, record, { kind: "view", file: "", octets: 0 }),
    download: (visit, record, { name, sizeBytes }) =>
      count(visit, record, { kind: "download", file: name, octets: visit.status === 304 ? 0 : sizeBytes }),
    flush,
    close: flush,
  };
}

type Counted = { readonly kind: "view" | "download"; readonly file: string; readonly octets: number };

/** Somebody got it: whole, its beginning, or the word that he has it already. */
function isAsking({ method, status, purpose, firstOctet }: Visit): boolean {
  const isThere = status === 200 || status === 304 || (status === 206 && firstOctet === 0);
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
