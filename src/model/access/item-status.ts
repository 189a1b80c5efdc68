// The one word tools show for an item (R2c), derived from its state, its number among the versions and its review.
import type { Item, ReviewState } from "../items/item.ts";

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

/** `review`: null for a draft without one. */
export function toolStatus(item: Pick<Item, "state" | "versionIndex">, review: ReviewState | null): ToolStatus {
  if (item.state !== "draft") return item.state;
  if (review === "submitted") return "in_review";
  if (review === "declined" || review === "expired") return review;
  const base = item.versionIndex > 1 ? "new_version_draft" : "draft";
  return review === "created" ? `${base}_with_review` : base;
}
