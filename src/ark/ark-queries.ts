// The reads of management, narrowed to the caller's reach: query, list, history, stats, export (L11, L47; A15, A17,
// A19).

import type { Call, Caller } from "../auth/caller.ts";
import { type FieldProblem, ServiceError, ValidationRefusal } from "../shared/errors.ts";
import type { Clock } from "../shared/time/clock.ts";
import { LONG_TEXT } from "../shared/time/event-loop.ts";
import { readInstant } from "../shared/time/instant.ts";
import { requireRows } from "./change-name.ts";
import { reachOf, reachTest, readerOf } from "./current-caller.ts";
import { historyParts } from "./name-history.ts";
import { isWithdrawn } from "./new-name.ts";
import type { ArkRecord, ArkState } from "./record.ts";
import { readShoulder } from "./shoulder.ts";
import { type Stats, statsOf } from "./statistics.ts";
import type { ArkFilter, ArkReader, HistoryEntry, Store } from "./store.ts";
import { formatArk, parseArk } from "./syntax.ts";

/** Most names that one page of a list carries, and most that are read at once. */
export const PAGE_MAX = 1000;
/** Names that are read first, when their length is not yet known. */
const FIRST_ROWS = 50;
/** Most rows that are blamed in one answer. */
const PROBLEMS_MAX = 1000;

/** What a list or an export is narrowed by; all optional (A15). */
export type ListFilter = {
  readonly shoulder?: string | undefined;
  readonly state?: ArkState | undefined;
  readonly updatedSince?: string | undefined;
  readonly text?: string | undefined;
};

/** Part of a page. `next` of the last part is what to send as `after` for the next page, null at the end. */
export type ListPart = { readonly records: readonly ArkRecord[]; readonly next: string | null };
export type NameHistory = { readonly key: string; readonly parts: AsyncIterable<readonly HistoryEntry[]> };
type ListPage = { readonly after?: string | undefined; readonly limit: number };

export interface ArkQueries {
  /**
   * The records of these names in the order sent, one for each; unknown, withdrawn and out-of-reach names are left out
   * (L20, A17).
   */
  query(call: Call, texts: readonly string[]): Promise<readonly ArkRecord[]>;
  /** The same in parts, each read when it is asked for. */
  queryParts(call: Call, texts: readonly string[]): AsyncIterable<readonly ArkRecord[]>;
  /** One page of names by key. */
  list(call: Call, filter: ListFilter, page: ListPage): Promise<ListPart>;
  /** The same in parts, each read when it is asked for. */
  listParts(call: Call, filter: ListFilter, page: ListPage): AsyncIterable<ListPart>;
  /**
   * Every change of one name, oldest first, also after its withdrawal (A17), in parts, each read when it is asked for.
   */
  history(call: Call, text: string): Promise<NameHistory>;
  /** Counts over the caller's reach (A17). */
  stats(call: Call): Promise<Stats>;
  /**
   * Every name within reach, by key, in pages. The pages are read one after the other as they are asked for, so a name
   * that changes meanwhile appears as it is when its page is read; none is left out or given twice.
   */
  exportRows(call: Call, filter: ListFilter): AsyncIterable<readonly ArkRecord[]>;
}

export const arkQueries = (needs: {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: { readonly bulkRows: number };
}): ArkQueries => {
  const { store, clock } = needs;

  function queryParts(call: Call, texts: readonly string[]): AsyncIterable<readonly ArkRecord[]> {
    requireRows(texts.length, needs.limits.bulkRows);
    return recordsOf(readerOf(store, call), call.caller, keysOf(texts));
  }

  function listParts(call: Call, filter: ListFilter, page: ListPage): AsyncIterable<ListPart> {
    const after = page.after === undefined || page.after === "" ? "" : parseArk(page.after).key;
    const limit = pageSize(page.limit);
    return partsOf(readerOf(store, call), narrowedBy(call.caller, filter), after, limit);
  }

  return {
    async query(call, texts) {
      const records: ArkRecord[] = [];
      for await (const part of queryParts(call, texts)) records.push(...part);
      return records;
    },
    queryParts,

    async list(call, filter, page) {
      const records: ArkRecord[] = [];
      let next: string | null = null;
      for await (const part of listParts(call, filter, page)) {
        records.push(...part.records);
        next = part.next;
      }
      return { records, next };
    },
    listParts,

    async history(call, text) {
      const { key } = parseArk(text);
      const reader = readerOf(store, call);
      const record = (await reader.arks([key])).get(key);
      if (record === undefined || !(await reachTest(reader, call.caller, [record]))(record)) {
        throw new ServiceError(1401, { ark: formatArk(key) });
      }
      return { key, parts: historyParts(reader, key) };
    },

    stats: (call) => statsOf(readerOf(store, call), call.caller, clock.now()),

    exportRows(call, filter) {
      return pagesOf(readerOf(store, call), narrowedBy(call.caller, filter));
    },
  };
};

