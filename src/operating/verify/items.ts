// Items against their revisions, their names and their indexes (R2a, R2b, R2c, R5).
import { landingPath } from "../../model/items/addresses.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** An item with what the other tables hold about it. */
export type ItemRow = {
  readonly id: number;
  readonly state: string;
  readonly revision: number;
  readonly fileSet: number | null;
  /** What its number was assigned for; null: it was not assigned. */
  readonly kind: string | null;
  /** How many revisions there are, and the set of files the current one names. */
  readonly revisions: number;
  readonly revisionSet: number | null;
  readonly tombstones: number;
  readonly ark: string | null;
  /** State and target of its name; null where there is none. */
  readonly arkState: string | null;
  readonly arkUrl: string | null;
};

/** A name is withdrawn or revoked only by somebody who may: that is reported for the name, not for the item. */
function arkProblems({ id, state, ark, arkState, arkUrl }: ItemRow): readonly (readonly [boolean, string])[] {
  if (ark === null) return [];
  return [
    [arkState === null, `its ARK ${ark} is not there`],
    [state === "draft", `it was never published and has the ARK ${ark}`],
    [state === "deleted" && arkState === "published", `it is deleted, and its ARK ${ark} is not tombstoned`],
    [state === "published" && arkState === "tombstoned", `it is public, and its ARK ${ark} is tombstoned`],
    [
      (arkState === "published" || arkState === "tombstoned") && arkUrl?.endsWith(landingPath(id)) !== true,
      `its ARK ${ark} leads to "${arkUrl}", not to its landing page`,
    ],
  ];
}

export function itemFindings(row: ItemRow): Finding[] {
  const { id, state, revision, fileSet, kind, revisions, revisionSet, tombstones } = row;
  const isPublic = state !== "draft";
  return findingsOf("item", `item:${id}`, [
    [kind !== "item", kind === null ? "its number was never assigned" : `its number was assigned to a ${kind}`],
    [isPublic && fileSet === null, "it was published and names no set of files"],
    [revisions !== revision, `it is at revision ${revision}, and ${revisions} revisions are there`],
    [
      fileSet !== null && revisions === revision && revisionSet !== fileSet,
      "its files are not those of its current revision",
    ],
    [state === "deleted" && tombstones === 0, "it is deleted and has no tombstone"],
    [state !== "deleted" && tombstones > 0, "it has a tombstone and is not deleted"],
    ...arkProblems(row),
  ]);
}

export type ParentRow = {
  readonly id: number;
  readonly kind: string | null;
  readonly latest: ItemId | null;
  /** The published version with the highest index. */
  readonly highest: number | null;
};

export function parentFindings({ id, kind, latest, highest }: ParentRow): Finding[] {
  const words = (version: number | null): string => (version === null ? "none" : `item ${version}`);
  return findingsOf("item", `parent:${id}`, [
    [kind !== "parent", "its number was not assigned to a parent"],
    [latest !== highest, `in its row its latest version is ${words(latest)}, it is ${words(highest)}`],
  ]);
}

export type StrayIndexRow = { readonly itemId: ItemId; readonly indexId: IndexId };

/** An item in an index that does not exist or was deleted. */
export function strayIndexFinding({ itemId, indexId }: StrayIndexRow): Finding {
  return { kind: "item", key: `item:${itemId}`, problem: `it is in index ${indexId}, which does not exist` };
}
