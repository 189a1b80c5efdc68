// Random names that were assigned before (A5, A11; specification 1, "What the service does" 2).
import { describe, expect, test } from "bun:test";
import { hasCheckCharacter } from "../../src/ark/syntax.ts";
import { aShoulder } from "../support/seed.ts";
import { become, scripted } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";

describe("collisions", () => {
  test("A5 L2 a generated name that was ever assigned is replaced by another, in the table and within one call", async () => {
    const { store, minting, a } = await openWorld({
      names: {
        random: scripted(["00000001", "00000001", "00000002", "00000002", "00000002", "00000003"]),
      },
    });
    const first = await minting.mint(a, { reserve: true });
    await become(store, first.record, "purged");
    const second = await minting.mint(a, { request_id: "second" });
    expect(second.record.key.slice(8, -1)).toBe("00000002");
    expect(await minting.mint(a, { request_id: "second" })).toEqual({ record: second.record, replayed: true });
    const { records } = await minting.mintBulk(a, [{ request_id: "x" }, { request_id: "y" }]);
    expect(new Set(records.map((record) => record.key)).size).toBe(2);
    expect((await minting.mintBulk(a, [{ request_id: "x" }, { request_id: "y" }])).records).toEqual(records);
    expect(minting.counters()).toMatchObject({ minted: 4, collisions: 3, bladesGrown: 0 });
  });

  test("A5 after ten collisions in a row the blade grows by one character, for good", async () => {
    const { store, minting, a } = await openWorld({
      names: {
        random: scripted(Array.from({ length: 11 }, () => "00000001")),
      },
    });
    await minting.mint(a, {});
    const { record } = await minting.mint(a, {});
    expect(record.key).toHaveLength("99999/b1".length + 9 + 1);
    expect(minting.counters()).toMatchObject({ collisions: 10, bladesGrown: 1 });
    const shoulders = await store.shoulders(["99999"]);
    expect(shoulders.find((each) => each.shoulder === "b1")?.bladeLength).toBe(9);
    expect((await minting.mint(a, {})).record.key).toHaveLength("99999/b1".length + 10);
  });

  test("A5 a shoulder with no room left never fails: 1,000 names where a blade holds 29", async () => {
    const { store, minting, a, orgA } = await openWorld({ names: true });
    await store.transact((tx) => tx.saveShoulder(aShoulder({ shoulder: "t1", organisationId: orgA, bladeLength: 1 })));
    const { records } = await minting.mintBulk(
      a,
      Array.from({ length: 1000 }, () => ({ shoulder: "t1" })),
    );
    expect(new Set(records.map((record) => record.key)).size).toBe(1000);
    expect(records.every((record) => hasCheckCharacter(record.key))).toBe(true);
    const lengths = records.map((record) => record.key.length - "99999/t1".length - 1);
    expect(Math.max(...lengths)).toBeGreaterThan(1);
  });
});
