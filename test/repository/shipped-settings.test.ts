// What a repository has from its start, and what starting again leaves alone (R4, R6a, R14, R17, R24, R32).
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { CompiledQuery } from "kysely";
import { openDatabase } from "../../db/engine/open.ts";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { SHIPPED_ITEM_TYPES } from "../../src/assets/item-types/index.ts";
import { SHIPPED_MAPPINGS } from "../../src/assets/mappings/index.ts";
import { SHIPPED_EDITION, SHIPPED_TYPES, shippedVocabulary } from "../../src/assets/vocabularies/index.ts";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { compileMapping } from "../../src/formats/mapping/compile.ts";
import { mappingNeedsOf } from "../../src/formats/mapping/item-type.ts";
import { readItemType } from "../../src/model/item-types/read-definition.ts";
import { actionsProblem, takesDeposits } from "../../src/model/rights/workflow-rules.ts";
import { setUpRepository } from "../../src/repository/administration/repository-setup.ts";
import { shippedSettings } from "../../src/repository/administration/shipped-settings.ts";
import { seedTree } from "../../src/repository/index-tree/index-tree.ts";
import { repositoryAuthentication } from "../../src/repository/people/repository-authentication.ts";
import { suggestTokens } from "../../src/repository/search/document/vocabulary-keys.ts";
import type { RepositoryStore, SetupStep } from "../../src/repository/store/store.ts";
import { temporaryFolder } from "../support/processes.ts";
import { NOW } from "../support/seed.ts";

const clock = { now: () => NOW };
const SHIPPED = {
  itemTypes: SHIPPED_ITEM_TYPES,
  vocabularies: { edition: SHIPPED_EDITION, types: SHIPPED_TYPES, entries: shippedVocabulary },
  mappings: SHIPPED_MAPPINGS,
};
const STEPS: readonly SetupStep[] = [seedTree, ...shippedSettings(SHIPPED)];

const start = (store: RepositoryStore, steps = STEPS, administrator = true): Promise<string | null> =>
  setUpRepository({ store, clock, random: platformRandom(), steps, administrator });

