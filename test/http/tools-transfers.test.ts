// The tools whose files do not travel inside of a call (R30; specification 3, "States and transitions" and "Errors";
// reference 1.2): in parts, and from an address.
import { describe, expect, test } from "bun:test";
import { openS3Storage } from "../../src/adapters/storage-s3.ts";
import { FAKE_ACCOUNT, startFakeS3 } from "../support/fake-s3.ts";
import { setUpLocalTools } from "../support/local-tools.ts";
import { METADATA } from "../support/record-calls.ts";
import { gateOf, manyGuests, refusalOf, takenApart, toolCalls } from "../support/tool-calls.ts";
import type { PersonName, Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const MIB = 1024 * 1024;
const SMALLEST = 5 * MIB;
const LARGEST = 100_000_000_000;
const FETCH = "upload_file_from_url";
const START = "start_multipart_upload";
const COMPLETE = "complete_multipart_upload";
const ABORT = "abort_multipart_upload";

const world = setUpWorld({
  repository: {
    env: { SVC_FILE_FETCH_DOMAINS: "data.example.org", SVC_MAX_UPLOAD_BYTES: String(LARGEST) },
  },
});
const local = setUpLocalTools(world);
const http = toolCalls(manyGuests(world));

type Args = Readonly<Record<string, unknown>>;
const { resultOf, refused } = takenApart(http);
const draftOf = async (who: PersonName, files = true): Promise<string> =>
  (await resultOf(who, "create_record", { metadata: METADATA, files })).id;
const publishedBy = async (who: PersonName): Promise<string> => {
  const recid = await draftOf(who);
  await resultOf(who, "upload_file", { recid, filename: "a.txt", content_text: "first" });
  await resultOf(who, "publish_record", { recid });
  return recid;
};
const filesOf = async (recid: string) => (await resultOf("system", "list_files", { recid, draft: true })).files;
/** A part, as `curl` sends it: without a token. */
const sendTo = (url: string, body: Uint8Array<ArrayBuffer>, who: Who = null) => {
  const { pathname, search } = new URL(url);
  return world.ask(who, "PUT", pathname + search, { body });
};

test("T.upload_file_from_url.4 T.start_multipart_upload.4 T.complete_multipart_upload.4 T.abort_multipart_upload.4: no token is 401, a narrower one 403; stdio has none of the four", async () => {
  const { token } = await world.token("registered", ["mcp:read", "item:update"]);
  for (const name of [FETCH, START, COMPLETE, ABORT]) {
    const args = { recid: "1", filename: "a", size: 1, url: "https://data.example.org/a" };
    expect([name, await gateOf(http, null, name, args)]).toEqual([name, [401, "", "mcp:write"]]);
    expect([name, await gateOf(http, { token }, name, args)]).toEqual([name, [403, "insufficient_scope", "mcp:write"]]);
    await expect(local.call("registered", name, args)).rejects.toThrow("There is no tool");
  }
});

describe("R30 start_multipart_upload", () => {
  test("T.start_multipart_upload.1 T.complete_multipart_upload.1: parts go to their addresses without a token, in any order, and are joined to an ordinary file", async () => {
    const id = await draftOf("registered", false);
    const bytes = new Uint8Array(2 * SMALLEST + 7).map((_, index) => index % 251);
    const large = { recid: id, filename: "large.bin", size: bytes.length, part_size: SMALLEST };
    const started = await resultOf("registered", START, large);
    const sizes = { part_size: SMALLEST, part_count: 3, replaced: false };
    expect(started).toMatchObject({ recid: id, key: "large.bin", size: bytes.length, ...sizes });
    expect(started.hint.split("\n")).toEqual([
      `split -b ${SMALLEST} FILE part_`,
      expect.stringContaining("curl --fail -X PUT --data-binary @part_aa"),
      `then complete_multipart_upload (recid ${id}, filename large.bin)`,
    ]);
    const { parts } = started;
    expect(parts.map(({ part }: { part: number }) => part)).toEqual([1, 2, 3]);
    expect(parts[0].expires_at).toBe(new Date(Date.parse(world.time.now) + 14 * 86_400_000).toISOString());
    const pieces = [0, 1, 2].map((index) => bytes.slice(index * SMALLEST, (index + 1) * SMALLEST));
    for (const index of [2, 0, 1]) expect((await sendTo(parts[index].url, pieces[index] ?? bytes)).status).toBe(200);
    const done = await resultOf("registered", COMPLETE, { recid: id, filename: "large.bin" });
    const expected = { recid: id, key: "large.bin", size: bytes.length, status: "completed", transfer: { type: "L" } };
    expect(done).toMatchObject(expected);
    expect(done.checksum).toMatch(new RegExp(`^multipart:[0-9a-f]{32}-3-${SMALLEST}$`));
    expect((await world.filesOf(Number(id))).get("large.bin")).toEqual(bytes);
    const again = await resultOf("registered", COMPLETE, { recid: id, filename: "large.bin" });
    expect([again.status, again.size, again.checksum]).toEqual(["completed", bytes.length, done.checksum]);
  });

  test("T.start_multipart_upload.2: parts of 64 MiB by default, so large that 10,000 are enough", async () => {
    const id = await draftOf("registered");
    const of = async (size: number, part_size: number | null = null) => {
      const {
        part_size: bytes,
        part_count: count,
        parts,
      } = await resultOf("registered", START, { recid: id, filename: "f", size, part_size });
      return [bytes, count, parts.length];
    };
    expect(await of(1)).toEqual([64 * MIB, 1, 1]);
    expect(await of(64 * MIB + 1)).toEqual([64 * MIB, 2, 2]);
    expect(await of(SMALLEST * 10_001, SMALLEST)).toEqual([2 * SMALLEST, 5_001, 250]);
    expect(await of(10, 3 * MIB)).toEqual([3 * MIB, 1, 1]);
    expect(await of(SMALLEST + 1, SMALLEST + 1)).toEqual([SMALLEST + 1, 1, 1]);
    expect((await filesOf(id)).length).toBe(1);
  });

  test("T.start_multipart_upload.3: sizes and parts that are none, and what is larger than the repository takes", async () => {
    const id = await draftOf("registered");
    await resultOf("registered", "upload_file", { recid: id, filename: "f", content_text: "kept" });
    const start = (more: Args) => refused("registered", START, { recid: id, filename: "f", size: 20 * MIB, ...more });
    for (const size of [0, -1, 1.5, "1", 2 ** 53])
      expect([size, (await start({ size })).errors?.[0]?.field]).toEqual([size, "size"]);
    for (const part_size of [SMALLEST - 1, 0, -1, 5 * 1024 * MIB + 1]) {
      const { status, message, errors } = await start({ part_size });
      expect([part_size, status, errors?.[0]?.field]).toEqual([part_size, 400, "part_size"]);
      expect(message).toContain(part_size > SMALLEST ? "5368709120" : "5242880");
    }
    expect((await start({ filename: "a/../b" })).errors?.[0]?.field).toBe("filename");
    expect((await start({ size: LARGEST + 1 })).status).toBe(413);
    // What is refused takes nothing away.
    expect((await filesOf(id)).map(({ key, size }: Args) => [key, size])).toEqual([["f", 4]]);
  });

  test("T.start_multipart_upload.7: overwrite=false leaves what is there, and gives the addresses of an upload under way again", async () => {
    const id = await draftOf("registered");
    await resultOf("registered", "upload_file", { recid: id, filename: "done.txt", content_text: "kept" });
    const kept = await resultOf("registered", START, { recid: id, filename: "done.txt", size: 9, overwrite: false });
    expect(kept).toMatchObject({ exists: true, replaced: false, status: "completed", size: 4, parts: [] });
    const two = { recid: id, filename: "f", size: SMALLEST + 1 };
    const first = await resultOf("registered", START, { ...two, part_size: SMALLEST });
    await sendTo(first.parts[1].url, new Uint8Array(1));
    const again = await resultOf("registered", START, { ...two, overwrite: false });
    expect(again).toMatchObject({ exists: true, replaced: false, part_size: SMALLEST, part_count: 2 });
    expect(again.parts.map(({ uploaded }: Args) => uploaded)).toEqual([undefined, true]);
    expect((await sendTo(again.parts[0].url, new Uint8Array(SMALLEST))).status).toBe(200);
    const replaced = await resultOf("registered", START, { recid: id, filename: "done.txt", size: 9 });
    expect(replaced.replaced).toBe(true);
    expect((await filesOf(id)).map(({ key, status }: Args) => [key, status])).toEqual([
      ["done.txt", "pending"],
      ["f", "pending"],
    ]);
  });

  test("T.start_multipart_upload.8: an address is good for its part of its upload alone, until its day, while the one who began it may change the draft", async () => {
    const id = await draftOf("other");
    const file = { recid: id, filename: "f", size: SMALLEST + 2, part_size: SMALLEST };
    const { parts } = await resultOf("other", START, file);
    const [one, two] = parts.map(({ url }: { url: string }) => url);
    const small = new Uint8Array(2);
    expect((await sendTo(two, small, "stranger")).status).toBe(200);
    for (const url of [
      two.replace("/content/2", "/content/1"),
      two.replace(/signature=..../, "signature=0000"),
      two.replace(/until=\d/, "until=9"),
      two.replace("/f/", "/g/"),
      two.split("&")[0] ?? "",
      two.split("?")[0] ?? "",
    ]) {
      expect([url, [401, 403].includes((await sendTo(url, small)).status)]).toEqual([url, true]);
    }
    expect((await sendTo(two, new Uint8Array(3))).json).toMatchObject({
      status: 400,
      message: "Size of this part must be equal to part_size sent in multipart initialization.",
    });
    const { now } = world.time;
    world.time.now = new Date(Date.parse(now) + 15 * 86_400_000).toISOString();
    expect((await sendTo(two, small)).status).toBe(403);
    world.time.now = now;
    const old = await resultOf("other", START, { recid: id, filename: "f", size: SMALLEST + 2, part_size: SMALLEST });
    const expected = [true, 403, 403];
    expect([old.replaced, (await sendTo(two, small)).status, (await sendTo(one, small)).status]).toEqual(expected);
    const { account } = world.people.other;
    await world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active: false }));
    expect((await sendTo(old.parts[1].url, small)).status).toBe(403);
    await world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active: true }));
    expect((await sendTo(old.parts[1].url, small)).status).toBe(200);
  });
});

