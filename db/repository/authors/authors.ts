// The queries of the author database (R20 to R23). Every search is a look into an index, however many authors there
// are.
import {
  type Author,
  type AuthorContent,
  authorKeys,
  identifierKey,
  isAlive,
} from "../../../src/model/agents/author.ts";
import type {
  AuthorChoice,
  AuthorIn,
  AuthorQuery,
  AuthorReader,
  AuthorWriter,
  NameQuery,
} from "../../../src/repository/store/authors.ts";
import type { AuthorId } from "../../../src/shared/ids.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import {
  type Dialect,
  rowsOf,
  run,
  type Session,
  type Statement,
  statement,
  textList,
  type Words,
} from "../../engine/dialect.ts";
import { allRows, json, oneRow, rowsAs, rowsIn } from "../../engine/record.ts";
import type { AuthorChoiceTable, AuthorTable } from "../../engine/repository-schema.ts";
import { likenessReader } from "./likeness.ts";
import { findLinks } from "./links.ts";
import { countAuthors, idsBeginning, inOrder } from "./names.ts";
import { propagationReader, propagationWriter } from "./propagation.ts";

const AUTHOR = rowsAs<AuthorTable, Omit<Author, "communities">>({
  id: "id",
  uuid: "uuid",
  content: json("content"),
  mergedInto: "merged_into",
  createdAt: "created_at",
  updatedAt: "updated_at",
  deletedAt: "deleted_at",
});
const CHOICE = rowsAs<AuthorChoiceTable, Omit<AuthorChoice, "kind">>({ id: "id", url: "url", form: "form" });

/** An author's row with the slugs of their communities as one text. */
const columns = (words: Words): string =>
  `${AUTHOR.list.replace(/\w+/g, (name) => `a.${name}`)}, ${words.jsonRows(
    ["slug"],
    `select c.slug from author_community l join community c on c.id = l.community_id
      where l.author_id = a.id and c.deleted_at is null order by c.slug`,
  )} as slugs`;
type AuthorRow = AuthorTable & { readonly slugs: string };

const toAuthor = (row: AuthorRow): Author => ({
  ...AUTHOR.read(row),
  communities: rowsIn<{ slug: string }>(["slug"], row.slugs).map(({ slug }) => slug),
});

const BY_ID = statement((words) => `select ${columns(words)} from author a where a.id = $1`);
const BY_UUID = statement((words) => `select ${columns(words)} from author a where a.uuid = $1`);
const AMONG = statement(
  (words) => `select ${columns(words)} from author a
    where a.id in (select cast(value as ${words.dialect === "sqlite" ? "integer" : "bigint"}) from ${words.listTable("$1")})
    order by a.id`,
);
const LOCK_ID = statement((words) => `select id from author where id = $1 ${words.forUpdate}`);
const LOCK_UUID = statement((words) => `select id from author where uuid = $1 ${words.forUpdate}`);
const CHOICES = statement(() => `select kind, ${CHOICE.list} from author_choice order by kind, position, id`);
const ITEMS = statement(
  () => `select l.item_id from item_author l join item i on i.id = l.item_id
    where l.author_id = $1 and l.item_id > $2 and i.state = 'published' order by l.item_id limit $3`,
);

const ALIVE = "a.deleted_at is null and a.merged_into is null";

/** The texts of searches, by what is asked: there are few kinds of questions. */
const searches = new Map<string, Statement>();

/**
 * The numbers of who is found, in their order; `$1` and `$2` are the window. The first thing that is asked is looked
 * up, the few that are found so are held against the others. Keys and communities are those of authors that are neither
 * deleted nor merged.
 */
function searchStatement({ names, identifier, number: own, community }: AuthorQuery): Statement {
  const parts = names.map(({ kinds, isPrefix }) => `${kinds.join()}${isPrefix ? "*" : ""}`);
  const shape = [identifier !== null, own !== null, ...parts, community !== null].join(" ");
  const known = searches.get(shape);
  if (known !== undefined) return known;
  let at = 2;
  const next = (): string => {
    at += 1;
    return `$${at}`;
  };
  const asked: readonly Look[] = [
    ...(identifier === null ? [] : [{ table: "author_key", where: `kind = 'identifier' and key = ${next()}` }]),
    ...(own === null ? [] : [{ table: NUMBERED, where: `number = ${next()}` }]),
    ...names.map(({ kinds, isPrefix }) => {
      const where = isPrefix ? `key >= ${next()} and key < ${next()}` : `key = ${next()}`;
      const among = `kind in (${kinds.map((kind) => `'${kind}'`).join(", ")})`;
      return { table: "author_key", where: `${among} and ${where}`, isRange: isPrefix };
    }),
    ...(community === null ? [] : [{ table: "author_community", where: `community_id = ${next()}` }]),
  ];
  const made = statement(() => `select ${searchText(asked)} limit $1 offset $2`);
  searches.set(shape, made);
  return made;
}

