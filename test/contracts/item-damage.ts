// What `arkstone verify` finds in items and authors that were damaged by hand, one kind of damage each (R2a, R2b, R2c,
// R5, R20), and that it finds nothing in what the core of items has written. One suite for SQLite and PostgreSQL.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { withInspection } from "../../db/operating/verify.ts";
import { verify } from "../../src/operating/verify-data.ts";
import { findingsIn } from "../support/backups.ts";
import { aContent, aFile, itemsWorld } from "../support/world/items.ts";
import { type DamageBench, filled, rowsOf } from "./damage.ts";

type Ids = {
  readonly author: number;
  readonly parent: number;
  readonly one: number;
  readonly two: number;
  readonly deleted: number;
  readonly ark: string;
};
type Damage = readonly [what: string, key: (ids: Ids) => string, words: string, sql: (ids: Ids) => readonly string[]];

const TABLE = `
R2a a latest version that is not the latest | parent:{parent} | its latest version is item
  update item_parent set latest_item_id = {one} where id = {parent}
R2a a parent without its latest version | parent:{parent} | its latest version is none
  update item_parent set latest_item_id = null where id = {parent}
R2b a revision that is missing | item:{one} | it is at revision 2, and 1 revisions are there
  delete from item_revision where item_id = {one} and revision = 1
R2b files that are not those of the current revision | item:{one} | its files are not those of its current revision
  update item set file_set_id = (select file_set_id from item where id = {two}) where id = {one}
R2b a published item without a set of files | item:{one} | names no set of files
  update item set file_set_id = null where id = {one}
R5 an item whose ARK is not there | item:{one} | its ARK 99999/b1nowhere is not there
  update item set ark = '99999/b1nowhere' where id = {one}
R5 an ARK that leads elsewhere | item:{two} | leads to "https://elsewhere.example/"
  update ark set url = 'https://elsewhere.example/' where ark = '{ark}'
R5 a deleted item whose ARK is not tombstoned | item:{deleted} | is not tombstoned
  update ark set state = 'published', tombstoned_at = null where ark = (select ark from item where id = {deleted})
R2c a deleted item without a tombstone | item:{deleted} | has no tombstone
  delete from tombstone where item_id = {deleted}
R25 an item in an index that was deleted | item:{one} | it is in index 2, which does not exist
  update index_node set deleted_at = 'now' where id = 2
R24 an item in an index that never was | item:{one} | it is in index 777, which does not exist
  insert into item_place (index_id, item_id, position) values (777, {one}, 9)
R20 an author who is not found by their name | author:{author} | it is not found by 2 of its names and identifiers
  delete from author_key where author_id = {author} and kind in ('family', 'full')
R20 a key that finds an author who does not have it | author_key | 1 keys find authors who do not have them, or are gone
  insert into author_key (kind, key, author_id) values ('family', 'stranger', {author})
R21 an author whose LOCAL number is nobody's | author:{author} | its LOCAL number 1 was not given to it
  insert into author_number (number, author_id) values (2, {author})
  delete from author_number where number = 1
R2a a number that was assigned to something else | item:{one} | its number was assigned to a parent
  update resource set kind = 'parent' where id = {one}`;
const DAMAGES: readonly Damage[] = rowsOf(TABLE).map(({ cells: [what = "", key = "", words = ""], statements }) => [
  what,
  (ids) => filled(key, ids),
  words,
  (ids) => statements.map((each) => filled(each, ids)),
]);

export function describeItemDamage(title: string, open: () => Promise<DamageBench>): void {
  describe(`verify of items ${title}`, () => {
    let bench: DamageBench;
    let healthy: string;
    let ids: Ids;
    beforeAll(async () => {
      bench = await open();
      healthy = await bench.open();
      const world = await itemsWorld({ url: healthy });
      const who = await world.person([3]);
      const files = [aFile("a.txt")];
      const one = (await world.items.createAndPublish(who, { content: aContent({ files, indexes: [2] }) })).item;
      await world.items.setPublic(who, one.id, false);
      const two = (await world.items.newVersion(who, one.id, { content: aContent({ files, indexes: [11] }) })).item;
      const { item: deleted } = await world.items.createAndPublish(who, { content: aContent({ files }) });
      await world.items.remove(who, deleted.id);
      await world.items.createDraft(who, { content: aContent() });
      const author = await world.store.transact(async (tx) => {
        const authorIdInfo = [{ idType: "LOCAL", authorId: "1", authorIdShowFlg: true }];
        const authorNameInfo = [{ language: "en", familyName: "Whole", nameShowFlg: true }];
        const content = { emailInfo: [], authorIdInfo, authorNameInfo, affiliationInfo: [] };
        const id = await tx.authors.insertAuthor("00000000-0000-4000-8000-0000000000a1", {
          content,
          communities: [],
          at: world.time.now,
        });
        await tx.authors.claimAuthorNumbers(id, [1]);
        return id;
      });
      ids = { author, parent: one.parentId, one: one.id, two: two.id, deleted: deleted.id, ark: two.ark ?? "" };
      await world.close();
    });
    afterAll(() => bench.drop());

    test("what the core has written holds together", async () => {
      expect(await findingsIn(healthy)).toEqual([]);
    });

    test("R5 items without an ARK are counted in a note: minting may be switched off", async () => {
      const copy = await bench.copy(healthy);
      await bench.damage(copy, [`update item set ark = null where id = ${ids.one}`]);
      expect(await findingsIn(copy)).toEqual([]);
      const notes: string[] = [];
      const watch = { onFinding: () => {}, onNote: (note: string) => void notes.push(note), onProgress: () => {} };
      await withInspection(copy, (inspection) => verify(inspection, watch));
      expect(notes).toContain('1 published items have no ARK: "arkstone item mint-arks" mints them');
    });

    test.each(DAMAGES.map((damage) => [damage[0], damage] as const))("%s is found", async (_, [, key, words, sql]) => {
      const copy = await bench.copy(healthy);
      await bench.damage(copy, sql(ids));
      const found = (await findingsIn(copy)).filter(({ kind }) => kind === "item" || kind === "author");
      expect(found.map((each) => each.key)).toEqual([key(ids)]);
      expect(found[0]?.problem).toContain(words);
    });
  });
}
