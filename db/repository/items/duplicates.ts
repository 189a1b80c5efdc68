// Duplicate keys (R18): digests with an index, so that asking costs the same however many items there are.
import type { DuplicateKey, IdentifiedItem } from "../../../src/repository/store/items.ts";
import type { ItemId, ParentId } from "../../../src/shared/ids.ts";
import { bulkStatement, number, text } from "../../engine/bulk-statements.ts";
import { rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";

const KEYS = statement(() => "select kind, digest from duplicate_key where item_id = $1");
const NO_KEYS = statement(() => "delete from duplicate_key where item_id = $1");
const INSERT = bulkStatement(
  [text("kind"), text("digest"), number("item_id")],
  ({ names, from }) =>
    `insert into duplicate_key (${names}) select ${names} from ${from} where true on conflict do nothing`,
);

function asText({ kind, digest }: DuplicateKey): string {
  return `${kind}:${digest}`;
}

export async function setDuplicateKeys(session: Session, itemId: ItemId, keys: readonly DuplicateKey[]): Promise<void> {
  const before = new Set((await rowsOf<DuplicateKey>(session, KEYS, [itemId])).map(asText));
  const wanted = new Set(keys.map(asText));
  if (before.size === wanted.size && before.isSubsetOf(wanted)) return;
  if (before.size > 0) await run(session, NO_KEYS, [itemId]);
  await insertDuplicateKeys(session, itemId, keys);
}

/** Of an item that has none. */
export async function insertDuplicateKeys(
  session: Session,
  itemId: ItemId,
  keys: readonly DuplicateKey[],
): Promise<void> {
  const wanted = new Map(keys.map((key) => [asText(key), key]));
  await INSERT(
    session,
    [...wanted.values()].map(({ kind, digest }) => [kind, digest, itemId]),
  );
}

// Another version of the excluded record is not a duplicate of it.
const DUPLICATES = statement(
  (
    words,
  ) => `select distinct i.id from duplicate_key k join item i on i.id = k.item_id join item_parent p on p.id = i.parent_id
    where k.kind = $1 and k.digest in (select value from ${words.listTable("$2")})
    and (i.state = 'draft' or (i.state = 'published' and p.latest_item_id = i.id))
    and i.parent_id not in (select e.parent_id from item e where e.id = $3)
    order by i.id limit $4`,
);

export async function readDuplicates(
  session: Session,
  keys: readonly DuplicateKey[],
  except: number | null,
  limit: number,
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const kind of ["identifier", "work"] as const) {
    const digests = keys.filter((key) => key.kind === kind).map((key) => key.digest);
    if (digests.length === 0) continue;
    const asked = [kind, textList(session, digests), except ?? 0, limit];
    for (const { id } of await rowsOf<{ id: number }>(session, DUPLICATES, asked)) found.add(id);
  }
  return [...found].sort((a, b) => a - b).slice(0, limit);
}

/** The keys drive the join, not the published items (R9b). */
const IDENTIFIED_ALIKE = statement(
  (words) => `select i.id, k.digest from duplicate_key k cross join item i
    where k.kind = 'identifier' and k.digest in (select value from ${words.listTable("$1")})
    and i.id = k.item_id and i.state = 'published' and i.parent_id <> $2 order by i.id, k.digest limit $3`,
);

export async function readIdentifiedAlike(
  session: Session,
  digests: readonly string[],
  parentId: ParentId,
  limit: number,
): Promise<readonly IdentifiedItem[]> {
  if (digests.length === 0) return [];
  return await rowsOf<IdentifiedItem>(session, IDENTIFIED_ALIKE, [textList(session, digests), parentId, limit]);
}

const LOCK = statement(() => "select pg_advisory_xact_lock(hashtextextended($1, 4812207333))");

/** In one order, so that two who lock several never wait for each other. SQLite has one writer: nothing to do. */
export async function lockDuplicates(session: Session, keys: readonly DuplicateKey[]): Promise<void> {
  if (session.dialect === "sqlite") return;
  for (const key of [...new Set(keys.map(asText))].sort()) await run(session, LOCK, [key]);
}
