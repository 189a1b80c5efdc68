// Records are read (R2a, R2c, R2d, R37): the published side by whoever may read it, drafts by whoever may change them. What may not be known to be
// there does not exist.

import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { missingToPublishInParts } from "../../formats/record/publishable.ts";
import { shownEntriesInParts } from "../../formats/record/write.ts";
import { inTurns } from "../../shared/in-parts.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import type { Readable, ReadableOutline } from "../items/reading.ts";
import { accessStatus } from "../model/embargo.ts";
import type { Draft, Item, ItemContent, ItemParent, Tombstone, WithParent } from "../model/item.ts";
import type { Metadata } from "../model/metadata.ts";
import { may } from "../model/policy.ts";
import { publicMetadata } from "../model/public-metadata.ts";
import { permissionDenied, RECORD_SENTENCES, unknownRecord } from "../model/record-refusals.ts";
import { fileReading } from "../model/visibility.ts";
import type { RepositoryReader } from "../store/store.ts";
import { NO_USAGE } from "../store/usage.ts";
import type { RecordsNeeds } from "./record-needs.ts";
import type { RecordView } from "./record-view.ts";
import { tombstoneJson } from "./tombstones.ts";

/** Whether this viewer changes the record by this door: reads its draft, saves, publishes, makes versions (R2e). */
export const mayEditRecord = (viewer: Viewer, parent: ItemParent): boolean => may(viewer, "item.edit", parent);

export const recordReading = (needs: RecordsNeeds) => {
  const { store, items } = needs;

  /** The published side. @throws Refusal in the words of this door. */
  async function read(viewer: Viewer, id: number): Promise<RecordView> {
    return await readOutlined(viewer, await inWords(viewer, () => items.readableOutline(viewer, id)));
  }

  /** The published side of what the viewer was found to be allowed to read. */
  async function readOutlined(viewer: Viewer, outline: ReadableOutline): Promise<RecordView> {
    const { item, parent, facts, privileged, byParent, isDraft } = outline;
    // What was never published has a draft and no more.
    if (isDraft) throw new Refusal("not_found", RECORD_SENTENCES.unregistered);
    const whole = await store.items.item(item.id);
    if (whole?.content === null || whole === null) throw unknownRecord();
    const { content, ...facing } = whole;
    const isLatest = whole.isLatest || (await inWords(viewer, () => items.latestTo(viewer, parent.id))) === item.id;
    const mayHave = fileReading(viewer, facts, items.today());
    const filesReadable = privileged || content.files.every(mayHave);
    const told = { item: facing, parent, content, byParent, privileged, isLatest, filesReadable };
    const view = await toldView(store, told, mayEditRecord(viewer, parent));
    // What is being prepared is told to those who prepare it.
    return view.editable && isLatest ? { ...view, isLatestDraft: !(await hasNext(facing)) } : view;
  }

  const hasNext = async ({ parentId }: Pick<Item, "parentId">): Promise<boolean> =>
    (await store.items.versionLines(parentId)).some(({ state }) => state === "draft");

  /** The published side for somebody who has just changed it. */
  async function ownView(reader: RepositoryReader, viewer: Viewer, { item, parent }: Published): Promise<RecordView> {
    const { content, ...facing } = item;
    const told = { item: facing, parent, content, byParent: false, privileged: true, filesReadable: true };
    return await toldView(reader, { ...told, isLatest: item.isLatest }, mayEditRecord(viewer, parent));
  }

  /** The published side of what was read for another door. */
  async function publishedView(reader: RepositoryReader, viewer: Viewer, found: Readable): Promise<RecordView> {
    const { content: _, ...item } = found.item;
    const { parent, content, byParent, privileged, files, versions } = found;
    const filesReadable = files.every(({ readable }) => readable);
    const isLatest = versions.at(-1)?.id === item.id;
    const told = { item, parent, content, byParent, privileged, filesReadable, isLatest };
    return await toldView(reader, told, mayEditRecord(viewer, parent));
  }

  async function toldView(reader: RepositoryReader, told: Told, editable: boolean): Promise<RecordView> {
    const { item, content, privileged, isLatest } = told;
    const today = items.today();
    return {
      ...told,
      // Mail addresses are for those who look after the record (R2g).
      content: privileged ? content : { ...content, metadata: publicMetadata(content.metadata) },
      draft: null,
      editable,
      isLatestDraft: isLatest,
      firstVersion: await firstVersionOf(reader, item),
      accessStatus: accessStatus(content, today),
      today,
      review: null,
      usage: (await reader.usage.usageStats([item])).get(item.id) ?? { allVersions: NO_USAGE, thisVersion: NO_USAGE },
      entries: await needs.entriesOf(reader, await inTurns(shownEntriesInParts(content.metadata))),
    };
  }

  /** A deleted record as it was, for administrators; null for others, and for whatever was not deleted (R2c). */
  async function readDeleted(viewer: Viewer, id: number): Promise<DeletedRecord | null> {
    const found = isAdministrator(viewer) ? await store.items.withParent(id) : null;
    const content = found?.item.content ?? null;
    if (found === null || content === null || found.item.state !== "deleted") return null;
    const tombstone = await store.items.tombstone(id);
    const view = await ownView(store, viewer, { item: { ...found.item, content }, parent: found.parent });
    return { view, tombstone: tombstone === null ? null : tombstoneJson(tombstone, viewer) };
  }

  /** The draft of an item that was read in the transaction at hand, or outside any. */
  async function draftViewOf(
    reader: RepositoryReader,
    viewer: Viewer,
    { item, parent }: WithParent,
    { content, ...draft }: Draft,
    errors?: RecordView["errors"],
  ): Promise<RecordView> {
    const { content: _, ...facing } = item;
    const today = items.today();
    const versions =
      item.versionIndex === 1 && parent.latest === null ? [] : await reader.items.versionLines(parent.id);
    const later = versions.some(({ state, versionIndex }) => state === "draft" && versionIndex > item.versionIndex);
    const editable = mayEditRecord(viewer, parent);
    return {
      item: facing,
      parent,
      // Mail addresses are for those who look after the record (R2g).
      content: editable ? content : { ...content, metadata: publicMetadata(content.metadata) },
      draft,
      byParent: false,
      privileged: editable,
      editable,
      isLatest: item.isLatest,
      isLatestDraft: !later,
      firstVersion: versions[0]?.id ?? item.id,
      filesReadable: true,
      accessStatus: accessStatus(content, today),
      today,
      review: item.state === "draft" ? parent.review : null,
      errors:
        errors ??
        (await inTurns(missingToPublishInParts(content.metadata, await publishedBefore(reader, item, parent)))),
      entries: await needs.entriesOf(reader, await inTurns(shownEntriesInParts(content.metadata))),
    };
  }

  /** @throws Refusal `not_found` for what is not there and for drafts of others, `gone` for what was deleted. */
  async function readDraft(viewer: Viewer, id: number): Promise<RecordView> {
    const found = await store.items.withParent(id);
    if (found === null || !may(viewer, "item.preview", found.parent)) throw unknownRecord();
    if (found.item.state === "deleted") throw await goneIn(store, viewer, id);
    const draft = await store.items.draft(id);
    if (draft === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
    return await draftViewOf(store, viewer, found, draft);
  }

  /** The number of the latest version the viewer may read, of whichever version or parent. */
  async function latest(viewer: Viewer, id: number): Promise<number> {
    const { item, parent } = await inWords(viewer, () => items.readableOutline(viewer, id));
    if (item.state === "draft") throw new Refusal("not_found", RECORD_SENTENCES.unregistered);
    return item.isLatest ? item.id : await inWords(viewer, () => items.latestTo(viewer, parent.id));
  }

  return { read, readOutlined, readDeleted, readDraft, latest, draftViewOf, ownView, publishedView, inWords };

  /** What reading an item refuses, in the words of this door. */
  async function inWords<T>(viewer: Viewer, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error, "not_found")) {
        throw error.detail.hidden === true ? new Refusal("not_found", RECORD_SENTENCES.hidden) : unknownRecord();
      }
      if (isRefusal(error, "forbidden", "unauthenticated")) throw permissionDenied();
      const id = isRefusal(error, "gone") ? error.detail.item : undefined;
      if (typeof id === "number") throw await goneIn(store, viewer, id);
      throw error;
    }
  }
};

