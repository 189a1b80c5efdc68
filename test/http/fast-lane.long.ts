// The fast lane on a real port: what it answers itself, what it hands on and how, and that nothing is left behind
// (docs/fast-lane.md).
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { FastListener } from "../../src/main/lane/fast-lane.ts";
import { laneAnswers } from "../../src/main/lane/lane-answers.ts";
import { PlainHead } from "../../src/resolver/lane/plain-head.ts";
import { writeAscii } from "../../src/resolver/table.ts";
import { SMUGGLED } from "../fuzz/smuggled.ts";
import { exchange, hasLane, type LaneWorld, laneWorld, timeless } from "../support/world/lane.ts";

const made: LaneWorld[] = [];
async function world(...given: Parameters<typeof laneWorld>): Promise<LaneWorld> {
  const one = await laneWorld(...given);
  made.push(one);
  return one;
}
afterAll(async () => void (await Promise.all(made.map((each) => each.stop()))));

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
async function until(holds: () => boolean, ms = 20_000): Promise<boolean> {
  const end = performance.now() + ms;
  while (!holds() && performance.now() < end) await wait(5);
  return holds();
}
const request = (target: string, ...fields: string[]): string =>
  `GET ${target} HTTP/1.1\r\n${["Host: a", ...fields].map((field) => `${field}\r\n`).join("")}\r\n`;
const PLAIN = request("/ark:99999/b1a");
/** Its answer is forty times as long. */
const LONG = request("/ark:99999/b1long");
const LAST = request("/healthz", "Connection: close");
const BESIDES_DATE =
  "HTTP/1.1 302 Found\r\nLocation: https://t.example/a\r\nCache-Control: no-cache\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: Link, THUMP-Status\r\nDate\r\nContent-Length: 0\r\n\r\n";

/** A connection that stays, and what has come on it. */
async function open(port: number): Promise<{ socket: Socket; heard: () => string; isClosed: () => boolean }> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let bytes = "";
  let closed = false;
  socket.on("data", (data: Uint8Array) => {
    bytes += Buffer.from(data).toString("latin1");
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
  });
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  return { socket, heard: () => bytes, isClosed: () => closed };
}

