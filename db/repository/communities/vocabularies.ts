// Vocabularies (R6a, R37): entries, and the tokens by which they are found, alike on both databases.

import { vocabularyKeys } from "../../../src/repository/search/document/vocabulary-keys.ts";
import type {
  StoredVocabularyEntry,
  TokenQuery,
  VocabularyEntry,
  VocabularyOrder,
  VocabularyQuery,
  VocabularyReader,
  VocabularyWriter,
} from "../../../src/repository/store/vocabularies.ts";
import { withoutEnd } from "../../../src/shared/text/text.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { rowsOf, type Session, type Statement, statement, textList, type Words } from "../../engine/dialect.ts";
import { oneRow } from "../../engine/record.ts";
import type { VocabularyTable } from "../../engine/repository-schema.ts";

const ENTRY = "type, id, title_en, title_ja, props";
const STORED = `${ENTRY}, revision, created_at, updated_at`;
type EntryRow = Pick<VocabularyTable, "type" | "id" | "title_en" | "title_ja" | "props">;
type StoredRow = EntryRow & Pick<VocabularyTable, "revision" | "created_at" | "updated_at">;

/** From one type to the next, however many entries each has. */
const TYPES = statement(
  () => `with recursive next(type) as (
      select min(type) from vocabulary
      union all select (select min(v.type) from vocabulary v where v.type > next.type) from next where next.type is not null
    ) select type from next where type is not null order by type`,
);
const COUNTS = statement(() => "select type, count(*) as count from vocabulary group by type order by type");
const ENTRIES = statement(() => `select ${ENTRY} from vocabulary where type = $1 order by position, id limit $2`);
const ONE = statement(() => `select ${STORED} from vocabulary where type = $1 and id = $2`);
/** `$1`: pairs of type and id as JSON. The pairs drive the join, however many entries there are (R9b). */
const NAMED = statement(({ dialect }) =>
  dialect === "sqlite"
    ? `select ${ENTRY.replaceAll(/\w+/g, "v.$&")} from json_each($1) as n
        cross join vocabulary v on v.type = json_extract(n.value, '$[0]') and v.id = json_extract(n.value, '$[1]')`
    : `select v.* from json_array_elements($1::json) as n(value) cross join lateral (
        select ${ENTRY} from vocabulary where type = n.value ->> 0 and id = n.value ->> 1 limit 1) as v`,
);
/** What of an address the index of licences holds. */
const ADDRESS_CHARACTERS = 500;
/** `$1` the beginnings of addresses, in the words of `vocabulary_license_address`. */
const LICENSES_AT = statement(
  ({
    dialect,
    inList,
  }) => `select ${ENTRY} from vocabulary ${dialect === "sqlite" ? "indexed by vocabulary_license_address" : ""}
    where type = 'licenses' and substr(lower(rtrim(
    ${dialect === "sqlite" ? "json_extract(props, '$.url')" : "props::json ->> 'url'"}, '/')), 1, ${ADDRESS_CHARACTERS}) ${inList("$1")}`,
);
const SOME = statement(() => "select 1 as one from vocabulary where type = $1 limit 1");
const COUNT = statement(() => "select count(*) as count from vocabulary where type = $1");
/** Behind every limit a list has. */
const ALL_OF_THEM = 1_000_000_000;
const LAST = statement(() => "select coalesce(max(position), -1) as position from vocabulary where type = $1");
const EDITION = statement(() => "select value from repository_state where key = 'vocabularies'");
const SET_EDITION = statement(
  () => `insert into repository_state (key, value) values ('vocabularies', $1)
    on conflict (key) do update set value = excluded.value`,
);
const AMONG = statement(
  ({ inList }) => `select ${STORED}, position, title_key from vocabulary where type = $1 and id ${inList("$2")}`,
);
const WITHOUT_KEYS = statement(
  () => `select ${STORED}, position, title_key from vocabulary where title_key is null limit $1`,
);
const DROP_WORDS = statement(
  ({ inList }) => `delete from vocabulary_word where type = $1 and word ${inList("$2")} and id = $3`,
);
const FORGET_KEYS = statement(
  ({ dialect }) =>
    `update vocabulary set title_key = null where search_text ${dialect === "sqlite" ? "glob '*[^ -~]*'" : "~ '[^ -~]'"}`,
);
const REMOVE = statement(() => "delete from vocabulary where type = $1 and id = $2");

