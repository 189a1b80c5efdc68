// Receipts held against a plain model: whatever is sent in whatever order, a request_id has one ARK for ever (law, "What the service does" 3; A13).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MintIn } from "../../src/domain/ark/inputs.ts";
import type { Call } from "../../src/domain/auth/caller.ts";
import type { Minting } from "../../src/services/minting.ts";
import { aCall } from "../support/callers.ts";
import { mintingHouse, namesOf } from "../support/minting-house.ts";

/** Few keys, so that they meet often; the empty one is none. */
const requestId = fc.constantFrom("", "a", "b", "c", "d", "\u00e9", "A");
const row = fc.record({ request_id: requestId, title: fc.string({ maxLength: 3 }), reserve: fc.boolean() });
/** One call: who sends it, and one row or a batch. */
const step = fc.record({
  client: fc.constantFrom("one", "two"),
  rows: fc.array(row, { maxLength: 6 }),
  bulk: fc.boolean(),
});
type Step = { readonly client: string; readonly rows: readonly MintIn[]; readonly bulk: boolean };

async function send(service: Minting, call: Call, { rows, bulk }: Step): Promise<readonly string[]> {
  if (bulk) {
    const { records, created, replayed } = await service.mintBulk(call, rows);
    expect(created + replayed).toBe(rows.length);
    return records.map(({ key }) => key);
  }
  const made = await Promise.all(rows.map((each) => service.mint(call, each)));
  return made.map(({ record }) => record.key);
}

describe("receipts", () => {
  test("L3 A13 single and bulk mints in any order: each key one ARK, each row without a key its own", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { store, service, orgA } = await mintingHouse();
        const keyOf = new Map<string, string>();
        const all = new Set<string>();
        for (const each of steps) {
          const call = aCall({ clientId: each.client, organisationId: orgA });
          const answers = await send(service, call, each);
          each.rows.forEach(({ request_id: id }, index) => {
            const key = answers[index] ?? "";
            const receipt = `${each.client}/${id}`;
            const known = id === "" ? undefined : keyOf.get(receipt);
            if (known === undefined) expect(all.has(key)).toBe(false);
            else expect(key).toBe(known);
            if (id !== "") keyOf.set(receipt, key);
            all.add(key);
          });
        }
        expect((await namesOf(store)).map((record) => record.key).sort()).toEqual([...all].sort());
        const { minted, replayed } = service.counters();
        expect([minted, minted + replayed]).toEqual([all.size, steps.reduce((sum, each) => sum + each.rows.length, 0)]);
        await store.close();
      }),
      { numRuns: 40 },
    );
  });

  test("L3 A13 a batch cut off anywhere and sent again unchanged makes every row once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 30 }), async (cut, size) => {
        const { store, service, a } = await mintingHouse();
        const rows = Array.from({ length: 30 }, (_, index) => ({ request_id: `row ${index}` }));
        for (let from = 0; from < cut; from += size)
          await service.mintBulk(a, rows.slice(from, Math.min(from + size, cut)));
        const { records, created, replayed } = await service.mintBulk(a, rows);
        expect([created, replayed]).toEqual([30 - cut, cut]);
        expect(new Set(records.map((record) => record.key)).size).toBe(30);
        expect(await namesOf(store)).toHaveLength(30);
        await store.close();
      }),
      { numRuns: 20 },
    );
  });
});
