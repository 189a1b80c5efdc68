// Reading records (R2a, R2c, R2d, R37): the published side by those who may read it, drafts by those who may change
// them. What a viewer may not know of is answered as unknown.
import { GUEST, isAdministrator, type Viewer } from "../../auth/account.ts";
import { shownEntriesInParts } from "../../formats/record/named-entries.ts";
import { missingToPublishInParts } from "../../formats/record/record.ts";
import { type Entries, type Entry, type EntryName, entriesOf } from "../../formats/record/record-input.ts";
import { accessStatus } from "../../model/access/openness.ts";
import { fileReading } from "../../model/access/visibility.ts";
import { permissionDenied, RECORD_SENTENCES, unknownRecord } from "../../model/input/record-refusals.ts";
import type { FormFault } from "../../model/item-types/posted-form.ts";
import type { Access, Draft, Item, ItemContent, ItemParent, Tombstone, WithParent } from "../../model/items/item.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { publicMetadata } from "../../model/metadata/public-metadata.ts";
import { may } from "../../model/rights/policy.ts";
import type { ItemId, RecordId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import { keptTexts } from "../../shared/text/text-cache.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { inTurns, LONG_TEXT, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { ReadableItem, ReadableOutline } from "../items/item-views.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryReader, RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { NO_USAGE, type UsageStats } from "../store/usage.ts";
import { fewAtOnce } from "./few-at-once.ts";
import {
  type RecordJson,
  type RecordJsonNeeds,
  type RecordView,
  recordJsonInParts,
  tombstoneJson,
} from "./record-json.ts";

/** What the use cases of records work with (R37). */
export type RecordsNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly items: Items;
  /** SVC_TOOL_ITEM_TYPE: the item type of records made here (R4a). */
  readonly itemType: number;
  readonly entriesOf: EntriesOf;
  /**
   * Asks the community that `review` names to review the draft. @throws Refusal `invalid` naming what is wrong with it.
   */
  readonly review: (tx: RepositoryWriter, viewer: Viewer, topic: WithParent, review: unknown) => Promise<unknown>;
  /** The communities that a draft is to be submitted to. */
  readonly communities: DraftCommunities;
  /** Memory for texts that are asked for again. */
  readonly keptBytes: number;
  /** What records are written with: addresses of everything they link to. */
  readonly written: RecordJsonNeeds;
};

/** The communities that somebody chose for a draft in its form: they are asked when it is published. */
export type DraftCommunities = {
  /** UUIDs; the one that reviews it first. */
  readonly chosen: (reader: RepositoryReader, parent: ItemParent) => Promise<readonly string[]>;
  /** What was chosen and left out since the form was shown. Returns what is wrong. */
  readonly choose: (
    tx: RepositoryWriter,
    viewer: Viewer,
    topic: WithParent,
    sent: { readonly communities: readonly string[]; readonly seenCommunities: readonly string[] },
  ) => Promise<readonly FormFault[]>;
  /** What keeps those that were chosen from including a record with this access. */
  readonly faults: (reader: RepositoryReader, parent: ItemParent, access: Access) => Promise<readonly FormFault[]>;
};

/** Whether the viewer may read the draft of the record, save, publish and make versions of it (R2e). */
export const mayEditRecord = (viewer: Viewer, parent: ItemParent): boolean => may(viewer, "item.edit", parent);