test("T.start_multipart_upload.9 T.complete_multipart_upload.7: with a store of the S3 kind parts go to the store's own addresses", async () => {
  const fake = await startFakeS3();
  const place = { endpoint: fake.endpoint, bucket: "bucket", prefix: "files", pathStyle: true };
  const storage = openS3Storage({ ...FAKE_ACCOUNT, ...place, retryBaseMs: 2 });
  const bucket = toolCalls(world.under({}, (parts) => ({ ...parts, files: { ...parts.files, storage } })));
  const call = async (name: string, args: Args) => (await bucket.call("registered", name, args)).structuredContent;
  try {
    const id = await draftOf("registered");
    const file = { recid: id, filename: "f" };
    const { parts, hint } = await call(START, { ...file, size: SMALLEST + 3, part_size: SMALLEST });
    expect(parts.every(({ url }: { url: string }) => url.startsWith(fake.endpoint))).toBe(true);
    expect(hint).toContain(`split -b ${SMALLEST} FILE part_`);
    const put = (index: number, body: Uint8Array<ArrayBuffer>) => fetch(parts[index].url, { method: "PUT", body });
    expect((await put(1, new Uint8Array(3))).status).toBe(200);
    expect(refusalOf(await bucket.call("registered", COMPLETE, file)).message).toContain("Missing: 1.");
    expect((await put(0, new Uint8Array(SMALLEST))).status).toBe(200);
    const done = await call(COMPLETE, file);
    expect([done.status, done.size, done.transfer]).toEqual(["completed", SMALLEST + 3, { type: "L" }]);
    expect((await call(COMPLETE, file)).size).toBe(SMALLEST + 3);
    await call(START, { recid: id, filename: "g", size: 3 });
    expect((await call(ABORT, { recid: id, filename: "g" })).aborted).toBe("g");
  } finally {
    await fake.stop();
  }
});

