// What a viewer may see of an item (R2a, R2c, R2d): the record for landing pages and status documents, lists and
// counts.

import { curatedCommunities, GUEST, isAdministrator, type Viewer } from "../../auth/account.ts";
import { type AccessStatus, accessStatus, statedAccessWarning } from "../../model/access/openness.ts";
import {
  fileReading,
  isPrivileged,
  mayListFiles,
  mayPreview,
  mayReadRecord,
  mayView,
  mayViewFiles,
  type RecordFacts,
} from "../../model/access/visibility.ts";
import { inFileOrder } from "../../model/files/file-order.ts";
import type {
  Draft,
  Item,
  ItemContent,
  ItemFile,
  ItemOutline,
  ItemParent,
  MeasuredOutline,
  Tombstone,
  VersionLine,
  WithParent,
} from "../../model/items/item.ts";
import type { ItemSummary } from "../../model/items/summary.ts";
import { latestOf, neighboursOf } from "../../model/items/versions.ts";
import type { ItemId, ParentId, RecordId } from "../../shared/ids.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import { type Day, dayIn } from "../../shared/time/day.ts";
import type { ChangedItem, ItemFilter, Sight } from "../store/items.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { VisitedRecord } from "../store/usage.ts";
import { factsOf } from "./access-facts.ts";
import { BrowsableIndexes } from "./browsable-indexes.ts";
import type { ItemsNeeds } from "./types.ts";
import { visitedRecord } from "./visited.ts";

/** An item as this viewer may see it. */
export type ReadableItem = {
  readonly item: Item;
  readonly parent: ItemParent;
  /** What is shown: the published content, or the draft of what was never published. */
  readonly content: ItemContent;
  /** True when the requested number is a parent's, which leads to this item (landing page: 302). */
  readonly byParent: boolean;
  /** Set when the item was never published: only the privileged get this far. */
  readonly draft: Draft | null;
  readonly privileged: boolean;
  /** As its visits are counted. */
  readonly visited: VisitedRecord;
  /** What decided that: who else may read it and its files follows from them. */
  readonly facts: RecordFacts;
  /** Published versions the viewer may read, lowest first. */
  readonly versions: readonly VersionLine[];
  readonly replaces: number | null;
  readonly isReplacedBy: number | null;
  readonly files: readonly { readonly file: ItemFile; readonly readable: boolean }[];
  /** False: this viewer may not learn which files exist. */
  readonly areFilesListed: boolean;
  readonly accessStatus: AccessStatus;
  /** What the metadata state and the facts do not bear out (R2d). */
  readonly warning: string | null;
};

/** The files that the viewer may know of. */
export const listedFiles = ({
  files,
  areFilesListed,
}: Pick<ReadableItem, "files" | "areFilesListed">): ReadableItem["files"] => (areFilesListed ? files : []);

/** One file, and the facts of its item that decide who may read it. */
type ReadableFile = {
  readonly item: ItemOutline;
  readonly file: ItemFile | null;
  readonly readable: boolean;
  /** False: this viewer may not learn whether the file exists. */
  readonly isListed: boolean;
  /** Guests may have it. */
  readonly isPublic: boolean;
  /** The viewer owns the item or looks after it. */
  readonly privileged: boolean;
  /** As its downloads are counted. */
  readonly visited: VisitedRecord;
};

/** An item without its metadata, which this viewer may read. */
export type ReadableOutline = WithParent<MeasuredOutline> &
  Pick<ReadableItem, "byParent" | "privileged" | "facts"> & {
    /** It was never published: the viewer may see its draft. */
    readonly isDraft: boolean;
  };

/** Items of one page of a list. */
const PAGE_ITEMS_MAX = 1000;

type ReadingNeeds = Pick<ItemsNeeds, "store" | "clock" | "timeZone"> & { readonly indexes: BrowsableIndexes };

type OutlineWithParent = WithParent<MeasuredOutline>;

/** Refused to this reader, whatever the reason. */
const isHidden = (error: unknown): error is Refusal =>
  isRefusal(error, "not_found", "forbidden", "gone", "unauthenticated");

