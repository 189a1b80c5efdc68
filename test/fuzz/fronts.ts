// Streams of requests as nobody should send them, through a real front (nginx, HAProxy) to a resolver with the fast lane
// and to one without: the answers are the same, the resolver receives the requests that the front knows of and no
// others, and the clients whose requests share the connections of the front get their own answers.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Rng, rng } from "../hostile/generate.ts";
import { type Front, type FrontName, startFront } from "../support/fronts.ts";
import { temporaryFolder } from "../support/processes.ts";
import { exchange, laneWorld, timeless } from "../support/world/lane.ts";
import { dialFrom } from "../support/world/transports.ts";
import { cut, oddStream } from "./lane.ts";
import { SMUGGLED } from "./smuggled.ts";

/** A resolver with a front: what has arrived there, by the address that the front gives for the client. */
type Side = {
  readonly port: number;
  readonly arrived: ReadonlyMap<string, readonly Arrival[]>;
  /** Requests that no client of the front is known to have sent. */
  readonly strays: readonly string[];
  /** The client at this address may send requests. */
  readonly expect: (address: string) => void;
  readonly stop: () => Promise<void>;
};
type Arrival = { readonly line: string; readonly isFast: boolean };

export type FrontFuzz = {
  readonly findings: readonly string[];
  readonly streams: number;
  /** Exchanges that were equal only when repeated. */
  readonly again: number;
  /** Plain redirects of neighbours that were handed on: their connection was not with the lane any more. */
  readonly slow: number;
  /** Requests that arrived at the resolver with the lane, and how many of them it answered itself. */
  readonly arrived: number;
  readonly fast: number;
};

/** Fronts that give up soon, so that a stream without an end has one. */
const SHORT: Readonly<Record<FrontName, Readonly<Record<string, string>>>> = {
  nginx: {
    "client_header_timeout 10s;": "client_header_timeout 1s;",
    "client_body_timeout 30s;": "client_body_timeout 1s;",
    "keepalive_timeout 75s;": "keepalive_timeout 1s;",
    "max_fails=2 fail_timeout=10s": "max_fails=0",
    "worker_processes auto": "worker_processes 1",
  },
  haproxy: {
    "timeout client 30s": "timeout client 1s",
    "timeout http-request 10s": "timeout http-request 1s",
    "timeout http-keep-alive 75s": "timeout http-keep-alive 1s",
    " check\n": "\n",
    "maxconn 4096": "maxconn 4096\n  nbthread 1",
  },
};
const AT_ONCE = 16;
/** What is heard of a broken stream hangs on the moment: then it is sent again, more slowly each time. */
const PAUSES_MS = [undefined, 2, 20, 100, 300];
const LAST = "GET /ark:99999/b1a/last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

export async function startSide(front: FrontName, folder: string, fastLane: "0" | "1"): Promise<Side> {
  const arrived = new Map<string, Arrival[]>();
  const strays: string[] = [];
  const note = (address: string, line: string, isFast: boolean): void => {
    const known = arrived.get(address);
    if (known === undefined) strays.push(`${line} from ${JSON.stringify(address)}`);
    else known.push({ line, isFast });
  };
  const world = await laneWorld(
    { SVC_RAW_URI_HEADER: "X-Original-URI", SVC_TRUSTED_PROXIES: "1", SVC_FAST_LANE: fastLane },
    {},
    (handler) => (request, peer) => {
      const { headers } = request;
      note(headers.get("x-forwarded-for") ?? "", `${request.method} ${headers.get("x-original-uri")}`, false);
      return handler(request, peer);
    },
    {
      onFast: (head) => {
        const addresses = [...head.matchAll(/^X-Forwarded-For: ([^\r]*)\r$/gim)].map(([, address]) => address);
        note(addresses.join(), `GET ${/^X-Original-URI: ([^\r]*)\r$/im.exec(head)?.[1]}`, true);
      },
    },
  );
  mkdirSync(folder);
  const ports = { minter: 9, resolvers: [world.lane.port, world.lane.port] } as const;
  const started: Front = await startFront(front, folder, ports, SHORT[front]);
  return {
    port: started.port,
    arrived,
    strays,
    expect: (address) => void arrived.set(address, []),
    async stop() {
      await started.stop();
      await world.stop();
    },
  };
}

