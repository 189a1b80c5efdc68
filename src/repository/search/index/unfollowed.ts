// What was committed and is not in the search index yet (R34), as conditions on its documents: hiding never waits, so
// that no answer rests on documents that such a change touches, unless the database was asked about them (finding.ts).
import type { FeedPosition } from "../../../shared/feed.ts";
import type { ChangeReader } from "../../store/changes.ts";
import { FIELDS } from "../document/document.ts";
import { numberKey } from "../document/keys.ts";
import { anyOf } from "../query/query-text.ts";
import { KEYS } from "../settings/search-schema.ts";
import type { Condition } from "./index-port.ts";

export type UnfollowedChanges =
  | { readonly kind: "nothing" }
  /** Versions of these parents, and what is in and below these indexes. Every other document is right. */
  | { readonly kind: "some"; readonly parents: readonly number[]; readonly indexes: readonly number[] }
  /** Any document may be wrong. */
  | { readonly kind: "everything" };

/**
 * Changes that are known one by one while the index has not followed them; where there are more, any document may be
 * wrong.
 */
const UNFOLLOWED_MAX = 5_000;

/** What changed after a position of the feed. `roots`: subtrees that wait although the feed was read past them. */
export async function readUnfollowed(
  feed: ChangeReader,
  position: FeedPosition,
  roots: readonly number[],
): Promise<UnfollowedChanges> {
  const [parents, indexes] = [new Set<number>(), new Set(roots)];
  for (let [after, read] = [position, 0]; ; ) {
    const page = await feed.changes(after, UNFOLLOWED_MAX - read);
    if (page.lost !== undefined || page.position.epoch !== position.epoch) return { kind: "everything" };
    for (const { subject, target } of page.changes) {
      if (subject === "parent") parents.add(Number(target));
      else if (subject === "index") indexes.add(Number(target));
    }
    read += page.changes.length;
    if (page.more !== true) return { kind: "some", parents: [...parents], indexes: [...indexes] };
    if (read >= UNFOLLOWED_MAX) return { kind: "everything" };
    after = page.position;
  }
}

/** True of the documents that the changes may touch; null: of none. */
export function touchedBy(unfollowed: UnfollowedChanges): Condition | null {
  switch (unfollowed.kind) {
    case "nothing":
      return null;
    case "everything":
      return { kind: "and", of: [] };
    case "some": {
      const parents: Condition = { kind: "key", field: KEYS.number, anyOf: unfollowed.parents.map(numberKey) };
      const below: Condition = { kind: "key", field: FIELDS.under, anyOf: unfollowed.indexes.map(numberKey) };
      const of = [parents, below].filter((each) => each.kind === "key" && each.anyOf.length > 0);
      return of.length === 0 ? null : anyOf(of);
    }
  }
}

/** Whether the place of an item in the tree decides what is found. */
export function looksIntoTree(condition: Condition): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.of.some(looksIntoTree);
    case "not":
      return looksIntoTree(condition.of);
    default:
      return condition.field === FIELDS.under;
  }
}
