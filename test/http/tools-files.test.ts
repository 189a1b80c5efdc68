// The tools of files (R30; specification 3, "Tool servers", "Limits"; reference 1.2), over HTTP and as `arkstone mcp`
// has them.
import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { byteStream } from "../../src/shared/bytes/byte-streams.ts";
import { eventually } from "../support/eventually.ts";
import { setUpLocalTools } from "../support/local-tools.ts";
import { METADATA } from "../support/record-calls.ts";
import { calling, gateOf, manyGuests, OLD, refusalOf, takenApart, toolCalls } from "../support/tool-calls.ts";
import type { PersonName, Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const MIB = 1024 * 1024;
const INLINE = 16 * MIB;

let folder: string;
const world = setUpWorld({ repository: true });
const http = toolCalls(manyGuests(world));
const local = setUpLocalTools(world, () => join(world.folder, "import"));
beforeAll(() => {
  folder = join(world.folder, "import");
  mkdirSync(folder);
  writeFileSync(join(folder, "tides.csv"), "day,height\n");
});

type Args = Readonly<Record<string, unknown>>;
const { resultOf, refused } = takenApart(http);
const { resultOf: localResultOf, refused: refusedHere } = takenApart(local);

const draftOf = async (who: PersonName, files = true): Promise<string> =>
  (await resultOf(who, "create_record", { metadata: METADATA, files })).id;
const put = (who: Who, recid: string, filename: string, content_text: string, more: Args = {}) =>
  resultOf(who, "upload_file", { recid, filename, content_text, ...more });
const publishedBy = async (who: PersonName, filename = "a.txt", content = "first"): Promise<string> => {
  const recid = await draftOf(who);
  await put(who, recid, filename, content);
  await resultOf(who, "publish_record", { recid });
  return recid;
};
const removed = async (recid: string): Promise<void> => {
  expect((await resultOf("system", "delete_record", { recid, confirm: true })).done).toBe(true);
};
const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64");
const LOCKED = "Bucket is locked for modifications.";

test("T.upload_file.4 T.delete_file.4 T.add_file.4 T.list_files.4 T.download_file.4: no token is 401, a narrower one 403", async () => {
  const { token } = await world.token("registered", ["mcp:read"]);
  const other = await world.token("registered", ["item:read", "item:update"]);
  const args = { recid: "1", filename: "a" };
  for (const name of ["upload_file", "delete_file"]) {
    expect([name, await gateOf(http, null, name, args)]).toEqual([name, [401, "", "mcp:write"]]);
    expect([name, await gateOf(http, { token }, name, args)]).toEqual([name, [403, "insufficient_scope", "mcp:write"]]);
  }
  for (const name of ["list_files", "download_file"]) {
    const draft = { ...args, draft: true };
    expect([name, await gateOf(http, null, name, draft)]).toEqual([name, [401, "", "mcp:read"]]);
    const expected = [name, [403, "insufficient_scope", "mcp:read"]];
    expect([name, await gateOf(http, { token: other.token }, name, draft)]).toEqual(expected);
    expect([name, (await gateOf(http, null, name, args))[0]]).toEqual([name, 200]);
  }
  for (const name of ["add_file", "delete_file"]) {
    const here = { recid: "1", key: "a", text: "x" };
    expect([
      name,
      (await refusedHere(null, name, here)).status,
      (await refusedHere({ token }, name, here)).status,
    ]).toEqual([name, 401, 403]);
  }
  // Over stdio files of drafts are the default.
  expect([
    (await refusedHere(null, "list_files", { recid: "1" })).status,
    (await refusedHere({ token }, "list_files", { recid: "1" })).status,
  ]).toEqual([401, 404]);
  expect((await refusedHere(null, "list_files", { recid: "987654", draft: false })).status).toBe(404);
});

describe("R30 upload_file", () => {
  test("T.upload_file.1 T.upload_file.2: text or base64, into a draft whose files were off; another one takes its place, or does not", async () => {
    const id = await draftOf("registered", false);
    const first = await put("registered", id, "a.txt", "満潮");
    expect(first).toMatchObject({ recid: id, key: "a.txt", size: 6, mimetype: "text/plain", status: "completed" });
    expect(first).toMatchObject({ transfer: { type: "L" }, uploaded: true, replaced: false });
    expect(first.checksum).toBe(`md5:${createHash("md5").update("満潮").digest("hex")}`);
    expect((await resultOf("registered", "get_record", { recid: id, draft: true })).files.enabled).toBe(true);
    const kept = await put("registered", id, "a.txt", "other", { overwrite: false });
    expect(kept).toMatchObject({ exists: true, uploaded: false, size: 6, checksum: first.checksum });
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const other = { recid: id, filename: "a.txt", content_base64: base64(bytes), content_text: "" };
    const replaced = await resultOf("registered", "upload_file", other);
    expect([replaced.size, replaced.uploaded, replaced.replaced]).toEqual([256, true, true]);
    expect((await world.filesOf(Number(id))).get("a.txt")).toEqual(bytes);
    const nothing = { recid: id, filename: "empty", content_text: "", content_base64: null };
    const empty = await resultOf("registered", "upload_file", nothing);
    expect([empty.size, empty.status]).toEqual([0, "completed"]);
  });

  test("T.upload_file.3: exactly one source, strict base64, names that can be names", async () => {
    const id = await draftOf("registered");
    const file = { recid: id, filename: "a" };
    for (const sources of [
      {},
      { content_text: "x", content_base64: "eA==" },
      { content_text: null, content_base64: "" },
    ]) {
      const { status, message } = await refused("registered", "upload_file", { ...file, ...sources });
      expect([sources, status, message]).toEqual([sources, 400, "Give exactly one of content_text, content_base64."]);
    }
    for (const content_base64 of ["eA", "eA=", "eA===", "e A=", "eA==\n", "e-_=", "eB==", "====", "é"]) {
      const { status, errors } = await refused("registered", "upload_file", { ...file, content_base64 });
      expect([content_base64, status, errors?.[0]?.field]).toEqual([content_base64, 400, "content_base64"]);
    }
    for (const filename of ["a\nb", "a\u0000", "..", "a/../b", "/a", "a/", "a//b", "\ud800", "a%2Fb"]) {
      const { status, errors, hint } = await refused("registered", "upload_file", {
        recid: id,
        filename,
        content_text: "x",
      });
      const expected = [filename, 400, "filename", true];
      expect([filename, status, errors?.[0]?.field, hint?.includes("slashes")]).toEqual(expected);
    }
    expect(
      (await refused("registered", "upload_file", { recid: id, filename: "n".repeat(1_025), content_text: "x" }))
        .errors,
    ).toEqual([{ field: "filename", messages: ["Longer than 1024 characters."] }]);
    expect(
      (await refused("registered", "upload_file", { recid: id, filename: "", content_text: "x" })).errors?.[0]?.field,
    ).toBe("filename");
    for (const filename of ["n".repeat(1_000), "data/2026/a.txt", "潮位 表 (1).csv", "%41"]) {
      const { key } = await put("registered", id, filename, "x");
      expect(key).toBe(filename);
      expect((await resultOf("registered", "download_file", { recid: id, filename, draft: true })).text).toBe("x");
    }
  });

  test("T.upload_file.5: drafts of others are 404, records of others 403, administrators and who shares it may", async () => {
    const draft = await draftOf("other");
    const open = await publishedBy("other");
    const file = { filename: "b", content_text: "x" };
    expect((await refused("stranger", "upload_file", { recid: draft, ...file })).status).toBe(404);
    const expected = { status: 403, message: "Permission denied." };
    expect(await refused("stranger", "upload_file", { recid: open, ...file })).toMatchObject(expected);
    expect((await put("admin", draft, "b", "x")).uploaded).toBe(true);
    const grants = [{ subject: { type: "user", id: String(world.people.registered.account.id) }, permission: "edit" }];
    const headers = { "content-type": "application/json" };
    await world.ask("other", "POST", `/api/records/${draft}/access/grants`, {
      headers,
      body: JSON.stringify({ grants }),
    });
    expect((await put("registered", draft, "c", "x")).uploaded).toBe(true);
  });

  test("T.upload_file.6: files of what is published change with a new version only, of what was removed not at all", async () => {
    const id = await publishedBy("registered");
    const file = { recid: id, filename: "b", content_text: "x" };
    for (const isEdited of [false, true]) {
      if (isEdited)
        await resultOf("registered", "update_record", { recid: id, metadata: { title: "Edited" }, publish: false });
      const refusal = await refused("registered", "upload_file", file);
      expect([refusal.status, refusal.message, refusal.hint?.includes(`new_version (recid ${id})`)]).toEqual([
        403,
        LOCKED,
        true,
      ]);
    }
    await resultOf("registered", "publish_record", { recid: id });
    await removed(id);
    const expected = { status: 410, tombstone: { removal_reason: { id: "out-of-scope" } } };
    expect(await refused("registered", "upload_file", file)).toMatchObject(expected);
    expect((await refused("registered", "upload_file", { ...file, recid: "987654" })).status).toBe(404);
  });

  test("T.upload_file.7: 16 MiB go through, one byte more does not and the other way is named", async () => {
    const id = await draftOf("registered");
    const bytes = new Uint8Array(INLINE + 1).fill(7);
    const whole = await resultOf("registered", "upload_file", {
      recid: id,
      filename: "full",
      content_base64: base64(bytes.subarray(1)),
    });
    expect([whole.size, whole.status]).toEqual([INLINE, "completed"]);
    const more = await refused("registered", "upload_file", {
      recid: id,
      filename: "more",
      content_base64: base64(bytes),
    });
    expect(more).toMatchObject({ status: 413, code: "too_large", message: `The file is larger than ${INLINE} bytes.` });
    expect(more.hint).toContain("start_multipart_upload");
    expect((await resultOf("registered", "list_files", { recid: id, draft: true })).total).toBe(1);
    // What is larger than a file fills the request.
    const long = { recid: id, filename: "x", content_text: "x".repeat(34 * MIB) };
    const call = { name: "upload_file", arguments: long };
    const { status } = await http.modern("registered", "tools/call", call, "upload_file");
    expect(status).toBe(413);
  });

  test("T.upload_file.8: a file that cannot be put does not take away the one that is there", async () => {
    const id = await draftOf("registered");
    await put("registered", id, "a.txt", "kept");
    const full = world.under({}, (parts) => ({
      ...parts,
      files: {
        ...parts.files,
        storage: {
          ...parts.files.storage,
          put: async () => {
            throw new Error("broken");
          },
        },
      },
    }));
    const file = { recid: id, filename: "a.txt", content_text: "new" };
    // Nothing from inside is revealed.
    expect(refusalOf(await toolCalls(full).call("registered", "upload_file", file))).toEqual({
      ...{ status: 500, code: "internal", message: "Internal error" },
      hint: "try again later; the log of the server has the cause",
    });
    expect((await resultOf("registered", "download_file", { recid: id, filename: "a.txt", draft: true })).text).toBe(
      "kept",
    );
  });
});

test("T.upload_file.9 T.list_files.7: a record has 10,000 files and no more, a hundred at a time; one of them may be replaced", async () => {
  const id = await draftOf("registered");
  const first = await put("registered", id, "f", "x");
  expect(first.status).toBe("completed");
  await world.store.transact(async (tx) => {
    const draft = await tx.items.draft(Number(id));
    const [file] = draft?.content.files ?? [];
    if (draft === null || file === undefined) throw new Error("There is no draft with a file");
    const files = Array.from({ length: 10_000 }, (_, index) => ({
      ...file,
      name: `f${String(index).padStart(5, "0")}`,
    }));
    await tx.items.saveDraft({ ...draft, content: { ...draft.content, files } });
  });
  const list = await resultOf("registered", "list_files", { recid: id, draft: true, page: 100 });
  const expected = [10_000, 100, "f09999", false];
  expect([list.total, list.files.length, list.files[99].key, "next_page" in list]).toEqual(expected);
  expect((await resultOf("registered", "list_files", { recid: id, draft: true })).next_page).toBe(2);
  const beyond = await refused("registered", "list_files", { recid: id, draft: true, page: 101 });
  expect([beyond.status, beyond.message]).toEqual([400, "Invalid querystring parameters."]);
  const more = await refused("registered", "upload_file", { recid: id, filename: "more", content_text: "x" });
  expect([more.status, more.message]).toEqual([400, "A record has at most 10000 files."]);
  expect((await put("registered", id, "f00000", "y")).replaced).toBe(true);
});

describe("R30 add_file", () => {
  test("T.add_file.1 T.add_file.2: from text, base64 or a file of this machine, in place of what is there", async () => {
    const { id } = await localResultOf("registered", "create_record", { metadata: METADATA, files_enabled: true });
    const added = await localResultOf("registered", "add_file", { recid: id, key: "a.txt", text: "first" });
    expect(added).toMatchObject({ recid: id, key: "a.txt", size: 5, status: "completed", replaced: false });
    const again = { recid: id, key: "a.txt", content_base64: base64("second"), text: null };
    expect(await localResultOf("registered", "add_file", again)).toMatchObject({ size: 6, replaced: true });
    expect(
      await localResultOf("registered", "add_file", { recid: id, key: "t.csv", source_path: "tides.csv" }),
    ).toMatchObject({ size: 11, mimetype: "text/csv" });
    expect((await localResultOf("registered", "add_file", { recid: id, key: "empty", text: "" })).size).toBe(0);
    const { files } = await localResultOf("registered", "list_files", { recid: id });
    expect(files.map(({ key, size }: Args) => [key, size])).toEqual([
      ["a.txt", 6],
      ["empty", 0],
      ["t.csv", 11],
    ]);
  });

  test("T.add_file.3: none or several sources, paths that lead elsewhere, names and sizes", async () => {
    const { id } = await localResultOf("registered", "create_record", { metadata: METADATA, files_enabled: true });
    for (const sources of [
      {},
      { text: "x", source_path: "tides.csv" },
      { text: "x", content_base64: "eA==", source_path: "tides.csv" },
      { source_path: "" },
    ]) {
      expect((await refusedHere("registered", "add_file", { recid: id, key: "a", ...sources })).message).toBe(
        "Give exactly one of text, content_base64, source_path.",
      );
    }
    for (const source_path of ["../seed", "/etc/passwd", "none.txt", "."]) {
      expect([
        source_path,
        (await refusedHere("registered", "add_file", { recid: id, key: "a", source_path })).status >= 400,
      ]).toEqual([source_path, true]);
    }
    expect(
      (await refusedHere("registered", "add_file", { recid: id, key: "a/../b", text: "x" })).errors?.[0]?.field,
    ).toBe("key");
    expect(
      (await refusedHere("registered", "add_file", { recid: id, key: "a", content_base64: "?" })).errors?.[0]?.field,
    ).toBe("content_base64");
    expect(
      (await refusedHere("registered", "add_file", { recid: id, key: "a", text: "x".repeat(INLINE + 1) })).status,
    ).toBe(413);
    expect(
      (await refusedHere("registered", "add_file", { recid: id, filename: "a", text: "x" })).errors
        ?.map(({ field }) => field)
        .sort(),
    ).toEqual(["filename", "key"]);
  });

  test("T.add_file.5 T.add_file.6: the draft must carry files and be the caller's; what is published changes by a new version", async () => {
    const { id: bare } = await localResultOf("registered", "create_record", { metadata: METADATA });
    const refusal = await refusedHere("registered", "add_file", { recid: bare, key: "a", text: "x" });
    const expected = [400, "Files support must be enabled.", true];
    expect([refusal.status, refusal.message, refusal.hint?.includes("files_enabled=true")]).toEqual(expected);
    expect(
      (await refusedHere("stranger", "add_file", { recid: await draftOf("other"), key: "a", text: "x" })).status,
    ).toBe(404);
    const open = await publishedBy("registered");
    expect(await refusedHere("registered", "add_file", { recid: open, key: "a", text: "x" })).toMatchObject({
      status: 403,
      message: LOCKED,
    });
    expect((await refusedHere("stranger", "add_file", { recid: open, key: "a", text: "x" })).message).toBe(
      "Permission denied.",
    );
    await removed(open);
    expect((await refusedHere("registered", "add_file", { recid: open, key: "a", text: "x" })).status).toBe(410);
  });
});

describe("R30 list_files", () => {
  test("T.list_files.1 T.list_files.2 T.list_files.3: what a model needs of each file, by key; of a draft over stdio by default", async () => {
    const id = await draftOf("registered");
    await put("registered", id, "b.txt", "22");
    await put("registered", id, "a.txt", "1");
    await resultOf("registered", "start_multipart_upload", { recid: id, filename: "c.bin", size: 9 });
    const list = await resultOf("registered", "list_files", { recid: id, draft: true });
    expect(list).toMatchObject({ recid: id, enabled: true, total: 3, page: 1, size: 100 });
    const text = { mimetype: "text/plain", status: "completed", transfer: { type: "L" } };
    const transfer = { type: "M", parts: 1, part_size: 64 * MIB, uploaded_parts: [] };
    expect(list.files).toEqual([
      { key: "a.txt", size: 1, checksum: "md5:c4ca4238a0b923820dcc509a6f75849b", ...text },
      { key: "b.txt", size: 2, checksum: "md5:b6d767d2f8ed5d21a44b0e5886680cb9", ...text },
      { key: "c.bin", size: 9, mimetype: "application/octet-stream", status: "pending", transfer },
    ]);
    expect((await localResultOf("registered", "list_files", { recid: id })).files).toEqual(list.files);
    const second = await resultOf("registered", "list_files", { recid: id, draft: true, size: 2, page: 2 });
    const expected = [1, "c.bin", 3, false];
    expect([second.files.length, second.files[0].key, second.total, "next_page" in second]).toEqual(expected);
    expect((await resultOf("registered", "list_files", { recid: id, draft: true, size: 2 })).next_page).toBe(2);
    const open = await publishedBy("registered");
    const { parent, pids } = await resultOf(null, "get_record", { recid: open });
    for (const recid of [open, parent.id, pids.ark]) {
      const expected = { recid: open, total: 1, files: [{ key: "a.txt" }] };
      expect(await resultOf(null, "list_files", { recid })).toMatchObject(expected);
    }
    expect((await localResultOf(null, "list_files", { recid: open, draft: false })).total).toBe(1);
    const { id: none } = await resultOf("registered", "create_record", { metadata: METADATA, publish: true });
    expect(await resultOf(null, "list_files", { recid: none })).toMatchObject({ enabled: false, total: 0, files: [] });
  });

  test("T.list_files.5 T.download_file.5: restricted files exist and are not shown to others; drafts of others do not exist", async () => {
    const { id } = await localResultOf("registered", "create_record", {
      metadata: METADATA,
      access: { record: "public", files: "restricted" },
      files_enabled: true,
    });
    await localResultOf("registered", "add_file", { recid: id, key: "secret.txt", text: "s" });
    for (const who of ["stranger", "general"] as const) {
      expect((await refused(who, "list_files", { recid: id, draft: true })).status).toBe(404);
      expect((await refused(who, "download_file", { recid: id, filename: "secret.txt", draft: true })).status).toBe(
        404,
      );
    }
    await resultOf("registered", "publish_record", { recid: id });
    for (const who of [null, "stranger"] as const) {
      const expected = { enabled: true, access: "restricted", total: 0, files: [] };
      expect(await resultOf(who, "list_files", { recid: id })).toMatchObject(expected);
      for (const filename of ["secret.txt", "none.txt"]) {
        const expected = { status: 403, message: "Permission denied." };
        expect(await refused(who, "download_file", { recid: id, filename })).toMatchObject(expected);
      }
    }
    for (const who of ["registered", "system"] as const) {
      expect((await resultOf(who, "list_files", { recid: id })).total).toBe(1);
      expect((await resultOf(who, "download_file", { recid: id, filename: "secret.txt" })).text).toBe("s");
    }
    const shut = await localResultOf("registered", "create_record", {
      metadata: METADATA,
      access: { record: "restricted", files: "restricted" },
      publish: true,
    });
    expect((await refused(null, "list_files", { recid: shut.id })).status).toBe(403);
  });

  test("T.list_files.6 T.download_file.6: without a draft, never published, removed, unknown, each with what helps", async () => {
    const open = await publishedBy("registered");
    const draft = await draftOf("registered");
    for (const name of ["list_files", "download_file"]) {
      const args = { filename: "a.txt" };
      const of = (recid: string, more: Args = {}) => ({ recid, ...(name === "list_files" ? {} : args), ...more });
      const none = await refused("registered", name, of(open, { draft: true }));
      expect([name, none.status, none.hint?.includes("list_files")]).toEqual([name, 404, true]);
      expect((await refused("registered", name, of(draft))).hint).toContain("draft=true");
      expect((await refused(null, name, of("987654"))).status).toBe(404);
    }
    await removed(open);
    for (const name of ["list_files", "download_file"]) {
      for (const isDraft of [false, true]) {
        const refusal = await refused("registered", name, {
          recid: open,
          draft: isDraft,
          ...(name === "list_files" ? {} : { filename: "a.txt" }),
        });
        const expected = [name, isDraft, 410, { id: "out-of-scope" }];
        expect([name, isDraft, refusal.status, refusal.tombstone?.removal_reason]).toEqual(expected);
      }
    }
    expect((await refused(null, "list_files", { recid: open, size: 101 })).errors?.[0]?.field).toBe("size");
  });
});

describe("R30 download_file", () => {
  test("T.download_file.1 T.download_file.2: base64, and text where it is UTF-8; of a record by any of its names, of a draft", async () => {
    const id = await draftOf("registered");
    await put("registered", id, "a.txt", "満潮\u0000");
    await resultOf("registered", "upload_file", {
      recid: id,
      filename: "b.bin",
      content_base64: base64(new Uint8Array([0xff, 0xfe, 0])),
    });
    await put("registered", id, "empty", "");
    const draft = await resultOf("registered", "download_file", { recid: id, filename: "a.txt", draft: true });
    const content = { size: 7, content_base64: base64("満潮\u0000"), text: "満潮[U+0000]", truncated: false };
    expect(draft).toMatchObject({ recid: id, key: "a.txt", content_type: "text/plain", ...content });
    await resultOf("registered", "publish_record", { recid: id });
    const bytes = await resultOf(null, "download_file", { recid: id, filename: "b.bin" });
    expect([bytes.content_base64, "text" in bytes, "next_offset" in bytes]).toEqual([
      base64(new Uint8Array([0xff, 0xfe, 0])),
      false,
      false,
    ]);
    const expected = { size: 0, content_base64: "", text: "" };
    expect(await resultOf(null, "download_file", { recid: id, filename: "empty" })).toMatchObject(expected);
    const { parent } = await resultOf(null, "get_record", { recid: id });
    expect((await resultOf(null, "download_file", { recid: parent.id, filename: "a.txt" })).recid).toBe(id);
    expect(typeof bytes.untrusted).toBe("string");
  });

  test("T.download_file.3: a name that is none, and arguments", async () => {
    const id = await publishedBy("registered");
    for (const filename of ["none.txt", "../a.txt", "A.TXT", "a.txt\u0000"]) {
      const refusal = await refused(null, "download_file", { recid: id, filename });
      expect([filename, refusal.status, refusal.hint?.includes("list_files")]).toEqual([filename, 404, true]);
    }
    expect((await refused(null, "download_file", { recid: id, filename: "none.txt" })).message).toBe(
      `Record '${id}' has no file 'none.txt'.`,
    );
    for (const [field, value] of [
      ["offset", -1],
      ["max_bytes", 0],
      ["max_bytes", 4 * MIB + 1],
      ["filename", ""],
    ] as const) {
      const { status, errors } = await refused(null, "download_file", { recid: id, filename: "a.txt", [field]: value });
      expect([field, value, status, errors?.[0]?.field]).toEqual([field, value, 400, field]);
    }
  });

  test("T.download_file.7: a long file comes in parts that end with whole characters, and each states where the next begins", async () => {
    const text = "潮".repeat(400_000);
    const id = await publishedBy("registered", "long.txt", text);
    const first = await resultOf(null, "download_file", { recid: id, filename: "long.txt" });
    expect([first.truncated, first.size, first.next_offset]).toEqual([true, 1_200_000, MIB - 1]);
    expect(first.url).toBe(`https://repo.example.org/api/records/${id}/files/long.txt/content`);
    expect(Buffer.from(first.content_base64, "base64").length).toBe(MIB - 1);
    const rest = await resultOf(null, "download_file", { recid: id, filename: "long.txt", offset: first.next_offset });
    expect([first.text + rest.text === text, rest.truncated, "next_offset" in rest]).toEqual([true, false, false]);
    const inside = await resultOf(null, "download_file", { recid: id, filename: "long.txt", offset: 1, max_bytes: 4 });
    expect([inside.content_base64, "text" in inside]).toEqual([
      Buffer.from(text.slice(0, 2)).subarray(1, 5).toString("base64"),
      false,
    ]);
    const one = await resultOf(null, "download_file", { recid: id, filename: "long.txt", max_bytes: 1 });
    expect([one.next_offset, "text" in one]).toEqual([1, false]);
    // Characters of one to four bytes, cut at each of them.
    const mixed = { recid: await publishedBy("registered", "mixed.txt", "aé潮😀"), filename: "mixed.txt" };
    const texts: string[] = [];
    for (let bytes = 1; bytes <= 10; bytes++)
      texts.push((await resultOf(null, "download_file", { ...mixed, max_bytes: bytes })).text);
    expect(texts.join()).toBe("a,a,aé,aé,aé,aé潮,aé潮,aé潮,aé潮,aé潮😀");
    const past = await resultOf(null, "download_file", { recid: id, filename: "long.txt", offset: 5_000_000 });
    expect(past).toMatchObject({ content_base64: "", truncated: false, offset: 1_200_000 });
  });

  test("T.download_file.8: more than 16 MiB are refused with the address they are downloaded from; a part of them is read", async () => {
    const id = await draftOf("registered");
    const large = new Uint8Array(INLINE + 1).fill(65);
    const { parts } = await resultOf("registered", "start_multipart_upload", {
      recid: id,
      filename: "large.txt",
      size: large.length,
    });
    const url = new URL(parts[0].url);
    expect((await world.ask(null, "PUT", `${url.pathname}${url.search}`, { body: large })).status).toBe(200);
    await resultOf("registered", "complete_multipart_upload", { recid: id, filename: "large.txt" });
    await resultOf("registered", "publish_record", { recid: id });
    const refusal = await refused(null, "download_file", { recid: id, filename: "large.txt" });
    expect([refusal.status, refusal.message]).toEqual([
      413,
      `The file has ${INLINE + 1} bytes: more than ${INLINE} do not go through a tool.`,
    ]);
    const address = `/api/records/${id}/files/large.txt/content`;
    expect(refusal.hint).toContain(`https://repo.example.org${address}`);
    expect((await world.ask(null, "HEAD", address)).status).toBe(200);
    const bounds = { offset: INLINE, max_bytes: 10 };
    const part = await resultOf(null, "download_file", { recid: id, filename: "large.txt", ...bounds });
    expect([part.text, part.truncated]).toEqual(["A", false]);
    const most = await resultOf(null, "download_file", { recid: id, filename: "large.txt", max_bytes: 4 * MIB });
    expect([most.text.length, most.next_offset]).toEqual([4 * MIB, 4 * MIB]);
  });

  test("T.download_file.7: the text of a very long part is left out where it holds what nobody sees, its bytes never", async () => {
    const text = `${"line\n".repeat(300_000)}\u200b`;
    const id = await publishedBy("registered", "hidden.txt", text);
    const asked = { recid: id, filename: "hidden.txt" };
    const whole = await resultOf(null, "download_file", { ...asked, max_bytes: 2 * MIB });
    expect([Buffer.from(whole.content_base64, "base64").toString(), "text" in whole]).toEqual([text, false]);
    const seen = await resultOf(null, "download_file", { ...asked, max_bytes: text.length - 1 });
    expect(seen.text).toBe(text.slice(0, -1));
  });
});

describe("S3.7.98 T.download_file.1", () => {
  test.each([
    [false, 5],
    [true, 1],
  ])("a file is read to its end, and no further once the call is cancelled: %p", async (isCancelled, most) => {
    const recid = await publishedBy("registered", "a.txt", "first");
    const cancelling = new AbortController();
    const read: number[] = [];
    let isOver = false;
    async function* oneByOne(bytes: AsyncIterable<Uint8Array>) {
      try {
        for await (const piece of bytes) {
          for (const byte of piece) {
            read.push(byte);
            if (isCancelled) cancelling.abort();
            yield Uint8Array.of(byte);
          }
        }
      } finally {
        isOver = true;
      }
    }
    const { handler } = world.under({}, (parts) => {
      const { storage } = parts.files;
      const slow: typeof storage.read = async (...asked) => {
        const found = await storage.read(...asked);
        return found === null ? null : { ...found, stream: byteStream(oneByOne(found.stream)) };
      };
      return { ...parts, files: { ...parts.files, storage: { ...storage, read: slow } } };
    });
    const type = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const asked = new Request("http://repo.example.org/mcp", {
      method: "POST",
      signal: cancelling.signal,
      headers: { host: "repo.example.org", ...type, ...OLD },
      body: JSON.stringify(calling("download_file", { recid, filename: "a.txt" })),
    });
    const answer = async () => await (await handler(asked, { addressOf: () => "192.0.2.1" })).text();
    const text = await answer().catch(String);
    await eventually("the reading ends", () => isOver);
    expect([Buffer.from(read).toString(), text.includes(base64("first"))]).toEqual([
      "first".slice(0, most),
      !isCancelled,
    ]);
  });
});

describe("R30 delete_file", () => {
  test("T.delete_file.1 T.delete_file.2: a file, and an upload under way, go from a draft", async () => {
    const id = await draftOf("registered");
    await put("registered", id, "a.txt", "1");
    await put("registered", id, "b.txt", "2");
    await resultOf("registered", "start_multipart_upload", { recid: id, filename: "c.bin", size: 9 });
    for (const filename of ["a.txt", "c.bin"])
      expect(await resultOf("registered", "delete_file", { recid: id, filename })).toMatchObject({
        recid: id,
        deleted: filename,
      });
    expect(await localResultOf("registered", "delete_file", { recid: id, key: "b.txt" })).toMatchObject({
      deleted: "b.txt",
    });
    expect((await resultOf("registered", "list_files", { recid: id, draft: true })).total).toBe(0);
    expect((await refused("registered", "delete_file", { recid: id, filename: "a.txt" })).message).toBe(
      `Record '${id}' has no file 'a.txt'.`,
    );
  });

  test("T.delete_file.3: the file is named by filename over HTTP, by key over stdio", async () => {
    expect(
      (await refused("registered", "delete_file", { recid: "1", key: "a" })).errors?.map(({ field }) => field).sort(),
    ).toEqual(["filename", "key"]);
    expect(
      (await refusedHere("registered", "delete_file", { recid: "1", filename: "a" })).errors
        ?.map(({ field }) => field)
        .sort(),
    ).toEqual(["filename", "key"]);
  });

  test("T.delete_file.5 T.delete_file.6: drafts of others are 404, records of others 403, published ones change by a new version", async () => {
    const draft = await draftOf("other");
    await put("other", draft, "a.txt", "1");
    const open = await publishedBy("other");
    const of = (recid: string) => ({ recid, filename: "a.txt" });
    expect((await refused("stranger", "delete_file", of(draft))).status).toBe(404);
    expect((await refused("stranger", "delete_file", of(open))).message).toBe("Permission denied.");
    const locked = await refused("other", "delete_file", of(open));
    expect([locked.status, locked.message, locked.hint?.includes(`new_version (recid ${open})`)]).toEqual([
      403,
      LOCKED,
      true,
    ]);
    expect((await refusedHere("other", "delete_file", { recid: open, key: "a.txt" })).status).toBe(403);
    expect((await resultOf("admin", "delete_file", of(draft))).deleted).toBe("a.txt");
    const { id: next } = await resultOf("other", "new_version", { recid: open });
    expect((await resultOf("other", "delete_file", of(next))).deleted).toBe("a.txt");
    expect((await resultOf(null, "list_files", { recid: open })).total).toBe(1);
    await removed(open);
    expect((await refused("other", "delete_file", of(open))).status).toBe(410);
    expect((await refused("other", "delete_file", of("987654"))).status).toBe(404);
  });
});