/** `isRange`: an index finds all of it at once, and not whether one author is among it. */
type Look = { readonly table: string; readonly where: string; readonly isRange?: boolean };

/** A number of a merged author is that of the author it was merged into. */
const NUMBERED = `(select n.number, a.id as author_id from author_number n join author o on o.id = n.author_id
  join author a on a.id = coalesce(o.merged_into, o.id) and ${ALIVE})`;

function searchText([first, ...others]: readonly Look[]): string {
  if (first === undefined) return `a.id from author a where ${ALIVE} order by a.id`;
  // An author has several names, of which more than one may be meant.
  const distinct = first.table === "author_key" ? "distinct" : "";
  const held = others.map(({ table, where, isRange }) =>
    isRange === true
      ? ` and b.author_id in (select author_id from ${table} where ${where})`
      : ` and exists (select 1 from ${table} where ${where} and author_id = b.author_id)`,
  );
  return `${distinct} b.author_id as id from ${first.table} b where ${first.where}${held.join("")} order by b.author_id`;
}

/** Behind every text that begins so. Keys hold no such character. */
const behind = (key: string): string => `${key}\u{10ffff}`;

function searchCells({ names, identifier, number: own, community }: AuthorQuery): readonly unknown[] {
  const sought = names.flatMap(({ key, isPrefix }: NameQuery) => (isPrefix ? [key, behind(key)] : [key]));
  return [...[identifier, own].filter((each) => each !== null), ...sought, ...(community === null ? [] : [community])];
}

async function readAuthor(session: Session, idOrUuid: number | string): Promise<Author | null> {
  const question = typeof idOrUuid === "number" ? BY_ID : BY_UUID;
  return await oneRow<AuthorRow, Author>(session, question, [idOrUuid], toAuthor);
}

async function readAuthors(session: Session, ids: readonly AuthorId[]): Promise<readonly Author[]> {
  if (ids.length === 0) return [];
  return await allRows(session, AMONG, [textList(session, ids.map(String))], toAuthor);
}

export function authorReader(session: Session): AuthorReader {
  return {
    author: (idOrUuid) => readAuthor(session, idOrUuid),
    authors: (ids) => readAuthors(session, ids),
    async findAuthors(query, limit, offset) {
      const cells = [limit, offset, ...searchCells(query)];
      const found = await rowsOf<{ id: AuthorId }>(session, searchStatement(query), cells);
      const read = await readAuthors(
        session,
        found.map(({ id }) => id),
      );
      // Between the two questions one may have gone.
      return read.filter(isAlive);
    },
    async namesBeginning(key, limit) {
      const ids = await idsBeginning(session, key, limit);
      return inOrder(await readAuthors(session, ids), ids).filter(isAlive);
    },
    countAuthors: () => countAuthors(session),
    authorChoices: () =>
      allRows(session, CHOICES, [], (row: AuthorChoiceTable) => ({
        ...CHOICE.read(row),
        // The table's check allows no other values.
        kind: row.kind as AuthorChoice["kind"],
      })),
    itemsOfAuthor: async (authorId, after, limit) =>
      (await rowsOf<{ item_id: number }>(session, ITEMS, [authorId, after, limit])).map((row) => row.item_id),
    async authorsAfter(after, limit) {
      const found = await rowsOf<{ id: AuthorId }>(session, BEHIND, [after, limit]);
      const read = await readAuthors(
        session,
        found.map(({ id }) => id),
      );
      return read.filter(isAlive);
    },
    async importedLines(file) {
      return (await rowsOf<{ value: number }>(session, IMPORTED, [importKey(file)]))[0]?.value ?? 0;
    },
    ...likenessReader(session),
    ...propagationReader(session),
  };
}

const BEHIND = statement(() => `select a.id from author a where a.id > $1 and ${ALIVE} order by a.id limit $2`);
const importKey = (file: string): string => `author-import:${file}`;
const IMPORTED = statement(() => "select value from repository_state where key = $1");
const KEEP_IMPORTED = statement(
  () =>
    `insert into repository_state (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value`,
);

