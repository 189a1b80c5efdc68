// The table that holds every name ever assigned (A8, A11): reading, locking, inserting, writing back.

import { sql } from "kysely";
import { ARK_STATES, type ArkOrigin, type ArkRecord, type ArkState, DESCRIPTIVE_FIELDS } from "../../src/ark/record.ts";
import type { ArkFilter, Reach, ShoulderCounts } from "../../src/ark/store.ts";
import { yieldToEventLoop } from "../../src/shared/time/event-loop.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { bulkStatement, type Cell, number, returningOneList, text } from "../engine/bulk-statements.ts";
import { type Dialect, rowsOf, type Session, statement, textList, type Words } from "../engine/dialect.ts";
import type { ArkTable } from "../engine/schema.ts";

const COLUMNS = [
  ...["ark", "naan", "shoulder", "origin"].map(text),
  number("organisation_id"),
  text("state"),
  ...DESCRIPTIVE_FIELDS.map(text),
  ...["created_at", "updated_at", "published_at", "first_published_at", "tombstoned_at"].map(text),
  ...["withdrawn_at", "withdrawn_reason", "hold_until", "hold_reason"].map(text),
];

function toRow(ark: ArkRecord): Cell[] {
  return [
    ark.key,
    ark.naan,
    ark.shoulder,
    ark.origin,
    ark.organisationId,
    ark.state,
    ark.url,
    ark.title,
    ark.type,
    ark.identifier,
    ark.format,
    ark.relation,
    ark.source,
    ark.commitment,
    ark.metadata,
    ark.who,
    ark.when,
    ark.createdAt,
    ark.updatedAt,
    ark.publishedAt,
    ark.firstPublishedAt,
    ark.tombstonedAt,
    ark.withdrawnAt,
    ark.withdrawnReason,
    ark.holdUntil,
    ark.holdReason,
  ];
}

/** A row as the domain knows it. */
export function toArk(row: ArkTable): ArkRecord {
  return {
    key: row.ark,
    naan: row.naan,
    shoulder: row.shoulder,
    // The table's checks allow no other values.
    origin: row.origin as ArkOrigin,
    organisationId: row.organisation_id,
    state: row.state as ArkState,
    url: row.url,
    title: row.title,
    type: row.type,
    identifier: row.identifier,
    format: row.format,
    relation: row.relation,
    source: row.source,
    commitment: row.commitment,
    metadata: row.metadata,
    who: row.who,
    when: row.when,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at,
    firstPublishedAt: row.first_published_at,
    tombstonedAt: row.tombstoned_at,
    withdrawnAt: row.withdrawn_at,
    withdrawnReason: row.withdrawn_reason,
    holdUntil: row.hold_until,
    holdReason: row.hold_reason,
  };
}

function byKey(rows: readonly ArkTable[]): ReadonlyMap<string, ArkRecord> {
  return new Map(rows.map((row) => [row.ark, toArk(row)]));
}

// Columns by name here and everywhere: a later version may add some while this one runs, and a statement PostgreSQL has
// planned must not change its result.
const NAMES = COLUMNS.map(({ name }) => `"${name}"`).join(", ");
const reading = (among: (words: Words) => string) => ({
  select: statement((words) => `select ${NAMES} from ark where ark ${among(words)}`),
  lock: statement((words) => `select ${NAMES} from ark where ark ${among(words)} order by ark ${words.forUpdate}`),
});
const FEW = reading(({ inList }) => inList("$1"));
/**
 * Many names as a table: PostgreSQL compares every row of a table it takes for small with every name of a list, which a
 * bulk call to a new database waited for by the minute.
 */
const MANY = reading(({ listTable }) => `in (select value from ${listTable("$1")})`);
const FEW_MOST = 100;
const readingOf = (keys: readonly string[]) => (keys.length > FEW_MOST ? MANY : FEW);

export async function readArks(session: Session, keys: readonly string[]): Promise<ReadonlyMap<string, ArkRecord>> {
  if (keys.length === 0) return new Map();
  return byKey(await rowsOf<ArkTable>(session, readingOf(keys).select, [textList(session, keys)]));
}

/** In key order, so that two bulk calls never wait for each other in a circle. */
export async function lockArks(session: Session, keys: readonly string[]): Promise<ReadonlyMap<string, ArkRecord>> {
  if (keys.length === 0) return new Map();
  return byKey(await rowsOf<ArkTable>(session, readingOf(keys).lock, [textList(session, keys)]));
}

