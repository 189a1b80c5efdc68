// Counts views of records and downloads of files (R39), as COUNTER does: robots, prefetching, HEAD and every part of a
// file but its beginning do not count, and repetitions by the same visitor within 30 seconds count once. Visitors are
// distinguished by a hash whose key is never stored on disk and changes each day; counts of a few seconds wait in
// memory and are written together.
import { errorMessage } from "../../shared/error-message.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { NO_USAGE, type UsageCounts, type UsageOfDay, type UsageWriter, type VisitedRecord } from "../store/usage.ts";

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

const PURPOSES = ["purpose", "x-purpose", "sec-purpose", "x-moz"] as const;

/** A request from `address`, and its answer. */
export function visitOf(request: Request, response: Response, address: string): Visit {
  const { method, headers } = request;
  const range = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "")?.[1];
  return {
    method,
    status: response.status,
    address,
    userAgent: headers.get("user-agent"),
    purpose: PURPOSES.map((name) => headers.get(name) ?? "").join(" "),
    firstByte: Number(range ?? 0),
  };
}

/** A hash of the whole text under a separate key; below 2^48. */
export type VisitorHash = (text: string) => number;

export interface Usage {
  view(visit: Visit, record: VisitedRecord): void;
  download(visit: Visit, record: VisitedRecord, file: { readonly name: string; readonly sizeBytes: number }): void;
  /** Everything before it is written. */
  countedUntil(): Instant;
  /** Writes what waits. What cannot be written waits on. */
  flush(): Promise<void>;
  /** The same for the last time. */
  close(): Promise<void>;
}

type UsageNeeds = {
  readonly clock: Clock;
  readonly dayOf: (at: Instant) => Day;
  readonly isRobot: (userAgent: string | null) => boolean;
  /** ISO 3166-1 code of the country of an address; "" where that is not known. */
  readonly countryOf: (address: string) => string;
  /** Another key each time. */
  readonly newHash: () => VisitorHash;
  readonly write: (work: (tx: UsageWriter) => Promise<void>) => Promise<void>;
  /** Has `flush` called after a while. */
  readonly later: (flush: () => void) => void;
  readonly log: Log;
  readonly limits?: UsageLimits;
};

