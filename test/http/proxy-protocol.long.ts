// Connections that begin with a PROXY header (docs/front.md): whose address counts, what is refused, TLS after it, on
// real sockets and behind the real HAProxy.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { readConfig, type ServerRole } from "../../src/config.ts";
import { FastListener } from "../../src/main/lane/fast-lane.ts";
import type { CertificateKeys } from "../../src/main/process/certificate.ts";
import { startRole } from "../../src/main/process/role-process.ts";
import type { ServeOptions } from "../../src/main/process/serve.ts";
import { rng } from "../hostile/generate.ts";
import { arkstone } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { findFront, runFront } from "../support/fronts.ts";
import { freePort, provision, temporaryFolder } from "../support/processes.ts";
import { binaryHeader } from "../support/proxy-headers.ts";
import { exchange, hasLane, type LaneWorld, laneWorld, timeless } from "../support/world/lane.ts";
import { CLIENT, dialAfter, dialTls, HEADER, hourCertificate, ownTransports } from "../support/world/transports.ts";

const made: LaneWorld[] = [];
/** A resolver whose connections begin with a header; `seen`: addresses of requests, `refused`: why connections ended. */
async function proxied(more: Partial<ServeOptions> = {}, env: Readonly<Record<string, string>> = {}) {
  const seen: string[] = [];
  const refused: (readonly [address: string, reason: string])[] = [];
  const proxyHeaders = { refused: (address: string, reason: string): void => void refused.push([address, reason]) };
  const one = await laneWorld(env, { proxyHeaders, ...more }, (handler) => (request, peer) => {
    seen.push(peer.addressOf(request));
    return handler(request, peer);
  });
  made.push(one);
  return { ...one, port: one.lane.port, seen, refused };
}
afterAll(async () => void (await Promise.all(made.map((each) => each.stop()))));

const get = (target: string, ...fields: string[]): string =>
  `GET ${target} HTTP/1.1\r\n${["Host: a", ...fields].map((field) => `${field}\r\n`).join("")}\r\n`;
const PLAIN = get("/ark:99999/b1a");
const LAST = get("/healthz", "Connection: close");
const STREAM = `${PLAIN}${get("/ark:99999/b1a?")}${PLAIN}${LAST}`;
const statuses = (bytes: string): string => [...bytes.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => code).join();

