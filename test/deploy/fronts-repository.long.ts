// The real nginx and HAProxy with their configurations in deploy/ in front of a repository: packages go through while they come, refusals are
// worded by the repository, and what only the front may set cannot be set by a client (specification 2, "Limits"; R13,
// R19a, R33).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { filesBelow } from "../support/deposit-installation.ts";
import { eventually } from "../support/eventually.ts";
import { depositOf, firstSetup, smallCrate } from "../support/first-repository.ts";
import { type Front, frontsHere, startFront } from "../support/fronts.ts";
import { freePort, type Role, startRole, temporaryFolder } from "../support/processes.ts";

const FRONTS = frontsHere();
const MAX_BYTES = 16 * 1024 * 1024;
const folder = temporaryFolder("front-repository");
const env = {
  SVC_DATA_DIR: join(folder.path, "data"),
  SVC_BASE_URL: "https://repository.example.org",
  SVC_TRUSTED_PROXIES: "1",
  SVC_MAX_UPLOAD_BYTES: String(MAX_BYTES),
};
const BOUNDARY = "------of-the-test";

let repository: Role;
let token = "";

beforeAll(async () => {
  if (FRONTS.length === 0) return;
  token = await firstSetup(env);
  repository = await startRole("repository", env, await freePort());
}, 60_000);
afterAll(async () => {
  if (repository?.running() === true) await repository.kill("SIGTERM");
  folder.remove();
});

describe.each(FRONTS)("the repository behind %s", (program) => {
  let front: Front;
  let base = "";

  beforeAll(async () => {
    const unused = 9;
    const ports = { minter: unused, resolvers: [unused, unused], repository: repository.port } as const;
    front = await startFront(program, folder.path, ports);
    base = `http://127.0.0.1:${front.repositoryPort}`;
  }, 30_000);
  afterAll(() => front?.stop());

  /** Head of a multipart deposit, and its body. */
  function written(archive: Uint8Array): { readonly head: string; readonly body: Uint8Array } {
    const before = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="package.zip"\r\nContent-Type: application/zip\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(before), archive, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
    const head = [
      "POST /sword/service-document HTTP/1.1",
      "Host: repository.example.org",
      "Connection: close",
      `Authorization: Bearer ${token}`,
      "Content-Disposition: attachment; filename=package.zip",
      "Packaging: http://purl.org/net/sword/3.0/package/SimpleZip",
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      `Content-Length: ${body.length}`,
    ];
    return { head: `${head.join("\r\n")}\r\n\r\n`, body };
  }

  test("R13 a package of some MB streams through: it is on the repository's disk before its last byte was sent", async () => {
    const { head, body } = written(smallCrate([{ path: "big.bin", bytes: new Uint8Array(8 * 1024 * 1024).fill(7) }]));
    const half = body.length / 2;
    const socket = await opened(front.repositoryPort);
    const answer = textOf(socket);
    socket.write(head);
    socket.write(body.subarray(0, half));
    const incoming = join(env.SVC_DATA_DIR, "files", "incoming");
    const arrived = (): number =>
      existsSync(incoming)
        ? filesBelow(incoming).reduce((sum, name) => sum + statSync(join(incoming, name)).size, 0)
        : 0;
    // What a socket, nginx and a multipart reader hold back is far less than a half.
    await until(() => arrived() > half / 2);
    socket.write(body.subarray(half));
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1.1 201 /);
    // Addresses are those the public sees.
    expect(text).toContain("https://repository.example.org/sword/deposit/");
  }, 60_000);

  test("R19a a range of a file comes through, and what the file is served with", async () => {
    const { body, headers } = depositOf(token, smallCrate());
    const deposited = await fetch(`${base}/sword/service-document`, { method: "POST", headers, body });
    const { links }: { links: readonly { readonly "@id": string }[] } = await deposited.json();
    const page = new URL(links[0]?.["@id"] ?? "").pathname;
    const answer = await fetch(`${base}${page}/files/a.txt`, { headers: { range: "bytes=4-8" } });
    expect([answer.status, await answer.text(), answer.headers.get("content-range")]).toEqual([
      206,
      "quick",
      "bytes 4-8/20",
    ]);
    expect(answer.headers.get("content-security-policy")).toBe("sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("message 5 a package that is too large is refused by the repository, as a SWORD document, before it was sent", async () => {
    const { head } = written(smallCrate());
    const socket = await opened(front.repositoryPort);
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    // The length alone: no byte of the body follows.
    socket.write(head.replace(/Content-Length: \d+/, `Content-Length: ${MAX_BYTES + 1}`));
    await until(() => text.endsWith("}"));
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(text).toContain('"@type":"MaxUploadSizeExceeded"');
  }, 60_000);

  test("message 5 a package that is too large and is sent all the same gets the same answer", async () => {
    const { body, headers } = depositOf(token, new Uint8Array(MAX_BYTES + 1));
    const answer = await fetch(`${base}/sword/service-document`, { method: "POST", headers, body });
    expect([answer.status, (await answer.json())["@type"]]).toEqual([413, "MaxUploadSizeExceeded"]);
  }, 60_000);

  test("a package that is not allowed for who sends it is refused with the repository's words", async () => {
    const { body, headers } = depositOf("svc_nobody_knows-this-one", smallCrate());
    const answer = await fetch(`${base}/sword/service-document`, { method: "POST", headers, body });
    expect([answer.status, (await answer.json())["@type"]]).toEqual([403, "AuthenticationFailed"]);
  });

  test("R33 cookies are those of a page behind https: for this host alone, never in the open, out of reach of scripts", async () => {
    const page = await fetch(`${base}/account/login`);
    await page.body?.cancel();
    expect([page.status, page.headers.get("set-cookie")]).toEqual([
      200,
      expect.stringMatching(/^__Host-arkstone-form=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  });

  test("R31 answers to harvesters are compressed for clients that accept it, and for no other", async () => {
    const asked = (headers: Readonly<Record<string, string>>) =>
      new Promise<{ readonly encoding: string | undefined; readonly bytes: Buffer }>((resolve, reject) => {
        const url = `${base}/oai?verb=ListMetadataFormats`;
        const request = get(url, { headers: { host: "repository.example.org", ...headers } }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () =>
            resolve({ encoding: response.headers["content-encoding"], bytes: Buffer.concat(chunks) }),
          );
        });
        request.on("error", reject);
      });
    const [small, plain] = [await asked({ "accept-encoding": "gzip" }), await asked({})];
    expect([small.encoding, plain.encoding]).toEqual(["gzip", undefined]);
    expect(small.bytes.length).toBeLessThan(plain.bytes.length);
    expect(gunzipSync(small.bytes).toString()).toContain("jpcoar_2.0");
  });

  test("the address of the caller is set by the front alone, and metrics are not public", async () => {
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.9" };
    const answer = await fetch(`${base}/sword/service-document`, { headers });
    await answer.body?.cancel();
    const line = `"request_id":"${answer.headers.get("x-request-id")}"`;
    await until(() => repository.errors().includes(line));
    expect(repository.errors()).not.toContain("203.0.113.9");
    for (const path of ["/metrics", "/x/../metrics", "//metrics", "/%6detrics"]) {
      const text = await (await fetch(`${base}${path}`)).text();
      expect([path, text.includes("arkstone_")]).toEqual([path, false]);
    }
  });
});

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Everything that comes until the other side closes. */
function textOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    socket.on("error", () => {}).once("close", () => resolve(text));
  });
}

const until = (isSo: () => boolean) => eventually("it is so", isSo);