/**
 * On SQLite nothing comes back, which would cost a seventh of the whole: the row numbers tell the keys where some are
 * missing.
 */
const INSERT = bulkStatement(COLUMNS, ({ names, from, dialect }) => {
  const insert = `insert into ark (${names}) select ${names} from ${from} where true on conflict do nothing`;
  return dialect === "sqlite" ? insert : returningOneList(insert, "ark");
});
const LAST_INSERTED = statement(() => "select ark from ark where rowid > $1");

const ASSIGNMENTS = COLUMNS.filter(({ name }) => name !== "ark")
  .map(({ name }) => `"${name}" = t."${name}"`)
  .join(", ");
const UPDATE = bulkStatement(COLUMNS, ({ from }) => `update ark set ${ASSIGNMENTS} from ${from} where ark.ark = t.ark`);

function sorted(arks: readonly ArkRecord[]): readonly ArkRecord[] {
  return arks.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** Returns the keys that were inserted; a key that was ever assigned stays as it is. */
export async function insertArks(session: Session, arks: readonly ArkRecord[]): Promise<ReadonlySet<string>> {
  const { rows, lastId, count } = await INSERT<{ list: readonly string[] | null }>(session, sorted(arks).map(toRow));
  if (session.dialect === "postgres") return new Set(rows.flatMap(({ list }) => list ?? []));
  if (count === arks.length) return new Set(arks.map(({ key }) => key));
  // The writer is alone, so the rows just written are the last ones.
  const last = count === 0 ? [] : await rowsOf<{ ark: string }>(session, LAST_INSERTED, [lastId - count]);
  return new Set(last.map(({ ark }) => ark));
}

export async function updateArks(session: Session, arks: readonly ArkRecord[]): Promise<void> {
  const { count } = await UPDATE(session, sorted(arks).map(toRow));
  if (count !== arks.length) throw new RangeError(`Cannot write ${arks.length} ARKs: ${count} rows are there`);
}

// Between "." and "0" lie exactly "." and "/": one range of the index holds all parts of a name.
const BELOW =
  "ark.ark >= listed.value || '.' and ark.ark < listed.value || '0' and ark.state not in ('deleted', 'purged')";
const PARTS = statement(({ dialect }) =>
  dialect === "sqlite"
    ? `select distinct ark.ark from json_each($1) as listed cross join ark on ${BELOW}
        where ark.ark not in (select value from json_each($1)) order by 1 limit $2`
    : `with listed as materialized (select value collate "C" as value from unnest($1::text[]) as given(value))
        select distinct below.ark from listed cross join lateral (
          select ark.ark from ark where ${BELOW}
          and not exists (select 1 from listed as own where own.value = ark.ark) order by ark.ark limit $2) as below
        order by 1 limit $2`,
);

export async function partsBelow(session: Session, keys: readonly string[], limit: number): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const rows = await rowsOf<{ ark: string }>(session, PARTS, [textList(session, keys), limit]);
  return rows.map(({ ark }) => ark);
}

const COUNT_PARTS = statement(({ dialect }) =>
  dialect === "sqlite"
    ? `select count(distinct ark.ark) as parts from json_each($1) as listed cross join ark on ${BELOW}
        where ark.ark not in (select value from json_each($1))`
    : `with listed as materialized (select value collate "C" as value from unnest($1::text[]) as given(value))
        select count(distinct ark.ark) as parts from listed join ark on ${BELOW}
        where not exists (select 1 from listed as own where own.value = ark.ark)`,
);

export async function countPartsBelow(session: Session, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const [row] = await rowsOf<{ parts: number }>(session, COUNT_PARTS, [textList(session, keys)]);
  return Number(row?.parts ?? 0);
}

const MADE_SINCE = statement(
  () => `select count(*) as made from ark
    where organisation_id = $1 and created_at >= $2 and origin <> 'imported'`,
);

export async function madeSince(session: Session, organisationId: number, since: string): Promise<number> {
  const [row] = await rowsOf<{ made: number }>(session, MADE_SINCE, [organisationId, since]);
  return Number(row?.made ?? 0);
}

function likePattern(wanted: string): string {
  return `%${wanted.replace(/[\\%_]/g, "\\$&")}%`;
}

/**
 * Both databases fold the case of ASCII letters only: SQLite's LIKE does so by itself, PostgreSQL's lower() under
 * collation "C".
 */
