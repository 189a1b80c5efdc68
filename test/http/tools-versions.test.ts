// The tools of versions and revisions (R30, R2b; specification 3, "Versioning"; reference 1.2), over HTTP and as
// `arkstone mcp` has them.
import { beforeAll, describe, expect, test } from "bun:test";
import { setUpLocalTools } from "../support/local-tools.ts";
import { METADATA } from "../support/record-calls.ts";
import { gateOf, manyGuests, takenApart, toolCalls } from "../support/tool-calls.ts";
import type { PersonName } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

let today: string;
const world = setUpWorld({ repository: true });
const local = setUpLocalTools(world);
const http = toolCalls(manyGuests(world));
beforeAll(() => {
  today = world.time.now.slice(0, 10);
});

type Args = Readonly<Record<string, unknown>>;
const { resultOf, refused } = takenApart(http);
const { resultOf: localResultOf, refused: refusedHere } = takenApart(local);

const publishedBy = async (who: PersonName, more: Args = {}): Promise<string> => {
  const metadata = { ...METADATA, version: "1.0" };
  const { id } = await resultOf(who, "create_record", { metadata, files: Object.keys(more).length > 0 });
  for (const [filename, text] of Object.entries(more)) {
    await resultOf(who, "upload_file", { recid: id, filename, content_text: text });
  }
  await resultOf(who, "publish_record", { recid: id });
  return id;
};
const removed = async (id: string): Promise<void> => {
  const { done } = await resultOf("system", "delete_record", { recid: id, confirm: true });
  expect(done).toBe(true);
};

