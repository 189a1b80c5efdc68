// Leases that a deposit holds while it works (R13, R19): the lock of its item and its Idempotency-Key are renewed, and
// a lease that another request has taken is logged.
import { afterEach, beforeEach, describe, expect, mock, spyOn, test } from "bun:test";
import { jsonLog } from "../../src/adapters/log.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { eventually } from "../support/eventually.ts";
import { recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const RENEWAL_MS = 15_000;
const AFTER_EXPIRY_MS = 61_000;
type Line = Readonly<Record<string, unknown>>;
const lines: Line[] = [];
const leaseLines = (): readonly Line[] => lines.filter(({ event }) => String(event).startsWith("deposit.lease"));

/** The renewals that run at intervals, in the order of their start. */
const renewals: (() => void)[] = [];
const startInterval = globalThis.setInterval;

const world = setUpWorld({ repository: { log: jsonLog("info", (line) => lines.push(JSON.parse(line))) } });
beforeEach(() => {
  lines.length = 0;
  renewals.length = 0;
  // As the overloads of the runtime's types do not name one function type.
  spyOn(globalThis, "setInterval").mockImplementation(((run: () => void, ms: number) => {
    if (ms === RENEWAL_MS) renewals.push(run);
    return startInterval(run, ms);
  }) as typeof setInterval);
});
afterEach(() => {
  mock.restore();
});

/** The same repository, whose storage runs `meanwhile` once while a deposit stores its files. */
function interrupted(meanwhile: () => Promise<void>) {
  let isDone = false;
  return world.under({}, (parts) => {
    const { storage } = parts.files;
    const adopt: typeof storage.adopt = async (...call) => {
      if (!isDone) await meanwhile();
      isDone = true;
      return await storage.adopt(...call);
    };
    return { ...parts, files: { ...parts.files, storage: { ...storage, adopt } } };
  });
}

async function renew(): Promise<void> {
  for (const run of renewals) run();
  // A transaction after theirs: they have ended.
  await world.store.transact(async () => {});
}

const laterOf = (at: string) => addMilliseconds(at as Parameters<typeof addMilliseconds>[0], AFTER_EXPIRY_MS);

describe("R13 R19 leases of a deposit", () => {
  test("R19 a lock that expired and that another request took is logged once, with the item", async () => {
    const item = recidOf(await world.deposit("registered", cratePackage({ name: "Before" })));
    const endpoint = interrupted(async () => {
      const takenAt = laterOf(world.time.now);
      const lock = { itemId: item, purpose: "edit", owner: "another", takenAt, expiresAt: laterOf(takenAt) } as const;
      expect(await world.store.transact((tx) => tx.items.takeLock(lock))).toBe(true);
      await renew();
      await eventually("the lost lock is logged", () => leaseLines().length > 0);
      await renew();
    });
    const answer = await endpoint.replace("registered", item, cratePackage({ name: "After" }));
    expect(answer.status).toBe(400);
    expect(leaseLines()).toMatchObject([{ level: "warn", event: "deposit.lease_lost", lease: "item lock", item }]);
    expect((await world.item(item)).content?.metadata.titles[0]?.value).toBe("Before");
  });

  test("R13 an Idempotency-Key that expired and that another request took is logged once, without the key", async () => {
    const { account } = world.people.registered;
    const before = await world.countItems();
    const endpoint = interrupted(async () => {
      const createdAt = laterOf(world.time.now);
      const target = "POST elsewhere";
      const claim = { accountId: account.id, key: "shared-key", target, packageSha256: "0".repeat(64) };
      const open = { status: null, answer: null, owner: "another", createdAt, expiresAt: laterOf(createdAt) };
      const receipt = { ...claim, ...open };
      expect(await world.store.transact((tx) => tx.activities.claimDepositReceipt(receipt))).toBeNull();
      await renew();
      await eventually("the lost key is logged", () => leaseLines().length > 0);
      await renew();
    });
    const headers = { "idempotency-key": "shared-key" };
    const answer = await endpoint.deposit("registered", cratePackage(), { headers });
    expect(answer.status).toBe(503);
    expect(leaseLines()).toMatchObject([
      { level: "warn", event: "deposit.lease_lost", lease: "idempotency key", account: account.id },
    ]);
    expect(JSON.stringify(leaseLines())).not.toContain("shared-key");
    expect(await world.countItems()).toBe(before);
  });

  test("R13 R19 leases that are renewed are not logged, neither during the deposit nor after its answer", async () => {
    const endpoint = interrupted(renew);
    const headers = { "idempotency-key": "renewed" };
    const made = await endpoint.deposit("registered", cratePackage({ name: "One" }), { headers });
    expect(made.status).toBe(201);
    const again = interrupted(renew);
    expect(
      (await again.replace("registered", recidOf(made), cratePackage({ name: "Two" }), { headers: {} })).status,
    ).toBe(200);
    expect(renewals.length).toBe(2);
    await renew();
    expect(leaseLines()).toEqual([]);
  });

  test("R19 a renewal that fails is logged with its reason, and the deposit is registered all the same", async () => {
    const item = recidOf(await world.deposit("registered", cratePackage({ name: "Before" })));
    const transact = spyOn(world.store, "transact");
    const endpoint = interrupted(async () => {
      transact.mockImplementationOnce(() => Promise.reject(new Error("The database is not available")));
      for (const run of renewals) run();
      await eventually("the failed renewal is logged", () => leaseLines().length > 0);
    });
    const answer = await endpoint.replace("registered", item, cratePackage({ name: "After" }));
    transact.mockRestore();
    expect(answer.status).toBe(200);
    const error = "The database is not available";
    const event = "deposit.lease_not_renewed";
    expect(leaseLines()).toMatchObject([{ level: "warn", event, lease: "item lock", item, error }]);
  });
});
