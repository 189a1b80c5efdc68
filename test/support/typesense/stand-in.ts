// A stand-in for a Typesense 29.0 server, in memory, over plain HTTP: it answers what a real one was seen to answer and refuses the rest with 501.
// `typesense-stand-in.test.ts` holds it to the recorded exchanges of a real server. What is not among them, and is answered as the source of 29.0 does:
// in a filter `field:!words` (seen by hand), `field:[a,b]` of texts (some of them), `field:!=[1..2]` of numbers (none of them), negative numbers;
// parentheses are no operations; `max_filter_by_candidates`, without which the beginning of a word stands for four words; members no field was declared for are given back.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, routed } from "./routes.ts";
import { type Store, typesenseStore } from "./store.ts";
import { Refused, Unseen } from "./unseen.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const BARE_JSON = "application/json";

export type StandIn = {
  readonly url: string;
  readonly store: Store;
  /** Method and path of every request, and what was not seen on a real server, in order. */
  readonly requests: readonly string[];
  readonly unseen: readonly string[];
  /** `loading`: 503, as while it starts; `silent`: takes the request and never answers. */
  is: "ready" | "loading" | "silent";
  /** Called before a request is answered; for tests that kill or change something in the middle. */
  before: (method: string, path: string) => void;
  stop(): Promise<void>;
};

export type StandInNeeds = { readonly adminKey: string; readonly clock?: () => number; readonly store?: Store };

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

export async function standIn({ adminKey, clock = Date.now, store: given }: StandInNeeds): Promise<StandIn> {
  const store = given ?? typesenseStore(adminKey, () => Math.floor(clock() / 1000));
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
    const isByQuery = method === "DELETE" && path.length === 3 && path[2] === "documents";
    try {
      const [key] = [request.headers["x-typesense-api-key"]].flat();
      return routed(store, {
        method,
        path,
        // As it was sent: the limit of its length counts encoded bytes.
        search: (request.url ?? "").slice(url.pathname.length),
        query: Object.fromEntries(url.searchParams),
        body,
        caller: store.caller(key),
      });
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
    store,
    requests,
    unseen,
    is: "ready",
    before: () => {},
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}
