// Files of records over HTTP (R37; specification 3, "Tool-server records and requests"; reference 1.2, upload_file to
// delete_file, 2.4).
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { most } from "../../src/shared/limits.ts";
import { BASE_URL } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true, recordFiles: true });

const md5 = (text: string): string => `md5:${createHash("md5").update(text).digest("hex")}`;
type Entry = { readonly key: string; readonly status: string; readonly metadata: unknown };
const entriesOf = ({ json }: { readonly json: Record<string, unknown> }) => json.entries as readonly Entry[];
const fieldOf = ({ errors }: Record<string, unknown>) =>
  (errors as readonly { field: string }[] | undefined)?.[0]?.field;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("files of a draft", () => {
  test("S3.6.80: a file is registered, sent, committed, listed and given, as clients of record repositories do it", async () => {
    const id = await world.draft("registered", { filesEnabled: true });
    const self = `${BASE_URL}/api/records/${id}/draft/files`;
    const empty = await world.json("registered", "GET", world.filesOf(id));
    expect([empty.status, empty.json]).toEqual([
      200,
      { enabled: true, links: { self, archive: `${self}-archive` }, entries: [], default_preview: null, order: [] },
    ]);
    const registered = await world.register("registered", id, { key: "a b.txt", metadata: { title: "A" } });
    expect(registered.status).toBe(201);
    const link = `${self}/a%20b.txt`;
    const links = { self: link, content: `${link}/content`, commit: `${link}/commit` };
    const [pending] = entriesOf(registered);
    expect(pending).toEqual({
      ...{ key: "a b.txt", status: "pending", metadata: { title: "A" }, mimetype: "text/plain", storage_class: "L" },
      ...{ access: { hidden: false, status: "open" }, transfer: { type: "L" }, links },
      ...{ created: expect.any(String), updated: expect.any(String) },
    });
    const sent = await world.content("registered", id, "a b.txt", "testfile");
    expect([sent.status, sent.json.status, sent.json.size]).toEqual([200, "pending", 8]);
    const done = await world.commit("registered", id, "a b.txt");
    expect([done.status, done.json.status, done.json.checksum]).toEqual([200, "completed", md5("testfile")]);
    const again = await world.commit("registered", id, "a b.txt");
    expect([again.status, again.json.status, again.json.checksum]).toEqual([200, "completed", md5("testfile")]);
    const one = await world.json("registered", "GET", world.fileOf(id, "a b.txt"));
    expect(one.json).toMatchObject({
      ...{ key: "a b.txt", size: 8, checksum: md5("testfile"), status: "completed", transfer: { type: "L" }, links },
      ...{ metadata: { title: "A" } },
      ...{ file_id: expect.stringMatching(UUID), version_id: expect.stringMatching(UUID) },
      ...{ bucket_id: expect.stringMatching(UUID) },
    });
    const bytes = await world.ask("registered", "GET", `${world.fileOf(id, "a b.txt")}/content`);
    const expected = [200, "testfile", "text/plain; charset=utf-8"];
    expect([bytes.status, bytes.text, bytes.headers.get("content-type")]).toEqual(expected);
    const list = await world.json("registered", "GET", world.filesOf(id));
    expect(list.json.entries).toEqual([one.json]);
  });

  test("S3.6.80: an empty file is a file", async () => {
    const id = await world.draft("registered");
    const { status, json } = await world.upload("registered", id, "empty", "");
    expect([status, json.size, json.checksum]).toEqual([200, 0, md5("")]);
    expect((await world.ask("registered", "GET", `${world.fileOf(id, "empty")}/content`)).text).toBe("");
  });

  test("S3.6.81: a key that is taken, by a completed or a pending file, is refused", async () => {
    const id = await world.draft("registered");
    await world.upload("registered", id, "test.pdf", "x");
    await world.upload("registered", id, "second.pdf", "x");
    await world.register("registered", id, { key: "b.pdf" }, { key: "c.pdf" });
    for (const key of ["test.pdf", "second.pdf", "b.pdf", "c.pdf"]) {
      const { status, json } = await world.register("registered", id, { key });
      expect([status, json]).toEqual([400, { status: 400, message: `File with key ${key} already exists.` }]);
    }
    const twice = await world.register("registered", id, { key: "c" }, { key: "c" });
    expect([twice.status, twice.json.message]).toEqual([400, "File with key c already exists."]);
    expect((await world.content("registered", id, "test.pdf", "y")).json.message).toBe(
      "File with key test.pdf already exists.",
    );
  });

  test("S3.6.82: a key that names nothing is 404 in the words of the interface, whatever is asked of it", async () => {
    const id = await world.draft("registered");
    const asked = [
      await world.json("registered", "GET", world.fileOf(id, "K")),
      await world.ask("registered", "GET", `${world.fileOf(id, "K")}/content`),
      await world.content("registered", id, "K", "x"),
      await world.commit("registered", id, "K"),
      await world.json("registered", "PUT", world.fileOf(id, "K"), { metadata: {} }),
      await world.json("registered", "DELETE", world.fileOf(id, "K")),
    ];
    for (const { status, json } of asked) {
      expect([status, json]).toEqual([404, { status: 404, message: `Record '${id}' has no file 'K'.` }]);
    }
  });

  test("S3.6.83: what a body lacks or has too much is reported by field", async () => {
    const id = await world.draft("registered");
    const refused = async (body: unknown) => {
      const { status, json } = await world.json("registered", "POST", world.filesOf(id), body);
      expect([status, json.message]).toEqual([400, "A validation error occurred."]);
      return json.errors;
    };
    expect(await refused({ key: "a" })).toEqual([{ field: "0._schema", messages: ["Invalid input type."] }]);
    expect(await refused([])).toEqual([{ field: "_schema", messages: ["No files to upload."] }]);
    expect(await refused([{}])).toEqual([{ field: "0.key", messages: ["Missing data for required field."] }]);
    expect(await refused([{ key: 1 }])).toEqual([{ field: "0.key", messages: ["Not a valid string."] }]);
    expect(await refused([{ key: "a" }, { key: "b", colour: 1 }])).toEqual([
      { field: "1.colour", messages: ["Unknown field."] },
    ]);
    expect(await refused([{ key: "a", transfer: "L" }])).toEqual([
      { field: "transfer", messages: ["Transfer metadata must be a dictionary."] },
    ]);
    expect(await refused([{ key: "a", transfer: { type: "R" } }])).toEqual([
      { field: "0.transfer.type", messages: ['Unsupported value: "R"'] },
    ]);
    expect(await refused([{ key: "a", size: -1, metadata: [] }])).toEqual([
      { field: "0.size", messages: ["Not a valid integer."] },
      { field: "0.metadata", messages: ["Not a valid mapping type."] },
    ]);
    expect(await refused([{ key: "a", transfer: { type: "L", url: "https://example.org/" } }])).toEqual([
      { field: "0.transfer.url", messages: ["Unknown field."] },
    ]);
    const longest = most("fileMetadataCharacters");
    expect(await refused([{ key: "a" }, { key: "b", metadata: { text: "x".repeat(longest) } }])).toEqual([
      { field: "1.metadata", messages: [`Longer than maximum length ${longest}.`] },
    ]);
    const many = Array.from({ length: most("files") + 1 }, (_, at) => ({ key: String(at) }));
    expect((await world.register("registered", id, ...many)).json.message).toBe(
      `A record has at most ${most("files")} files.`,
    );
    const { status, json } = await world.ask("registered", "POST", world.filesOf(id), { body: "[" });
    expect([status, json.message]).toEqual([400, "Unable to decode JSON data in request body."]);
    expect((await world.json("registered", "GET", world.filesOf(id))).json.entries).toEqual([]);
  });

  test("S3.6.84: keys are paths as people write them; what could lead elsewhere is not a key", async () => {
    const id = await world.draft("registered");
    const keys = ["論文 (第1版).pdf", "データ/表 1.csv", "a/b/c.txt", "100%.txt", "q?x#y&z.txt", "😀.bin", "..a", "-"];
    for (const key of keys) {
      const { status, json } = await world.upload("registered", id, key, key);
      expect([status, json.key]).toEqual([200, key]);
      expect((await world.ask("registered", "GET", `${world.fileOf(id, key)}/content`)).text).toBe(key);
    }
    const list = entriesOf(await world.json("registered", "GET", world.filesOf(id)));
    expect(list.map(({ key }) => key)).toEqual(keys.toSorted());
    for (const key of [
      "",
      ".",
      "..",
      "a/../b",
      "/a",
      "a/",
      "a//b",
      "a\0b",
      "a\nb",
      "\u0085",
      "x".repeat(1_025),
      "\ud800",
    ]) {
      const { status, json } = await world.register("registered", id, { key });
      expect([key, status, fieldOf(json)]).toEqual([key, 400, "0.key"]);
    }
    await world.publish("registered", id);
    for (const key of keys) {
      const { status, text } = await world.ask(
        null,
        "GET",
        `/api/records/${id}/files/${encodeURIComponent(key)}/content`,
      );
      expect([status, text]).toEqual([200, key]);
    }
  });

  test("S3.6.85: what was never sent cannot be committed, and a file of another size than announced is sent again", async () => {
    const id = await world.draft("registered");
    await world.register("registered", id, { key: "a" }, { key: "b", size: 5 });
    const failed = { status: 400, message: "The file upload transfer failed, please try again." };
    expect((await world.commit("registered", id, "a")).json).toEqual(failed);
    expect((await world.content("registered", id, "b", "four")).json).toEqual(failed);
    expect((await world.commit("registered", id, "b")).json).toEqual(failed);
    expect((await world.content("registered", id, "b", "fives")).status).toBe(200);
    expect((await world.content("registered", id, "b", "other")).status).toBe(200);
    expect((await world.commit("registered", id, "b")).json.checksum).toBe(md5("other"));
  });

  test("S3.6.86: a file is described, taken away, and all of them are", async () => {
    const id = await world.draft("registered", { filesEnabled: true });
    for (const key of ["a", "b", "c"]) await world.upload("registered", id, key, key);
    await world.register("registered", id, { key: "d" });
    for (const key of ["a", "d"]) {
      const { status, json } = await world.json("registered", "PUT", world.fileOf(id, key), { metadata: { n: 1 } });
      expect([status, json.key, json.metadata]).toEqual([200, key, { n: 1 }]);
    }
    const wrong = await world.json("registered", "PUT", world.fileOf(id, "a"), { metadata: [] });
    expect(wrong.json.errors).toEqual([{ field: "metadata", messages: ["Not a valid mapping type."] }]);
    for (const key of ["b", "d"]) {
      expect((await world.json("registered", "DELETE", world.fileOf(id, key))).status).toBe(204);
    }
    const entries = entriesOf(await world.json("registered", "GET", world.filesOf(id)));
    expect(entries.map(({ key, metadata }) => [key, metadata])).toEqual([
      ["a", { n: 1 }],
      ["c", null],
    ]);
    for (const body of [{ metadata: null }, {}]) {
      await world.json("registered", "PUT", world.fileOf(id, "c"), { metadata: { n: 2 } });
      expect((await world.json("registered", "PUT", world.fileOf(id, "c"), body)).json.metadata).toBe(null);
    }
    await world.register("registered", id, { key: "e" });
    expect((await world.json("registered", "DELETE", world.filesOf(id))).status).toBe(204);
    const after = (await world.json("registered", "GET", world.filesOf(id))).json;
    expect([after.enabled, after.entries]).toEqual([true, []]);
    const saved = async () => (await world.store.items.draft(id))?.savedAt;
    const [before, now] = [await saved(), world.time.now];
    world.time.now = new Date(Date.parse(now) + 60_000).toISOString();
    expect((await world.json("registered", "DELETE", world.filesOf(id))).status).toBe(204);
    world.time.now = now;
    expect(await saved()).toBe(before);
  });

  test("S3.6.85 R9a: a limited number of files is received at once; one more is 503, and taken when another has ended", async () => {
    const id = await world.draft("registered");
    const keys = Array.from({ length: most("uploadsAtOnce") + 1 }, (_, at) => `${at}.txt`);
    await world.register("registered", id, ...keys.map((key) => ({ key })));
    const gate = Promise.withResolvers<void>();
    const slowly = (text: string) =>
      new ReadableStream<Uint8Array>({
        async start(body) {
          await gate.promise;
          body.enqueue(new TextEncoder().encode(text));
          body.close();
        },
      });
    const uploads = keys.map(async (key) => ({ key, ...(await world.content("registered", id, key, slowly(key))) }));
    const refused = await Promise.race(uploads);
    const expected = [503, "10", "Too many files are being received at the moment"];
    expect([refused.status, refused.headers.get("retry-after"), refused.json.message]).toEqual(expected);
    gate.resolve();
    const others = (await Promise.all(uploads)).filter(({ key }) => key !== refused.key);
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    expect((await world.content("registered", id, refused.key, refused.key)).status).toBe(200);
  });

  test("S3.6.85 R9a: a file above the limit is refused as soon as its size is known, or as it comes", async () => {
    const id = await world.draft("registered");
    await world.register("registered", id, { key: "large" }, { key: "small" });
    const { ask } = world.under({ SVC_MAX_UPLOAD_BYTES: "1 KiB" });
    const refusal = { status: 413, message: "File size limit exceeded." };
    const sent = async (key: string, body: string | ReadableStream) =>
      (await ask("registered", "PUT", `${world.fileOf(id, key)}/content`, { body })).json;
    expect(await sent("large", "x".repeat(1_025))).toEqual(refusal);
    expect(await sent("large", new Blob(["x".repeat(1_025)]).stream())).toEqual(refusal);
    expect(await sent("small", "x".repeat(1_024))).toMatchObject({ key: "small", size: 1_024 });
    const announced = await ask("registered", "POST", world.filesOf(id), {
      headers: { "content-type": "application/json" },
      body: JSON.stringify([{ key: "announced", size: 1_025 }]),
    });
    expect(announced.json).toEqual(refusal);
  });

  test("S3.6.87: whether there are files, which is shown first and in which order is chosen", async () => {
    const id = await world.draft("registered", { filesEnabled: false });
    expect((await world.register("registered", id, { key: "a" })).json.message).toBe("Files support must be enabled.");
    const choose = (body: unknown) => world.json("registered", "PUT", world.filesOf(id), body);
    expect((await choose({ enabled: true })).json.enabled).toBe(true);
    for (const key of ["a", "論文/b", "c"]) await world.upload("registered", id, key, key);
    const chosen = (await choose({ default_preview: "論文/b", order: ["c", "論文/b"] })).json;
    expect([chosen.default_preview, chosen.order]).toEqual(["論文/b", ["c", "論文/b"]]);
    const messages = ["You must first delete all files to set the record to be metadata-only."];
    expect((await choose({ enabled: false })).json.errors).toEqual([{ field: "files.enabled", messages }]);
    expect((await choose({ default_preview: "x" })).json.errors).toEqual([
      { field: "default_preview", messages: [`Record '${id}' has no file 'x'.`] },
    ]);
    const fault = (field: string, key: string) => ({ field, messages: [`Record '${id}' has no file '${key}'.`] });
    const wrong = await choose({ default_preview: "x", order: ["a", "y", "z"] });
    expect(wrong.json.errors).toEqual([fault("default_preview", "x"), fault("order", "y"), fault("order", "z")]);
    expect((await choose({ order: ["c", "論文/b", "c"] })).json.order).toEqual(["c", "論文/b"]);
    // A pending file keeps files enabled, too.
    const waiting = await world.draft("registered", { filesEnabled: true });
    await world.register("registered", waiting, { key: "a" });
    expect((await world.json("registered", "PUT", world.filesOf(waiting), { enabled: false })).status).toBe(400);
    // A file that goes is shown nowhere first.
    await world.json("registered", "DELETE", world.fileOf(id, "論文/b"));
    const after = (await choose({})).json;
    expect([after.default_preview, after.order]).toEqual([null, ["c"]]);
    expect((await choose({ default_preview: "a", order: null })).json.order).toEqual([]);
    expect((await choose({ default_preview: "" })).json.default_preview).toBe(null);
    expect((await choose([])).status).toBe(400);
  });

  test("S3.6.88 R37: drafts of others do not exist, and their files are changed by nobody else", async () => {
    const id = await world.draft("registered");
    await world.upload("registered", id, "a", "a");
    const paths = [
      ["GET", world.filesOf(id)],
      ["GET", world.fileOf(id, "a")],
      ["GET", `${world.fileOf(id, "a")}/content`],
      ["GET", `/api/records/${id}/draft/files-archive`],
      ["POST", world.filesOf(id), [{ key: "b" }]],
      ["PUT", world.filesOf(id), {}],
      ["PUT", `${world.fileOf(id, "a")}/content`, "x"],
      ["POST", `${world.fileOf(id, "a")}/commit`],
      ["DELETE", world.fileOf(id, "a")],
      ["DELETE", world.filesOf(id)],
      ["POST", `/api/records/${id}/draft/actions/files-import`],
    ] as const;
    for (const [method, path, body] of paths) {
      const other = await world.json("other", method, path, body);
      const expected = [...[method, path, 404], { status: 404, message: "The persistent identifier does not exist." }];
      expect([method, path, other.status, other.json]).toEqual(expected);
      expect((await world.json(null, method, path, body)).status).toBe(401);
    }
    expect((await world.json("admin", "GET", world.filesOf(id))).json.entries).toHaveLength(1);
    expect((await world.json("registered", "GET", "/api/records/x/draft/files")).status).toBe(404);
  });

  test("S3.6.89 R2b: files of a published record are changed by a new version only, also while it is edited", async () => {
    const id = await world.draft("registered");
    await world.upload("registered", id, "a", "a");
    const { item } = { item: await world.publish("registered", id) };
    const locked = { status: 403, message: "Bucket is locked for modifications." };
    expect((await world.json("registered", "GET", world.filesOf(id))).status).toBe(404);
    expect((await world.register("registered", id, { key: "b" })).status).toBe(404);
    const content = item.content;
    if (content === null) throw new Error("published without content");
    await world.items.saveDraft(await world.viewer("registered"), id, { content });
    expect((await world.json("registered", "GET", world.filesOf(id))).json.entries).toHaveLength(1);
    const asked = [
      await world.register("registered", id, { key: "b" }),
      await world.content("registered", id, "a", "b"),
      await world.json("registered", "PUT", world.fileOf(id, "a"), { metadata: {} }),
      await world.json("registered", "DELETE", world.fileOf(id, "a")),
      await world.json("registered", "DELETE", world.filesOf(id)),
      await world.json("registered", "PUT", world.filesOf(id), { enabled: false }),
      await world.json("registered", "POST", `/api/records/${id}/draft/actions/files-import`),
    ];
    for (const { status, json } of asked) expect([status, json]).toEqual([403, locked]);
    const shown = await world.json("registered", "PUT", world.filesOf(id), { default_preview: "a" });
    expect([shown.status, shown.json.default_preview]).toEqual([200, "a"]);
  });
});