function containsText(dialect: Dialect, pattern: string) {
  if (dialect === "sqlite") {
    return sql<boolean>`(title like ${pattern} escape '\\' or url like ${pattern} escape '\\')`;
  }
  return sql<boolean>`(lower(title collate "C") like lower(${pattern}::text collate "C")
    or lower(url collate "C") like lower(${pattern}::text collate "C"))`;
}

/** Names of a range behind `after`, up to and with `last` where that is not null. */
type Stretch = { readonly range: KeyRange; readonly after: string; readonly last: string | null };

function listStretch(session: Session, filter: ArkFilter, { range, after, last }: Stretch, limit: number) {
  let query = session.db.selectFrom("ark").selectAll().where("ark", "<", range.end).orderBy("ark").limit(limit);
  query = after < range.start ? query.where("ark", ">=", range.start) : query.where("ark", ">", after);
  if (last !== null) query = query.where("ark", "<=", last);
  if (range.shoulders !== null) {
    // Not the names of a longer shoulder that begins with the same letters.
    query = query.where("shoulder", "in", range.shoulders);
  }
  if (filter.state === undefined) query = query.where("state", "not in", ["deleted", "purged"]);
  else if (filter.state !== "any") query = query.where("state", "=", filter.state);
  if (filter.updatedSince !== undefined) query = query.where("updated_at", ">=", filter.updatedSince);
  if (filter.text !== undefined && filter.text !== "") {
    query = query.where(containsText(session.dialect, likePattern(filter.text)));
  }
  return query.execute();
}

/**
 * Pages by key. Each shoulder is one range of the primary key, so a small collection is found without reading a large
 * one.
 */
export async function listArks(
  session: Session,
  filter: ArkFilter,
  after: string,
  limit: number,
): Promise<readonly ArkRecord[]> {
  if (filter.text?.includes("\0")) return [];
  const found: ArkRecord[] = [];
  for (const range of await keyRangesOf(session, filter)) {
    let from = after;
    while (from < range.end && found.length < limit) {
      const last = await endOfStretch(session, range, from);
      const rows = await listStretch(session, filter, { range, after: from, last }, limit - found.length);
      for (const row of rows) found.push(toArk(row));
      if (last === null) break;
      from = last;
      if (found.length < limit) await yieldToEventLoop();
    }
  }
  return found;
}

/**
 * Names that one statement goes through on SQLite, whose drivers do not yield: a filter may fit none of millions (R9b).
 */
const STRETCH = 5_000;
const KEY_AHEAD = statement(() => "select ark from ark where ark >= $1 and ark < $2 order by ark limit 1 offset $3");

/** The last name of the next stretch; null where the range ends before, and on PostgreSQL. */
async function endOfStretch(session: Session, range: KeyRange, after: string): Promise<string | null> {
  if (session.dialect === "postgres") return null;
  const from = after < range.start ? range.start : after;
  const [row] = await rowsOf<{ ark: string }>(session, KEY_AHEAD, [from, range.end, STRETCH]);
  return row?.ark ?? null;
}

// What a caller reaches, as ranges of the primary key (A17, A21): a shoulder's names lie side by side.

/** Keys from `start` to before `end`, compared byte by byte; `shoulders` null: all of them in that range. */
type KeyRange = { readonly start: string; readonly end: string; readonly shoulders: readonly string[] | null };

type ReachQuery = { readonly reach: Reach; readonly naan?: string; readonly shoulder?: string };
type ShoulderKey = { readonly naan: string; readonly shoulder: string };

/** Covers every key: NAANs consist of digits and lower-case letters. */
const ALL: KeyRange = { start: "", end: "~", shoulders: null };

function startingWith(prefix: string, shoulders: readonly string[] | null): KeyRange {
  const last = prefix.charCodeAt(prefix.length - 1);
  return { start: prefix, end: prefix.slice(0, -1) + String.fromCharCode(last + 1), shoulders };
}

/** One range for each shoulder; one that begins with another's letters lies within that one's range and joins it. */
function rangesOfShoulders(keys: readonly ShoulderKey[]): readonly KeyRange[] {
  const ranges = keys
    .map(({ naan, shoulder }) => startingWith(`${naan}/${shoulder}`, [shoulder]))
    .sort((a, b) => (a.start < b.start ? -1 : 1));
  const merged: KeyRange[] = [];
  for (const range of ranges) {
    const previous = merged.at(-1);
    if (previous === undefined || range.start >= previous.end) merged.push(range);
    else {
      const shoulders = [...(previous.shoulders ?? []), ...(range.shoulders ?? [])];
      merged[merged.length - 1] = { ...previous, shoulders: [...new Set(shoulders)] };
    }
  }
  return merged;
}

