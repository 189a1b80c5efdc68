// Which receipts give an item its name (R5, R5a), on every database: none that a client could have sent, and none that
// leads elsewhere.

import { beforeAll, describe, expect, test } from "bun:test";
import { migrate } from "../../db/engine/migrate.ts";
import { openDatabase } from "../../db/engine/open.ts";
import { printContent } from "../../db/repository/items/item-rows.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { makeNames } from "../../src/ark/assign-names.ts";
import { callerOf } from "../../src/ark/current-caller.ts";
import type { MintIn } from "../../src/ark/inputs.ts";
import { minting, mintRecipeOf } from "../../src/ark/minting.ts";
import type { Viewer } from "../../src/auth/account.ts";
import { jobRunner } from "../../src/jobs/runner.ts";
import { itemJobs } from "../../src/repository/items/jobs.ts";
import { MINT_JOB } from "../../src/repository/items/types.ts";
import type { LogFields } from "../../src/shared/log.ts";
import { onEachDatabase } from "../support/databases.ts";
import { quietLog } from "../support/quiet-log.ts";
import { NOW } from "../support/seed.ts";
import { aContent, itemsOn, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const ATTACKER = "https://attacker.example/";
const page = (id: number): string => `https://repo.example.org/records/${id}`;

describe("receipts of items", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ items: true, database });
    let ada: Viewer;
    const logged: [string, LogFields | undefined][] = [];
    beforeAll(async () => {
      ada = await world.person([3]);
    });

    const clock = { now: () => NOW };
    const log = { ...quietLog, warn: (event: string, fields?: LogFields) => void logged.push([event, fields]) };
    const items = () => itemsOn(world.store, world.time, { log });

    /** POST /api/mint with the very credential that mints for items. */
    async function mintAsClient(input: MintIn) {
      const found = await world.store.arks.credentialByClientId("items");
      if (found === null) throw new Error("There is no credential");
      const call = { caller: callerOf(found, null), address: "192.0.2.66", readOnly: false };
      const service = minting({ store: world.store.arks, clock, random: platformRandom(), limits: { bulkRows: 10 } });
      return (await service.mint(call, input)).record;
    }

    /** A receipt of the item's own kind that leads to `url`: as a damaged or hand-made database may hold one. */
    const plant = (id: number, url: string, reserve = false) =>
      world.store.transact(async (tx) => {
        const found = await tx.arks.credentialByClientId("items");
        if (found === null) throw new Error("There is no credential");
        const call = { caller: callerOf(found, null), address: "", readOnly: false };
        const recipe = { ...mintRecipeOf(platformRandom()), issuer: "(repository)" };
        const mintCall = { call, input: { url, request_id: `item:${id}`, reserve }, row: null };
        const made = await makeNames({ clock, random: platformRandom() }, tx.arks, recipe, [mintCall], true);
        return made.outcomes;
      });

    async function arkOf(id: number) {
      const ark = (await world.store.items.item(id))?.ark ?? null;
      return ark === null ? null : ((await world.store.arks.arks([ark])).get(ark) ?? null);
    }

    test("R5a the next item's request_id, sent by a client with the credential that mints for items, claims nothing", async () => {
      const before = (await items().createAndPublish(ada, { content: aContent() })).item.id;
      const taken = [];
      for (let id = before + 1; id <= before + 4; id += 1) {
        taken.push((await mintAsClient({ url: ATTACKER, request_id: `item:${id}` })).key);
      }
      const { item, arkPending } = await items().createAndPublish(ada, { content: aContent() });
      expect(item.id).toBeLessThanOrEqual(before + 4);
      expect(arkPending).toBe(false);
      expect(taken).not.toContain(item.ark ?? "");
      expect((await arkOf(item.id))?.url).toBe(page(item.id));
    });

    for (const [what, url, reserve] of [
      ["leads elsewhere", ATTACKER, false],
      ["leads to the page of another item", page(1), false],
      ["leads to the right page but is only reserved", null, true],
    ] as const) {
      test(`R5a a replay that ${what} is refused and logged, and the job takes a fresh receipt`, async () => {
        const draft = (await items().createDraft(ada, { content: aContent() })).item.id;
        await plant(draft, url ?? page(draft), reserve);
        logged.length = 0;
        const { item, arkPending } = await items().publishDraft(ada, draft);
        expect([item.ark, arkPending]).toEqual([null, true]);
        expect(logged).toEqual([
          ["item_ark_refused", expect.objectContaining({ item: draft, receipt: `item:${draft}` })],
        ]);
        const queued = await world.store.jobs.listJobs({ kind: MINT_JOB }, null, 1);
        expect(queued[0]?.subject).toBe(String(draft));
        const kinds = itemJobs({ store: world.store, clock, timeZone: "UTC", items: items(), log });
        await jobRunner({ store: world.store, kinds, clock, log: quietLog, owner: "test" }).runDue();
        expect(await arkOf(draft)).toMatchObject({ state: "published", url: page(draft) });
        expect((await world.store.items.item(draft))?.revision).toBe(1);
      });
    }

    test("R5a a receipt whose name was withdrawn does not keep an item without a name for good", async () => {
      const draft = (await items().createDraft(ada, { content: aContent() })).item.id;
      const [planted] = await plant(draft, page(draft));
      if (planted === undefined || !("record" in planted)) throw new Error("Nothing was planted");
      const { record } = planted;
      const withdrawn = { publishedAt: null, url: "", withdrawnAt: NOW, withdrawnReason: "mistake" };
      await world.store.arks.transact((tx) => tx.updateArks([{ ...record, ...withdrawn, state: "deleted" }]));
      expect((await items().publishDraft(ada, draft)).arkPending).toBe(true);
      expect(await items().mintFor(draft)).toBe(true);
      expect(await arkOf(draft)).toMatchObject({ state: "published", url: page(draft) });
    });

    test("R5 R5a a name that the item had under its own receipt is its name again, with the next number unused", async () => {
      const draft = (await items().createDraft(ada, { content: aContent() })).item.id;
      const [planted] = await plant(draft, page(draft));
      const { item } = await items().publishDraft(ada, draft);
      expect(planted).toMatchObject({ record: { key: item.ark } });
    });
  });

  onEachDatabase("the step from the version before", (database) => {
    test("R5a receipts of items that have their name become the items' own, what a client claimed stays the client's", async () => {
      const url = await database.empty();
      // As the version before left them: the receipt under the credential, next to one that a client claimed for a
      // later item.
      const raw = await openDatabase({ url });
      await migrate(raw, { upTo: 3 });
      const ark = "99999/b1one";
      const row = (request_id: string) => ({ client_id: "items", request_id, kind: "mint", ark, created_at: NOW });
      const { writer } = raw;
      const times = { created_at: NOW, updated_at: NOW };
      await writer
        .insertInto("account")
        .values({ id: 1, mail: "a@example.org", name: "", roles: "[]", active: 1, ...times })
        .execute();
      const parentAndItem = [
        { id: 4, kind: "parent" },
        { id: 5, kind: "item" },
      ];
      await writer.insertInto("resource").values(parentAndItem).execute();
      await writer.insertInto("item_parent").values({ id: 4, owner_account_id: 1, created_at: NOW }).execute();
      const blank = { revision: 0, title: "", ...times };
      await writer
        .insertInto("item")
        .values({ id: 5, parent_id: 4, version_index: 1, state: "draft", ark, ...blank })
        .execute();
      await writer
        .insertInto("receipt")
        .values([row("item:5"), row("item:7"), row("something else")])
        .execute();
      expect(await migrate(raw)).toContain("rights");
      const rows = await raw.writer
        .selectFrom("receipt")
        .selectAll()
        .orderBy("client_id")
        .orderBy("request_id")
        .execute();
      const keys = rows.map((row) => `${row.client_id} ${row.request_id}`);
      expect(keys).toEqual(["(repository) item:5", "items item:5", "items item:7", "items something else"]);
      await raw.close();
      const store = await openRepositoryStore({ url });
      const kept = await store.arks.transact((tx) => tx.receipts("(repository)", ["item:5"]));
      expect(kept.get("item:5")?.key).toBe(ark);
      await store.close();
    });

    test("R2e R16 drafts of before keep where they are to lie, whatever their texts hold, and nothing that only looks like it", async () => {
      const url = await database.empty();
      const raw = await openDatabase({ url });
      await migrate(raw, { upTo: 6 });
      const { writer } = raw;
      const times = { created_at: NOW, updated_at: NOW };
      const person = { id: 1, mail: "a@example.org", name: "", roles: "[]", active: 1, ...times };
      await writer.insertInto("account").values(person).execute();
      const parentAndItem = [
        { id: 4, kind: "parent" },
        { id: 5, kind: "item" },
      ];
      await writer.insertInto("resource").values(parentAndItem).execute();
      await writer.insertInto("item_parent").values({ id: 4, owner_account_id: 1, created_at: NOW }).execute();
      const item = { id: 5, parent_id: 4, version_index: 1, state: "draft", revision: 0, title: "", ...times };
      await writer.insertInto("item").values(item).execute();
      await writer.insertInto("file_set").values({ id: 1, created_at: NOW }).execute();
      const title = '\u0000 half \ud800 "places":[77] \\"places\\":[78]';
      const content = printContent({ ...aContent({ metadata: titled(title), indexes: [20, 1780000000000] }) });
      const type = await writer
        .insertInto("item_type")
        .values({ name_en: "T", name_ja: "T", version: 1, deleted: 0, ...times })
        .returning("id")
        .executeTakeFirstOrThrow();
      const kind = { item_type_id: Number(type.id), item_type_version: 1 };
      await writer
        .insertInto("item_type_version")
        .values({ item_type_id: Number(type.id), version: 1, definition: "{}", created_at: NOW })
        .execute();
      const saved = { editor_account_id: 1, activity_id: null, saved_at: NOW };
      const draft = { item_id: 5, counter: 1, ...kind, content, file_set_id: 1, ...saved };
      await writer.insertInto("item_draft").values(draft).execute();
      expect(await migrate(raw)).toContain("draft-places");
      const rows = await writer.selectFrom("item_draft_place").selectAll().orderBy("index_id").execute();
      expect(rows.map((row) => [Number(row.item_id), Number(row.index_id)])).toEqual([
        [5, 20],
        [5, 1780000000000],
      ]);
      await raw.close();
    });
  });
});
