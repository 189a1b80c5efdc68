// A repository whose files are in a real S3 server (R7c, R13, R19b): deposits, downloads, readiness, checks and
// commands while that server is killed or hangs, starts with wrong settings, drills in parallel with the service.
// Skipped in one line where that server is not installed (test/support/swift.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { openStorage } from "../../src/main/storage.ts";
import { arkstone } from "../support/command-line.ts";
import { type DepositInstallation, depositInstallation, postDeposit } from "../support/deposit-installation.ts";
import { eventually } from "../support/eventually.ts";
import { bagPieces, crateOf } from "../support/package-builder.ts";
import { freePort, type Role, startRole, arkstone as startToEnd, temporaryFolder } from "../support/processes.ts";
import { hasSwift, keysOn, type Swift, startSwift } from "../support/swift.ts";
import { zip } from "../support/zip-writer.ts";

const PREFIX = "repository";
const LONG_AGO = new Date("2026-01-01T00:00:00.000Z");

const packageOf = (title: string, sizeBytes = 50_000): Uint8Array => {
  const payload = [{ path: "data.bin", bytes: new Uint8Array(sizeBytes).fill(title.length) }];
  return zip(bagPieces({ payload, crate: crateOf(["data.bin"], { name: title }) }));
};

const until = (isTrue: () => Promise<boolean>) => eventually("the repository came so far", isTrue, { everyMs: 50 });

