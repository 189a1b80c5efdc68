// The storage in a store of the S3 kind: the contract, and what is its own (R7, R7a): signatures, parts, presigned
// addresses, stumbles.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { openS3Storage, type S3StorageNeeds } from "../../src/adapters/storage-s3.ts";
import { openWorkFolder } from "../../src/adapters/work-folder.ts";
import type { DirectStorage } from "../../src/storage/storage.ts";
import { eventually } from "../support/eventually.ts";
import { FAKE_ACCOUNT, type Fault, startFakeS3 } from "../support/fake-s3.ts";
import { temporaryFolder } from "../support/processes.ts";
import { multipartContract } from "./multipart-contract.ts";
import { collect, pieces, storageContract } from "./storage-contract.ts";

type Fake = Awaited<ReturnType<typeof startFakeS3>>;
const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

function needsOf(fake: Fake, more: Partial<S3StorageNeeds> = {}): S3StorageNeeds {
  const place = { endpoint: fake.endpoint, bucket: "bucket", prefix: "a/b", pathStyle: true };
  return { ...FAKE_ACCOUNT, ...place, retryBaseMs: 2, ...more };
}

storageContract("storage in an S3 store, small parts", async () => {
  const fake = await startFakeS3();
  const folder = temporaryFolder("storage-s3");
  return {
    incoming: await openWorkFolder(folder.path),
    storage: openS3Storage(needsOf(fake, { partBytes: 65_536 })),
    age: (key, at) => {
      const object = fake.objects.get(`a/b/${key}`);
      if (object !== undefined) object.modified = at;
    },
    leftovers: () => [...fake.uploads.keys(), ...readdirSync(folder.path)],
    stop: async () => {
      folder.remove();
      await fake.stop();
    },
  };
});

multipartContract("uploads in parts in an S3 store", async () => {
  const fake = await startFakeS3();
  return { storage: openS3Storage(needsOf(fake)), stop: () => fake.stop() };
});

function directOf(fake: Fake, more: Partial<S3StorageNeeds> = {}): DirectStorage {
  const { direct } = openS3Storage(needsOf(fake, more));
  if (direct === null) throw new Error("an S3 store takes direct uploads");
  return direct;
}

/** An upload that was begun, with the addresses of its parts. */
async function begun(direct: DirectStorage, sizeBytes: number, partBytes: number) {
  const upload = await direct.startMultipart(sizeBytes, partBytes);
  return { ...upload, parts: await direct.presignParts(upload) };
}

let fake: Fake;
beforeAll(async () => {
  fake = await startFakeS3();
});
afterAll(async () => {
  await fake.stop();
});
beforeEach(() => {
  fake.objects.clear();
  fake.uploads.clear();
  fake.faults.length = 0;
  fake.calls.length = 0;
  fake.setClock(() => new Date());
});
const stumble = (fault: Omit<Fault, "times">, times = 1): void => void fake.faults.push({ ...fault, times });

describe("an S3 store", () => {
  test("R7a keys are random and are under the prefix: the same bytes twice are two objects", async () => {
    const storage = openS3Storage(needsOf(fake));
    const [one, two] = [await storage.put(pieces(10, 1)), await storage.put(pieces(10, 1))];
    expect(one.key === two.key).toBe(false);
    expect([...fake.objects.keys()].sort()).toEqual([`a/b/${one.key}`, `a/b/${two.key}`].sort());
    expect(fake.calls.every((call) => call.startsWith("PUT "))).toBe(true);
  });

  test("R7 objects of others in the bucket are neither listed nor reached", async () => {
    const storage = openS3Storage(needsOf(fake));
    const others = openS3Storage(needsOf(fake, { prefix: "a/bc" }));
    await others.put(pieces(10, 1));
    fake.objects.set("a/b/notes & <more>.txt", { bytes: new Uint8Array(1), etag: '"x"', modified: new Date(0) });
    const { key } = await storage.put(pieces(10, 1));
    const keys: string[] = [];
    for await (const each of storage.keys(new Date(Date.now() + DAY_MS).toISOString())) keys.push(each.key);
    expect(keys).toEqual([key]);
  });

  test.each([
    [{ secretAccessKey: "another" }, "403 SignatureDoesNotMatch"],
    [{ accessKeyId: "AKIDOTHER" }, "403 InvalidAccessKeyId"],
    [{ region: "eu-test-2" }, "403 AuthorizationHeaderMalformed"],
    [{ bucket: "other" }, "404 NoSuchBucket"],
  ])("R7 the wrong settings %j are a clear refusal that tells no secret", async (more, response) => {
    const outcome = await openS3Storage(needsOf(fake, more))
      .put(pieces(10, 1))
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({ name: "StorageProblem", kind: "refused" });
    expect(String(outcome)).toContain(response);
    expect(String(outcome)).not.toContain(FAKE_ACCOUNT.secretAccessKey);
  });

  test.each(["ftp://store.example", "https://store.example/path", "https://user@store.example", "store", ""])(
    "the endpoint %j is refused at once",
    (endpoint) => {
      expect(() => openS3Storage(needsOf(fake, { endpoint }))).toThrow(endpoint);
    },
  );

  test("a clock that is wrong is a refusal, not a wait", async () => {
    const storage = openS3Storage(needsOf(fake, { now: () => new Date(Date.now() - DAY_MS) }));
    await expect(storage.put(pieces(10, 1))).rejects.toThrow("RequestTimeTooSkewed");
  });
});

