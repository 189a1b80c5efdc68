// What the SWORD interface returns of the versions of one thing (specification 2, "Status document"; R2a, R2b, R2d).
import { expect, test } from "bun:test";
import { cratePackage } from "../support/deposit-requests.ts";
import { type Answer, recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });

/** Last numbers of what the first link replaces and is replaced by. */
function neighbours({ json }: Answer): readonly [string | null, string | null] {
  const [first] = json.links as readonly Readonly<Record<string, string>>[];
  const tail = (url: string | undefined): string | null => url?.slice(url.lastIndexOf("/") + 1) ?? null;
  return [tail(first?.["dcterms:replaces"]), tail(first?.["dcterms:isReplacedBy"])];
}

const upgrade = (more: object = {}) => cratePackage({ "svc:editMode": "Upgrade", ...more });

test("R2b the answers of PUT and GET state alike what an older or newer version replaces and is replaced by", async () => {
  const one = recidOf(await world.deposit("registered", cratePackage()));
  const two = recidOf(await world.replace("registered", one, upgrade()));
  const [older, newer] = [
    await world.replace("registered", one, cratePackage()),
    await world.status("registered", one),
  ];
  expect(older.status).toBe(200);
  expect([neighbours(older), neighbours(newer)]).toEqual([
    [null, `${two}`],
    [null, `${two}`],
  ]);
  const kept = await world.replace("registered", two, cratePackage());
  expect([neighbours(kept), neighbours(await world.status("registered", two))]).toEqual([
    [`${one}`, null],
    [`${one}`, null],
  ]);
});

test("R2a R2d a version that may not be read is not shown as the newer one, and the parent's number leads past it", async () => {
  const one = recidOf(await world.deposit("registered", cratePackage()));
  const two = recidOf(await world.replace("registered", one, upgrade({ "svc:publishStatus": "private" })));
  const parent = (await world.item(one)).parentId;
  expect(neighbours(await world.status("registered", one))).toEqual([null, `${two}`]);
  expect(neighbours(await world.status("other", one))).toEqual([null, null]);
  expect((await world.status("other", two)).status).toBe(403);
  expect((await world.status("other", parent)).headers.get("location")).toMatch(new RegExp(`/sword/deposit/${one}$`));
  expect((await world.status("registered", parent)).headers.get("location")).toMatch(
    new RegExp(`/sword/deposit/${two}$`),
  );
});

test("R2a a parent's number is read, but nothing is written or deleted by it: 404", async () => {
  const id = recidOf(await world.deposit("admin", cratePackage()));
  const parent = (await world.item(id)).parentId;
  const { revision } = await world.item(id);
  expect((await world.status("admin", parent)).status).toBe(200);
  for (const answer of [await world.replace("admin", parent, cratePackage()), await world.remove("admin", parent)]) {
    expect([answer.status, answer.json["@type"]]).toEqual([404, "NotFound"]);
  }
  expect(await world.item(id)).toMatchObject({ state: "published", revision });
});
