// Files of published records over HTTP (R2b, R2c, R2d, R19a, R37; reference 1.2, list_files, download_file,
// new_version): who has them, in what form, and how the next version takes them over.
import { describe, expect, test } from "bun:test";
import { unpacking } from "../../src/adapters/unpacking.ts";
import { openZip } from "../../src/repository/deposit/zip-archive.ts";
import { archiveNames } from "../../src/repository/record-files/archive-names.ts";
import { runWithoutYielding } from "../../src/shared/time/event-loop.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { collected, memoryBytes } from "../support/memory-bytes.ts";
import { aContent, aFile } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true, recordFiles: true });

type Entry = { readonly key: string; readonly links: Record<string, string>; readonly file_id: string };
const entriesOf = ({ json }: { readonly json: Record<string, unknown> }) => json.entries as readonly Entry[];
const keysOf = (answer: { readonly json: Record<string, unknown> }) => entriesOf(answer).map(({ key }) => key);
const filesOf = (id: number): string => `/api/records/${id}/files`;
const contentOf = (id: number, key: string): string => `${filesOf(id)}/${encodeURIComponent(key)}/content`;
const DENIED = { status: 403, message: "Permission denied." };

/** A published record with these files, each holding its own name. */
async function published(keys: readonly string[], access: object = {}): Promise<number> {
  const content = aContent();
  const id = await world.draft("registered", { access: { ...content.access, ...access } });
  for (const key of keys) await world.upload("registered", id, key, key);
  await world.publish("registered", id);
  return id;
}

