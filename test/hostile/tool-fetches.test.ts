// Addresses that a caller has the repository fetch (R30; specification 3, upload_file_from_url): none leads to what
// only this machine or its network reaches, however it is written, wherever it leads on to, whatever the name resolves
// to the second time.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { guardedFetch } from "../../src/adapters/guarded-fetch.ts";
import { mayFetchFrom } from "../../src/repository/record-files/remote-files.ts";
import { METADATA } from "../support/record-calls.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { setUpWorld } from "../support/world.ts";

/** Addresses of this machine, its network, its cloud, and those that carry one of them. */
const INSIDE = [
  ...["127.0.0.1", "127.8.9.10", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"],
  ...[
    "198.18.0.1",
    "192.0.2.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%lo",
    "fc00::1",
    "fd00:ec2::254",
  ],
  ...[
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
  ],
  ...["2002:7f00:1::", "2001:0:7f00:1::", "ff02::1", "2001:db8::1", "", "localhost", "1.2.3", "1.2.3.4.5"],
];
/** Ways to write 127.0.0.1, 169.254.169.254 and ::1 in an address. */
const SPELLED = [
  ...["http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://017700000001/", "http://127.1/"],
  ...["http://0177.0.0.01/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[0:0:0:0:0:ffff:7f00:1]/"],
  ...["http://2852039166/", "http://169.254.169.254./", "http://127.0.0.1./", "http://①②⑦.0.0.1/", "http://0/"],
];

describe("R30 addresses that are fetched", () => {
  let server: Server;
  let port = 0;
  let connections = 0;
  let draft = "";

  const world = setUpWorld({ repository: { env: { SVC_FILE_FETCH_DOMAINS: "files.example.org,127.0.0.1" } } });
  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.on("error", () => {});
      socket.once("data", () => socket.end("HTTP/1.1 302 Found\r\nLocation: /secret\r\nContent-Length: 0\r\n\r\n"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
    const made = await toolCalls(world).call("admin", "create_record", { metadata: METADATA, files: true });
    draft = made.structuredContent.id;
  });
  afterAll(async () => {
    server.close();
  });

  /** As jobs fetch, with names that resolve as a test sets; every host may be asked. */
  const remote = (resolve: (host: string) => Promise<readonly string[]>, redirects = 3) =>
    guardedFetch({ mayFetch: () => true, maxBytes: 1_000, seconds: 5, redirects, userAgent: "test", resolve });
  const open = (address: string, resolve: (host: string) => Promise<readonly string[]> = async () => []) =>
    remote(resolve).open(address, AbortSignal.timeout(5_000));

  test("S3.7.172: hosts, ports and schemes that are not set are refused by the field, whatever is around them", async () => {
    const { call } = toolCalls(world);
    for (const url of [
      ...[
        "http://files.example.org/a",
        "ftp://files.example.org/a",
        "file:///etc/passwd",
        "gopher://files.example.org/",
      ],
      ...[
        "data:text/plain,a",
        "javascript:alert(1)",
        "https://files.example.org:8443/a",
        "https://files.example.org./a",
      ],
      ...[
        "https://files.example.org@evil.example/",
        "https://evil.example/files.example.org",
        "https://evil.example#files.example.org",
      ],
      ...[
        "https://files.example.org.evil.example/",
        "https://evilfiles.example.org/",
        "https://evil.example\\@files.example.org/",
      ],
      ...[
        "https://xfiles.example.org",
        "//files.example.org/a",
        "files.example.org/a",
        "",
        " ",
        `https://${"a".repeat(1_990)}`,
      ],
      ...SPELLED,
    ]) {
      const { isError, structuredContent } = await call("admin", "upload_file_from_url", {
        recid: draft,
        filename: "a",
        url,
      });
      expect([url, isError, structuredContent.error.status]).toEqual([url, true, 400]);
      const refused = await call("registered", "upload_file_from_url", {
        recid: draft,
        filename: "a",
        url: url || "x",
      });
      expect([url, refused.isError, [400, 403, 404].includes(refused.structuredContent.error.status)]).toEqual([
        url,
        true,
        true,
      ]);
    }
    const rules = { domains: new Set(["files.example.org"]), http: false };
    expect(mayFetchFrom(rules, new URL("https://FILES.example.org:443/a"))).toBe(true);
    const { structuredContent } = await call("admin", "list_files", { recid: draft, draft: true });
    expect(structuredContent.total).toBe(0);
  });

  test("S3.7.173: a name that resolves to an address inside, alone or among others, is not connected to", async () => {
    for (const address of INSIDE) {
      for (const addresses of [
        [address],
        ["93.184.215.14", address],
        [address, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
      ]) {
        await expect(open(`http://files.example.org:${port}/`, async () => addresses)).rejects.toThrow(
          "not on the public network",
        );
      }
    }
    for (const url of SPELLED) {
      const { host } = new URL(url);
      await expect(open(`http://${host}:${port}/`, async () => ["127.0.0.1"])).rejects.toThrow(
        "not on the public network",
      );
    }
    await expect(open(`http://files.example.org:${port}/`)).rejects.toThrow("not known");
    expect(connections).toBe(0);
  });

  test("S3.7.174: a redirect inside is not followed, and a name that means another address the second time is connected to by the first", async () => {
    const asked: string[] = [];
    const guarded = guardedFetch({
      ...{ mayFetch: () => true, maxBytes: 1_000, seconds: 5, redirects: 3, userAgent: "test" },
      // The first look is let through, as a public address would be; what comes then is judged as it is.
      isPublic: (address) => address === "127.0.0.1" && asked.length <= 1,
      async resolve(host) {
        asked.push(host);
        return ["127.0.0.1"];
      },
    });
    const before = connections;
    await expect(guarded.open(`http://files.example.org:${port}/`, AbortSignal.timeout(5_000))).rejects.toThrow(
      "not on the public network",
    );
    // Once for the address, once for where it leads on to: nothing is looked up again between the look and the
    // connection.
    expect([asked, connections - before]).toEqual([["files.example.org", "files.example.org"], 1]);
    const strict = guardedFetch({
      ...{
        maxBytes: 1_000,
        seconds: 5,
        redirects: 3,
        userAgent: "test",
        isPublic: () => true,
        resolve: async () => ["127.0.0.1"],
      },
      mayFetch: ({ pathname }) => pathname !== "/secret",
    });
    await expect(strict.open(`http://files.example.org:${port}/`, AbortSignal.timeout(5_000))).rejects.toThrow(
      "A redirect leads to a domain that is not allowed",
    );
  });
});