export interface RecordReading {
  /**
   * The published side. `counts`: how often it was used is read too. @throws Refusal in the sentences of the records
   * interface.
   */
  read(viewer: Viewer, id: RecordId, counts?: boolean): Promise<RecordView>;
  readDeleted(viewer: Viewer, id: ItemId): Promise<DeletedRecord | null>;
  readDraft(viewer: Viewer, id: ItemId): Promise<RecordView>;
  latest(viewer: Viewer, id: ItemId): Promise<number>;
  draftViewOf(
    reader: RepositoryReader,
    viewer: Viewer,
    withParent: WithParent,
    draft: Draft,
    errors?: RecordView["errors"],
  ): Promise<RecordView>;
  ownView(reader: RepositoryReader, viewer: Viewer, published: PublishedRecord): Promise<RecordView>;
  publishedView(reader: RepositoryReader, viewer: Viewer, found: ReadableItem): Promise<RecordView>;
  inWords<T>(viewer: Viewer, work: () => Promise<T>): Promise<T>;
  /** The texts of a record: what guests may read of it, and what the viewer may. */
  readText(viewer: Viewer, id: RecordId): Promise<RecordText>;
  /** The text of a draft, for those who may edit it. */
  readDraftText(viewer: Viewer, id: ItemId): Promise<RecordText>;
  /** A record as this interface writes it. */
  jsonOf(view: RecordView): Promise<RecordJson>;
}

export const recordReading = (needs: RecordsNeeds): RecordReading => ({
  read: (viewer, id, counts) => readPublished(needs, viewer, id, counts),
  readDeleted: (viewer, id) => readDeleted(needs, viewer, id),
  readDraft: (viewer, id) => readDraft(needs, viewer, id),
  latest: (viewer, id) => latestVersion(needs, viewer, id),
  draftViewOf: (reader, viewer, withParent, draft, errors) =>
    draftViewOf(needs, reader, viewer, withParent, draft, errors),
  ownView: (reader, viewer, published) => ownView(needs, reader, viewer, published),
  publishedView: (reader, viewer, found) => publishedView(needs, reader, viewer, found),
  inWords: (viewer, work) => inRecordWords(needs, viewer, work),
  ...recordTexts(needs),
  jsonOf: (view) => inTurns(recordJsonInParts(view, needs.written)),
});

async function readPublished(needs: RecordsNeeds, viewer: Viewer, id: RecordId, counts = true): Promise<RecordView> {
  const outline = await inRecordWords(needs, viewer, () => needs.items.readableOutline(viewer, id));
  return await readOutlined(needs, viewer, outline, counts);
}

/** The published side of what the viewer may read, as `readableOutline` decided. */
async function readOutlined(
  needs: RecordsNeeds,
  viewer: Viewer,
  outline: ReadableOutline,
  counts = true,
): Promise<RecordView> {
  const { item, parent, facts, privileged, byParent, isDraft } = outline;
  // What was never published has a draft only.
  if (isDraft) throw new Refusal("not_found", RECORD_SENTENCES.unregistered);
  const whole = await needs.store.items.item(item.id);
  if (whole?.content === null || whole === null) throw unknownRecord();
  const { content, ...facing } = whole;
  const isLatest =
    whole.isLatest || (await inRecordWords(needs, viewer, () => needs.items.latestTo(viewer, parent.id))) === item.id;
  const mayHave = fileReading(viewer, facts, needs.items.today());
  const filesReadable = privileged || content.files.every(mayHave);
  const side = { item: facing, parent, content, byParent, privileged, isLatest, filesReadable };
  const view = await viewOf(needs, needs.store, side, mayEditRecord(viewer, parent), counts);
  // Only those who may edit it learn of a version in preparation.
  return view.editable && isLatest ? { ...view, isLatestDraft: !(await hasNextVersion(needs, facing)) } : view;
}

const hasNextVersion = async (needs: RecordsNeeds, { parentId }: Pick<Item, "parentId">): Promise<boolean> =>
  (await needs.store.items.versionLines(parentId)).some(({ state }) => state === "draft");

/** The published side for a viewer who has just changed it. */
async function ownView(
  needs: RecordsNeeds,
  reader: RepositoryReader,
  viewer: Viewer,
  { item, parent }: PublishedRecord,
): Promise<RecordView> {
  const { content, ...facing } = item;
  const side = { item: facing, parent, content, byParent: false, privileged: true, filesReadable: true };
  return await viewOf(needs, reader, { ...side, isLatest: item.isLatest }, mayEditRecord(viewer, parent));
}