describe.skipIf(!hasLane)("A53 what the lane answers", () => {
  test("L50 A39 a plain redirect, as the runtime's server writes it, without a handler", async () => {
    const { lane, straight, counts } = await world();
    const earliest = Math.floor(Date.now() / 1000) - 1;
    const through = await exchange(lane.port, [PLAIN], { fin: true });
    const latest = Math.ceil(Date.now() / 1000);
    expect(timeless(through)).toBe(BESIDES_DATE);
    expect(timeless(await exchange(straight.port, [PLAIN], { fin: true }))).toBe(BESIDES_DATE);
    expect(counts).toEqual({ fast: 1, handled: 0 });
    const date = Date.parse(/^Date: ([^\r]*)/m.exec(through.bytes)?.[1] ?? "");
    expect(date / 1000).toBeWithin(earliest, latest + 1);
  });

  test("pipelined requests in order, each with its own request id, up to the first that is not plain", async () => {
    const { lane, straight, counts } = await world();
    const stream = [
      PLAIN,
      request("/ark:88888/k2a", "X-Request-Id: one"),
      request("/ark:99999/b1a/b.c", "X-Request-Id: two"),
      request("/ark:99999/b1a", "Connection: close"),
    ].join("");
    const through = await exchange(lane.port, [stream]);
    expect(timeless(through)).toBe(timeless(await exchange(straight.port, [stream])));
    expect([...through.bytes.matchAll(/^x-request-id: (.*)\r/gm)].map(([, id]) => id)).toEqual(["one", "two"]);
    expect(counts).toEqual({ fast: 3, handled: 1 });
  });

  test("A34 A49 SVC_ALLOWED_HOSTS, a mount prefix, a maximal age and a trusted header count as ever", async () => {
    const { lane, straight, counts } = await world({
      SVC_ALLOWED_HOSTS: "good.example",
      SVC_ROOT_PATH: "/pid",
      SVC_REDIRECT_MAX_AGE: "60",
      SVC_RAW_URI_HEADER: "x-original-uri",
    });
    const ask = async (target: string, ...fields: string[]): Promise<number> => {
      const before = counts.fast;
      const text = `GET ${target} HTTP/1.1\r\n${fields.map((field) => `${field}\r\n`).join("")}\r\n`;
      const one = await exchange(lane.port, [text + LAST]);
      // The runtime's server drops both where the second comes before the first is answered (docs/runtime-notes.md).
      const other = await exchange(straight.port, [text, LAST], { pauseMs: 250 });
      expect(timeless(one)).toBe(timeless(other));
      return counts.fast - before;
    };
    expect(await ask("/ark:99999/b1a", "Host: good.example")).toBe(1);
    expect(await ask("/pid/ark:99999/b1a", "Host: GOOD.example:8080")).toBe(1);
    expect(await ask("/ark:99999/b1a", "Host: bad.example")).toBe(0);
    expect(await ask("/ark:99999/b1a", "Host: good.example", "X-Original-URI: /ark:99999/b1a")).toBe(1);
    expect(await ask("/ark:99999/b1a", "Host: good.example", "X-Original-URI: /ark:99999/b1a?")).toBe(0);
    expect(await ask("/ark:77777/k2a", "Host: good.example")).toBe(0);
  });

  test.each([
    [{ SVC_ACCESS_LOG: "all" }, 0],
    [{ SVC_FAST_LANE: "0" }, 0],
    [{ SVC_TRUSTED_PROXIES: "1" }, 1],
    [{ SVC_TRUSTED_PROXIES: "1", SVC_FAST_LANE: "0" }, 0],
    [{ SVC_TRUSTED_PROXIES: "1", SVC_ACCESS_LOG: "all" }, 0],
  ])(
    "Q.268 also behind a front; nothing where each redirect is a line of the log, or a setting turns it off: %j",
    async (env, fast) => {
      const { lane, counts } = await world(env);
      await exchange(lane.port, [PLAIN], { fin: true });
      expect(counts).toEqual({ fast, handled: 1 - fast });
    },
  );

  test("as much as a client takes: one that does not read is not written to, and loses nothing", async () => {
    const { lane, counts } = await world();
    const { socket, heard } = await open(lane.port);
    socket.pause();
    const REQUESTS = 40_000;
    for (let sent = 0; sent < REQUESTS; sent += 1000) socket.write(LONG.repeat(1000));
    socket.write(LAST);
    // What the systems' buffers on the way hold is answered; the rest waits with the client.
    await until(() => counts.fast > 1000);
    await wait(200);
    expect(counts.fast + counts.handled).toBeLessThan(REQUESTS);
    socket.resume();
    expect(await until(() => heard().endsWith("}"))).toBe(true);
    expect(heard().split("HTTP/1.1 302 Found\r\n").length - 1).toBe(REQUESTS);
    expect(counts.fast + counts.handled).toBe(REQUESTS + 1);
  });
});