describe("files of a published record", () => {
  test("S3.6.90 R37: guests list and get what is public, by its own number and by that of its parent", async () => {
    const id = await published(["b.txt", "a/é.txt"]);
    const list = await world.json(null, "GET", filesOf(id));
    expect([list.status, keysOf(list), list.json.enabled, list.json.access]).toEqual([
      ...[200, ["a/é.txt", "b.txt"], true, undefined],
    ]);
    const [entry] = entriesOf(list);
    const self = `https://repo.example.org${filesOf(id)}/a%2F%C3%A9.txt`;
    expect(entry?.links).toEqual({ self, content: `${self}/content` });
    expect((await world.json(null, "GET", `${filesOf(id)}/b.txt`)).json).toMatchObject({ key: "b.txt", size: 5 });
    expect((await world.ask(null, "GET", contentOf(id, "a/é.txt"))).text).toBe("a/é.txt");
    const parent = (await world.store.items.item(id))?.parentId ?? 0;
    expect(keysOf(await world.json(null, "GET", filesOf(parent)))).toEqual(keysOf(list));
    expect((await world.ask(null, "GET", contentOf(parent, "b.txt"))).text).toBe("b.txt");
    const missing = await world.json(null, "GET", `${filesOf(id)}/c`);
    expect([missing.status, missing.json.message]).toEqual([404, `Record '${id}' has no file 'c'.`]);
    const draft = await world.draft("registered");
    for (const path of [filesOf(draft), contentOf(draft, "x"), filesOf(999_999)]) {
      expect((await world.json(null, "GET", path)).status).toBe(404);
    }
  });

  test("Q.260 R49: no address sends a stored script or style as one, with a range or without", async () => {
    const id = await published(["run.js", "look.css", "notes.csv"]);
    for (const [key, sent] of [
      ["run.js", "text/plain; charset=utf-8"],
      ["look.css", "text/plain; charset=utf-8"],
      ["notes.csv", "text/csv"],
    ] as const) {
      for (const path of [
        contentOf(id, key),
        `/records/${id}/files/${key}`,
        `/records/${id}/files/${key}?download=1`,
      ]) {
        const { text, headers } = await world.ask(null, "GET", path, { headers: { range: "bytes=0-2" } });
        expect([path, text, headers.get("content-type")]).toEqual([path, key.slice(0, 3), sent]);
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(headers.get("content-disposition")).toStartWith("attachment");
      }
    }
    expect((await world.json(null, "GET", `${filesOf(id)}/run.js`)).json.mimetype).toBe("text/javascript");
  });

  test("S3.6.90 R19a: bytes come with their type, tags and ranges, as a download where that is asked for", async () => {
    const id = await published(["text.txt", "page.html"]);
    const whole = await world.ask(null, "GET", contentOf(id, "text.txt"));
    const header = (name: string) => whole.headers.get(name);
    expect(
      ["x-content-type-options", "content-security-policy", "accept-ranges", "content-length"].map(header),
    ).toEqual([...["nosniff", "sandbox", "bytes", "8"]]);
    const etag = header("etag") ?? "";
    const again = await world.ask(null, "GET", contentOf(id, "text.txt"), { headers: { "if-none-match": etag } });
    expect([again.status, again.text]).toEqual([304, ""]);
    const range = (range: string) => world.ask(null, "GET", contentOf(id, "text.txt"), { headers: { range } });
    const [first, last, behind] = [await range("bytes=0-3"), await range("bytes=-3"), await range("bytes=100-200")];
    expect([first.status, first.text, first.headers.get("content-range")]).toEqual([206, "text", "bytes 0-3/8"]);
    expect([last.text, behind.status]).toEqual(["txt", 416]);
    const shown = (answer: { readonly headers: Headers }) => answer.headers.get("content-disposition")?.split(";")[0];
    expect([shown(whole), shown(await world.ask(null, "GET", contentOf(id, "page.html")))]).toEqual([
      ...["inline", "attachment"],
    ]);
    expect(shown(await world.ask(null, "GET", `${contentOf(id, "text.txt")}?download=1`))).toBe("attachment");
    // A key that cannot be decoded names nothing.
    const unknown = await world.json(null, "GET", filesOf(999_999));
    for (const path of [`${filesOf(id)}/%zz`, `${filesOf(id)}/%ff/content`]) {
      const { status, json } = await world.json(null, "GET", path);
      expect([path, status, json]).toEqual([path, 404, unknown.json]);
    }
  });

  test("S3.6.90 R2d: restricted files are there, and neither listed nor given to who may not have them", async () => {
    const closed = await published(["a", "b"], { files: "restricted" });
    const embargoed = await published(["a"], { embargoUntil: "2999-01-01" });
    for (const [id, keys] of [
      [closed, ["a", "b"]],
      [embargoed, ["a"]],
    ] as const) {
      for (const who of [null, "other"] as const) {
        const list = await world.json(who, "GET", filesOf(id));
        expect(list).toMatchObject({ status: 200, json: { enabled: true, access: "restricted", entries: [] } });
        for (const path of [
          `${filesOf(id)}/a`,
          contentOf(id, "a"),
          contentOf(id, "z"),
          `/api/records/${id}/files-archive`,
        ]) {
          const { status, json } = await world.json(who, "GET", path);
          expect([path, status, json]).toEqual([path, 403, DENIED]);
        }
      }
      for (const who of ["registered", "admin"] as const) {
        expect(keysOf(await world.json(who, "GET", filesOf(id)))).toEqual([...keys]);
        const whole = await world.ask(who, "GET", contentOf(id, "a"));
        expect([whole.text, whole.headers.get("cache-control")]).toEqual(["a", "private, no-cache"]);
      }
    }
    const record = await published(["a"], { record: "restricted" });
    expect((await world.json(null, "GET", filesOf(record))).json).toEqual(DENIED);
  });

  test("S3.6.90 R2d: of files with separate access, each reader sees those that they may read", async () => {
    const { storage } = world.parts.files;
    const stored = await storage.put(
      (async function* () {
        yield new TextEncoder().encode("bytes");
      })(),
    );
    const file = (name: string, access: "open" | "login" | "closed") =>
      aFile(name, { storageKey: stored.key, sha256: stored.sha256, md5: stored.md5, sizeBytes: 5, access });
    const files = [file("open.txt", "open"), file("login.txt", "login"), file("closed.txt", "closed")];
    const { item } = await world.items.createAndPublish(await world.viewer("registered"), {
      content: aContent({ files }),
    });
    const listed = async (who: "other" | "registered" | null) => {
      const answer = await world.json(who, "GET", filesOf(item.id));
      const archive = await zipFor(who, item.id);
      expect(archive).toEqual(keysOf(answer));
      return [answer.json.access, keysOf(answer)];
    };
    expect(await listed(null)).toEqual(["restricted", ["open.txt"]]);
    expect(await listed("other")).toEqual(["restricted", ["login.txt", "open.txt"]]);
    expect(await listed("registered")).toEqual([undefined, ["closed.txt", "login.txt", "open.txt"]]);
    for (const [who, key, status] of [
      [null, "login.txt", 403],
      ["other", "login.txt", 200],
      ["other", "closed.txt", 403],
      ["registered", "closed.txt", 200],
    ] as const) {
      expect([who, key, (await world.ask(who, "GET", contentOf(item.id, key))).status]).toEqual([who, key, status]);
    }
  });

  test("S3.6.91 R2c: files of a deleted record answer 410 with its tombstone", async () => {
    const id = await published(["a"]);
    await world.items.remove(await world.viewer("admin"), id, { reason: "spam", note: "gone" });
    for (const path of [filesOf(id), `${filesOf(id)}/a`, contentOf(id, "a"), `/api/records/${id}/files-archive`]) {
      const { status, json } = await world.json(null, "GET", path);
      expect([path, status, json.message]).toEqual([path, 410, "Record deleted"]);
      expect(json.tombstone).toMatchObject({ note: "gone", removal_reason: { id: "spam" } });
    }
    expect((await world.json("registered", "GET", world.filesOf(id))).status).toBe(410);
  });

  test("R37: a token without the scope reads and changes nothing", async () => {
    const id = await world.draft("registered");
    const { token } = await world.token("registered", ["item:read"]);
    const { token: other } = await world.token("registered", ["item:create", "item:update", "item:delete"]);
    expect((await world.json({ token }, "GET", world.filesOf(id))).status).toBe(200);
    expect((await world.register({ token }, id, { key: "a" })).status).toBe(403);
    expect((await world.json({ token: other }, "GET", world.filesOf(id))).status).toBe(403);
    expect((await world.register({ token: other }, id, { key: "a" })).status).toBe(201);
  });
});

