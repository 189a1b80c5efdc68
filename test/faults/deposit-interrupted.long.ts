// Deposits whose client disconnects in the middle, and whose server is killed in the middle (R7a, R13): the item is
// wholly there or not at all, nothing half written stays, and the same Idempotency-Key again gives one item.
import { describe, expect, test } from "bun:test";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { rng } from "../hostile/generate.ts";
import {
  type DepositInstallation,
  depositInstallation,
  type Leftovers,
  postDeposit,
  rawDeposit,
} from "../support/deposit-installation.ts";
import { bagPieces, crateOf } from "../support/package-builder.ts";
import { connectTo } from "../support/raw-http.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { faultsOfItem, itemsTitled, strayFiles } from "../support/whole-items.ts";
import { zip } from "../support/zip-writer.ts";
import { report } from "./load.ts";

/** More with ARKSTONE_FAULT_ROUNDS; the issue asks for 20. */
const ROUNDS = Math.max(3, Number(process.env.ARKSTONE_FAULT_ROUNDS ?? 3));
const CUTS = inSlowRing ? 24 : 12;
const SEED = 20_261_120;

function bytesOf(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}

/** Five files of 60 KiB, another five for each title. */
function packageOf(title: string, seed: number): Uint8Array {
  const payload = Array.from({ length: 5 }, (_, at) => ({
    path: `part-${at}.bin`,
    bytes: bytesOf(60_000, seed * 10 + at + 1),
  }));
  return zip(
    bagPieces({
      payload,
      crate: crateOf(
        payload.map(({ path }) => path),
        { name: title },
      ),
    }),
  );
}

/** Sends the first bytes and hangs up. */
function hangUpAfter(port: number, request: string, length: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connectTo(port);
    socket.on("error", () => {});
    socket.on("close", () => resolve());
    socket.write(Buffer.from(request.slice(0, length), "latin1"), () => setTimeout(() => socket.destroy(), 5));
  });
}

/** What is there once it is as before and stays so; else what is there in the end. */
async function quiet(installation: DepositInstallation, before: Leftovers): Promise<Leftovers> {
  const deadline = Date.now() + 25_000;
  let same = 0;
  for (;;) {
    const now = await installation.leftovers();
    same = isDeepStrictEqual(now, before) ? same + 1 : 0;
    if (same >= 4 || Date.now() > deadline) return now;
    await sleep(25);
  }
}

describe("the client of a deposit disconnects", () => {
  test("R7a R13 a client gone after any number of bytes leaves no item, no row, no temporary file and no stored object", async () => {
    const installation = await depositInstallation("deposit-gone");
    const server = await installation.start();
    try {
      const token = await installation.setup.client();
      const random = rng(SEED);
      expect((await postDeposit(server.base, packageOf("First", 1), { token })).status).toBe(201);
      const before = await installation.leftovers();
      const request = rawDeposit(packageOf("Gone", 2), { token });
      const head = request.indexOf("\r\n\r\n") + 4;
      const cuts = [20, head - 2, head, head + 1, head + 100, head + 200, request.length - 40, request.length - 1];
      while (cuts.length < CUTS) cuts.push(head + random.int(request.length - head - 1));
      for (const cut of cuts) {
        await hangUpAfter(installation.port, request, cut);
        expect(await quiet(installation, before)).toEqual(before);
      }
      const retry = await postDeposit(server.base, packageOf("Gone", 2), { token });
      expect(retry.status).toBe(201);
      expect(await itemsTitled(installation, "Gone")).toHaveLength(1);
      expect(await strayFiles(installation)).toEqual([]);
    } finally {
      await server.kill("SIGTERM");
      await installation.close();
    }
  }, 60_000);

  test("R13 a client that disconnects after the last byte finds its one item by its Idempotency-Key", async () => {
    const installation = await depositInstallation("deposit-gone-late");
    const server = await installation.start();
    try {
      const token = await installation.setup.client();
      for (let round = 0; round < 5; round++) {
        const title = `Late ${round}`;
        const headers = { "idempotency-key": title };
        const request = rawDeposit(packageOf(title, 100 + round), { token, headers });
        await hangUpAfter(installation.port, request, request.length);
        const again = await settled(server.base, packageOf(title, 100 + round), { token, headers });
        expect(again.status).toBe(201);
        const found = await itemsTitled(installation, title);
        expect(found).toHaveLength(1);
        expect(await faultsOfItem(installation, Number(found[0]?.id))).toEqual([]);
      }
      expect(await strayFiles(installation)).toEqual([]);
    } finally {
      await server.kill("SIGTERM");
      await installation.close();
    }
  }, 60_000);
});

