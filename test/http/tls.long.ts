// TLS of a role itself (docs/tls.md): real sockets, handshakes, files that are wrong or change.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { readConfig } from "../../src/config.ts";
import {
  type Certificate,
  type CertificateKeys,
  readCertificate,
  watchCertificate,
} from "../../src/main/process/certificate.ts";
import { ownCertificate } from "../../src/main/process/own-certificate.ts";
import { startRole } from "../../src/main/process/role-process.ts";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { tryCertificate } from "../../src/main/process/try-certificate.ts";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/processes.ts";
import { quietLog } from "../support/quiet-log.ts";
import { exchange, hasLane, laneWorld } from "../support/world/lane.ts";

const DAY = 86_400_000;
const folder = temporaryFolder("tls");
const fileAt = (name: string): string => join(folder.path, name);
const files = { certFile: fileAt("own.pem"), keyFile: fileAt("own.key") };
const isBun = !("Deno" in globalThis);

const made = (fromDays: number, untilDays: number): Promise<CertificateKeys> =>
  ownCertificate({
    names: ["localhost", "127.0.0.1"],
    from: new Date(Date.now() + fromDays * DAY),
    until: new Date(Date.now() + untilDays * DAY),
  });
/** Each file at once: what is watched may be read at any moment. */
const write = ({ cert, key }: CertificateKeys): void => {
  for (const [path, text] of [
    [files.certFile, cert],
    [files.keyFile, key],
  ] as const) {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
};
const fingerprint = ({ cert }: CertificateKeys): string => new X509Certificate(cert).fingerprint256;

let one: CertificateKeys;
let two: CertificateKeys;
beforeAll(async () => {
  [one, two] = await Promise.all([made(-1, 30), made(-1, 60)]);
});
afterAll(() => folder.remove());

function listen(certificate: CertificateKeys, answer = async () => new Response("well")): Server {
  return serve({ fetch: answer, host: "127.0.0.1", port: 0, certificate });
}

async function withServer<T>(use: (server: Server) => Promise<T>, answer?: () => Promise<Response>): Promise<T> {
  const server = listen(one, answer);
  try {
    return await use(server);
  } finally {
    await server.stop(0);
  }
}

type Given = {
  readonly versions?: readonly [string, string];
  readonly alpn?: readonly string[];
  readonly session?: Buffer;
};

/** A connection on which one request was answered. */
async function greeted(port: number, { versions, alpn, session }: Given = {}): Promise<TLSSocket & { ticket: Buffer }> {
  const socket = connectTls({
    ...{ host: "127.0.0.1", port, rejectUnauthorized: false, servername: "localhost" },
    ...(versions === undefined ? {} : { minVersion: versions[0] as "TLSv1.2", maxVersion: versions[1] as "TLSv1.2" }),
    ...(alpn === undefined ? {} : { ALPNProtocols: [...alpn] }),
    ...(session === undefined ? {} : { session }),
  });
  const client = Object.assign(socket, { ticket: Buffer.alloc(0) });
  client.on("session", (ticket: Buffer) => {
    client.ticket = Buffer.from(ticket);
  });
  await new Promise<void>((resolve, reject) => {
    client.once("error", reject);
    client.once("close", () => reject(new Error("closed")));
    client.once("secureConnect", () => resolve());
  });
  expect(await ask(client)).toMatch(/^HTTP\/1\.1 200/);
  return client;
}

function ask(client: TLSSocket): Promise<string> {
  client.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return new Promise((resolve, reject) => {
    client.once("data", (bytes) => resolve(String(bytes)));
    client.once("close", () => reject(new Error("closed")));
  });
}

const shown = (client: TLSSocket): string => client.getPeerX509Certificate()?.fingerprint256 ?? "";

describe("A54 a handshake", () => {
  test("of a client that offers http/1.1 is answered", async () => {
    await withServer(async ({ port }) => {
      const client = await greeted(port, { alpn: ["http/1.1"] });
      expect(client.getProtocol()).toBe("TLSv1.3");
      client.destroy();
    });
  });

  test.each(isBun ? [["TLSv1.2"], ["TLSv1.3"]] : [])(
    "of %s is answered, offers http/1.1, and is resumed",
    async (version) => {
      await withServer(async ({ port }) => {
        const given = { versions: [version, version], alpn: ["h2", "http/1.1"] } as const;
        const first = await greeted(port, given);
        expect([first.getProtocol(), first.alpnProtocol, shown(first)]).toEqual([
          version,
          "http/1.1",
          fingerprint(one),
        ]);
        await eventually("a ticket has come", () => first.ticket.length > 0);
        const again = await greeted(port, { ...given, session: first.ticket });
        expect([first.isSessionReused(), again.isSessionReused()]).toEqual([false, true]);
        first.destroy();
        again.destroy();
      });
    },
  );

  test("of TLS 1.1, or of a client that speaks HTTP/2 alone, is refused", async () => {
    await withServer(async ({ port }) => {
      await expect(greeted(port, { versions: ["TLSv1.1", "TLSv1.1"] })).rejects.toThrow(/PROTOCOL|closed|version/i);
      if (isBun) await expect(greeted(port, { alpn: ["h2"] })).rejects.toThrow(/PROTOCOL|closed/i);
    });
  });

  test("HTTP without TLS on the port gets an end and no bytes of an answer", async () => {
    await withServer(async ({ port }) => {
      const socket = connect(port, "127.0.0.1");
      let bytes = "";
      socket.on("data", (data) => {
        bytes += String(data);
      });
      socket.on("error", () => {});
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
      await closed;
      expect(bytes).not.toContain("HTTP/1.1");
    });
  });
});

describe.if(isBun)("A54 another certificate", () => {
  test("greets new connections; a request and a connection that are open go on", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let count = 0;
    const answer = async (): Promise<Response> => {
      count += 1;
      if (count === 2) await held;
      return new Response("well");
    };
    await withServer(async (server) => {
      const open = await greeted(server.port);
      const answered = ask(open);
      await eventually("the request is being answered", () => count === 2);
      server.useCertificate?.(two);
      const next = await greeted(server.port, { alpn: ["http/1.1"] });
      release();
      expect(await answered).toMatch(/^HTTP\/1\.1 200/);
      expect(await ask(open)).toMatch(/^HTTP\/1\.1 200/);
      expect([shown(open), shown(next), next.alpnProtocol]).toEqual([fingerprint(one), fingerprint(two), "http/1.1"]);
      open.destroy();
      next.destroy();
    }, answer);
  });

  test("swapped again and again under load, no connection is refused and no request is lost", async () => {
    await withServer(async (server) => {
      const seen = new Set<string>();
      let swaps = 0;
      const client = async (): Promise<void> => {
        for (let at = 0; at < 15; at += 1) {
          const socket = await greeted(server.port);
          seen.add(shown(socket));
          await ask(socket);
          socket.destroy();
          server.useCertificate?.(swaps++ % 2 === 0 ? two : one);
        }
      };
      await Promise.all(Array.from({ length: 7 }, client));
      expect(swaps).toBe(105);
      expect(seen).toEqual(new Set([fingerprint(one), fingerprint(two)]));
    });
  });
});

