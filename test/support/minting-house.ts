// The service that makes names over a fresh database, with a clock that can be set and, where asked for, scripted luck.
import { openStore } from "../../db/ark/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import type { ArkRecord } from "../../src/ark/record.ts";
import type { Random } from "../../src/shared/clock.ts";
import type { Store } from "../../src/ark/store.ts";
import { minting } from "../../src/ark/minting.ts";
import { aCall } from "./callers.ts";
import { NOW, seed } from "./seed.ts";

export async function mintingHouse(options: { readonly random?: Random; readonly url?: string } = {}) {
  const store = await openStore({ url: options.url ?? ":memory:" });
  const { orgA, orgB } = await seed(store);
  const time = { now: NOW };
  const random = options.random ?? platformRandom();
  const service = minting({ store, clock: { now: () => time.now }, random, limits: { bulkRows: 1000 } });
  const [a, b] = [aCall({ organisationId: orgA }), aCall({ clientId: "b", organisationId: orgB })];
  return { store, service, a, b, orgA, orgB, time };
}

/** A generator that answers these blades in turn, then others that are all different. */
export function scripted(blades: readonly string[]): Random {
  let next = 0;
  return {
    betanumerics: (length) => blades[next++] ?? String(next).padStart(length, "0"),
    bytes: (length) => new Uint8Array(length),
  };
}

/** Every living name, by key. */
export async function namesOf(store: Store): Promise<readonly ArkRecord[]> {
  return await store.listArks({ reach: { kind: "system" } }, "", 100_000);
}

/** Writes another state over a record, as the endpoints that change names would. */
export async function become(store: Store, record: ArkRecord, state: ArkRecord["state"]): Promise<void> {
  const public_ = state === "published" || (state === "tombstoned" && record.publishedAt !== null);
  const gone = state === "deleted" || state === "purged";
  const changed: ArkRecord = {
    ...record,
    state,
    publishedAt: public_ ? record.createdAt : null,
    tombstonedAt: state === "tombstoned" ? record.createdAt : null,
    url: gone ? "" : record.url,
    withdrawnAt: gone ? record.createdAt : null,
    withdrawnReason: gone ? "gone" : null,
  };
  await store.transact((tx) => tx.updateArks([changed]));
}
