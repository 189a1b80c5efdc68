// One item as its landing page, its exports and its files need it (R19a, R2a, R2c, R2d).

import { GUEST, guestWithout, REPOSITORY_OPERATOR, type Viewer } from "../../auth/account.ts";
import type { CitedItem } from "../../formats/citation/cited-item.ts";
import { type FileStatus, fileStatus } from "../../model/access/closed-files.ts";
import { type Openness, openness } from "../../model/access/openness.ts";
import { fileReading, isPrivileged, mayBrowseIndex, mayReadRecord } from "../../model/access/visibility.ts";
import { shownFileName } from "../../model/files/file-names.ts";
import { inFileOrder } from "../../model/files/file-order.ts";
import { viewersOf } from "../../model/files/viewers.ts";
import type { IndexNode } from "../../model/indexes/index-node.ts";
import { type OwnValue, ownValues } from "../../model/item-types/definition.ts";
import { landingPath } from "../../model/items/addresses.ts";
import type { Draft, ItemContent, ItemFile } from "../../model/items/item.ts";
import { hasMailAddress } from "../../model/metadata/public-metadata.ts";
import { may } from "../../model/rights/policy.ts";
import type { IndexId, ItemId, RecordId } from "../../shared/ids.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import { type ItemTypeReading, itemTypeReading } from "../items/item-type-reading.ts";
import { listedFiles, type ReadableItem } from "../items/item-views.ts";
import type { Community } from "../store/communities.ts";
import type { UsageStats, VisitedRecord } from "../store/usage.ts";
import { type FileListing, type FilesPart, fileListing } from "./file-listing.ts";
import type { ShowingNeeds } from "./needs.ts";
import { type Licenses, licensesOf } from "./row-values.ts";

export type ShownFile = {
  readonly file: ItemFile;
  readonly readable: boolean;
  readonly status: FileStatus;
  readonly until: Day | null;
  /** Path below the repository's address. */
  readonly path: string;
  /** The same of the page that shows it; null where no viewer suits it. */
  readonly view: string | null;
};

export type ShownRecord = {
  readonly readable: ReadableItem;
  /** All of them, or where there are more than FILES_WHOLE the first FILES_FIRST. */
  readonly files: readonly ShownFile[];
  /** Null: which files there are is not for the reader. */
  readonly fileCount: number | null;
  readonly licenses: Licenses;
  /** What citations, meta tags and typed links are made from: only files that everybody may read. */
  readonly cited: CitedItem;
  /** Fields of the item type without a path in the metadata, with their labels (R4a). */
  readonly own: readonly OwnValue[];
  /** Indexes the viewer may browse, each with its ancestors, from the top. */
  readonly indexes: readonly (readonly IndexNode[])[];
  /** Communities the viewer may see. */
  readonly communities: readonly Pick<Community, "slug" | "title">[];
  readonly openness: Openness;
  /** Guests may not read it. */
  readonly isRestricted: boolean;
  readonly activityId: string | null;
  /** Null before it is published. */
  readonly usage: UsageStats | null;
  /** The ORCID iD that the owner confirmed by signing in there; null where no person of the item has one. */
  readonly confirmedOrcid: string | null;
};

/** What an activity would make of its item. */
export type ProposedRecord = Pick<ShownRecord, "files" | "fileCount" | "licenses" | "own"> & {
  readonly content: ItemContent;
  /** The same item as it is published; null where it is not. */
  readonly published: ItemContent | null;
};

/** What pages of one part of an item are made from. */
export type LicensedContent = { readonly content: ItemContent; readonly licenses: Licenses };
/** `byParent`: the requested number is that of the parent of this item (R2a). */
type ItemContentById = LicensedContent & { readonly id: ItemId; readonly byParent: boolean };
export type WithFileListing = { readonly listing: FileListing<ShownFile> };

/**
 * One page shows all files of an item up to this number; of more it shows the first few, the others are on separate
 * pages.
 */
const FILES_WHOLE = 200;
const FILES_FIRST = 20;

const proposedPath = (activityId: string): string => `/workflow/activity/detail/${activityId}`;

const landingFiles = <T>(files: readonly T[]): readonly T[] =>
  files.length > FILES_WHOLE ? files.slice(0, FILES_FIRST) : files;

/** People of one item that are checked for an ORCID iD. */
const CITED_PEOPLE = 100;
/** Files of one item that are checked for what everybody may read. */
const CITED_FILES_MAX = 200;

