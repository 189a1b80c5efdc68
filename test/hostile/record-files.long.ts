// What strangers do to files of records over real sockets (R9a, R13, R37): bodies that break off or lie about their
// length, two who write one file at once, commits that race; and uploads of many gigabytes with bounded memory (slow
// ring).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type DepositInstallation, depositInstallation } from "../support/deposit-installation.ts";
import { FAKE_ACCOUNT, startFakeS3 } from "../support/fake-s3.ts";
import { type FilesClient, filesClient, md5Of } from "../support/files-client.ts";
import type { Role } from "../support/processes.ts";
import { inSlowRing } from "../support/slow-ring.ts";

const MIB = 1024 * 1024;
let installation: DepositInstallation;
let server: Role;
let client: FilesClient;
let token = "";
beforeAll(async () => {
  installation = await depositInstallation("hostile-record-files");
  token = await installation.setup.client();
  server = await installation.start();
  client = filesClient(() => server.base, token);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  await installation.close();
});

/** Sends these bytes and returns what came until the other side closed, or nothing came any more. */
function raw(text: string, { endAfterMs = 300 } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
    });
    socket.on("error", () => {});
    socket.once("close", () => resolve(received));
    setTimeout(() => socket.destroy(), endAfterMs);
  });
}

const head = (path: string, ...more: readonly string[]): string =>
  [`PUT ${path} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${token}`, ...more, "", ""].join("\r\n");