describe("an S3 store that stumbles", () => {
  test.each([500, 503, "hang", { cutAfter: 0 }] as const)("R7 a PUT is tried again after %j", async (does) => {
    stumble({ method: "PUT", does }, 2);
    const storage = openS3Storage(needsOf(fake, does === "hang" ? { timeoutMs: 300 } : {}));
    const { key } = await storage.put(pieces(1000, 10));
    expect(await collect((await storage.read(key))?.stream ?? [])).toEqual(await collect(pieces(1000, 10)));
  });

  test.each([500, "hang"] as const)(
    "R7 R7c after the patience with %j, not before, the store does not answer",
    async (does) => {
      stumble({ method: "PUT", does }, 10_000);
      const began = performance.now();
      const outcome = await openS3Storage(needsOf(fake, { timeoutMs: 100, retryBaseMs: 50, patienceMs: 600 }))
        .put(pieces(10, 1))
        .catch((error: unknown) => error);
      const took = performance.now() - began;
      expect(outcome).toMatchObject({ name: "StorageProblem", kind: "unavailable" });
      expect(fake.calls.length).toBeGreaterThan(1);
      expect(took).toBeGreaterThanOrEqual(600);
    },
  );

  test("R7c a wait that would last longer than patience ends with it, with one attempt more", async () => {
    stumble({ method: "PUT", does: 503 }, 10_000);
    const storage = openS3Storage(needsOf(fake, { retryBaseMs: 2_000, patienceMs: 200 }));
    const began = performance.now();
    await expect(storage.put(pieces(10, 1))).rejects.toThrow("2 times");
    expect(performance.now() - began).toBeGreaterThanOrEqual(200);
  });

  test("R7c who waits no more ends the wait between two attempts", async () => {
    const { key } = await openS3Storage(needsOf(fake)).put(pieces(10, 1));
    stumble({ method: "HEAD", does: 503 }, 10_000);
    const left = new AbortController();
    const reading = openS3Storage(needsOf(fake, { retryBaseMs: 600_000, patienceMs: 600_000 }))
      .read(key, undefined, left.signal)
      .catch((error: unknown) => error);
    await eventually("the first attempt", () => fake.calls.some((call) => call.startsWith("HEAD")));
    setTimeout(() => left.abort(), 50);
    expect(await reading).toMatchObject({ name: "StorageProblem", kind: "unavailable" });
  });

  test("R7 a read goes on where the connection was cut", async () => {
    const storage = openS3Storage(needsOf(fake));
    const { key, sha256 } = await storage.put(pieces(2_000_000, 50_000));
    const read = await storage.read(key, { first: 10, last: 1_999_990 });
    for (const cutAfter of [100_000, 5, 1_000_000]) stumble({ method: "GET", does: { cutAfter } });
    stumble({ method: "GET", does: 503 });
    const got = await collect(read?.stream ?? []);
    expect(Buffer.compare(got, (await collect(pieces(2_000_000, 50_000))).subarray(10, 1_999_991))).toBe(0);
    expect([fake.calls.length, sha256.length]).toEqual([7, 64]);
  });

  test("R7 a read is never continued with another object's bytes", async () => {
    const storage = openS3Storage(needsOf(fake));
    const { key } = await storage.put(pieces(100_000, 1000));
    const read = await storage.read(key);
    fake.objects.set(`a/b/${key}`, { bytes: new Uint8Array(100_000), etag: '"other"', modified: new Date() });
    await expect(collect(read?.stream ?? [])).rejects.toThrow("412 PreconditionFailed");
  });

  test("R7 a read of a store that is gone ends with an error", async () => {
    const storage = openS3Storage(needsOf(fake, { patienceMs: 300 }));
    const { key } = await storage.put(pieces(100_000, 1000));
    const read = await storage.read(key);
    stumble({ method: "GET", does: { cutAfter: 10 } });
    stumble({ method: "GET", does: 500 }, 10_000);
    await expect(collect(read?.stream ?? [])).rejects.toThrow("Cannot read on from byte 10");
  });

  test("R7 a redirect is not followed: only the configured endpoint is contacted", async () => {
    stumble({ method: "PUT", does: "redirect" });
    await expect(openS3Storage(needsOf(fake)).put(pieces(10, 1))).rejects.toThrow("names another place");
    expect(fake.calls.length).toBe(1);
  });

  test("R7 a store that answers 200 with a failure in the body keeps nothing, and the upload is ended", async () => {
    stumble({ method: "POST", holds: "uploadId", does: "late-error" });
    const storage = openS3Storage(needsOf(fake, { partBytes: 1000 }));
    await expect(storage.put(pieces(5000, 10))).rejects.toThrow("InternalError");
    expect([fake.objects.size, fake.uploads.size]).toEqual([0, 0]);
  });

  test.each([501, 505] as const)("R7c a store that cannot do something (%d) is not asked again", async (does) => {
    stumble({ method: "PUT", does }, 100);
    const outcome = await openS3Storage(needsOf(fake))
      .put(pieces(10, 1))
      .catch((error: unknown) => error);
    expect([outcome, fake.calls.length]).toEqual([expect.objectContaining({ kind: "refused" }), 1]);
  });

  test("R7c a file of 1,000 times the smallest part goes into at most 900 parts, also where its size is not known", async () => {
    const storage = openS3Storage(needsOf(fake, { partBytes: 100 }));
    for (const options of [{ sizeBytes: 100_000 }, { maxBytes: 100_000 }]) {
      fake.calls.length = 0;
      const { key } = await storage.put(pieces(100_000, 5_000), options);
      const parts = fake.calls.filter((call) => call.includes("partNumber=")).length;
      expect([parts <= 900, parts > 800]).toEqual([true, true]);
      expect((await storage.stat(key))?.sizeBytes).toBe(100_000);
    }
    await expect(directOf(fake).startMultipart(10_001 * 5 * MIB, 5 * MIB)).rejects.toThrow(
      "10001 parts: 10000 are possible",
    );
  });

  test.each([
    [403, "AccessDenied"],
    [403, "RequestTimeTooSkewed"],
    [404, "NoSuchBucket"],
  ])("R7c a HEAD that is refused with %d asks why, and reports %s", async (_status, code) => {
    const wrong = {
      AccessDenied: {},
      RequestTimeTooSkewed: { now: () => new Date(Date.now() - DAY_MS) },
      NoSuchBucket: { bucket: "other" },
    }[code];
    const { key } = await openS3Storage(needsOf(fake)).put(pieces(10, 1));
    if (code === "AccessDenied") for (const method of ["HEAD", "GET"]) stumble({ method, does: 403 });
    const outcome = await openS3Storage(needsOf(fake, wrong))
      .stat(key)
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({ name: "StorageProblem", kind: "refused" });
    expect(String(outcome)).toContain(code === "AccessDenied" ? "403 Injected" : code);
  });

  test("R7 a completion whose answer was lost counts", async () => {
    const storage = openS3Storage(needsOf(fake, { partBytes: 1000 }));
    stumble({ method: "POST", holds: "uploadId", does: { cutAfter: 0 } });
    const { key } = await storage.put(pieces(5000, 10));
    expect((await storage.stat(key))?.sizeBytes).toBe(5000);
  });
});