/** The published side of what another interface has read. */
async function publishedView(
  needs: RecordsNeeds,
  reader: RepositoryReader,
  viewer: Viewer,
  found: ReadableItem,
): Promise<RecordView> {
  const { content: _, ...item } = found.item;
  const { parent, content, byParent, privileged, files, versions } = found;
  const filesReadable = files.every(({ readable }) => readable);
  const isLatest = versions.at(-1)?.id === item.id;
  const side = { item, parent, content, byParent, privileged, filesReadable, isLatest };
  return await viewOf(needs, reader, side, mayEditRecord(viewer, parent));
}

async function viewOf(
  needs: RecordsNeeds,
  reader: RepositoryReader,
  side: PublishedSide,
  editable: boolean,
  counts = true,
): Promise<RecordView> {
  const { item, content, privileged, isLatest } = side;
  const today = needs.items.today();
  return {
    ...side,
    // Mail addresses are for those who look after the record (R2g).
    content: privileged ? content : { ...content, metadata: publicMetadata(content.metadata) },
    draft: null,
    editable,
    isLatestDraft: isLatest,
    firstVersion: await firstVersionOf(reader, item),
    accessStatus: accessStatus(content, today),
    today,
    review: null,
    ...(counts ? { usage: await usageOf(reader, item) } : {}),
    entries: await needs.entriesOf(reader, await inTurns(shownEntriesInParts(content.metadata))),
  };
}

const usageOf = async (reader: RepositoryReader, item: Pick<Item, "id" | "parentId">): Promise<UsageStats> =>
  (await reader.usage.usageStats([item])).get(item.id) ?? { allVersions: NO_USAGE, thisVersion: NO_USAGE };

/** A deleted record as it was, for administrators; null for others, and for what was not deleted (R2c). */
async function readDeleted(needs: RecordsNeeds, viewer: Viewer, id: ItemId): Promise<DeletedRecord | null> {
  const found = isAdministrator(viewer) ? await needs.store.items.withParent(id) : null;
  const content = found?.item.content ?? null;
  if (found === null || content === null || found.item.state !== "deleted") return null;
  const tombstone = await needs.store.items.tombstone(id);
  const view = await ownView(needs, needs.store, viewer, { item: { ...found.item, content }, parent: found.parent });
  return { view, tombstone: tombstone === null ? null : tombstoneJson(tombstone, viewer) };
}

/** The draft of an item that was read in the current transaction, or outside any. */
async function draftViewOf(
  needs: RecordsNeeds,
  reader: RepositoryReader,
  viewer: Viewer,
  { item, parent }: WithParent,
  { content, ...draft }: Draft,
  errors?: RecordView["errors"],
): Promise<RecordView> {
  const { content: _, ...facing } = item;
  const today = needs.items.today();
  const versions = item.versionIndex === 1 && parent.latest === null ? [] : await reader.items.versionLines(parent.id);
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
      errors ?? (await inTurns(missingToPublishInParts(content.metadata, await publishedBefore(reader, item, parent)))),
    entries: await needs.entriesOf(reader, await inTurns(shownEntriesInParts(content.metadata))),
  };
}

