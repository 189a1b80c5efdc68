// One log line for every refusal of a deposit, with its reason (R13c): who keeps the repository can tell a depositor what to mend, also where the
// specification's message names nothing. Neither titles nor what On-Behalf-Of said stand in it (docs/security.md).

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

/** Does the work and tells of its refusal; what nobody expected is told by whoever answers it. */
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

/** What was refused, and what lies behind it where the answer does not say it. */
function reasonOf(error: Refusal): string {
  const said = error instanceof SwordError ? error.reason : error.message;
  const { cause } = error;
  const isTold = !(cause instanceof Error) || said.includes(cause.message);
  return (isTold ? said : `${said} (${cause.message})`).slice(0, REASON_MAX);
}