/** Sends the bytes cut into parts, and returns all that comes until the end, without dates. */
function exchangeOverTls(port: number, text: string, partBytes: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false });
    let bytes = "";
    socket.on("data", (data) => {
      bytes += data.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(withoutDates(bytes)));
    socket.on("secureConnect", async () => {
      for (let at = 0; at < text.length && !socket.destroyed; at += partBytes) {
        socket.write(Buffer.from(text.slice(at, at + partBytes), "latin1"));
        await new Promise((next) => setImmediate(next));
      }
    });
  });
}

const withoutDates = (bytes: string): string => bytes.replaceAll(/\r\nDate: [^\r]+/gi, "");

describe.if(hasLane)("A54 the fast lane over TLS", () => {
  const get = (target: string, more = ""): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  const end = get("/healthz", "Connection: close\r\n");
  const STREAMS: readonly (readonly [what: string, stream: string, fast: number])[] = [
    ["plain redirects, pipelined", get("/ark:99999/b1a").repeat(40) + end, 40],
    ["a plain one between others", get("/ark:99999/b1n") + get("/ark:99999/b1a") + get("/ark:99999/b1a??") + end, 1],
    [
      "a request id, a suffix, a long target",
      get("/ark:99999/b1a", "X-Request-Id: i\r\n") + get("/ark:99999/b1a/x") + get("/ark:99999/b1long") + end,
      3,
    ],
    ["dot segments", get("/ark:99999/x/../b1a") + end, 0],
    ["a body", `POST /ark:99999/b1a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc${end}`, 0],
    ["what is not HTTP", "GARBAGE\r\n\r\n", 0],
  ];

  test("answers the same bytes as without it, whole and cut, with Strict-Transport-Security", async () => {
    const env = { SVC_HSTS_SECONDS: "600", SVC_BASE_URL: "https://id.example.org" };
    const [plain, secure] = await Promise.all([laneWorld(env), laneWorld(env, { certificate: one })]);
    try {
      for (const [what, stream, fast] of STREAMS) {
        const { bytes } = await exchange(plain.lane.port, [stream]);
        const seen: number[] = [];
        for (const partBytes of [stream.length, 7]) {
          const before = secure.counts.fast;
          expect([what, await exchangeOverTls(secure.lane.port, stream, partBytes)]).toEqual([
            what,
            withoutDates(bytes),
          ]);
          seen.push(secure.counts.fast - before);
        }
        expect([what, seen[0]]).toEqual([what, fast]);
        const count = (pattern: RegExp): number => bytes.match(pattern)?.length ?? 0;
        if (what !== "what is not HTTP") {
          expect([what, count(/\r\nstrict-transport-security: max-age=600\r/gi)]).toEqual([
            what,
            count(/HTTP\/1\.1 /g),
          ]);
        }
      }
    } finally {
      await Promise.all([plain.stop(), secure.stop()]);
    }
  });
});

