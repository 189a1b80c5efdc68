// What ends and what is deleted of requests for closed files without anybody asking (Q.68, Q.72).
import { REPOSITORY_OPERATOR } from "../../auth/account.ts";
import { most } from "../../shared/limits.ts";
import { dayIn } from "../../shared/time/day.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import { endAs, heldAccessRequest, idleBecause } from "./access-ending.ts";
import type { AccessNeeds } from "./access-facts.ts";

export interface AccessTidying {
  /**
   * Ends at most `limit` open requests after an id that need no decision any more, or were made before a moment;
   * returns the last id, or null at the end.
   */
  endIdle(before: Instant | null, after: string, limit: number): Promise<string | null>;
  /**
   * Deletes requests of guests who did not confirm their address, and who the guests of requests and rights are that
   * ended some time ago: at most `limit` of each; returns whether there may be more.
   */
  forgetGuests(limit: number): Promise<boolean>;
}

const HOUR_MS = 3_600_000;

export const accessTidying = (needs: AccessNeeds): AccessTidying => ({
  endIdle: (before, after, limit) => endIdle(needs, before, after, limit),
  async forgetGuests(limit) {
    const { store, clock, timeZone } = needs;
    const now = clock.now();
    const ended = addMilliseconds(now, -most("guestDays") * 24 * HOUR_MS);
    const unconfirmed = await store.transact((tx) =>
      tx.accessRequests.forgetUnconfirmed(addMilliseconds(now, -most("guestHours") * HOUR_MS), limit),
    );
    const known = await store.transact((tx) => tx.accessRequests.forgetGuests(ended, dayIn(timeZone, ended), limit));
    return unconfirmed === limit || known === limit;
  },
});

async function endIdle(
  needs: AccessNeeds,
  before: Instant | null,
  after: string,
  limit: number,
): Promise<string | null> {
  const waiting = await needs.store.accessRequests.openAccessRequests(after, limit);
  for (const { id } of waiting) {
    await needs.store.transact(async (tx) => {
      const held = await heldAccessRequest(tx, id);
      if (held === null || held.request.status !== "submitted") return;
      const endedBecause = await idleBecause(needs, tx, held.request);
      const isOld = before !== null && held.request.createdAt < before;
      if (endedBecause === "" && !isOld) return;
      await endAs(needs, tx, REPOSITORY_OPERATOR, held.request, "expired", { endedBecause });
    });
  }
  return waiting.length < limit ? null : (waiting.at(-1)?.id ?? null);
}
