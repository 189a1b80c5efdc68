// A lease that a deposit holds while it works: the lock of its item, or its Idempotency-Key (R13, R19). It is renewed at intervals; a lease that another
// request has taken is logged, because the deposit will be refused at its end.

import { errorMessage } from "../../shared/error-message.ts";
import type { Log, LogFields } from "../../shared/log.ts";

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