export interface ItemViews {
  today(): Day;
  /**
   * What the viewer may see under a number; a parent's number leads to the latest version they may read.
   *
   * @throws Refusal `not_found` for what does not exist and for drafts of others, `forbidden` for records that exist,
   * `gone` with
   *   `detail.tombstone` for deleted ones.
   */
  readable(viewer: Viewer, id: RecordId): Promise<ReadableItem>;
  readableIn(reader: RepositoryReader, viewer: Viewer, id: RecordId): Promise<ReadableItem>;
  /** The number of the latest version of a parent that the viewer may read. @throws Refusal as `readable` does. */
  latestTo(viewer: Viewer, parentId: ParentId): Promise<number>;
  /** The same without its metadata: for callers that keep a rendered copy of them. */
  readableOutline(viewer: Viewer, id: RecordId): Promise<ReadableOutline>;
  /** Whether the viewer may read what a number names. */
  mayRead(viewer: Viewer, id: RecordId): Promise<boolean>;
  browsableIndexes(viewer: Viewer): Promise<readonly number[]>;
  sightOf(viewer: Viewer): Promise<Sight | undefined>;
  /**
   * One file of the item that a number names, by the first of these names that exists; null where none does. Neither
   * metadata nor other files are read.
   *
   * @throws Refusal as `readable` does.
   */
  readableFile(viewer: Viewer, id: RecordId, names: readonly string[]): Promise<ReadableFile>;
  /** Summaries by id, descending, below `before`; only what the viewer may read (R2d, R9a). */
  list(viewer: Viewer, filter: ItemFilter, before: ItemId | null, limit: number): Promise<readonly ItemSummary[]>;
  /** The same, with the time of the last change instead of the summary. */
  changes(viewer: Viewer, filter: ItemFilter, before: ItemId | null, limit: number): Promise<readonly ChangedItem[]>;
  /** Counts only what the viewer may read (R2d). */
  count(viewer: Viewer, filter: ItemFilter): Promise<number>;
}

export const itemViews = ({ store, clock, timeZone }: ItemsNeeds): ItemViews => {
  const needs: ReadingNeeds = { store, clock, timeZone, indexes: new BrowsableIndexes(store.indexes) };
  return {
    today: () => today(needs),
    readable: (viewer, id) => readableIn(needs, needs.store, viewer, id),
    readableIn: (reader, viewer, id) => readableIn(needs, reader, viewer, id),
    latestTo: (viewer, parentId) => latestTo(needs, viewer, parentId),
    readableOutline: (viewer, id) =>
      resolveId(needs.store, id, (outline, byParent) => outlineFor(needs, viewer, outline, byParent)),
    mayRead: (viewer, id) => mayRead(needs, viewer, id),
    browsableIndexes: (viewer) => browsableIndexes(needs, viewer),
    sightOf: (viewer) => sightOf(needs, viewer),
    readableFile: (viewer, id, names) =>
      resolveId(needs.store, id, (outline) => fileFor(needs, viewer, outline, names)),
    list: (viewer, filter, before, limit) => list(needs, viewer, filter, before, limit),
    changes: (viewer, filter, before, limit) => changes(needs, viewer, filter, before, limit),
    count: async (viewer, filter) => needs.store.items.countItems(await visibleOnly(needs, viewer, filter)),
  };
};

const today = (needs: ReadingNeeds): Day => dayIn(needs.timeZone, needs.clock.now());

async function goneRefusal(reader: RepositoryReader, viewer: Viewer, item: ItemOutline, facts: RecordFacts) {
  const tombstone = await reader.items.tombstone(item.id);
  // An invisible tombstone is shown to those only who can restore the item.
  if (tombstone?.isVisible === false && !isAdministrator(viewer)) {
    return new Refusal("not_found", `Item ${item.id} does not exist`, { detail: { hidden: true } });
  }
  return new Refusal("gone", `Item ${item.id} was deleted`, {
    detail: { item: item.id, ark: item.ark, tombstone: shownTombstone(tombstone, isPrivileged(viewer, facts)) },
  });
}

/**
 * Whether the viewer may read the item, decided without reading its metadata. @throws Refusal not_found, forbidden,
 * gone.
 */
async function admit(
  needs: ReadingNeeds,
  reader: RepositoryReader,
  viewer: Viewer,
  { item, parent }: OutlineWithParent,
) {
  const facts = await factsOf(reader, item, item.content, parent);
  if (item.state === "deleted") throw await goneRefusal(reader, viewer, item, facts);
  const privileged = isPrivileged(viewer, facts);
  const draft = item.state === "draft" && mayPreview(viewer, facts) ? await reader.items.draft(item.id) : null;
  if (item.content === null && draft === null) {
    throw new Refusal("not_found", `Item ${item.id} does not exist`);
  }
  if (draft === null && !mayReadRecord(viewer, facts, today(needs))) {
    throw new Refusal("forbidden", `You may not read item ${item.id}`, {
      detail: { item: item.id, sign_in: viewer.account === null },
    });
  }
  return { facts, privileged, draft };
}

