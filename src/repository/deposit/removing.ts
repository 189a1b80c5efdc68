// DELETE /sword/deposit/{recid} (specification 2, "DELETE"; R2c, R11, R16, R16a, R19): directly, or by an activity
// where the workflow of the client, or of the item's format, has a delete flow.

import type { Account, Viewer } from "../../auth/account.ts";
import type { FormatSetting } from "../../model/items/deposit-settings.ts";
import type { Item, ItemParent } from "../../model/items/item.ts";
import { mainTitle } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import { isMatchAsked } from "../../shared/http/entity-tags.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Workflow } from "../store/settings.ts";
import { type Depositor, depositAs, requireDepositScopes, WORKFLOW_SCOPE } from "./admission.ts";
import { clientSettingOf, FORMAT_DEFAULTS, firstWorkflow, formatSetting } from "./client-settings.ts";
import { deletionAnswer } from "./documents.ts";
import { swordRefusals } from "./messages.ts";
import { depositRefusal, isRecid, notFound, recidOf, requireMatch } from "./refusals.ts";
import type { DepositAnswer } from "./request.ts";
import type { DepositParts } from "./types.ts";

/** Formats that an item may have come in without stating it. */
const FORMATS_OF_UNKNOWN = ["TSV/CSV", "JSON"] as const;

type RemoveIn = {
  readonly depositor: Depositor;
  /** Whom On-Behalf-Of means; asked once scopes and role are known to do. */
  readonly proxyOf: () => Promise<Account | null>;
  /** As written in the path. */
  readonly number: string;
  readonly ifMatch: string | null;
};

/**
 * The workflow by which an item is deleted; null: directly. An active client record decides: its own workflow, else the
 * one of its deposits of this item type. Without a record the settings of the item's format decide (R16a).
 */
export async function deleteFlow(
  parts: Pick<DepositParts, "store">,
  viewer: Viewer,
  item: Item | null,
): Promise<Workflow | null> {
  const client = await clientSettingOf(parts.store.settings, viewer);
  const setting = client?.active === true ? client : await formatSettingOf(parts, item);
  if (setting.registrationType !== 2) return null;
  const workflow =
    setting.workflow === null
      ? await firstWorkflow(parts.store.settings, item?.content?.itemType ?? null)
      : await parts.store.settings.workflow(setting.workflow);
  return workflow === null || workflow.deleted || workflow.delete === null ? null : workflow;
}

/** For an item of unknown package format: the strictest setting of the formats that register directly by default. */
async function formatSettingOf(parts: Pick<DepositParts, "store">, item: Item | null): Promise<FormatSetting> {
  const came = item?.content?.settings.packageFormat;
  const formats = came === undefined ? FORMATS_OF_UNKNOWN : [came];
  const settings = await Promise.all(formats.map((format) => formatSetting(parts.store.settings, format)));
  return settings.find(({ registrationType }) => registrationType === 2) ?? settings[0] ?? FORMAT_DEFAULTS["TSV/CSV"];
}

/** @throws Refusal unless the viewer may delete the item; one that they may not see is answered as unknown. */
function requireDeletable(item: Item | null, parent: ItemParent | null, viewer: Viewer, recid: ItemId): Item {
  if (item === null || parent === null || item.state === "deleted") throw notFound(recid);
  if (may(viewer, "item.delete", parent)) return item;
  if (item.state === "draft") throw notFound(recid);
  throw depositRefusal(new Refusal("forbidden", `You may not delete item ${recid}`), recid);
}

export async function deleteItem(
  parts: DepositParts,
  { depositor, proxyOf, number, ifMatch }: RemoveIn,
): Promise<DepositAnswer> {
  const { viewer } = depositor;
  const asked = isRecid(number) ? await parts.store.items.item(Number(number)) : null;
  const workflow = await deleteFlow(parts, viewer, asked);
  // A missing scope is refused before anything else of the request is checked (R13b).
  if (workflow !== null) requireDepositScopes(viewer, [WORKFLOW_SCOPE]);
  const proxy = await proxyOf();
  const recid = recidOf(number);
  const parent = asked === null ? null : await parts.store.items.parent(asked.parentId);
  const open = asked === null ? null : await parts.store.activities.openActivity(recid);
  // An item under review is known to its owner, and nobody may delete it (R2f).
  const isReviewed = parent?.review?.state === "submitted";
  if (asked?.state === "draft" && open === null && !isReviewed) throw notFound(recid);
  const item = requireDeletable(asked, parent, viewer, recid);
  requireMatch(ifMatch, item.revision);
  if (item.state === "draft") throw swordRefusals.beingEdited(recid);
  try {
    return await depositAs(parts, depositor, async (tx, { viewer: now }) => {
      await parts.items.requireDelete(tx, now, recid);
      if (workflow !== null) requireDepositScopes(now, [WORKFLOW_SCOPE]);
      // A request with If-Match deletes that revision, also when the item is changed at the same time.
      const expected = isMatchAsked(ifMatch) ? item.revision : null;
      const notes = { onBehalfOf: proxy?.id ?? null, expected };
      if (workflow === null) {
        await parts.items.remove(tx, now, recid, notes);
        return deletionAnswer(parts.addresses, 204, null, null);
      }
      // An administrator may delete an item that another account edits (R19): the edit ends with the item, when the
      // activity is approved.
      const ignoresDraft = may(now, "item.end-draft", null);
      await parts.items.requireFreeToChange(tx, now, recid, { ...notes, ignoresDraft });
      const began = await parts.activities.begin(tx, now, {
        kind: "deletion",
        workflow,
        itemId: recid,
        title: item.content === null ? "" : mainTitle(item.content.metadata),
        onBehalfOf: proxy?.id ?? null,
        packageName: null,
        packageSha256: null,
        isFiled: true,
      });
      if (began.done) return deletionAnswer(parts.addresses, 204, began.activity.id, null);
      const document = {
        item,
        replaces: null,
        isReplacedBy: null,
        activityId: began.activity.id,
        parts: [],
        notes: [],
      };
      return deletionAnswer(parts.addresses, 202, began.activity.id, document);
    });
  } catch (error) {
    throw depositRefusal(error, recid);
  }
}