describe("R30 new_version", () => {
  test("T.new_version.1: over HTTP a draft dated today, without the label, with the files of the version before", async () => {
    const id = await publishedBy("registered", { "a.txt": "first", "b.txt": "second" });
    const made = await resultOf("registered", "new_version", { recid: id });
    const sizes = { enabled: true, count: 2, total_bytes: 11 };
    const next = { status: "new_version_draft", publication_date: today, imported_files: 2 };
    expect(made).toMatchObject({ ...next, version: { index: 2 }, files: sizes });
    const expected = [false, false, false, false];
    expect([made.id === id, "label" in made.version, "errors" in made, "note" in made]).toEqual(expected);
    const { files } = await resultOf("registered", "list_files", { recid: made.id, draft: true });
    expect(files.map(({ key }: { key: string }) => key)).toEqual(["a.txt", "b.txt"]);
    expect((await resultOf("registered", "publish_record", { recid: made.id })).version).toMatchObject({
      index: 2,
      is_latest: true,
    });
    expect((await resultOf(null, "get_record", { recid: id })).version.is_latest).toBe(false);
  });

  test("T.new_version.2: the arguments: another day, a label, without files; blank ones and null are unset", async () => {
    const id = await publishedBy("registered", { "a.txt": "first" });
    const date = { publication_date: "2026-02-28" };
    const made = await resultOf("registered", "new_version", {
      recid: id,
      import_files: false,
      ...date,
      version: "2.0",
    });
    expect(made).toMatchObject({ ...date, version: { label: "2.0" }, imported_files: 0, files: { count: 0 } });
    const other = await publishedBy("registered");
    const plain = await resultOf("registered", "new_version", { recid: other, publication_date: "", version: null });
    const expected = [today, 0, "The version before has no files to carry over"];
    expect([plain.publication_date, plain.imported_files, plain.note]).toEqual(expected);
  });

  test("T.new_version.3: a second call goes on with the same draft, keeps its content, and reports that its files are there", async () => {
    const id = await publishedBy("registered", { "a.txt": "first" });
    const first = await resultOf("registered", "new_version", { recid: id });
    await resultOf("registered", "update_record", {
      recid: first.id,
      metadata: { publication_date: "2025-01-01", version: "9" },
      publish: false,
    });
    const again = await resultOf("registered", "new_version", { recid: id });
    const note = "The draft has files already: nothing was carried over";
    const kept = { publication_date: "2025-01-01", version: { label: "9" }, files: { count: 1 } };
    expect(again).toMatchObject({ id: first.id, ...kept, imported_files: 0, note });
    expect(
      (await resultOf("registered", "new_version", { recid: id, publication_date: "2026-03-04" })).publication_date,
    ).toBe("2026-03-04");
  });

  test("T.new_version.4: no token is 401, a narrower one 403", async () => {
    const { token } = await world.token("registered", ["mcp:read"]);
    const args = { recid: "1" };
    expect(await gateOf(http, null, "new_version", args)).toEqual([401, "", "mcp:write"]);
    expect(await gateOf(http, { token }, "new_version", args)).toEqual([403, "insufficient_scope", "mcp:write"]);
    expect([
      (await refusedHere(null, "new_version", args)).status,
      (await refusedHere({ token }, "new_version", args)).status,
    ]).toEqual([401, 403]);
  });

  test("T.new_version.5: strangers are refused, administrators and curators are not", async () => {
    const id = await publishedBy("other");
    for (const refuse of [refused, refusedHere]) {
      const expected = { status: 403, message: "Permission denied." };
      expect(await refuse("stranger", "new_version", { recid: id })).toMatchObject(expected);
    }
    expect((await resultOf("admin", "new_version", { recid: id })).status).toBe("new_version_draft");
    const { id: draft } = await resultOf("other", "create_record", { metadata: METADATA });
    expect((await refused("stranger", "new_version", { recid: draft })).status).toBe(404);
    const sent = await resultOf("other", "submit_to_community", { recid: draft, community: COMMUNITY });
    if (sent.record.status === "in_review")
      await resultOf("curator", "request_action", { request_id: sent.request.id, action: "accept" });
    expect((await resultOf("curator", "new_version", { recid: draft })).status).toBe("new_version_draft");
  });

  test("T.new_version.6: a draft that was never published has no version yet; what was removed is 410", async () => {
    const { id } = await resultOf("registered", "create_record", { metadata: METADATA });
    const refusal = await refused("registered", "new_version", { recid: id });
    expect([refusal.status, refusal.hint?.includes("publish_record")]).toEqual([404, true]);
    const gone = await publishedBy("registered");
    await removed(gone);
    expect((await refused("registered", "new_version", { recid: gone })).status).toBe(410);
    expect((await refused("registered", "new_version", { recid: "987654" })).status).toBe(404);
  });

  test("T.new_version.7: what is not a day is refused before anything is made; a label that is too long is reported with the draft", async () => {
    const id = await publishedBy("registered");
    for (const publication_date of ["2026-02-30", "tomorrow", "2026", "2026-01-01/2026-02-01"]) {
      const { status, errors } = await refused("registered", "new_version", { recid: id, publication_date });
      expect([publication_date, status, errors]).toEqual([
        publication_date,
        400,
        [{ field: "publication_date", messages: ["Must be a day written as YYYY-MM-DD."] }],
      ]);
    }
    expect((await resultOf("registered", "list_versions", { recid: id })).total).toBe(1);
    expect((await refused("registered", "delete_draft", { recid: id })).status).toBe(404);
    const made = await resultOf("registered", "new_version", { recid: id, version: "v".repeat(192) });
    expect(made.errors).toEqual([{ field: "metadata.version", messages: [expect.stringContaining("191")] }]);
    expect((await refused("registered", "new_version", { recid: id, import_files: "yes" })).errors?.[0]?.field).toBe(
      "import_files",
    );
  });

  test("T.new_version.8: the local server dates nothing and carries no files; publish without metadata names what is missing", async () => {
    const id = await publishedBy("registered", { "a.txt": "first" });
    const made = await localResultOf("registered", "new_version", { recid: id });
    expect(made).toMatchObject({ status: "new_version_draft", files: { count: 0 } });
    expect(["publication_date" in made, "imported_files" in made]).toEqual([false, false]);
    const refusal = await refusedHere("registered", "new_version", { recid: id, publish: true });
    expect(refusal.errors).toContainEqual({
      field: "metadata.publication_date",
      messages: ["Missing data for required field."],
    });
    expect(refusal.recid).toBe(made.id);
    const plain = await publishedBy("registered");
    const whole = { ...METADATA, title: "The second version", publication_date: "2026-05-01" };
    const published = await localResultOf("registered", "new_version", {
      recid: plain,
      metadata: whole,
      publish: true,
    });
    expect(published).toMatchObject({ status: "published", title: "The second version", version: { index: 2 } });
    expect(
      (await refusedHere("registered", "new_version", { recid: plain, version: "2" })).errors?.[0]?.messages[0],
    ).toContain("Unknown argument");
  });
});

