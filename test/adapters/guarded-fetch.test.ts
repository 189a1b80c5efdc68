// Files fetched from addresses that a caller names (src/adapters/guarded-fetch.ts; R37): where they may lie, what the
// other side may do to us.
import { afterAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createSecureServer } from "node:tls";
import { type GuardedFetchNeeds, guardedFetch } from "../../src/adapters/guarded-fetch.ts";
import { mayFetchFrom } from "../../src/repository/record-files/remote-files.ts";
import { isPublicAddress } from "../../src/shared/http/public-address.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("guarded-fetch");
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  folder.remove();
});

type Played = (head: string, socket: Socket) => void;
const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    servers.push(server);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(address === null || typeof address === "string" ? 0 : address.port);
    });
  });
/** A server that answers every request with what is played, byte by byte as it likes. */
const serving = (play: Played): Promise<number> => listening(createServer(onRequest(play)));
const onRequest = (play: Played) => (socket: Socket) => {
  socket.on("error", () => {});
  socket.once("data", (head) => play(head.toString("latin1"), socket));
};
const saying =
  (...texts: readonly string[]): Played =>
  (_, socket) =>
    socket.end(texts.join(""));

const ANYWHERE: GuardedFetchNeeds = {
  mayFetch: () => true,
  ...{ maxBytes: 1_000_000, seconds: 20, redirects: 2, userAgent: "test" },
  ...{ isPublic: () => true, resolve: async () => ["127.0.0.1"] },
};

