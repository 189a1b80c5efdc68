// What somebody may see of an item (R2a, R2c, R2d): the record for landing pages and status documents, lists and counts.

import { viewOf } from "../model/index-rights.ts";
import { dayIn, type Day } from "../../shared/day.ts";
import { type AccessStatus, accessStatus, statedAccessWarning } from "../model/embargo.ts";
import type {
  Draft,
  Item,
  ItemContent,
  ItemFile,
  ItemOutline,
  ItemParent,
  Tombstone,
  VersionLine,
  WithParent,
} from "../model/item.ts";
import type { ItemSummary } from "../model/summary.ts";
import { latestOf, neighboursOf } from "../model/versions.ts";
import {
  type RecordFacts,
  fileReading,
  isPrivileged,
  mayBrowseIndex,
  mayListFiles,
  mayPreview,
  mayReadRecord,
  mayView,
} from "../model/visibility.ts";
import { curatedCommunities, GUEST, isAdministrator, type Viewer } from "../../auth/account.ts";
import type { IndexOutline } from "../model/index-node.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import type { ChangedItem, ItemFilter, Sight } from "../store/items.ts";
import type { RepositoryReader } from "../store/store.ts";
import { factsOf } from "./access-facts.ts";
import type { ItemsNeeds } from "./types.ts";

/** An item as this viewer may see it. */
export type Readable = {
  readonly item: Item;
  readonly parent: ItemParent;
  /** What is shown: the published content, or the draft of what was never published. */
  readonly content: ItemContent;
  /** True when the number asked for is a parent's and stands for this item (landing page: 302). */
  readonly byParent: boolean;
  /** Set when the item was never published: only the privileged get this far. */
  readonly draft: Draft | null;
  readonly privileged: boolean;
  /** What decided that: who else may read it and its files follows from them. */
  readonly facts: RecordFacts;
  /** Published versions the viewer may read, lowest first. */
  readonly versions: readonly VersionLine[];
  readonly replaces: number | null;
  readonly isReplacedBy: number | null;
  readonly files: readonly { readonly file: ItemFile; readonly readable: boolean }[];
  /** False: which files there are is not for this viewer. */
  readonly areFilesListed: boolean;
  readonly accessStatus: AccessStatus;
  /** What the metadata state and the facts do not bear out (R2d). */
  readonly warning: string | null;
};

/** The files that the viewer may know of. */
export const listedFiles = ({
  files,
  areFilesListed,
}: Pick<Readable, "files" | "areFilesListed">): Readable["files"] => (areFilesListed ? files : []);

/** One file, and what of its item decides who may have it. */
type ReadableFile = {
  readonly item: ItemOutline;
  readonly file: ItemFile | null;
  readonly readable: boolean;
  /** False: whether it is there is not for this viewer. */
  readonly isListed: boolean;
  /** Guests may have it. */
  readonly isPublic: boolean;
  /** The viewer owns the item or looks after it. */
  readonly privileged: boolean;
};

/** An item without what it says, which this viewer may read. */
export type ReadableOutline = WithParent<ItemOutline> &
  Pick<Readable, "byParent" | "privileged" | "facts"> & {
    /** It was never published: the viewer may see its draft. */
    readonly isDraft: boolean;
  };

/** Indexes read at once while the tree is walked. */
const INDEX_PAGE = 10_000;
/** Answers to "which indexes may be browsed" that are kept for one state of the tree. */
const VIEWS_KEPT = 50;
const LIST_MAX = 1000;

type Tree = {
  readonly revision: number;
  readonly nodes: ReadonlyMap<number, IndexOutline>;
  readonly browsable: Map<string, readonly number[]>;
};

type Outlined = WithParent<ItemOutline>;

/** Refused to this reader, whatever the reason. */
const isHidden = (error: unknown): error is Refusal =>
  isRefusal(error, "not_found", "forbidden", "gone", "unauthenticated");

