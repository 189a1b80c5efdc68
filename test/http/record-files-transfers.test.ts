// Files of records that are sent in parts or fetched from an address (R7, R7a, R7b, R37; specification 3, "File" in the
// table of states; reference 1.2, upload_file_from_url to abort_multipart_upload), with the local folder and with a
// store of the S3 kind.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import { guardedFetch } from "../../src/adapters/guarded-fetch.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { openS3Storage } from "../../src/adapters/storage-s3.ts";
import { unpacking } from "../../src/adapters/unpacking.ts";
import { jobRunner } from "../../src/jobs/runner.ts";
import { storageClaim } from "../../src/repository/items/storage-claim.ts";
import { storageJobs } from "../../src/repository/items/storage-jobs.ts";
import { ABANDONED_JOB, recordFileJobs } from "../../src/repository/record-files/jobs.ts";
import { mayFetchFrom } from "../../src/repository/record-files/remote-files.ts";
import { PART_MIN_BYTES } from "../../src/storage/limits.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { FAKE_ACCOUNT, startFakeS3 } from "../support/fake-s3.ts";
import type { FilesWorld } from "../support/world/record-files.ts";
import { setUpWorld } from "../support/world.ts";

const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");
const PART = PART_MIN_BYTES;
const PARTS = [new Uint8Array(PART).fill(1), new Uint8Array(PART).fill(2), new Uint8Array(7).fill(3)];
const WHOLE = Buffer.concat(PARTS);
const COMPOSITE = `multipart:${md5(Buffer.from(PARTS.map(md5).join(""), "hex"))}-3-${PART}`;
const inParts = (key: string) => ({
  ...{ key, size: WHOLE.length, transfer: { type: "M", parts: 3, part_size: PART } },
});

type Link = { readonly part: number; readonly url: string; readonly expiration: string };
type Entry = {
  readonly key: string;
  readonly status: string;
  readonly transfer: Record<string, unknown>;
  readonly links: { readonly parts?: readonly Link[]; readonly content?: string };
};
const entriesOf = ({ json }: { readonly json: Record<string, unknown> }) => json.entries as readonly Entry[];
const entryOf = ({ json }: { readonly json: Record<string, unknown> }) => json as unknown as Entry;

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Everything that is due, as a process that runs jobs does it. */
function runJobs(world: FilesWorld, storage: Storage, domains: ReadonlySet<string> = new Set()): Promise<number> {
  const { store, time } = world;
  const clock = { now: () => time.now };
  const rules = { domains, http: true };
  const remote = guardedFetch({
    ...{ mayFetch: (url) => mayFetchFrom(rules, url), maxBytes: 1_000, seconds: 5, redirects: 1, userAgent: "test" },
    ...{ isPublic: (address) => address === "127.0.0.1" },
  });
  const random = platformRandom();
  const claim = storageClaim({ storage, location: "beside_database", items: store.items, store, random });
  const kinds = {
    ...recordFileJobs({ store, storage, remote, maxBytes: 1_000, clock, log: silent }),
    ...storageJobs({
      storage,
      claim,
      hashing: unpacking(),
      items: store.items,
      store,
      clock,
      log: silent,
      sleep: async () => {},
    }),
  };
  return jobRunner({ store, kinds, clock, log: silent, owner: "test" }).runDue();
}

const later = (world: FilesWorld, days: number): void => {
  world.time.now = new Date(Date.parse(world.time.now) + days * 86_400_000).toISOString();
};