type UsageLimits = {
  /**
   * Visits of the last half minute, and visitors of a day, that are distinguished; beyond them a visit counts, and no
   * visitor does.
   */
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
  /** When the first of what waits was counted. */
  #waitingSince: Instant | null = null;
  /** The same of what is being written. */
  #writingSince: Instant | null = null;
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

  countedUntil(): Instant {
    return this.#writingSince ?? this.#waitingSince ?? this.#needs.clock.now();
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
    this.#waitingSince ??= this.#needs.clock.now();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#needs.later(() => void this.flush());
  }

  #count(visit: Visit, record: VisitedRecord, { kind, file, bytes }: UseEvent): void {
    const { id, parentId, isOwn, isPublic } = record;
    if (isOwn || !isAsking(visit) || this.#needs.isRobot(visit.userAgent)) return;
    const { now, of } = this.#begin();
    const who = `${visit.address}\n${visit.userAgent ?? ""}`;
    if (!this.#isNew(of.hash(`${who}\n${kind} ${id} ${file}`), now)) return;
    const once = (subject: UsageOfDay["subject"], number: number, name: string): number =>
      this.#isFirst(of.seen, of.hash(`${who}\n${kind} once ${subject} ${number} ${name}`)) ? 1 : 0;
    const row = (subject: UsageOfDay["subject"], number: number, name: string): UsageOfDay => ({
      day: of.day,
      subject,
      id: number,
      file: name,
      ...NO_USAGE,
      ...(kind === "view"
        ? { views: 1, uniqueViews: once(subject, number, name) }
        : { downloads: 1, uniqueDownloads: once(subject, number, name), dataVolume: bytes }),
    });
    this.#add(row("item", id, ""));
    this.#add(row("parent", parentId, ""));
    if (file !== "") this.#add(row("item", id, file));
    if (isPublic) this.#add(row("public", parentId, this.#needs.countryOf(visit.address)));
  }

  async #writeWaiting(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const taken = this.#waiting;
    const since = this.#waitingSince;
    this.#writingSince = since;
    this.#waitingSince = null;
    this.#waiting = new Map();
    // In one order, so that two processes never wait for each other.
    const rows = [...taken].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    try {
      await this.#needs.write((tx) => tx.addUsage(rows));
    } catch (error) {
      this.#needs.log.warn("usage_not_written", { rows: rows.length, reason: errorMessage(error) });
      for (const row of rows) this.#add(row);
      this.#waitingSince = since;
    } finally {
      this.#writingSince = null;
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

// Robots by their User-Agent (R39): the patterns of the COUNTER list, read as the few forms they are written in and
// compared without backtracking, so that whatever a stranger sends costs the length of it. Pure.

/** One character of a pattern: any, or one of some, or none of some. Lower case. */
type Part = "any" | { readonly oneOf: string; readonly not: boolean };
type Sequence = { readonly parts: readonly Part[]; readonly atStart: boolean; readonly atEnd: boolean };

/** Longest part of a User-Agent that is read. */
const CHARACTERS = 512;
/** What a pattern's choices may come to. */
const SEQUENCES = 64;

/**
 * True for a User-Agent that a pattern of the list finds; one that is not sent is empty, which the list finds too.
 *
 * @throws TypeError for a pattern that cannot be read
 */
export function robotTest(patterns: readonly string[]): (userAgent: string | null) => boolean {
  const words: string[] = [];
  const sequences: Sequence[] = [];
  for (const each of patterns.flatMap(sequencesOf)) {
    const found = wordsOf(each);
    if (found === null) sequences.push(each);
    else words.push(...found);
  }
  const tree = treeOf(words);
  return (userAgent) => {
    const text = (userAgent ?? "").slice(0, CHARACTERS).toLowerCase();
    return hasWord(tree, text) || sequences.some((each) => isIn(text, each));
  };
}

/** Words by their characters, one behind the other. */
type Tree = { isEnd: boolean; readonly next: Map<number, Tree> };

function treeOf(words: readonly string[]): Tree {
  const tree: Tree = { isEnd: false, next: new Map() };
  for (const word of words) {
    let at = tree;
    for (let i = 0; i < word.length; i += 1) {
      const code = word.charCodeAt(i);
      const below = at.next.get(code) ?? { isEnd: false, next: new Map() };
      at.next.set(code, below);
      at = below;
    }
    at.isEnd = true;
  }
  return tree;
}

/** From each character as far as some word goes on: the longest word bounds it. */
function hasWord(tree: Tree, text: string): boolean {
  for (let from = 0; from < text.length; from += 1) {
    let at: Tree | undefined = tree;
    for (let i = from; at !== undefined && i < text.length; i += 1) {
      at = at.next.get(text.charCodeAt(i));
      if (at?.isEnd === true) return true;
    }
  }
  return false;
}

/** The pattern as plain texts that may occur anywhere, one per choice; null where it contains more, or has too many. */
function wordsOf({ parts, atStart, atEnd }: Sequence): readonly string[] | null {
  if (atStart || atEnd) return null;
  let words: readonly string[] = [""];
  for (const part of parts) {
    if (part === "any" || part.not) return null;
    words = words.flatMap((word) => [...part.oneOf].map((character) => word + character));
    if (words.length > SEQUENCES) return null;
  }
  return words;
}

function isIn(text: string, { parts, atStart, atEnd }: Sequence): boolean {
  const last = text.length - parts.length;
  const to = atStart ? Math.min(0, last) : last;
  for (let at = atEnd ? Math.max(0, last) : 0; at <= to; at += 1) {
    if ((!atEnd || at === last) && isPartAt(text, at, parts)) return true;
  }
  return false;
}

function isPartAt(text: string, at: number, parts: readonly Part[]): boolean {
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i];
    if (part === undefined || !holds(part, text.charAt(at + i))) return false;
  }
  return true;
}

const holds = (part: Part, character: string): boolean => part === "any" || part.oneOf.includes(character) !== part.not;

const DIGITS = "0123456789";
const BLANKS = " \t";

/** Every way in which the choices of a pattern can be taken. */
function sequencesOf(pattern: string): readonly Sequence[] {
  const atStart = pattern.startsWith("^");
  const atEnd = pattern.endsWith("$") && !pattern.endsWith("\\$");
  const inner = pattern.slice(atStart ? 1 : 0, atEnd ? -1 : undefined);
  let made: readonly (readonly Part[])[] = [[]];
  for (let at = 0; at < inner.length; ) {
    const { part, length } = partAt(inner, at, pattern);
    at += length;
    const repeat = /^\{(\d),(\d)\}/.exec(inner.slice(at));
    const [least, most] =
      repeat !== null ? [Number(repeat[1]), Number(repeat[2])] : inner[at] === "?" ? [0, 1] : [1, 1];
    at += repeat?.[0].length ?? (inner[at] === "?" ? 1 : 0);
    const choices = Array.from({ length: most - least + 1 }, (_, more) => times(part, least + more));
    made = made.flatMap((before) => choices.map((choice) => [...before, ...choice]));
    if (made.length > SEQUENCES) throw new TypeError(`The pattern ${pattern} has too many choices`);
  }
  return made.map((parts) => ({ parts, atStart, atEnd }));
}

const times = (parts: readonly Part[], count: number): readonly Part[] =>
  Array.from({ length: count }, () => parts).flat();

/**
 * A part of a pattern and how long it is written: a character, a class, a group of single characters, or a group that
 * is a text.
 */
function partAt(
  text: string,
  at: number,
  pattern: string,
): { readonly part: readonly Part[]; readonly length: number } {
  const character = text.charAt(at);
  if (character === "\\") return { part: [escaped(text.charAt(at + 1), pattern)], length: 2 };
  if (character === ".") return { part: ["any"], length: 1 };
  if (character === "[") {
    const end = text.indexOf("]", at + 1);
    if (end < 0) throw new TypeError(`The pattern ${pattern} has a class without an end`);
    const not = text.charAt(at + 1) === "^";
    return { part: [{ oneOf: classOf(text.slice(at + (not ? 2 : 1), end)), not }], length: end - at + 1 };
  }
  if (character === "(") {
    const end = text.indexOf(")", at + 1);
    if (end < 0) throw new TypeError(`The pattern ${pattern} has a group without an end`);
    const choices = text.slice(at + 1, end).split("|");
    if (choices.length === 1) return { part: [...(choices[0] ?? "").toLowerCase()].map(exactly), length: end - at + 1 };
    return { part: [{ oneOf: choices.map(classOf).join(""), not: false }], length: end - at + 1 };
  }
  if ("*+?{}|".includes(character)) throw new TypeError(`The pattern ${pattern} is of a form nobody knows`);
  return { part: [exactly(character.toLowerCase())], length: 1 };
}

const exactly = (character: string): Part => ({ oneOf: character, not: false });

function escaped(character: string, pattern: string): Part {
  if (character === "d") return { oneOf: DIGITS, not: false };
  if (character === "s") return { oneOf: BLANKS, not: false };
  if (character === "" || /[a-z0-9]/i.test(character))
    throw new TypeError(`The pattern ${pattern} is of a form nobody knows`);
  return exactly(character);
}

/** `\s`, `\+`, `0-9` and characters as they are. */
const classOf = (text: string): string =>
  text.replace("0-9", DIGITS).replaceAll("\\s", BLANKS).replaceAll("\\d", DIGITS).replaceAll("\\", "").toLowerCase();