describe.skipIf(!hasLane)("Q.276 a PROXY header", () => {
  test("passes the caller's address; requests after it are answered as ever, in and without TLS", async () => {
    const straight = await laneWorld();
    made.push(straight);
    const expected = timeless(await exchange(straight.lane.port, [STREAM]));
    const six = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x17];
    for (const certificate of [null, await hourCertificate()]) {
      const { port, seen, counts, refused } = await proxied({ certificate });
      for (const [header, address] of [
        [HEADER, CLIENT],
        ["PROXY TCP6 2001:DB8::17 ::1 1 2\r\n", "2001:db8::17"],
        [binaryHeader({ address: [198, 51, 100, 9], values: "v".repeat(4000) }), "198.51.100.9"],
        [binaryHeader({ family: 0x21, address: six }), "2001:db8::17"],
        ["PROXY UNKNOWN\r\n", "127.0.0.1"],
        [binaryHeader({ command: 0x20, address: [192, 0, 2, 9] }), "127.0.0.1"],
      ] as const) {
        const before = counts.fast;
        const dial = certificate === null ? dialAfter(header) : dialTls(dialAfter(header));
        const through = await exchange(port, [STREAM], { dial });
        expect([header, timeless(through)]).toEqual([header, expected]);
        expect([header, counts.fast - before, seen.splice(0)]).toEqual([header, 2, [address, address]]);
      }
      expect(refused).toEqual([]);
    }
  });

  test("may come cut at every byte, with and without the bytes after it", async () => {
    const { port, seen } = await proxied();
    const text = HEADER + get("/ark:99999/b1a??", "Connection: close");
    const binary = binaryHeader({ address: [192, 0, 2, 7], values: "\xea\x00\x02vv" }) + text.slice(HEADER.length);
    for (const whole of [text, binary]) {
      const expected = timeless(await exchange(port, [whole]));
      expect(expected).toStartWith("HTTP/1.1 200 ");
      const cuts = Array.from({ length: whole.length - 1 }, (_, at) => [whole.slice(0, at + 1), whole.slice(at + 1)]);
      const heard = await Promise.all([[...whole], ...cuts].map((parts) => exchange(port, parts)));
      expect(new Set(heard.map(timeless))).toEqual(new Set([expected]));
      expect(new Set(seen.splice(0))).toEqual(new Set([CLIENT]));
    }
  });

  test("Q.277 that is missing or wrong ends the connection at once: nothing is answered, nothing is handled", async () => {
    for (const certificate of [null, await hourCertificate()]) {
      const { port, counts, refused } = await proxied({ certificate });
      const wrong = [
        ...[STREAM, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "\r\n\r\n", "PROXY TCP4 1.2.3.4\r\n"],
        ...[
          `PROXY ${"x".repeat(200)}`,
          binaryHeader({ length: 65_535 }),
          binaryHeader({ command: 0x22 }),
          `X${HEADER}`,
        ],
      ];
      for (const start of wrong) {
        const { bytes, end } = await exchange(port, [start + STREAM]);
        expect([start, bytes, end]).toEqual([start, "", "reset"]);
      }
      expect(refused.map(([address]) => address)).toEqual(wrong.map(() => "127.0.0.1"));
      // No byte of a stranger gets into the log.
      for (const [, reason] of refused) expect(reason).toMatch(/^[a-zA-Z0-9 ,]+$/);
      expect(counts).toEqual({ fast: 0, handled: 0 });
    }
  });

  test("Q.277 that does not end has the time of a first head; a connection that is only tried is not reported", async () => {
    const refused: string[] = [];
    const listener = new FastListener({
      ...{ lane: null, host: "127.0.0.1", port: 0, sharePort: false, firstSeconds: 1, idleSeconds: 1 },
      inner: { port: 9, close: async () => {}, cut: async () => {}, pending: () => 0 },
      mayOpen: () => true,
      proxyHeaders: { refused: (address, reason) => void refused.push(`${address} ${reason}`) },
    });
    const { port } = listener;
    const part = binaryHeader({ address: [1, 2, 3, 4], values: "v".repeat(1000) }).slice(0, 500);
    const slow = await dialAfter("PROXY ")(port);
    slow.on("error", () => {}).resume();
    const dripping = setInterval(() => slow.write("T"), 300);
    const slowEnd = new Promise((resolve) => slow.once("end", resolve));
    const others = await Promise.all([
      exchange(port, [], { fin: true }),
      exchange(port, []),
      exchange(port, [part]),
      exchange(port, [part], { fin: true }),
    ]);
    for (const each of others) expect(each).toEqual({ bytes: "", end: "closed" });
    await slowEnd;
    clearInterval(dripping);
    slow.destroy();
    await eventually("all are reported", () => refused.length === 3);
    expect(new Set(refused)).toEqual(new Set(["127.0.0.1 the header has no end"]));
    await listener.cut();
  }, 60_000);

  test("Q.278 comes once: a second one is not a header", async () => {
    const certificate = await hourCertificate();
    for (const second of ["PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n", binaryHeader({ address: [127, 0, 0, 1] })]) {
      const plain = await proxied();
      const { bytes } = await exchange(plain.port, [HEADER + second + LAST]);
      expect([statuses(bytes), plain.seen]).toEqual(["400", []]);
      // A request before it has the address of the first one.
      const later = await exchange(plain.port, [HEADER + get("/healthz") + second + LAST]);
      expect([statuses(later.bytes), plain.seen]).toEqual(["200,400", [CLIENT]]);
      const secured = await proxied({ certificate });
      const outside = await exchange(secured.port, [LAST], { dial: dialTls(dialAfter(HEADER + second)), forMs: 2000 });
      expect([outside.bytes, secured.seen]).toEqual(["", []]);
      const inside = await exchange(secured.port, [second + LAST], { dial: dialTls(dialAfter(HEADER)) });
      expect([statuses(inside.bytes), secured.seen]).toEqual(["400", []]);
    }
  });

  test("Q.277 of random bytes leaves nothing open, and none of them reach HTTP", async () => {
    const { port, seen } = await proxied({}, { SVC_TRUSTED_PROXIES: "0" });
    const files = (): number => readdirSync("/proc/self/fd").length;
    await exchange(port, [HEADER + LAST]);
    seen.splice(0);
    const before = files();
    const random = rng(2767);
    const starts = [HEADER, "PROXY UNKNOWN\r\n", binaryHeader({}), binaryHeader({ values: "v".repeat(300) })];
    const answers = new Set<string>();
    const round = async (): Promise<void> => {
      const bytes = Buffer.from(random.pick(starts), "latin1");
      for (let change = random.int(3); change > 0; change--) bytes[random.int(bytes.length)] = random.int(256);
      const header = bytes.toString("latin1", 0, random.chance(0.8) ? bytes.length : random.int(bytes.length));
      const stream = header + LAST;
      const at = random.int(stream.length);
      const { bytes: heard, end } = await exchange(port, [stream.slice(0, at), stream.slice(at)], { fin: true });
      answers.add(`${statuses(heard)} ${end}`);
    };
    for (let run = 0; run < 60; run++) await Promise.all(Array.from({ length: 20 }, round));
    // 400: a header that was changed in its length, so that it ends elsewhere.
    expect([...answers].filter((each) => !["200 closed", "400 closed", " reset", " closed"].includes(each))).toEqual(
      [],
    );
    expect(answers).toContain("200 closed");
    expect(answers).toContain(" reset");
    await eventually("all is closed", () => files() <= before);
  }, 60_000);
});