describe("R30 complete_multipart_upload and abort_multipart_upload", () => {
  test("T.complete_multipart_upload.3: parts that are missing are named, and how to get their addresses again", async () => {
    const id = await draftOf("registered");
    const two = { recid: id, filename: "f", size: SMALLEST + 1, part_size: SMALLEST };
    const { parts } = await resultOf("registered", START, two);
    await sendTo(parts[1].url, new Uint8Array(1));
    const refusal = await refused("registered", COMPLETE, { recid: id, filename: "f" });
    const expected = [400, "Not all parts were uploaded, got 1 out of 2 parts. Missing: 1."];
    expect([refusal.status, refusal.message]).toEqual(expected);
    expect(refusal.hint).toContain(`start_multipart_upload (recid ${id}, filename f, overwrite=false)`);
    const none = await refused("registered", COMPLETE, { recid: id, filename: "none" });
    expect([none.status, none.message]).toEqual([404, `Record '${id}' has no file 'none'.`]);
    expect((await refused("registered", COMPLETE, { recid: id })).errors?.[0]?.field).toBe("filename");
  });

  test("T.abort_multipart_upload.1 T.abort_multipart_upload.3: an upload is removed with its parts, a finished file is reported as one", async () => {
    const id = await draftOf("registered");
    const before = world.leftovers().length;
    const two = { recid: id, filename: "f", size: SMALLEST + 1, part_size: SMALLEST };
    const { parts } = await resultOf("registered", START, two);
    await sendTo(parts[1].url, new Uint8Array(1));
    expect(await resultOf("registered", ABORT, { recid: id, filename: "f" })).toMatchObject({
      recid: id,
      aborted: "f",
    });
    expect([await filesOf(id), world.leftovers().length]).toEqual([[], before]);
    expect((await sendTo(parts[0].url, new Uint8Array(SMALLEST))).status).toBe(403);
    expect((await refused("registered", ABORT, { recid: id, filename: "f" })).status).toBe(404);
    await resultOf("registered", "upload_file", { recid: id, filename: "done.txt", content_text: "x" });
    const refusal = await refused("registered", ABORT, { recid: id, filename: "done.txt" });
    const expected = [400, '"done.txt" is not an upload in parts.', true];
    expect([refusal.status, refusal.message, refusal.hint?.includes("delete_file")]).toEqual(expected);
  });

  test("T.start_multipart_upload.5 T.start_multipart_upload.6 T.complete_multipart_upload.5 T.complete_multipart_upload.6 T.abort_multipart_upload.5 T.abort_multipart_upload.6: others' drafts are 404, others' records 403, published and removed ones closed", async () => {
    const [draft, open, gone] = [await draftOf("other"), await publishedBy("other"), await publishedBy("other")];
    await resultOf("other", START, { recid: draft, filename: "f", size: 1 });
    await resultOf("system", "delete_record", { recid: gone, confirm: true });
    for (const name of [START, COMPLETE, ABORT]) {
      const args = { filename: "f", ...(name === START ? { size: 1 } : {}) };
      expect([name, (await refused("stranger", name, { recid: draft, ...args })).status]).toEqual([name, 404]);
      expect([name, (await refused("stranger", name, { recid: open, ...args })).status]).toEqual([name, 403]);
      const locked = await refused("other", name, { recid: open, ...args });
      expect([name, locked.status, locked.hint?.includes(`new_version (recid ${open})`)]).toEqual([name, 403, true]);
      const refusal = await refused("other", name, { recid: gone, ...args });
      expect([name, refusal.status, refusal.tombstone?.removal_reason]).toEqual([name, 410, { id: "out-of-scope" }]);
      expect([name, (await refused("other", name, { recid: "987654", ...args })).status]).toEqual([name, 404]);
    }
    expect((await resultOf("admin", ABORT, { recid: draft, filename: "f" })).aborted).toBe("f");
  });
});