export const reading = ({ store, clock, timeZone }: ItemsNeeds) => {
  const today = (): Day => dayIn(timeZone, clock.now());

  async function goneRefusal(reader: RepositoryReader, viewer: Viewer, item: ItemOutline, facts: RecordFacts) {
    const tombstone = await reader.items.tombstone(item.id);
    // What is told to nobody was never there, but for those who can bring it back.
    if (tombstone?.isVisible === false && !isAdministrator(viewer)) {
      return new Refusal("not_found", `There is no item ${item.id}`, { detail: { hidden: true } });
    }
    return new Refusal("gone", `Item ${item.id} was deleted`, {
      detail: { item: item.id, ark: item.ark, tombstone: shownTombstone(tombstone, isPrivileged(viewer, facts)) },
    });
  }

  /** Whether the viewer gets in, decided without reading what the item says. @throws Refusal not_found, forbidden, gone. */
  async function admitted(reader: RepositoryReader, viewer: Viewer, { item, parent }: Outlined) {
    const facts = await factsOf(reader, item, item.content, parent);
    if (item.state === "deleted") throw await goneRefusal(reader, viewer, item, facts);
    const privileged = isPrivileged(viewer, facts);
    const draft = item.state === "draft" && mayPreview(viewer, facts) ? await reader.items.draft(item.id) : null;
    if (item.content === null && draft === null) {
      throw new Refusal("not_found", `There is no item ${item.id}`);
    }
    if (draft === null && !mayReadRecord(viewer, facts, today())) {
      throw new Refusal("forbidden", `You may not read item ${item.id}`, {
        detail: { item: item.id, sign_in: viewer.account === null },
      });
    }
    return { facts, privileged, draft };
  }

  async function ofItem(
    reader: RepositoryReader,
    viewer: Viewer,
    outline: Outlined,
    byParent: boolean,
  ): Promise<Readable> {
    const { facts, privileged, draft } = await admitted(reader, viewer, outline);
    const { parent } = outline;
    const item = await reader.items.item(outline.item.id);
    const content = item?.content ?? draft?.content;
    if (item === null || content === undefined) {
      throw new Refusal("not_found", `There is no item ${outline.item.id}`);
    }
    const day = today();
    const mayHave = fileReading(viewer, facts, day);
    const versions = await versionsToldTo(reader, viewer, parent.id, privileged);
    return {
      item,
      parent,
      content,
      byParent,
      draft,
      privileged,
      facts,
      versions,
      ...neighboursOf(versions, item.id),
      files: content.files.map((file) => ({
        file,
        readable: draft !== null || mayHave(file),
      })),
      areFilesListed: draft !== null || mayListFiles(content.access, mayView(viewer, facts), day),
      accessStatus: accessStatus(content, day),
      warning: statedAccessWarning(content, day),
    };
  }

  /** Published versions, lowest first: those the viewer may read, of which the highest is the latest to him (R2a, R2d). */
  async function versionsToldTo(
    reader: RepositoryReader,
    viewer: Viewer,
    parentId: number,
    privileged: boolean,
  ): Promise<readonly VersionLine[]> {
    const published = (await reader.items.versionLines(parentId)).filter(({ state }) => state === "published");
    if (privileged || published.length < 2) return published;
    const filter = await narrowed(viewer, { parent: parentId, state: "published" });
    const readable = new Set(await reader.items.listItemIds(filter, null, published.length));
    const told = published.filter(({ id }) => readable.has(id));
    const latest = latestOf(told);
    return told.map((version) => ({ ...version, isLatest: version.id === latest?.id }));
  }

  /** The latest version the viewer may read; where there is none, the answer of the latest there is (R2a). */
  async function ofParent<T>(
    reader: RepositoryReader,
    parentId: number,
    one: (version: Outlined) => Promise<T>,
  ): Promise<T> {
    let refusal: unknown = new Refusal("not_found", `There is no item ${parentId}`);
    const versions = await reader.items.versionLines(parentId);
    for (const state of ["published", "draft", "deleted"] as const) {
      for (const { id } of versions.filter((version) => version.state === state).reverse()) {
        const version = await reader.items.outline(id);
        if (version === null) continue;
        try {
          return await one(version);
        } catch (error) {
          if (!isHidden(error)) throw error;
          // Existing before gone before never published.
          if (state !== "draft" && isRefusal(refusal, "not_found")) refusal = error;
        }
      }
    }
    throw refusal;
  }

  /** What stands behind a number: the item, or the latest version of a parent that the viewer may read. */
  async function behind<T>(
    reader: RepositoryReader,
    id: number,
    one: (outline: Outlined, byParent: boolean) => Promise<T>,
  ): Promise<T> {
    const outline = await reader.items.outline(id);
    if (outline !== null) return await one(outline, false);
    if ((await reader.items.kindOf(id)) === "parent") {
      return await ofParent(reader, id, (version) => one(version, true));
    }
    throw new Refusal("not_found", `There is no item ${id}`);
  }

  /** Who gets in, without what the item says. */
  async function outlineOf(viewer: Viewer, outline: Outlined, byParent: boolean): Promise<ReadableOutline> {
    const { facts, privileged, draft } = await admitted(store, viewer, outline);
    return { ...outline, facts, privileged, byParent, isDraft: draft !== null };
  }

  const readableIn = (reader: RepositoryReader, viewer: Viewer, id: number): Promise<Readable> =>
    behind(reader, id, (outline, byParent) => ofItem(reader, viewer, outline, byParent));

  /** One file of an item; of what was never published, the draft's. */
  async function fileOf(viewer: Viewer, outline: Outlined, names: readonly string[]): Promise<ReadableFile> {
    const { facts, draft, privileged } = await admitted(store, viewer, outline);
    const { item } = outline;
    if (draft !== null) {
      const files = names.flatMap((name) => draft.content.files.find((file) => file.name === name) ?? []);
      return { item, file: files[0] ?? null, readable: true, isListed: true, isPublic: false, privileged };
    }
    const file = await store.items.fileNamed(item.id, names);
    const day = today();
    const may = (who: Viewer): boolean => file !== null && fileReading(who, facts, day)(file);
    const isListed = mayListFiles(facts.access, mayView(viewer, facts), day);
    return { item, file, readable: may(viewer), isListed, isPublic: may(GUEST), privileged };
  }

  let tree: Tree | null = null;

  /** All live indexes, read again when the tree has changed. */
  async function currentTree(): Promise<Tree> {
    const revision = await store.indexes.treeRevision();
    if (tree?.revision === revision) return tree;
    const nodes = new Map<number, IndexOutline>();
    for (let after = Number.MIN_SAFE_INTEGER; ; ) {
      const page = await store.indexes.outlineAfter(after, INDEX_PAGE);
      for (const node of page) nodes.set(node.id, node);
      const last = page.at(-1);
      if (last === undefined || page.length < INDEX_PAGE) break;
      after = last.id;
    }
    tree = { revision, nodes, browsable: new Map() };
    return tree;
  }

  /** Indexes the viewer may browse, by id (R2d). Viewers with the same view share the answer. */
  async function browsableIndexes(viewer: Viewer): Promise<readonly number[]> {
    const [{ nodes, browsable }, day] = [await currentTree(), today()];
    const view = viewOf(viewer, day);
    const known = browsable.get(view);
    if (known !== undefined) return known;
    const ids: number[] = [];
    for (const node of nodes.values()) {
      const lineage: IndexOutline[] = [];
      let at: IndexOutline | undefined = node;
      for (; at !== undefined && lineage.length <= nodes.size; at = nodes.get(at.parent)) lineage.push(at);
      if (mayBrowseIndex(viewer, lineage, day)) ids.push(node.id);
    }
    if (browsable.size >= VIEWS_KEPT) browsable.clear();
    browsable.set(view, ids);
    return ids;
  }

  /** How far a viewer sees; undefined: everything. */
  async function sightOf(viewer: Viewer): Promise<Sight | undefined> {
    if (isAdministrator(viewer)) return undefined;
    return {
      today: today(),
      indexes: await browsableIndexes(viewer),
      account: viewer.account?.id ?? null,
      groups: viewer.account === null ? [] : viewer.groups,
      communities: curatedCommunities(viewer),
    };
  }

  async function narrowed(viewer: Viewer, filter: ItemFilter): Promise<ItemFilter> {
    const visibleTo = await sightOf(viewer);
    return visibleTo === undefined ? filter : { ...filter, visibleTo };
  }

  return {
    today,
    /**
     * What the viewer may see behind a number; a parent's stands for the latest version he may read.
     *
     * @throws Refusal `not_found` for what is not there and for drafts of others, `forbidden` for records that exist, `gone` with
     *   `detail.tombstone` for deleted ones.
     */
    readable: (viewer: Viewer, id: number): Promise<Readable> => readableIn(store, viewer, id),
    readableIn,
    /** The number of the latest version of a parent that the viewer may read. @throws Refusal as `readable` does. */
    latestTo: async (viewer: Viewer, parentId: number): Promise<number> =>
      ofParent(store, parentId, async (outline) => {
        await admitted(store, viewer, outline);
        return outline.item.id;
      }),
    /** The same without reading what it says: what keeps its words elsewhere asks this first. */
    readableOutline: (viewer: Viewer, id: number): Promise<ReadableOutline> =>
      behind(store, id, (outline, byParent) => outlineOf(viewer, outline, byParent)),
    /** Whether the viewer may read what stands behind a number. */
    mayRead: async (viewer: Viewer, id: number): Promise<boolean> => {
      try {
        await behind(store, id, (outline) => admitted(store, viewer, outline));
        return true;
      } catch (error) {
        if (isHidden(error)) return false;
        throw error;
      }
    },
    browsableIndexes,
    sightOf,
    /**
     * One file behind a number, by the first of these names that one has; null where none has. Neither what the item says nor its other files
     * are read.
     *
     * @throws Refusal as `readable` does.
     */
    readableFile: (viewer: Viewer, id: number, names: readonly string[]): Promise<ReadableFile> =>
      behind(store, id, (outline) => fileOf(viewer, outline, names)),
    /** By id, descending, below `before`, of each as much as a list shows; only what the viewer may read (R2d, R9a). */
    list: async (
      viewer: Viewer,
      filter: ItemFilter,
      before: number | null,
      limit: number,
    ): Promise<readonly ItemSummary[]> =>
      store.items.listSummaries(await narrowed(viewer, filter), before, Math.min(limit, LIST_MAX)),
    /** The same, when each was changed. */
    changes: async (
      viewer: Viewer,
      filter: ItemFilter,
      before: number | null,
      limit: number,
    ): Promise<readonly ChangedItem[]> =>
      store.items.listChanges(await narrowed(viewer, filter), before, Math.min(limit, LIST_MAX)),
    /** Never counts what the viewer may not read (R2d). */
    count: async (viewer: Viewer, filter: ItemFilter): Promise<number> =>
      store.items.countItems(await narrowed(viewer, filter)),
  };
};

/** Who deleted it is nobody's business but the privileged's. */
function shownTombstone(tombstone: Tombstone | null, privileged: boolean): Tombstone | null {
  return tombstone === null || privileged ? tombstone : { ...tombstone, by: null };
}
