// How open items are, counted on the day of the question (R48): facets say what hits say, whenever documents were made.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { ACCESS_STATUSES, accessStatus } from "../../../src/model/access/openness.ts";
import type { ItemFile } from "../../../src/model/items/item.ts";
import { RECORD_FACETS } from "../../../src/repository/search/detail/record-schema.ts";
import { accessCounts, accessKey, withAccessOn } from "../../../src/repository/search/document/access-keys.ts";
import { facetKey } from "../../../src/repository/search/document/keys.ts";
import { aContent, aFile } from "../../support/world/items.ts";

const DAYS = ["2026-01-01", "2026-06-30", "2027-01-01", "2030-12-31"] as const;
const day = fc.constantFrom(...DAYS);
const file = fc
  .record({ access: fc.constantFrom("open", "date", "login", "closed"), accessDate: fc.option(day) })
  .map((facts) => ({ ...aFile("a.pdf"), ...facts }) as ItemFile);
const access = fc.record({
  record: fc.constantFrom("public", "restricted"),
  files: fc.constantFrom("public", "restricted"),
  openDate: day,
  embargoUntil: fc.option(day),
  embargoReason: fc.constant(""),
});
const content = fc
  .record({ access, files: fc.array(file, { maxLength: 3 }) })
  .map((facts) => ({ ...aContent(), ...facts }) as ReturnType<typeof aContent>);

test("R48 a document made on one day counts on every later day as the item is open then", () => {
  fc.assert(
    fc.property(content, day, day, (item, one, other) => {
      const [made, asked] = one <= other ? [one, other] : [other, one];
      const key = accessKey(item, made);
      const status = accessStatus(item, asked);
      expect(key).toMatch(/^[a-z0-9]{1,64}$/);
      const counted = accessCounts([{ key, label: "", count: 2 }], asked);
      expect(counted).toEqual([{ key: facetKey(status), label: status, count: 2 }]);
      const chosen = ACCESS_STATUSES.map((each) => {
        const where = { kind: "key", field: RECORD_FACETS.access, anyOf: [facetKey(each)] } as const;
        return withAccessOn({ kind: "not", of: where }, [key], asked);
      });
      expect(chosen).toEqual(
        ACCESS_STATUSES.map((each) => ({
          kind: "not",
          of: { kind: "key", field: RECORD_FACETS.access, anyOf: each === status ? [key] : [] },
        })),
      );
    }),
  );
});

test("R48 the key of an item of very many days stays short", () => {
  const files = Array.from({ length: 5_000 }, (_, at) => ({
    ...aFile(`${at}.pdf`),
    ...{ access: "date" as const, accessDate: `${3000 + at}-01-01` },
  }));
  expect(accessKey({ ...aContent(), files }, "2026-12-01")).toBe("r30000101o");
});

test("R48 of more than 20 days the last counts too, on which all of the item opens", () => {
  const of = (days: number) => {
    const files = Array.from({ length: days }, (_, at) => ({
      ...aFile(`${at}.pdf`),
      ...{ access: "date" as const, accessDate: `${3000 + at}-01-01` },
    }));
    const embargo = { ...aContent().access, record: "restricted" as const, embargoUntil: "4000-01-01" };
    return accessKey({ ...aContent(), access: embargo, files }, "2026-12-01");
  };
  expect([of(2), of(30)]).toEqual(["e40000101o", "e40000101o"]);
});
