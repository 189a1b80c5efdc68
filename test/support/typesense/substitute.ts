// A substitute for a Typesense 29.0 server, in memory, over plain HTTP: it answers what a real one was seen to answer and
// refuses the rest with 501. `typesense-substitute.test.ts` holds it to the recorded exchanges of a real server. What is
// not among them, and is answered as the source of 29.0 does: in a filter `field:!words` (seen by hand), `field:[a,b]`
// of texts (some of them), `field:!=[1..2]` of numbers (none of them), negative numbers; parentheses are no operations;
// `max_filter_by_candidates`, without which the beginning of a word means four words; members no field was
// declared for are returned.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isWrite, writeLog } from "./replay.ts";
import { type Answer, routed } from "./routes.ts";
import { type Store, typesenseStore } from "./store.ts";
import { Refused, Unseen } from "./unseen.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const BARE_JSON = "application/json";

export type StandIn = {
  readonly url: string;
  /** Another one after a restart. */
  readonly store: Store;
  /** Method and path of every request, and what was not seen on a real server, in order. */
  readonly requests: readonly string[];
  readonly unseen: readonly string[];
  /** `loading`: 503, as while it starts; `silent`: takes the request and never answers. */
  is: "ready" | "loading" | "silent";
  /** Called before a request is answered; for tests that kill or change something in the middle. */
  before: (method: string, path: string) => void;
  /**
   * Starts again, and reads its log slowly: `lines` of each collection (0.1: one) before each (tenth) request it
   * answers. It reports ready meanwhile. Without `lines` it reads nothing until it is called again.
   */
  restart(lines?: number): void;
  isReplaying(): boolean;
  stop(): Promise<void>;
};

export type StandInNeeds = { readonly adminKey: string; readonly clock?: () => number; readonly store?: Store };

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

export async function standIn({ adminKey, clock = Date.now, store: given }: StandInNeeds): Promise<StandIn> {
  const newStore = (): Store => typesenseStore(adminKey, () => Math.floor(clock() / 1000));
  let store = given ?? newStore();
  const log = writeLog();
  let replaying: { readonly step: (lines: number) => boolean; readonly lines: number } | null = null;
  /** Lines to be read before the next request, whole ones. */
  let due = 0;
  const requests: string[] = [];
  const unseen: string[] = [];

  function answer(request: IncomingMessage, body: string): Answer {
    const url = new URL(request.url ?? "/", "http://typesense");
    const isReady = self.is === "ready";
    if (url.pathname === "/health") {
      return { status: isReady ? 200 : 503, type: JSON_TYPE, text: JSON.stringify({ ok: isReady }) };
    }
    if (!isReady) return { status: 503, type: JSON_TYPE, text: '{ "message": "Not Ready or Lagging"}' };
    const path = url.pathname.slice(1).split("/").map(decodeURIComponent);
    const method = request.method ?? "";
    // A write is put behind those of the log.
    due += replaying?.lines ?? 0;
    const lines = isWrite({ method, path }) ? Number.POSITIVE_INFINITY : Math.floor(due);
    due %= 1;
    if (replaying !== null && lines > 0 && !replaying.step(lines)) replaying = null;
    const isByQuery = method === "DELETE" && path.length === 3 && path[2] === "documents";
    try {
      const [key] = [request.headers["x-typesense-api-key"]].flat();
      const asked = {
        method,
        path,
        // As it was sent: the limit of its length counts encoded bytes.
        search: (request.url ?? "").slice(url.pathname.length),
        query: Object.fromEntries(url.searchParams),
        body,
      };
      const answered = routed(store, { ...asked, caller: store.caller(key) });
      if (path.join("/") === "operations/snapshot") log.snapshot();
      else log.note(asked);
      return answered;
    } catch (error) {
      const type = isByQuery ? BARE_JSON : JSON_TYPE;
      if (error instanceof Refused)
        return { status: error.status, type, text: JSON.stringify({ message: error.message }) };
      const isUnseen = error instanceof Unseen;
      const message = error instanceof Error ? error.message : String(error);
      unseen.push(`${method} ${url.pathname}: ${message}`);
      return { status: isUnseen ? 501 : 500, type, text: JSON.stringify({ message }) };
    }
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void (async () => {
      const body = await read(request);
      const line = `${request.method} ${(request.url ?? "").split("?")[0]}`;
      requests.push(line);
      self.before(request.method ?? "", (request.url ?? "").split("?")[0] ?? "");
      if (self.is === "silent") return;
      const { status, type, text } = answer(request, body);
      response.writeHead(status, { "content-type": type }).end(text);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP listener has a port

  const self: StandIn = {
    url: `http://127.0.0.1:${port}`,
    get store() {
      return store;
    },
    requests,
    unseen,
    is: "ready",
    before: () => {},
    restart(lines = 0) {
      const fresh = newStore();
      store = fresh;
      const apply = (write: Parameters<Parameters<typeof log.replay>[0]>[0]): void => {
        try {
          routed(fresh, { ...write, caller: fresh.caller(adminKey) });
        } catch (error) {
          // Refused then as now.
          if (!(error instanceof Refused)) throw error;
        }
      };
      replaying = { ...log.replay(apply), lines };
    },
    isReplaying: () => replaying !== null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}