export interface RecordShowing {
  readable(viewer: Viewer, id: RecordId): Promise<ReadableItem>;
  /** Throws as `items.readable` does: not_found, forbidden, gone. */
  record(viewer: Viewer, id: RecordId): Promise<ShownRecord>;
  /** The same of what was read already. */
  shown(viewer: Viewer, found: ReadableItem): Promise<ShownRecord>;
  /**
   * What waits for a decision (R16). Null where nothing waits. @throws not_found if the viewer may not see the activity
   */
  proposed(viewer: Viewer, activityId: string): Promise<ProposedRecord | null>;
  /** The content of an item, for pages of one part of it. @throws as `items.readable` */
  content(viewer: Viewer, id: RecordId): Promise<ItemContentById>;
  /**
   * One folder of the files of an item, page by page. Throws as `items.readable` does, and not_found for a folder or
   * page there is none of.
   */
  files(viewer: Viewer, id: RecordId, part: FilesPart): Promise<ItemContentById & WithFileListing>;
  /** The same of what waits for a decision; null where nothing waits. */
  proposedFiles(
    viewer: Viewer,
    activityId: string,
    part: FilesPart,
  ): Promise<(LicensedContent & WithFileListing) | null>;
  /** The files of an item that the viewer may have. @throws as `items.readable` */
  readableFiles(viewer: Viewer, id: RecordId): Promise<readonly ShownFile[]>;
  /** All files of what waits for a decision. Throws not_found. */
  filesProposed(viewer: Viewer, activityId: string): Promise<readonly ShownFile[]>;
  /** A file of what waits for a decision. Throws not_found. */
  proposedFile(viewer: Viewer, activityId: string, written: string): Promise<ItemFile>;
  /**
   * A file by its name as the address writes it: decoded once, else unchanged. Throws not_found, gone, and forbidden
   * for a file that is there and closed to the viewer.
   */
  file(
    viewer: Viewer,
    id: RecordId,
    written: string,
  ): Promise<{ readonly file: ItemFile; readonly isPublic: boolean; readonly visited: VisitedRecord }>;
}

type RecordShowingNeeds = ShowingNeeds & { readonly types: ItemTypeReading };

export const recordShowing = (own: ShowingNeeds): RecordShowing => {
  /** For a definition that cannot be read only its own fields are not shown. */
  const needs: RecordShowingNeeds = { ...own, types: itemTypeReading(own.store) };
  return {
    readable: (viewer, id) => readableRecord(needs, viewer, id),
    record: async (viewer, id) => await showRecord(needs, viewer, await readableRecord(needs, viewer, id)),
    shown: (viewer, found) => showRecord(needs, viewer, found),
    proposed: (viewer, activityId) => readProposed(needs, viewer, activityId),
    async content(viewer, id) {
      const { content, item, byParent } = await readableRecord(needs, viewer, id);
      return { content, id: item.id, byParent, licenses: await licensesOf(needs.store, content) };
    },
    files: (viewer, id, part) => listFiles(needs, viewer, id, part),
    async readableFiles(viewer, id) {
      const found = await readableRecord(needs, viewer, id);
      const readable = listedFiles(found).filter((each) => each.readable);
      return readable.map((each) => recordFileView(needs, found, each));
    },
    async filesProposed(viewer, activityId) {
      const content = await proposedContent(needs, viewer, activityId);
      return content === null ? [] : content.files.map((file) => proposedFileView(needs, content, activityId, file));
    },
    proposedFiles: (viewer, activityId, part) => listProposedFiles(needs, viewer, activityId, part),
    proposedFile: (viewer, activityId, written) => readProposedFile(needs, viewer, activityId, written),
    file: (viewer, id, written) => readFile(needs, viewer, id, written),
  };
};

const readableRecord = (needs: RecordShowingNeeds, viewer: Viewer, id: RecordId): Promise<ReadableItem> =>
  readAsVisible(needs, viewer, id, (who) => needs.items.readable(who, id));

/** As the viewer may see it; what waits for approval is also shown to its approvers (R16). */
async function readAsVisible<T>(
  needs: RecordShowingNeeds,
  viewer: Viewer,
  id: RecordId,
  read: (who: Viewer) => Promise<T>,
): Promise<T> {
  try {
    return await read(viewer);
  } catch (error) {
    const isPending = isRefusal(error, "not_found") && viewer.account !== null;
    // A parent has no activity: nothing is found by its number.
    const number: number = id;
    const activity = isPending ? await needs.store.activities.openActivity(number) : null;
    if (activity === null || !(await needs.activities.maySee(viewer, activity))) throw error;
    return await read(REPOSITORY_OPERATOR);
  }
}

async function trailsOf(
  needs: RecordShowingNeeds,
  viewer: Viewer,
  ids: readonly IndexId[],
): Promise<readonly (readonly IndexNode[])[]> {
  const lineages = await Promise.all(ids.map((id) => needs.store.indexes.lineage(id)));
  return lineages
    .filter((lineage) => mayBrowseIndex(viewer, lineage, needs.today()))
    .map((lineage) => [...lineage].reverse());
}