describe("R30 upload_file_from_url", () => {
  const url = "https://data.example.org/a.txt";

  test("T.upload_file_from_url.1 T.upload_file_from_url.2: an administrator has a file fetched, which is pending until it came", async () => {
    const id = await draftOf("admin", false);
    const started = await resultOf("admin", FETCH, { recid: id, filename: "a.txt", url });
    const expected = { recid: id, key: "a.txt", status: "pending", transfer: { type: "F" }, replaced: false };
    expect(started).toMatchObject(expected);
    expect([started.note.includes("list_files"), JSON.stringify(started).includes("data.example")]).toEqual([
      true,
      false,
    ]);
    expect(await filesOf(id)).toEqual([
      { key: "a.txt", mimetype: "text/plain", status: "pending", transfer: { type: "F" } },
    ]);
    const kept = await resultOf("admin", FETCH, { recid: id, filename: "a.txt", url, overwrite: false });
    expect([kept.exists, kept.status]).toEqual([true, "pending"]);
    expect((await resultOf("admin", FETCH, { recid: id, filename: "a.txt", url })).replaced).toBe(true);
    expect((await filesOf(id)).length).toBe(1);
    // As the job leaves it that could not fetch it.
    const error = "The other side answers with the status 404";
    await world.store.transact(async (tx) => {
      const row = await tx.draftFiles.draftFile(Number(id), "a.txt");
      if (row !== null) await tx.draftFiles.saveDraftFile({ ...row, transfer: { type: "F", url: null }, error });
    });
    expect(await filesOf(id)).toEqual([
      { key: "a.txt", mimetype: "text/plain", status: "failed", transfer: { type: "F" }, error },
    ]);
    expect((await resultOf("admin", FETCH, { recid: id, filename: "a.txt", url })).status).toBe("pending");
  });

  test("T.upload_file_from_url.3: hosts outside the setting, what is not an address, invalid names; what was there stays", async () => {
    const id = await draftOf("admin");
    await resultOf("admin", "upload_file", { recid: id, filename: "a.txt", content_text: "kept" });
    for (const other of [
      "https://other.example/a",
      "http://data.example.org/a",
      "https://data.example.org:8443/a",
      "https://data.example.org.evil.example/a",
      "file:///etc/passwd",
      "https://127.0.0.1/a",
    ]) {
      const refusal = await refused("admin", FETCH, { recid: id, filename: "a.txt", url: other });
      const expected = [other, 400, "Domain not allowed", [{ field: "url", messages: ["Domain not allowed"] }]];
      expect([other, refusal.status, refusal.message, refusal.errors]).toEqual(expected);
    }
    for (const none of ["no address", ""]) {
      expect((await refused("admin", FETCH, { recid: id, filename: "a.txt", url: none })).errors).toEqual([
        { field: "url", messages: ["Not a valid URL."] },
      ]);
    }
    expect(
      (await refused("admin", FETCH, { recid: id, filename: "a.txt", url: `${url}${"a".repeat(2_000)}` })).errors?.[0]
        ?.field,
    ).toBe("url");
    expect((await refused("admin", FETCH, { recid: id, filename: "..", url })).errors?.[0]?.field).toBe("filename");
    expect((await filesOf(id)).map(({ size }: Args) => size)).toEqual([4]);
  });

  test("T.upload_file_from_url.5: ordinary users are 403, whatever the address, with the other way, and lose nothing", async () => {
    const id = await draftOf("registered");
    await resultOf("registered", "upload_file", { recid: id, filename: "a.txt", content_text: "kept" });
    for (const address of [url, "https://other.example/a"]) {
      const refusal = await refused("registered", FETCH, { recid: id, filename: "a.txt", url: address });
      const expected = [403, "Permission denied.", true];
      expect([refusal.status, refusal.message, refusal.hint?.includes("start_multipart_upload")]).toEqual(expected);
    }
    expect((await filesOf(id)).map(({ size }: Args) => size)).toEqual([4]);
    expect((await refused("stranger", FETCH, { recid: id, filename: "a.txt", url })).status).toBe(404);
  });

  test("T.upload_file_from_url.6: published, removed and unknown records", async () => {
    const open = await publishedBy("admin");
    const args = { filename: "b", url };
    const expected = { status: 403, message: "Bucket is locked for modifications." };
    expect(await refused("admin", FETCH, { recid: open, ...args })).toMatchObject(expected);
    await resultOf("system", "delete_record", { recid: open, confirm: true });
    expect((await refused("admin", FETCH, { recid: open, ...args })).status).toBe(410);
    expect((await refused("admin", FETCH, { recid: "987654", ...args })).status).toBe(404);
  });
});
