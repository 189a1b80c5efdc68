// `arkstone export items`: what is written can be imported again, here and elsewhere (R19b, R13a, R2d).
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ItemFile } from "../../src/model/items/item.ts";
import { arkstone } from "../support/command-line.ts";
import { cratePackage, SIMPLE_ZIP, tablePackage } from "../support/deposit-requests.ts";
import { temporaryFolder } from "../support/processes.ts";
import { INDEXES } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const folder = temporaryFolder("export-items");
const file = (name: string): string => join(folder.path, name);
const world = setUpWorld({ repository: true });
const elsewhere = setUpWorld({ repository: { env: { SVC_BASE_URL: "https://other.example.org" } } });
afterAll(() => {
  folder.remove();
});

const env = () => ({
  SVC_DATABASE_URL: world.config.databaseUrl,
  SVC_DATA_DIR: world.folder,
  SVC_BASE_URL: "https://repo.example.org",
  SVC_RESOLVER_URL: "https://ark.example.org",
});
const exported = (...args: string[]) => arkstone(env(), ["export", "items", ...args]);
const recid = (url: unknown): number => Number(String(url).split("/").at(-1));
/** The metadata of a file, without the key of its bytes. */
const withoutKeys = (files: readonly ItemFile[]) => files.map(({ storageKey: _key, ...rest }) => rest);

const PAYLOAD = [
  { path: "a.txt", bytes: "The quick brown fox\n" },
  { path: "深い/図 1.txt", bytes: "図\n" },
];

async function deposited(): Promise<number> {
  const pkg = cratePackage({ keywords: ["tides", "潮"], "svc:index": [String(INDEXES.open)] }, PAYLOAD);
  const answer = await world.deposit("admin", pkg);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return recid(answer.json["@id"]);
}

describe("export items", () => {
  test.each(["folder", "zip"])(
    "R19b an item written as a %s is imported elsewhere as it was, and takes its own place here",
    async (form) => {
      const id = await deposited();
      const out = file(`out-${form}`);
      const result = await exported(out, ...(form === "zip" ? ["--zip"] : []), "--json");
      expect([result.code, JSON.parse(result.out).failed]).toEqual([0, 0]);
      let zip = join(out, `${id}-r1.zip`);
      if (form === "folder") {
        zip = file(`packed-${id}.zip`);
        const packed = await arkstone({}, ["pack", join(out, `${id}-r1`), "--out", zip]);
        expect([packed.code, packed.out]).toEqual([0, expect.stringContaining("(bag,")]);
      }
      const pkg = { bytes: new Uint8Array(readFileSync(zip)), packaging: SIMPLE_ZIP, name: "item.zip" };
      const before = (await world.item(id)).content;

      const there = await elsewhere.deposit("admin", pkg);
      expect([there.status, there.text]).toEqual([201, expect.any(String)]);
      const copy = (await elsewhere.item(recid(there.json["@id"]))).content;
      expect(copy?.metadata).toEqual(before?.metadata);
      expect(copy?.access).toEqual(before?.access);
      expect(copy?.indexes).toEqual(before?.indexes);
      expect(withoutKeys(copy?.files ?? [])).toEqual(withoutKeys(before?.files ?? []));
      expect((await elsewhere.filesOf(recid(there.json["@id"]))).get("a.txt")).toEqual(
        new TextEncoder().encode(PAYLOAD[0]?.bytes),
      );

      const again = await world.replace("admin", id, pkg);
      expect([again.status, again.text]).toEqual([200, expect.any(String)]);
      expect((await world.item(id)).content?.metadata).toEqual(before?.metadata);
    },
  );

  test("R19b what is there already is left alone, a new revision is written next to it", async () => {
    const id = await deposited();
    const out = file("again");
    await exported(out, "--latest");
    const first = JSON.parse((await exported(out, "--json")).out);
    expect([first.written, first.unchanged > 0]).toEqual([0, true]);
    await world.items.setPublic(await world.viewer("system"), id, false);
    expect(JSON.parse((await exported(out, "--json")).out).written).toBe(1);
    expect(
      readdirSync(out)
        .filter((name) => name.startsWith(`${id}-`))
        .sort(),
    ).toEqual([`${id}-r1`, `${id}-r2`]);
    const crate = readFileSync(join(out, `${id}-r2`, "data", "ro-crate-metadata.json"), "utf8");
    expect(crate).toContain('"svc:publishStatus": "private"');
  });

  test("R2d nothing is more open after it was imported than it was", async () => {
    const id = await deposited();
    const { content } = await world.item(id);
    if (content === null) throw new Error("Not published");
    const access = { ...content.access, files: "restricted" as const };
    await world.items.revise(await world.viewer("system"), id, { content: { ...content, access } });
    const out = file("closed");
    await exported(out, "--zip");
    const zip = join(out, `${id}-r2.zip`);
    const there = await elsewhere.deposit("admin", {
      bytes: new Uint8Array(readFileSync(zip)),
      packaging: SIMPLE_ZIP,
      name: "item.zip",
    });
    expect(there.status).toBe(201);
    const copy = (await elsewhere.item(recid(there.json["@id"]))).content;
    expect(copy?.files.map((each) => each.access)).toEqual(["closed", "closed"]);
  });

  test("R2b `item show` has what is published, and whose draft there is", async () => {
    const id = await deposited();
    const published = (await world.item(id)).content?.metadata;
    const edited = await world.ask("admin", "POST", `/api/records/${id}/draft`);
    const metadata = Object.assign({}, edited.json.metadata, { title: "Not yet published" });
    const body = JSON.stringify({ ...edited.json, metadata });
    const headers = { "content-type": "application/json" };
    expect((await world.ask("admin", "PUT", `/api/records/${id}/draft`, { headers, body })).status).toBe(200);
    const shown = JSON.parse((await arkstone(env(), ["item", "show", String(id), "--json"])).out);
    expect(shown.content.metadata.titles).toEqual(published?.titles);
    expect(shown).toMatchObject({ state: "published", draft: { editor: world.people.admin.account.id } });
  });

  test("R19b a damaged file is reported, its item is left out, the others are written", async () => {
    const answer = await world.deposit("admin", tablePackage());
    expect(answer.status).toBe(201);
    const unique = { path: "damaged.txt", bytes: "will be damaged\n" };
    const bad = recid((await world.deposit("admin", cratePackage({}, [unique]))).json["@id"]);
    const key = (await world.item(bad)).content?.files[0]?.storageKey ?? "";
    const stored = world.leftovers().find((path) => path.includes(key));
    if (stored === undefined) throw new Error("The key names no stored bytes");
    writeFileSync(join(world.folder, "files", stored), "will be DAMAGED\n");
    mkdirSync(file("damaged"));
    const result = await exported(file("damaged"));
    expect([result.code, result.err]).toEqual([
      1,
      expect.stringContaining(`Item ${bad}: the bytes of damaged.txt are not those`),
    ]);
    const names = readdirSync(file("damaged"));
    expect(names.some((name) => name.startsWith(`${bad}-`))).toBe(false);
    expect(names.some((name) => name.startsWith(`${recid(answer.json["@id"])}-`))).toBe(true);
  });
});
