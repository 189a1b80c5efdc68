// A call of create_record that is made a second time because its answer was lost (R13, R30): `request_id` names the
// call, and the record and the receipt of it are one transaction, so that both are there or neither.
import type { Viewer } from "../../auth/account.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import { IDEMPOTENCY_KEPT_MS } from "../deposit/request.ts";
import type { DepositReceipt } from "../store/activities.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { ToolRefusal } from "./outcome.ts";

/** The keys of receipts of deposits belong to their senders; no deposit has this one. */
const TARGET = "tools create_record";
const MADE = 201;

type ReceiptNeeds = { readonly clock: Clock; readonly random: Random };

/** The record was made by an earlier call: nothing was written now. */
export class MadeBefore extends Error {
  override readonly name = "MadeBefore";
  readonly id: ItemId;

  constructor(id: ItemId) {
    super("The record was made by an earlier call");
    this.id = id;
  }
}

/** Written with the record. @throws MadeBefore, and ToolRefusal if the earlier call had other arguments. */
export function callReceipt({ clock, random }: ReceiptNeeds, viewer: Viewer, requestId: string, args: unknown) {
  const createdAt = clock.now();
  const receipt: DepositReceipt = {
    accountId: viewer.account?.id ?? 0,
    key: `tool ${requestId}`,
    target: TARGET,
    packageSha256: sha256Hex(JSON.stringify(args)),
    status: null,
    answer: null,
    owner: random.betanumerics(56),
    createdAt,
    expiresAt: addMilliseconds(createdAt, IDEMPOTENCY_KEPT_MS),
  };
  return async (tx: RepositoryWriter, id: ItemId): Promise<void> => {
    const first = await tx.activities.claimDepositReceipt(receipt);
    if (first !== null) throw repeated(first, receipt);
    await tx.activities.finishDepositReceipt({ ...receipt, status: MADE, answer: JSON.stringify({ recid: id }) });
  };
}

function repeated(first: DepositReceipt, { packageSha256 }: DepositReceipt): Error {
  // Written above alone.
  const { recid } = JSON.parse(first.answer ?? "{}") as { readonly recid?: ItemId };
  if (recid !== undefined && first.target === TARGET && first.packageSha256 === packageSha256) {
    return new MadeBefore(recid);
  }
  const made = recid === undefined ? "" : `get_record (recid ${recid}, draft=true) shows what it made; `;
  const message = "This request_id was used for another call.";
  return new ToolRefusal("conflict", message, `${made}choose another request_id`, [
    { field: "request_id", messages: [message] },
  ]);
}
