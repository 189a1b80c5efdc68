// Streams of requests as nobody should send them, through the fast lane and straight into the runtime's server: the
// answers must be the same bytes (docs/fast-lane.md). Every stream comes from a seed, so that a finding can be run
// again.
import { RequestWatch } from "../../src/resolver/lane/request-watch.ts";
import { oddHeaders, oddPath, type Rng, rng } from "../hostile/generate.ts";
import { type Exchange, exchange, type LaneWorld, timeless } from "../support/world/lane.ts";

const PLAIN = ["/ark:99999/b1a", "/ark:/99999/b1a", "/ark:99999/b1a/b.c", "/ark:99999/b1=~*+@$_", "/ark:88888/k2a"];
/** Suffixes that are passed through as they are, and others that only look so. */
const PASSED = [
  ...[
    "/ark:99999/b1a/x",
    "/ark:99999/b1a.v2/x_1",
    "/ark:/88888/k2a/x~y/z=1",
    "/ark:99999/b1a/b.c/d",
    "/ark:99999/b1a/b.x",
  ],
  ...["/ark:99999/b1=~*+@$_.x", "/ark:99999/b1a//x", "/ark:99999/b1a/-x", "/ark:99999/b1a/x-y", "/ark:99999/b1a/x/"],
  ...["/ark:99999/b1a/x.", "/ark:99999/b1a./x", "/ark:99999/b1a..x", "/ark:99999/b1a.x/..y", "/ark:77777/k2a/x"],
  ...["/ark:99999/b1w/x", "/ark:99999/b1n/x", "/ark:99999/b1a/ark:1/2", "/ark:99999/b1long/x", "/ark:99999/zz/b1a.x"],
  `/ark:99999/b1a/${"s".repeat(300)}`,
];
const TARGETS = [
  ...["/ark:99999/b1a?", "/ark:99999/b1a?info", "/ark:99999/b1-a", "/ark:99999/b1a/x", "/ark:99999/b1long"],
  ...["/ark:99999/b1n", "/ark:77777/k2a", "/ark:99999/zz", "/ark:99999", "/ARK:99999/b1a", "/ark%3A99999/b1a"],
  ...["/ark:99999/x/../b1a", "/ark:99999/%2e%2e/b1a", "/ark:99999/b1a/.", "/./ark:99999/b1a", "//ark:99999/b1a"],
  ...[
    "/ark:99999\\b1a",
    "/ark:99999/b1a#x",
    "/ark:99999/b1\xe4",
    "*",
    "http://other/ark:99999/b1a",
    "/healthz",
    "/",
    "",
  ],
];
const METHODS = ["HEAD", "POST", "OPTIONS", "get", "GETT", "PUT", "CONNECT", "TRACE", "P\xd6ST"];
const VERSIONS = ["HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.1 ", "HTTP/11", ""];
const HOSTS = [
  "a",
  "id.example.org",
  "127.0.0.1:80",
  "A.b",
  "a:b",
  "a b",
  "a@b",
  "[::1]",
  "",
  "-",
  "1.2.3.256",
  "\xe4",
  "a/b",
  "a?b",
];
const FIELDS = [
  ...["User-Agent: x", "Accept: */*", "Connection: keep-alive", "connection:KEEP-ALIVE", "Cookie: a=b; c=d", "DNT: 1"],
  ...["Upgrade-Insecure-Requests: 1", "X-Request-Id: q-1", "x-request-id:  spaced  ", "Range: bytes=0-1", "X-Empty:"],
  ...["If-None-Match: *", "Origin: http://o", "Referer: http://o/ark:99999/b1a", "X-Forwarded-For: 192.0.2.7"],
];
const ODD_FIELDS = [
  ...[
    "Connection: close",
    "Connection: upgrade",
    "Connection: keep-alive, close",
    "Upgrade: websocket",
    "Upgrade: h2c",
  ],
  ...["Content-Length: 0", "Content-Length: 5", "Content-Length: -1", "Content-Length: 5, 5", "Content-Length: 0x5"],
  ...["Content-Length: 99999999999999999999", "Content-Length:", "Content-Length: +5", "Content-Length : 5"],
  ...[
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding:\tchunked",
  ],
  ...[
    "Transfer-Encoding: chunked, chunked",
    "transfer-encoding : chunked",
    "Transfer-Encoding: gzip, chunked",
    "TE: trailers",
  ],
  ...["Expect: 100-continue", "Expect: x", "Host: b", "Host:", "Trailer: x", "HTTP2-Settings: AAMA", "X-Request-Id:"],
  ...[
    "X-Request-Id: a b",
    `X-Request-Id: ${"i".repeat(70)}`,
    "X: a\r\n folded",
    " Leading: x",
    "No-Colon",
    ": x",
    "X\0: y",
  ],
  ...["X: \0", "X: a\rb", "X: a\nb", "X: a\tb", "X\t: y", "X Y: z", "X: \xff", "\xff: x", "X(: y", "X_Y: z"],
  ...[
    `X: ${"a".repeat(5000)}`,
    `X: ${"a".repeat(17_000)}`,
    Array(60).fill("Y: z").join("\r\n"),
    Array(250).fill("Y: z").join("\r\n"),
  ],
];
const BODIES = [
  "",
  "",
  "abcde",
  "5\r\nabcde\r\n0\r\n\r\n",
  "0\r\n\r\n",
  "GET /ark:99999/b1a HTTP/1.1\r\nHost: a\r\n\r\n",
];
const NOISE = [
  "\0",
  "\t",
  "\r",
  "\n",
  " ",
  ":",
  "\x80",
  "\r\n",
  "/",
  "\x16\x03\x01",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];

