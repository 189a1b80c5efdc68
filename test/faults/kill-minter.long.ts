// `kill -9` of the minter under a load of bulk mints with receipts: nothing acknowledged is lost, nothing is doubled,
// no batch is half there, and the resolver answers all the while.
import { describe, expect, test } from "bun:test";
import process from "node:process";
import { freePort, provision, type Role, startRole, temporaryFolder } from "../support/processes.ts";
import { report } from "./load.ts";

/** As the tests next to it, but never fewer than five. */
const ROUNDS = Math.max(5, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 5));
const BATCH = 50;
const WRITERS = 4;

type Minted = {
  readonly minted: readonly { readonly ark: string }[];
  readonly created: number;
  readonly replayed: number;
};

async function mintBatch(base: string, key: string, batch: number): Promise<Minted> {
  const data = Array.from({ length: BATCH }, (_, row) => ({
    request_id: `batch-${batch}-row-${row}`,
    url: `https://example.org/${batch}/${row}`,
    shoulder: "b1",
  }));
  const response = await fetch(`${base}/api/mint/bulk`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ data }),
  });
  const text = await response.text();
  if (response.status !== 200 && response.status !== 201) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}

/** Asks the resolver for one name until asked to stop; counts what it answered. */
function watchResolver(url: string): { stop(): Promise<{ answers: number; wrong: string[] }> } {
  let going = true;
  const wrong: string[] = [];
  let answers = 0;
  const done = (async () => {
    while (going) {
      const status = await fetch(url, { redirect: "manual" }).then(
        async (response) => {
          await response.body?.cancel();
          return String(response.status);
        },
        (error: unknown) => String(error),
      );
      answers++;
      if (status !== "302") wrong.push(status);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  return {
    async stop() {
      going = false;
      await done;
      return { answers, wrong };
    },
  };
}

describe("kill -9 of the minter under load", () => {
  test("L2 L3 L10 A13 A14 everything acknowledged survives every kill, nothing is doubled or half there, the resolver keeps answering", async () => {
    const folder = temporaryFolder("kill");
    const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "error", SVC_ACCESS_LOG: "off" };
    const acknowledged = new Map<number, readonly string[]>();
    let resolver: Role | null = null;
    let minter: Role | null = null;
    try {
      const key = await provision(folder.path, env);
      const port = await freePort();
      minter = await startRole("minter", env, port);
      const first = (await mintBatch(minter.base, key, 0)).minted.map((row) => row.ark);
      acknowledged.set(0, first);
      resolver = await startRole("resolver", env, await freePort());
      const watch = watchResolver(`${resolver.base}/${first[0]}`);

      let next = 1;
      for (let round = 0; round < ROUNDS; round++) {
        const current: Role = minter;
        const inFlight = new Set<number>();
        const writers = Array.from({ length: WRITERS }, async () => {
          for (;;) {
            const batch = next++;
            inFlight.add(batch);
            try {
              const answer = await mintBatch(current.base, key, batch);
              acknowledged.set(
                batch,
                answer.minted.map((row) => row.ark),
              );
              inFlight.delete(batch);
            } catch {
              return;
            }
          }
        });
        await new Promise((resolve) => setTimeout(resolve, 40 + ((round * 37) % 160)));
        await current.kill("SIGKILL");
        await Promise.all(writers);
        minter = await startRole("minter", env, port);
        // What was in flight is there wholly or not at all.
        for (const batch of inFlight) {
          const again = await mintBatch(minter.base, key, batch);
          expect([0, BATCH]).toContain(again.created);
          expect(again.created + again.replayed).toBe(BATCH);
          acknowledged.set(
            batch,
            again.minted.map((row) => row.ark),
          );
        }
      }

      const seen = await watch.stop();
      expect(seen.wrong).toEqual([]);
      expect(seen.answers).toBeGreaterThan(ROUNDS);
      const all = new Set<string>();
      for (const [batch, arks] of acknowledged) {
        const again = await mintBatch(minter.base, key, batch);
        expect(again.created).toBe(0);
        expect(again.minted.map((row) => row.ark)).toEqual([...arks]);
        for (const ark of arks) all.add(ark);
      }
      expect(all.size).toBe(acknowledged.size * BATCH);
      const figures = {
        rounds: ROUNDS,
        acknowledged: all.size,
        lost: 0,
        doubled: 0,
        redirects: seen.answers,
        wrong: 0,
      };
      report("kill -9 of the minter", figures);
    } finally {
      await minter?.kill("SIGTERM");
      await resolver?.kill("SIGTERM");
      folder.remove();
    }
  }, 240_000);
});
