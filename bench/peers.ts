// The yardsticks of bench/resolve.ts, each the least a server of its kind can do for a plain redirect. All read the
// same request headers and send the same response headers as a plain redirect of the resolver. Arguments: kind, port,
// then what the kind needs.
import { readFileSync } from "node:fs";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { Elysia } from "elysia";
import pg from "pg";
import { buildTrie, trieTable } from "../src/resolver/table/trie.ts";
import { entryOf } from "../src/resolver/table.ts";

type Names = readonly (readonly [string, string])[];

/** Lines of `key<TAB>target`, in key order. */
function readNames(file: string): Names {
  const names: [string, string][] = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const tab = line.indexOf("\t");
    if (tab > 0) names.push([line.slice(0, tab), line.slice(tab + 1)]);
  }
  return names;
}

function redirect(request: Request, location: string): Response {
  const headers: Record<string, string> = {
    location,
    "cache-control": "no-cache",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "Link, THUMP-Status",
  };
  const requestId = request.headers.get("x-request-id");
  if (requestId !== null) headers["x-request-id"] = requestId;
  return new Response(null, { status: 302, headers });
}

function keyOf(request: Request): string | null {
  const label = request.url.indexOf("/ark:", 8);
  return label === -1 ? null : request.url.slice(label + 5);
}

const ready = (): Response => new Response("ready");
type Fetch = (request: Request) => Response | Promise<Response>;

const KINDS: Readonly<Record<string, (args: readonly string[]) => Fetch | Promise<Fetch>>> = {
  "bare-constant": () => (request) =>
    keyOf(request) === null ? ready() : redirect(request, "https://repository.example.org/items/000000001"),

  "bare-map": ([file = ""]) => {
    const targets = new Map(readNames(file));
    return (request) => {
      const key = keyOf(request);
      const target = key === null ? undefined : targets.get(key);
      return target === undefined ? ready() : redirect(request, target);
    };
  },

  "elysia-wildcard": ([file = ""]) => {
    const at = "2026-01-01T00:00:00.000Z";
    const rows = readNames(file).map(([key, url]) => ({
      key,
      entry: entryOf({ key, url, state: "published", publishedAt: at, firstPublishedAt: at, holdUntil: null }),
    }));
    const table = trieTable(buildTrie(rows, { expectedNames: rows.length }));
    const app = new Elysia().get("/", ready).get("/ark:*", ({ request }) => {
      const key = keyOf(request);
      const target = key === null ? null : table.plainTarget(key);
      return target === null ? ready() : redirect(request, target);
    });
    return app.fetch;
  },

  "sqlite-per-request": async ([path = ""]) => {
    const { Database } = await import("bun:sqlite");
    const database = new Database(path, { readonly: true });
    const select = database.query<{ url: string }, [string]>(
      "select url from ark where ark = ? and state = 'published'",
    );
    return (request) => {
      const key = keyOf(request);
      const row = key === null ? null : select.get(key);
      return row === null ? ready() : redirect(request, row.url);
    };
  },

  "postgres-per-request": ([url = ""]) => {
    // Connections stay open between the rounds: opening them is not part of a redirect.
    const pool = new pg.Pool({ connectionString: url, max: 10, idleTimeoutMillis: 0 });
    const text = "select url from ark where ark = $1 and state = 'published'";
    return async (request) => {
      const key = keyOf(request);
      if (key === null) return ready();
      const { rows } = await pool.query<{ url: string }>({ name: "target", text, values: [key] });
      const row = rows[0];
      return row === undefined ? ready() : redirect(request, row.url);
    };
  },
};

async function serve(kind: string, port: number, args: readonly string[], shared: boolean): Promise<void> {
  const make = KINDS[kind];
  if (make === undefined) throw new RangeError(`Unknown kind "${kind}": ${Object.keys(KINDS).join(", ")}`);
  const fetch = await make(args);
  Bun.serve({ port, hostname: "127.0.0.1", reusePort: shared, fetch });
}

type Order = { readonly kind: string; readonly port: number; readonly args: readonly string[] };

if (isMainThread) {
  const [kindAndThreads = "", port = "0", ...args] = process.argv.slice(2);
  // `bare-map-2` is bare-map on two threads, each with a separate Map.
  const [, kind = "", threads = "1"] = /^(.*?)(?:-(\d))?$/.exec(kindAndThreads) ?? [];
  if (threads === "1") {
    await serve(kind, Number(port), args, false);
  } else {
    const order: Order = { kind, port: Number(port), args };
    for (let thread = 0; thread < Number(threads); thread++) {
      new Worker(import.meta.filename, { workerData: order });
    }
  }
} else {
  const { kind, port, args }: Order = workerData;
  await serve(kind, port, args, true);
}
