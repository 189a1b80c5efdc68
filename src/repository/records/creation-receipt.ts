// A record that is asked for a second time because the first answer was lost (R13, R30, R42): the record and the receipt
// of the request that made it are one transaction, so that both are there or neither.
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import { IDEMPOTENCY_KEPT_MS } from "../deposit/request.ts";
import type { DepositReceipt } from "../store/activities.ts";
import type { RepositoryWriter } from "../store/store.ts";

const MADE = 201;

/** The record was made by an earlier request: nothing was written now. */
export class MadeBefore extends Error {
  override readonly name = "MadeBefore";
  readonly id: ItemId;

  constructor(id: ItemId) {
    super("The record was made by an earlier request");
    this.id = id;
  }
}

/** `target`: what is asked of which interface; the keys of receipts of deposits belong to their senders. */
export type CreationRequest = Pick<DepositReceipt, "key" | "target" | "packageSha256" | "owner"> & {
  readonly accountId: AccountId;
  readonly at: Instant;
};

/**
 * Written with the record. @throws MadeBefore; what `otherwise` returns where the key was used for something else
 */
export function creationReceipt(
  { at: createdAt, ...request }: CreationRequest,
  otherwise: (recid: ItemId | undefined) => Error,
) {
  const expiresAt = addMilliseconds(createdAt, IDEMPOTENCY_KEPT_MS);
  const receipt: DepositReceipt = { ...request, status: null, answer: null, createdAt, expiresAt };
  return async (tx: RepositoryWriter, id: ItemId): Promise<void> => {
    const first = await tx.activities.claimDepositReceipt(receipt);
    if (first !== null) {
      // Written below alone.
      const { recid } = JSON.parse(first.answer ?? "{}") as { readonly recid?: ItemId };
      const isSame = first.target === receipt.target && first.packageSha256 === receipt.packageSha256;
      throw recid !== undefined && isSame ? new MadeBefore(recid) : otherwise(recid);
    }
    await tx.activities.finishDepositReceipt({ ...receipt, status: MADE, answer: JSON.stringify({ recid: id }) });
  };
}
