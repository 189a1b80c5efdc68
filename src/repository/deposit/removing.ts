// DELETE /sword/deposit/{recid} (specification 2, "DELETE"; R2c, R11, R16, R16a, R19): directly, or by an activity where the workflow of the
// client, or of the item's format, has a delete flow.

import type { Account, Viewer } from "../../auth/account.ts";
import { isMatchAsked } from "../../shared/entity-tags.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { FormatSetting } from "../model/deposit-settings.ts";
import type { Item, ItemParent } from "../model/item.ts";
import { mainTitle } from "../model/metadata.ts";
import { may } from "../model/policy.ts";
import type { Workflow } from "../store/settings.ts";
import { type Depositor, depositAs, requireDepositScopes, WORKFLOW_SCOPE } from "./admission.ts";
import { deletionAnswer } from "./answers.ts";
import { clientSettingOf, FORMAT_DEFAULTS, firstWorkflow, formatSetting } from "./client-settings.ts";
import { swordRefusals } from "./messages.ts";
import { depositRefusal, isRecid, notFound, recidOf, requireMatch } from "./refusals.ts";
import type { DepositAnswer } from "./request.ts";
import type { DepositParts } from "./types.ts";

/** Formats in which an item may have come that does not say it. */
const FORMATS_OF_UNKNOWN = ["TSV/CSV", "JSON"] as const;

type RemoveIn = {
  readonly depositor: Depositor;
  /** Whom On-Behalf-Of means; asked once scopes and role are known to do. */
  readonly proxyOf: () => Promise<Account | null>;
  /** As it stands in the path. */
  readonly number: string;
  readonly ifMatch: string | null;
};

export const removing = (parts: DepositParts) => {
  const { store, items, activities, addresses } = parts;

  /**
   * The workflow by which an item is deleted; null: directly. The client's record says it, where it has an active one: its own workflow, else
   * the one it would deposit an item of this type through. Without a record the settings of the item's format do (R16a).
   */
  async function deleteFlow(viewer: Viewer, item: Item | null): Promise<Workflow | null> {
    const client = await clientSettingOf(store.settings, viewer);
    const setting = client?.active === true ? client : await formatSettingOf(item);
    if (setting.registrationType !== 2) return null;
    const workflow =
      setting.workflow === null
        ? await firstWorkflow(store.settings, item?.content?.itemType ?? null)
        : await store.settings.workflow(setting.workflow);
    return workflow === null || workflow.deleted || workflow.delete === null ? null : workflow;
  }

  /** Of an item that came in no package that is known, the strictest setting of those that register directly out of the box counts. */
  async function formatSettingOf(item: Item | null): Promise<FormatSetting> {
    const came = item?.content?.settings.packageFormat;
    const formats = came === undefined ? FORMATS_OF_UNKNOWN : [came];
    const settings = await Promise.all(formats.map((format) => formatSetting(store.settings, format)));
    return settings.find(({ registrationType }) => registrationType === 2) ?? settings[0] ?? FORMAT_DEFAULTS["TSV/CSV"];
  }

  /** Throws unless the viewer may delete the item; what he may not see is not there. */
  function requireDeletable(item: Item | null, parent: ItemParent | null, viewer: Viewer, recid: number): Item {
    if (item === null || parent === null || item.state === "deleted") throw notFound(recid);
    if (may(viewer, "item.delete", parent)) return item;
    if (item.state === "draft") throw notFound(recid);
    throw depositRefusal(new Refusal("forbidden", `You may not delete item ${recid}`), recid);
  }

  return async ({ depositor, proxyOf, number, ifMatch }: RemoveIn): Promise<DepositAnswer> => {
    const { viewer } = depositor;
    const asked = isRecid(number) ? await store.items.item(Number(number)) : null;
    const workflow = await deleteFlow(viewer, asked);
    // A missing scope is told before anything of the request is looked at (R13b).
    if (workflow !== null) requireDepositScopes(viewer, [WORKFLOW_SCOPE]);
    const proxy = await proxyOf();
    const recid = recidOf(number);
    const parent = asked === null ? null : await store.items.parent(asked.parentId);
    const open = asked === null ? null : await store.activities.openActivity(recid);
    // What waits for a community is known to its owner, and nobody's to delete (R2f).
    const isReviewed = parent?.review?.state === "submitted";
    if (asked?.state === "draft" && open === null && !isReviewed) throw notFound(recid);
    const item = requireDeletable(asked, parent, viewer, recid);
    requireMatch(ifMatch, item.revision);
    if (item.state === "draft") throw swordRefusals.beingEdited(recid);
    try {
      return await depositAs(parts, depositor, async (tx, { viewer: now }) => {
        await items.requireDelete(tx, now, recid);
        if (workflow !== null) requireDepositScopes(now, [WORKFLOW_SCOPE]);
        // Who named a revision deletes that one, also when somebody changes the item in this moment.
        const expected = isMatchAsked(ifMatch) ? item.revision : null;
        const notes = { onBehalfOf: proxy?.id ?? null, expected };
        if (workflow === null) {
          await items.remove(tx, now, recid, notes);
          return deletionAnswer(addresses, 204, null, null);
        }
        // An administrator removes what somebody else edits (R19): the edit ends with the item, when that is decided.
        const besideDraft = may(now, "item.end-draft", null);
        await items.requireFreeToChange(tx, now, recid, { ...notes, besideDraft });
        const began = await activities.begin(tx, now, {
          kind: "deletion",
          workflow,
          itemId: recid,
          title: item.content === null ? "" : mainTitle(item.content.metadata),
          onBehalfOf: proxy?.id ?? null,
          packageName: null,
          packageSha256: null,
          isFiled: true,
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
