// A call of create_record that is made a second time because its answer was lost (R13, R30): `request_id` names the
// call.
import type { Viewer } from "../../auth/account.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { creationReceipt } from "../records/creation-receipt.ts";
import { ToolRefusal } from "./outcome.ts";

type ReceiptNeeds = { readonly clock: Clock; readonly random: Random };

/** Written with the record. @throws MadeBefore, and ToolRefusal if the earlier call had other arguments. */
export const callReceipt = ({ clock, random }: ReceiptNeeds, viewer: Viewer, requestId: string, args: unknown) =>
  creationReceipt(
    {
      accountId: viewer.account?.id ?? 0,
      key: `tool ${requestId}`,
      target: "tools create_record",
      packageSha256: sha256Hex(JSON.stringify(args)),
      owner: random.betanumerics(56),
      at: clock.now(),
    },
    otherCall,
  );

function otherCall(recid: ItemId | undefined): Error {
  const made = recid === undefined ? "" : `get_record (recid ${recid}, draft=true) shows what it made; `;
  const message = "This request_id was used for another call.";
  return new ToolRefusal("conflict", message, `${made}choose another request_id`, [
    { field: "request_id", messages: [message] },
  ]);
}
