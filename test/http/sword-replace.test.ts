// Replacing and deleting items (specification 2, "PUT differences", "DELETE"; R2b, R2c, R4a, R5, R11, R13a, R14).
import { describe, expect, test } from "bun:test";
import { openReplica } from "../../db/resolver/replica.ts";
import { readConfig } from "../../src/config.ts";
import { composeResolver } from "../../src/main/resolver/resolver.ts";
import { Refusal } from "../../src/shared/refusal.ts";
import {
  cratePackage,
  type Package,
  splitPackage,
  swordPackage,
  tablePackage,
  xmlPackage,
} from "../support/deposit-requests.ts";
import { quietLog } from "../support/quiet-log.ts";
import { ask, type Json as Body } from "../support/world/names.ts";
import { BASE_URL, INDEXES, RESOLVER_URL, recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";
import { utf8Bytes } from "../support/zip-writer.ts";

const world = setUpWorld({ repository: true });

const deposited = async (pkg: Package = cratePackage()): Promise<number> => {
  const answer = await world.deposit("registered", pkg);
  if (answer.status !== 201) throw new Error(answer.text);
  return recidOf(answer);
};
type Link = Readonly<Record<string, string>>;
const linksOf = (json: Body): readonly Link[] => json.links as readonly Link[];
const noteOf = (json: Body): string =>
  (json.state as readonly { readonly description: string }[])[0]?.description ?? "";
const upgrade = (root = {}) => cratePackage({ "svc:editMode": "Upgrade", ...root });

describe("S2.12 PUT /sword/deposit/{recid}", () => {
  test("R2b it replaces metadata and files whole: a new revision, the old one kept with its package", async () => {
    const id = await deposited(
      cratePackage({ name: "Before", keywords: ["sea"] }, [{ path: "old.txt", bytes: "old" }]),
    );
    const answer = await world.replace(
      "registered",
      id,
      cratePackage({ name: "After" }, [{ path: "new.txt", bytes: "new" }]),
    );
    expect([answer.status, answer.json.eTag, answer.headers.get("etag")]).toEqual([200, "2", '"2"']);
    expect(answer.headers.get("location")).toBe(`${BASE_URL}/sword/deposit/${id}`);
    const { content } = await world.item(id);
    expect([content?.metadata.titles[0]?.value, content?.metadata.subjects]).toEqual(["After", []]);
    expect(await world.filesOf(id)).toEqual(new Map([["new.txt", utf8Bytes("new")]]));
    const first = await world.store.items.revision(id, 1);
    expect([first?.content.files.map(({ name }) => name), first?.packageName]).toEqual([["old.txt"], "package.zip"]);
    expect(first?.packageSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ["SWORD BagIt", () => swordPackage()],
    ["TSV", () => tablePackage()],
    ["CSV", () => tablePackage({}, { name: "data/x.csv" })],
  ] as const)("R2b an item from a crate is replaced by %s", async (_, build) => {
    const id = await deposited();
    expect((await world.replace("registered", id, build())).status).toBe(200);
  });

  test("R2b editMode Keep is the default; another word is message 11", async () => {
    const id = await deposited();
    const kept = await world.replace("registered", id, cratePackage({ "svc:editMode": "Keep" }));
    expect([kept.status, recidOf(kept)]).toEqual([200, id]);
    const other = await world.replace("registered", id, cratePackage({ "svc:editMode": "Renew" }));
    const expected = [400, 'Item check error: edit mode "Renew" is neither Keep nor Upgrade'];
    expect([other.status, other.json.error]).toEqual(expected);
  });

  test("R2b Upgrade makes a new version: 200 with the new item, links both ways, and only the latest version can be upgraded", async () => {
    const id = await deposited();
    const answer = await world.replace("registered", id, upgrade({ name: "Second" }));
    expect(answer.status).toBe(200);
    const next = recidOf(answer);
    expect(next).not.toBe(id);
    expect([answer.json["@id"], answer.json.eTag, answer.headers.get("etag")]).toEqual([
      `${BASE_URL}/sword/deposit/${next}`,
      "1",
      '"1"',
    ]);
    const [page] = linksOf(answer.json);
    expect([page?.["@id"], page?.["dcterms:replaces"]]).toEqual([
      `${BASE_URL}/records/${next}`,
      `${BASE_URL}/records/${id}`,
    ]);
    const [old] = linksOf((await world.status("registered", id)).json);
    expect(old?.["dcterms:isReplacedBy"]).toBe(`${BASE_URL}/records/${next}`);
    const [now] = linksOf((await world.status("registered", next)).json);
    expect(now?.["dcterms:replaces"]).toBe(`${BASE_URL}/records/${id}`);
    const [before, after] = [await world.item(id), await world.item(next)];
    expect([before.revision, before.isLatest, after.isLatest, after.versionIndex]).toEqual([1, false, true, 2]);
    expect([before.parentId, after.ark === before.ark]).toEqual([after.parentId, false]);
    const again = await world.replace("registered", id, upgrade());
    expect([again.status, again.json["@type"]]).toEqual([400, "BadRequest"]);
    expect((await world.replace("registered", id, cratePackage())).status).toBe(200);
  });

  test("R13a a package that names another item is refused, one that names this one or none is taken", async () => {
    const [id, other] = [await deposited(), await deposited()];
    const wrong = await world.replace("registered", id, tablePackage({ ".id": String(other) }));
    expect([wrong.status, wrong.json["@type"], wrong.json.error]).toEqual([
      400,
      "BadRequest",
      `Item id does not match. item: ${other}, request: ${id}`,
    ]);
    const uri = await world.replace("registered", id, tablePackage({ ".uri": `${BASE_URL}/records/${other}` }));
    expect(uri.json.error).toBe(`Item id does not match. item: ${other}, request: ${id}`);
    expect((await world.replace("registered", id, tablePackage({ ".id": String(id) }))).status).toBe(200);
    expect((await world.replace("registered", id, tablePackage())).status).toBe(200);
  });

  test("message 11 splitting is not allowed, nor a second item", async () => {
    const id = await deposited();
    const split = await world.replace("registered", id, splitPackage());
    expect([split.status, split.json.error]).toEqual([400, "Item check error: splitting is not allowed for PUT"]);
  });

  test("R14 svc:metadataReplace keeps the files, ignores those of the package and reports it", async () => {
    const id = await deposited(cratePackage({}, [{ path: "kept.txt", bytes: "kept" }]));
    const pkg = cratePackage({ "svc:metadataReplace": true, name: "Renamed" }, [
      { path: "ignored.txt", bytes: "ignored" },
    ]);
    const before = world.leftovers();
    const answer = await world.replace("registered", id, pkg);
    expect(answer.status).toBe(200);
    expect(noteOf(answer.json)).toContain("Only the metadata are replaced: the files of the package were left out.");
    expect(await world.filesOf(id)).toEqual(new Map([["kept.txt", utf8Bytes("kept")]]));
    expect((await world.item(id)).content?.metadata.titles[0]?.value).toBe("Renamed");
    expect(world.leftovers()).toEqual(before);
    const next = await world.replace("registered", id, upgrade({ "svc:metadataReplace": "true" }));
    expect(await world.filesOf(recidOf(next))).toEqual(new Map([["kept.txt", utf8Bytes("kept")]]));
  });

  test("R14 R2d what a replacement leaves out stays: where the item is and whether it is public", async () => {
    const id = await deposited(cratePackage({ "svc:publishStatus": "private" }));
    await world.items.file(await world.viewer("admin"), id, INDEXES.hidden);
    await world.replace("registered", id, cratePackage());
    const { content } = await world.item(id);
    expect([content?.access.record, content?.indexes]).toEqual(["restricted", [INDEXES.open, INDEXES.hidden]]);
    await world.replace(
      "registered",
      id,
      cratePackage({ "svc:publishStatus": "public", "svc:index": [String(INDEXES.open)] }),
    );
    const after = (await world.item(id)).content;
    expect([after?.access.record, after?.indexes]).toEqual(["public", [INDEXES.open]]);
  });

  test("R4a message 11 another item type is refused", async () => {
    const id = await deposited();
    const mapping = (await world.store.settings.mappings()).find(({ name }) => name === "ro-crate-default");
    if (mapping === undefined) throw new Error("The shipped mapping is gone");
    const simple = { ...mapping, id: 0, name: "simple", itemType: 2 };
    const other = await world.store.transact((tx) => tx.settings.saveMapping(simple, world.time.now));
    const token = await world.token("registered", undefined, { mapping: other });
    const refused = await world.replace(token, id, cratePackage());
    const expected = [400, "ContentMalformed", "Item check error: the package has item type 2, the item 1"];
    expect([refused.status, refused.json["@type"], refused.json.error]).toEqual(expected);
  });

  test("R4a a table tells what of the item it had no column for and replaced", async () => {
    const id = await deposited(cratePackage({ "svc:colour": "blue" }));
    const answer = await world.replace("registered", id, tablePackage());
    expect(answer.status).toBe(200);
    expect(noteOf(answer.json)).toMatch(
      /^The table has no column for the item's .*extra.*: these values were replaced\.$/,
    );
    expect((await world.item(id)).content?.metadata.extra).toEqual([]);
    const quiet = await world.replace("registered", await deposited(tablePackage()), tablePackage());
    expect(noteOf(quiet.json)).toBe("");
  });

  test("R11 If-Match: quoted, bare, weak, a list and * agree; another revision is 412 ETagNotMatched and changes nothing", async () => {
    const id = await deposited();
    for (const wrong of ['"2"', "2", "0", '"x"', 'W/"7", "8"']) {
      for (const answer of [
        await world.replace("registered", id, cratePackage(), { headers: { "if-match": wrong } }),
        await world.remove("registered", id, { "if-match": wrong }),
      ]) {
        expect([answer.status, answer.json["@type"]]).toEqual([412, "ETagNotMatched"]);
      }
    }
    expect((await world.item(id)).revision).toBe(1);
    let revision = 1;
    for (const right of [
      () => `"${revision}"`,
      () => String(revision),
      () => `W/"${revision}"`,
      () => `"99", "${revision}"`,
      () => "*",
    ]) {
      const answer = await world.replace("registered", id, cratePackage(), { headers: { "if-match": right() } });
      expect(answer.status).toBe(200);
      revision += 1;
    }
    expect((await world.remove("registered", id, { "if-match": `"${revision}"` })).status).toBe(204);
  });

  test("message 25 R19 of replacements at the same time some are taken, the others are refused, and no revision is lost", async () => {
    const id = await deposited();
    const many = world.under({ SVC_DEPOSITS_PER_ACCOUNT: "6" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => many.replace("registered", id, cratePackage())));
    const taken = answers.filter(({ status }) => status === 200);
    const messages = answers.filter(({ status }) => status === 400);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length + messages.length).toBe(6);
    for (const { json } of messages) expect(json.error).toBe(`Item ${id} will be edited by another process.`);
    expect((await world.item(id)).revision).toBe(1 + taken.length);
    expect(new Set(taken.map(({ json }) => json.eTag)).size).toBe(taken.length);
  });

  test("message 25 R11 R19 an item that changes between the look and the write is not overwritten: 25, or 412 with If-Match", async () => {
    const id = await deposited();
    const admin = await world.viewer("admin");
    /** Another interface files the item just before the first transaction of a request. */
    const racing = (index: number) => {
      let isArmed = true;
      return world.under({}, (parts) => ({
        ...parts,
        store: {
          ...parts.store,
          transact: async (work) => {
            if (isArmed) {
              isArmed = false;
              await world.items.file(admin, id, index);
            }
            return await parts.store.transact(work);
          },
        },
      }));
    };
    const plain = await racing(INDEXES.hidden).replace("registered", id, cratePackage());
    expect([plain.status, plain.json.error]).toEqual([400, `Item ${id} will be edited by another process.`]);
    const headers = { "if-match": '"2"' };
    const matched = await racing(INDEXES.closed).replace("registered", id, cratePackage(), { headers });
    expect([matched.status, matched.json["@type"]]).toEqual([412, "ETagNotMatched"]);
    const deleted = await racing(INDEXES.community).remove("registered", id, { "if-match": '"3"' });
    expect([deleted.status, deleted.json["@type"]]).toEqual([412, "ETagNotMatched"]);
    const { content, revision } = await world.item(id);
    expect([revision, content?.indexes.length]).toEqual([4, 4]);
    expect((await world.replace("registered", id, cratePackage())).status).toBe(200);
  });

  test("R14 svc:saveAsIs replaces the files by the package itself", async () => {
    const id = await deposited();
    const pkg = cratePackage({ "svc:saveAsIs": true });
    const answer = await world.replace("registered", id, pkg);
    expect([answer.status, noteOf(answer.json)]).toEqual([200, ""]);
    expect(await world.filesOf(id)).toEqual(new Map([["package.zip", pkg.bytes]]));
  });

  test("R13 of a replacement that is refused nothing stays behind", async () => {
    const id = await deposited();
    const before = world.leftovers();
    const pkg = () => cratePackage({ "svc:index": ["777"] }, [{ path: "x.bin", bytes: "never kept" }]);
    expect((await world.replace("registered", id, pkg())).status).toBe(400);
    expect((await world.replace("other", id, pkg())).status).toBe(403);
    expect((await world.replace("registered", 999_999, pkg())).status).toBe(404);
    expect(world.leftovers()).toEqual(before);
    // Refused where it is written, after its files were stored: the transaction after the one that locks the item.
    let transactions = 0;
    const late = world.under({}, (parts) => ({
      ...parts,
      store: {
        ...parts.store,
        transact: (work) =>
          parts.store.transact(async (tx) => {
            const done = await work(tx);
            transactions += 1;
            if (transactions === 2) throw new Refusal("conflict", "Too late");
            return done;
          }),
      },
    }));
    const written = cratePackage({}, [{ path: "x.bin", bytes: "stored and removed" }]);
    const answer = await late.replace("registered", id, written);
    expect([answer.status, answer.json.error]).toEqual([400, `Item ${id} is being edited.`]);
    expect([(await world.item(id)).revision, world.leftovers()]).toEqual([1, before]);
  });
});

describe("S2.9 S2.13 DELETE /sword/deposit/{recid}", () => {
  test("R2c 204 without a body, then 404 to every interface, gone from lists, a tombstone without a reason", async () => {
    const id = await deposited();
    const answer = await world.remove("registered", id);
    const expected = [204, "", null, null];
    expect([answer.status, answer.text, answer.headers.get("link"), answer.headers.get("location")]).toEqual(expected);
    for (const gone of [
      await world.status("registered", id),
      await world.status("admin", id),
      await world.replace("registered", id, cratePackage()),
      await world.remove("registered", id),
    ]) {
      expect([gone.status, gone.json["@type"], gone.json.error]).toEqual([
        404,
        "NotFound",
        `Item not found. (recid=${id})`,
      ]);
    }
    const long = await world.ask("registered", "GET", `/sword/deposit/${"9".repeat(60)}`);
    expect([long.status, long.json.error]).toEqual([404, `Item not found. (recid=${"9".repeat(40)})`]);
    expect(await world.store.items.tombstone(id)).toMatchObject({ reason: null, note: "" });
    expect((await world.item(id)).revision).toBe(2);
    const listed = await world.items.list(await world.viewer("admin"), { state: "published" }, null, 1000);
    expect(listed.map((item) => item.id)).not.toContain(id);
  });

  test("R2c deleting the latest version makes the one before it the latest; restoring turns that back, and the item is read again", async () => {
    const id = await deposited();
    const next = recidOf(await world.replace("registered", id, upgrade()));
    expect((await world.remove("registered", next)).status).toBe(204);
    expect([(await world.item(id)).isLatest, (await world.status("registered", next)).status]).toEqual([true, 404]);
    expect(linksOf((await world.status("registered", id)).json)[0]?.["dcterms:isReplacedBy"]).toBeUndefined();
    await world.items.restore(await world.viewer("admin"), next);
    expect([(await world.item(id)).isLatest, (await world.item(next)).isLatest]).toEqual([false, true]);
    const read = await world.status("registered", next);
    expect([read.status, read.json.eTag]).toEqual([200, "3"]);
  });
});

describe("R5 the ARK of an item", () => {
  test("R5 it is minted with the deposit, is in the links, leads to the landing page; deleted it is a tombstone with that page, restored it leads there again", async () => {
    const id = await deposited();
    const { ark } = await world.item(id);
    expect(ark).toMatch(/^99999\/b1/);
    const url = `${RESOLVER_URL}/ark:${ark}`;
    expect(linksOf((await world.status("registered", id)).json).map((link) => link["@id"])).toContain(url);
    const replica = await openReplica({ url: world.config.databaseUrl });
    const config = readConfig({
      SVC_RESOLVER: "1",
      SVC_DATABASE_URL: world.config.databaseUrl,
      SVC_REFRESH_MS: "600000",
    });
    const { handler, tables } = composeResolver({
      config,
      replica,
      log: quietLog,
      clock: { now: () => world.time.now },
    });
    try {
      const resolved = async () => {
        await tables.refreshNow();
        const { status, headers } = await ask(handler, "GET", `/ark:${ark}`);
        return [status, headers.get("location")];
      };
      const landing = `${BASE_URL}/records/${id}`;
      const stored = async () => (await world.store.arks.arks([ark ?? ""])).get(ark ?? "");
      expect(await resolved()).toEqual([302, landing]);
      await world.remove("registered", id);
      expect(await stored()).toMatchObject({ state: "tombstoned", url: landing });
      expect(await resolved()).toEqual([302, landing]);
      await world.items.restore(await world.viewer("admin"), id);
      expect(await stored()).toMatchObject({ state: "published", url: landing });
      expect(await resolved()).toEqual([302, landing]);
    } finally {
      await tables.stop();
      await replica.close();
    }
  });

  test("R5 without minting an item is published and has no ARK; a deposit that is refused mints none", async () => {
    const off = world.under({ SVC_MINT_ITEM_ARKS: "0" });
    const answer = await off.deposit("registered", cratePackage());
    expect([answer.status, (await world.item(recidOf(answer))).ark]).toEqual([201, null]);
    expect(linksOf(answer.json).length).toBe(1);
    // A draft has none either.
    const workflow = await world.workflow();
    const token = await world.token("registered", undefined, { registrationType: 2, workflow });
    const pending = await world.deposit(token, cratePackage());
    expect([pending.status, (await world.item(recidOf(pending))).ark]).toEqual([202, null]);
  });
});

describe("XML", () => {
  test("R17 XML replaces nothing directly: 415 MetadataFormatNotAcceptable", async () => {
    const id = await deposited();
    const answer = await world.replace("registered", id, xmlPackage());
    expect([answer.status, answer.json["@type"]]).toEqual([415, "MetadataFormatNotAcceptable"]);
  });
});