/** In the order of the record. */
async function communitiesOf({ store }: RecordShowingNeeds, viewer: Viewer, ids: readonly string[]) {
  const asking = guestWithout(viewer, ["user:activity"]);
  const seen = (await store.communities.communitiesOf(ids)).filter((each) => may(asking, "community.see", each));
  return ids.flatMap((id) => seen.filter((each) => each.id === id));
}

/** Whether guests read the record, and which of its files: as many as are cited. */
function guestFiles(needs: RecordShowingNeeds, { content, draft, facts }: ReadableItem) {
  if (draft !== null) return { record: false, files: [] };
  const mayHave = fileReading(GUEST, facts, needs.today());
  const files: ItemFile[] = [];
  for (const file of content.files) {
    if (files.length === CITED_FILES_MAX) break;
    if (mayHave(file)) files.push(file);
  }
  return { record: mayReadRecord(GUEST, facts, needs.today()), files };
}

const fileView = (
  needs: RecordShowingNeeds,
  content: ItemContent,
  file: ItemFile,
  isReadable: boolean,
  /** Path of the page of what it belongs to. */
  base: string,
): ShownFile => {
  const { status, until } = fileStatus(content, file, needs.today());
  const name = encodeURIComponent(file.name);
  const view = viewersOf(file).length === 0 ? null : `${base}/view/${name}`;
  return { file, readable: isReadable, status, until, path: `${base}/files/${name}`, view };
};

const recordFileView = (
  needs: RecordShowingNeeds,
  { content, item }: ReadableItem,
  { file, readable: may }: ReadableItem["files"][number],
): ShownFile => fileView(needs, content, file, may, landingPath(item.id));

const proposedFileView = (
  needs: RecordShowingNeeds,
  content: ItemContent,
  activityId: string,
  file: ItemFile,
): ShownFile => fileView(needs, content, file, true, proposedPath(activityId));

/** The pending content of an activity that the viewer may see; null once it is decided, and for deletions. */
async function proposedContent(
  needs: RecordShowingNeeds,
  viewer: Viewer,
  activityId: string,
): Promise<ItemContent | null> {
  return (await proposedDraft(needs, viewer, activityId))?.content ?? null;
}

async function proposedDraft(needs: RecordShowingNeeds, viewer: Viewer, activityId: string): Promise<Draft | null> {
  const { activity } = await needs.activities.read(viewer, activityId);
  const draft = activity.itemId === null ? null : await needs.store.items.draft(activity.itemId);
  return draft?.activityId === activityId ? draft : null;
}

/** The published content of an item, or of the version before it; null where nothing of it was published. */
async function publishedBefore({ store }: RecordShowingNeeds, id: ItemId): Promise<ItemContent | null> {
  const found = await store.items.withParent(id);
  if (found === null || found.item.content !== null) return found?.item.content ?? null;
  const { latest } = found.parent;
  return latest === null ? null : ((await store.items.item(latest))?.content ?? null);
}

function citedItem(needs: RecordShowingNeeds, { item, content }: ReadableItem, open: readonly ItemFile[]): CitedItem {
  return {
    metadata: content.metadata,
    landingPage: needs.addresses.landingPage(item.id),
    ark: item.ark === null ? null : needs.addresses.arkUrl(item.ark),
    repositoryName: needs.repositoryName,
    updatedAt: item.updatedAt,
    files: open.map(({ name, mediaType, sizeBytes }) => ({
      url: needs.addresses.filePage(item.id, name),
      name: shownFileName(name),
      mediaType,
      sizeBytes,
    })),
  };
}

/** Fields of an item type may hold mail addresses: only the privileged see them (R2g). */
const publicOwnValues = (viewer: Viewer, { facts }: ReadableItem, values: readonly OwnValue[]): readonly OwnValue[] =>
  isPrivileged(viewer, facts) ? values : values.filter(({ value }) => !hasMailAddress(value));

/** Whose it is has shown that the ORCID iD is theirs; nobody vouches for those of others. */
async function confirmedOrcid(
  { store }: RecordShowingNeeds,
  { parent, content: { metadata } }: ReadableItem,
): Promise<string | null> {
  const people = [...metadata.creators.slice(0, CITED_PEOPLE), ...metadata.contributors.slice(0, CITED_PEOPLE)];
  if (!people.some(({ ids }) => ids.some(({ scheme }) => scheme.toLowerCase() === "orcid"))) return null;
  const profile = await store.profiles.profile(parent.owner);
  return profile?.orcidSource === "provider" ? profile.orcid : null;
}