type Case = readonly [what: string, put: () => Promise<unknown>, message: RegExp];
const CASES: readonly Case[] = [
  ["expired", async () => write(await made(-30, -1)), /SVC_TLS_CERT="[^"]*own\.pem".*expired at \d{4}-/],
  ["not yet valid", async () => write(await made(2, 30)), /SVC_TLS_CERT="[^"]*own\.pem".*not valid before \d{4}-/],
  ["mismatched", async () => write({ cert: one.cert, key: two.key }), /SVC_TLS_KEY="[^"]*own\.key".*does not belong/],
  ["swapped", async () => write({ cert: one.key, key: one.cert }), /SVC_TLS_CERT="[^"]*own\.pem".*no certificate/],
  [
    "without a key",
    async () => write({ cert: one.cert, key: "nothing" }),
    /SVC_TLS_KEY="[^"]*own\.key".*no private key/,
  ],
  [
    "with an encrypted key",
    async () => write({ cert: one.cert, key: one.key.replaceAll("PRIVATE", "ENCRYPTED PRIVATE") }),
    /SVC_TLS_KEY="[^"]*own\.key".*encrypted/,
  ],
  [
    "damaged",
    async () => write({ ...one, cert: one.cert.replace(/\n.{20}/, "\nAAAA") }),
    /certificate 1 .*cannot be read/,
  ],
  [
    "with a damaged chain",
    async () => write({ ...one, cert: `${one.cert}${two.cert.replace(/\n.{20}/, "\nAAAA")}` }),
    /certificate 2 .*cannot be read/,
  ],
  ["too large", async () => write({ ...one, cert: one.cert + " ".repeat(1_048_576) }), /larger than 1048576 bytes/],
];