if (hasSwift) {
  describe("a repository over a real S3 server", () => {
    let swift: Swift;
    let installation: DepositInstallation;
    let server: Role;
    let token = "";
    const folder = temporaryFolder("storage-away");
    const readiness = async () => {
      const answer = await fetch(`${server.base}/readyz`, { signal: AbortSignal.timeout(25_000) });
      return { status: answer.status, text: await answer.text() };
    };

    beforeAll(async () => {
      swift = await startSwift();
      installation = await depositInstallation("storage-away", { ...swift.env(PREFIX), SVC_LOG_LEVEL: "info" });
      server = await installation.start();
      token = await installation.setup.client();
    }, 240_000);
    beforeEach(async () => {
      await until(async () => (await readiness()).status === 200);
    });
    afterAll(async () => {
      await server.kill("SIGTERM");
      await installation.close();
      await swift.stop();
      folder.remove();
    });

    test("R7c an empty bucket is marked at the start, before the first deposit, and the deposit is under the prefix", async () => {
      const answer = await postDeposit(server.base, packageOf("First"), { token });
      expect(answer.status).toBe(201);
      expect((await keysOn(swift, PREFIX)).length).toBe(1);
      const result = await arkstone(installation.env, ["storage", "show", "--json"]);
      expect(JSON.parse(result.out)).toMatchObject({ belongs: "ours", swept: true, storage: `s3://bucket/${PREFIX}` });
    });

    test("R6b R7c R13 R19b while the store is away deposits and downloads are 503 with Retry-After, /readyz and `verify --files` blame the store, and a patient client is registered once when it is back", async () => {
      const first = await postDeposit(server.base, packageOf("Before"), { token });
      const item = String((await first.json())["@id"])
        .split("/")
        .at(-1);
      const file = `${server.base}/records/${item}/files/data.bin`;
      const path = join(folder.path, "patient.zip");
      writeFileSync(path, packageOf("Patient"));
      await swift.kill();
      const sending = arkstone({ ARKSTONE_TOKEN: token, ARKSTONE_URL: server.base }, ["deposit", path]);
      try {
        const began = performance.now();
        const [deposited, downloaded, verified] = await Promise.all([
          postDeposit(server.base, packageOf("Away"), { token }),
          fetch(file),
          arkstone(installation.env, ["verify", "--files"]),
          until(async () => (await readiness()).status === 503),
        ]);
        const took = performance.now() - began;
        expect([deposited.status, downloaded.status]).toEqual([503, 503]);
        expect([deposited.headers.get("retry-after"), downloaded.headers.get("retry-after")]).toEqual(["10", "10"]);
        expect(await deposited.text()).toContain("The storage of files does not answer at the moment");
        await downloaded.body?.cancel();
        expect(took).toBeGreaterThanOrEqual(20_000);
        const { text } = await readiness();
        expect(text).toContain("Files cannot be stored: ");
        expect(text).not.toContain("testing");
        expect([verified.code, verified.out]).toEqual([1, ""]);
        expect(verified.err).toContain("the store cannot be reached");
        expect(verified.err).not.toContain("database");
      } finally {
        await swift.start();
      }
      const result = await sending;
      expect([result.code, result.err]).toEqual([0, expect.stringContaining("The storage of files does not answer")]);
      const again = await fetch(file);
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([200, 50_000]);
      const found = await installation.sql<{ n: number }>("select count(*) as n from item where title = 'Patient'");
      expect(Number(found[0]?.n)).toBe(1);
    }, 240_000);

    test("R7c R13 a store that hangs makes the process not ready in time, and a deposit waits and is kept when it goes on", async () => {
      swift.hang();
      const deposited = postDeposit(server.base, packageOf("Hung"), { token });
      await until(async () => (await readiness()).status === 503).finally(swift.goOn);
      expect((await deposited).status).toBe(201);
    }, 240_000);

    test("R7c R19b `verify --files` with wrong credentials or bucket reports it, and blames neither the database nor a file", async () => {
      const wrong = await arkstone({ ...installation.env, SVC_S3_SECRET_ACCESS_KEY: "wrong" }, ["verify", "--files"]);
      expect([wrong.code, wrong.out]).toEqual([1, ""]);
      expect(wrong.err).toContain("SVC_S3_SECRET_ACCESS_KEY");
      expect(wrong.err).not.toContain("database");
      const bucket = await arkstone({ ...installation.env, SVC_STORAGE: "s3://elsewhere/x" }, ["verify", "--files"]);
      expect([bucket.code, bucket.out, bucket.err]).toEqual([
        1,
        "",
        expect.stringContaining("there is no such bucket"),
      ]);
      expect((await arkstone(installation.env, ["verify", "--files"])).code).toBe(0);
    }, 240_000);

    test.each([
      [{ SVC_S3_SECRET_ACCESS_KEY: "wrong" }, "SVC_S3_SECRET_ACCESS_KEY"],
      [{ SVC_S3_REGION: "eu-west-9" }, "SVC_S3_REGION"],
      [{ SVC_STORAGE: "s3://elsewhere/x" }, "there is no such bucket, see SVC_STORAGE"],
    ] as const)("R7c a start with %p ends with the cause in one line", async (wrong, cause) => {
      const own = temporaryFolder("storage-start");
      const env = { ...installation.env, SVC_DATA_DIR: own.path, ...wrong, SVC_PORT: String(await freePort()) };
      for (const role of ["repository", "worker"]) {
        const { code, errors } = await startToEnd([role], env);
        const last = errors.trim().split("\n").at(-1) ?? "";
        expect([code, last]).toEqual([1, expect.stringContaining(cause)]);
        expect(last).toContain("Cannot use the storage s3://");
      }
      own.remove();
    });

    test("R7c a start while the store is away goes on without it: not ready, then ready", async () => {
      const own = temporaryFolder("storage-late");
      await swift.kill();
      let isBack = false;
      const env = { ...installation.env, ...swift.env("late"), SVC_DATA_DIR: own.path };
      const port = await freePort();
      const statuses: number[] = [];
      const late = await startRole("repository", env, port, {
        ready: async () => {
          const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
            (answer) => answer.status,
            () => 0,
          );
          if (status !== 0) statuses.push(status);
          if (status === 503 && !isBack) {
            isBack = true;
            await swift.start();
          }
          return status === 200;
        },
      });
      expect(late.errors()).toContain("storage_away");
      expect([statuses[0], statuses.at(-1)]).toEqual([503, 200]);
      await late.kill("SIGTERM");
      own.remove();
    }, 60_000);

    test("R7c a drill in parallel with the service, with the service's bucket, removes nothing, reports it, and the service goes on", async () => {
      const keys = await keysOn(swift, PREFIX);
      for (const key of keys) await swift.age(key, LONG_AGO);
      const backup = join(folder.path, "drill.gz");
      expect((await arkstone(installation.env, ["backup", backup])).code).toBe(0);
      const later = await postDeposit(server.base, packageOf("After the backup"), { token });
      expect(later.status).toBe(201);
      const all = await keysOn(swift, PREFIX);
      for (const key of all) await swift.age(key, LONG_AGO);
      for (const name of ["restored", "empty"] as const) {
        const own = temporaryFolder(`storage-${name}`);
        const env = { ...installation.env, SVC_DATA_DIR: own.path };
        if (name === "restored") expect((await arkstone(env, ["restore", backup])).code).toBe(0);
        const drill = await startRole("repository", env, await freePort());
        await until(async () => drill.errors().includes("storage_not_swept"));
        expect(drill.errors()).toContain("belongs to another database");
        await drill.kill("SIGTERM");
        const refused = await arkstone(env, ["storage", "sweep", "--yes"]);
        expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("belongs to another database")]);
        expect((await arkstone(env, ["storage", "adopt"])).code).toBe(1);
        own.remove();
      }
      expect(await keysOn(swift, PREFIX)).toEqual(all);
      const swept = await arkstone(installation.env, ["storage", "sweep", "--yes", "--json"]);
      expect(JSON.parse(swept.out)).toMatchObject({ looked: all.length, named_by_nothing: 0, removed: 0 });
    }, 240_000);

    test("R7c after a restore the storage is adopted: what the backup does not name is reported, and goes only then", async () => {
      const own = temporaryFolder("storage-adopted");
      const env = { ...installation.env, ...swift.env("adopted"), SVC_DATA_DIR: own.path };
      expect((await arkstone(env, ["migrate"])).code).toBe(0);
      const { storage } = await openStorage(readConfig(env), "command");
      const { key } = await storage.put(once(new Uint8Array(10)));
      await swift.age(key, LONG_AGO);
      const asked = await arkstone(env, ["storage", "adopt"]);
      expect([asked.code, asked.err]).toEqual([1, expect.stringContaining("1 file would be removed")]);
      expect((await arkstone(env, ["storage", "adopt", "--yes"])).code).toBe(0);
      const swept = await arkstone(env, ["storage", "sweep", "--yes", "--json"]);
      expect(JSON.parse(swept.out)).toMatchObject({ removed: 1, aborted_uploads: 0 });
      own.remove();
    }, 60_000);

    test("R13 a second process on the same data takes nothing from the first, whatever becomes of it", async () => {
      const slow = postDeposit(server.base, packageOf("Parallel", 8_000_000), { token });
      const second = await startRole("repository", installation.env, await freePort());
      await second.kill("SIGKILL");
      const third = await startToEnd(["repository"], { ...installation.env, SVC_PORT: String(installation.port) });
      expect([third.code, (await slow).status]).toEqual([1, 201]);
    }, 60_000);
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}