async function readableItem(
  needs: ReadingNeeds,
  reader: RepositoryReader,
  viewer: Viewer,
  outline: OutlineWithParent,
  byParent: boolean,
): Promise<ReadableItem> {
  const { facts, draft } = await admit(needs, reader, viewer, outline);
  const { parent } = outline;
  const item = await reader.items.item(outline.item.id);
  const content = item?.content ?? draft?.content;
  if (item === null || content === undefined) {
    throw new Refusal("not_found", `Item ${outline.item.id} does not exist`);
  }
  const versions = await readableVersions(needs, reader, viewer, parent.id, mayView(viewer, facts));
  return itemAs(viewer, { item, parent, content, byParent, draft, facts, versions }, today(needs));
}

type ReadParts = Pick<ReadableItem, "item" | "parent" | "content" | "byParent" | "draft" | "facts" | "versions">;

/** An item that the viewer may read, with what of its files is for them. */
export function itemAs(viewer: Viewer, parts: ReadParts, day: Day): ReadableItem {
  const { item, content, draft, facts, versions } = parts;
  const mayHave = fileReading(viewer, facts, day);
  const privileged = isPrivileged(viewer, facts);
  return {
    ...parts,
    privileged,
    visited: visitedRecord(viewer, { item, privileged, facts }, day),
    ...neighboursOf(versions, item.id),
    files: inFileOrder(content.files, content).map((file) => ({
      file,
      readable: draft !== null || mayHave(file),
    })),
    areFilesListed: draft !== null || mayListFiles(content.access, mayViewFiles(viewer, facts, day), day),
    accessStatus: accessStatus(content, day),
    warning: statedAccessWarning(content, day),
  };
}

/**
 * Published versions, lowest first: those the viewer may read, of which the highest is the latest for them (R2a, R2d).
 */
async function readableVersions(
  needs: ReadingNeeds,
  reader: RepositoryReader,
  viewer: Viewer,
  parentId: ParentId,
  viewsAll: boolean,
): Promise<readonly VersionLine[]> {
  const published = (await reader.items.versionLines(parentId)).filter(({ state }) => state === "published");
  if (viewsAll || published.length < 2) return published;
  const filter = await visibleOnly(needs, viewer, { parent: parentId, state: "published" });
  const readable = new Set(await reader.items.listItemIds(filter, null, published.length));
  const readableOnes = published.filter(({ id }) => readable.has(id));
  const latest = latestOf(readableOnes);
  return readableOnes.map((version) => ({ ...version, isLatest: version.id === latest?.id }));
}

/** The latest version the viewer may read; where there is none, the refusal of the latest one (R2a). */
async function latestReadable<T>(
  reader: RepositoryReader,
  parentId: ParentId,
  one: (version: OutlineWithParent) => Promise<T>,
): Promise<T> {
  let refusal: unknown = new Refusal("not_found", `Item ${parentId} does not exist`);
  const versions = await reader.items.versionLines(parentId);
  for (const state of ["published", "draft", "deleted"] as const) {
    for (const { id } of versions.filter((version) => version.state === state).reverse()) {
      const version = await reader.items.outline(id);
      if (version === null) continue;
      try {
        return await one(version);
      } catch (error) {
        if (!isHidden(error)) throw error;
        // A published version is answered before a deleted one, that before a draft.
        if (state !== "draft" && isRefusal(refusal, "not_found")) refusal = error;
      }
    }
  }
  throw refusal;
}

/** Calls `one` with what a number names: the item, or the latest version of a parent that the viewer may read. */
async function resolveId<T>(
  reader: RepositoryReader,
  id: RecordId,
  one: (outline: OutlineWithParent, byParent: boolean) => Promise<T>,
): Promise<T> {
  // Items and parents are numbered in one sequence.
  const number: number = id;
  const outline = await reader.items.outline(number);
  if (outline !== null) return await one(outline, false);
  if ((await reader.items.kindOf(number)) === "parent") {
    return await latestReadable(reader, number, (version) => one(version, true));
  }
  throw new Refusal("not_found", `Item ${id} does not exist`);
}