describe("A54 files", () => {
  test("that are valid are read, with their chain", async () => {
    write({ cert: `${one.cert}${two.cert}`, key: one.key });
    const { fingerprint: read, names, expires } = await readCertificate(files, new Date());
    expect([read, names]).toEqual([fingerprint(one), "DNS:localhost, IP Address:127.0.0.1"]);
    expect(Math.round((expires.getTime() - Date.now()) / DAY)).toBe(30);
  });

  test.each(CASES)(
    "that are %s stop the start, naming setting and file, never the key",
    async (_what, put, message) => {
      await put();
      const failed = await startWith({}).catch((error: unknown) => String(error));
      expect(failed).toMatch(message);
      for (const line of [...one.key.split("\n"), ...two.key.split("\n")].slice(1, 3))
        expect(failed).not.toContain(line);
    },
  );

  test("that are missing, or set one without the other, stop the start", async () => {
    write(one);
    await expect(startWith({ SVC_TLS_CERT: fileAt("none.pem") })).rejects.toThrow(
      /SVC_TLS_CERT=".*none\.pem".*cannot be read/,
    );
    await expect(startWith({ SVC_TLS_KEY: folder.path })).rejects.toThrow(/SVC_TLS_KEY=".*" is not allowed/);
    await expect(startWith({ SVC_TLS_KEY: "" })).rejects.toThrow("not allowed one without the other");
  });

  test("that change are used; wrong ones are logged once, and the certificate in use goes on", async () => {
    write(one);
    const used: Certificate[] = [];
    const log: string[] = [];
    const note = (event: string, fields: object = {}): void => void log.push(`${event} ${JSON.stringify(fields)}`);
    const first = await readCertificate(files, new Date());
    const lookMs = 5;
    const watch = watchCertificate({
      ...{ files, first, now: () => new Date(), lookMs, onChange: (next: Certificate) => used.push(next) },
      log: { info: note, error: note },
    });
    try {
      for (const [, put, message] of CASES) {
        log.length = 0;
        await put();
        await eventually("it is logged", () => log.length > 0);
        await new Promise((resolve) => setTimeout(resolve, 5 * lookMs));
        expect(log).toHaveLength(1);
        expect(JSON.parse(log[0]?.slice("tls_certificate_refused ".length) ?? "").error).toMatch(message);
      }
      expect(used).toEqual([]);
      write(two);
      await eventually("the new one is used", () => used.length === 1);
      expect(used.map((each) => each.fingerprint)).toEqual([fingerprint(two)]);
      expect(log.at(-1)).toMatch(/^tls_certificate_loaded/);
      expect(log.join("")).not.toContain("PRIVATE");
    } finally {
      watch.stop();
    }
  });
});

test("a file that is still being written is not used: two looks have to find the same", async () => {
  write(one);
  const first = await readCertificate(files, new Date());
  const used: string[] = [];
  let looks = 0;
  /** Called before each look: until the seventh each one finds something else. */
  const now = (): Date => {
    looks += 1;
    if (looks <= 6) write({ cert: looks % 2 === 0 ? `${two.cert}\n${one.cert}` : two.cert, key: two.key });
    return new Date();
  };
  const note = (): void => {};
  const onChange = ({ cert }: Certificate): void => void used.push(`${looks} ${cert}`);
  const watch = watchCertificate({ files, first, now, lookMs: 1, onChange, log: { info: note, error: note } });
  try {
    await eventually("it looked ten times", () => looks >= 10);
    expect(used).toEqual([`7 ${two.cert}\n${one.cert}`]);
  } finally {
    watch.stop();
  }
});

test("`arkstone up --tls` makes a certificate once, and another one when it is about to expire", async () => {
  const at = { dataDir: fileAt("data"), host: "0.0.0.0" };
  const [first, second] = [await tryCertificate(at, new Date()), await tryCertificate(at, new Date())];
  const later = await tryCertificate(at, new Date(Date.now() + 340 * DAY));
  expect(second.certificate.fingerprint).toBe(first.certificate.fingerprint);
  expect(later.certificate.fingerprint).not.toBe(first.certificate.fingerprint);
  expect(first.certificate.names).toContain("DNS:localhost, IP Address:127.0.0.1");
  expect(first.certificate.names).not.toContain("0.0.0.0");
});

test("A54 a role answers over TLS alone, with its figures and Strict-Transport-Security", async () => {
  write(one);
  const running = await startWith({ SVC_METRICS: "public" });
  try {
    const { port, url } = running.server;
    expect(url).toBe(`https://127.0.0.1:${port}`);
    const client = await greeted(port, { alpn: ["http/1.1"] });
    expect(await ask(client)).toMatch(/^strict-transport-security: max-age=600\r$/im);
    client.write("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    let bytes = "";
    client.on("data", (data) => {
      bytes += String(data);
    });
    await new Promise<void>((resolve) => client.once("close", () => resolve()));
    const expires = Date.parse(new X509Certificate(one.cert).validTo) / 1000;
    expect(bytes).toContain(`\narkstone_tls_certificate_expires_seconds ${expires}\n`);
  } finally {
    await running.stop();
  }
});

async function startWith(more: Readonly<Record<string, string>>) {
  const config = readConfig({
    ...{ SVC_DATA_DIR: folder.path, SVC_PORT: "0", SVC_HOST: "127.0.0.1", SVC_WORKERS: "2" },
    ...{ SVC_TLS_CERT: files.certFile, SVC_TLS_KEY: files.keyFile, SVC_HSTS_SECONDS: "600" },
    ...more,
  });
  return await startRole("minter", config, quietLog);
}
