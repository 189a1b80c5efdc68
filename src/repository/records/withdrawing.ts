// Owners withdraw what they published (R2c, R2e, "DELETE"): with a tombstone at once, or by an activity where the
// workflow of their items has a delete flow (R16a).
import type { Viewer } from "../../auth/account.ts";
import { permissionDenied, RECORD_SENTENCES, recordBusy, unknownRecord } from "../../model/input/record-refusals.ts";
import { type Metadata, mainTitle } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import type { Sent } from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { deleteFlow } from "../deposit/removing.ts";
import type { Items } from "../items/items.ts";
import { ItemBusy } from "../items/locking.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { RepositoryReader, RepositoryStore } from "../store/store.ts";
import type { Activities } from "../workflow/activities.ts";
import { goneIn } from "./record-reading.ts";
import { readRemoval } from "./record-removal.ts";

type WithdrawingNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly items: Pick<Items, "remove" | "requireFreeToChange">;
  readonly activities: Pick<Activities, "begin">;
};

export interface Withdrawing {
  /** What the page of the question shows. @throws Refusal not_found, forbidden, gone. */
  question(viewer: Viewer, id: ItemId): Promise<{ readonly metadata: Metadata; readonly isApproved: boolean }>;
  /** Returns the activity that has to approve it; null: it is withdrawn. @throws Refusal also invalid, conflict. */
  withdraw(viewer: Viewer, id: ItemId, body: Sent<unknown>): Promise<string | null>;
}

export const withdrawing = (needs: WithdrawingNeeds): Withdrawing => {
  const { store, clock, items, activities } = needs;

  async function withdrawable(reader: RepositoryReader, viewer: Viewer, id: ItemId) {
    const found = await reader.items.withParent(id);
    if (found === null) throw unknownRecord();
    const { item, parent } = found;
    if (!may(viewer, "item.delete", parent)) throw item.state === "draft" ? unknownRecord() : permissionDenied();
    if (item.state === "deleted") throw await goneIn(reader, viewer, id);
    if (item.content === null) throw new Refusal("not_found", RECORD_SENTENCES.unregistered);
    return { item, content: item.content };
  }

  return {
    async question(viewer, id) {
      const { item, content } = await withdrawable(store, viewer, id);
      return { metadata: content.metadata, isApproved: (await deleteFlow(needs, viewer, item)) !== null };
    },

    async withdraw(viewer, id, body) {
      const found = await store.items.item(id);
      const workflow = await deleteFlow(needs, viewer, found);
      try {
        return await writeAs(needs, viewer, async (tx, now) => {
          await tx.items.lockItem(id);
          const { content } = await withdrawable(tx, now, id);
          const removal = await readRemoval(tx, body());
          if (workflow === null) {
            await items.remove(tx, now, id, removal);
            return null;
          }
          const ignoresDraft = may(now, "item.end-draft", null);
          await items.requireFreeToChange(tx, now, id, { ignoresDraft });
          const { activity, done } = await activities.begin(tx, now, {
            ...{ kind: "deletion", workflow, itemId: id, title: mainTitle(content.metadata) },
            ...{ onBehalfOf: null, packageName: null, packageSha256: null, isFiled: true },
          });
          const comment = [removal.reason ?? "", removal.note].filter((text) => text !== "").join(": ");
          if (!done && comment !== "") {
            const step = {
              activityId: activity.id,
              action: "start",
              state: "F",
              account: now.account?.id ?? null,
            } as const;
            await tx.activities.addStep({ ...step, comment, at: clock.now() });
          }
          return done ? null : activity.id;
        });
      } catch (error) {
        const isBusy =
          error instanceof ItemBusy || (isRefusal(error, "conflict") && error.detail.reason === "activity");
        throw isBusy ? recordBusy() : error;
      }
    },
  };
};
