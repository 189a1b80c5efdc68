// One resolver behind two listeners of this process: through the fast lane, and straight on the runtime's own server.
// What a client gets from the two must be the same bytes. Next to resolver.ts, because it takes the resolver
// apart: the lane wants its parts, not the whole.
import type { Socket } from "node:net";
import { readConfig } from "../../../src/config.ts";
import type { Lane } from "../../../src/main/lane/fast-lane.ts";
import { resolverLane } from "../../../src/main/lane/resolver-lane.ts";
import { type Handler, type ServeOptions, type Server, serve } from "../../../src/main/process/serve.ts";
import { resolverNeeds } from "../../../src/main/resolver/resolver.ts";
import { resolverApp } from "../../../src/main/resolver/resolver-app.ts";
import type { Log } from "../../../src/shared/log.ts";
import { arkRecord, memoryReplica, naanOf, shoulderOf } from "../memory-replica.ts";
import { quietLog } from "../quiet-log.ts";
import { NOW } from "./resolver.ts";
import { type Dial, dialPlain } from "./transports.ts";

/** The lane is for Bun alone. */
export const hasLane = !("Deno" in globalThis);

export type LaneWorld = {
  readonly lane: Server;
  readonly straight: Server;
  /** The field in which the lane tells of targets that the runtime rewrites. */
  readonly telling: string;
  /** Redirects that were answered without the handler, and requests that the handler saw. */
  readonly counts: { fast: number; handled: number };
  readonly stop: () => Promise<void>;
};

/** What a test sees of a world besides its answers. */
type Seeing = {
  readonly log?: Log;
  /** Called with each head that the lane answers. */
  readonly onFast?: ((head: string) => void) | null;
};

export async function laneWorld(
  env: Readonly<Record<string, string>> = {},
  more: Partial<ServeOptions> = {},
  around: (handler: Handler) => Handler = (handler) => handler,
  { log = quietLog, onFast = null }: Seeing = {},
): Promise<LaneWorld> {
  const replica = memoryReplica(
    [naanOf("99999"), naanOf("88888"), naanOf("77777", { holdUntil: "2131-01-01T00:00:00.000Z", holdReason: "x" })],
    [shoulderOf("99999", "b1"), shoulderOf("88888", "k2"), shoulderOf("77777", "k2")],
  );
  replica.put(
    arkRecord("99999/b1a", { url: "https://t.example/a" }),
    arkRecord("99999/b1a/b.c", { url: "http://t.example/a?b=1#c" }),
    arkRecord("99999/b1=~*+@$_", { url: "https://t.example/odd" }),
    arkRecord("99999/b1long", { url: `https://t.example/${"l".repeat(2000)}` }),
    arkRecord("99999/b1n", { url: "" }),
    arkRecord("99999/b1w", { url: "https://t.example/w", state: "unpublished", publishedAt: null }),
    arkRecord("77777/k2a", { url: "https://t.example/held" }),
    arkRecord("88888/k2a", { url: "https://t.example/free" }),
  );
  // A made-up request id differs each time; with no log there is none.
  const config = readConfig({ SVC_REFRESH_MS: "600000", SVC_ACCESS_LOG: "off", ...env });
  const { needs, tables } = resolverNeeds({ config, replica, log, clock: { now: () => NOW } });
  await tables.refreshNow();
  const counts = { fast: 0, handled: 0 };
  const handler = around(resolverApp(needs));
  const options = { host: "127.0.0.1", port: 0, ...more };
  const own = resolverLane({
    ...needs,
    metrics: { ...needs.metrics, countFast: () => void counts.fast++ },
  });
  const lane = own === undefined || onFast === null ? own : watched(own, onFast);
  const counted: Handler = (request, peer) => {
    counts.handled += 1;
    return handler(request, peer);
  };
  const servers = [serve({ ...options, lane, fetch: counted }), serve({ ...options, fetch: handler })] as const;
  return {
    lane: servers[0],
    straight: servers[1],
    telling: needs.settings.sentTargetHeader ?? "",
    counts,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop(0)))),
  };
}

function watched(lane: Lane, onFast: (head: string) => void): Lane {
  return {
    ...lane,
    writeLocation(bytes, from, to, room) {
      const isWritten = lane.writeLocation(bytes, from, to, room);
      if (isWritten) onFast(bytes.latin1Slice(lane.head.pathFrom - "GET ".length, lane.head.end));
      return isWritten;
    },
  };
}

export type Exchange = {
  /** Everything that came, in latin-1. */
  readonly bytes: string;
  /** How it ended: by the server, by a reset, or not within the time. */
  readonly end: "closed" | "reset" | "open";
};

type Manner = {
  /** How the connection is made; straight where it is left out. */
  readonly dial?: Dial;
  /** Ends its half after the last part. */
  readonly fin?: boolean;
  /** Between parts, and before the end. */
  readonly pauseMs?: number;
  /** How long it listens. */
  readonly forMs?: number;
};

/** Sends the parts one after the other, each in a separate write, and collects the whole answer. */
export async function exchange(port: number, parts: readonly string[], more: Manner = {}): Promise<Exchange> {
  let bytes = "";
  const socket = await (more.dial ?? dialPlain)(port).catch(() => null);
  if (socket === null) return { bytes, end: "reset" };
  return await new Promise((resolve) => {
    const done = (end: Exchange["end"]): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ bytes, end });
    };
    const timer = setTimeout(() => done("open"), more.forMs ?? 20_000);
    socket.on("data", (data: Uint8Array) => {
      bytes += Buffer.from(data).toString("latin1");
    });
    socket.on("end", () => done("closed"));
    socket.on("error", () => done("reset"));
    socket.on("close", () => done("closed"));
    void send(socket, parts, more);
  });
}

async function send(socket: Socket, parts: readonly string[], { fin, pauseMs }: Manner): Promise<void> {
  for (const part of parts) {
    if (socket.destroyed) return;
    socket.write(Buffer.from(part, "latin1"));
    // The other end lives in this process: one turn of the loop, and it has read what came.
    if (pauseMs !== undefined) await new Promise((next) => setTimeout(next, pauseMs));
    else if (parts.length > 1) await new Promise((next) => setImmediate(next));
  }
  if (fin === true) socket.end();
}

/** The answer of a listener without the time and the request ids that it generated. */
export function timeless({ bytes }: Exchange): string {
  return bytes
    .replace(/^(date): [^\r\n]*/gim, "$1")
    .replace(/^(x-request-id: )[0-9a-f]{8}-?[0-9a-f-]{24,27}(?=\r)/gm, "$1made-up");
}
