// Part of the store's contract: what the database itself refuses, for every caller (A8, A11), and its migrations.
import { beforeAll, describe, expect, test } from "bun:test";
import { arkRecord, NEVER_PUBLIC } from "../support/memory-replica.ts";
import { NOW, TESTER } from "../support/seed.ts";
import { type Bench, changeOf, receiptOf } from "./store-bench.ts";

export function invariantsContract(bench: () => Bench): void {
  describe("what the database refuses", () => {
    beforeAll(async () => {
      await bench().store.transact(async (tx) => {
        const gone = { state: "deleted", withdrawnAt: NOW, withdrawnReason: "Mistake" } as const;
        await tx.insertArks([arkRecord("99999/b1law"), arkRecord("99999/b1lawgone", { ...NEVER_PUBLIC, ...gone })]);
        await tx.claimReceipts([receiptOf("law", "99999/b1law")]);
        await tx.record(TESTER, NOW, [changeOf("99999/b1law")]);
      });
    });
    const refuse = async (text: string) => {
      await expect(bench().sql(text)).rejects.toThrow();
    };

    test.each([
      "delete from ark where ark = '99999/b1law'",
      "delete from ark where ark = '99999/b1lawgone'",
      "delete from shoulder where shoulder = 'b1'",
      "delete from receipt where request_id = 'law'",
      "delete from ark_change where target = '99999/b1law'",
    ])("L2 A11 rows that hold a name are never removed: %s", refuse);

    test("A11 a row is not replaced by another one either", async () => {
      const columns = "ark, naan, shoulder, origin, organisation_id, state, title";
      await refuse(`insert into ark (${columns}) values ('99999/b1law', '99999', 'b1', 'minted', 1, 'reserved', 'x')`);
      expect((await bench().store.arks(["99999/b1law"])).get("99999/b1law")?.state).toBe("published");
    });

    test.each([
      "update ark set ark = '99999/b1new' where ark = '99999/b1law'",
      "update ark set ark = '99999/b1back' where ark = '99999/b1lawgone'",
      "update shoulder set shoulder = 'b2' where shoulder = 'b1'",
      "update shoulder set naan = '88888' where shoulder = 'b1'",
    ])("A11 a key never changes: %s", refuse);

    test.each([
      "update ark set state = 'reserved' where ark = '99999/b1lawgone'",
      "update ark set state = 'purged' where ark = '99999/b1lawgone'",
      "update ark set first_published_at = null, published_at = null, state = 'reserved' where ark = '99999/b1law'",
      "update ark set first_published_at = '2020-01-01T00:00:00.000Z' where ark = '99999/b1law'",
    ])("A8 A11 withdrawn names stay withdrawn, the first publication is never forgotten: %s", refuse);

    test.each([
      "update ark set published_at = null where ark = '99999/b1law'",
      "update ark set state = 'reserved' where ark = '99999/b1law'",
      "update ark set state = 'lost' where ark = '99999/b1law'",
      "update ark set state = 'tombstoned' where ark = '99999/b1law'",
      "update ark set state = 'deleted', published_at = null, url = '' where ark = '99999/b1law'",
      "update ark set url = 'https://x.example/' where ark = '99999/b1lawgone'",
      "update ark set shoulder = 'c2' where ark = '99999/b1law'",
    ])("A8 a state and its dates agree: %s", refuse);

    test("A8 the columns a service may change can be changed", async () => {
      const { sql, store } = bench();
      await sql("update ark set state = 'unpublished', published_at = null where ark = '99999/b1law'");
      expect((await store.arks(["99999/b1law"])).get("99999/b1law")?.state).toBe("unpublished");
    });

    test("A27 the audit refers to nothing: it can name what does not exist", async () => {
      const { store, sql } = bench();
      await store.transact((tx) => tx.record({ ...TESTER, clientId: "ghost" }, NOW, [changeOf("99999/b1ghost")]));
      expect((await sql("select id from audit_event where client_id = 'ghost'")).length).toBe(1);
    });
  });
}
