// Part of the store's contract: pages of names and counts, cut to what a caller reaches.
import { beforeAll, describe, expect, test } from "bun:test";
import type { ArkRecord } from "../../src/ark/record.ts";
import type { ArkFilter, Reach, Store } from "../../src/ark/store.ts";
import { arkRecord, NEVER_PUBLIC } from "../support/memory-replica.ts";
import { aNaan, anOrganisation, aShoulder, NOW } from "../support/seed.ts";
import type { Bench } from "./store-bench.ts";

const NAAN = "b5555";
const EARLY = "2026-01-01T00:00:00.000Z";
const name = (rest: string, shoulder: string, changes: Partial<ArkRecord> = {}) =>
  arkRecord(`${NAAN}/${rest}`, { shoulder, ...changes });

/** In the order of their bytes. */
const NAMES: readonly ArkRecord[] = [
  name("Upper", "", { origin: "imported", updatedAt: NOW }),
  name("k5%2Fx", "k5", { title: "100% Ärger_" }),
  name("k5.v1", "k5", { url: "https://EXAMPLE.org/Path" }),
  name("k5/p", "k5", { ...NEVER_PUBLIC, state: "reserved" }),
  name("k51", "k5", { createdAt: EARLY, holdUntil: "2027-01-01T00:00:00.000Z", holdReason: "Dispute" }),
  name("k5x1", "k5x", { origin: "imported", createdAt: EARLY, holdUntil: EARLY, holdReason: "Over" }),
  name("k5z", "k5", { ...NEVER_PUBLIC, state: "deleted", withdrawnAt: NOW, withdrawnReason: "Mistake" }),
  name("k6", "", { origin: "imported", state: "unpublished", publishedAt: null }),
  name("m71", "m7", { createdAt: NOW }),
];

async function fill(store: Store): Promise<{ readonly library: number; readonly museum: number }> {
  return store.transact(async (tx) => {
    await tx.saveNaan(aNaan({ naan: NAAN }));
    const library = await tx.saveOrganisation(anOrganisation({ naan: NAAN, name: "library", defaultShoulder: "k5" }));
    const museum = await tx.saveOrganisation(anOrganisation({ naan: NAAN, name: "museum", defaultShoulder: "m7" }));
    const of = (shoulder: string, organisationId: number, importOnly = false) =>
      tx.saveShoulder(aShoulder({ naan: NAAN, shoulder, organisationId, importOnly }));
    await of("k5", library);
    await of("k5x", museum, true);
    await of("m7", museum);
    await of("", library, true);
    await tx.insertArks(NAMES.toReversed());
    return { library, museum };
  });
}

