// What is hidden is shown by no interface from that moment on, also while the search index has not followed (R34, R2h):
// not by a hit, and not by a total, a facet or a link to another page.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { eventually } from "../support/eventually.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { aContent, titled } from "../support/world/items.ts";
import { INDEXES } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const WHO = REPOSITORY_OPERATOR;
const gate = { isOpen: true };
const world = setUpWorld({
  repository: {
    env: { SVC_SEARCH_WAIT_MS: "50" },
    parts: (parts) => {
      const { items } = parts.store;
      // Documents of the search index are made from these, and nothing else is.
      const itemVersions: typeof items.itemVersions = async (ids) => {
        await eventually("the index may follow", () => gate.isOpen);
        return await items.itemVersions(ids);
      };
      return { ...parts, store: { ...parts.store, items: { ...items, itemVersions } } };
    },
  },
});
beforeAll(async () => {
  await eventually("items are found", async () => (await get("/api/v1/records")).status === 200);
});
afterAll(async () => {
  gate.isOpen = true;
  await world.close();
});

const get = (path: string) => world.ask(null, "GET", path);

const INTERFACES = [
  ...["", "&sort=relevance", "&sort=relevance&size=1", "&size=1"].map((more) => `/api/v1/records?q=WORD${more}`),
  ...["WORD", "WORD&size=1", "WORD&sort=newest&size=1", "/WOR.*/"].map((query) => `/api/records?q=${query}`),
  ...["json&size=1", "atom", "rss"].map((format) => `/api/opensearch/search?q=WORD&format=${format}`),
  ...["/search?q=WORD", "/search?q=WORD&sort=relevance", "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc"],
];

/** What each interface shows to a guest who searches for the word. */
async function answers(word: string): Promise<Readonly<Record<string, string>>> {
  const messages: Record<string, string> = {};
  for (const path of INTERFACES) {
    const { status, text } = await get(path.replace("WORD", word).replace("WOR", word.slice(0, -1)));
    messages[path] = `${status} ${text.replace(/<responseDate>[^<]*/, "")}`;
  }
  const { call } = toolCalls(world);
  for (const query of [word, `/${word.slice(0, -1)}.*/`]) {
    messages[`search_records ${query}`] = JSON.stringify(
      (await call(null, "search_records", { query })).structuredContent,
    );
  }
  return messages;
}

test("R34 R2h an answer while the index has not followed is the answer when it has", async () => {
  const owner = world.people.registered.account.id;
  const publish = async (title: string, language: string, indexes: readonly number[]): Promise<number> => {
    const content = aContent({ metadata: titled(title, { languages: [language] }), indexes });
    return (await world.items.createAndPublish(WHO, { content, owner })).item.id;
  };
  await publish("Hidden quartz", "fra", [INDEXES.below]);
  const both = await publish("Visible quartz", "eng", [INDEXES.below, INDEXES.open]);
  await publish("Open quartz", "jpn", [INDEXES.open]);
  const withdrawn = await publish("Hidden basalt", "deu", [INDEXES.open]);
  await eventually("everything is found", async () =>
    JSON.stringify(await answers("quartz")).includes("Hidden quartz"),
  );
  const before = { quartz: await answers("quartz"), basalt: await answers("basalt") };
  gate.isOpen = false;
  await world.store.transact(async (tx) => {
    const index = await tx.indexes.index(INDEXES.community);
    if (index !== null) await tx.indexes.updateIndex({ ...index, publicState: false });
    await tx.indexes.raiseTreeRevision();
  });
  await world.items.remove(WHO, withdrawn);
  const hidden = { quartz: await answers("quartz"), basalt: await answers("basalt") };
  for (const [path, text] of [...Object.entries(hidden.quartz), ...Object.entries(hidden.basalt)]) {
    expect([path, text.includes("Hidden")]).toEqual([path, false]);
  }
  gate.isOpen = true;
  await eventually("the index has followed", async () => {
    await get("/api/v1/records");
    return (await world.parts.search?.follower.unfollowed())?.kind === "nothing";
  });
  const after = { quartz: await answers("quartz"), basalt: await answers("basalt") };
  for (const path of Object.keys(after.quartz)) {
    expect([path, hidden.quartz[path] === after.quartz[path]]).toEqual([path, true]);
    expect([path, hidden.basalt[path] === after.basalt[path]]).toEqual([path, true]);
  }
  for (const path of INTERFACES.slice(0, 8)) {
    expect([path, before.quartz[path] === after.quartz[path]]).toEqual([path, false]);
    expect([path, before.basalt[path] === after.basalt[path]]).toEqual([path, false]);
  }
  expect(after.quartz["/api/v1/records?q=WORD"]).toContain(`"id":"${both}"`);
  expect(JSON.parse(after.quartz["/api/records?q=WORD"]?.slice(4) ?? "").hits.total).toBe(2);
});