/** Locked while the next number is assigned. */
const HOLD_NUMBERS = statement(
  () => `insert into repository_state (key, value) values ('authors', 1)
    on conflict (key) do update set value = repository_state.value`,
);
const LAST_NUMBER = statement(() => "select number from author_number order by number desc limit 1");
const CLAIM = bulkStatement(
  [number("number"), number("author_id")],
  ({ names, from }) =>
    `insert into author_number (${names}) select ${names} from ${from} where true on conflict do nothing`,
);
const ANOTHERS = statement(
  (words) => `select number from author_number
    where number in (select cast(value as ${words.dialect === "sqlite" ? "integer" : "bigint"}) from ${words.listTable("$1")})
    and author_id <> $2 order by number limit 1`,
);
const INSERT = statement(
  () => "insert into author (uuid, content, created_at, updated_at) values ($1, $2, $3, $3) returning id",
);
const INSERT_MANY = bulkStatement(
  [text("uuid"), text("content"), text("created_at")],
  ({ from }) => `insert into author (uuid, content, created_at, updated_at)
    select uuid, content, created_at, created_at from ${from} where true returning id, uuid`,
);
const CLAIM_MANY = bulkStatement(
  [number("number"), number("author_id")],
  ({ names, from }) =>
    `insert into author_number (${names}) select ${names} from ${from} where true on conflict do nothing returning number`,
);
const KEYS_OF_MANY = bulkStatement(
  [text("kind"), text("key"), number("author_id")],
  ({ names, from }) =>
    `insert into author_key (${names}) select ${names} from ${from} where true on conflict do nothing`,
);
const UPDATE = statement(() => "update author set content = $2, updated_at = $3 where id = $1");
const DELETE = statement(() => "update author set deleted_at = $2, updated_at = $2 where id = $1");
const SAVE_CHOICE = statement(
  () => `insert into author_choice (kind, id, url, form, position)
    select $1, $2, $3, $4, coalesce(max(position) + 1, 0) from author_choice where kind = $1
    on conflict (kind, id) do update set url = excluded.url, form = excluded.form`,
);
const MERGE = statement(() => "update author set merged_into = $2, updated_at = $3 where id = $1 or merged_into = $1");
const REMOVE_CHOICE = statement(() => "delete from author_choice where kind = $1 and id = $2");
const WITH_SCHEME = statement(
  () => "select author_id from author_key where kind = $1 and key >= $2 and key < $3 limit 1",
);
const NO_COMMUNITIES = statement(() => "delete from author_community where author_id = $1");
const COMMUNITIES = bulkStatement(
  [text("community_id"), number("author_id")],
  ({ names, from }) =>
    `insert into author_community (${names}) select ${names} from ${from} where true on conflict do nothing`,
);
/** Kind and key of each row of a JSON text, in one statement however many there are. */
const KEYS_SENT: Readonly<Record<Dialect, string>> = {
  sqlite:
    "select json_extract(value, '$[0]') as kind, json_extract(value, '$[1]') as key, $2 as author_id from json_each($1)",
  postgres:
    "select value ->> 0 as kind, value ->> 1 as key, $2::bigint as author_id from json_array_elements($1::json)",
};
const ADD_KEYS = statement(
  ({
    dialect,
  }) => `insert into author_key (kind, key, author_id) select kind, key, author_id from (${KEYS_SENT[dialect]}) as sent
    where true on conflict do nothing`,
);
const DROP_KEYS = statement(
  ({ dialect }) => `delete from author_key where (kind, key, author_id) in (${KEYS_SENT[dialect]})`,
);

/** Only what differs is written. */
async function changeKeys(
  session: Session,
  authorId: AuthorId,
  before: AuthorContent | null,
  after: AuthorContent | null,
): Promise<void> {
  const keysOf = (content: AuthorContent | null) =>
    new Map((content === null ? [] : authorKeys(content)).map(({ kind, key }) => [`${kind} ${key}`, [kind, key]]));
  const [had, has] = [keysOf(before), keysOf(after)];
  const gone = [...had].filter(([name]) => !has.has(name)).map(([, each]) => each);
  const come = [...has].filter(([name]) => !had.has(name)).map(([, each]) => each);
  if (gone.length > 0) await run(session, DROP_KEYS, [JSON.stringify(gone), authorId]);
  if (come.length > 0) await run(session, ADD_KEYS, [JSON.stringify(come), authorId]);
}