/** @throws Refusal `not_found` for what does not exist and for drafts of others, `gone` for what was deleted. */
async function readDraft(needs: RecordsNeeds, viewer: Viewer, id: ItemId): Promise<RecordView> {
  const found = await needs.store.items.withParent(id);
  if (found === null || !may(viewer, "item.preview", found.parent)) throw unknownRecord();
  if (found.item.state === "deleted") throw await goneIn(needs.store, viewer, id);
  const draft = await needs.store.items.draft(id);
  if (draft === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
  return await draftViewOf(needs, needs.store, viewer, found, draft);
}

/** The number of the latest version the viewer may read, by any version or the parent. */
async function latestVersion(needs: RecordsNeeds, viewer: Viewer, id: ItemId): Promise<number> {
  const { item, parent } = await inRecordWords(needs, viewer, () => needs.items.readableOutline(viewer, id));
  if (item.state === "draft") throw new Refusal("not_found", RECORD_SENTENCES.unregistered);
  return item.isLatest ? item.id : await inRecordWords(needs, viewer, () => needs.items.latestTo(viewer, parent.id));
}

/** What reading an item refuses, in the sentences of the records interface. */
async function inRecordWords<T>(needs: RecordsNeeds, viewer: Viewer, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error, "not_found")) {
      throw error.detail.hidden === true ? new Refusal("not_found", RECORD_SENTENCES.hidden) : unknownRecord();
    }
    if (isRefusal(error, "forbidden", "unauthenticated")) throw permissionDenied();
    const id = isRefusal(error, "gone") ? error.detail.item : undefined;
    if (typeof id === "number") throw await goneIn(needs.store, viewer, id);
    throw error;
  }
}

type DeletedRecord = { readonly view: RecordView; readonly tombstone: RecordJson["tombstone"] };
type PublishedSide = Pick<
  RecordView,
  "item" | "parent" | "content" | "byParent" | "privileged" | "isLatest" | "filesReadable"
>;
type PublishedRecord = WithParent<Item & { readonly content: ItemContent }>;

/** The number of the first version (R36). */
async function firstVersionOf(
  reader: RepositoryReader,
  item: Pick<Item, "id" | "parentId" | "versionIndex">,
): Promise<number> {
  if (item.versionIndex === 1) return item.id;
  return (await reader.items.versionLines(item.parentId))[0]?.id ?? item.id;
}

/** What was published of an item or, for the draft of a new version, of the version before it. */
export async function publishedBefore(
  reader: RepositoryReader,
  item: Item,
  parent: ItemParent,
): Promise<Metadata | null> {
  if (item.content !== null || parent.latest === null) return item.content?.metadata ?? null;
  return (await reader.items.item(parent.latest))?.content?.metadata ?? null;
}

/** Deleted: 410 with its tombstone, or 404 where that is invisible (R2c; reference 2.5). */
export async function goneIn(reader: RepositoryReader, viewer: Viewer, id: ItemId): Promise<Refusal> {
  const tombstone = await reader.items.tombstone(id);
  if (tombstone === null || !isShown(tombstone, viewer)) return new Refusal("not_found", RECORD_SENTENCES.hidden);
  return new Refusal("gone", RECORD_SENTENCES.gone, {
    detail: { item: id, tombstone: tombstoneJson(tombstone, viewer) },
  });
}

const isShown = ({ isVisible }: Tombstone, viewer: Viewer): boolean => isVisible || isAdministrator(viewer);

// Records as guests read them (R37): the written text is kept while the content is unchanged, at most a minute. The
// database decides each time who may read; hiding a record takes effect at once.

/** A record as it is answered. */
export type RecordText = Pick<RecordView, "item" | "draft" | "isLatest" | "byParent"> & { readonly text: string };

const MINUTE_MS = 60_000;
/**
 * Long records that are read and written at the same time: each takes a dozen times the memory of its text meanwhile
 * (R9a).
 */
const LONG_AT_ONCE = 4;

