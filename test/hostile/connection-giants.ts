// Giants of connections (R9a): many requests sent before the answers to the first (RFC 9112, 9.3.2), also before
// garbage or the end of the client, and clients that read answers of megabytes at a few kilobytes a second. Each kind
// stretched, from a seed, so that a finding can be run again.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { METADATA } from "../support/record-calls.ts";
import type { StallWatch } from "../support/stall-watch.ts";
import { hasLane } from "../support/world/lane.ts";
import type { Rng } from "./generate.ts";
import { type Finding, measured } from "./stalls.ts";

export type RoleName = "minter" | "resolver" | "repository";
export type ConnectionTarget = {
  readonly port: number;
  readonly watch: StallWatch;
  /** Of the API key or the token that may write. */
  readonly authorization: string;
  /** Path parts of a name that redirects; of a record, and of its file. */
  readonly ark: string;
  readonly record: string;
};
type Target = Pick<ConnectionTarget, "authorization" | "ark" | "record">;
/** How a client ends: it asks the server for the end, sends what is not HTTP, or resets the connection halfway. */
type Ending = "close" | "garbage" | "reset";

export type ConnectionGiant = { readonly name: string; readonly role: RoleName } & (
  | { readonly kind: "pipeline"; readonly connections: readonly Pipeline[] }
  | {
      readonly kind: "slow readers";
      readonly path: (target: Target) => string;
      /** Of each client: times it sends the request before it reads. */
      readonly requests: number;
      readonly clients: number;
      readonly bytesPerSecond: number;
      readonly seconds: number;
      /** Afterwards: read the rest at full speed, or reset. */
      readonly ending: "read" | "reset";
    }
);
type Pipeline = {
  readonly requests: readonly Part[];
  readonly ending: Ending;
  readonly garbage: string;
  /** Sizes of the pieces in which the bytes are written; 0: all at once. */
  readonly pieces: number;
};
/** One request, and the status of its answer. */
type Part = {
  readonly line: (target: Target) => string;
  readonly body?: string;
  readonly isChunked?: boolean;
  readonly isAnonymous?: boolean;
  readonly fields?: string;
  readonly status: number;
};

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const get = (path: string | ((target: Target) => string), status = 200): Part => ({
  line: (target) => `GET ${typeof path === "string" ? path : path(target)}`,
  status,
});
const JSON_FIELD = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
const post = (path: string, body: unknown, status: number, more: Partial<Part> = {}): Part => ({
  line: () => `POST ${path}`,
  body: typeof body === "string" ? body : JSON.stringify(body),
  fields: JSON_FIELD,
  status,
  ...more,
});
const name = ({ ark }: Target): string => `/${ark}`;
const mint = { shoulder: "99999/b1", url: "https://t.example/x", title: "Piped" };
const draft = { metadata: METADATA, files: { enabled: false } };
const tool = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search_records", arguments: {} } };

/** Requests that each role answers, from memory, from the database and with refusals. */
const PARTS: Readonly<Record<RoleName, readonly Part[]>> = {
  resolver: [
    get(name, 302),
    get(name, 302),
    get((target) => `${name(target)}?info`),
    get((target) => `${name(target)}??`),
    get((target) => `${name(target)}?json`),
    get((target) => `${name(target)}/a/b.c`, 302),
    get("/ark:99999/b1none", 404),
    get("/ark:99999/x/../y", 400),
    get("/healthz"),
    get("/"),
    // Deno ends a connection on which a body was left unread.
    ...(hasLane ? [post("/healthz", "x".repeat(20_000), 405, { isChunked: true })] : []),
    { line: (target) => `HEAD ${name(target)}?info`, status: 200 },
  ],
  minter: [
    post("/api/mint", mint, 201),
    post("/api/mint", mint, 201, { isChunked: true }),
    post("/api/mint/bulk", { data: many(20, () => mint) }, 201),
    post("/api/mint", mint, 401, { isAnonymous: true }),
    post("/api/mint", `{"shoulder":"${"x".repeat(200_000)}"}`, 422),
    post("/api/mint", "[".repeat(50_000), 422),
    get("/api/stats"),
    get(({ ark }) => `/api/history?ark=${ark}`),
    get("/api/arks?limit=100"),
    get("/none", 404),
    get("/healthz"),
  ],
  repository: [
    get("/healthz"),
    get("/api/records?size=5"),
    get("/api/records?q=tides"),
    get("/search?q=tides"),
    get("/"),
    get("/oai?verb=Identify"),
    get("/oai?verb=ListIdentifiers&metadataPrefix=oai_dc"),
    get("/api/records/999999", 404),
    get("/api/vocabularies/languages?size=100"),
    post("/api/records", draft, 201),
    post("/api/records", draft, 201, { isChunked: true }),
    post("/api/records", draft, 401, { isAnonymous: true }),
    post("/api/records", `{"metadata":{"title":"${"x".repeat(200_000)}"}`, 400),
    post("/mcp", tool, 200),
  ],
};
const GARBAGE = [
  "\x01\x02 not HTTP\r\n\r\n",
  "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
  `GET /${"x".repeat(100_000)} HTTP/1.1\r\n\r\n`,
  "\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
];

