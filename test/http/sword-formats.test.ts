// All four formats through the deposit interface, directly and through a workflow; their bytes come back from the
// storage as they were sent (specification 2, "Package content rules"; R4, R13, R14).
import { describe, expect, test } from "bun:test";
import { cratePackage, type Package, swordPackage, tablePackage, xmlPackage } from "../support/deposit-requests.ts";
import { recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });

const FORMATS: readonly (readonly [string, () => Package])[] = [
  ["RO-Crate+BagIt", () => cratePackage()],
  ["SWORD BagIt", () => swordPackage()],
  ["TSV", () => tablePackage()],
  ["CSV", () => tablePackage({}, { name: "data/items.csv" })],
  ["JPCOAR XML", () => xmlPackage()],
];

describe("direct registration", () => {
  test.each(FORMATS.slice(0, 4))(
    "R13 %s is registered directly: 201, published, its bytes as sent",
    async (_, build) => {
      const answer = await world.deposit("registered", build());
      expect(answer.text).toContain('"Status"');
      expect(answer.status).toBe(201);
      const id = recidOf(answer);
      expect(await world.item(id)).toMatchObject({ state: "published", revision: 1 });
      const files = await world.filesOf(id);
      expect([...files.keys()]).toEqual(["a.txt"]);
      expect(new TextDecoder().decode(files.get("a.txt"))).toBe("The quick brown fox\n");
    },
  );
});

test("R4a R14 a table sent again reports no loss: what the repository keeps about a file is not a loss", async () => {
  const pkg = tablePackage();
  const id = recidOf(await world.deposit("registered", pkg));
  const again = await world.replace("registered", id, pkg);
  expect(again.status).toBe(200);
  expect(again.text).not.toContain("has no column for");
});