/** As a patient client: retries as long as the first deposit is in progress. */
async function settled(base: string, bytes: Uint8Array, ask: Parameters<typeof postDeposit>[2]): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const answer = await postDeposit(base, bytes, ask);
    if (answer.status !== 503 || tries > 250) return answer;
    await answer.body?.cancel();
    await sleep(100);
  }
}

type Kill = { readonly there: boolean; readonly answered: boolean };

/** One deposit, the server killed after a given number of milliseconds; the server started again. */
async function killedAfter(
  installation: DepositInstallation,
  token: string,
  round: number,
  ms: number,
  start: () => Promise<Running>,
): Promise<Kill> {
  const title = `Killed ${round}`;
  const bytes = packageOf(title, 1000 + round);
  const ask = { token, headers: { "idempotency-key": `kill-${round}` } };
  const server = await start();
  // The first deposit of a process takes several times as long as those after it, most of it before anything is
  // registered.
  expect((await postDeposit(server.base, packageOf(`Warm ${round}`, 5000 + round), { token })).status).toBe(201);
  const first = postDeposit(server.base, bytes, ask).then(
    async (answer) => (await answer.text()) !== "",
    () => false,
  );
  await sleep(ms);
  await server.kill("SIGKILL");
  const answered = await first;
  const again = await start();
  try {
    expect(await temporaryFiles(installation)).toEqual([]);
    const before = await itemsTitled(installation, title);
    expect(before.length).toBeLessThanOrEqual(1);
    if (answered) expect(before).toHaveLength(1);
    for (const { id } of before) expect(await faultsOfItem(installation, Number(id))).toEqual([]);
    const retry = await settled(again.base, bytes, ask);
    expect([retry.status, await retry.text()]).toEqual([201, expect.stringContaining("/sword/deposit/")]);
    const after = await itemsTitled(installation, title);
    expect(after).toHaveLength(1);
    if (before[0] !== undefined) expect(after[0]).toEqual(before[0]);
    expect(await faultsOfItem(installation, Number(after[0]?.id))).toEqual([]);
    expect(await strayFiles(installation)).toEqual([]);
    return { there: before.length === 1, answered };
  } finally {
    await again.kill("SIGTERM");
  }
}

/**
 * What is next to the objects, and still does a moment later: a process that lives proves that it can write, and writes
 * the storage's mark.
 */
async function temporaryFiles(installation: DepositInstallation): Promise<readonly string[]> {
  const look = async () => (await installation.leftovers()).files.filter((path) => !path.startsWith("objects"));
  const first = await look();
  if (first.length === 0) return first;
  await sleep(500);
  const second = await look();
  return first.filter((path) => second.includes(path));
}

type Running = Awaited<ReturnType<DepositInstallation["start"]>>;

describe("kill -9 of the server in the middle of a deposit", () => {
  test(
    "R7a R13 R19 the item is wholly there or not at all, temporary files go at the next start, and the same Idempotency-Key gives one item",
    async () => {
      const installation = await depositInstallation("deposit-killed");
      try {
        const token = await installation.setup.client();
        // How long one takes here and now.
        const trial = await installation.start();
        let ms = 0;
        for (let round = 0; round < 4; round++) {
          const began = performance.now();
          expect((await postDeposit(trial.base, packageOf(`Trial ${round}`, 500 + round), { token })).status).toBe(201);
          ms = performance.now() - began;
        }
        await trial.kill("SIGTERM");
        const random = rng(SEED + ROUNDS);
        const kills: Kill[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          kills.push(
            await killedAfter(installation, token, round, (0.2 + 1.3 * random.next()) * ms, () => installation.start()),
          );
        }
        const count = (name: keyof Kill): number => kills.filter((kill) => kill[name]).length;
        report("kill -9 in a deposit", {
          rounds: ROUNDS,
          there: count("there"),
          answered: count("answered"),
          ms: Math.round(ms),
        });
      } finally {
        await installation.close();
      }
    },
    60_000 + ROUNDS * 10_000,
  );
});