async function fetched(url: string, needs: Partial<GuardedFetchNeeds> = {}): Promise<string> {
  const { pieces } = await guardedFetch({ ...ANYWHERE, ...needs }).open(url, new AbortController().signal);
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

describe("files that are fetched", () => {
  test("S3.6.101: a body of known length, in chunks, and up to the end of the connection", async () => {
    const bodies = [
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n",
      "HTTP/1.0 200 OK\n\nhello",
      "HTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, and more",
    ];
    for (const body of bodies) expect(await fetched(`http://a.example:${await serving(saying(body))}/x`)).toBe("hello");
    const empty = await serving(saying("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    expect(await fetched(`http://a.example:${empty}/`)).toBe("");
  });

  test("S3.6.102: the address that was checked is the one connected to, under the name that was asked for", async () => {
    let asked = "";
    const port = await serving((head, socket) => {
      asked = head;
      saying("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")("", socket);
    });
    const answers = [["127.0.0.1"], ["192.0.2.1"]];
    let looked = 0;
    // The name means another address the second time: nobody asks a second time.
    const resolve = async () => answers[looked++] ?? [];
    const url = `http://me:se%20cret@rebinding.example:${port}/a%20b?c=d#e`;
    expect(await fetched(url, { resolve })).toBe("ok");
    expect(looked).toBe(1);
    expect(asked.split("\r\n").slice(0, 2)).toEqual(["GET /a%20b?c=d HTTP/1.1", `Host: rebinding.example:${port}`]);
    expect(asked).toContain(`Authorization: Basic ${Buffer.from("me:se cret").toString("base64")}\r\n`);
  });

  test.each([
    ["http://127.0.0.1/", []],
    ["http://[::1]:8000/", []],
    ["http://0x7f.1/", []],
    ["http://2130706433/", []],
    ["http://[::ffff:10.0.0.1]/", []],
    ["http://inside.example/", ["10.1.2.3"]],
    ["http://both.example/", ["93.184.216.34", "169.254.169.254"]],
    ["http://six.example/", ["2606:4700::1111", "fd00::1"]],
    ["http://mapped.example/", ["::ffff:192.168.1.1"]],
    ["http://nat64.example/", ["64:ff9b::7f00:1"]],
    ["http://carrier.example/", ["100.64.1.1"]],
    ["http://many.example/", ["224.0.0.1"]],
  ])("S3.6.102: %s, which resolves to %j, is on no public network", async (url, addresses) => {
    const needs = { isPublic: isPublicAddress, resolve: async () => addresses };
    await expect(fetched(url, needs)).rejects.toThrow("The host is not on the public network");
  });

  test("S3.6.102: every redirect is an address like the first: its host must be allowed, and public", async () => {
    const target = await serving(saying("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    const to = (location: string) =>
      serving(saying(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`));
    const start = await to(`http://b.example:${target}/there`);
    expect(await fetched(`http://a.example:${start}/`)).toBe("ok");
    const rules = { domains: new Set([`a.example:${start}`]), http: true };
    await expect(
      fetched(`http://a.example:${start}/`, { mayFetch: (url) => mayFetchFrom(rules, url) }),
    ).rejects.toThrow("A redirect leads to a domain that is not allowed");
    const inside = {
      isPublic: (address: string) => address === "127.0.0.1",
      resolve: async (host: string) => (host === "a.example" ? ["127.0.0.1"] : ["10.0.0.1"]),
    };
    await expect(fetched(`http://a.example:${start}/`, inside)).rejects.toThrow("not on the public network");
    const file = await to("file:///etc/passwd");
    const only = (url: URL) => mayFetchFrom({ domains: new Set(["", `a.example:${file}`]), http: true }, url);
    await expect(fetched(`http://a.example:${file}/`, { mayFetch: only })).rejects.toThrow("not allowed");
  });

  test("S3.6.102: the credentials of an address are sent along redirects of its host, and to no other", async () => {
    const heads: string[] = [];
    const other = await serving((head, socket) => {
      heads.push(head);
      saying("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")("", socket);
    });
    const port = await serving((head, socket) => {
      heads.push(head);
      const next = head.startsWith("GET /first ") ? "/second" : `http://b.example:${other}/`;
      saying(`HTTP/1.1 302 Found\r\nLocation: ${next}\r\nContent-Length: 0\r\n\r\n`)("", socket);
    });
    expect(await fetched(`http://user:secret@a.example:${port}/first`)).toBe("ok");
    const basic = Buffer.from("user:secret").toString("base64");
    expect(heads.map((head) => head.includes(basic))).toEqual([true, true, false]);
  });

  test("S3.6.103: redirects, bytes and time have limits", async () => {
    let requests = 0;
    const port = await serving((head, socket) => {
      requests += 1;
      const port = /Host: a.example:(\d+)/.exec(head)?.[1];
      saying(`HTTP/1.1 301 Moved\r\nLocation: http://a.example:${port}/\r\n\r\n`)("", socket);
    });
    await expect(fetched(`http://a.example:${port}/`)).rejects.toThrow("There are more than 2 redirects");
    expect(requests).toBe(3);
    const largePort = await serving(saying("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n"));
    await expect(fetched(`http://a.example:${largePort}/`)).rejects.toThrow("The file has more than 1000000 bytes");
    const endless = await serving((_, socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const write = (): void => void (socket.destroyed || socket.write("x".repeat(65_536), () => setImmediate(write)));
      write();
    });
    await expect(fetched(`http://a.example:${endless}/`)).rejects.toThrow("The file has more than 1000000 bytes");
    const silent = await serving(() => {});
    await expect(fetched(`http://a.example:${silent}/`, { seconds: 0.2 })).rejects.toThrow("did not answer in time");
    const dripping = await serving((_, socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.once("close", () => clearInterval(timer));
    });
    await expect(fetched(`http://a.example:${dripping}/`, { seconds: 0.3 })).rejects.toThrow(/in time|too long/);
    const closed = await serving(() => {});
    for (const server of servers.splice(-1)) server.close();
    await expect(fetched(`http://a.example:${closed}/`)).rejects.toThrow("cannot be connected to");
  });

  test.each([
    ["HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "The other side answers with the status 404"],
    ["HTTP/1.1 206 Partial\r\nContent-Length: 0\r\n\r\n", "The other side answers with the status 206"],
    ["HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx", "in an encoding"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "The connection broke off"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", "The connection broke off"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "The connection broke off"],
    ["HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "does not answer as HTTP"],
    ["SSH-2.0-OpenSSH_9\r\n", "does not answer as HTTP"],
    [`HTTP/1.1 200 OK\r\nX: ${"y".repeat(70_000)}\r\n\r\n`, "does not answer as HTTP"],
    ["HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n", "A redirect leads nowhere"],
    ["", "does not answer as HTTP"],
  ])("S3.6.101: %j is not a file: %s", async (answer, message) => {
    const port = await serving(saying(answer));
    await expect(fetched(`http://a.example:${port}/`)).rejects.toThrow(message);
  });

  test("S3.6.102: over https the certificate must be that of the name, whatever the address", async () => {
    const [key, cert] = [join(folder.path, "key.pem"), join(folder.path, "cert.pem")];
    try {
      const names = ["-subj", "/CN=a.example", "-addext", "subjectAltName=DNS:a.example"];
      const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
      execFileSync("openssl", ["req", ...made, ...names, "-keyout", key, "-out", cert], { stdio: "ignore" });
    } catch {
      return console.log("without openssl the certificates of fetched files are not tried");
    }
    const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      onRequest(saying("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))(socket);
    });
    server.on("tlsClientError", () => {});
    const port = await listening(server);
    const ca = readFileSync(cert, "utf8");
    expect(await fetched(`https://a.example:${port}/`, { ca })).toBe("ok");
    await expect(fetched(`https://b.example:${port}/`, { ca })).rejects.toThrow("cannot be connected to");
    await expect(fetched(`https://a.example:${port}/`)).rejects.toThrow("cannot be connected to");
  });
});

test.each([
  ["https://example.org/a", true],
  ["https://EXAMPLE.org:443/a", true],
  ["https://example.org:8443/a", false],
  ["https://data.example.org:8443/a", true],
  ["https://data.example.org/a", false],
  ["http://example.org/a", false],
  ["https://sub.example.org/a", false],
  ["https://example.org.evil.example/a", false],
  ["https://example.org@evil.example/a", false],
  ["ftp://example.org/a", false],
  ["https://usual.example/a", true],
  ["https://usual.example:443/a", true],
  ["https://usual.example:8443/a", false],
  ["https://usual.example:80/a", false],
  ["http://usual.example/a", false],
  ["https://data.example.org:443/a", false],
])("S3.6.100: %s is allowed: %p", (url, allowed) => {
  const domains = new Set(["example.org", "data.example.org:8443", "usual.example:443"]);
  expect(mayFetchFrom({ domains, http: false }, new URL(url))).toBe(allowed);
  expect(mayFetchFrom({ domains: new Set(), http: true }, new URL(url))).toBe(false);
});

test.each([
  ["http://plain.example/a", true],
  ["http://plain.example:80/a", true],
  ["http://plain.example:8080/a", false],
  ["https://plain.example/a", false],
  ["http://secure.example/a", false],
  ["https://secure.example/a", true],
  ["http://any.example:443/a", false],
  ["http://any.example/a", true],
  ["https://any.example/a", true],
])("S3.6.100: %s is allowed where http is, with the port of its scheme: %p", (url, allowed) => {
  const domains = new Set(["plain.example:80", "secure.example:443", "any.example"]);
  expect(mayFetchFrom({ domains, http: true }, new URL(url))).toBe(allowed);
});
