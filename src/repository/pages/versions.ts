// The versions of an item side by side (R2a, R2d): what changed from each to the next, and the difference between any
// two. A version that the reader may not see is in no list and no count.
import type { Viewer } from "../../auth/account.ts";
import type { ItemContent, VersionLine } from "../../model/items/item.ts";
import type { ItemId, RecordId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import type { ItemViews, ReadableItem } from "../items/item-views.ts";
import {
  type ContentDifference,
  contentDifferenceInParts,
  countDifferencesInParts,
  type DifferenceCounts,
} from "./differences.ts";

/** Versions on one page of the list: each is read with its metadata and its files. */
const VERSIONS_PAGE = 10;

type ListedVersion = {
  readonly line: VersionLine;
  /** From the version before it; null for the first. */
  readonly changes: DifferenceCounts | null;
};

type VersionList = {
  /** The version that was requested. */
  readonly content: ItemContent;
  readonly id: ItemId;
  readonly byParent: boolean;
  /** Those of this page, the newest first. */
  readonly versions: readonly ListedVersion[];
  /** All that the reader may see, the newest first. */
  readonly all: readonly VersionLine[];
  readonly page: number;
  readonly pages: number;
};

type VersionComparison = {
  readonly before: VersionLine;
  readonly after: VersionLine;
  readonly content: ItemContent;
  readonly difference: ContentDifference;
  /** The reader may know the files of both. */
  readonly areFilesCompared: boolean;
};

export interface VersionShowing {
  /** Throws as `items.readable` does, and not_found for a page there is none of. */
  versions(viewer: Viewer, id: RecordId, page: number, tag: string): Promise<VersionList>;
  /** Throws as `items.readable` does for each, and not_found for items that are not versions of one record. */
  compare(viewer: Viewer, id: RecordId, other: RecordId, tag: string): Promise<VersionComparison>;
}

export const versionShowing = (items: Pick<ItemViews, "readable">): VersionShowing => ({
  async versions(viewer, id, page, tag) {
    const found = await published(items, viewer, id);
    const all = [...found.versions].reverse();
    const pages = Math.max(1, Math.ceil(all.length / VERSIONS_PAGE));
    if (page > pages) throw new Refusal("not_found", `There are ${pages} pages of versions, not ${page}`);
    const from = (page - 1) * VERSIONS_PAGE;
    const versions = await withChanges(items, viewer, all.slice(from, from + VERSIONS_PAGE + 1), tag);
    const { item, content, byParent } = found;
    return { content, id: item.id, byParent, versions: versions.slice(0, VERSIONS_PAGE), all, page, pages };
  },
  async compare(viewer, id, other, tag) {
    const [before, after] = [await published(items, viewer, id), await published(items, viewer, other)];
    const [one, two] = [lineOf(before), lineOf(after)];
    if (before.parent.id !== after.parent.id || one === undefined || two === undefined) {
      throw new Refusal("not_found", `Items ${id} and ${other} are not versions of one record`);
    }
    const sides = comparable(before, after);
    const difference = await inTurns(contentDifferenceInParts(sides.before, sides.after, tag));
    return {
      ...{ before: one, after: two, content: after.content, difference },
      areFilesCompared: sides.areFilesCompared,
    };
  },
});

/** A version that was published; drafts have no place among the versions. */
async function published(items: Pick<ItemViews, "readable">, viewer: Viewer, id: RecordId): Promise<ReadableItem> {
  const found = await items.readable(viewer, id);
  if (found.draft !== null) throw new Refusal("not_found", `Item ${id} was not published`);
  return found;
}

const lineOf = ({ item, versions }: ReadableItem): VersionLine | undefined => versions.find(({ id }) => id === item.id);

/** Files are compared only where the reader may know those of both versions. */
function comparable(before: ReadableItem, after: ReadableItem) {
  const areFilesCompared = before.areFilesListed && after.areFilesListed;
  const side = ({ content }: ReadableItem): ItemContent => (areFilesCompared ? content : { ...content, files: [] });
  return { before: side(before), after: side(after), areFilesCompared };
}

/** `lines`: the newest first, the last of which is only compared with. Two versions are in memory at a time. */
async function withChanges(
  items: Pick<ItemViews, "readable">,
  viewer: Viewer,
  lines: readonly VersionLine[],
  tag: string,
): Promise<readonly ListedVersion[]> {
  const listed: ListedVersion[] = [];
  const [first] = lines;
  let newer = first === undefined ? null : await items.readable(viewer, first.id);
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    const older = next === undefined ? null : await items.readable(viewer, next.id);
    if (older === null || newer === null) listed.push({ line, changes: null });
    else {
      const sides = comparable(older, newer);
      const counts = await inTurns(countDifferencesInParts(sides.before, sides.after, tag));
      listed.push({ line, changes: sides.areFilesCompared ? counts : { ...counts, files: null } });
    }
    newer = older;
  }
  return listed;
}