/** Some requests behind each other: mostly plain, some odd, here and there an byte too many or too few. */
function oddRequests(random: Rng): string[] {
  const requests = Array.from({ length: 1 + random.int(6) }, () =>
    random.chance(0.6) ? plainRequest(random) : oddRequest(random),
  );
  if (!random.chance(0.15)) return requests;
  const one = random.int(requests.length);
  const text = requests[one] ?? "";
  const at = random.int(text.length + 1);
  requests[one] = text.slice(0, at) + random.pick(NOISE) + text.slice(at + random.int(3));
  return requests;
}

export const oddStream = (random: Rng): string => oddRequests(random).join("");

function plainRequest(random: Rng): string {
  const fields = Array.from({ length: random.int(4) }, () => random.pick(FIELDS));
  fields.splice(random.int(fields.length + 1), 0, `Host: ${random.pick(HOSTS.slice(0, 4))}`);
  return `GET ${random.pick(random.chance(0.3) ? PASSED : PLAIN)} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`;
}

function oddRequest(random: Rng): string {
  const method = random.chance(0.8) ? "GET" : random.pick(METHODS);
  const odd = random.chance(0.3) ? oddPath(random, PLAIN).replace(/[\r\n ]/g, "_") : random.pick(TARGETS);
  const target = random.chance(0.5) ? random.pick(PLAIN) : odd;
  const version = random.chance(0.9) ? "HTTP/1.1" : random.pick(VERSIONS);
  const fields = oddHeaders(random).map(([name, value]) => `${name}: ${value}`);
  if (random.chance(0.9)) fields.push(`Host: ${random.pick(HOSTS)}`);
  while (random.chance(0.5)) fields.splice(random.int(fields.length + 1), 0, random.pick([...FIELDS, ...ODD_FIELDS]));
  const lineEnd = random.chance(0.95) ? "\r\n" : random.pick(["\n", "\r", "\r\r\n", "\r\n "]);
  return `${method} ${target} ${version}${lineEnd}${fields.join(lineEnd)}${lineEnd}${lineEnd}${random.pick(BODIES)}`;
}

/** Where a stream is cut: nowhere, at some bytes, or at every one. */
export function cut(random: Rng, stream: string): string[] {
  const way = random.int(4);
  if (way < 2) return [stream];
  if (way === 2 && stream.length < 400) return [...stream];
  const cuts = Array.from({ length: 1 + random.int(6) }, () => random.int(stream.length)).sort(
    (one, other) => one - other,
  );
  return [0, ...cuts].map((from, index) => stream.slice(from, cuts[index])).filter((part) => part !== "");
}

type LaneFuzz = {
  readonly findings: readonly string[];
  /** Exchanges that were equal only when repeated. */
  readonly again: number;
};

const AT_ONCE = 16;
/**
 * The runtime gives up an answer that is being made when nonsense or the end of the connection comes meanwhile, so what
 * is heard then hangs on the moment: such an exchange is repeated, more slowly each time.
 */
const PAUSES_MS = [undefined, 2, 10, 40, 150, 400];
const LEAST_PAUSE_MS = 2;

