// Receipts, feed and audit against what they are about (A13, A27, A31).
import type { Instant } from "../../shared/time/instant.ts";
import { type Finding, findingsOf } from "./finding.ts";

export type ReceiptRow = {
  readonly clientId: string;
  readonly requestId: string;
  readonly kind: string;
  readonly key: string;
  /** Origin of the name it points at; null where there is none. */
  readonly origin: string | null;
};

const ORIGIN_OF: Readonly<Record<string, string>> = { mint: "minted", register: "registered", import: "imported" };

export function receiptFindings({ clientId, requestId, kind, key, origin }: ReceiptRow): Finding[] {
  return findingsOf("receipt", `${clientId} ${requestId}`, [
    [origin === null, `it points at ${key}, which is not there`],
    [origin !== null && ORIGIN_OF[kind] !== origin, `it is of kind ${kind}, ${key} was ${origin}`],
  ]);
}

export type FeedRow = {
  readonly epoch: string | null;
  /** The mark of a restore that has not ended. */
  readonly unfinished: string | null;
  readonly lowest: number;
  readonly highest: number;
  /** The number the next change gets; null where the database counts from the highest row. */
  readonly next: number | null;
  /** True when the transaction number of a change lies ahead of the database: the change came from another cluster. */
  readonly hasFutureWriter: boolean;
};

export function feedFindings(feed: FeedRow): Finding[] {
  return findingsOf("feed", "ark_change", [
    [feed.unfinished !== null, `the restore of ${feed.unfinished} has not ended`],
    [feed.unfinished === null && !/^[0-9a-f]{16,64}$/.test(feed.epoch ?? ""), "the feed has no epoch"],
    [feed.highest > 0 && feed.lowest < 1, "a change has a number below 1"],
    [feed.next !== null && feed.next <= feed.highest, `the next change would get number ${feed.next}, which is taken`],
    [feed.hasFutureWriter, "changes carry transaction numbers of another cluster: resolvers would not see new ones"],
  ]);
}

/** What history and audit both record of one change. */
export type SignedChange = {
  readonly at: Instant;
  readonly subject: string;
  readonly target: string;
  readonly action: string;
};

/**
 * Matches the history with the audit, both in the order they were written. They are written together, so what has no
 * partner waits for a while only; beyond `limit` the oldest are given up.
 */
export class AuditMatch {
  readonly #waiting = new Map<string, { count: number; readonly change: SignedChange }>();
  readonly #limit: number;

  constructor(limit = 200_000) {
    this.#limit = limit;
  }

  change(change: SignedChange): Finding[] {
    return this.#add(change, 1);
  }

  audit(change: SignedChange): Finding[] {
    return this.#add(change, -1);
  }

  /** What never found its partner. */
  end(): Finding[] {
    return [...this.#waiting.values()].map(findingOf);
  }

  #add(change: SignedChange, by: 1 | -1): Finding[] {
    const signature = JSON.stringify([change.at, change.subject, change.target, change.action]);
    const known = this.#waiting.get(signature);
    const count = (known?.count ?? 0) + by;
    if (count === 0) {
      this.#waiting.delete(signature);
      return [];
    }
    if (known !== undefined) {
      known.count = count;
      return [];
    }
    this.#waiting.set(signature, { count, change });
    if (this.#waiting.size <= this.#limit) return [];
    for (const [oldest, entry] of this.#waiting) {
      this.#waiting.delete(oldest);
      return [findingOf(entry)];
    }
    return [];
  }
}

function findingOf({ count, change }: { readonly count: number; readonly change: SignedChange }): Finding {
  const what = `${change.action} of ${change.subject} at ${change.at}`;
  const problem = count > 0 ? `the audit has no entry for ${what}` : `the history has no entry for ${what}`;
  return { kind: "audit", key: change.target, problem };
}