/** `runs` made-up streams, and with `isWithList` every one of the smuggler's list. */
export async function fuzzFront(front: FrontName, seed: number, runs: number, isWithList = true): Promise<FrontFuzz> {
  const folder = temporaryFolder(`fuzz-${front}`);
  const sides = [
    await startSide(front, join(folder.path, "lane"), "1"),
    await startSide(front, join(folder.path, "straight"), "0"),
  ] as const;
  try {
    return await new FrontRun(sides, seed).run([
      ...(isWithList ? SMUGGLED.map((head) => () => [`${head}abcde${LAST}`]) : []),
      ...Array.from({ length: runs }, (_, index) => () => {
        const random: Rng = rng(seed + index);
        return [...cut(random, oddStream(random)), LAST];
      }),
    ]);
  } finally {
    for (const side of sides) await side.stop();
    folder.remove();
  }
}

type Heard = { readonly text: string; readonly lines: readonly string[] };

class FrontRun {
  readonly #sides: readonly [Side, Side];
  readonly #seed: number;
  readonly #findings: string[] = [];
  #clients = 0;
  #again = 0;
  #slow = 0;

  constructor(sides: readonly [Side, Side], seed: number) {
    this.#sides = sides;
    this.#seed = seed;
  }

  async run(streams: readonly (() => readonly string[])[]): Promise<FrontFuzz> {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < streams.length) {
        const index = next++;
        const parts = streams[index]?.() ?? [];
        const found = await this.#compare(parts);
        if (found !== null) this.#findings.push(JSON.stringify({ seed: this.#seed, index, ...found, parts }));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const [lane, straight] = this.#sides;
    for (const stray of [...lane.strays, ...straight.strays]) this.#findings.push(`Nobody asked for ${stray}`);
    const arrivals = [...lane.arrived.values()].flat();
    return {
      findings: this.#findings,
      streams: streams.length,
      again: this.#again,
      slow: this.#slow,
      arrived: arrivals.length,
      fast: arrivals.filter(({ isFast }) => isFast).length,
    };
  }

  /** Null where both sides answer the same and receive the same. */
  async #compare(parts: readonly string[]): Promise<object | null> {
    const seen = [new Map<string, Heard>(), new Map<string, Heard>()] as const;
    for (const [index, pauseMs] of PAUSES_MS.entries()) {
      const heard = await Promise.all(this.#sides.map((side) => this.#send(side, parts, pauseMs)));
      for (const [side, one] of heard.entries()) seen[side]?.set(JSON.stringify([one.text, one.lines]), one);
      const neighbours = await Promise.all(this.#sides.map((side) => this.#askNextToIt(side)));
      const wrong = neighbours.find((each) => each !== null);
      if (wrong !== undefined) return { neighbour: wrong };
      if (index === 1) this.#again += 1;
      if ([...seen[0].keys()].some((each) => seen[1].has(each))) return null;
    }
    return { lane: [...seen[0].values()], straight: [...seen[1].values()] };
  }

  async #send(side: Side, parts: readonly string[], pauseMs: number | undefined): Promise<Heard> {
    const from = this.#newAddress(side);
    const manner = { dial: dialFrom(from), ...(pauseMs === undefined ? {} : { pauseMs }) };
    const text = timeless(await exchange(side.port, parts, manner));
    const lines = side.arrived.get(from)?.map(({ line }) => line) ?? [];
    return { text, lines };
  }

  /** A plain redirect on another connection of the same front; returns what was wrong with it. */
  async #askNextToIt(side: Side): Promise<object | null> {
    const from = this.#newAddress(side);
    const target = `/ark:99999/b1a/${from}`;
    const request = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const { bytes } = await exchange(side.port, [request], { dial: dialFrom(from) });
    const arrived = side.arrived.get(from) ?? [];
    if (side === this.#sides[0] && arrived.some(({ isFast }) => !isFast)) this.#slow += 1;
    const isRight =
      /^HTTP\/1\.1 302 /.test(bytes) &&
      bytes.split("HTTP/1.1 ").length === 2 &&
      bytes.toLowerCase().includes(`\r\nlocation: https://t.example/a/${from}\r\n`) &&
      arrived.length === 1 &&
      arrived[0]?.line === `GET ${target}`;
    return isRight ? null : { request, bytes, arrived };
  }

  /** Each exchange has an address of this machine to itself. */
  #newAddress(side: Side): string {
    const number = this.#clients++;
    const address = `127.${20 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
    side.expect(address);
    return address;
  }
}