const CELLS = [
  ...[text("type"), text("id"), text("title_en"), text("title_ja"), text("props"), number("position")],
  ...[text("title_key"), text("search_text"), number("revision"), text("created_at"), text("updated_at")],
];
const WRITE = bulkStatement(
  CELLS,
  ({ names, from }) => `insert into vocabulary (${names}) select ${names} from ${from} where true
    on conflict (type, id) do update set ${CELLS.slice(2)
      .map(({ name }) => `${name} = excluded.${name}`)
      .join(", ")}`,
);
const WRITE_WORDS = bulkStatement(
  [text("type"), text("word"), text("id")],
  ({ names, from }) => `insert into vocabulary_word (${names}) select ${names} from ${from} where true
    on conflict (type, word, id) do nothing`,
);

/** What both databases take of a text that is looked up: no NUL, no half of a surrogate pair. */
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();

const plainAddress = (address: string): string => storable(withoutEnd(address.trim().toLowerCase(), "/"));

function toEntry({ type, id, title_en: en, title_ja: ja, props }: EntryRow): VocabularyEntry {
  // Written here alone.
  return { type, id, title: { en, ja }, props: JSON.parse(props) as VocabularyEntry["props"] };
}

function toStored(row: StoredRow): StoredVocabularyEntry {
  return {
    ...toEntry(row),
    revision: Number(row.revision),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const ORDERS: Readonly<Record<VocabularyOrder, string>> = {
  bestmatch: "title_key, id",
  title: "title_key, id",
  newest: "created_at desc, id desc",
  oldest: "created_at, id",
};

const each = (write: (order: VocabularyOrder) => Statement): Readonly<Record<VocabularyOrder, Statement>> => ({
  bestmatch: write("bestmatch"),
  title: write("title"),
  newest: write("newest"),
  oldest: write("oldest"),
});

const ALL = each((order) =>
  statement(() => `select ${STORED} from vocabulary where type = $1 order by ${ORDERS[order]} limit $2 offset $3`),
);
/** As many as there are, up to `$4`. */
const HOW_MANY = statement(
  () => `select count(*) as count from (select 1 as one from vocabulary_word
    where type = $1 and word >= $2 and word < $3 limit $4) as counted`,
);

const holds = ({ dialect }: Words, text: string, part: string): string =>
  dialect === "sqlite" ? `instr(${text}, ${part}) > 0` : `strpos(${text}, ${part}) > 0`;

/**
 * `$2` to `$3`: the words of the rarest token, of which `$4` entries are read. `$5` to `$6`: titles that begin with the
 * query; `$5` may be an id. `$7`: what the text of an entry must contain. `$8` and `$9`: the window. Whole rows are
 * read for the window only.
 */
const FOUND = each((order) =>
  statement((words) => {
    const rank = `case when v.id = $5 then 0 when v.title_key = $5 then 1 when v.title_key >= $5 and v.title_key < $6 then 2 else 3 end`;
    const by = ORDERS[order].replaceAll(/\b(title_key|id|created_at)\b/g, "v.$1");
    const ranked = order === "bestmatch" ? `${rank}, ${by}` : by;
    return `with candidate as (
        select id from (select id from vocabulary_word where type = $1 and word >= $2 and word < $3 limit $4) as worded
        union select id from (select id from vocabulary where type = $1 and title_key >= $5 and title_key < $6 and $5 <> ''
          order by title_key, id limit 100) as called
        union select id from vocabulary where type = $1 and id = $5),
      hit as (
        select v.id as hit_id, row_number() over (order by ${ranked}) as place, count(*) over () as total
        from candidate c join vocabulary v on v.type = $1 and v.id = c.id
        where not exists (select 1 from ${words.listTable("$7")} where not (${holds(words, "v.search_text", "value")})))
      select ${STORED}, hit.total from hit join vocabulary on type = $1 and id = hit.hit_id
      where place > $9 and place <= $9 + $8 order by place`;
  }),
);

/** Behind every text that begins so. */
const behind = (key: string): string => `${key}\u{10ffff}`;
const rangeOf = ({ token, isPrefix }: TokenQuery): readonly [string, string] => [
  token,
  // No token has a character that sorts before a blank.
  isPrefix ? behind(token) : `${token} `,
];

async function findVocabulary(session: Session, query: VocabularyQuery) {
  const { type, tokens, beginning, order, candidates, limit, offset } = query;
  const [first] = tokens;
  if (first === undefined) {
    const [entries, total] = await Promise.all([
      rowsOf<StoredRow>(session, ALL[order], [type, limit, offset]),
      countOf(session, type),
    ]);
    return { total, entries: entries.map(toStored) };
  }
  const [from, to] = rangeOf(tokens.length === 1 ? first : await rarest(session, query, first));
  const parts = tokens.map(({ token, isPrefix }) => (isPrefix ? ` ${token}` : ` ${token} `));
  const cells = [type, from, to, candidates, beginning, behind(beginning), textList(session, parts), limit, offset];
  const rows = await rowsOf<StoredRow & { total: number }>(session, FOUND[order], cells);
  return { total: Number(rows[0]?.total ?? 0), entries: rows.map(toStored) };
}

/** The token that the fewest entries have: all others are only compared. */
async function rarest(session: Session, { type, tokens, candidates }: VocabularyQuery, first: TokenQuery) {
  let [found, least] = [first, Number.POSITIVE_INFINITY];
  for (const token of tokens) {
    const [row] = await rowsOf<{ count: number }>(session, HOW_MANY, [type, ...rangeOf(token), candidates]);
    const count = Number(row?.count ?? 0);
    if (count < least) [found, least] = [token, count];
  }
  return found;
}

const countOf = async (session: Session, type: string): Promise<number> =>
  Number((await rowsOf<{ count: number }>(session, COUNT, [type]))[0]?.count ?? 0);

export function vocabularyReader(session: Session): VocabularyReader {
  const stored = (type: string, id: string): Promise<StoredVocabularyEntry | null> =>
    oneRow(session, ONE, [type, id], toStored);
  return {
    vocabularyTypes: async () => (await rowsOf<{ type: string }>(session, TYPES)).map(({ type }) => type),
    vocabularyCounts: async () =>
      (await rowsOf<{ type: string; count: number }>(session, COUNTS)).map(({ type, count }) => ({
        type,
        count: Number(count),
      })),
    vocabulary: async (type, limit = ALL_OF_THEM) =>
      (await rowsOf<EntryRow>(session, ENTRIES, [type, limit])).map(toEntry),
    vocabularyEntry: (type, id) => oneRow(session, ONE, [type, id], toEntry),
    async vocabularyEntries(named) {
      if (named.length === 0) return [];
      const pairs = JSON.stringify(named.map(({ type, id }) => [type, storable(id)]));
      return (await rowsOf<EntryRow>(session, NAMED, [pairs])).map(toEntry);
    },
    storedVocabularyEntry: stored,
    async licensesAt(addresses) {
      if (addresses.length === 0) return [];
      const plain = new Set(addresses.map(plainAddress));
      const beginnings = [...new Set([...plain].map((address) => address.slice(0, ADDRESS_CHARACTERS)))];
      const rows = await rowsOf<EntryRow>(session, LICENSES_AT, [textList(session, beginnings)]);
      return rows.map(toEntry).filter(({ props }) => props.url !== undefined && plain.has(plainAddress(props.url)));
    },
    findVocabulary: (query) => findVocabulary(session, query),
    countVocabulary: (type) => countOf(session, type),
    hasVocabulary: async (type) => (await rowsOf(session, SOME, [type])).length > 0,
    async vocabularyEdition() {
      const [row] = await rowsOf<{ value: number }>(session, EDITION);
      return Number(row?.value ?? 0);
    },
  };
}

/** Entries of a vocabulary that memory holds with all they are found by. */
const WRITTEN_AT_ONCE = 500;

type KnownRow = StoredRow & Pick<VocabularyTable, "position" | "title_key">;
/** An entry and its position in its type; null: its present position, or the last one for a new entry. */
type PlacedEntry = { readonly entry: VocabularyEntry; readonly position: number | null };

async function write(session: Session, type: string, placed: readonly PlacedEntry[], at: Instant): Promise<void> {
  const ids = placed.map(({ entry }) => entry.id);
  const rows = await rowsOf<KnownRow>(session, AMONG, [type, textList(session, ids)]);
  const known = new Map(rows.map((row) => [row.id, row]));
  const [last] = placed.some(({ position }) => position === null)
    ? await rowsOf<{ position: number }>(session, LAST, [type])
    : [];
  const behindOthers = Number(last?.position ?? -1) + 1;
  const cells: (string | number)[][] = [];
  const words: string[][] = [];
  for (const { entry, position } of placed) {
    const before = known.get(entry.id);
    const place = position ?? (before === undefined ? behindOthers : Number(before.position));
    const isSame = before !== undefined && sameContent(toEntry(before), entry);
    if (isSame && Number(before.position) === place && before.title_key !== null) continue;
    const keys = vocabularyKeys(entry);
    const tokens = new Set(keys.tokens);
    if (before !== undefined && !isSame) {
      const gone = vocabularyKeys(toEntry(before)).tokens.filter((token) => !tokens.has(token));
      if (gone.length > 0) await rowsOf(session, DROP_WORDS, [type, textList(session, gone), entry.id]);
    }
    const revision = before === undefined ? 1 : Number(before.revision) + (isSame ? 0 : 1);
    const created = before === undefined || before.created_at === "" ? at : before.created_at;
    const updated = isSame && before.updated_at !== "" ? before.updated_at : at;
    const { title, props } = entry;
    const content = [type, entry.id, title.en, title.ja, JSON.stringify(props), place];
    cells.push([...content, keys.titleKey, keys.searchText, revision, created, updated]);
    for (const token of tokens) words.push([type, token, entry.id]);
  }
  if (cells.length === 0) return;
  await WRITE(session, cells);
  if (words.length > 0) await WRITE_WORDS(session, words);
}

function sameContent(one: VocabularyEntry, other: VocabularyEntry): boolean {
  return (
    one.title.en === other.title.en &&
    one.title.ja === other.title.ja &&
    JSON.stringify(one.props) === JSON.stringify(other.props)
  );
}

export function vocabularyWriter(session: Session): VocabularyWriter {
  const writeEach = async (placed: readonly PlacedEntry[], at: Instant): Promise<void> => {
    for (const [type, entries] of Map.groupBy(placed, ({ entry }) => entry.type)) {
      for (let from = 0; from < entries.length; from += WRITTEN_AT_ONCE) {
        await write(session, type, entries.slice(from, from + WRITTEN_AT_ONCE), at);
      }
    }
  };
  return {
    ...vocabularyReader(session),
    saveVocabulary: async (entries, at) => {
      for (const own of Map.groupBy(entries, ({ type }) => type).values()) {
        await writeEach(
          own.map((entry, position) => ({ entry, position })),
          at,
        );
      }
    },
    putVocabulary: (entries, at) =>
      writeEach(
        entries.map((entry) => ({ entry, position: null })),
        at,
      ),
    async setVocabularyEdition(edition) {
      await rowsOf(session, SET_EDITION, [edition]);
    },
    async removeVocabularyEntry(type, id) {
      const [row] = await rowsOf<EntryRow>(session, ONE, [type, id]);
      if (row === undefined) return false;
      await rowsOf(session, DROP_WORDS, [type, textList(session, vocabularyKeys(toEntry(row)).tokens), id]);
      await rowsOf(session, REMOVE, [type, id]);
      return true;
    },
    async forgetVocabularyKeys() {
      await rowsOf(session, FORGET_KEYS, []);
    },
    async indexVocabulary(limit, at) {
      const rows = await rowsOf<KnownRow>(session, WITHOUT_KEYS, [limit]);
      await writeEach(
        rows.map((row) => ({ entry: toEntry(row), position: null })),
        at,
      );
      return rows.length;
    },
  };
}