/** Each stream goes both ways at once; it ends with the client's half. */
export async function fuzzLane(world: LaneWorld, seed: number, runs: number): Promise<LaneFuzz> {
  const findings: string[] = [];
  let left = runs;
  let again = 0;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      const run = left--;
      const random = rng(seed + run);
      const requests = oddRequests(random);
      const parts = cut(random, requests.join(""));
      const { isSame, heard, tries } = await compareAnswers(world, parts, requests);
      if (tries > 1) again += 1;
      if (isSame) continue;
      findings.push(
        JSON.stringify({ seed: seed + run, sent: parts.join("").slice(0, 1500), parts: parts.length, heard }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { findings, again };
}

type Compared = { readonly isSame: boolean; readonly heard: Both | null; readonly tries: number };

/** Sends the parts both ways. `requests`: the same bytes, divided where requests end. */
function compareAnswers(world: LaneWorld, parts: readonly string[], requests: readonly string[]): Promise<Compared> {
  // The runtime's server drops an answer that is being made when the next request comes, so it gets one after the other
  // (docs/runtime-notes.md); from a request on whose end is not certain, the lane hands on what comes as it comes.
  const straight = reportedParts(requests.flatMap(headAndRest), requests, world.telling);
  if (!requests.every(isCertain)) straight.push(...reportedParts(parts, requests, world.telling));
  return receiveBoth(world, parts, straight);
}

/** The same for bytes of somebody else, which are divided as far as it is certain where requests end. */
export function compareStream(world: LaneWorld, parts: readonly string[]): Promise<Compared> {
  let rest = parts.join("");
  const requests: string[] = [];
  while (rest !== "") {
    const watch = new RequestWatch(null);
    const { taken } = watch.read(Buffer.from(rest, "latin1"));
    const end = watch.isWhole && !watch.isLost && !watch.isLast ? taken : rest.length;
    requests.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return compareAnswers(world, parts, requests);
}

/** A request line whose target holds a segment of dots, which only the lane sees as it was sent. */
const DOTTED = /^[A-Z]+ ([^\0-\x20\x7f?#]*\/(?:\.|%2e){1,2}(?:[/?#][^\0-\x20\x7f]*)?) HTTP\/1\.[01]\r\n/i;

/**
 * What the runtime's server is sent for the same answers: the lane marks dotted targets for it, up to the first request
 * after which nobody knows where requests begin. Only the lane knows which one that is; so there is a stream for each,
 * and the answers must be those to one of them.
 */
function reportedParts(parts: readonly string[], requests: readonly string[], telling: string): string[][] {
  const marks: { readonly at: number; readonly field: string }[] = [];
  let start = 0;
  for (const request of requests) {
    const [line, target] = DOTTED.exec(request) ?? [];
    if (line !== undefined) marks.push({ at: start + line.length, field: `${telling}: ${target}\r\n` });
    start += request.length;
  }
  return Array.from({ length: marks.length + 1 }, (_, left) => {
    let from = 0;
    return parts.map((part) => {
      const to = from + part.length;
      let text = part;
      for (const { at, field } of marks.slice(0, marks.length - left).reverse()) {
        if (at > from && at <= to) text = text.slice(0, at - from) + field + text.slice(at - from);
      }
      from = to;
      return text;
    });
  });
}

/** What follows a head may be its body, or be nonsense, which the runtime's server answers before the request. */
function headAndRest(request: string): string[] {
  const end = request.indexOf("\r\n\r\n") + 4;
  return end < 4 || end === request.length ? [request] : [request.slice(0, end), request.slice(end)];
}

function isCertain(request: string): boolean {
  const watch = new RequestWatch(null);
  const { taken } = watch.read(Buffer.from(request, "latin1"));
  return watch.isWhole && !watch.isLost && !watch.isLast && taken === request.length;
}

type Both = readonly [Exchange, Exchange];

/**
 * True when the two stated the same once; each time it is tried both ways at once, so that both have the same moment.
 */
async function receiveBoth(
  world: LaneWorld,
  parts: readonly string[],
  direct: readonly (readonly string[])[],
): Promise<Compared> {
  const seen = [new Set<string>(), new Set<string>()] as const;
  let heard: Both | null = null;
  for (const [index, pauseMs] of PAUSES_MS.entries()) {
    const manner = { fin: true, ...(pauseMs === undefined ? {} : { pauseMs }) };
    for (const straight of direct) {
      heard = await Promise.all([
        exchange(world.lane.port, parts, manner),
        exchange(world.straight.port, straight, { ...manner, pauseMs: pauseMs ?? LEAST_PAUSE_MS }),
      ]);
      for (const side of [0, 1] as const) seen[side].add(`${timeless(heard[side])}\n${heard[side].end}`);
      if ([...seen[0]].some((each) => seen[1].has(each))) return { isSame: true, heard, tries: index + 1 };
    }
  }
  return { isSame: false, heard, tries: PAUSES_MS.length };
}