const folder = temporaryFolder("proxy-protocol");
const env = {
  ...{ SVC_DATA_DIR: folder.path, SVC_PORT: "0", SVC_HOST: "127.0.0.1", SVC_WORKERS: "2", SVC_JOBS: "off" },
  ...{ SVC_PROXY_PROTOCOL: "1", SVC_ADDRESS_RATE_PER_MINUTE: "5" },
};
beforeAll(() => provision(folder.path, env));
afterAll(() => folder.remove());

type Line = { readonly event: string; readonly fields: Readonly<Record<string, unknown>> };

/** A role with its log. */
async function withRole<T>(
  role: ServerRole,
  use: (port: number, log: readonly Line[]) => Promise<T>,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const lines: Line[] = [];
  const note = (event: string, fields: Readonly<Record<string, unknown>> = {}): void =>
    void lines.push({ event, fields });
  const config = readConfig({ ...env, ...(role === "resolver" ? { SVC_RESOLVER: "1" } : {}), ...more });
  const running = await startRole(role, config, { debug: note, info: note, warn: note, error: note });
  try {
    return await use(running.server.port, lines);
  } finally {
    await running.stop();
  }
}

const from = (address: string): string => `PROXY TCP4 ${address} 198.51.100.1 1 443\r\n`;

describe.skipIf(!hasLane)("Q.279 the address of a PROXY header", () => {
  test.each([{}, { SVC_FAST_LANE: "0" }])("counts for rates, log and local figures: %j", async (more) => {
    await withRole(
      "minter",
      async (port, log) => {
        const ask = async (start: string, ...requests: string[]): Promise<string> =>
          statuses((await exchange(port, [start + requests.join("") + LAST])).bytes);
        const tried = `POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
        const limited = async (start: string, ...requests: string[]): Promise<number> =>
          (await ask(start, ...requests)).split(",").filter((each) => each === "429").length;
        // Five of one address, whatever connection they come on; none of the connection's own.
        expect(await limited(from("192.0.2.1"), tried, tried, tried)).toBe(0);
        expect(await limited(from("192.0.2.1"), tried, tried, tried)).toBe(1);
        expect(await limited(from("192.0.2.2"), tried)).toBe(0);
        expect(await limited("PROXY UNKNOWN\r\n", tried)).toBe(0);
        // What the client writes itself proves nothing.
        expect(await limited(from("192.0.2.1"), tried.replace("Host", "X-Forwarded-For: 192.0.2.3\r\nHost"))).toBe(1);
        expect(await ask(from("192.0.2.3"), get("/metrics"))).toBe("404,200");
        expect(await ask("PROXY UNKNOWN\r\n", get("/metrics"))).toBe("200,200");
        expect(await ask("", LAST)).toBe("");
        const asked = log.filter(({ event, fields }) => event === "request" && fields.path === "/metrics");
        expect(asked.map(({ fields }) => fields.address)).toEqual(["192.0.2.3", "127.0.0.1"]);
        expect(log.filter(({ event }) => event === "proxy_header_refused").map(({ fields }) => fields)).toEqual([
          { address: "127.0.0.1", reason: "the connection begins with other bytes" },
        ]);
      },
      more,
    );
  });

  test("is the connection's for SVC_TRUSTED_PROXIES: forwarded addresses count from it on", async () => {
    await withRole(
      "minter",
      async (port, log) => {
        const field = (hops: string): string => get("/api/ark/ark:99999/b1zzz", `X-Forwarded-For: ${hops}`);
        const stream = from("203.0.113.1") + field("192.0.2.8, 192.0.2.9") + get("/api/ark/ark:99999/b1zzz");
        expect(statuses((await exchange(port, [stream + LAST])).bytes)).toBe("404,404,200");
        const asked = log.filter(({ event, fields }) => event === "request" && fields.status === 404);
        expect(asked.map(({ fields }) => fields.address)).toEqual(["192.0.2.9", "203.0.113.1"]);
      },
      { SVC_TRUSTED_PROXIES: "1" },
    );
  });
});

describe.skipIf(!hasLane)("a role whose connections begin with a PROXY header", () => {
  const files = { SVC_TLS_CERT: join(folder.path, "own.pem"), SVC_TLS_KEY: join(folder.path, "own.key") };
  const write = ({ cert, key }: CertificateKeys): void => {
    writeFileSync(files.SVC_TLS_CERT, cert);
    writeFileSync(files.SVC_TLS_KEY, key);
  };

  test("Q.278 A54 resumes sessions of TLS, and greets with the certificate of changed files", async () => {
    const [one, two] = await Promise.all([hourCertificate(), hourCertificate()]);
    const { lane } = await proxied({ certificate: one });
    const greet = async (session?: Buffer) => {
      const plain = await dialAfter(HEADER)(lane.port);
      const socket = connectTls({
        ...{ socket: plain, rejectUnauthorized: false, servername: "localhost", ALPNProtocols: ["h2", "http/1.1"] },
        ...(session === undefined ? {} : { session }),
      });
      let ticket: Buffer = Buffer.alloc(0);
      socket.on("session", (sent: Buffer) => {
        ticket = sent;
      });
      await new Promise((resolve) => socket.once("secureConnect", resolve));
      const certificate = socket.getPeerX509Certificate()?.fingerprint256;
      const found = { certificate, alpn: socket.alpnProtocol, isResumed: socket.isSessionReused() };
      socket.write(LAST);
      await new Promise((resolve) => socket.once("end", resolve).resume());
      socket.destroy();
      return { ...found, ticket };
    };
    const first = await greet();
    const second = await greet(first.ticket);
    lane.useCertificate?.(two);
    const third = await greet();
    expect([first.alpn, first.isResumed, second.isResumed]).toEqual(["http/1.1", false, true]);
    const fingerprints = [one, two].map(({ cert }) => new X509Certificate(cert).fingerprint256);
    expect([first.certificate, third.certificate]).toEqual(fingerprints);
  });

  test("Q.279 every thread of a resolver reads it, and `arkstone health` asks with it", async () => {
    write(await hourCertificate());
    for (const tls of [{}, files]) {
      await withRole(
        "resolver",
        async (port) => {
          const dial = tls === files ? dialTls(dialAfter(HEADER)) : dialAfter(HEADER);
          for (let round = 0; round < 10; round++) {
            expect(statuses((await exchange(port, [LAST], { dial })).bytes)).toBe("200");
            expect((await exchange(port, [LAST])).bytes).toBe("");
          }
          const health = await arkstone({ ...env, ...tls, SVC_PORT: String(port) }, ["health"]);
          expect([health.code, health.out]).toEqual([0, expect.stringMatching(/healthz +ok/)]);
          const other = await arkstone({ ...env, ...tls, SVC_PORT: String(port), SVC_PROXY_PROTOCOL: "0" }, ["health"]);
          expect(other.code).toBe(1);
        },
        tls,
      );
    }
  });
});

describe.skipIf(!hasLane)("`arkstone health` where connections begin with a PROXY header", () => {
  const tls = { SVC_TLS_CERT: "unread", SVC_TLS_KEY: "unread" };
  const ways = {
    "is silent": () => {},
    "sends a byte now and then": (socket: Socket) => {
      const drip = setInterval(() => socket.write("x"), 300);
      socket.once("close", () => clearInterval(drip));
    },
    "is not HTTP": (socket: Socket) => void socket.end("220 ready\r\n"),
  };

  test.each(Object.entries(ways))(
    "ends within its time at a server that %s",
    async (_name, behave) => {
      const server = createServer((socket) => behave(socket.on("error", () => {}).resume()));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      try {
        const all = [{}, tls].map((more) => arkstone({ ...env, ...more, SVC_PORT: String(port) }, ["health"]));
        const late = new Promise((resolve) => setTimeout(resolve, 15_000, "late"));
        const no = { code: 1, err: expect.stringContaining("No answer from") };
        expect(await Promise.race([Promise.all(all), late])).toMatchObject([no, no]);
      } finally {
        server.close();
      }
    },
    30_000,
  );
});

describe.skipIf(!hasLane)("a client that reads late", () => {
  test("A44 gets all answers in their order, however the bytes come", async () => {
    const MANY = 600;
    for (const { name, options, dial } of await ownTransports()) {
      const one = await laneWorld({}, options);
      made.push(one);
      const socket = await dial(one.lane.port);
      let heard = "";
      socket.pause();
      const closed = new Promise((resolve) => socket.once("end", resolve));
      socket.on("data", (data: Uint8Array) => {
        heard += Buffer.from(data).toString("latin1");
      });
      // Redirects of two kilobytes by the lane, every fourth one by the server behind it.
      const ask = (index: number): string =>
        get(`/ark:99999/b1long/${index}`, ...(index % 4 === 0 ? ["Content-Length: 0"] : []));
      for (let from = 0; from < MANY; from += 50)
        socket.write(Array.from({ length: 50 }, (_, index) => ask(from + index)).join(""));
      socket.write(LAST);
      await new Promise((resolve) => setTimeout(resolve, 300));
      socket.resume();
      await closed;
      socket.destroy();
      const order = [...heard.matchAll(/^location: \S+l\/(\d+)\S*\r$/gim)].map(([, index]) => Number(index));
      expect([name, order]).toEqual([name, Array.from({ length: MANY }, (_, index) => index)]);
      expect([name, statuses(heard).split(",").at(-1)]).toEqual([name, "200"]);
    }
  }, 60_000);
});

test.skipIf(hasLane)("Q.276 SVC_PROXY_PROTOCOL=1 stops the start on Deno", async () => {
  await expect(withRole("minter", async () => {})).rejects.toThrow("SVC_PROXY_PROTOCOL=1 is not allowed on Deno");
});

describe.skipIf(!hasLane || findFront("haproxy") === null)("Q.280 behind HAProxy", () => {
  const configuration = (port: number, target: number, server: string): string =>
    [
      "defaults\n mode tcp\n timeout connect 5s\n timeout client 30s\n timeout server 30s",
      `frontend f\n bind 127.0.0.1:${port}\n unique-id-format %[uuid]\n default_backend b`,
      `backend b\n server s 127.0.0.1:${target} ${server}\n`,
    ].join("\n");

  test.each(["send-proxy", "send-proxy-v2", "send-proxy-v2 proxy-v2-options crc32c,unique-id"])(
    "%s passes the address of the client, in and without TLS; checks are no requests",
    async (server) => {
      for (const certificate of [null, await hourCertificate()]) {
        const { port: target, seen, counts, refused } = await proxied({ certificate });
        const port = await freePort();
        const text = configuration(port, target, `${server} check check-send-proxy inter 50ms`);
        const stopFront = await runFront("haproxy", { folder: folder.path, text, port });
        try {
          const dialFrom = async (at: number) => {
            const socket = connect({ port: at, host: "127.0.0.1", localAddress: "127.0.0.7" });
            await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
            return socket;
          };
          const dial = certificate === null ? dialFrom : dialTls(dialFrom);
          for (let round = 0; round < 3; round++) {
            const { bytes } = await exchange(port, [STREAM], { dial });
            expect([server, statuses(bytes), seen.splice(0)]).toEqual([
              server,
              "302,200,302,200",
              ["127.0.0.7", "127.0.0.7"],
            ]);
            await new Promise((next) => setTimeout(next, 100));
          }
          expect([counts.fast, refused]).toEqual([6, []]);
        } finally {
          await stopFront();
        }
      }
    },
    60_000,
  );

  test("without send-proxy nothing is answered", async () => {
    const { port: target, counts, refused } = await proxied();
    const port = await freePort();
    const text = configuration(port, target, "");
    const stopFront = await runFront("haproxy", { folder: folder.path, text, port });
    try {
      expect((await exchange(port, [STREAM])).bytes).toBe("");
      expect([counts.handled, refused.length]).toEqual([0, 1]);
    } finally {
      await stopFront();
    }
  });
});
