// The tools of records and files on PostgreSQL (R30): what depends on the database, the transactions of files, and
// names that it keeps in no text.

import { expect, test } from "bun:test";
import { onPostgres } from "../support/databases.ts";
import { METADATA } from "../support/record-calls.ts";
import { refusalOf, toolCalls } from "../support/tool-calls.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

onPostgres("R30 tools", (database) => {
  const world = setUpWorld({ repository: true, database });

  type Args = Readonly<Record<string, unknown>>;
  const call = (name: string, args: Args, who: Who = "registered") => toolCalls(world).call(who, name, args);
  const answerOf = async (name: string, args: Args) => (await call(name, args)).structuredContent;

  test("T.new_version.1 T.upload_file.2 T.complete_multipart_upload.1 T.publish_record.1: files are put, replaced, joined and carried over", async () => {
    const { id } = await answerOf("create_record", { metadata: METADATA });
    await answerOf("upload_file", { recid: id, filename: "a.txt", content_text: "first" });
    expect((await answerOf("upload_file", { recid: id, filename: "a.txt", content_text: "second" })).replaced).toBe(
      true,
    );
    const { parts } = await answerOf("start_multipart_upload", { recid: id, filename: "b.bin", size: 3 });
    const { pathname, search } = new URL(parts[0].url);
    expect((await world.ask(null, "PUT", pathname + search, { body: "abc" })).status).toBe(200);
    expect((await answerOf("complete_multipart_upload", { recid: id, filename: "b.bin" })).size).toBe(3);
    const expected = { enabled: true, count: 2, total_bytes: 9 };
    expect((await answerOf("publish_record", { recid: id })).files).toEqual(expected);
    const next = await answerOf("new_version", { recid: id });
    expect(next).toMatchObject({ imported_files: 2, version: { index: 2 } });
    await answerOf("delete_file", { recid: next.id, filename: "a.txt" });
    const both = ["One", "Two"].map((title) => call("update_record", { recid: next.id, metadata: { title } }));
    // Two at once: nobody overwrites what they have not seen.
    for (const result of await Promise.all(both)) {
      if (result.isError === true) expect([409, 412]).toContain(refusalOf(result).status);
    }
    expect((await answerOf("list_versions", { recid: id })).total).toBe(2);
    expect((await answerOf("delete_draft", { recid: id })).error.status).toBe(404);
  });

  test("S3.7.408: of many calls of create_record with one request_id one makes the record", async () => {
    const args = { metadata: { ...METADATA, title: "Made once" }, request_id: "at once" };
    const all = await Promise.all(Array.from({ length: 6 }, () => answerOf("create_record", args)));
    expect([new Set(all.map(({ id }) => id)).size, all.filter(({ repeated }) => repeated !== true).length]).toEqual([
      1, 1,
    ]);
    expect((await answerOf("create_record", { ...args, publish: true })).status).toBe("published");
    const other = await call("create_record", args, "other");
    expect("repeated" in other.structuredContent).toBe(false);
  });

  test("T.get_record.3 T.download_file.3 T.upload_file.3: names with what no text has are names of nothing", async () => {
    const { id } = await answerOf("create_record", { metadata: METADATA, files: true });
    for (const recid of ["ark:99999/b1\u0000", "10.1234/a\u0000b", "9999999999999999", "10.1234/\ud800"]) {
      for (const name of ["get_record", "list_files", "list_versions", "publish_record"]) {
        expect([recid, name, refusalOf(await call(name, { recid })).status]).toEqual([recid, name, 404]);
      }
    }
    for (const filename of ["a\u0000b", "\ud800"]) {
      for (const name of ["download_file", "delete_file", "complete_multipart_upload", "abort_multipart_upload"]) {
        const args = { recid: id, filename, ...(name === "download_file" ? { draft: true } : {}) };
        expect([name, refusalOf(await call(name, args)).status]).toEqual([name, 404]);
      }
      const args = { recid: id, filename, content_text: "x" };
      expect(refusalOf(await call("upload_file", args)).errors?.[0]?.field).toBe("filename");
    }
  });
});