describe("R30 list_versions", () => {
  test("T.list_versions.1 T.list_versions.2: all published versions, newest first, by the name of any of them or of the thing", async () => {
    const first = await publishedBy("registered");
    const { id: second } = await resultOf("registered", "new_version", { recid: first, version: "2.0" });
    await resultOf("registered", "publish_record", { recid: second });
    const { id: draft } = await resultOf("registered", "new_version", { recid: first });
    const { parent, pids } = await resultOf(null, "get_record", { recid: first });
    for (const recid of [first, second, parent.id, pids.ark]) {
      const { total, versions } = await resultOf(null, "list_versions", { recid });
      expect([recid, total]).toEqual([recid, 2]);
      expect(versions.map(({ id, publication_date, version }: Args) => [id, publication_date, version])).toEqual([
        [second, today, { index: 2, is_latest: true, label: "2.0" }],
        [first, "2024-05-01", { index: 1, is_latest: false, label: "1.0" }],
      ]);
    }
    // The pending version is shown under its own name to those who may read it, and does not count as a version yet.
    expect((await resultOf("registered", "list_versions", { recid: draft })).total).toBe(2);
    expect((await resultOf(null, "list_versions", { recid: first, size: 1, page: 2 })).versions[0].id).toBe(first);
  });

  test("T.list_versions.3: removed versions are shown to administrators alone", async () => {
    const first = await publishedBy("registered");
    const { id: second } = await resultOf("registered", "new_version", { recid: first });
    await resultOf("registered", "publish_record", { recid: second });
    await removed(second);
    for (const who of [null, "registered", "stranger"] as const) {
      const { versions } = await resultOf(who, "list_versions", { recid: first });
      expect(versions.map(({ id }: { id: string }) => id)).toEqual([first]);
    }
    const { total, versions } = await resultOf("system", "list_versions", { recid: first });
    expect([total, versions.map(({ id, status, title }: Args) => [id, status, title])]).toEqual([
      2,
      [
        [second, "deleted", "On tides"],
        [first, "published", "On tides"],
      ],
    ]);
    expect((await refused(null, "list_versions", { recid: second })).status).toBe(410);
    expect((await resultOf("system", "list_versions", { recid: second })).total).toBe(2);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => resultOf("system", "list_versions", { recid: first, size: 1, page })),
    );
    expect(
      pages.map((each) => [each.total, each.versions.map(({ id }: { id: string }) => id), each.next_page]),
    ).toEqual([
      [2, [second], 2],
      [2, [first], undefined],
      [2, [], undefined],
    ]);
  });

  test("T.list_versions.4: drafts of others, what names nothing, sizes", async () => {
    const { id } = await resultOf("other", "create_record", { metadata: METADATA });
    for (const who of [null, "stranger", "system"] as const) {
      expect([who, (await refused(who, "list_versions", { recid: id })).status]).toEqual([who, 404]);
    }
    expect((await refused(null, "list_versions", { recid: "987654" })).status).toBe(404);
    expect((await refused(null, "list_versions", { recid: "1", size: 101 })).errors?.[0]?.field).toBe("size");
    expect((await refused(null, "list_versions")).errors?.[0]?.field).toBe("recid");
  });
});

describe("R30 list_revisions", () => {
  test("T.list_revisions.1 T.list_revisions.2: who changed which fields when, newest first; the content where it is asked for", async () => {
    const id = await publishedBy("registered");
    await resultOf("registered", "update_record", { recid: id, metadata: { title: "Changed", publisher: "P" } });
    const { parent } = await resultOf(null, "get_record", { recid: id });
    const { total, revisions, recid } = await resultOf("registered", "list_revisions", { recid: parent.id });
    expect([recid, total]).toEqual([id, 2]);
    const by = { user: String(world.people.registered.account.id) };
    expect(revisions.map(({ revision_id, by, changed, title }: Args) => ({ revision_id, by, changed, title }))).toEqual(
      [
        { revision_id: 2, by, changed: ["metadata.title", "metadata.publisher"], title: "Changed" },
        { revision_id: 1, by, changed: [], title: "On tides" },
      ],
    );
    expect(revisions.some((each: Args) => "json" in each)).toBe(false);
    const full = await resultOf("registered", "list_revisions", { recid: id, full: true, size: 1 });
    expect([full.revisions.length, full.next_page, full.revisions[0].json.metadata.publisher]).toEqual([1, 2, "P"]);
  });

  test("T.list_revisions.3: no token is 401, another token 403", async () => {
    const { token } = await world.token("registered", ["item:read"]);
    const args = { recid: await publishedBy("registered") };
    expect(await gateOf(http, null, "list_revisions", args)).toEqual([401, "", "mcp:read"]);
    expect(await gateOf(http, { token }, "list_revisions", args)).toEqual([403, "insufficient_scope", "mcp:read"]);
  });

  test("T.list_revisions.4 T.list_revisions.5: for its owner, curators and administrators; others are refused, drafts of others and what was removed are not there", async () => {
    const open = await publishedBy("other");
    for (const who of ["stranger", "general", "curator"] as const) {
      const refusal = await refused(who, "list_revisions", { recid: open });
      expect([who, refusal.status, refusal.hint?.includes("curators")]).toEqual([who, 403, true]);
    }
    expect((await resultOf("admin", "list_revisions", { recid: open })).total).toBe(1);
    const { id } = await resultOf("other", "create_record", { metadata: METADATA });
    expect((await refused("stranger", "list_revisions", { recid: id })).status).toBe(404);
    const sent = await resultOf("other", "submit_to_community", { recid: id, community: COMMUNITY });
    if (sent.record.status === "in_review")
      await resultOf("curator", "request_action", { request_id: sent.request.id, action: "accept" });
    expect((await resultOf("curator", "list_revisions", { recid: id })).total).toBe(1);
    await removed(open);
    expect((await refused("other", "list_revisions", { recid: open })).status).toBe(410);
    expect((await resultOf("system", "list_revisions", { recid: open })).total).toBeGreaterThan(0);
    expect((await refused("other", "list_revisions", { recid: "987654" })).status).toBe(404);
    expect((await refused("other", "list_revisions", { recid: open, size: 0 })).errors?.[0]?.field).toBe("size");
  });
});