async function withStore(work: (store: RepositoryStore) => Promise<void>): Promise<void> {
  const store = await openRepositoryStore({ url: ":memory:" });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function everything(store: RepositoryStore) {
  return {
    itemTypes: await store.settings.itemTypes(),
    mappings: await store.settings.mappings(),
    workflows: await store.settings.workflows(),
    clients: await store.settings.clientSettings(),
    accounts: await store.accounts.listAccounts(0, 10),
    indexes: await store.indexes.indexesAfter(0, 10),
    licenses: await store.communities.vocabulary("licenses"),
  };
}

describe("what a repository has from its start", () => {
  test("item types 1 and 2, vocabularies, both mappings, a workflow, formats and an index (R4, R6a, R14, R17, R24)", () =>
    withStore(async (store) => {
      await start(store);
      const { itemTypes, mappings, workflows, indexes } = await everything(store);
      expect(itemTypes.map(({ id, version }) => [id, version])).toEqual([
        [1, 1],
        [2, 1],
      ]);
      const types = itemTypes.map(({ id, version, definition }) => readItemType(definition, { id, version }));
      expect(mappings.map(({ name, itemType }) => [name, itemType])).toEqual([
        ["ro-crate-default", 1],
        ["sword-default", 1],
      ]);
      const [full] = types;
      if (full === undefined) throw new Error("No full type");
      for (const { definition } of mappings) compileMapping(definition, mappingNeedsOf(full));
      expect(workflows.map(({ name, itemType, index }) => [name.en, itemType, index])).toEqual([
        ["Deposit with approval", 1, 1],
      ]);
      expect(workflows.every(takesDeposits)).toBe(true);
      expect(workflows.map(({ delete: flow }) => actionsProblem(flow?.actions ?? [], "deletion"))).toEqual([null]);
      expect(await store.settings.formatSetting("XML")).toEqual({
        format: "XML",
        active: true,
        registrationType: 2,
        workflow: workflows[0]?.id ?? 0,
        duplicateCheck: false,
      });
      expect((await store.settings.formatSetting("JSON"))?.registrationType).toBe(1);
      expect((await store.settings.formatSetting("TSV/CSV"))?.registrationType).toBe(1);
      expect(indexes.map(({ id }) => id)).toEqual([1]);
      expect((await store.communities.vocabularyTypes()).length).toBe(12);
      expect(await store.communities.vocabulary("licenses")).toEqual(shippedVocabulary("licenses"));
    }));

  test("the first token works and may deposit linked data at once (R17, R32; message 21 without a client record)", () =>
    withStore(async (store) => {
      const token = await start(store);
      const people = repositoryAuthentication({ accounts: store.accounts, clock, signer: null });
      const viewer = await people.authenticate(`Bearer ${token}`, "");
      expect(viewer.roles).toEqual([1]);
      const setting = await store.settings.clientSetting(viewer.clientId);
      const mapping = await store.settings.mapping(setting?.mapping ?? 0);
      expect([setting?.registrationType, setting?.defaultIndex, mapping?.name]).toEqual([1, 1, "ro-crate-default"]);
    }));

  test("starting again changes nothing and makes no second administrator (R32)", () =>
    withStore(async (store) => {
      await start(store);
      const before = await everything(store);
      expect(await start(store)).toBeNull();
      expect(await everything(store)).toEqual(before);
    }));

  test("R16a where the first index was deleted, the workflow and the first token's client record name none", () =>
    withStore(async (store) => {
      await store.transact(async (tx) => {
        await seedTree(tx, NOW);
        await tx.indexes.deleteIndexes([1], NOW);
      });
      expect(await start(store)).not.toBeNull();
      const [workflow] = await store.settings.workflows();
      const [client] = await store.settings.clientSettings();
      expect([workflow?.index, client?.defaultIndex]).toEqual([null, null]);
    }));

  test("two starts at once make one of each (R32)", () =>
    withStore(async (store) => {
      const tokens = await Promise.all([start(store), start(store), start(store)]);
      expect(tokens.filter((token) => token !== null).length).toBe(1);
      const { accounts, workflows, mappings } = await everything(store);
      expect([accounts.length, workflows.length, mappings.length]).toEqual([1, 1, 2]);
    }));

  test("a process that can show nobody a token makes no administrator (R32)", () =>
    withStore(async (store) => {
      expect(await start(store, STEPS, false)).toBeNull();
      expect((await everything(store)).accounts).toEqual([]);
      expect(await start(store)).not.toBeNull();
    }));
});

describe("starting a newer version", () => {
  const { version: shipped } = readItemType(SHIPPED_ITEM_TYPES[0]);
  const newer = SHIPPED_ITEM_TYPES.map((type) => ({ ...Object(type), version: shipped + 1 }));
  const newerSteps = shippedSettings({ ...SHIPPED, itemTypes: newer });

  test("adds a version of an item type (R4)", () =>
    withStore(async (store) => {
      await start(store);
      await start(store, newerSteps);
      expect((await store.settings.itemTypes()).map(({ version }) => version)).toEqual([2, 2]);
      expect((await store.settings.itemType(1, 1))?.version).toBe(1);
      await start(store);
      expect((await store.settings.itemTypes()).map(({ version }) => version)).toEqual([2, 2]);
    }));

  test("leaves an item type alone that an administrator has changed (R4)", () =>
    withStore(async (store) => {
      await start(store);
      const own = { ...Object(SHIPPED_ITEM_TYPES[0]), name: { en: "Ours", ja: "Ours" } };
      const name = { en: "Ours", ja: "Ours" };
      await store.transact((tx) => tx.settings.saveItemType({ id: 1, name, deleted: false, definition: own }, NOW));
      await start(store, newerSteps);
      expect(await store.settings.itemType(1)).toMatchObject({ name, version: 2 });
      expect((await store.settings.itemType(2))?.version).toBe(2);
    }));

  test("adds an entry that is missing at its place and keeps what was changed (R6a)", () =>
    withStore(async (store) => {
      const ours = shippedVocabulary("licenses");
      const before = (type: string) => (type === "licenses" ? ours.slice(1) : []);
      const older = { edition: SHIPPED_EDITION - 1, types: SHIPPED_TYPES, entries: before };
      await start(store, shippedSettings({ ...SHIPPED, vocabularies: older }));
      const changed = {
        ...ours[1],
        type: "licenses",
        id: ours[1]?.id ?? "",
        title: { en: "Ours", ja: "Ours" },
        props: {},
      };
      const extra = { type: "licenses", id: "house", title: { en: "House", ja: "House" }, props: {} };
      const poorer = {
        ...ours[2],
        type: "licenses",
        id: ours[2]?.id ?? "",
        title: ours[2]?.title ?? extra.title,
        props: {},
      };
      await store.transact((tx) => tx.communities.saveVocabulary([changed, poorer, ...ours.slice(3), extra], NOW));
      await start(store);
      const ids = (await store.communities.vocabulary("licenses")).map(({ id }) => id);
      expect(ids).toEqual([...ours.map(({ id }) => id), "house"]);
      expect((await store.communities.vocabulary("licenses"))[1]).toEqual(changed);
      expect((await store.communities.vocabulary("licenses"))[2]).toEqual(ours[2]);
    }));

  test("S3.6.161 entries that a program before wrote are found by their words after the first start of this one", async () => {
    const folder = temporaryFolder("older-vocabulary");
    try {
      const url = `sqlite:${join(folder.path, "older.db")}`;
      const found = async (): Promise<readonly string[]> => {
        const store = await openRepositoryStore({ url });
        const query = { type: "house", tokens: suggestTokens("tid"), beginning: "tid", order: "bestmatch" } as const;
        const { entries } = await store.communities.findVocabulary({ ...query, candidates: 10, limit: 10, offset: 0 });
        await store.close();
        return entries.map(({ id, createdAt }) => `${id} ${createdAt === "" ? "" : "dated"}`);
      };
      const store = await openRepositoryStore({ url });
      await start(store);
      const entry = { type: "house", id: "a", title: { en: "Tides", ja: "" }, props: {} };
      await store.transact((tx) => tx.communities.putVocabulary([entry], NOW));
      await store.close();
      const { writer: db, close } = await openDatabase({ url });
      for (const text of [
        "update vocabulary set title_key = null, search_text = '', created_at = '', updated_at = ''",
        "delete from vocabulary_word",
      ]) {
        await db.executeQuery(CompiledQuery.raw(text));
      }
      await close();
      expect(await found()).toEqual([]);
      const again = await openRepositoryStore({ url });
      await start(again);
      await again.close();
      expect(await found()).toEqual(["a dated"]);
    } finally {
      folder.remove();
    }
  });

  test("R27e entries that were written with variants of characters are found by their standard forms after an update", async () => {
    const folder = temporaryFolder("variant-vocabulary");
    try {
      const url = `sqlite:${join(folder.path, "variants.db")}`;
      const store = await openRepositoryStore({ url });
      await start(store);
      const entry = { type: "house", id: "k", title: { en: "", ja: "國學院" }, props: {} };
      await store.transact((tx) => tx.communities.putVocabulary([entry], NOW));
      await store.close();
      const { writer: db, close } = await openDatabase({ url });
      const run = (text: string) => db.executeQuery(CompiledQuery.raw(text));
      // As the version before wrote it.
      await run("update vocabulary_word set word = replace(replace(word, '国', '國'), '学', '學')");
      await run("update vocabulary set search_text = ' k 國 國學 學 學院 院 ' where id = 'k'");
      await run("update repository_state set value = 20261122 where key = 'vocabularies'");
      await close();
      const again = await openRepositoryStore({ url });
      await start(again);
      const query = { type: "house", tokens: suggestTokens("國學"), beginning: "国学", order: "bestmatch" } as const;
      const { entries } = await again.communities.findVocabulary({ ...query, candidates: 10, limit: 10, offset: 0 });
      expect(entries.map(({ id, title }) => [id, title.ja])).toEqual([["k", "國學院"]]);
      await again.close();
    } finally {
      folder.remove();
    }
  });

  test("S3.6.161 a start with nothing new writes no entry", () =>
    withStore(async (store) => {
      await start(store);
      const saved: string[] = [];
      const watched: SetupStep[] = STEPS.map(
        (step) => (tx, at) =>
          step({ ...tx, communities: { ...tx.communities, saveVocabulary: async () => void saved.push("saved") } }, at),
      );
      await start(store, watched);
      expect(saved).toEqual([]);
    }));

  test("replaces a shipped mapping and leaves one alone that was changed (R14)", () =>
    withStore(async (store) => {
      await start(store);
      const [crate, sword] = await store.settings.mappings();
      if (sword === undefined || crate === undefined) throw new Error("No mapping");
      const own = { rules: [{ "titles[kind=main]": "dc:title[] | text" }] };
      await store.transact((tx) => tx.settings.saveMapping({ ...sword, definition: own }, NOW));
      const definition = { rules: [{ "titles[kind=main]": "name[] | text" }] };
      await start(
        store,
        shippedSettings({ ...SHIPPED, mappings: SHIPPED_MAPPINGS.map((each) => ({ ...each, definition })) }),
      );
      expect((await store.settings.mapping(sword.id))?.definition).toEqual(own);
      expect((await store.settings.mapping(crate.id))?.definition).toMatchObject(definition);
    }));

  test("records in the audit what it wrote (R32)", () =>
    withStore(async (store) => {
      await start(store);
      const [event] = await store.events("item-type:1", 10);
      expect(event).toMatchObject({ action: "item-type-save", detail: { version: 1, shipped } });
      expect(REPOSITORY_OPERATOR.account).toBeNull();
      const [first] = await store.accounts.listAccounts(0, 1);
      const [made] = await store.events(`account:${first?.id}`, 10);
      expect(made).toMatchObject({ action: "account-add", detail: { roles: [1] } });
    }));
});