/** The registered shoulders within reach. */
function shouldersInReach(session: Session, { reach, ...wanted }: ReachQuery): Promise<readonly ShoulderKey[]> {
  const naan = reach.kind === "system" ? wanted.naan : reach.naan;
  let query = session.db.selectFrom("shoulder").select(["naan", "shoulder"]);
  if (naan !== undefined) query = query.where("naan", "=", naan);
  if (wanted.shoulder !== undefined) query = query.where("shoulder", "=", wanted.shoulder);
  if (reach.kind === "organisation") {
    query = query.where("organisation_id", "=", reach.organisationId);
    if (reach.shoulder !== null) query = query.where("shoulder", "=", reach.shoulder);
  }
  return query.execute();
}

/** The ranges to look through, in key order and apart from each other. */
async function keyRangesOf(session: Session, wanted: ReachQuery): Promise<readonly KeyRange[]> {
  const { reach, shoulder } = wanted;
  if (reach.kind !== "system" && wanted.naan !== undefined && wanted.naan !== reach.naan) return [];
  const naan = reach.kind === "system" ? wanted.naan : reach.naan;
  if (reach.kind === "organisation") return rangesOfShoulders(await shouldersInReach(session, wanted));
  if (shoulder === undefined) return [naan === undefined ? ALL : startingWith(`${naan}/`, null)];
  if (naan !== undefined) return rangesOfShoulders([{ naan, shoulder }]);
  return rangesOfShoulders(await shouldersInReach(session, wanted));
}

// Counts by shoulder (A17): names by state, names made since some moments, holds. Read from indexes alone.

// `$1` is a NAAN or null for all of them: an organisation's other shoulders are left out afterwards.
const STATES = statement(
  () => `select naan, shoulder, state, count(*) as names from ark
    where $1 = '' or naan = $1 group by naan, shoulder, state`,
);
const MADE = statement(
  () => `select naan, shoulder, count(*) as names from ark
    where ($1 = '' or naan = $1) and created_at >= $2 and origin <> 'imported' group by naan, shoulder`,
);
const HELD = statement(
  () => `select naan, shoulder, count(*) as names from ark
    where ($1 = '' or naan = $1) and hold_until > $2 group by naan, shoulder`,
);

type ShoulderCount = ShoulderKey & { readonly names: number };
type Counts = { states: Record<ArkState, number>; madeSince: number[]; holds: number };

const idOf = ({ naan, shoulder }: ShoulderKey) => `${naan}/${shoulder}`;

/** Every registered shoulder within reach, also one without names, and every shoulder that still has names. */
export async function readCounts(
  session: Session,
  reach: Reach,
  now: Instant,
  since: readonly Instant[],
): Promise<readonly ShoulderCounts[]> {
  const naan = reach.kind === "system" ? "" : reach.naan;
  const registered = await shouldersInReach(session, { reach });
  const found = new Map<string, ShoulderKey & Counts>();
  const countsOf = ({ naan, shoulder }: ShoulderKey) => {
    const id = idOf({ naan, shoulder });
    const known = found.get(id);
    if (known !== undefined) return known;
    const states = Object.fromEntries(ARK_STATES.map((state) => [state, 0])) as Record<ArkState, number>;
    const made = { naan, shoulder, states, madeSince: since.map(() => 0), holds: 0 };
    found.set(id, made);
    return made;
  };
  for (const shoulder of registered) countsOf(shoulder);
  const within = reach.kind === "organisation" ? new Set(found.keys()) : null;
  const inReach = (row: ShoulderKey) => within === null || within.has(idOf(row));

  const states = await rowsOf<ShoulderCount & { state: ArkState }>(session, STATES, [naan]);
  for (const row of states.filter(inReach)) countsOf(row).states[row.state] = Number(row.names);
  for (const [index, instant] of since.entries()) {
    const made = await rowsOf<ShoulderCount>(session, MADE, [naan, instant]);
    for (const row of made.filter(inReach)) countsOf(row).madeSince[index] = Number(row.names);
  }
  const held = await rowsOf<ShoulderCount>(session, HELD, [naan, now]);
  for (const row of held.filter(inReach)) countsOf(row).holds = Number(row.names);
  return [...found.values()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}