/** The names in the archive of a record. */
async function zipFor(who: "other" | "registered" | null, id: number): Promise<readonly string[]> {
  const bytes = await archiveBytes(who, `/api/records/${id}/files-archive`);
  return (await openZip(memoryBytes(bytes), unpacking())).entries.map(({ path }) => path);
}

async function archiveBytes(who: "other" | "registered" | null, path: string): Promise<Uint8Array> {
  const headers = new Headers({ host: "repo.example.org" });
  if (who !== null) headers.set("authorization", `Bearer ${world.people[who].token}`);
  const request = new Request(`http://repo.example.org${path}`, { headers });
  const response = await world.handler(request, { addressOf: () => "192.0.2.1" });
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
  expect(Number(response.headers.get("content-length"))).toBe(bytes.length);
  return bytes;
}

describe("the archive of a record", () => {
  test("S3.6.92: holds every file as it is, under a name that is safe, and is the same bytes each time", async () => {
    const keys = ["b.txt", "論文/表.csv", "a\\b.txt", "A.txt", "a.txt", "x", "con: a?.txt", "end. "];
    const id = await published(keys);
    const path = `/api/records/${id}/files-archive`;
    const bytes = await archiveBytes(null, path);
    expect(Buffer.compare(bytes, await archiveBytes(null, path))).toBe(0);
    const head = await world.ask(null, "HEAD", path);
    expect([head.status, head.headers.get("content-length"), head.text]).toEqual([200, String(bytes.length), ""]);
    const archive = await openZip(memoryBytes(bytes), unpacking());
    const read: [string, string][] = [];
    for (const entry of archive.entries) {
      read.push([entry.path, new TextDecoder().decode(await collected(archive.readEntry(entry)))]);
    }
    const usual = { "A.txt": "A.txt", "a (2).txt": "a.txt", "a_b.txt": "a\\b.txt", "b.txt": "b.txt" };
    const odd = { "con_ a_.txt": "con: a?.txt", end__: "end. ", x: "x", "論文/表.csv": "論文/表.csv" };
    expect(read).toEqual(Object.entries({ ...usual, ...odd }));
    // Names that some system takes for one, and files where others have a folder.
    const same = ["x", "x/y", "x/z", "x (2)", "d/é.txt", "D", "a?", "a*"];
    const mixed = await published(same);
    const names = await zipFor(null, mixed);
    expect(names.toSorted()).toEqual(
      ["D", "a_", "a_ (2)", "d (2)/é.txt", "x", "x (2)", "x (3)/y", "x (3)/z"].toSorted(),
    );
    const draft = await world.draft("registered");
    await world.upload("registered", draft, "own", "own");
    const own = await archiveBytes("registered", `/api/records/${draft}/draft/files-archive`);
    expect((await openZip(memoryBytes(own), unpacking())).entries.map((each) => each.path)).toEqual(["own"]);
    const none = await published([]);
    expect(await zipFor(null, none)).toEqual([]);
  });
});