type Sizes = {
  readonly requests: number;
  readonly redirects: number;
  readonly connections: number;
  readonly clients: number;
  readonly seconds: number;
};
const QUICK_SIZES: Sizes = { requests: 40, redirects: 5_000, connections: 6, clients: 12, seconds: 2 };
const FULL_SIZES: readonly Sizes[] = [
  QUICK_SIZES,
  { requests: 200, redirects: 50_000, connections: 30, clients: 40, seconds: 4 },
  { requests: 1_000, redirects: 200_000, connections: 5, clients: 100, seconds: 8 },
];

type Maker = (random: Rng, sizes: Sizes) => ConnectionGiant;

const pipeline = (random: Rng, requests: readonly Part[]): Pipeline => ({
  requests,
  ending: random.pick(["close", "close", "garbage", "reset"]),
  garbage: random.pick(GARBAGE),
  pieces: random.pick([0, 0, 100, 5_000, 70_000]),
});
const pipelines =
  (role: RoleName): Maker =>
  (random, sizes) => {
    // Long ones on few connections, or short ones on many.
    const [requests, count] = random.pick([
      [sizes.requests, 1 + random.int(3)],
      [1 + random.int(20), sizes.connections],
    ] as const);
    const connections = many(count, () =>
      pipeline(
        random,
        many(requests, () => random.pick(PARTS[role])),
      ),
    );
    return { name: `${count} times ${requests} requests to the ${role}`, role, kind: "pipeline", connections };
  };

/** Answers of megabytes, of each role. */
const LONG: Readonly<Record<RoleName, readonly (readonly [what: string, path: (target: Target) => string])[]>> = {
  resolver: [
    ["descriptions", (target) => `${name(target)}?json`],
    ["redirects", name],
  ],
  minter: [
    ["exports", () => "/api/export"],
    ["lists", () => "/api/arks?limit=1000"],
  ],
  repository: [
    ["records", ({ record }) => `/api/records/${record}`],
    ["pages of records", ({ record }) => `/records/${record}/values/creators`],
    ["exports", ({ record }) => `/records/${record}/export/jpcoar`],
    ["files", ({ record }) => `/api/records/${record}/files/a.bin/content`],
    ["archives", ({ record }) => `/api/records/${record}/files-archive`],
    ["harvests", () => "/oai?verb=ListRecords&metadataPrefix=jpcoar_2.0"],
    ["feeds", () => "/api/opensearch/search?format=jpcoar"],
  ],
};
/** Requests of a client without which its answers would fit into what the system keeps of a connection. */
const REPEATED: Readonly<Record<RoleName, number>> = { resolver: 3_000, minter: 6, repository: 3 };
const slowReaders =
  (role: RoleName): Maker =>
  (random, { clients, seconds }) => {
    const [what, path] = random.pick(LONG[role]);
    const bytesPerSecond = 1_000 * random.pick([2, 8, 32, 100]);
    return {
      name: `${clients} readers of ${what} of the ${role} at ${bytesPerSecond} bytes a second`,
      role,
      kind: "slow readers",
      path,
      requests: 1 + random.int(REPEATED[role]),
      clients,
      bytesPerSecond,
      seconds,
      ending: random.pick(["read", "read", "reset"]),
    };
  };

const MAKERS: readonly Maker[] = [
  (random, { redirects }) => ({
    name: `${redirects} redirects on one connection`,
    role: "resolver",
    kind: "pipeline",
    connections: [pipeline(random, Array<Part>(redirects).fill(get(name, 302)))],
  }),
  pipelines("resolver"),
  pipelines("minter"),
  pipelines("repository"),
  slowReaders("repository"),
  slowReaders("resolver"),
  slowReaders("minter"),
  slowReaders("repository"),
];

export const CONNECTION_SHAPES = MAKERS.length;

/** As many as asked for: every kind in turn. The full sizes are for thousands of them. */
export function* connectionGiants(random: Rng, count: number, quick: boolean): Generator<ConnectionGiant> {
  for (let at = 0; at < count; at++) {
    const maker = MAKERS[at % MAKERS.length];
    if (maker !== undefined) yield maker(random, quick ? QUICK_SIZES : random.pick(FULL_SIZES));
  }
}

/** What is wrong with the answers themselves, besides how long others waited. */
export type ConnectionFinding = Finding & { readonly faults: readonly string[] };

