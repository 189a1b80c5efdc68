// Idempotency-Key of deposits (R13): the same key with the same package returns the first answer again, with another
// package 400. The first request claims the key; its answer is written in the transaction that registers the item, so
// that both are stored or neither.

import { errorMessage } from "../../shared/error-message.ts";
import type { AccountId } from "../../shared/ids.ts";
import type { Log, LogFields } from "../../shared/log.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { DepositReceipt } from "../store/activities.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { SwordError } from "./messages.ts";
import { type DepositAnswer, IDEMPOTENCY_KEPT_MS, IDEMPOTENCY_KEY_MAX } from "./request.ts";

/** How long a claim holds when its process dies; it is renewed while the deposit works. */
const CLAIM_MS = 60_000;
const RETRY_SECONDS = "5";

/** A claimed key. Without a key nothing is kept. */
export type Claim = {
  /** Keeps the answer with everything else the transaction writes. */
  readonly finishIn: (tx: RepositoryWriter, answer: DepositAnswer) => Promise<void>;
  /** Ends the claim. After a failure the key is free again. */
  readonly end: (isDone: boolean) => Promise<void>;
};

type ClaimIn = {
  readonly accountId: AccountId;
  readonly key: string | null;
  /** Method and path. */
  readonly target: string;
  readonly packageSha256: string;
};

const NOTHING: Claim = { finishIn: async () => {}, end: async () => {} };

type ReceiptNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly processId: string;
  readonly log: Pick<Log, "warn">;
};

/**
 * Claims a key, or returns the first answer to it.
 *
 * @throws SwordError BadRequest for a key that is too long or belongs to another package; Refusal `unavailable` while
 * the
 *   first deposit with this key is still being worked on.
 */
export async function claimKey(
  { store, clock, random, processId, log }: ReceiptNeeds,
  { accountId, key, target, packageSha256 }: ClaimIn,
): Promise<Claim | DepositAnswer> {
  if (key === null) return NOTHING;
  requireKey(key);
  const createdAt = clock.now();
  const receipt: DepositReceipt = {
    accountId,
    key,
    target,
    packageSha256,
    status: null,
    answer: null,
    owner: `${processId}${random.betanumerics(24)}`,
    createdAt,
    expiresAt: addMilliseconds(createdAt, CLAIM_MS),
  };
  const first = await store.transact((tx) => tx.activities.claimDepositReceipt(receipt));
  if (first !== null) return earlierAnswer(first, receipt);
  const { owner } = receipt;
  // An answered receipt is not extended, and not lost.
  let isAnswered = false;
  const renew = async (): Promise<boolean> => {
    const until = addMilliseconds(clock.now(), CLAIM_MS);
    const extend = (tx: RepositoryWriter) => tx.activities.extendDepositReceipt(accountId, key, owner, until);
    return (await store.transact(extend)) || isAnswered;
  };
  const renewal = new LeaseRenewal({ log, lease: { lease: "idempotency key", account: accountId }, renew });
  return {
    finishIn: async (tx, answer) => {
      const expiresAt = addMilliseconds(createdAt, IDEMPOTENCY_KEPT_MS);
      const kept = { ...receipt, status: answer.status, answer: JSON.stringify(answer), expiresAt };
      if (!(await tx.activities.finishDepositReceipt(kept))) throw stillWorking(key);
      isAnswered = true;
    },
    end: async (isDone) => {
      await renewal.end();
      if (!isDone) await store.transact((tx) => tx.activities.releaseDepositReceipt(accountId, key, owner));
    },
  };
}

function requireKey(key: string): void {
  if (key.trim() !== "" && key.length <= IDEMPOTENCY_KEY_MAX) return;
  throw new SwordError("BadRequest", `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_MAX} characters.`);
}

function earlierAnswer(first: DepositReceipt, asked: DepositReceipt): DepositAnswer {
  if (first.packageSha256 !== asked.packageSha256 || first.target !== asked.target) {
    throw new SwordError("BadRequest", `Idempotency-Key "${asked.key}" was used for another package.`);
  }
  if (first.answer === null) {
    throw stillWorking(asked.key);
  }
  // Written by `finishIn` alone.
  return JSON.parse(first.answer) as DepositAnswer;
}

function stillWorking(key: string): Refusal {
  return new Refusal("unavailable", `Another deposit with Idempotency-Key "${key}" is being worked on`, {
    headers: { "retry-after": RETRY_SECONDS },
  });
}

// A lease that a deposit holds while it works: the lock of its item, or its Idempotency-Key (R13, R19). It is renewed
// at intervals; a lease that another request has taken is logged, because the deposit will be refused at its end.

/** Well below the duration of the leases, so that some renewals may fail. */
const RENEWAL_INTERVAL_MS = 15_000;

type LeaseRenewalNeeds = {
  readonly log: Pick<Log, "warn">;
  /** Fields that log lines about the lease carry. */
  readonly lease: LogFields;
  /** False: another request holds it. */
  readonly renew: () => Promise<boolean>;
};

export class LeaseRenewal {
  readonly #needs: LeaseRenewalNeeds;
  readonly #timer: ReturnType<typeof setInterval>;
  #state: "held" | "lost" | "ended" = "held";
  #running: Promise<void> = Promise.resolve();

  constructor(needs: LeaseRenewalNeeds) {
    this.#needs = needs;
    this.#timer = setInterval(() => void this.renew(), RENEWAL_INTERVAL_MS);
  }

  /** Renews it now. A failure, such as a database that is not available, is logged; the next renewal may succeed. */
  renew(): Promise<void> {
    this.#running = this.#renewOnce();
    return this.#running;
  }

  async #renewOnce(): Promise<void> {
    const { log, lease, renew } = this.#needs;
    try {
      const isHeld = await renew();
      if (this.#state === "ended") return;
      if (!isHeld && this.#state === "held") log.warn("deposit.lease_lost", lease);
      this.#state = isHeld ? "held" : "lost";
    } catch (error) {
      if (this.#state === "ended") return;
      log.warn("deposit.lease_not_renewed", { ...lease, error: errorMessage(error) });
    }
  }

  /** Before the lease is released: waits for a renewal that has begun, which would take the lease again. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#state = "ended";
    await this.#running;
  }
}