describe("names in an archive", () => {
  const named = (keys: readonly string[]) => runWithoutYielding(archiveNames(keys));

  test("S3.6.92: names that differ in how their characters are composed are two files, as packages of before have them", () => {
    expect(named(["d/é.txt", "d/e\u0301.txt"]).toSorted()).toEqual(["d/e\u0301 (2).txt", "d/é.txt"]);
  });

  test("S3.6.92 R9a: a file where others have a folder, in any order, ends with a name for each", () => {
    expect(named(["x", "x/y", "X/z", "x (2)", "x (2)/q"])).toEqual([
      ...["x", "x (2)/y", "x (2)/z", "x (2) (2)", "x (2)/q"],
    ]);
    expect(named(["x/y", "x", "a/b/c", "a/b", "a"])).toEqual(["x/y", "x (2)", "a/b/c", "a/b (2)", "a (2)"]);
  });

  test("S3.6.92 R9a: 10,000 files of one name, and files below 500 folders, are named in linear time", async () => {
    const unsafe = ':*?"<';
    const digits = (at: number) => [...at.toString(5).padStart(6, "0")].map((digit) => unsafe[Number(digit)]).join("");
    const equal = Array.from({ length: 10_000 }, (_, at) => digits(at));
    const deep = Array.from({ length: 1_000 }, (_, at) => `${"a/".repeat(500)}${at}`);
    for (const keys of [equal, deep]) {
      let names: readonly string[] = [];
      expect(await cpuMs(() => (names = named(keys)))).toBeLessThan(1_000);
      expect(new Set(names).size).toBe(keys.length);
    }
  });
});

describe("files of the version before", () => {
  const importing = (id: number) => world.json("registered", "POST", `/api/records/${id}/draft/actions/files-import`);

  test("S3.6.93: are taken over by reference, with their metadata, and are then independent", async () => {
    const id = await world.draft("registered");
    for (const key of ["a", "b"]) await world.upload("registered", id, key, key);
    await world.json("registered", "PUT", world.fileOf(id, "a"), { metadata: { n: 1 } });
    await world.json("registered", "PUT", world.filesOf(id), { default_preview: "a" });
    await world.publish("registered", id);
    const next = await world.newVersion("registered", id);
    const imported = await importing(next);
    expect([imported.status, keysOf(imported), imported.json.default_preview]).toEqual([201, ["a", "b"], "a"]);
    const [before, after] = [await world.store.items.item(id), await world.store.items.draft(next)];
    expect(after?.content.files).toEqual(before?.content?.files);
    expect((await importing(next)).json).toEqual({
      ...{ status: 400, message: "Please remove all files first." },
      errors: [{ field: "files", messages: ["Please remove all files first."] }],
    });
    await world.json("registered", "DELETE", world.fileOf(next, "a"));
    await world.upload("registered", next, "c", "c");
    await world.publish("registered", next);
    expect(keysOf(await world.json(null, "GET", filesOf(id)))).toEqual(["a", "b"]);
    expect(keysOf(await world.json(null, "GET", filesOf(next)))).toEqual(["b", "c"]);
    expect((await world.ask(null, "GET", contentOf(id, "a"))).text).toBe("a");
    // Of three versions the one before counts, not the first.
    const third = await world.newVersion("registered", next);
    expect(keysOf(await importing(third))).toEqual(["b", "c"]);
  });

  test("S3.6.93: where there are none, or none are wanted, the answer shows it", async () => {
    const first = await world.draft("registered");
    expect((await importing(first)).json.message).toBe("The record has no files.");
    await world.publish("registered", first);
    const next = await world.newVersion("registered", first, { filesEnabled: false });
    expect([(await importing(next)).status, (await importing(next)).json.message]).toEqual([
      ...[400, "Files support must be enabled."],
    ]);
    await world.json("registered", "PUT", world.filesOf(next), { enabled: true });
    expect((await importing(next)).json.message).toBe("The record has no files.");
    await world.register("registered", next, { key: "a" });
    expect((await importing(next)).json.message).toBe("Please remove all files first.");
  });
});