type DeletedRecord = { readonly view: RecordView; readonly tombstone: ReturnType<typeof tombstoneJson> | null };
type Told = Pick<RecordView, "item" | "parent" | "content" | "byParent" | "privileged" | "isLatest" | "filesReadable">;
type Published = WithParent<Item & { readonly content: ItemContent }>;

/** The number of the first version (R36). */
async function firstVersionOf(
  reader: RepositoryReader,
  item: Pick<Item, "id" | "parentId" | "versionIndex">,
): Promise<number> {
  if (item.versionIndex === 1) return item.id;
  return (await reader.items.versionLines(item.parentId))[0]?.id ?? item.id;
}

/** What was published of an item or, where it is a version to come, of the version before it: that is not asked for again. */
export async function publishedBefore(
  reader: RepositoryReader,
  item: Item,
  parent: ItemParent,
): Promise<Metadata | null> {
  if (item.content !== null || parent.latest === null) return item.content?.metadata ?? null;
  return (await reader.items.item(parent.latest))?.content?.metadata ?? null;
}

/** Deleted: 410 with what is told of it, or 404 where that is nothing (R2c; reference 2.5). */
export async function goneIn(reader: RepositoryReader, viewer: Viewer, id: number): Promise<Refusal> {
  const tombstone = await reader.items.tombstone(id);
  if (tombstone === null || !isShown(tombstone, viewer)) return new Refusal("not_found", RECORD_SENTENCES.hidden);
  return new Refusal("gone", RECORD_SENTENCES.gone, {
    detail: { item: id, tombstone: tombstoneJson(tombstone, viewer) },
  });
}

const isShown = ({ isVisible }: Tombstone, viewer: Viewer): boolean => isVisible || isAdministrator(viewer);