async function setCommunities(session: Session, authorId: AuthorId, { communities }: AuthorIn): Promise<void> {
  await COMMUNITIES(
    session,
    communities.map((community) => [community, authorId]),
  );
}

export function authorWriter(session: Session): AuthorWriter {
  return {
    ...authorReader(session),
    // Locked first and read behind that. On SQLite the transaction itself is the lock.
    async lockAuthor(idOrUuid) {
      const question = typeof idOrUuid === "number" ? LOCK_ID : LOCK_UUID;
      if (session.dialect === "postgres") await run(session, question, [idOrUuid]);
      return await readAuthor(session, idOrUuid);
    },
    async nextAuthorNumber() {
      if (session.dialect === "postgres") await run(session, HOLD_NUMBERS);
      const [last] = await rowsOf<{ number: number }>(session, LAST_NUMBER);
      return (last?.number ?? 0) + 1;
    },
    async insertAuthor(uuid, author) {
      const [made] = await rowsOf<{ id: AuthorId }>(session, INSERT, [uuid, JSON.stringify(author.content), author.at]);
      if (made === undefined) throw new RangeError("The sequence gave no number");
      await changeKeys(session, made.id, null, author.content);
      await setCommunities(session, made.id, author);
      return made.id;
    },
    async insertAuthors(authors) {
      const cells = authors.map(({ uuid, content, at }) => [uuid, JSON.stringify(content), at]);
      const made = await INSERT_MANY<{ id: AuthorId; uuid: string }>(session, cells);
      const ids = new Map(made.rows.map(({ id, uuid }) => [uuid, Number(id)]));
      const idOf = (uuid: string): number => ids.get(uuid) ?? 0;
      const claimed = await CLAIM_MANY<{ number: number }>(
        session,
        authors.map((each) => [each.number, idOf(each.uuid)]),
      );
      const got = new Map<number, number>();
      for (const row of claimed.rows) got.set(Number(row.number), (got.get(Number(row.number)) ?? 0) + 1);
      const taken = authors.flatMap((each) => {
        const left = got.get(each.number) ?? 0;
        got.set(each.number, left - 1);
        return left > 0 ? [] : [each.number];
      });
      if (taken.length > 0) return taken;
      await KEYS_OF_MANY(
        session,
        authors.flatMap(({ uuid, content }) => authorKeys(content).map(({ kind, key }) => [kind, key, idOf(uuid)])),
      );
      await COMMUNITIES(
        session,
        authors.flatMap(({ uuid, communities }) => communities.map((community) => [community, idOf(uuid)])),
      );
      return [];
    },
    async saveAuthor({ id, content }, author) {
      await run(session, UPDATE, [id, JSON.stringify(author.content), author.at]);
      await changeKeys(session, id, content, author.content);
      await run(session, NO_COMMUNITIES, [id]);
      await setCommunities(session, id, author);
    },
    async claimAuthorNumbers(authorId, numbers) {
      await CLAIM(
        session,
        numbers.map((each) => [each, authorId]),
      );
      const asked = [textList(session, numbers.map(String)), authorId];
      const [another] = await rowsOf<{ number: number }>(session, ANOTHERS, asked);
      return another?.number ?? null;
    },
    async keepImportedLines(file, line) {
      await run(session, KEEP_IMPORTED, [importKey(file), line]);
    },
    async saveAuthorChoice(choice) {
      await run(session, SAVE_CHOICE, [choice.kind, choice.id, choice.url, choice.form]);
    },
    async removeAuthorChoice(kind, id) {
      await run(session, REMOVE_CHOICE, [kind, id]);
    },
    async authorWithScheme(kind, scheme) {
      const beginning = identifierKey(scheme, "");
      const asked = [kind === "author" ? "identifier" : "affiliation", beginning, behind(beginning)];
      return (await rowsOf<{ author_id: number }>(session, WITH_SCHEME, asked))[0]?.author_id ?? null;
    },
    findLinks: (sought) => findLinks(session, sought),
    ...propagationWriter(session),
    async mergeAuthor({ id, content }, survivor, at) {
      await run(session, MERGE, [id, survivor, at]);
      await run(session, NO_COMMUNITIES, [id]);
      await changeKeys(session, id, content, null);
    },
    async deleteAuthor({ id, content }, at) {
      await run(session, DELETE, [id, at]);
      await run(session, NO_COMMUNITIES, [id]);
      await changeKeys(session, id, content, null);
    },
  };
}
