// Comments of reviewers on single fields of a draft (R44), for those who edit it: of its review, and of the activity that
// returned it.
import type { Viewer } from "../../auth/account.ts";
import { may } from "../../model/rights/policy.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { RepositoryReader } from "../store/store.ts";

/** `text` is plain text. */
export type FieldNote = { readonly field: string; readonly text: string };
export type FieldNotes = (viewer: Viewer, item: ItemId) => Promise<readonly FieldNote[]>;

type Reader = Pick<RepositoryReader, "items" | "requests" | "activities">;

export const fieldNotes =
  (store: Reader): FieldNotes =>
  async (viewer, item) => {
    const found = await store.items.withParent(item);
    if (found === null || !may(viewer, "item.edit", found.parent)) return [];
    const { review } = found.parent;
    const request = review === null ? null : await store.requests.request(review.id);
    const comments = request === null ? [] : await store.requests.fieldComments(request.number);
    const activity = await store.activities.openActivity(item);
    const steps = activity === null ? [] : await store.activities.steps(activity.id);
    // Comments of before it was sent again were about what it was then.
    const again = steps.findLastIndex(({ action, state }) => action === "item_registration" && state === "F");
    return [
      ...comments.map(({ field, content }) => ({ field, text: htmlToText(content) })),
      ...steps.slice(again + 1).flatMap(({ field, comment }) => (field === "" ? [] : [{ field, text: comment }])),
    ];
  };