/** Whether the viewer may read the item, without its metadata. */
async function outlineFor(
  needs: ReadingNeeds,
  viewer: Viewer,
  outline: OutlineWithParent,
  byParent: boolean,
): Promise<ReadableOutline> {
  const { facts, privileged, draft } = await admit(needs, needs.store, viewer, outline);
  return { ...outline, facts, privileged, byParent, isDraft: draft !== null };
}

const readableIn = (
  needs: ReadingNeeds,
  reader: RepositoryReader,
  viewer: Viewer,
  id: RecordId,
): Promise<ReadableItem> =>
  resolveId(reader, id, (outline, byParent) => readableItem(needs, reader, viewer, outline, byParent));

/** One file of an item; of what was never published, the draft's. */
async function fileFor(
  needs: ReadingNeeds,
  viewer: Viewer,
  outline: OutlineWithParent,
  names: readonly string[],
): Promise<ReadableFile> {
  const { facts, draft, privileged } = await admit(needs, needs.store, viewer, outline);
  const { item } = outline;
  const day = today(needs);
  const visited = visitedRecord(viewer, { item, privileged, facts }, day);
  if (draft !== null) {
    const files = names.flatMap((name) => draft.content.files.find((file) => file.name === name) ?? []);
    return { item, file: files[0] ?? null, readable: true, isListed: true, isPublic: false, privileged, visited };
  }
  const file = await needs.store.items.fileNamed(item.id, names);
  const may = (who: Viewer): boolean => file !== null && fileReading(who, facts, day)(file);
  const isListed = mayListFiles(facts.access, mayViewFiles(viewer, facts, day), day);
  return { item, file, readable: may(viewer), isListed, isPublic: may(GUEST), privileged, visited };
}

/** Ids of the indexes the viewer may browse (R2d). */
async function browsableIndexes(needs: ReadingNeeds, viewer: Viewer): Promise<readonly number[]> {
  return await needs.indexes.idsFor(viewer, today(needs));
}

/** How far a viewer sees; undefined: everything. */
async function sightOf(needs: ReadingNeeds, viewer: Viewer): Promise<Sight | undefined> {
  if (isAdministrator(viewer)) return undefined;
  return {
    today: today(needs),
    indexes: await browsableIndexes(needs, viewer),
    account: viewer.account?.id ?? null,
    groups: viewer.account === null ? [] : viewer.groups,
    communities: curatedCommunities(viewer),
  };
}

async function visibleOnly(needs: ReadingNeeds, viewer: Viewer, filter: ItemFilter): Promise<ItemFilter> {
  const visibleTo = await sightOf(needs, viewer);
  return visibleTo === undefined ? filter : { ...filter, visibleTo };
}

async function latestTo(needs: ReadingNeeds, viewer: Viewer, parentId: ParentId): Promise<number> {
  return latestReadable(needs.store, parentId, async (outline) => {
    await admit(needs, needs.store, viewer, outline);
    return outline.item.id;
  });
}

async function mayRead(needs: ReadingNeeds, viewer: Viewer, id: RecordId): Promise<boolean> {
  try {
    await resolveId(needs.store, id, (outline) => admit(needs, needs.store, viewer, outline));
    return true;
  } catch (error) {
    if (isHidden(error)) return false;
    throw error;
  }
}

async function list(
  needs: ReadingNeeds,
  viewer: Viewer,
  filter: ItemFilter,
  before: ItemId | null,
  limit: number,
): Promise<readonly ItemSummary[]> {
  return needs.store.items.listSummaries(
    await visibleOnly(needs, viewer, filter),
    before,
    Math.min(limit, PAGE_ITEMS_MAX),
  );
}

async function changes(
  needs: ReadingNeeds,
  viewer: Viewer,
  filter: ItemFilter,
  before: ItemId | null,
  limit: number,
): Promise<readonly ChangedItem[]> {
  return needs.store.items.listChanges(
    await visibleOnly(needs, viewer, filter),
    before,
    Math.min(limit, PAGE_ITEMS_MAX),
  );
}

/** Who deleted the item is shown to the privileged only. */
function shownTombstone(tombstone: Tombstone | null, privileged: boolean): Tombstone | null {
  return tombstone === null || privileged ? tombstone : { ...tombstone, by: null };
}