async function showRecord(needs: RecordShowingNeeds, viewer: Viewer, found: ReadableItem): Promise<ShownRecord> {
  const { content, item } = found;
  const guest = guestFiles(needs, found);
  const listed = listedFiles(found);
  const [licenses, indexes, communities, type, activity, stats, orcid] = await Promise.all([
    licensesOf(needs.store, content),
    trailsOf(needs, viewer, content.indexes),
    communitiesOf(needs, viewer, found.parent.communities),
    needs.types.at(content.itemType, content.itemTypeVersion),
    found.draft === null ? null : needs.store.activities.openActivity(item.id),
    found.draft === null ? needs.store.usage.usageStats([item]) : null,
    confirmedOrcid(needs, found),
  ]);
  return {
    readable: found,
    files: landingFiles(listed).map((each) => recordFileView(needs, found, each)),
    fileCount: found.areFilesListed ? listed.length : null,
    licenses,
    cited: citedItem(needs, found, guest.files),
    own: type === null ? [] : publicOwnValues(viewer, found, ownValues(content.metadata, type)),
    ...{ indexes, communities },
    openness: openness(content, needs.today()),
    isRestricted: !guest.record,
    activityId: activity?.id ?? null,
    usage: stats?.get(item.id) ?? null,
    confirmedOrcid: orcid,
  };
}

async function readProposed(
  needs: RecordShowingNeeds,
  viewer: Viewer,
  activityId: string,
): Promise<ProposedRecord | null> {
  const found = await proposedDraft(needs, viewer, activityId);
  if (found === null) return null;
  const { content } = found;
  const type = await needs.types.at(content.itemType, content.itemTypeVersion);
  return {
    content,
    published: await publishedBefore(needs, found.itemId),
    own: type === null ? [] : ownValues(content.metadata, type),
    files: landingFiles(inFileOrder(content.files, content)).map((file) =>
      proposedFileView(needs, content, activityId, file),
    ),
    fileCount: content.files.length,
    licenses: await licensesOf(needs.store, content),
  };
}

async function listFiles(
  needs: RecordShowingNeeds,
  viewer: Viewer,
  id: RecordId,
  part: FilesPart,
): Promise<ItemContentById & WithFileListing> {
  const found = await readableRecord(needs, viewer, id);
  const listing = fileListing(
    listedFiles(found),
    ({ file }) => file,
    part,
    (each) => recordFileView(needs, found, each),
  );
  const { content, item, byParent } = found;
  return { content, id: item.id, byParent, licenses: await licensesOf(needs.store, content), listing };
}

async function listProposedFiles(
  needs: RecordShowingNeeds,
  viewer: Viewer,
  activityId: string,
  part: FilesPart,
): Promise<(LicensedContent & WithFileListing) | null> {
  const content = await proposedContent(needs, viewer, activityId);
  if (content === null) return null;
  const listing = fileListing(
    inFileOrder(content.files, content),
    (file) => file,
    part,
    (file) => proposedFileView(needs, content, activityId, file),
  );
  return { content, licenses: await licensesOf(needs.store, content), listing };
}

async function readProposedFile(
  needs: RecordShowingNeeds,
  viewer: Viewer,
  activityId: string,
  written: string,
): Promise<ItemFile> {
  const content = await proposedContent(needs, viewer, activityId);
  const file = content === null ? undefined : named(content.files, written);
  if (file === undefined) throw new Refusal("not_found", `Activity ${activityId} has no such file`);
  return file;
}

async function readFile(
  needs: RecordShowingNeeds,
  viewer: Viewer,
  id: RecordId,
  written: string,
): Promise<{ readonly file: ItemFile; readonly isPublic: boolean; readonly visited: VisitedRecord }> {
  const names = [...new Set([decoded(written), written])];
  const found = await readAsVisible(needs, viewer, id, (who) => needs.items.readableFile(who, id, names));
  const { item, file, isPublic } = found;
  // Nobody learns whether a file exists that is not listed.
  if (file === null && found.isListed) {
    throw new Refusal("not_found", `Item ${item.id} has no file "${shownFileName(decoded(written)).slice(0, 200)}"`);
  }
  if (file === null || !found.readable) {
    const name = file === null || !found.isListed ? decoded(written).slice(0, 200) : file.name;
    throw new Refusal("forbidden", `You may not read the file "${shownFileName(name)}" of item ${item.id}`, {
      detail: { item: item.id, sign_in: viewer.account === null },
    });
  }
  return { file, isPublic, visited: found.visited };
}

/** The file of a name as the address writes it: decoded once, else unchanged. */
function named(files: readonly ItemFile[], written: string): ItemFile | undefined {
  const name = decoded(written);
  return files.find((file) => file.name === name) ?? files.find((file) => file.name === written);
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/**
 * What of the facts of R2d keeps a file from everybody: for good before until a day, a day before a group of readers.
 */
