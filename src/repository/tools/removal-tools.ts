// What delete_record and restore_record do (R30; specification 3, "Tool servers"; reference 1.2): scope, confirmation,
// role, reason, in this order.
import type { Viewer } from "../../auth/account.ts";
import { invalidRecord, permissionDenied } from "../../model/input/record-refusals.ts";
import { may } from "../../model/rights/policy.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Records } from "../records/records.ts";
import type { RepositoryReader } from "../store/store.ts";
import { errorsOf, inArguments } from "./outcome.ts";
import type { RecordAnswers } from "./record-answers.ts";
import { noneOf } from "./tool-input.ts";
import type { HttpHandlers } from "./tool-table.ts";

type RemovalToolNeeds = {
  readonly records: Pick<Records, "remove" | "restore">;
  readonly store: Pick<RepositoryReader, "communities">;
  readonly answers: Pick<RecordAnswers, "idOf" | "briefOf">;
};

export function removalTools({ records, store, answers }: RemovalToolNeeds) {
  const { idOf, briefOf } = answers;

  async function remove(viewer: Viewer, id: ItemId, reason: string, note: string): Promise<void> {
    const removal = records.remove(viewer, id, () => ({ removal_reason: { id: reason }, note }));
    try {
      await inArguments({ "removal_reason.id": "reason_id" }, removal);
    } catch (error) {
      if (!isRefusal(error, "invalid")) throw error;
      const errors = errorsOf(error);
      if (!errors.some(({ field }) => field === "reason_id")) throw error;
      const reasons = (await store.communities.vocabulary("removalreasons")).map((entry) => entry.id);
      const unknownReason = { field: "reason_id", messages: [noneOf(reason, reasons)] };
      throw invalidRecord(errors.map((each) => (each.field === unknownReason.field ? unknownReason : each)));
    }
  }

  return {
    async delete_record({ viewer, args }) {
      const recid = args.recid;
      if (!args.confirm) {
        return {
          done: false,
          effect: `Record ${recid} would be removed: its page and tools answer 410 with the reason, its identifier stays. Ask the person first`,
          how: "call again with confirm=true",
        };
      }
      requireRemover(viewer);
      const id = await idOf(viewer, recid);
      await remove(viewer, id, args.reason_id, args.note);
      const how = `restore_record (recid ${id})`;
      return { done: true, id: String(id), recid: String(id), status: "deleted", how_to_undo: how };
    },

    async restore_record({ viewer, args }) {
      requireRemover(viewer);
      return await briefOf(await records.restore(viewer, await idOf(viewer, args.recid)));
    },
  } satisfies Partial<HttpHandlers>;
}

/** Refuses callers that are not administrators before the record is read; the removal checks again (R2g). */
function requireRemover(viewer: Viewer): void {
  if (!may(viewer, "item.restore", null)) throw permissionDenied();
}
