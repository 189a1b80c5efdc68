// A deposit of 200 MiB over a real S3 server, from end to end (R7, R7c, R13, R19a, R19b): sent, read in a range, read
// whole, replaced, swept, restored next to it. Minutes of work, so only when asked for: ARKSTONE_TEST_LARGE=1, and
// where that server is installed (test/support/swift.ts).
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { arkstone } from "../support/command-line.ts";
import { depositInstallation, formOf, postDeposit } from "../support/deposit-installation.ts";
import { bagPieces, crateOf } from "../support/package-builder.ts";
import { temporaryFolder } from "../support/processes.ts";
import { keysOn, startSwift } from "../support/swift.ts";
import { zip } from "../support/zip-writer.ts";
import { report } from "./load.ts";

const PREFIX = "large";
const SIZE = 200 * 1024 * 1024;
const LONG_AGO = new Date("2026-01-01T00:00:00.000Z");
const isAsked = process.env.ARKSTONE_TEST_LARGE === "1";

/** Bytes that do not compress, others for each seed. */
function large(seed: number): Uint8Array {
  const bytes = new Uint8Array(SIZE);
  const words = new Uint32Array(bytes.buffer);
  let state = seed;
  for (let at = 0; at < words.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words[at] = state;
  }
  return bytes;
}

const packageOf = (bytes: Uint8Array): Uint8Array =>
  zip(bagPieces({ payload: [{ path: "large.bin", bytes }], crate: crateOf(["large.bin"], { name: "Large" }) }));
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const began = performance.now();
  return [await work(), Math.round(performance.now() - began)];
}

describe.skipIf(!isAsked)("200 MiB over a real S3 server", () => {
  test("R7 R7c R13 R19a R19b sent, read in a range and whole, replaced, swept, and restored next to it", async () => {
    const swift = await startSwift();
    const installation = await depositInstallation("storage-large", swift.env(PREFIX));
    const folder = temporaryFolder("storage-large-restored");
    const server = await installation.start();
    try {
      const token = await installation.setup.client();
      const [one, other] = [large(1), large(2)];
      const [posted, postMs] = await timed(() => postDeposit(server.base, packageOf(one), { token }));
      expect(posted.status).toBe(201);
      const status = String((await posted.json())["@id"]);
      const file = `${server.base}/records/${status.split("/").at(-1)}/files/large.bin`;
      const [range, rangeMs] = await timed(async () => {
        const answer = await fetch(file, { headers: { range: "bytes=150000000-150099999" } });
        return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
      });
      expect([range.status, sha256(range.bytes)]).toEqual([206, sha256(one.subarray(150_000_000, 150_100_000))]);
      const [whole, wholeMs] = await timed(async () => sha256(new Uint8Array(await (await fetch(file)).arrayBuffer())));
      expect(whole).toBe(sha256(one));
      const path = new URL(status).pathname;
      const form = formOf(packageOf(other), { token });
      const [put, putMs] = await timed(() => fetch(`${server.base}${path}`, { method: "PUT", ...form }));
      expect([put.status, (await put.text()).length > 0]).toEqual([200, true]);
      expect(sha256(new Uint8Array(await (await fetch(file)).arrayBuffer()))).toBe(sha256(other));

      const backup = join(folder.path, "backup.gz");
      expect((await arkstone(installation.env, ["backup", backup])).code).toBe(0);
      const [later] = await timed(() => postDeposit(server.base, packageOf(large(3)), { token }));
      expect(later.status).toBe(201);
      const keys = await keysOn(swift, PREFIX);
      for (const key of keys) await swift.age(key, LONG_AGO);
      const sweep = async (env: Readonly<Record<string, string>>) => {
        const result = await arkstone(env, ["storage", "sweep", "--yes", "--json"]);
        return result.code === 0 ? JSON.parse(result.out) : result.err;
      };
      const [swept, sweepMs] = await timed(() => sweep(installation.env));
      expect([swept.removed, keys.length]).toEqual([0, 3]);

      const env = { ...installation.env, SVC_DATA_DIR: folder.path };
      const [restored, restoreMs] = await timed(() => arkstone(env, ["restore", backup]));
      expect(restored.code).toBe(0);
      const [verified, verifyMs] = await timed(() => arkstone(env, ["verify", "--files", "--json"]));
      expect([verified.code, JSON.parse(verified.out.trim().split("\n").at(-1) ?? "").files]).toEqual([
        0,
        { files: 2, bytes: 2 * SIZE, damaged: 0 },
      ]);
      expect(await sweep(env)).toContain("belongs to another database");
      expect(await keysOn(swift, PREFIX)).toEqual(keys);
      expect((await arkstone(env, ["storage", "adopt", "--yes"])).code).toBe(0);
      expect((await sweep(env)).removed).toBe(1);
      expect((await keysOn(swift, PREFIX)).length).toBe(2);
      expect(await sweep(installation.env)).toContain("belongs to another database");
      report("200 MiB over S3", { postMs, rangeMs, wholeMs, putMs, sweepMs, restoreMs, verifyMs });
    } finally {
      await server.kill("SIGTERM");
      await installation.close();
      await swift.stop();
      folder.remove();
    }
  }, 900_000);
});