function recordTexts(needs: RecordsNeeds): Pick<RecordReading, "readText" | "readDraftText"> {
  const { items, clock, keptBytes, written } = needs;
  const kept = keptTexts(keptBytes);
  const inLine = fewAtOnce(LONG_AT_ONCE);

  async function readText(viewer: Viewer, id: RecordId): Promise<RecordText> {
    const outlined = () => inRecordWords(needs, viewer, () => items.readableOutline(viewer, id));
    // By a link a guest sees more than others: that is written for them alone.
    const isPlainGuest = viewer.account === null && viewer.links === undefined;
    const textFrom = isPlainGuest ? guestText : (outline: ReadableOutline) => ownText(viewer, outline);
    const outline = await outlined();
    if (outline.item.bytes < LONG_TEXT) return await textFrom(outline);
    // Who may read it may change while the request waits.
    return await inLine(async () => textFrom(await outlined()));
  }

  async function readDraftText(viewer: Viewer, id: ItemId): Promise<RecordText> {
    const [size] = await needs.store.items.sizes([id]);
    const work = async () => textOf(await readDraft(needs, viewer, id));
    return await (size === undefined || size.bytes < LONG_TEXT ? work() : inLine(work));
  }

  async function ownText(viewer: Viewer, outline: ReadableOutline): Promise<RecordText> {
    return await textOf(await readOutlined(needs, viewer, outline));
  }

  async function guestText(outline: ReadableOutline): Promise<RecordText> {
    const { item, byParent } = outline;
    // The version that is latest for a guest may differ from the latest for everybody: that needs the other versions.
    if (!item.isLatest) return await ownText(GUEST, outline);
    const key = textKey(outline, Math.floor(Date.parse(clock.now()) / MINUTE_MS));
    const known = kept.get(key);
    if (known !== undefined) return { item, draft: null, isLatest: true, byParent, text: known };
    const made = await ownText(GUEST, outline);
    // Between the two looks it may have changed.
    if (made.item.revision === item.revision && made.isLatest) kept.set(key, made.text);
    return made;
  }

  async function textOf(view: RecordView): Promise<RecordText> {
    const { item, draft, isLatest, byParent } = view;
    const text = JSON.stringify(await inTurns(recordJsonInParts(view, written)));
    return { item, draft, isLatest, byParent, text };
  }

  return { readText, readDraftText };
}

/** Everything the text depends on in addition to the content of the revision. */
function textKey({ item, parent }: ReadableOutline, minute: number): string {
  const { id, revision, updatedAt, ark } = item;
  return [id, revision, updatedAt, ark, parent.owner, parent.communities.join(), parent.defaultCommunity, minute].join(
    " ",
  );
}

// Entries of vocabularies that records name (R6a): read in one statement for an ordinary record, and kept for a while,
// for most records name the same ones.

/** Entries that are kept, and for how long: what an administrator changes is shown soon. */
const KEPT = 20_000;
const KEPT_MS = 30_000;
/** Entries that one statement reads: a few milliseconds of it. */
const READ_AT_ONCE = 500;

type CachedEntry = { readonly entry: Entry | null; readonly until: number };

export function recordEntries({ clock }: { readonly clock: Clock }) {
  const kept = new Map<string, CachedEntry>();

  return async (reader: Pick<RepositoryReader, "communities">, names: readonly EntryName[]): Promise<Entries> => {
    const now = Date.parse(clock.now());
    const known: Entry[] = [];
    const unknown: EntryName[] = [];
    // A record that names more was not written here: the others are shown without a title.
    for (const name of names.slice(0, most("entriesNamed"))) {
      const before = kept.get(entryKey(name));
      if (before === undefined || before.until <= now) unknown.push(name);
      else if (before.entry !== null) known.push(before.entry);
    }
    if (unknown.length === 0) return entriesOf(known);
    const found = new Map<string, Entry>();
    for (let from = 0; from < unknown.length; from += READ_AT_ONCE) {
      if (from > 0) await yieldToEventLoop();
      const some = unknown.slice(from, from + READ_AT_ONCE);
      for (const entry of await reader.communities.vocabularyEntries(some)) found.set(entryKey(entry), entry);
    }
    if (kept.size + unknown.length > KEPT) kept.clear();
    for (const name of unknown) {
      const entry = found.get(entryKey(name)) ?? null;
      kept.set(entryKey(name), { entry, until: now + KEPT_MS });
      if (entry !== null) known.push(entry);
    }
    return entriesOf(known);
  };
}

export type EntriesOf = ReturnType<typeof recordEntries>;

const entryKey = ({ type, id }: EntryName): string => `${type}\n${id}`;
