// The storage in a real store of the S3 kind (R7, R7a, R7c): the contract, what a real server refuses and why, and
// faults (killed, hung, slow, a wrong clock). Skipped in one line where that server is not installed
// (test/support/swift.ts).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openS3Storage } from "../../src/adapters/storage-s3.ts";
import { openWorkFolder } from "../../src/adapters/work-folder.ts";
import { StorageProblem } from "../../src/storage/limits.ts";
import type { DirectStorage } from "../../src/storage/storage.ts";
import { temporaryFolder } from "../support/processes.ts";
import { hasSwift, type Swift, startSwift } from "../support/swift.ts";
import { collect, pieces, storageContract } from "./storage-contract.ts";

const DAY_MS = 86_400_000;
/** Longer than any test: what ends sooner was ended by something else. */
const NEVER_MS = 10 * 60_000;

async function problemOf(work: Promise<unknown>): Promise<StorageProblem> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof StorageProblem) return error;
  throw new Error(`no StorageProblem but ${error}`);
}

/** What each is refused with, and how long it took. */
async function inTurn(asked: readonly (() => Promise<unknown>)[]) {
  const refused: { readonly kind: string; readonly ms: number }[] = [];
  for (const ask of asked) {
    const began = performance.now();
    const { kind } = await problemOf(ask());
    refused.push({ kind, ms: performance.now() - began });
  }
  return refused;
}

async function unfinishedOn(direct: DirectStorage | null): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key } of direct?.unfinished(new Date(Date.now() + DAY_MS).toISOString()) ?? []) found.push(key);
  return found;
}

if (hasSwift) {
  storageContract("storage in OpenStack Swift, parts of 2 MiB", async () => {
    const server = await startSwift();
    const folder = temporaryFolder("storage-swift");
    const storage = openS3Storage(server.needs("a/b", { partBytes: 2 * 1024 * 1024 }));
    return {
      incoming: await openWorkFolder(folder.path),
      storage,
      age: (key, at) => server.age(key, at),
      leftovers: async () => [...(await unfinishedOn(storage.direct)), ...readdirSync(folder.path)],
      stop: async () => {
        folder.remove();
        await server.stop();
      },
    };
  });

  describe("a real store", () => {
    let swift: Swift;
    beforeAll(async () => {
      swift = await startSwift();
    }, 180_000);
    afterAll(async () => {
      await swift.stop();
    });

    test.each([
      [{ accessKeyId: "test:other" }, "see SVC_S3_ACCESS_KEY_ID"],
      [{ secretAccessKey: "wrong" }, "SVC_S3_SECRET_ACCESS_KEY"],
      [{ region: "eu-west-9" }, "SVC_S3_REGION"],
      [{ bucket: "elsewhere" }, "there is no such bucket, see SVC_STORAGE"],
      [{ now: () => new Date(Date.now() - DAY_MS) }, "its clock and the clock of this machine differ"],
    ])("R7c wrong settings %p are the store's own reason in every call, not a missing file", async (wrong, answer) => {
      const { key } = await openS3Storage(swift.needs("wrong")).put(pieces(10, 1));
      const storage = openS3Storage(swift.needs("wrong", wrong));
      const asked = [
        storage.probe({ write: true, withinMs: 5_000 }),
        storage.stat(key),
        storage.read(key),
        storage.remove(key),
        storage.readMarker(),
        storage.put(pieces(10, 1)),
        collect([]).then(async () => {
          for await (const each of storage.keys(new Date().toISOString())) throw new Error(each.key);
        }),
      ];
      for (const problem of await Promise.all(asked.map(problemOf))) {
        expect([problem.kind, problem.message]).toEqual(["refused", expect.stringContaining(answer)]);
        expect(problem.message).not.toContain("testing");
      }
    });

    test("R7c the mark is written and read, and is not a key", async () => {
      const storage = openS3Storage(swift.needs("marked"));
      expect(await storage.readMarker()).toBe(null);
      await storage.writeMarker("one");
      await storage.writeMarker("two");
      await storage.probe({ write: true, withinMs: 5_000 });
      expect(await storage.readMarker()).toBe("two");
      for await (const { key } of storage.keys("9999-01-01T00:00:00.000Z")) throw new Error(key);
    });

    test("R7 a store that was killed is waited for: a put and a read go on when it is back", async () => {
      const storage = openS3Storage(swift.needs("killed", { partBytes: 65_536, patienceMs: NEVER_MS }));
      const { key } = await storage.put(pieces(500_000, 10_000));
      const read = await storage.read(key);
      await swift.kill();
      const [put, got] = [storage.put(pieces(400_000, 10_000), { sizeBytes: 400_000 }), collect(read?.stream ?? [])];
      await sleep(500);
      await swift.start();
      expect((await got).length).toBe(500_000);
      expect((await storage.stat((await put).key))?.sizeBytes).toBe(400_000);
    }, 180_000);

    test("R7c patience with refused connections ends, and never lasts longer than the caller's", async () => {
      await swift.kill();
      try {
        const patient = openS3Storage(swift.needs("gone", { patienceMs: NEVER_MS }));
        const asked = [
          () => patient.probe({ write: true, withinMs: 300 }),
          () => patient.read("0".repeat(40), undefined, AbortSignal.timeout(300)),
          () => openS3Storage(swift.needs("gone", { patienceMs: 1_500 })).stat("0".repeat(40)),
        ];
        const [probe, read, stat] = await inTurn(asked);
        expect([probe?.kind, read?.kind, stat?.kind]).toEqual(["unavailable", "unavailable", "unavailable"]);
        expect(stat?.ms).toBeGreaterThanOrEqual(1_500);
      } finally {
        await swift.start();
      }
    }, 180_000);

    test("R7c a store that hangs is given up in the time the caller has, and works again afterwards", async () => {
      const { key } = await openS3Storage(swift.needs("hung")).put(pieces(1000, 10));
      swift.hang();
      try {
        const asked = [
          () => openS3Storage(swift.needs("hung", { timeoutMs: NEVER_MS })).probe({ write: true, withinMs: 300 }),
          () => openS3Storage(swift.needs("hung", { timeoutMs: 300, patienceMs: 500 })).stat(key),
        ];
        expect((await inTurn(asked)).map(({ kind }) => kind)).toEqual(["unavailable", "unavailable"]);
      } finally {
        swift.goOn();
      }
      expect((await openS3Storage(swift.needs("hung")).stat(key))?.sizeBytes).toBe(1000);
    }, 180_000);

    test("R7 a slow store is waited for", async () => {
      const slow = await slowWire(swift.endpoint, 60);
      const storage = openS3Storage(
        swift.needs("slow", { endpoint: slow.endpoint, partBytes: 65_536, timeoutMs: 3_000 }),
      );
      const { key, sizeBytes } = await storage.put(pieces(300_000, 10_000));
      expect((await collect((await storage.read(key))?.stream ?? [])).length).toBe(sizeBytes);
      await slow.stop();
    }, 180_000);
  });
}

/** Passes everything on, each piece with a delay. */
async function slowWire(endpoint: string, delayMs: number) {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    from.on("data", (chunk) => {
      setTimeout(() => to.write(chunk), delayMs);
    });
    from.on("error", () => to.destroy());
    from.on("close", () => setTimeout(() => to.destroy(), delayMs));
    sockets.add(from);
  };
  const server = createServer((near) => {
    const far = connect(Number(new URL(endpoint).port), "127.0.0.1");
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
