// Writing records (R2b, R2e to R2g, R37): created, edited, saved, published, given new versions, discarded. A record
// that the viewer may neither change nor read is answered as unknown; one that others work on is refused until they
// have ended.
import type { Viewer } from "../../auth/account.ts";
import { openAccess } from "../../formats/record/access.ts";
import { namedEntries } from "../../formats/record/named-entries.ts";
import { forNewVersion, missingToPublishInParts, readRecordInParts } from "../../formats/record/record.ts";
import {
  type FieldError,
  invalidRecord,
  oneError,
  otherRevision,
  permissionDenied,
  RECORD_SENTENCES,
  recordBusy,
  requireRevision,
  unknownRecord,
} from "../../model/input/record-refusals.ts";
import { draftMark } from "../../model/items/draft-history.ts";
import type { Draft, FileOptions, Item, ItemContent, WithParent } from "../../model/items/item.ts";
import { latestOf } from "../../model/items/versions.ts";
import { doiKeys } from "../../model/metadata/duplicate-keys.ts";
import { EMPTY_METADATA, type Metadata } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import type { Sent } from "../../shared/fields.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";
import { most } from "../../shared/limits.ts";
import { isObject, memberOf, withoutUndefined } from "../../shared/objects.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import { isSameContent } from "../items/content.ts";
import { ItemBusy } from "../items/locking.ts";
import type { ChangeNotes } from "../items/types.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import {
  baseOf,
  type DraftParts,
  isOfEarlierDraft,
  type Merging,
  mergeParts,
  type ReadParts,
} from "./draft-merging.ts";
import { filingFaults } from "./draft-place.ts";
import { FILES_EXPECTED, fileFaults, type HeldFiles, NO_FILES, readFileOptions } from "./files-section.ts";
import { type RecordDois, recordDois, withExternalDoi } from "./record-dois.ts";
import { areFilesEnabled, type RecordView } from "./record-json.ts";
import { goneIn, mayEditRecord, publishedBefore, type RecordReading, type RecordsNeeds } from "./record-reading.ts";

/** What the caller has seen of the record; a change of another revision is refused. */
export type ReadRevisions = {
  /** Tags of `If-Match`: revisions as texts. Null: any. */
  readonly revisions: readonly string[] | null;
  /** The state of the draft that a form has shown. */
  readonly mark?: string;
};

export const ANYTHING: ReadRevisions = { revisions: null };

type WritingNeeds = RecordsNeeds & {
  readonly reading: RecordReading;
  readonly dois: RecordDois;
  readonly type: RecordItemType;
};

export interface RecordWriting {
  /** `kind`: another item type than that of the setting, and the workflow that was chosen. */
  create(
    viewer: Viewer,
    body: Sent<object>,
    from?: Metadata,
    inside?: (tx: RepositoryWriter, id: ItemId) => Promise<void>,
    kind?: RecordKind,
  ): Promise<RecordView>;
  /** What a draft of this body would hold; nothing is stored. `from`: metadata that the body changes in part. */
  preview(viewer: Viewer, body: Sent<object>, from?: Metadata): Promise<ReadParts>;
  /** `merging`: what was saved since the body was read is merged with it (R42); null: it is refused. */
  save(
    viewer: Viewer,
    id: ItemId,
    body: Sent<object>,
    seen?: ReadRevisions,
    merging?: Merging | null,
  ): Promise<RecordView>;
  edit(viewer: Viewer, id: ItemId): Promise<RecordView>;
  publish(viewer: Viewer, id: ItemId, seen?: ReadRevisions): Promise<RecordView>;
  publishIn(tx: RepositoryWriter, viewer: Viewer, held: HeldDraft, notes?: ChangeNotes): Promise<RecordView>;
  newVersion(viewer: Viewer, id: ItemId): Promise<RecordView>;
  discard(viewer: Viewer, id: ItemId, seen?: ReadRevisions): Promise<void>;
  change<T>(viewer: Viewer, work: (tx: RepositoryWriter, viewer: Viewer) => Promise<T>): Promise<T>;
  editable(tx: RepositoryWriter, viewer: Viewer, id: ItemId): Promise<WithParent>;
  requireDraftSeen(tx: RepositoryWriter, id: ItemId, seen: ReadRevisions): Promise<Draft>;
  /** @throws Refusal `invalid` for a draft that this viewer cannot publish, or that waits for a community */
  requireReady(tx: RepositoryWriter, viewer: Viewer, held: HeldDraft): Promise<void>;
}

