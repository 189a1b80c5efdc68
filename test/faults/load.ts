// A load of mints for tests that break things under it, the answer to each of its requests, and the reckoning
// afterwards: every promise made before, during and after the fault is held against what the service returns then.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/** How often each fault is done: few in `check`; ARKSTONE_FAULT_ROUNDS=20 for the figures. */
export const ROUNDS = Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 1);
/** How long the database is cut off: ARKSTONE_FAULT_CUT_S=30 for the figures. */
export const CUT_MS = Number(process.env.ARKSTONE_FAULT_CUT_S ?? 1) * 1000;

type Place = { readonly base: string; readonly key: string };
type Row = { readonly request_id?: string; readonly url: string; readonly shoulder: string };

/** One request as it is sent, again and again where it has receipts, until it is answered. */
type Order = { readonly rows: readonly Row[]; readonly hasReceipts: boolean };
type Answer = { readonly status: number; readonly arks: readonly string[] };

const BULK_ROWS = 20;
const PATIENCE_MS = 60_000;

async function send({ base, key }: Place, { rows }: Order): Promise<Answer> {
  const isBulk = rows.length > 1;
  const response = await fetch(`${base}/api/mint${isBulk ? "/bulk" : ""}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(isBulk ? { data: rows } : rows[0]),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  if (response.status >= 300) return { status: response.status, arks: [] };
  const body = JSON.parse(text);
  const made: readonly { readonly ark: string }[] = isBulk ? body.minted : [body];
  return { status: response.status, arks: made.map(({ ark }) => ark) };
}

export type Load = {
  /** Names acknowledged so far, by the address they lead to: each request has its own addresses. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly refusals: ReadonlyMap<string, number>;
  /** No new requests; what has receipts is sent until it is answered. */
  stop(): Promise<void>;
};

/** Starts writers: most with receipts, one by one and in bulk; one without, whose requests are never sent twice. */
export function startLoad(place: () => Place, writers = 4): Load {
  const acknowledged = new Map<string, string>();
  const refusals = new Map<string, number>();
  let going = true;
  let next = 0;

  function newOrder(writer: number): Order {
    const number = next++;
    const hasReceipts = writer > 0;
    const count = writer % 2 === 1 ? 1 : hasReceipts ? BULK_ROWS : 1;
    const rows = Array.from({ length: count }, (_, row) => ({
      url: `https://example.org/${number}/${row}`,
      shoulder: "b1",
      ...(hasReceipts ? { request_id: `order-${number}-${row}` } : {}),
    }));
    return { rows, hasReceipts };
  }

  async function attempt(order: Order): Promise<boolean> {
    let refusal: string;
    try {
      const { status, arks } = await send(place(), order);
      if (arks.length === order.rows.length) {
        for (const [index, { url }] of order.rows.entries()) acknowledged.set(url, arks[index] ?? "");
        return true;
      }
      refusal = String(status);
    } catch {
      refusal = "no answer";
    }
    refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
    return false;
  }

  const work = Array.from({ length: writers }, async (_, writer) => {
    while (going) {
      const order = newOrder(writer);
      const deadline = Date.now() + PATIENCE_MS;
      while (!(await attempt(order))) {
        await sleep(20);
        if (!order.hasReceipts) break;
        if (Date.now() > deadline) throw new Error(`No answer to ${JSON.stringify(order.rows[0])} within a minute`);
      }
    }
  });
  const done = Promise.all(work);
  // Reported by stop().
  done.catch(() => {});

  return {
    acknowledged,
    refusals,
    async stop() {
      going = false;
      await done;
    },
  };
}

/** Waits until that many more names are acknowledged: proof that the service is at work again. */
export async function moreOf(load: Load, names: number): Promise<void> {
  const wanted = load.acknowledged.size + names;
  const deadline = Date.now() + PATIENCE_MS;
  while (load.acknowledged.size < wanted) {
    if (Date.now() > deadline) throw new Error("The service did not come back within a minute");
    await sleep(10);
  }
}

