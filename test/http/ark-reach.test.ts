// Who reaches what: organisations inside their shoulders, a NAAN's administrator inside the NAAN; reads are cut to it
// as writes are (specification 1, "What the service does" 4 and 11; "Authentication" 5 to 7; "Management endpoints").
import { beforeAll, describe, expect, test } from "bun:test";
import { aNaan, anOrganisation, aShoulder } from "../support/seed.ts";
import { type Json, solemnly } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const FAR = "88887/b1far";

/** One public name of each organisation, and one under another NAAN. */
let ours: string;
let theirs: string;
const far = `ark:${FAR}`;

const world = setUpWorld({ names: true });
beforeAll(async () => {
  const { store } = world;
  ours = String((await world.send("org-a", "POST", "mint", { title: "Ours" })).body.ark);
  theirs = String((await world.send("org-b", "POST", "mint", { title: "Theirs" })).body.ark);
  const model = (await store.arks([ours.slice(4)])).get(ours.slice(4));
  if (model === undefined) throw new Error("No name was minted");
  await store.transact(async (tx) => {
    await tx.saveNaan(aNaan({ naan: "88887" }));
    const organisationId = await tx.saveOrganisation(anOrganisation({ naan: "88887", name: "org-far" }));
    await tx.saveShoulder(aShoulder({ naan: "88887", shoulder: "b1", organisationId }));
    await tx.insertArks([{ ...model, key: FAR, naan: "88887", organisationId, title: "Far" }]);
  });
});

/** What each caller reaches of the three names. */
const REACH = [
  ["org-a", () => [ours]],
  ["org-b", () => [theirs]],
  ["pinned", () => []],
  ["naan", () => [ours, theirs]],
  ["foreign", () => []],
  ["system", () => [ours, theirs, far]],
] as const;
const all = () => [ours, theirs, far];
const arksOf = (body: Json): readonly unknown[] =>
  (Array.isArray(body.data) ? body.data : []).map((row: Json) => row.ark).sort();

describe("reach", () => {
  test("L11 L47 L67 every read is cut to it: query, list, export, history, figures", async () => {
    for (const [who, reached] of REACH) {
      const expected = [...reached()].sort();
      expect([who, arksOf((await world.send(who, "POST", "query", { data: all() })).body)]).toEqual([who, expected]);
      expect([who, arksOf((await world.send(who, "GET", "arks")).body)]).toEqual([who, expected]);
      const response = await world.fetch(
        new Request("http://ark.test/api/export", { headers: { authorization: `Bearer ${who}` } }),
      );
      const lines = (await response.text()).split("\n").filter((line) => line !== "");
      expect([who, lines.map((line) => JSON.parse(line).ark).sort()]).toEqual([who, expected]);
      for (const ark of all()) {
        const { status } = await world.send(who, "GET", `history?ark=${encodeURIComponent(ark)}`);
        expect([who, ark, status]).toEqual([who, ark, expected.includes(ark) ? 200 : 404]);
      }
      const { body } = await world.send(who, "GET", "stats");
      expect([who, (body.arks as Json).published]).toEqual([who, expected.length]);
    }
  });

  test("L44 L67 every write is held to it, single, bulk and below a name", async () => {
    for (const [who, reached] of REACH) {
      for (const ark of all()) {
        const reaches = reached().includes(ark);
        const writes = [
          await world.send(who, "PUT", "update", { ark, title: "Written" }),
          await world.send(who, "PUT", "update/bulk", { data: [{ ark, title: "Written" }] }),
          await world.send(who, "POST", "register", { ark, qualifier: `/by-${who}` }),
          await world.send(who, "POST", "publish", { ark }),
        ];
        const done = writes.map(({ status }) => status < 300);
        expect([who, ark, ...done]).toEqual([who, ark, reaches, reaches, reaches, reaches]);
        for (const { status } of reaches ? [] : writes) expect([403, 404]).toContain(status);
      }
    }
  });

  test("L4 L67 a shoulder in a request never widens it, in whatever spelling", async () => {
    for (const [who, shoulder, status] of [
      ["org-a", "b1", 201],
      ["org-a", "/b1", 201],
      ["org-a", "ark:/99999/b1", 201],
      ["org-a", "c2", 403],
      ["org-a", "ark:99999/c2", 403],
      ["org-a", "88887/b1", 403],
      ["org-a", "b1/../c2", 403],
      ["org-a", "c2 ", 403],
      ["pinned", "b1", 403],
      ["naan", "c2", 201],
      ["naan", "88887/b1", 403],
      ["foreign", "b1", 403],
      ["foreign", "99999/b1", 403],
      ["system", "88887/b1", 201],
    ] as const) {
      const answer = await world.send(who, "POST", "mint", { shoulder });
      expect([who, shoulder, answer.status]).toEqual([who, shoulder, status]);
      const bulk = await world.send(who, "POST", "mint/bulk", { data: [{ shoulder }] });
      expect([who, shoulder, bulk.status]).toEqual([who, shoulder, status]);
    }
  });

  test("L44 who manages a name is who manages its shoulder now", async () => {
    const { orgA, orgB } = world.seeded;
    const move = (organisationId: number) =>
      world.store.transact((tx) => tx.saveShoulder(aShoulder({ shoulder: "b1", organisationId })));
    const may = async (who: "org-a" | "org-b") =>
      (await world.send(who, "PATCH", "update", { ark: ours, title: who })).status;
    expect([await may("org-a"), await may("org-b")]).toEqual([200, 404]);
    await move(orgB);
    expect([await may("org-a"), await may("org-b")]).toEqual([404, 200]);
    await move(orgA);
    expect([await may("org-a"), await may("org-b")]).toEqual([200, 404]);
  });

  test("L46 L68 who may update may not tombstone, and the other way round", async () => {
    const ark = await world.make("published");
    expect(
      (await world.send("org-a;ark:update,ark:mint,ark:read,ark:publish", "PUT", "tombstone", { ark })).status,
    ).toBe(403);
    expect((await world.send("org-a;ark:tombstone", "PUT", "update", { ark })).status).toBe(403);
    expect((await world.send("org-a;ark:tombstone", "POST", "purge", solemnly(ark))).status).toBe(403);
    expect((await world.send("org-a;ark:tombstone", "PUT", "tombstone", { ark })).status).toBe(200);
  });
});