export const recordWriting = (own: RecordsNeeds, reading: RecordReading): RecordWriting => {
  const needs: WritingNeeds = { ...own, reading, dois: recordDois(own), type: new RecordItemType(own) };
  return {
    create: (viewer, body, from, inside, kind) => createRecord(needs, viewer, body, from, inside, kind),
    preview: (viewer, body, from) => previewRecord(needs, viewer, body, from),
    save: (viewer, id, body, seen, merging) => saveDraft(needs, viewer, id, body, seen, merging),
    edit: (viewer, id) => openDraft(needs, viewer, id),
    publish: (viewer, id, seen) => publishDraft(needs, viewer, id, seen),
    publishIn: (tx, viewer, held, notes) => publishIn(needs, tx, viewer, held, notes),
    newVersion: (viewer, id) => draftNewVersion(needs, viewer, id),
    discard: (viewer, id, seen) => discardDraft(needs, viewer, id, seen),
    change: (viewer, work) => change(needs, viewer, work),
    editable: lockForEdit,
    requireDraftSeen,
    async requireReady(tx, viewer, held) {
      if (isUnderReview(held)) throw new Refusal("invalid", RECORD_SENTENCES.openReview);
      await requireFiling(tx, viewer, held, held.draft);
      await requirePublishable(needs, tx, viewer, held, held.draft);
    },
  };
};

/** Runs the work in one transaction; an item in use is refused in the sentences of the records interface. */
async function change<T>(
  needs: WritingNeeds,
  viewer: Viewer,
  work: (tx: RepositoryWriter, viewer: Viewer) => Promise<T>,
): Promise<T> {
  try {
    return await writeAs(needs, viewer, work);
  } catch (error) {
    if (error instanceof ItemBusy) throw recordBusy();
    throw error;
  }
}

/** The item, locked, which the viewer may change. @throws Refusal not_found, forbidden, gone. */
async function lockForEdit(tx: RepositoryWriter, viewer: Viewer, id: ItemId): Promise<WithParent> {
  const found = await tx.items.lockItem(id);
  if (found === null) throw unknownRecord();
  const { item, parent } = found;
  if (!mayEditRecord(viewer, parent)) throw item.state === "draft" ? unknownRecord() : permissionDenied();
  if (item.state === "deleted") throw await goneIn(tx, viewer, id);
  return found;
}

