// Whose visit of which record counts (R39, R51): not that of its owner, of those who look after it, or of the staff.
import { GUEST, type Viewer } from "../../auth/account.ts";
import { mayReadRecord, type RecordFacts } from "../../model/access/visibility.ts";
import type { Item } from "../../model/items/item.ts";
import type { Day } from "../../shared/time/day.ts";
import type { VisitedRecord } from "../store/usage.ts";

type Read = {
  readonly item: Pick<Item, "id" | "parentId" | "publishedAt">;
  /** The viewer owns it or looks after it. */
  readonly privileged: boolean;
  readonly facts: RecordFacts;
};

/** Accounts with a role. */
const isStaff = ({ account }: Viewer): boolean => account !== null && account.roles.length > 0;

/** Before the publication nothing is counted. */
export const visitedRecord = (viewer: Viewer, { item, privileged, facts }: Read, today: Day): VisitedRecord => ({
  id: item.id,
  parentId: item.parentId,
  isOwn: privileged || item.publishedAt === null || isStaff(viewer),
  isPublic: mayReadRecord(GUEST, facts, today),
});