describe.each(["the local folder", "a store of the S3 kind"])("files in parts, in %s", (name) => {
  let fake: Awaited<ReturnType<typeof startFakeS3>> | null = null;
  beforeAll(async () => {
    if (name !== "the local folder") fake = await startFakeS3();
  });
  afterAll(() => fake?.stop());
  const world = setUpWorld({
    repository: {
      parts(parts) {
        if (fake === null) return parts;
        const place = { endpoint: fake.endpoint, bucket: "bucket", prefix: "files", pathStyle: true };
        const storage = openS3Storage({ ...FAKE_ACCOUNT, ...place, retryBaseMs: 2 });
        return { ...parts, files: { ...parts.files, storage } };
      },
    },
    recordFiles: true,
  });
  const place = {
    get storage(): Storage {
      return world.parts.files.storage;
    },
  };

  /** As a client sends it: to the address in the links, whosever that is. */
  async function send(link: Link | undefined, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
    const url = new URL(link?.url ?? "");
    if (url.host === "repo.example.org") {
      const headers = { "content-length": String(bytes.length) };
      return (await world.ask("registered", "PUT", url.pathname, { body: bytes, headers })).status;
    }
    const answer = await fetch(url, { method: "PUT", body: bytes });
    await answer.arrayBuffer();
    return answer.status;
  }

  test("S3.6.94 S3.6.95 S3.6.98: parts are sent to their addresses and joined; the checksum is that of the parts, then the MD5", async () => {
    const id = await world.draft("registered");
    const started = await world.register("registered", id, inParts("big.bin"));
    const [entry] = entriesOf(started);
    const expected = [...[201, "pending"], { type: "M", parts: 3, part_size: PART, uploaded_parts: [] }];
    expect([started.status, entry?.status, entry?.transfer]).toEqual(expected);
    expect(Object.keys(entry?.links ?? {})).toEqual(["self", "commit", "parts"]);
    const links = entry?.links.parts ?? [];
    expect(links.map(({ part }) => part)).toEqual([1, 2, 3]);
    expect(links.every(({ expiration }) => Date.parse(expiration) > Date.parse(world.time.now))).toBe(true);
    expect(await send(links[2], PARTS[2] ?? WHOLE)).toBe(200);
    const early = await world.commit("registered", id, "big.bin");
    expect([early.status, early.json]).toEqual([
      400,
      { status: 400, message: "Not all parts were uploaded, got 1 out of 3 parts. Missing: 1, 2." },
    ]);
    // A client that was interrupted sees what is there, and sends a part again.
    const seen = entryOf(await world.json("registered", "GET", world.fileOf(id, "big.bin")));
    expect(seen.transfer.uploaded_parts).toEqual([3]);
    expect(await send(links[0], new Uint8Array(PART).fill(9))).toBe(200);
    expect(await send(seen.links.parts?.[0], PARTS[0] ?? WHOLE)).toBe(200);
    expect(await send(seen.links.parts?.[1], PARTS[1] ?? WHOLE)).toBe(200);
    const done = await world.commit("registered", id, "big.bin");
    expect([done.status, done.json.status, done.json.checksum, done.json.size, done.json.transfer]).toEqual([
      ...[200, "completed", COMPOSITE, WHOLE.length, { type: "L" }],
    ]);
    expect((await world.commit("registered", id, "big.bin")).json.checksum).toBe(COMPOSITE);
    const shown = await world.publish("registered", id);
    const path = `/api/records/${id}/files/big.bin`;
    const bytes = async (): Promise<string> =>
      md5(Buffer.from((await world.ask(null, "GET", `${path}/content`)).text, "utf8"));
    const before = await bytes();
    expect(shown.content?.files.map(({ sha256, md5: known }) => [sha256, known])).toEqual([["", null]]);
    await runJobs(world, place.storage);
    expect((await world.json(null, "GET", path)).json.checksum).toBe(`md5:${md5(WHOLE)}`);
    const [file] = (await world.store.items.item(id))?.content?.files ?? [];
    expect(file?.sha256).toBe(createHash("sha256").update(WHOLE).digest("hex"));
    expect(await bytes()).toBe(before);
    const range = await world.ask(null, "GET", `${path}/content`, { headers: { range: `bytes=${PART * 2 - 1}-` } });
    expect([range.status, range.text]).toEqual([206, `\u0002${"\u0003".repeat(7)}`]);
    expect(range.headers.get("content-range")).toBe(`bytes ${PART * 2 - 1}-${WHOLE.length - 1}/${WHOLE.length}`);
  });

  test("S3.6.94 S3.6.96: what an upload in parts lacks, and parts of the wrong size, are refused", async () => {
    const id = await world.draft("registered");
    const refused = async (file: object): Promise<unknown> => {
      const { status, json } = await world.register("registered", id, { key: "a", ...file });
      return [status, json.message];
    };
    const of = (parts: unknown, part_size?: unknown) => ({ type: "M", parts, part_size });
    const expected = [400, "Multipart file transfer requires parts."];
    expect(await refused({ size: 10, transfer: of(undefined) })).toEqual(expected);
    expect(await refused({ size: 10, transfer: of(0, PART) })).toEqual([
      400,
      "Multipart file transfer requires parts.",
    ]);
    expect(await refused({ transfer: of(1, PART) })).toEqual([400, "Multipart file transfer requires file size."]);
    expect(await refused({ size: 0, transfer: of(1, PART) })).toEqual([
      400,
      "Multipart file transfer requires file size.",
    ]);
    expect(await refused({ size: 2 * PART - 2, transfer: of(2, PART - 1) })).toEqual([
      400,
      `Every part but the last has at least ${PART} bytes, not ${PART - 1}.`,
    ]);
    expect(await refused({ size: 10_001 * PART, transfer: of(10_001, PART) })).toEqual([
      400,
      "A file has at most 10000 parts, not 10001.",
    ]);
    expect(await refused({ size: 2 * PART, transfer: of(3, PART) })).toEqual([
      400,
      `A file of ${2 * PART} bytes has 2 parts of ${PART} bytes, not 3.`,
    ]);
    expect(await refused({ size: 10, transfer: of("x", PART) })).toEqual([400, "A validation error occurred."]);
    expect(await refused({ size: 1e15, transfer: of(10_000, 1e11) })).toEqual([
      400,
      "A part has at most 5368709120 bytes, not 100000000000.",
    ]);
    expect((await world.register("registered", id, { key: "a", size: 5, transfer: of(1, 10) })).status).toBe(201);
    expect(await refused({ size: 1, transfer: of(1, 0) })).toEqual([
      400,
      "Multipart file transfer to local storage requires part_size.",
    ]);
    expect((await world.register("registered", id, { key: "one", size: 1, transfer: of(1, 1) })).status).toBe(201);
    expect((await world.content("registered", id, "a", "12345")).json.message).toBe(
      "Can not set content for multipart file, use the parts instead.",
    );
    if (place.storage.multipart.putPart !== null) {
      const wrong = "Size of this part must be equal to part_size sent in multipart initialization.";
      expect((await world.part("registered", id, "a", 1, "1234")).json).toEqual({ status: 400, message: wrong });
      for (const number of [2, 0, "x", "99999999999"]) {
        expect((await world.part("registered", id, "a", number, "12345")).json.message).toBe(
          "Part number is higher than total parts sent in multipart initialization.",
        );
      }
      expect((await world.part("other", id, "a", 1, "12345")).status).toBe(404);
      expect((await world.part("registered", id, "a", 1, "12345")).status).toBe(200);
      expect((await world.commit("registered", id, "a")).json.size).toBe(5);
    }
    for (const key of ["a", "one"]) {
      expect((await world.json("registered", "DELETE", world.fileOf(id, key))).status).toBe(204);
    }
  });

  test("S3.6.97 R7a: an upload that is given up is gone from the storage, and one that nobody goes on with fails", async () => {
    const id = await world.draft("registered");
    const unfinished = async (): Promise<number> => {
      let count = 0;
      for await (const _ of place.storage.multipart.unfinished("2999-01-01T00:00:00.000Z")) count += 1;
      return count;
    };
    const before = await unfinished();
    await world.register("registered", id, inParts("a"), inParts("b"), inParts("c"), inParts("d"));
    expect(await unfinished()).toBe(before + 4);
    expect((await world.json("registered", "DELETE", world.fileOf(id, "a"))).status).toBe(204);
    expect(await unfinished()).toBe(before + 3);
    const enqueueClearing = () =>
      world.store.transact((tx) => tx.jobs.enqueue({ kind: ABANDONED_JOB, subject: "" }, world.time.now));
    later(world, 13);
    await world.json("registered", "PUT", world.fileOf(id, "c"), { metadata: { still: "wanted" } });
    await enqueueClearing();
    await runJobs(world, place.storage);
    expect(await unfinished()).toBe(before + 3);
    later(world, 2);
    await enqueueClearing();
    await runJobs(world, place.storage);
    const entries = entriesOf(await world.json("registered", "GET", world.filesOf(id)));
    expect(entries.map(({ key, status, transfer }) => [key, status, transfer.error])).toEqual([
      ["b", "failed", "It was given up: nothing came for 14 days"],
      ["c", "pending", undefined],
      ["d", "failed", "It was given up: nothing came for 14 days"],
    ]);
    expect(await unfinished()).toBe(before + 1);
    expect((await world.commit("registered", id, "b")).status).toBe(400);
    expect((await world.json("registered", "DELETE", world.filesOf(id))).status).toBe(204);
    expect(await unfinished()).toBe(before);
  });
});