export async function sendConnectionGiant(
  target: ConnectionTarget,
  giant: ConnectionGiant,
): Promise<ConnectionFinding> {
  let faults: readonly string[] = [];
  const { text: _, ...found } = await measured(target, giant.name, giant.role, async () => {
    faults = giant.kind === "pipeline" ? await sendPipelines(target, giant) : await readSlowly(target, giant);
    return new Response();
  });
  return { ...found, faults };
}

type OfKind<K extends ConnectionGiant["kind"]> = Extract<ConnectionGiant, { readonly kind: K }>;

async function sendPipelines(target: ConnectionTarget, { connections }: OfKind<"pipeline">): Promise<string[]> {
  const faults = await Promise.all(connections.map((each, at) => sendPipeline(target, each, `c${at}`)));
  return faults.flat().slice(0, 5);
}

function textOf(target: Target, { line, body, isChunked, isAnonymous, fields = "" }: Part, id: string, last: boolean) {
  const lines = [`${line(target)} HTTP/1.1`, "Host: localhost", `X-Request-Id: ${id}`];
  if (isAnonymous !== true && !line(target).startsWith("GET /ark:"))
    lines.push(`Authorization: ${target.authorization}`);
  if (last) lines.push("Connection: close");
  const head = `${lines.join("\r\n")}\r\n${fields}`;
  if (body === undefined) return `${head}\r\n`;
  if (isChunked !== true) return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const half = Math.ceil(body.length / 2);
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk(body.slice(0, half))}${chunk(body.slice(half))}0\r\n\r\n`;
}

async function sendPipeline(target: ConnectionTarget, sent: Pipeline, tag: string): Promise<readonly string[]> {
  const { requests, ending, garbage, pieces } = sent;
  const lines = requests.map(({ line }) => line(target));
  const texts = requests.map((part, at) =>
    textOf(target, part, `${tag}-${at}`, ending === "close" && at === requests.length - 1),
  );
  if (ending === "garbage") texts.push(garbage, texts[0] ?? "");
  const answers: string[] = [];
  const talk = openTalk(target.port, Buffer.from(texts.join(""), "latin1"), {
    pieces,
    hasNoBody: (at) => lines[at]?.startsWith("HEAD ") === true,
    onAnswer(head, socket) {
      answers.push(`${head.slice(9, 12)} ${/^x-request-id: (.*)$/im.exec(head)?.[1]?.trim() ?? ""}`);
      if (ending === "reset" && answers.length > requests.length / 2) socket.resetAndDestroy();
    },
  });
  const end = await talk.ended;
  const wanted = requests.map(({ status }, at) => `${status} ${tag}-${at}`);
  // Garbage is refused or ends the connection, and nothing after it is answered.
  const refusal = answers[requests.length];
  if (ending === "garbage" && refusal !== undefined && /^4\d\d /.test(refusal)) wanted.push(refusal);
  const count = ending === "reset" ? answers.length : Math.max(answers.length, wanted.length);
  const faults = many(count, (at) => at)
    .filter((at) => wanted[at] !== answers[at])
    .map((at) => `answer ${at} of ${wanted.length} to ${lines[at]?.slice(0, 80)}: ${answers[at]}, not ${wanted[at]}`);
  return end === "silence" ? [...faults.slice(0, 3), `silence, ${ending}, pieces of ${pieces}`] : faults.slice(0, 3);
}

async function readSlowly(target: ConnectionTarget, giant: OfKind<"slow readers">): Promise<readonly string[]> {
  const { path, requests, clients, bytesPerSecond, seconds, ending, role } = giant;
  const part = get(path);
  const text = many(requests, (at) => textOf(target, part, `r${at}`, at === requests - 1)).join("");
  const readers = many(clients, () => {
    const statuses: string[] = [];
    const onAnswer = (head: string) => void statuses.push(head.slice(9, 12));
    return { statuses, talk: openTalk(target.port, Buffer.from(text, "latin1"), { bytesPerSecond, onAnswer }) };
  });
  const faults: string[] = [];
  const until = performance.now() + seconds * 1_000;
  // Others ask what they ask every day.
  for (let at = 0; performance.now() < until; at++) {
    const parts = PARTS[role].filter(
      ({ status, body, line }) => status === 200 && !body && line(target).startsWith("GET"),
    );
    const line = parts[at % parts.length]?.line(target).slice(4) ?? "/healthz";
    const headers = { authorization: target.authorization };
    const answer = await fetch(`http://127.0.0.1:${target.port}${line}`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) faults.push(`${line} of others: ${answer.status}`);
    await sleep(50);
  }
  for (const { talk } of readers) talk[ending === "read" ? "hurry" : "reset"]();
  const ends = await Promise.all(readers.map(({ talk }) => talk.ended));
  if (ending === "reset") return faults.slice(0, 3);
  for (const [at, { statuses }] of readers.entries()) {
    const right = statuses.filter((status) => status === "200" || status === "302").length;
    if (right !== requests || statuses.length !== requests || ends[at] !== "closed")
      faults.push(`reader ${at}: ${right} of ${requests} answers whole, ${statuses.slice(-2)}, ${ends[at]}`);
  }
  return faults.slice(0, 3);
}

