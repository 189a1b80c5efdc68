// Deposits whose body does not come, comes in single bytes, or ends with its client, sent over raw sockets to a
// repository in a separate process: each ends in time and leaves nothing behind, on both runtimes (R13; specification
// 2, "Limits").
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { filesBelow } from "../support/deposit-installation.ts";
import { eventually } from "../support/eventually.ts";
import { depositOf, firstSetup, smallCrate } from "../support/first-repository.ts";
import { freePort, type Role, startRole, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("slow-deposits");
const env = { SVC_DATA_DIR: folder.path, SVC_CLIENT_SECONDS: "1" };
const LENGTH = 200_000;

let repository: Role;
let token = "";
beforeAll(async () => {
  token = await firstSetup(env);
  repository = await startRole("repository", env, await freePort());
});
afterAll(async () => {
  await repository?.kill("SIGTERM");
  folder.remove();
});

type Talk = { readonly received: string; readonly ms: number };

/**
 * Sends the head of a deposit and this much of its body, then a byte every 100 ms where it drips, until an answer has
 * come; or leaves at `leaves`.
 */
function talk({ bytes, drips = false, leaves }: { bytes: number; drips?: boolean; leaves?: Promise<unknown> }) {
  const head = [
    "POST /sword/service-document HTTP/1.1",
    "Host: 127.0.0.1",
    `Authorization: Bearer ${token}`,
    "Content-Disposition: attachment; filename=package.zip",
    "Packaging: http://purl.org/net/sword/3.0/package/SimpleZip",
    "Content-Type: application/zip",
    `Content-Length: ${LENGTH}`,
  ];
  return new Promise<Talk>((resolve) => {
    const began = performance.now();
    const socket = connect(repository.port, "127.0.0.1");
    let received = "";
    const end = (): void => {
      clearInterval(dripping);
      socket.destroy();
      resolve({ received, ms: performance.now() - began });
    };
    const dripping = setInterval(() => void (drips && socket.write("a")), 100);
    void leaves?.then(end);
    socket.on("connect", () => socket.write(`${head.join("\r\n")}\r\n\r\n${"a".repeat(bytes)}`));
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
      if (received.includes("timestamp")) end();
    });
    socket.on("error", () => {}).on("close", end);
  });
}

const incoming = (): readonly string[] =>
  filesBelow(join(folder.path, "files", "incoming")).filter((path) => path.endsWith(".part"));

const until = (isSo: () => boolean | Promise<boolean>) => eventually("the repository came so far", isSo);

const inWork = async (): Promise<string | undefined> => {
  const text = await (await fetch(`${repository.base}/metrics`)).text();
  return /^arkstone_deposits_in_work (\d+)$/m.exec(text)?.[1];
};

describe("slow deposits", () => {
  test("R13 a body that stalls, and one that drips, end with 400 in time; nothing stays behind and the next deposit works", async () => {
    const [still, dripping] = await Promise.all([talk({ bytes: 10_000 }), talk({ bytes: 10_000, drips: true })]);
    for (const { received, ms } of [still, dripping]) {
      expect(received).toMatch(/^HTTP\/1.1 400 /);
      expect(received).toContain(
        '"@type":"ContentMalformed","error":"The request body came too slowly: at least 16384 bytes a second are asked for."',
      );
      // A second, and as long as 10 kB take at the least rate.
      expect(ms).toBeGreaterThan(900);
    }
    await until(async () => (await inWork()) === "0");
    expect(incoming()).toEqual([]);
    const { headers, body } = depositOf(token, smallCrate());
    const answer = await fetch(`${repository.base}/sword/service-document`, { method: "POST", headers, body });
    expect([answer.status, (await answer.json()).state[0]["@id"]]).toEqual([
      201,
      "http://purl.org/net/sword/3.0/state/ingested",
    ]);
  });

  test("R13 a client that disconnects in the middle of its body leaves nothing behind", async () => {
    const gone = await talk({ bytes: 50_000, leaves: until(() => incoming().length === 1) });
    expect(gone.received).toBe("");
    await until(async () => incoming().length === 0 && (await inWork()) === "0");
    expect(repository.running()).toBe(true);
  });
});