describe("files that are fetched from an address", () => {
  let server: Server;
  let host = "";
  let storage: Storage;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/secret-file.txt") return void response.end("fetched");
      if (request.url === "/large") return void response.end("x".repeat(1_001));
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  });
  const domains = () => ({
    SVC_FILE_FETCH_DOMAINS: `example.org, usual.example:443, ${host}`,
    SVC_FILE_FETCH_HTTP: "1",
  });
  const world = setUpWorld(() => ({ repository: { env: domains() }, recordFiles: true }));
  beforeAll(() => {
    storage = world.parts.files.storage;
  });
  afterAll(async () => {
    server.close();
  });
  const from = (key: string, url: string) => ({ key, transfer: { type: "F", url } });

  test("S3.6.99: ordinary users receive 403, whatever the address", async () => {
    const id = await world.draft("registered");
    const { status, json } = await world.register("registered", id, from("a", `http://${host}/secret-file.txt`));
    expect([status, json]).toEqual([403, { status: 403, message: "Permission denied." }]);
    expect((await world.register("manager", id, from("a", `http://${host}/x`))).status).toBe(403);
  });

  test("S3.6.100: an address outside the setting is refused by its field, and where nothing is set every one", async () => {
    const id = await world.draft("admin");
    const outside = [
      ...["https://other.example/a", "ftp://example.org/a", "http://127.0.0.1:1/a", "https://usual.example:8443/a"],
      ...["http://usual.example/a", "https://example.org:8443/a", "https://sub.example.org/a"],
    ];
    for (const url of outside) {
      const { status, json } = await world.register("admin", id, from("a", url));
      const errors = [{ field: "0.transfer.uri", messages: ["Domain not allowed"] }];
      expect([status, json]).toEqual([400, { status: 400, message: "A validation error occurred.", errors }]);
    }
    for (const [at, url] of [
      "https://usual.example/a",
      "https://example.org:443/b",
      "http://example.org/c",
    ].entries()) {
      expect([url, (await world.register("admin", id, from(`${at}`, url))).status]).toEqual([url, 201]);
    }
    const wrong = await world.register("admin", id, from("a", "no address"));
    expect(wrong.json.errors).toEqual([{ field: "0.transfer.url", messages: ["Not a valid URL."] }]);
    const missing = await world.register("admin", id, { key: "a", transfer: { type: "F" } });
    expect(missing.json.errors).toEqual([{ field: "0.transfer.url", messages: ["Missing data for required field."] }]);
    const off = world.under({ SVC_FILE_FETCH_DOMAINS: "" });
    const body = JSON.stringify([from("a", "https://example.org/a")]);
    const refused = await off.ask("admin", "POST", world.filesOf(id), { body });
    expect(refused.json.errors).toEqual([{ field: "0.transfer.uri", messages: ["Domain not allowed"] }]);
  });

  test("S3.6.101: pending, then completed; or failed with a reason; the address is shown nowhere", async () => {
    const id = await world.draft("admin");
    const wanted = [
      from("a.txt", `http://${host}/secret-file.txt`),
      from("b", `http://${host}/secret-gone`),
      from("c", `http://${host}/large`),
      { ...from("d", `http://${host}/secret-file.txt`), size: 8 },
      { ...from("e", `http://${host}/secret-file.txt`), size: 7 },
    ];
    const started = await world.register("admin", id, ...wanted);
    const states = (answer: { readonly json: Record<string, unknown> }) =>
      entriesOf(answer).map(({ key, status, transfer }) => [key, status, transfer]);
    const pending = ["pending", { type: "F" }];
    expect(states(started)).toEqual(["a.txt", "b", "c", "d", "e"].map((key) => [key, ...pending]));
    expect((await world.commit("admin", id, "a.txt")).status).toBe(400);
    expect((await world.content("admin", id, "a.txt", "x")).status).toBe(400);
    await runJobs(world, storage, new Set([host]));
    const list = await world.json("admin", "GET", world.filesOf(id));
    expect(states(list)).toEqual([
      ["a.txt", "completed", { type: "L" }],
      ["b", "failed", { type: "F", error: "The other side answers with the status 404" }],
      ["c", "failed", { type: "F", error: "The file has more than 1000 bytes" }],
      ["d", "failed", { type: "F", error: "The file has 7 bytes, not 8 as announced" }],
      ["e", "completed", { type: "L" }],
    ]);
    expect((await world.ask("admin", "GET", `${world.fileOf(id, "a.txt")}/content`)).text).toBe("fetched");
    expect(JSON.stringify([started.json, list.json])).not.toContain("secret-");
    const kept = await world.store.draftFiles.draftFiles(id);
    expect(kept.map(({ transfer }) => transfer)).toEqual(Array(3).fill({ type: "F", url: null }));
  });
});