describe("direct uploads", () => {
  const send = async (url: string, body: Uint8Array<ArrayBuffer>): Promise<number> => {
    const answer = await fetch(url, { method: "PUT", body });
    await answer.arrayBuffer();
    return answer.status;
  };

  test("R7 R7a parts go to presigned addresses without our credentials, and are joined when all are there", async () => {
    const direct = directOf(fake);
    const { parts, ...upload } = await begun(direct, 12 * MIB, 5 * MIB);
    expect(parts.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(upload.key).not.toContain("/");
    expect(await direct.completeMultipart(upload)).toEqual({ completed: false, missing: [1, 2, 3], wrongSize: [] });
    for (const { number, url } of parts.toReversed()) {
      expect(await send(url, new Uint8Array(number === 3 ? 2 * MIB : 5 * MIB).fill(number))).toBe(200);
    }
    const [second] = (await direct.presignParts(upload)).slice(1);
    expect(await send(second?.url ?? "", new Uint8Array(MIB))).toBe(200);
    expect(await direct.completeMultipart(upload)).toEqual({ completed: false, missing: [], wrongSize: [2] });
    expect(await send(second?.url ?? "", new Uint8Array(5 * MIB).fill(2))).toBe(200);
    expect((await direct.listParts(upload))?.map(({ number, sizeBytes }) => [number, sizeBytes / MIB])).toEqual([
      [1, 5],
      [2, 5],
      [3, 2],
    ]);
    const md5 = (data: Uint8Array): string => createHash("md5").update(data).digest("hex");
    const md5s = [5, 5, 2].map((size, index) => md5(new Uint8Array(size * MIB).fill(index + 1)));
    const composite = md5(Buffer.from(md5s.join(""), "hex"));
    const done = { completed: true, sizeBytes: 12 * MIB, composite } as const;
    expect([await direct.completeMultipart(upload), await direct.completeMultipart(upload)]).toEqual([done, done]);
    expect(await direct.listParts(upload)).toBe(null);
    const whole = fake.objects.get(`a/b/${upload.key}`)?.bytes;
    expect([whole?.length, whole?.[0], whole?.[5 * MIB], whole?.[11 * MIB]]).toEqual([12 * MIB, 1, 2, 3]);
  });

  test("R7 a presigned address is good for its own request, and until it expires", async () => {
    const direct = directOf(fake);
    const { parts } = await begun(direct, 10, 5 * MIB);
    const url = parts[0]?.url ?? "";
    expect(Date.parse(parts[0]?.expiresAt ?? "") - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
    expect(await send(url.replace("partNumber=1", "partNumber=2"), new Uint8Array(10))).toBe(403);
    expect((await fetch(url, { method: "GET" })).status).toBe(403);
    fake.setClock(() => new Date(Date.now() + 6.9 * DAY_MS));
    expect(await send(url, new Uint8Array(10))).toBe(200);
    fake.setClock(() => new Date(Date.now() + 7.1 * DAY_MS));
    expect(await send(url, new Uint8Array(10))).toBe(403);
  });

  test("R7 a presigned GET gives the bytes under the headers it was made for", async () => {
    const { key } = await openS3Storage(needsOf(fake)).put(pieces(100, 10));
    const shown = {
      contentType: "text/plain",
      contentDisposition: `attachment; filename*=UTF-8''%E7%A0%94%E7%A9%B6.txt`,
    };
    const answer = await fetch(await directOf(fake).presignGet(key, { expiresSeconds: 60, ...shown }));
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 100]);
    expect([answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual(
      Object.values(shown),
    );
  });

  test("R7a an aborted upload is gone, and aborting it again is nothing", async () => {
    const direct = directOf(fake);
    const { parts, ...upload } = await begun(direct, 10, 5 * MIB);
    await send(parts[0]?.url ?? "", new Uint8Array(10));
    await direct.abortMultipart(upload);
    await direct.abortMultipart(upload);
    expect([fake.uploads.size, await direct.listParts(upload)]).toEqual([0, null]);
    expect(await direct.completeMultipart(upload)).toEqual({ completed: false, gone: true });
  });

  test("R7a uploads never ended are found by their age, all pages of them", async () => {
    const direct = directOf(fake);
    fake.setClock(() => new Date(Date.now() - 2 * DAY_MS + 1000));
    const old = await Promise.all(
      [1, 2, 3, 4, 5].map(() =>
        directOf(fake, { now: () => new Date(Date.now() - 2 * DAY_MS) }).startMultipart(10, 10),
      ),
    );
    fake.setClock(() => new Date());
    await direct.startMultipart(10, 10);
    const found: string[] = [];
    for await (const { uploadId } of direct.unfinished(new Date(Date.now() - DAY_MS).toISOString()))
      found.push(uploadId);
    expect(found.sort()).toEqual(old.map(({ uploadId }) => uploadId).sort());
  });

  test.each([
    [10 * MIB, MIB, "parts of 1048576 bytes"],
    [60_000 * MIB, 5 * MIB, "12000 parts"],
    [6 * 1024 * MIB, 6 * 1024 * MIB, "parts of 6442450944 bytes"],
    [-1, 5 * MIB, "-1 bytes"],
    [1.5, 5 * MIB, "1.5 bytes"],
    [10, 0, "parts of 0"],
  ])("an upload of %d bytes in parts of %d is refused before anything is asked", async (size, part, response) => {
    await expect(directOf(fake).startMultipart(size, part)).rejects.toThrow(response);
    expect(fake.calls).toEqual([]);
  });
});