export function listContract(bench: () => Bench): void {
  describe("pages and counts", () => {
    let organisations: Awaited<ReturnType<typeof fill>>;
    beforeAll(async () => {
      organisations = await fill(bench().store);
    });
    const wholeNaan: Reach = { kind: "naan", naan: NAAN };
    const organisation = (organisationId: number, shoulder: string | null = null): Reach => ({
      kind: "organisation",
      naan: NAAN,
      organisationId,
      shoulder,
    });
    const list = async (filter: Partial<ArkFilter>, after = "", limit = 100) => {
      const rows = await bench().store.listArks({ reach: wholeNaan, ...filter }, after, limit);
      return rows.map(({ key }) => key.slice(NAAN.length + 1));
    };

    test("R9b a filter that fits few of thousands of names is answered in stretches, between which the event loop turns", async () => {
      const { store } = bench();
      const many = "b5556";
      const rare = new Map([7, 4_999, 5_000, 5_001, 10_002, 10_999].map((at) => [at, `Needle ${at}`]));
      await store.transact(async (tx) => {
        await tx.saveNaan(aNaan({ naan: many }));
        const names = Array.from({ length: 11_000 }, (_, at) => {
          const title = rare.get(at) ?? "Hay";
          return arkRecord(`${many}/${String(at).padStart(5, "0")}`, { shoulder: "", origin: "imported", title });
        });
        await tx.insertArks(names);
      });
      const reach: Reach = { kind: "naan", naan: many };
      const numbers = async (text: string, after: string, limit: number) =>
        (await store.listArks({ reach, text }, after, limit)).map(({ key }) => Number(key.slice(many.length + 1)));
      let turns = 0;
      const turning = setInterval(() => {
        turns += 1;
      });
      expect(await numbers("needle", "", 100)).toEqual([...rare.keys()]);
      clearInterval(turning);
      expect(turns).toBeGreaterThan(0);
      expect(await numbers("needle", `${many}/05000`, 2)).toEqual([5_001, 10_002]);
      expect(await numbers("hay", `${many}/04998`, 3)).toEqual([5_002, 5_003, 5_004]);
      expect(await numbers("nothing", "", 100)).toEqual([]);
    });

    test("A15 names come in the order of their bytes, page after page, without the withdrawn ones", async () => {
      const all = ["Upper", "k5%2Fx", "k5.v1", "k5/p", "k51", "k5x1", "k6", "m71"];
      expect(await list({})).toEqual(all);
      const paged: string[] = [];
      for (let page = await list({}, "", 3); page.length > 0; page = await list({}, `${NAAN}/${paged.at(-1)}`, 3)) {
        paged.push(...page);
      }
      expect(paged).toEqual(all);
    });

    test("A15 filters by shoulder, state, time of the last change", async () => {
      expect(await list({ shoulder: "k5" })).toEqual(["k5%2Fx", "k5.v1", "k5/p", "k51"]);
      expect(await list({ shoulder: "k5" }, `${NAAN}/k5.v1`, 1)).toEqual(["k5/p"]);
      expect(await list({ shoulder: "k5x" })).toEqual(["k5x1"]);
      expect(await list({ shoulder: "" })).toEqual(["Upper", "k6"]);
      expect(await list({ shoulder: "zz9" })).toEqual([]);
      expect(await list({ state: "deleted" })).toEqual(["k5z"]);
      expect(await list({ state: "unpublished", shoulder: "" })).toEqual(["k6"]);
      expect(await list({ updatedSince: NOW })).toEqual(["Upper"]);
    });

    test("A15 finds text in title or url, ignoring the case of ASCII letters alone", async () => {
      expect(await list({ text: "example.ORG/p" })).toEqual(["k5.v1"]);
      expect(await list({ text: "100% ä" })).toEqual([]);
      expect(await list({ text: "100% Ä" })).toEqual(["k5%2Fx"]);
      expect(await list({ text: "0%_" })).toEqual([]);
      expect(await list({ text: "r_" })).toEqual(["k5%2Fx"]);
      expect(await list({ text: "\\" })).toEqual([]);
      expect(await list({ text: "a\0b" })).toEqual([]);
      expect((await list({ text: "" })).length).toBe(8);
    });

    test("L11 A21 a list is cut to the caller's reach", async () => {
      const { library, museum } = organisations;
      const own = ["Upper", "k5%2Fx", "k5.v1", "k5/p", "k51", "k6"];
      expect(await list({ reach: organisation(library) })).toEqual(own);
      expect(await list({ reach: organisation(library) }, `${NAAN}/k5.v1`, 2)).toEqual(["k5/p", "k51"]);
      expect(await list({ reach: organisation(museum) })).toEqual(["k5x1", "m71"]);
      expect(await list({ reach: organisation(museum) }, "", 1)).toEqual(["k5x1"]);
      expect(await list({ reach: organisation(museum, "m7") })).toEqual(["m71"]);
      expect(await list({ reach: organisation(museum, "k5") })).toEqual([]);
      expect(await list({ reach: organisation(museum), shoulder: "k5" })).toEqual([]);
      expect(await list({ reach: organisation(museum), naan: "99999" })).toEqual([]);
      expect(await list({ reach: { kind: "naan", naan: "99999" }, naan: NAAN })).toEqual([]);
      expect(await list({ reach: { kind: "system" }, shoulder: "m7" })).toEqual(["m71"]);
      expect((await list({ reach: { kind: "system" }, naan: NAAN })).length).toBe(8);
      expect((await list({ reach: { kind: "system" } }, `${NAAN}/`, 8)).length).toBe(8);
    });

    test("A17 counts names by state, what was made since, and holds that have not ended", async () => {
      const { library, museum } = organisations;
      const counts = async (reach: Reach) => {
        const rows = await bench().store.counts(reach, NOW, [NOW, EARLY]);
        return rows.map(({ shoulder, states, madeSince, holds }) => {
          const present = Object.entries(states).filter(([, names]) => names > 0);
          return [shoulder, Object.fromEntries(present), madeSince, holds];
        });
      };
      const catchAll = ["", { published: 1, unpublished: 1 }, [0, 0], 0];
      const k5 = ["k5", { reserved: 1, published: 3, deleted: 1 }, [0, 5], 1];
      const k5x = ["k5x", { published: 1 }, [0, 0], 0];
      const m7 = ["m7", { published: 1 }, [1, 1], 0];
      expect(await counts(wholeNaan)).toEqual([catchAll, k5, k5x, m7]);
      expect(await counts(organisation(library))).toEqual([catchAll, k5]);
      expect(await counts(organisation(museum, "m7"))).toEqual([m7]);
      const all = await bench().store.counts({ kind: "system" }, NOW, []);
      expect(new Set(all.map(({ naan }) => naan)).size).toBeGreaterThan(1);
      expect(all.find(({ shoulder }) => shoulder === "r7")?.states.published).toBe(0);
    });
  });
}