async function* pagesOf(reader: ArkReader, filter: ArkFilter): AsyncGenerator<readonly ArkRecord[]> {
  for await (const { records } of partsOf(reader, filter, "", Number.POSITIVE_INFINITY)) {
    if (records.length > 0) yield records;
  }
}

/**
 * At most `limit` names after a key. Several statements: one over a thousand long records would block the event loop.
 */
async function* partsOf(
  reader: ArkReader,
  filter: ArkFilter,
  after: string,
  limit: number,
): AsyncGenerator<ListPart, void> {
  let [from, left, rows] = [after, limit, FIRST_ROWS];
  for (;;) {
    const asked = Math.min(rows, left);
    const found = await reader.listArks(filter, from, asked + 1);
    const records = found.slice(0, asked);
    const last = found.length > asked ? records.at(-1) : undefined;
    yield { records, next: last === undefined ? null : formatArk(last.key) };
    left -= asked;
    if (last === undefined || left === 0) return;
    [from, rows] = [last.key, rowsLike(records)];
  }
}

/** The records of these keys that the caller may see, in their order, a few at a time. */
async function* recordsOf(
  reader: ArkReader,
  caller: Caller,
  keys: readonly string[],
): AsyncGenerator<readonly ArkRecord[], void> {
  for (let [at, rows] = [0, FIRST_ROWS]; at < keys.length; ) {
    const some = keys.slice(at, at + rows);
    const found = await reader.arks(some);
    const reaches = await reachTest(reader, caller, found.values());
    const records = some.flatMap((key) => {
      const record = found.get(key);
      return record === undefined || isWithdrawn(record) || !reaches(record) ? [] : [record];
    });
    if (records.length > 0) yield records;
    at += some.length;
    if (found.size > 0) rows = rowsLike([...found.values()]);
  }
}

/** How many records to read next, where they are as long as these. */
function rowsLike(records: readonly ArkRecord[]): number {
  let length = 1;
  for (const record of records)
    for (const value of Object.values(record)) if (typeof value === "string") length += value.length;
  return Math.max(1, Math.min(PAGE_MAX, Math.floor((LONG_TEXT * records.length) / length)));
}

/** @throws ValidationRefusal for a page of another size than 1 to `PAGE_MAX`. */
function pageSize(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE_MAX) return limit;
  const msg = `Input should be a whole number from 1 to ${PAGE_MAX}`;
  throw new ValidationRefusal([
    { loc: ["query", "limit"], msg, type: "value_error", input: limit, ctx: { ge: 1, le: PAGE_MAX } },
  ]);
}

/** @throws ValidationRefusal naming each row that is not an ARK, by its index (A17). */
function keysOf(texts: readonly string[]): readonly string[] {
  const keys = new Set<string>();
  const problems: FieldProblem[] = [];
  for (const [row, text] of texts.entries()) {
    try {
      keys.add(parseArk(text).key);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const msg = `Value error, ${error.message}`;
      const { reason } = error.detail;
      const ctx = { code: error.wireCode, ...(reason === undefined ? {} : { reason }) };
      problems.push({ loc: ["body", "data", row], msg, type: "value_error", input: text.slice(0, 200), ctx });
      if (problems.length >= PROBLEMS_MAX) break;
    }
  }
  if (problems.length > 0) throw new ValidationRefusal(problems);
  return [...keys];
}

/** @throws ValidationRefusal when a filter cannot be read. */
export function narrowedBy(caller: Caller, filter: ListFilter): ArkFilter {
  const refuse = (field: string, msg: string, input: string) =>
    new ValidationRefusal([{ loc: ["query", field], msg: `Value error, ${msg}`, type: "value_error", input }]);
  const result: { -readonly [field in keyof ArkFilter]: ArkFilter[field] } = { reach: reachOf(caller) };
  if (filter.shoulder !== undefined && filter.shoulder !== "") {
    const named = readShoulder(filter.shoulder);
    if (named === null) throw refuse("shoulder", "must be a shoulder", filter.shoulder);
    result.shoulder = named.shoulder;
    if (named.naan !== null) result.naan = named.naan;
  }
  if (filter.updatedSince !== undefined && filter.updatedSince !== "") {
    const since = readInstant(filter.updatedSince);
    if (since === null) throw refuse("updated_since", "must be a date or date-time of RFC 3339", filter.updatedSince);
    result.updatedSince = since;
  }
  if (filter.state !== undefined) result.state = filter.state;
  if (filter.text !== undefined && filter.text !== "") result.text = filter.text;
  return result;
}
