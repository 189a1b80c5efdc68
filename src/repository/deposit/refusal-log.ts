// One log line for every refusal of a deposit, with its reason (R13c): an operator can help a depositor also where the
// message of the specification names no cause. The line has neither titles nor the value of On-Behalf-Of
// (docs/security.md).

import type { Log } from "../../shared/log.ts";
import { Refusal } from "../../shared/refusal.ts";
import { SwordError } from "./messages.ts";
import type { DepositCall } from "./request.ts";

/** Longest reason of a line, in characters: it quotes the package. */
const REASON_MAX = 1_000;

type RefusedDeposit = {
  readonly method: "POST" | "PUT" | "DELETE";
  /** As the path has it; null for a new item. */
  readonly item: string | null;
};

/** Does the work and logs its refusal; the error handler logs unexpected errors. */
export const refusalLog =
  (log: Pick<Log, "info">) =>
  async <T>({ viewer, requestId }: DepositCall, asked: RefusedDeposit, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) {
        log.info("deposit_refused", {
          request_id: requestId,
          method: asked.method,
          ...(asked.item === null ? {} : { item: asked.item.slice(0, ITEM_MAX) }),
          ...(viewer.account === null ? {} : { account: viewer.account.id, client_id: viewer.clientId }),
          status: error.status,
          type: error instanceof SwordError ? error.type : error.kind,
          ...(error instanceof SwordError && error.messageNumber !== null ? { message: error.messageNumber } : {}),
          reason: reasonOf(error),
        });
      }
      throw error;
    }
  };

const ITEM_MAX = 40;

/** The reason, with the cause where the answer does not state it. */
function reasonOf(error: Refusal): string {
  const reason = error instanceof SwordError ? error.reason : error.message;
  const { cause } = error;
  const isStated = !(cause instanceof Error) || reason.includes(cause.message);
  return (isStated ? reason : `${reason} (${cause.message})`).slice(0, REASON_MAX);
}
