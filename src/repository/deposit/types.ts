// What the parts of deposits share.

import type { Account } from "../../auth/account.ts";
import type { Addresses } from "../../model/items/addresses.ts";
import type { IndexId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { Activities } from "../workflow/activities.ts";
import type { Describing } from "./describing.ts";
import { swordRefusals } from "./messages.ts";
import type { Completion } from "./metadata-completion.ts";
import type { Claim } from "./receipts.ts";
import type { ReceivingNeeds } from "./receiving.ts";
import type { DigestRule, UnpackingNeeds } from "./unpacking-package.ts";

export type DepositNeeds = ReceivingNeeds &
  UnpackingNeeds & {
    readonly store: RepositoryStore;
    readonly clock: Clock;
    readonly random: Random;
    /** Random, of 32 characters: by it claims of a process that died are known. */
    readonly processId: string;
    readonly log: Pick<Log, "info" | "warn">;
    readonly items: Items;
    readonly activities: Activities;
    readonly storage: Storage;
    readonly addresses: Addresses;
    readonly findOnBehalfOf: (value: string) => Promise<Account | null>;
    readonly completion: Completion;
    readonly timeZone: string;
    /**
     * SVC_SWORD_ON_BEHALF_OF, SVC_SWORD_VERIFY_DIGEST, SVC_DEFAULT_INDEX, SVC_MAX_CONCURRENT_DEPOSITS,
     * SVC_DEPOSITS_PER_ACCOUNT.
     */
    readonly onBehalfOf: boolean;
    readonly verifyDigest: DigestRule;
    readonly defaultIndex: IndexId | null;
    readonly maxConcurrent: number;
    readonly perAccount: number;
  };

/** Keeps the answer for the Idempotency-Key, in the transaction that registers the item. */
export type Finish = Claim["finishIn"];

/** What every part of a deposit needs. */
export type DepositParts = DepositNeeds & {
  readonly describer: Describing;
  /** The day it is in the repository's time zone. */
  readonly today: () => string;
};

/** Message 11 for a package that describes more than one item (R13a). */
export function tooManyItems(count: number) {
  return swordRefusals.itemCheck(`the package describes ${count} items, only one can be registered at a time`);
}
