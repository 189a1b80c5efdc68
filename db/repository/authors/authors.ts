// The queries of the author database (R20 to R23). Every search is a look into an index, however many authors there are.
import {
  type Author,
  type AuthorContent,
  type AuthorKey,
  authorKeys,
  identifierKey,
} from "../../../src/repository/model/author.ts";
import type {
  AuthorChoice,
  AuthorIn,
  AuthorQuery,
  AuthorReader,
  AuthorWriter,
  NameSought,
} from "../../../src/repository/store/authors.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { rowsOf, run, type Session, type Statement, statement, textList, type Words } from "../../engine/dialect.ts";
import { allRows, json, oneRow, rowsAs, rowsIn } from "../../engine/record.ts";
import type { AuthorChoiceTable, AuthorTable } from "../../engine/repository-schema.ts";
import { findLinks } from "./links.ts";
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

/** An author's row with the slugs of his communities as one text. */
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

/** `$1` and `$2` are the window, what is asked follows. */
function searchStatement(query: AuthorQuery): Statement {
  const { names, identifier, number: own, community } = query;
  const parts = names.map(({ kinds, isPrefix }) => `${kinds.join()}${isPrefix ? "*" : ""}`);
  const shape = [...parts, identifier !== null, own !== null, community !== null].join(" ");
  const known = searches.get(shape);
  if (known !== undefined) return known;
  let at = 2;
  const next = (): string => {
    at += 1;
    return `$${at}`;
  };
  const conditions = names.map(({ kinds, isPrefix }) =>
    keyed(kinds, isPrefix ? `key >= ${next()} and key < ${next()}` : `key = ${next()}`),
  );
  if (identifier !== null) conditions.push(keyed(["identifier"], `key = ${next()}`));
  if (own !== null) {
    conditions.push(
      `a.id in (select coalesce(o.merged_into, o.id) from author_number n join author o on o.id = n.author_id where n.number = ${next()})`,
    );
  }
  // Asked for alone, a community's own list is read in its order; else the few that are found otherwise are held against it.
  const isAlone = conditions.length === 0 && community !== null;
  const from = isAlone ? "author_community d join author a on a.id = d.author_id" : "author a";
  if (isAlone) conditions.push(`d.community_id = ${next()}`);
  else if (community !== null) {
    conditions.push(
      `exists (select 1 from author_community d where d.community_id = ${next()} and d.author_id = a.id)`,
    );
  }
  const order = isAlone ? "d.author_id" : "a.id";
  const made = statement(
    (words) =>
      `select ${columns(words)} from ${from} where ${[ALIVE, ...conditions].join(" and ")} order by ${order} limit $1 offset $2`,
  );
  searches.set(shape, made);
  return made;
}

const keyed = (kinds: readonly string[], condition: string): string =>
  `a.id in (select author_id from author_key where kind in (${kinds.map((kind) => `'${kind}'`).join(", ")}) and ${condition})`;

/** Behind every text that begins so. Keys hold no such character. */
const behind = (key: string): string => `${key}\u{10ffff}`;

function searchCells({ names, identifier, number: own, community }: AuthorQuery): readonly unknown[] {
  const sought = names.flatMap(({ key, isPrefix }: NameSought) => (isPrefix ? [key, behind(key)] : [key]));
  return [...sought, ...[identifier, own, community].filter((each) => each !== null)];
}

async function readAuthor(session: Session, idOrUuid: number | string): Promise<Author | null> {
  const question = typeof idOrUuid === "number" ? BY_ID : BY_UUID;
  return await oneRow<AuthorRow, Author>(session, question, [idOrUuid], toAuthor);
}

export function authorReader(session: Session): AuthorReader {
  return {
    author: (idOrUuid) => readAuthor(session, idOrUuid),
    authors: (ids) =>
      ids.length === 0 ? Promise.resolve([]) : allRows(session, AMONG, [textList(session, ids.map(String))], toAuthor),
    findAuthors: (query, limit, offset) =>
      allRows(session, searchStatement(query), [limit, offset, ...searchCells(query)], toAuthor),
    authorChoices: () =>
      allRows(session, CHOICES, [], (row: AuthorChoiceTable) => ({
        ...CHOICE.read(row),
        // The table's check allows no other values.
        kind: row.kind as AuthorChoice["kind"],
      })),
    itemsOfAuthor: async (authorId, after, limit) =>
      (await rowsOf<{ item_id: number }>(session, ITEMS, [authorId, after, limit])).map((row) => row.item_id),
    ...propagationReader(session),
  };
}

/** Held by whoever gives out the next number. */
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
const UPDATE = statement(() => "update author set content = $2, updated_at = $3 where id = $1");
const DELETE = statement(() => "update author set deleted_at = $2, updated_at = $2 where id = $1");
const SAVE_CHOICE = statement(
  () => `insert into author_choice (kind, id, url, form, position)
    select $1, $2, $3, $4, coalesce(max(position) + 1, 0) from author_choice where kind = $1
    on conflict (kind, id) do update set url = excluded.url, form = excluded.form`,
);
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
const KEYS = bulkStatement(
  [text("kind"), text("key"), number("author_id")],
  ({ names, from }) =>
    `insert into author_key (${names}) select ${names} from ${from} where true on conflict do nothing`,
);
const NO_KEYS = bulkStatement(
  [text("kind"), text("key"), number("author_id")],
  ({ names, from }) => `delete from author_key where (kind, key, author_id) in (select ${names} from ${from})`,
);

const keyRows = (authorId: number, keys: readonly AuthorKey[]) => keys.map(({ kind, key }) => [kind, key, authorId]);

/** Only what differs is written. */
async function changeKeys(
  session: Session,
  authorId: number,
  before: AuthorContent | null,
  after: AuthorContent | null,
): Promise<void> {
  const [had, has] = [before, after].map(
    (content) =>
      new Map((content === null ? [] : authorKeys(content)).map((each) => [`${each.kind} ${each.key}`, each])),
  ) as [Map<string, AuthorKey>, Map<string, AuthorKey>]; // of two come two
  const gone = [...had].filter(([name]) => !has.has(name)).map(([, each]) => each);
  const come = [...has].filter(([name]) => !had.has(name)).map(([, each]) => each);
  await NO_KEYS(session, keyRows(authorId, gone));
  await KEYS(session, keyRows(authorId, come));
}

async function setCommunities(session: Session, authorId: number, { communities }: AuthorIn): Promise<void> {
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
      const [made] = await rowsOf<{ id: number }>(session, INSERT, [uuid, JSON.stringify(author.content), author.at]);
      if (made === undefined) throw new RangeError("The sequence gave no number");
      await changeKeys(session, made.id, null, author.content);
      await setCommunities(session, made.id, author);
      return made.id;
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
    async deleteAuthor({ id, content }, at) {
      await run(session, DELETE, [id, at]);
      await changeKeys(session, id, content, null);
    },
  };
}
