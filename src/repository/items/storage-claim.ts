// Whose a storage is (R7c): its mark held against the id and the turns of the database. Only the database that is named
// there sweeps it; an operator gives it to another one (`arkstone storage adopt`).

import { batches, KEYS_AT_ONCE } from "../../shared/bytes/byte-streams.ts";
import type { Random } from "../../shared/time/clock.ts";
import type { Storage } from "../../storage/storage.ts";
import type { ItemReader } from "../store/items.ts";
import {
  type Belonging,
  belongingOf,
  mayBeOurs,
  printMarker,
  type StorageLocation,
  withTurn,
} from "../store/storage-marker.ts";
import type { StorageIdentityWriter } from "../store/store.ts";

type ClaimNeeds = {
  readonly storage: Pick<Storage, "readMarker" | "writeMarker" | "keys">;
  readonly items: Pick<ItemReader, "namedKeys">;
  readonly store: {
    transact<T>(work: (tx: { readonly storage: StorageIdentityWriter }) => Promise<T>): Promise<T>;
  };
  readonly random: Pick<Random, "bytes">;
  readonly location: StorageLocation;
};

type ClaimState = {
  readonly belonging: Belonging;
  /** Whether the database may sweep: the mark is its own, or the storage has none and is proved to be its own. */
  readonly isOurs: boolean;
};

/** The database may not sweep this storage. `message` states why, for the log and for people. */
export class NotOurs extends Error {
  override readonly name = "NotOurs";
}

/** A claimed turn: while the mark still has it, no other process has begun to sweep. */
type Turn = { readonly stillHolds: () => Promise<boolean> };

export interface StorageClaim {
  readState(): Promise<ClaimState>;
  /** @throws NotOurs */
  takeTurn(): Promise<Turn>;
  /** Marks a storage without mark that is proved to be ours, before the first file comes. @throws NotOurs */
  settle(): Promise<void>;
  /** The operator's decision that the storage belongs to this database, whatever the mark contains. */
  adopt(): Promise<void>;
}

const ID_BYTES = 16;
/** Later than anything: all keys there are. */
const EVER = "9999-12-31T23:59:59.999Z";

const WHY: Readonly<Record<Exclude<Belonging, "ours">, string>> = {
  unmarked: "it carries no mark and holds files, which may belong to another service",
  foreign: "it belongs to another database, or to this one before it was restored",
  copied: "another copy of this database has swept it, or has given it its mark",
  unreadable: "its mark cannot be read",
};
const WHOLE_BUCKET = "SVC_STORAGE names a bucket without a prefix, which other programs may use too";
const HINT =
  "nothing is removed from it until an operator confirms it, see `arkstone storage show` and `arkstone storage adopt`";

export const storageClaim = (needs: ClaimNeeds): StorageClaim => {
  const { storage, items, store, random, location } = needs;
  const fresh = (): string => Array.from(random.bytes(ID_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("");

  async function readState(): Promise<ClaimState> {
    const text = await storage.readMarker();
    const identity = await store.transact((tx) => tx.storage.lockIdentity(fresh()));
    const belonging = belongingOf(text, identity);
    return { belonging, isOurs: belonging === "ours" || (belonging === "unmarked" && (await isProved())) };
  }

  async function isProved(): Promise<boolean> {
    const proof = mayBeOurs(location);
    if (proof === "never") return false;
    for await (const keys of batches(storage.keys(EVER), proof === "when_empty" ? 1 : KEYS_AT_ONCE)) {
      if (proof === "when_empty") return false;
      if ((await items.namedKeys(keys.map(({ key }) => key))).size < keys.length) return false;
    }
    return true;
  }

  /** The turn is remembered first: a mark that is not written then is the one before, which is remembered too. */
  async function mark(): Promise<Turn> {
    const turn = fresh();
    const { id } = await store.transact(async (tx) => {
      const next = withTurn(await tx.storage.lockIdentity(fresh()), turn);
      await tx.storage.saveTurns(next);
      return next;
    });
    const text = printMarker({ database: id, turn });
    await storage.writeMarker(text);
    return { stillHolds: async () => (await storage.readMarker()) === text };
  }

  /** @throws NotOurs */
  async function requireOurs(): Promise<ClaimState> {
    const found = await readState();
    if (!found.isOurs) throw new NotOurs(whyNot(found.belonging, location));
    return found;
  }

  return {
    readState,
    async takeTurn() {
      await requireOurs();
      return await mark();
    },
    async settle() {
      if ((await requireOurs()).belonging === "unmarked") await mark();
    },
    adopt: async () => void (await mark()),
  };
};

function whyNot(belonging: Belonging, location: StorageLocation): string {
  if (belonging === "ours") throw new RangeError("Cannot explain why the storage is not ours: it is");
  const why = belonging === "unmarked" && location === "whole_bucket" ? WHOLE_BUCKET : WHY[belonging];
  return `The storage is not swept: ${why}; ${HINT}`;
}
