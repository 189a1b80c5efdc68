// The core of items (R1 to R5, R18, R19): one set of functions that deposit, pages, tools and the command line share.

import type { Viewer } from "../../auth/account.ts";
import { searchedKeys } from "../../model/metadata/duplicate-keys.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import { type Core, lockIn, requireRevision, signed } from "./commit-revision.ts";
import { digests } from "./content.ts";
import { type Deletions, deleting } from "./deleting.ts";
import { type Drafts, drafting } from "./drafting.ts";
import { type IndexMembership, indexMembership } from "./index-membership.ts";
import { naming } from "./item-ark.ts";
import { type ItemViews, itemViews } from "./item-views.ts";
import { type ItemLocks, locking, requireFreeIn } from "./locking.ts";
import { type Publications, publishing } from "./publishing.ts";
import { type ScheduledChanges, scheduledChanges } from "./scheduled-changes.ts";
import type { ActivityItems, ChangeNotes, ItemsNeeds } from "./types.ts";

/** Most ids of suspected duplicates in an answer (message 13). */
const DUPLICATES_MAX = 100;

export type Items = Publications &
  IndexMembership &
  Deletions &
  Drafts &
  ItemViews &
  ItemLocks &
  ScheduledChanges & {
    /** What src/repository/workflow needs of items. */
    readonly activityItems: ActivityItems;
    /**
     * Before an activity about the item begins.
     *
     * @throws Refusal `precondition` for another revision than the one the caller has seen; ItemBusy when another
     * account works on the item.
     */
    requireFreeToChange(tx: RepositoryWriter, viewer: Viewer, id: ItemId, notes?: ChangeNotes): Promise<void>;
    /** Ids of items that look like this one (R18), also of private ones. `except`: the item that is being replaced. */
    duplicates(
      reader: Pick<RepositoryReader, "items">,
      metadata: Metadata,
      except: number | null,
    ): Promise<readonly number[]>;
  };

/**
 * What activities do to their items (R16): publish the draft, into the given index where it names no existing one;
 * delete a published item; discard a draft. Rights were checked when the activity was decided.
 */
function forActivities(core: Core): ActivityItems {
  const { publishDraft, saveDraft, discardDraft } = drafting(core);
  const { remove } = deleting(core);
  return {
    async publishDraft(tx, viewer, id, { activityId, index, onBehalfOf, packageName, packageSha256, lockOwner }) {
      const own = { activityId, ...(lockOwner === undefined ? {} : { lockOwner }) };
      const draft = await tx.items.draft(id);
      if (draft !== null) {
        // No index is deleted before it is filled.
        await tx.indexes.holdTree();
        const named = draft.content.indexes;
        const known = await tx.items.communitiesAbove(named);
        const live = named.filter((id) => known.has(id));
        const indexes = live.length === 0 && index !== null ? [index] : live;
        if (indexes.length === 0) throw new Refusal("invalid", `Item ${id} is in no index: name one`);
        if (indexes.join() !== named.join()) {
          await saveDraft(tx, viewer, id, { content: { ...draft.content, indexes }, ...own });
        }
      }
      const unnamed = packageName === null || packageSha256 === null;
      const note = unnamed ? null : { name: packageName, sha256: packageSha256 };
      return (await publishDraft(tx, viewer, id, { ...own, onBehalfOf, package: note })).item;
    },
    remove: (tx, viewer, id, activityId) => remove(tx, viewer, id, { activityId }),
    async discardDraft(tx, viewer, id, activityId) {
      // A draft that another account has begun meanwhile is not this activity's.
      if ((await tx.items.draft(id))?.activityId === activityId) await discardDraft(tx, viewer, id, { activityId });
    },
  };
}

export const items = (needs: ItemsNeeds): Items => {
  const core: Core = {
    needs,
    naming: naming({ random: needs.random, credential: needs.arkCredential, log: needs.log }),
  };
  const { patch, ...change } = publishing(core);
  return {
    ...change,
    patch,
    ...indexMembership(core, patch),
    ...deleting(core),
    ...drafting(core),
    ...itemViews(needs),
    ...locking(needs),
    ...scheduledChanges(core),
    activityItems: forActivities(core),

    requireFreeToChange: async (
      tx: RepositoryWriter,
      viewer: Viewer,
      id: number,
      notes: ChangeNotes = {},
    ): Promise<void> => {
      const sign = signed(needs, viewer, notes);
      requireRevision((await lockIn(tx, id)).item, sign);
      await requireFreeIn(tx, id, sign);
    },

    duplicates: async (
      reader: Pick<RepositoryReader, "items">,
      metadata: Metadata,
      except: number | null,
    ): Promise<readonly number[]> =>
      reader.items.duplicates(digests(await inTurns(searchedKeys(metadata))), except, DUPLICATES_MAX),
  };
};