const SILENT_MS = 120_000;

type Manner = {
  readonly onAnswer: (head: string, socket: Socket) => void;
  /** Sizes of what is written at once; 0: all. */
  readonly pieces?: number;
  readonly hasNoBody?: (at: number) => boolean;
  readonly bytesPerSecond?: number;
};
type Talk = {
  readonly ended: Promise<"closed" | "cut" | "silence">;
  /** Reads the rest at full speed. */
  readonly hurry: () => void;
  readonly reset: () => void;
};

/** Sends the bytes, and reads answers until the connection ends: `cut` in the middle of one. */
function openTalk(port: number, bytes: Buffer, manner: Manner): Talk {
  const { onAnswer, pieces = 0, hasNoBody = () => false, bytesPerSecond } = manner;
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const answers = answerReader(hasNoBody, (head) => onAnswer(head, socket));
  let isHurrying = bytesPerSecond === undefined;
  let end: "closed" | "silence" = "closed";
  let heardAt = performance.now();
  const looking = setInterval(() => {
    if (performance.now() - heardAt < SILENT_MS) return;
    end = "silence";
    socket.destroy();
  }, 1_000);
  socket.on("data", (data: Buffer) => {
    heardAt = performance.now();
    answers.read(data);
    if (isHurrying || bytesPerSecond === undefined) return;
    socket.pause();
    setTimeout(() => socket.resume(), (data.length / bytesPerSecond) * 1_000).unref();
  });
  socket.on("error", () => socket.destroy());
  socket.on("connect", async () => {
    const size = pieces === 0 ? bytes.length : pieces;
    for (let at = 0; at < bytes.length && !socket.destroyed; at += size)
      await new Promise((next) => socket.write(bytes.subarray(at, at + size), next));
  });
  return {
    ended: new Promise((resolve) =>
      socket.on("close", () => {
        clearInterval(looking);
        resolve(end === "closed" && answers.end() ? "cut" : end);
      }),
    ),
    hurry() {
      isHurrying = true;
      heardAt = performance.now();
      socket.resume();
    },
    reset: () => void socket.resetAndDestroy(),
  };
}

/** Reads answers out of bytes as they come, and reports the head of each when all of it is there. */
function answerReader(hasNoBody: (at: number) => boolean, onAnswer: (head: string) => void) {
  let kept: Buffer = Buffer.alloc(0);
  let [state, left, head, answered]: ["head" | "body" | "size" | "chunk" | "rest", number, string, number] = [
    "head",
    0,
    "",
    0,
  ];
  const whole = (): void => {
    state = "head";
    answered += 1;
    onAnswer(head);
  };
  function readHead(text: string): void {
    head = text;
    const status = Number(text.slice(9, 12));
    if (status < 200) return;
    const length = /^content-length: (\d+)$/im.exec(`${text}\n`.replaceAll("\r", ""))?.[1];
    if (hasNoBody(answered) || status === 204 || status === 304 || length === "0") whole();
    else if (/^transfer-encoding: chunked/im.test(text)) state = "size";
    else [state, left] = length === undefined ? ["rest", 0] : ["body", Number(length)];
  }
  return {
    read(data: Buffer): void {
      let seen = kept.length === 0 ? data : Buffer.concat([kept, data]);
      kept = Buffer.alloc(0);
      while (seen.length > 0 && state !== "rest") {
        if (state === "body" || state === "chunk") {
          const taken = Math.min(left, seen.length);
          [left, seen] = [left - taken, seen.subarray(taken)];
          if (left > 0) return;
          if (state === "body") whole();
          else state = "size";
          continue;
        }
        const mark = state === "head" ? "\r\n\r\n" : "\r\n";
        const end = seen.indexOf(mark);
        if (end === -1) {
          kept = seen;
          return;
        }
        const text = seen.toString("latin1", 0, end);
        seen = seen.subarray(end + mark.length);
        if (state === "head") readHead(text);
        else {
          const size = Number.parseInt(text, 16);
          // The line end after a chunk belongs to it, as the empty line does to the last.
          [state, left] = ["chunk", size + 2];
          if (size === 0) [state, left] = ["body", 2];
        }
      }
    },
    /** The connection has ended. Returns whether it was in the middle of an answer. */
    end(): boolean {
      if (state === "rest") whole();
      return state !== "head" || kept.length > 0;
    },
  };
}
