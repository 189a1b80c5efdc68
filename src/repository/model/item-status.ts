// The one word tools show for an item (R2c), derived from its state, its number among the versions and its review.
import type { Item } from "./item.ts";

const TOOL_STATUS = [
  "draft",
  "draft_with_review",
  "in_review",
  "declined",
  "expired",
  "new_version_draft",
  "new_version_draft_with_review",
  "published",
  "deleted",
] as const;
type ToolStatus = (typeof TOOL_STATUS)[number];

/** How far the request stands by which an unpublished item waits for somebody; `created`: it was not yet submitted. Null: there is none. */
export type ReviewState = "created" | "submitted" | "declined" | "expired";

export function toolStatus(item: Pick<Item, "state" | "versionIndex">, review: ReviewState | null): ToolStatus {
  if (item.state !== "draft") return item.state;
  if (review === "submitted") return "in_review";
  if (review === "declined" || review === "expired") return review;
  const base = item.versionIndex > 1 ? "new_version_draft" : "draft";
  return review === "created" ? `${base}_with_review` : base;
}
