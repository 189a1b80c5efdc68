// The item type of records (R4a): its current version, which new records get.

import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { RepositoryReader } from "../store/store.ts";

/** How long a version is used before it is read again: item types are long and change seldom. */
const CACHED_MS = 10_000;

export class RecordItemType {
  readonly id: number;
  readonly #clock: Clock;
  #cached: { readonly version: number; readonly until: number } | null = null;

  constructor({ itemType, clock }: { readonly itemType: number; readonly clock: Clock }) {
    this.id = itemType;
    this.#clock = clock;
  }

  /** @throws Refusal `unavailable` where the item type does not exist. */
  async version(reader: Pick<RepositoryReader, "settings">): Promise<number> {
    const now = Date.parse(this.#clock.now());
    if (this.#cached !== null && this.#cached.until > now) return this.#cached.version;
    const stored = await reader.settings.itemType(this.id);
    if (stored === null) throw new Refusal("unavailable", `Item type ${this.id} for records does not exist`);
    this.#cached = { version: stored.version, until: now + CACHED_MS };
    return stored.version;
  }
}