async function requireDraft(tx: RepositoryWriter, id: ItemId): Promise<Draft> {
  const draft = await tx.items.draft(id);
  if (draft === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
  return draft;
}

/** The draft. @throws Refusal 412 for another revision than the one that the caller has seen. */
async function requireDraftSeen(tx: RepositoryWriter, id: ItemId, { revisions, mark }: ReadRevisions): Promise<Draft> {
  const draft = await requireDraft(tx, id);
  const isOther = mark !== undefined && mark !== draftMark(draft);
  requireRevision(isOther ? [] : revisions, draft.counter);
  return draft;
}

export type RecordKind = { readonly itemType?: number; readonly workflow?: number | undefined };

/** `from`: metadata that the body changes in part. `inside`: more that is written in the same transaction. */
async function createRecord(
  needs: WritingNeeds,
  viewer: Viewer,
  body: Sent<object>,
  from: Metadata = EMPTY_METADATA,
  inside: (tx: RepositoryWriter, id: ItemId) => Promise<void> = async () => {},
  { itemType = needs.type.id, workflow }: RecordKind = {},
): Promise<RecordView> {
  return await change(needs, viewer, async (tx, now) => {
    if (!may(now, "item.draft", null)) throw permissionDenied();
    const itemTypeVersion = await needs.type.version(tx, itemType);
    const sent = body();
    const { errors, ...described } = await readRecordBody(needs, tx, sent, blankOver(needs, from), NO_FILES);
    const content = {
      ...described,
      itemType,
      itemTypeVersion,
      indexes: [],
      settings: withoutUndefined({ workflow }),
      files: [],
    };
    const { draft, ...made } = await needs.items.createDraft(tx, now, { content });
    const taken = await needs.dois.doiFaults(tx, now, { parentId: made.parent.id, metadata: content.metadata });
    await inside(tx, made.item.id);
    const review = reviewIn(sent);
    if (review !== null) await needs.review(tx, now, made, review);
    const found = review === null ? made : ((await tx.items.withParent(made.item.id)) ?? made);
    return await needs.reading.draftViewOf(tx, now, found, draft, [...errors, ...taken]);
  });
}

/** The content of a new record with these metadata. */
const blankOver = ({ items }: WritingNeeds, metadata: Metadata): PresentContent => ({
  ...{ ...FILES_EXPECTED, metadata, access: openAccess(items.today()), files: [] },
});

async function previewRecord(needs: WritingNeeds, viewer: Viewer, body: Sent<object>, from = EMPTY_METADATA) {
  if (!may(viewer, "item.draft", null)) throw permissionDenied();
  return await readRecordBody(needs, needs.store, body(), blankOver(needs, from), NO_FILES);
}

async function saveDraft(
  needs: WritingNeeds,
  viewer: Viewer,
  id: ItemId,
  body: Sent<object>,
  seen: ReadRevisions = ANYTHING,
  merging: Merging | null = null,
): Promise<RecordView> {
  return await change(needs, viewer, async (tx, now) => {
    const found = await lockForEdit(tx, now, id);
    const before = await requireDraftSeen(tx, id, seen);
    const sent = body();
    if (merging === null) requireBodyRevision(sent, found.item, before);
    const base = merging === null ? before.content : await baseOf(tx, found.item, before, sent);
    const pending = (await tx.draftFiles.draftFiles(id)).length;
    const held = { locked: found.item.content !== null, pending };
    const { files } = before.content;
    const readOver = (body: object, parts: DraftParts) => readRecordBody(needs, tx, body, { ...parts, files }, held);
    const read = await readOver(sent, base ?? before.content);
    const { errors, ...described } =
      merging === null || base === before.content
        ? read
        : await mergeParts(base, read, before, merging, (body) => readOver(body, before.content));
    const content = { ...withoutFileOptions(before.content), ...described };
    const { draft } = await needs.items.saveDraft(tx, now, id, { content, held: { ...found, draft: before } });
    const taken = await needs.dois.doiFaults(tx, now, await newDoisOf(tx, found, content));
    return await needs.reading.draftViewOf(tx, now, found, draft, [...errors, ...taken]);
  });
}

/** The draft of a record; for a published one it is created where there is none. */
async function openDraft(needs: WritingNeeds, viewer: Viewer, id: ItemId): Promise<RecordView> {
  return await change(needs, viewer, async (tx, now) => {
    const found = await lockForEdit(tx, now, id);
    const { item } = found;
    const known = await tx.items.draft(id);
    if (known !== null) return await needs.reading.draftViewOf(tx, now, found, known);
    if (item.content === null) throw unknownRecord();
    const { draft } = await needs.items.saveDraft(tx, now, id, { content: item.content });
    return await needs.reading.draftViewOf(tx, now, found, draft);
  });
}

async function publishDraft(
  needs: WritingNeeds,
  viewer: Viewer,
  id: ItemId,
  seen: ReadRevisions = ANYTHING,
): Promise<RecordView> {
  return await change(needs, viewer, async (tx, now) => {
    const found = await lockForEdit(tx, now, id);
    const draft = await requireDraftSeen(tx, id, seen);
    if (isUnderReview(found)) throw new Refusal("invalid", RECORD_SENTENCES.openReview);
    await requireFiling(tx, now, found, draft);
    return await publishIn(needs, tx, now, { ...found, draft });
  });
}

/** @throws Refusal `invalid` where somebody would publish into an index that they may not file into */
export async function requireFiling(
  tx: RepositoryWriter,
  viewer: Viewer,
  found: WithParent,
  { content }: Draft,
): Promise<void> {
  const errors = await filingFaults(tx, viewer, found, content);
  if (errors.length > 0) throw invalidRecord(errors);
}

/** Publishes the draft of a locked item; callers check rights. @throws Refusal naming what the draft lacks. */
async function publishIn(
  needs: WritingNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  held: HeldDraft,
  notes: ChangeNotes = {},
) {
  await requirePublishable(needs, tx, viewer, held, held.draft);
  const { item, parent, draft } = held;
  if (item.content !== null && isSameContent(item.content, draft.content)) {
    // Saving nothing new makes no revision (R37).
    await needs.items.discardDraft(tx, viewer, item.id, notes);
    return await needs.reading.ownView(tx, viewer, { item: { ...item, content: item.content }, parent });
  }
  const { content } = draft;
  // The record opens on the day of its first publishing (R2d).
  const opened =
    item.content === null ? { ...content, access: { ...content.access, openDate: needs.items.today() } } : content;
  const written = await needs.items.publishDraft(tx, viewer, item.id, { ...notes, held, content: opened });
  // Its indexes decide which communities it belongs to.
  const now = opened.indexes.length === 0 ? parent : ((await tx.items.parent(parent.id)) ?? parent);
  const view = { item: { ...written.item, content: opened }, parent: { ...now, latest: parent.latest } };
  return await needs.reading.ownView(tx, viewer, view);
}

async function requirePublishable(
  needs: WritingNeeds,
  tx: RepositoryWriter,
  viewer: Viewer,
  { item, parent }: WithParent,
  { content }: Draft,
): Promise<void> {
  const errors = [
    ...(await publishFaults(tx, { item, parent }, content)),
    ...(await needs.dois.heldDoiFaults(tx, viewer, await newDoisOf(tx, { item, parent }, content))),
  ];
  if (errors.length > 0) throw invalidRecord(errors);
}

export const newDoisOf = async (tx: RepositoryReader, { item, parent }: WithParent, { metadata }: ItemContent) => ({
  parentId: parent.id,
  metadata,
  before: doiKeys(metadata).length === 0 ? null : await publishedBefore(tx, item, parent),
});

/** Reads the body over the metadata of the record. */
async function readRecordBody(
  needs: WritingNeeds,
  tx: RepositoryReader,
  body: object,
  before: PresentContent,
  held: HeldFiles,
): Promise<ReadParts> {
  // Bodies of this interface are JSON.
  const { body: sent, errors: ofPids } = withExternalDoi(body as Json);
  const named = namedEntries(sent);
  if (named.length > most("entriesNamed")) {
    const words = `Names ${named.length} entries of vocabularies, at most ${most("entriesNamed")} are allowed.`;
    throw oneError("metadata", words);
  }
  const entries = await needs.entriesOf(tx, named);
  const read = await inTurns(readRecordInParts(sent, before, entries, needs.items.today()));
  const files = readFileOptions(memberOf(body, "files"), read.filesEnabled, before, held);
  return {
    metadata: read.metadata,
    access: read.access,
    ...files.options,
    errors: [...read.errors, ...ofPids, ...files.errors],
  };
}

/** The draft of the next version: the one in preparation, else a new one with the metadata of the latest (R2b). */
async function draftNewVersion(needs: WritingNeeds, viewer: Viewer, id: ItemId): Promise<RecordView> {
  return await change(needs, viewer, async (tx, now) => {
    const found = await tx.items.lockItem(id);
    if (found === null) throw unknownRecord();
    const { parent } = found;
    if (!mayEditRecord(now, parent)) throw found.item.state === "draft" ? unknownRecord() : permissionDenied();
    const versions = await tx.items.versionLines(parent.id);
    const latest = latestOf(versions);
    if (latest === null) throw found.item.state === "deleted" ? await goneIn(tx, now, id) : unknownRecord();
    for (const { id: next } of versions.filter(({ state }) => state === "draft")) {
      const draft = await tx.items.draft(next);
      const item = draft === null ? null : await tx.items.item(next);
      if (draft !== null && item !== null) return await needs.reading.draftViewOf(tx, now, { item, parent }, draft);
    }
    const content = (await tx.items.item(latest.id))?.content;
    if (content === null || content === undefined) throw unknownRecord();
    const { defaultPreview: _, fileOrder: __, ...kept } = content;
    const filesEnabled = areFilesEnabled(content);
    const next = { ...kept, metadata: forNewVersion(content.metadata), files: [], filesEnabled };
    const { item, draft } = await needs.items.newVersionDraft(tx, now, latest.id, { content: next });
    return await needs.reading.draftViewOf(tx, now, { item, parent }, draft);
  });
}

async function discardDraft(
  needs: WritingNeeds,
  viewer: Viewer,
  id: ItemId,
  seen: ReadRevisions = ANYTHING,
): Promise<void> {
  await change(needs, viewer, async (tx, now) => {
    const { item, parent } = await lockForEdit(tx, now, id);
    await requireDraftSeen(tx, id, seen);
    if (item.state === "draft" && parent.review?.state === "submitted") {
      throw new Refusal("invalid", RECORD_SENTENCES.openReviewDeleted);
    }
    await needs.items.discardDraft(tx, now, id, { endingOthers: true });
  });
}

/** What this content of an item lacks to be published. */
export async function publishFaults(
  reader: RepositoryReader,
  { item, parent }: WithParent,
  content: ItemContent,
): Promise<readonly FieldError[]> {
  return [
    ...(await inTurns(missingToPublishInParts(content.metadata, await publishedBefore(reader, item, parent)))),
    ...(await fileFaults(reader, item.id, content)),
  ];
}

type HeldDraft = WithParent & { readonly draft: Draft };

/** True while a review is open, which publishes the draft. */
function isUnderReview({ item, parent }: WithParent): boolean {
  const review = item.state === "draft" ? parent.review : null;
  return review?.state === "submitted" || review?.state === "created";
}

type PresentContent = Pick<ItemContent, "access" | "files" | "metadata"> & FileOptions;

function withoutFileOptions(content: ItemContent): ItemContent {
  const { filesEnabled: _, defaultPreview: __, fileOrder: ___, ...rest } = content;
  return rest;
}

/** `parent.review`; null where there is none. */
function reviewIn(body: object): unknown {
  const parent = memberOf(body, "parent");
  return isObject(parent) ? (memberOf(parent, "review") ?? null) : null;
}

/** `revision_id` of a body that was read from this interface: of the draft, or of the published side. */
function requireBodyRevision(body: object, { revision }: Item, draft: Draft): void {
  const sent = memberOf(body, "revision_id");
  if (typeof sent !== "number") return;
  const there = memberOf(body, "is_draft") === false ? revision : draft.counter;
  if (isOfEarlierDraft(body, draft)) throw otherRevision(`${sent} of an earlier draft`, there);
  if (sent !== there) throw otherRevision(sent, there);
}

// The item type of records (R4a): its current version, which new records get.

/** How long a version is used before it is read again: item types are long and change seldom. */
const CACHED_MS = 10_000;

class RecordItemType {
  readonly id: ItemId;
  readonly #clock: Clock;
  #cached: { readonly version: number; readonly until: number } | null = null;

  constructor({ itemType, clock }: { readonly itemType: number; readonly clock: Clock }) {
    this.id = itemType;
    this.#clock = clock;
  }

  /**
   * @throws Refusal `unavailable` where the item type of the setting does not exist, `invalid` where another one does
   * not
   */
  async version(reader: Pick<RepositoryReader, "settings">, id = this.id): Promise<number> {
    if (id !== this.id) {
      const other = await reader.settings.itemType(id);
      if (other !== null && !other.deleted) return other.version;
      throw new Refusal("invalid", `Item type ${id} does not exist`);
    }
    const now = Date.parse(this.#clock.now());
    if (this.#cached !== null && this.#cached.until > now) return this.#cached.version;
    const stored = await reader.settings.itemType(this.id);
    if (stored === null) throw new Refusal("unavailable", `Item type ${this.id} for records does not exist`);
    this.#cached = { version: stored.version, until: now + CACHED_MS };
    return stored.version;
  }
}