type Reckoning = {
  readonly acknowledged: number;
  readonly rows: number;
  /** Acknowledged names that are not there, or lead elsewhere. */
  readonly lost: number;
  /** Names given to two requests, and requests that got two names. */
  readonly doubled: number;
  readonly refused: string;
};

/** Holds the whole export against what was acknowledged. */
export async function reckon({ base, key }: Place, load: Load): Promise<Reckoning> {
  const response = await fetch(`${base}/api/export`, {
    headers: { authorization: `Bearer ${key}`, accept: "application/x-ndjson" },
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`No export: ${response.status} ${text.slice(0, 500)}`);
  const urlOf = new Map<string, string>();
  let rows = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const row: { readonly ark: string; readonly url: string } = JSON.parse(line);
    if (!row.url.startsWith("https://example.org/")) continue;
    rows++;
    urlOf.set(row.ark, row.url);
  }
  const urls = new Set(urlOf.values());
  const given = new Set(load.acknowledged.values());
  let lost = 0;
  for (const [url, ark] of load.acknowledged) if (urlOf.get(ark) !== url) lost++;
  const doubled = rows - urls.size + (load.acknowledged.size - given.size);
  const refused = [...load.refusals].map(([refusal, count]) => `${count}x ${refusal}`).join(", ") || "none";
  return { acknowledged: load.acknowledged.size, rows, lost, doubled, refused };
}

/** The answers allowed while a database or a process is away: all others are our fault. */
export function unclean(load: Load): readonly string[] {
  return [...load.refusals.keys()].filter((refusal) => refusal !== "503" && refusal !== "no answer");
}

type Watch = {
  stop(): Promise<{ readonly answers: number; readonly wrong: readonly string[]; readonly unanswered: number }>;
};

/**
 * Asks a resolver for acknowledged names while things break. Wrong is a redirect to anything but the name's own target;
 * a name the feed has not brought yet is 404, a resolver that is down does not answer.
 */
export function watch(base: () => string, load: Pick<Load, "acknowledged">): Watch {
  let going = true;
  let [answers, unanswered] = [0, 0];
  const wrong: string[] = [];
  const done = (async () => {
    for (let turn = 0; going; turn++) {
      await sleep(3);
      const names = [...load.acknowledged];
      const [url, ark] = names[(turn * 7919) % Math.max(names.length, 1)] ?? [];
      if (url === undefined || ark === undefined) continue;
      const answer = await redirectOf(base(), ark).catch(() => null);
      if (answer === null) unanswered++;
      else answers++;
      if (answer !== null && answer.location !== null && answer.location !== url)
        wrong.push(`${ark} → ${answer.location}`);
    }
  })();
  return {
    async stop() {
      going = false;
      await done;
      return { answers, wrong, unanswered };
    },
  };
}

async function redirectOf(
  base: string,
  ark: string,
): Promise<{ readonly status: number; readonly location: string | null }> {
  const response = await fetch(`${base}/${ark}`, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
  await response.body?.cancel();
  return { status: response.status, location: response.status === 302 ? response.headers.get("location") : null };
}

/**
 * Asks for the last names until each redirects, and counts those that lead elsewhere, or nowhere within a minute. A
 * name the table does not have yet is searched for in the database only so often a second (A31d): until the feed brings
 * it, a 404 is not a wrong redirect.
 */
export async function wrongRedirects(base: string, load: Load, most = 400): Promise<number> {
  const deadline = Date.now() + PATIENCE_MS;
  let wrong = 0;
  for (const [url, ark] of [...load.acknowledged].slice(-most)) {
    let answer = await redirectOf(base, ark);
    while (answer.location === null && Date.now() < deadline) {
      await sleep(50);
      answer = await redirectOf(base, ark);
    }
    if (answer.location !== url) wrong++;
  }
  return wrong;
}

/** One line for each kind of fault, for the log of the run; as JSON with ARKSTONE_FAULT_JSON=1. */
export function report(fault: string, figures: Readonly<Record<string, unknown>>): void {
  const words = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  const isJson = process.env.ARKSTONE_FAULT_JSON === "1";
  console.log(isJson ? JSON.stringify({ fault, ...figures }) : `fault: ${fault}: ${words.join(", ")}`);
}