describe("hostile uploads", () => {
  test("S3.6.85: a body that breaks off, is shorter or longer than declared, leaves nothing, and is sent again", async () => {
    const id = await client.draft("Broken");
    await client.register(id, { key: "a" });
    const path = `${client.filesOf(id)}/a/content`;
    await raw(`${head(path, "Content-Length: 1000000")}too short`);
    await raw(`${head(path, "Transfer-Encoding: chunked")}5\r\nhello\r\n`);
    await raw(`${head(path, "Transfer-Encoding: chunked")}zz\r\nhello\r\n`);
    await raw(head(path, "Content-Length: -5"));
    const huge = await raw(head(path, "Content-Length: 999999999999999"));
    expect(huge).toContain(" 413 ");
    expect(huge).toContain("File size limit exceeded.");
    await sleep(100);
    expect((await client.commit(id, "a")).status).toBe(400);
    expect((await client.ask("GET", `${client.filesOf(id)}/a`)).json).toMatchObject({ status: "pending" });
    expect((await client.content(id, "a", new TextEncoder().encode("whole"))).status).toBe(200);
    expect((await client.commit(id, "a")).json.checksum).toBe(`md5:${md5Of("whole")}`);
    expect((await installation.leftovers()).files.filter((file) => /incoming\/.*\.part$/.test(file))).toEqual([]);
  });

  test("S3.6.80: of two who write one file at once each is whole, and of many commits one completes it", async () => {
    const id = await client.draft("Two");
    await client.register(id, { key: "a" });
    const bodies = [1, 2, 3, 4].map((value) => new Uint8Array(3 * MIB).fill(value));
    const sent = await Promise.all(bodies.map((bytes) => client.content(id, "a", bytes)));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const commits = await Promise.all(bodies.map(() => client.commit(id, "a")));
    expect(new Set(commits.map(({ status, json }) => `${status} ${json.checksum}`)).size).toBe(1);
    expect(bodies.map((bytes) => `md5:${md5Of(bytes)}`)).toContain(String(commits[0]?.json.checksum));
    const { json } = await client.ask("GET", client.filesOf(id));
    expect(json.entries).toHaveLength(1);
    // Registered by many at once, a key is one's.
    const registered = await Promise.all(bodies.map(() => client.register(id, { key: "b" })));
    expect(registered.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  });

  test("S3.6.84: keys that try to leave their place name no file of the disk", async () => {
    const id = await client.draft("Paths");
    for (const key of ["..%2f..%2fetc%2fpasswd", "%2e%2e%2f%2e%2e", "a%00b", "%", "%ff", "%c0%ae%c0%ae"]) {
      const answer = await raw(
        `GET ${client.filesOf(id)}/${key}/content HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      );
      expect([key, /^HTTP\/1\.1 (400|404) /.test(answer)]).toEqual([key, true]);
    }
  });
});

/** Most memory the process has had, in MiB; null where the system does not state. */
function peakMib({ pid }: Role): number | null {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return line === undefined ? null : Number(line) / 1024;
  } catch {
    return null;
  }
}

describe.skipIf(!inSlowRing)("large uploads", () => {
  test("S3.6.105: 1 GiB in parts straight to a store of the S3 kind, read by the job and by a reader, with less than 160 MiB", async () => {
    const fake = await startFakeS3({ pageSize: 1_000 });
    const place = {
      SVC_STORAGE: "s3://bucket/files",
      SVC_S3_ENDPOINT: fake.endpoint,
      SVC_S3_REGION: FAKE_ACCOUNT.region,
    };
    const keys = {
      SVC_S3_ACCESS_KEY_ID: FAKE_ACCOUNT.accessKeyId,
      SVC_S3_SECRET_ACCESS_KEY: FAKE_ACCOUNT.secretAccessKey,
    };
    const far = await depositInstallation("hostile-record-files-s3", { ...place, ...keys });
    const farServer = await far.start();
    try {
      const farToken = await far.setup.client();
      const farClient = filesClient(() => farServer.base, farToken);
      const [PART, COUNT] = [64 * MIB, 16];
      const id = await farClient.draft("Large and far");
      const transfer = { type: "M", parts: COUNT, part_size: PART };
      const { json } = await farClient.register(id, { key: "large.bin", size: COUNT * PART, transfer });
      const [entry] = json.entries as readonly { links: { parts: readonly { url: string }[] } }[];
      const whole = createHash("md5");
      for (const [index, { url }] of (entry?.links.parts ?? []).entries()) {
        const bytes = new Uint8Array(PART).fill(index);
        whole.update(bytes);
        expect((await fetch(url, { method: "PUT", body: bytes })).status).toBe(200);
      }
      expect((await farClient.commit(id, "large.bin")).status).toBe(200);
      const md5 = `md5:${whole.digest("hex")}`;
      const shown = async () => (await farClient.ask("GET", `${farClient.filesOf(id)}/large.bin`)).json.checksum;
      for (let waited = 0; waited < 300 && (await shown()) !== md5; waited += 1) await sleep(1000);
      expect(await shown()).toBe(md5);
      const read = createHash("md5");
      const headers = { authorization: `Bearer ${farToken}` };
      const answer = await fetch(`${farServer.base}${farClient.filesOf(id)}/large.bin/content`, { headers });
      for await (const bytes of answer.body ?? []) read.update(bytes);
      expect(`md5:${read.digest("hex")}`).toBe(md5);
      const peak = peakMib(farServer);
      console.log(JSON.stringify({ peakMibS3: peak }));
      expect(peak ?? 0).toBeLessThan(160);
    } finally {
      await farServer.kill("SIGTERM");
      await far.close();
      await fake.stop();
    }
  }, 900_000);

  test("S3.6.105: 5 GiB in parts through the local folder, joined, hashed and read again with less than 160 MiB", async () => {
    const PART = 64 * MIB;
    const COUNT = 80;
    const part = new Uint8Array(PART);
    const fill = (number: number): Uint8Array => {
      part.fill(number);
      return part;
    };
    const id = await client.draft("Large");
    const transfer = { type: "M", parts: COUNT, part_size: PART };
    expect((await client.register(id, { key: "large.bin", size: COUNT * PART, transfer })).status).toBe(201);
    const [whole, composite] = [createHash("md5"), createHash("md5")];
    for (let number = 1; number <= COUNT; number += 1) {
      const bytes = fill(number);
      whole.update(bytes);
      composite.update(Buffer.from(md5Of(bytes), "hex"));
      expect((await client.part(id, "large.bin", number, bytes)).status).toBe(200);
    }
    const done = await client.commit(id, "large.bin");
    expect([done.status, done.json.checksum]).toEqual([200, `multipart:${composite.digest("hex")}-${COUNT}-${PART}`]);
    const md5 = `md5:${whole.digest("hex")}`;
    for (let waited = 0; waited < 600; waited += 1) {
      if ((await client.ask("GET", `${client.filesOf(id)}/large.bin`)).json.checksum === md5) break;
      await sleep(1000);
    }
    expect((await client.ask("GET", `${client.filesOf(id)}/large.bin`)).json.checksum).toBe(md5);
    const read = createHash("md5");
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${server.base}${client.filesOf(id)}/large.bin/content`, { headers });
    for await (const bytes of answer.body ?? []) read.update(bytes);
    expect(`md5:${read.digest("hex")}`).toBe(md5);
    const peak = peakMib(server);
    console.log(JSON.stringify({ peakMib: peak }));
    expect(peak ?? 0).toBeLessThan(160);
  }, 1_800_000);
});