describe.skipIf(!hasLane)("A53 what the inner server alone decides", () => {
  test("conflicting lengths, folded lines, bare line ends, controls, odd targets, missing and doubled hosts, TLS and HTTP/2", async () => {
    const { lane, straight, counts } = await world();
    const findings: string[] = [];
    for (const head of SMUGGLED) {
      const before = counts.fast;
      // After it comes what a smuggler wants to be taken for a separate request, or for none.
      const stream = `${head}abcde${PLAIN}`;
      const both = await Promise.all(
        [lane, straight].map(({ port }) => exchange(port, [stream], { fin: true, pauseMs: 5 })),
      );
      const [through, direct] = both.map(timeless);
      if (through !== direct || counts.fast !== before)
        findings.push(JSON.stringify({ head, both, fast: counts.fast - before }));
    }
    expect(findings.slice(0, 3)).toEqual([]);
    expect(counts.fast).toBe(0);
  });

  test("A28 A39 two Host fields and malformed ones are 400 on both ways, others are answered", async () => {
    const { lane, straight, counts } = await world();
    const doubled = ["a\r\nHost: b", "a\r\nHost: a", "a, b"];
    const bad = [...doubled, ..."a b|a/b|a@b|[::1|::1|a:b|a:123456|a?x|a%41|\xe4|<a>".split("|")];
    const good = ["a", "A.b-c_d:80", "127.0.0.1", "[::1]:8000", "a:", "", "1.2.3.256"];
    for (const host of [...bad, ...good]) {
      for (const [target, well] of [
        ["/ark:99999/b1a", "302"],
        ["/ark:99999/b1n", "200"],
        ["/healthz", host === "1.2.3.256" ? "400" : "200"],
      ]) {
        const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        const [through, direct] = await Promise.all([lane, straight].map(({ port }) => exchange(port, [head])));
        const seen = [through, direct].map((each) => each?.bytes.slice(9, 12));
        expect([host, target, ...seen]).toEqual([
          host,
          target,
          ...(bad.includes(host) ? ["400", "400"] : [well, well]),
        ]);
      }
      // Plain but for its host.
      const before = counts.fast;
      const { bytes } = await exchange(lane.port, [PLAIN.replace("Host: a", `Host: ${host}`)], { fin: true });
      expect([host, bytes.slice(9, 12)]).toEqual([host, bad.includes(host) ? "400" : "302"]);
      expect([host, bad.includes(host) && counts.fast > before]).toEqual([host, false]);
    }
  });

  test("Q.270 a connection is read again when all is answered, and never behind a request whose end is not certain", async () => {
    const { lane, counts } = await world();
    for (const [first, fast] of [
      [request("/ark:99999/b1a?"), 4],
      [request("/ark:99999/b1n", "If-None-Match: *"), 4],
      [request("/x", "Content-Length: 0"), 4],
      ["HEAD /ark:99999/b1n HTTP/1.1\r\nHost: a\r\n\r\n", 4],
      ["OPTIONS /ark:99999/b1a HTTP/1.1\r\nHost: a\r\n\r\n", 4],
      [`POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${PLAIN.length}\r\n\r\n${PLAIN}`, 4],
      ["POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 4],
      [request("/x", "Upgrade: websocket", "Connection: Upgrade"), 4],
      [request("/x", "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMA"), 4],
      [request("/x", "Connection: keep-alive, x"), 4],
      ["POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\n\r\n", 0],
    ] as const) {
      const { socket, heard } = await open(lane.port);
      const before = { ...counts };
      for (let sent = 1; sent <= 5; sent++) {
        socket.write(sent === 1 ? first : PLAIN);
        expect(await until(() => heard().split("HTTP/1.1 ").length - 1 === sent)).toBe(true);
      }
      expect([first, counts.fast - before.fast, counts.handled - before.handled]).toEqual([first, fast, 5 - fast]);
      socket.destroy();
    }
  });

  test("requests that come together are answered in their order, and the lane goes on behind them", async () => {
    const { lane, counts } = await world(
      {},
      {},
      () => (asked) =>
        asked.url.endsWith("/empty") ? new Response(null, { status: 204 }) : new Response("x".repeat(300_000)),
    );
    const { socket, heard } = await open(lane.port);
    const statuses = (): string => [...heard().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join(" ");
    socket.write(PLAIN + request("/x") + request("/empty") + PLAIN + PLAIN.slice(0, 20));
    await wait(10);
    socket.write(PLAIN.slice(20));
    expect(await until(() => statuses() === "302 200 204 302 200")).toBe(true);
    expect(heard().length).toBeGreaterThan(300_000);
    socket.write(PLAIN + request("/empty"));
    expect(await until(() => statuses() === "302 200 204 302 200 302 204")).toBe(true);
    expect(counts).toEqual({ fast: 3, handled: 4 });
    socket.destroy();
  });

  test("behind an answer of parts the lane goes on, behind one that ends the connection it does not", async () => {
    const { lane, counts } = await world({}, {}, () => (asked) => {
      if (asked.url.endsWith("/close")) return new Response("x", { headers: { connection: "close" } });
      const parts = ["one", "two"].map((text) => new TextEncoder().encode(text));
      return new Response(
        new ReadableStream({
          async pull(controller) {
            await wait(5);
            const next = parts.shift();
            if (next === undefined) controller.close();
            else controller.enqueue(next);
          },
        }),
      );
    });
    const { socket, heard } = await open(lane.port);
    socket.write(request("/parts"));
    expect(await until(() => heard().endsWith("0\r\n\r\n"))).toBe(true);
    socket.write(PLAIN);
    expect(await until(() => heard().includes("302 Found"))).toBe(true);
    expect(counts).toEqual({ fast: 1, handled: 1 });
    socket.destroy();
    const ended = await exchange(lane.port, [request("/close"), PLAIN], { pauseMs: 20 });
    expect([ended.end, ended.bytes.split("HTTP/1.1").length]).toEqual(["closed", 2]);
  });

  test("A28 a body of a megabyte goes through whole, cut anywhere", async () => {
    const { lane, straight } = await world(
      {},
      {},
      () => async (asked) => new Response(`${(await asked.text()).length}`),
    );
    const body = "x".repeat(1_000_003);
    const stream = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
    const parts = [stream.slice(0, 30), stream.slice(30, 70_000), stream.slice(70_000)];
    const [through, direct] = await Promise.all([lane, straight].map(({ port }) => exchange(port, parts)));
    expect(through?.bytes.endsWith("\r\n\r\n1000003")).toBe(true);
    expect(through === undefined || direct === undefined || timeless(through) === timeless(direct)).toBe(true);
  });

  test("a long answer goes out whole to a client that reads it late", async () => {
    const { lane } = await world({}, {}, () => () => new Response("y".repeat(20_000_000)));
    const { socket, heard } = await open(lane.port);
    socket.pause();
    socket.write(request("/", "Connection: close"));
    await wait(300);
    socket.resume();
    expect(await until(() => heard().length > 20_000_000)).toBe(true);
    expect(heard().endsWith("yyyy")).toBe(true);
  });
});

describe.skipIf(!hasLane)("requests that come before the answer to the one before", () => {
  /** Answers each request with its target and body, after a while that differs. */
  const slowly = () => async (asked: Request) => {
    const body = await asked.text();
    const { pathname } = new URL(asked.url);
    await wait(pathname.length % 3 === 0 ? 1 : 15);
    if (pathname === "/parts") {
      return new Response(new Blob(["a", "b"]).stream(), { headers: { "x-target": pathname } });
    }
    return new Response(`${asked.method} ${body}`, { headers: { "x-target": pathname } });
  };
  const post = (target: string, body: string): string =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const chunked = (target: string, body: string): string =>
    `POST ${target} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const P = "https://t.example/a";
  const targets = (bytes: string): string[] =>
    [...bytes.matchAll(/^(?:X-Target|Location): (\S+)|HTTP\/1\.1 400/gim)].map(([line, target]) =>
      // A plain head that comes in parts is handed on.
      target === "/ark:99999/b1a" ? P : (target ?? line),
    );
  const STREAM = [
    ...[request("/one"), PLAIN, post("/four4", PLAIN), request("/three"), "HEAD /five5 HTTP/1.1\r\nHost: a\r\n\r\n"],
    ...[PLAIN, chunked("/six66", request("/inside")), request("/parts"), post("/eight8", ""), PLAIN, request("/last")],
  ];
  const ALL = ["/one", P, "/four4", "/three", "/five5", P, "/six66", "/parts", "/eight8", P, "/last"];

  test("A44 are answered in their order, each once, however they are cut", async () => {
    const { lane, counts } = await world({}, {}, slowly);
    const whole = STREAM.join("");
    const cuts = [
      [whole],
      STREAM,
      [...whole],
      whole.match(/[\s\S]{1,50}/g) ?? [],
      [whole.slice(0, 100), whole.slice(100)],
    ];
    for (const parts of cuts) {
      const before = { ...counts };
      const { bytes } = await exchange(lane.port, [...parts, request("/x", "Connection: close")]);
      expect([parts.length, targets(bytes)]).toEqual([parts.length, [...ALL, "/x"]]);
      expect(bytes).toContain(`POST ${PLAIN}HTTP/1.1 200`);
      expect(bytes).toContain(`POST ${request("/inside")}HTTP/1.1 200`);
      expect(counts.fast + counts.handled - before.fast - before.handled).toBe(STREAM.length + 1);
    }
  });

  test("get their answers before the refusal of nonsense behind them", async () => {
    const { lane } = await world({}, {}, slowly);
    for (const nonsense of ["\x01\x02 nonsense\r\n\r\n", "\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"]) {
      const { bytes } = await exchange(lane.port, [post("/mint", "1") + post("/mint2", "2") + nonsense + PLAIN]);
      expect([nonsense, targets(bytes)]).toEqual([nonsense, ["/mint", "/mint2", "HTTP/1.1 400"]]);
      expect(bytes).toContain("POST 1HTTP/1.1 200");
    }
  });

  test("wait without being read on: what one connection holds has a limit, and a reset ends all of it", async () => {
    let asked = 0;
    const { lane } = await world({}, {}, () => async () => {
      asked += 1;
      await wait(asked === 1 ? 500 : 0);
      return new Response("ok");
    });
    const { socket, heard } = await open(lane.port);
    const many = request("/x").repeat(400_000);
    const taken = new Promise<boolean>((resolve) => void socket.write(many, () => resolve(true)));
    expect(await Promise.race([taken, wait(400).then(() => false)])).toBe(false);
    expect(asked).toBe(1);
    expect(await until(() => heard().split("HTTP/1.1 200").length > 20)).toBe(true);
    socket.resetAndDestroy();
    await wait(50);
    const after = asked;
    await wait(50);
    expect(asked).toBe(after);
    expect(after).toBeLessThan(400_000);
  });
});

describe.skipIf(!hasLane)("A43 targets as they were sent", () => {
  /** What the same request gets where a front tells the target, as on every runtime. */
  const answerOf = async (port: number, line: string): Promise<string> => {
    const target = line.split(" ")[1] ?? "";
    return timeless(
      await exchange(port, [`${line}\r\nHost: a\r\nX-Original-URI: ${target}\r\nConnection: close\r\n\r\n`]),
    );
  };
  const name = "/ark:99999/b1a";
  const LINES = [
    ...["GET", "HEAD", "POST", "OPTIONS"].map((method) => `${method} /ark:99999/x/../b1a`),
    ...["/..", "/%2e%2e?info", "/.", "/a..%2Fx", "/...", "?/../x", "/\xc3\xb1/./y"].map((end) => `GET ${name}${end}`),
    ...["GET /ark:99999/%2e%2E/b1a", "GET /../ark:99999/b1a", "GET /./ark:99999/b1a", "GET /ark:99999/./b1a?"],
    ...["GET /x/../healthz", "GET /./healthz", "GET http://a/ark:99999/x/../b1a", "GET /ark%3A99999/x/%2e./b1a"],
    "GET /ARK:99999/b1n/./?info",
  ].map((line) => `${line} HTTP/1.1`);

  test("A2 A34 A43 dot segments are answered as written, wherever on a connection and however it is cut", async () => {
    const { lane } = await world();
    const front = await world({ SVC_RAW_URI_HEADER: "x-original-uri" });
    const statuses = new Set<string>();
    for (const line of LINES) {
      const wanted = await answerOf(front.straight.port, line);
      const head = `${line}\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const alone = timeless(await exchange(lane.port, [head]));
      // Metrics of the app's routes come from the app's router, which a front's header does not reach.
      if (!line.includes("healthz")) expect([line, alone]).toEqual([line, wanted]);
      statuses.add(`${line.split(" ")[0]} ${alone.slice(9, 12)}`);
      const { socket, heard, isClosed } = await open(lane.port);
      for (const [index, before] of [PLAIN, request("/ark:99999/b1a?"), request("/ark:99999/b1a/tail")].entries()) {
        socket.write(before);
        expect(await until(() => heard().split("HTTP/1.1 ").length === index + 2)).toBe(true);
      }
      const start = heard().length;
      socket.write(Buffer.from(head, "latin1"));
      expect(await until(isClosed)).toBe(true);
      expect([line, timeless({ bytes: heard().slice(start), end: "closed" })]).toEqual([line, alone]);
      expect([line, timeless(await exchange(lane.port, [...head]))]).toEqual([line, alone]);
    }
    const expected = ["GET 200", "GET 302", "GET 400", "GET 404", "HEAD 400", "OPTIONS 204", "POST 405"];
    expect([...statuses].sort()).toEqual(expected);
  });

  test("A43 a long line is answered alike, however it is cut", async () => {
    const { lane } = await world();
    for (const dots of ["/../b1a", "/./", ""]) {
      for (const length of [8000, 8100, 8150, 8200, 9000, 12_000, 16_200, 16_400, 20_000]) {
        const head = request(`/ark:99999/b1${"x".repeat(length)}${dots}`, "Connection: close");
        const heard = new Set<string>();
        for (const parts of [
          [head],
          [head.slice(0, 8170), head.slice(8170)],
          [head.slice(0, 8193), head.slice(8193)],
          head.match(/[\s\S]{1,1000}/g) ?? [],
        ])
          heard.add(timeless(await exchange(lane.port, parts, { pauseMs: 1 })));
        expect([dots, length, [...heard].map((each) => each.slice(0, 30))]).toHaveLength(3);
        const expected = [dots, length, 1, expect.anything()];
        expect([dots, length, heard.size, [...heard].map((each) => each.slice(0, 12))]).toEqual(expected);
      }
    }
  });

  test("A43 no client sets the field of the sent target: the field has another name each time", async () => {
    const [one, other] = [await world(), await world()];
    expect(one.telling).not.toBe(other.telling);
    const answer = await exchange(one.lane.port, [request("/ark:99999/b1a", `${other.telling}: /ark:99999/../x`)], {
      fin: true,
    });
    expect(answer.bytes).toContain("302 Found");
  });
});

