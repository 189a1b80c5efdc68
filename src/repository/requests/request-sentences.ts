// The sentences of reviews and requests (reference 1.2, submit_to_community, request_action), as clients of existing
// record repositories know them.
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";

export const REQUEST_SENTENCES = {
  published: "You cannot create a review for an already published record.",
  newVersion: "You cannot create a review for a new version of a published record.",
  openReview: "An open review cannot be deleted.",
  noReview: "Review for draft not found",
  membersOnly: "Submission to this community is only allowed to community members.",
  membersClosed: "This community does not take requests to join it.",
  askedOften: "You asked to join this community several times today: ask again tomorrow.",
  restricted: "A public record cannot be included in a restricted community.",
  noCommunity: "Community not found.",
  included: "The record is already included in this community.",
  openInclusion: "There is already an open inclusion request for this community.",
  notDefault: "Cannot set community as the default. The record has not been added to the community.",
  noComment: "You cannot update this event.",
  noDeletion: "You cannot delete this event.",
  deleted: "comment was deleted",
  /** In our own words (reference 1.4). */
  atOnce: "Accepted at once: this community takes submissions of this kind without a review.",
} as const;

const actionError = (action: string, why: string): Refusal =>
  new Refusal("invalid", `Error for action '${action.slice(0, 100)}': ${why}`);

/** The state of the request does not allow the action. */
export const cannotDo = (action: string): Refusal => actionError(action, "Could not execute the action");
export const noSuchAction = (action: string): Refusal => actionError(action, "No such action available");

export const notIncluded = (record: ItemId, community: string): string =>
  `The record ${record} in not included in the community ${community}.`;
