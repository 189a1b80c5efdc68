// DELETE /sword/deposit/{recid} (specification 2, "DELETE"; R2c, R11, R16, R19): directly, or by an activity where the client's workflow has a
// delete flow.
import { swordRefusals } from "../../domain/deposit/messages.ts";
import type { Item } from "../../domain/items/item.ts";
import { mainTitle } from "../../domain/items/metadata.ts";
import { mayDelete } from "../../domain/items/visibility.ts";
import type { Account, Viewer } from "../../domain/repository/account.ts";
import { RepositoryRefusal } from "../../domain/repository/refusal.ts";
import type { Workflow } from "../../ports/repository/settings.ts";
import { type Depositor, requireDepositScopes, WORKFLOW_SCOPE } from "./admission.ts";
import { deletionAnswer } from "./answers.ts";
import { clientSettingOf, firstWorkflow } from "./method.ts";
import type { DepositParts } from "./parts.ts";
import { depositRefusal, isMatchAsked, notFound, requireMatch } from "./refusals.ts";
import type { DepositAnswer } from "./request.ts";

export type RemoveIn = {
  readonly depositor: Depositor;
  readonly proxy: Account | null;
  readonly recid: number;
  readonly ifMatch: string | null;
};

export const removing = ({ store, items, activities, addresses }: DepositParts) => {
  /** The workflow by which this client deletes: its own, else the one it would deposit an item of this type through; null: directly. */
  async function deleteFlow(viewer: Viewer, item: Item | null): Promise<Workflow | null> {
    const client = await clientSettingOf(store.settings, viewer);
    if (client === null || !client.active || client.registrationType !== 2) return null;
    const workflow =
      client.workflow === null
        ? await firstWorkflow(store.settings, item?.content?.itemType ?? null)
        : await store.settings.workflow(client.workflow);
    return workflow === null || workflow.deleted || workflow.delete === null ? null : workflow;
  }

  return async ({ depositor, proxy, recid, ifMatch }: RemoveIn): Promise<DepositAnswer> => {
    const { viewer } = depositor;
    const item = await store.items.item(recid);
    const workflow = await deleteFlow(viewer, item);
    if (workflow !== null) requireDepositScopes(viewer, [WORKFLOW_SCOPE]);
    const parent = item === null ? null : await store.items.parent(item.parentId);
    if (item === null || parent === null || item.state === "deleted") throw notFound(recid);
    const open = await store.activities.openActivity(recid);
    if (item.state === "draft" && open === null) throw notFound(recid);
    if (!mayDelete(viewer, parent)) {
      if (item.state === "draft") throw notFound(recid);
      throw depositRefusal(new RepositoryRefusal("forbidden", `You may not delete item ${recid}`), recid);
    }
    requireMatch(ifMatch, item.revision);
    if (item.state === "draft") throw swordRefusals.beingEdited(recid);
    try {
      return await store.transact(async (tx) => {
        // Who named a revision deletes that one, also when somebody changes the item in this moment.
        const expected = isMatchAsked(ifMatch) ? item.revision : null;
        const notes = { onBehalfOf: proxy?.id ?? null, expected };
        if (workflow === null) {
          await items.removeIn(tx, viewer, recid, notes);
          return deletionAnswer(addresses, 204, null, null);
        }
        await items.requireFreeToChangeIn(tx, viewer, recid);
        const began = await activities.beginIn(tx, viewer, {
          kind: "deletion",
          workflow,
          itemId: recid,
          title: item.content === null ? "" : mainTitle(item.content.metadata),
          onBehalfOf: proxy?.id ?? null,
          packageName: null,
          packageSha256: null,
          hasPlace: true,
        });
        if (began.done) return deletionAnswer(addresses, 204, began.activity.id, null);
        const document = {
          item,
          replaces: null,
          isReplacedBy: null,
          activityId: began.activity.id,
          parts: [],
          notes: [],
        };
        return deletionAnswer(addresses, 202, began.activity.id, document);
      });
    } catch (error) {
      throw depositRefusal(error, recid);
    }
  };
};
