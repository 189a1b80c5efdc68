// Reads what a description needs from the replica (A36 to A38, A44). Only descriptions do; redirects never wait for a
// database.

import { ServiceError } from "../shared/errors.ts";
import type { Clock } from "../shared/time/clock.ts";
import { type Description, describeNaan, describeName } from "./description.ts";
import { activeHold } from "./hold.ts";
import type { Replica } from "./replica.ts";
import type { Decision } from "./resolve.ts";
import { classOf, type ResolutionTable } from "./table.ts";

export type DescribeDecision = Extract<Decision, { kind: "describe" }>;
export interface Descriptions {
  /**
   * The description a decision asks for. The record is read now and may be newer than the table: null where it is no
   * longer public.
   *
   * @throws ServiceError 1901 while the replica is away.
   */
  describe(table: ResolutionTable, decision: DescribeDecision): Promise<Description | null>;
}

const RETRY_SECONDS = "5";

export const descriptions = (needs: {
  readonly replica: Pick<Replica, "ark">;
  readonly clock: Pick<Clock, "now">;
  readonly resolveUnpublished: boolean;
}): Descriptions => ({
  async describe(table, decision) {
    const now = needs.clock.now();
    const { subject, requested } = decision;
    if (subject.kind === "naan") return describeNaan(table, subject.naan, requested, decision.hold, now);
    const record = await read(needs.replica, subject.key);
    if (record === null) return null;
    const counts = classOf(record);
    const isShown =
      counts === "answers" || counts === "tombstone" || (counts === "reserved" && needs.resolveUnpublished);
    if (!isShown) return null;
    const name = record.key.slice(record.naan.length + 1);
    const hold = activeHold(record, table.shoulderOf(record.naan, name), table.naan(record.naan), now);
    return describeName(table, record, { key: requested, suffix: subject.suffix }, hold, now);
  },
});

async function read(replica: Pick<Replica, "ark">, key: string) {
  try {
    return await replica.ark(key);
  } catch (cause) {
    const refusal = new ServiceError(1901, { reason: "database" }, { "retry-after": RETRY_SECONDS });
    refusal.cause = cause;
    throw refusal;
  }
}