describe.skipIf(!hasLane)("who asks", () => {
  test("the inner server knows the address of the caller, not of the lane", async () => {
    const seen: string[] = [];
    const { lane } = await world({}, {}, () => (asked, peer) => {
      seen.push(peer.addressOf(asked));
      return new Response("ok");
    });
    // Another address of this machine than the one that the lane itself comes from.
    const socket = connect({ port: lane.port, host: "127.0.0.1", localAddress: "127.0.0.7" });
    socket.write("GET / HTTP/1.0\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    expect(seen).toEqual(["127.0.0.7"]);
  });
});

describe.skipIf(!hasLane)("how connections end", () => {
  const files = (): number => readdirSync("/proc/self/fd").length;

  test("a client that ends its half behind what it asked for ends the connection", async () => {
    const { lane } = await world();
    for (const last of [PLAIN, request("/ark:99999/b1a?"), request("/healthz")]) {
      const heard = await exchange(lane.port, [PLAIN, last], { fin: true, pauseMs: 100 });
      expect([heard.end, heard.bytes.split("HTTP/1.1 ").length - 1]).toEqual(["closed", 2]);
    }
  });

  test("silence at the start and between requests has its limits, and so has an answer that nobody takes", async () => {
    const { lane } = await world({}, { clientSeconds: 1 });
    const idle = await open(lane.port);
    idle.socket.write(PLAIN);
    const handed = await open(lane.port);
    handed.socket.write(request("/ark:99999/b1a?"));
    const deaf = await open(lane.port);
    deaf.socket.pause();
    deaf.socket.write(LONG.repeat(40_000));
    const silent = await open(lane.port);
    const slow = await open(lane.port);
    const dripping = setInterval(() => slow.socket.write("x"), 500);
    expect(await until(() => [idle, handed, silent, slow].every((each) => each.isClosed()), 80_000)).toBe(true);
    clearInterval(dripping);
    // Only reading shows it the end.
    deaf.socket.resume();
    expect(await until(deaf.isClosed)).toBe(true);
    expect(deaf.heard().split("HTTP/1.1 302").length - 1).toBeLessThan(40_000);
  }, 90_000);

  /** A lane in front of a server that answers with many bytes, which counts seconds from the start. */
  async function impatient(answer: () => Response) {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: answer });
    const listener = new FastListener({
      ...{ lane: null, host: "127.0.0.1", port: 0, sharePort: false, firstSeconds: 1, idleSeconds: 1 },
      inner: { port: server.port ?? 0, close: async () => {}, cut: () => server.stop(true), pending: () => 0 },
      mayOpen: () => true,
    });
    return listener;
  }

  test("an answer that is taken slowly arrives whole, long after the patience with silence", async () => {
    const BYTES = 30_000_000;
    const listener = await impatient(() => new Response("y".repeat(BYTES)));
    const { socket, isClosed } = await open(listener.port);
    let read = 0;
    socket.on("data", (data: Uint8Array) => {
      read += data.length;
      socket.pause();
      setTimeout(() => socket.resume(), 120);
    });
    socket.write(request("/"));
    const began = performance.now();
    expect(await until(() => read > BYTES || isClosed(), 60_000)).toBe(true);
    expect(performance.now() - began).toBeGreaterThan(3_000);
    expect(read).toBeGreaterThan(BYTES);
    // Then it is idle.
    expect(await until(isClosed)).toBe(true);
    await listener.cut();
  }, 90_000);

  test("silence is ended with FIN, not with a reset", async () => {
    const listener = await impatient(() => new Response("ok"));
    const silent = ["", request("/"), "GET /ha", `${request("/")}GET /ha`, "POST / HTTP/1.1\r\nHost: a\r\nContent-"];
    const exchanges = silent.map(async (sent) => {
      const { bytes, end } = await exchange(listener.port, sent === "" ? [] : [sent]);
      expect([sent, bytes.includes("200 OK"), end]).toEqual([sent, sent.startsWith("GET / "), "closed"]);
    });
    await Promise.all(exchanges);
    await listener.cut();
  });

  test("an idle connection is one file, one that was handed on is three", async () => {
    const { lane } = await world();
    await exchange(lane.port, [LAST]);
    await until(() => files() < 200);
    for (const [text, cost] of [
      [PLAIN, 1],
      [request("/healthz"), 3],
    ] as const) {
      const before = files();
      const idle = await Promise.all(Array.from({ length: 100 }, () => open(lane.port)));
      for (const { socket } of idle) socket.write(text);
      expect(await until(() => idle.every(({ heard }) => heard() !== ""))).toBe(true);
      // The client's end is in this process, too.
      expect(Math.abs(files() - before - 100 * (cost + 1))).toBeLessThan(20);
      for (const { socket } of idle) socket.destroy();
      expect(await until(() => files() <= before)).toBe(true);
    }
  });

  test("resets of either side, at any moment, leave no connection and no address behind", async () => {
    const { lane, straight } = await world({}, {}, () => async (asked) => {
      await wait(5);
      return new Response("z".repeat(asked.url.endsWith("/long") ? 3_000_000 : 3));
    });
    await exchange(lane.port, [LAST]);
    await until(() => files() < 200);
    const before = files();
    const round = async (index: number): Promise<void> => {
      const { socket } = await open(lane.port);
      const kind = index % 5;
      const texts = [PLAIN.repeat(50), request("/long"), "GET /ha"];
      socket.write(texts[kind] ?? `${PLAIN}${request("/x")}`);
      await wait(index % 7);
      if (kind < 4) socket.resetAndDestroy();
      else socket.end();
      await new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.once("close", () => resolve())));
    };
    for (let at = 0; at < 1000; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => round(at + index)));
    expect(await until(() => files() <= before)).toBe(true);
    expect((await exchange(straight.port, [LAST])).bytes).toContain("zzz");
    expect((await exchange(lane.port, [LAST])).bytes).toContain("zzz");
  }, 90_000);

  test("a dead inner server and a lack of files are answered with 503, once, and the lane goes on", async () => {
    let mayOpen = true;
    const dead = createServer();
    const port = await new Promise<number>((resolve) => {
      dead.listen(0, "127.0.0.1", () => {
        const address = dead.address();
        dead.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
      });
    });
    const nothing = { port, close: async () => {}, cut: async () => {}, pending: () => 0 };
    const listener = new FastListener({
      lane: {
        head: new PlainHead({ rootPath: "", rawUriHeader: null }),
        answers: laneAnswers({}),
        telling: "x-sent-target",
        writeLocation(bytes, from, to, room) {
          const name = Buffer.from(bytes).toString("latin1", from, to);
          if (name.endsWith("/fault")) throw new RangeError("A bug in a look-up");
          return name === "99999/b1a" && writeAscii("https://t.example/a", room);
        },
        isOurHost: null,
        count: () => {},
      },
      host: "127.0.0.1",
      port: 0,
      sharePort: false,
      inner: nothing,
      firstSeconds: 12,
      idleSeconds: 12,
      mayOpen: () => mayOpen,
    });
    for (const may of [true, false, true]) {
      mayOpen = may;
      const { bytes, end } = await exchange(listener.port, [PLAIN + (may ? LAST : request("/ark:99999/fault")) + LAST]);
      expect(end).toBe("closed");
      expect(bytes).toMatch(
        /^HTTP\/1\.1 302 [\s\S]*\r\n\r\nHTTP\/1\.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n[\s\S]*\r\n\r\n$/,
      );
      expect(bytes.split("503").length).toBe(2);
    }
    expect(listener.pending()).toBe(0);
    // Who comes past the lane is nobody, and not this machine.
    expect(listener.addressOf(port)).toBe(null);
    await listener.cut();
  });

  test("stop() ends idle connections, lets what was handed on be answered, and takes no more", async () => {
    const { lane } = await world({}, {}, () => async () => {
      await wait(300);
      return new Response("late but whole");
    });
    const idle = await open(lane.port);
    idle.socket.write(PLAIN);
    expect(await until(() => idle.heard() !== "")).toBe(true);
    const late = await open(lane.port);
    late.socket.write(request("/x"));
    await wait(50);
    // Longer than this test may take: it does not wait for the grace time to pass.
    await lane.stop(600_000);
    expect(await until(() => idle.isClosed() && late.isClosed())).toBe(true);
    expect(late.heard()).toContain("late but whole");
    await expect(fetch(lane.url)).rejects.toThrow();
  });
});
