// One item as its landing page, its exports and its files need it (R19a, R2a, R2c, R2d).

import { GUEST, REPOSITORY_OPERATOR, type Viewer } from "../../auth/account.ts";
import type { UsageStats, VisitedRecord } from "../store/usage.ts";
import type { CitedItem } from "../../formats/citation/cited-item.ts";
import type { Day } from "../../shared/day.ts";
import { isRefusal, Refusal } from "../../shared/refusal.ts";
import { itemTypeReading } from "../items/item-type-reading.ts";
import { listedFiles, type Readable } from "../items/reading.ts";
import { filePath } from "../model/addresses.ts";
import { shownFileName } from "../model/file-names.ts";
import type { IndexNode } from "../model/index-node.ts";
import type { ItemContent, ItemFile } from "../model/item.ts";
import { type OwnValue, ownValues } from "../model/item-types/own-fields.ts";
import { type Openness, openness } from "../model/openness.ts";
import { hasMailAddress } from "../model/public-metadata.ts";
import {
  accessOn,
  fileReading,
  isEmbargoed,
  isPrivileged,
  mayBrowseIndex,
  mayReadRecord,
} from "../model/visibility.ts";
import { type FileListing, type FilesPart, fileListing } from "./file-listing.ts";
import { type Licenses, licensesOf } from "./licenses.ts";
import type { ShowingNeeds } from "./needs.ts";

/** Why not everybody may have a file; `until` has its day. */
type FileStanding = "open" | "until" | "login" | "groups" | "closed" | "restricted";

export type ShownFile = {
  readonly file: ItemFile;
  readonly readable: boolean;
  readonly standing: FileStanding;
  readonly until: Day | null;
  /** Path below the repository's address. */
  readonly path: string;
};

export type ShownRecord = {
  readonly readable: Readable;
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
  readonly openness: Openness;
  /** Guests may not read it. */
  readonly isRestricted: boolean;
  readonly activityId: string | null;
  /** Null before it is published. */
  readonly usage: UsageStats | null;
};

/** What an activity would make of its item. */
export type Proposed = Pick<ShownRecord, "files" | "fileCount" | "licenses" | "own"> & {
  readonly content: ItemContent;
};

/** What pages of one part of an item are made from. */
export type Said = { readonly content: ItemContent; readonly licenses: Licenses };
/** `byParent`: the number asked for stands for this item (R2a). */
type SaidByItem = Said & { readonly id: number; readonly byParent: boolean };
export type Listed = { readonly listing: FileListing<ShownFile> };

/** One page shows all files of an item up to this number; of more it shows the first few, the others stand on pages of their own. */
const FILES_WHOLE = 200;
const FILES_FIRST = 20;

const proposedPath = (activityId: string, name: string): string =>
  `/workflow/activity/detail/${activityId}/files/${encodeURIComponent(name)}`;

const landingFiles = <T>(files: readonly T[]): readonly T[] =>
  files.length > FILES_WHOLE ? files.slice(0, FILES_FIRST) : files;

/** Files of one item that are looked at for what everybody may read. */
const CITED_FILES_MAX = 200;

export interface RecordShowing {
  readable(viewer: Viewer, id: number): Promise<Readable>;
  /** Throws as `items.readable` does: not_found, forbidden, gone. */
  record(viewer: Viewer, id: number): Promise<ShownRecord>;
  /** What waits for a decision (R16). Throws not_found for whoever may not see the activity; null where nothing waits. */
  proposed(viewer: Viewer, activityId: string): Promise<Proposed | null>;
  /** What an item says, for pages of one part of it. Throws as `items.readable` does. */
  said(viewer: Viewer, id: number): Promise<SaidByItem>;
  /** One folder of the files of an item, page by page. Throws as `items.readable` does, and not_found for a folder or page there is none of. */
  files(viewer: Viewer, id: number, part: FilesPart): Promise<SaidByItem & Listed>;
  /** The same of what waits for a decision; null where nothing waits. */
  proposedFiles(viewer: Viewer, activityId: string, part: FilesPart): Promise<(Said & Listed) | null>;
  /** A file of what waits for a decision. Throws not_found. */
  proposedFile(viewer: Viewer, activityId: string, written: string): Promise<ItemFile>;
  /**
   * A file by its name as the address writes it: decoded once, else as it stands. Throws not_found, gone, and forbidden for a file that
   * is there and closed to the viewer.
   */
  file(
    viewer: Viewer,
    id: number,
    written: string,
  ): Promise<{ readonly file: ItemFile; readonly isPublic: boolean; readonly visited: VisitedRecord }>;
}

export const recordShowing = (needs: ShowingNeeds): RecordShowing => {
  const { addresses, store, items, activities, today } = needs;
  /** Of a definition that cannot be read only its own fields are not shown. */
  const types = itemTypeReading(store);

  const readable = (viewer: Viewer, id: number): Promise<Readable> =>
    asSeen(viewer, id, (who) => items.readable(who, id));

  /** As the viewer may see it; what waits for approval is shown to whoever decides about it too (R16). */
  async function asSeen<T>(viewer: Viewer, id: number, read: (who: Viewer) => Promise<T>): Promise<T> {
    try {
      return await read(viewer);
    } catch (error) {
      const isPending = isRefusal(error, "not_found") && viewer.account !== null;
      const activity = isPending ? await store.activities.openActivity(id) : null;
      if (activity === null || !(await activities.maySee(viewer, activity))) throw error;
      return await read(REPOSITORY_OPERATOR);
    }
  }

  async function trailsOf(viewer: Viewer, ids: readonly number[]): Promise<readonly (readonly IndexNode[])[]> {
    const lineages = await Promise.all(ids.map((id) => store.indexes.lineage(id)));
    return lineages
      .filter((lineage) => mayBrowseIndex(viewer, lineage, today()))
      .map((lineage) => [...lineage].reverse());
  }

  /** Whether guests read the record, and which of its files: as many as are cited. */
  function guestReading({ content, draft, facts }: Readable) {
    if (draft !== null) return { record: false, files: [] };
    const mayHave = fileReading(GUEST, facts, today());
    const files: ItemFile[] = [];
    for (const file of content.files) {
      if (files.length === CITED_FILES_MAX) break;
      if (mayHave(file)) files.push(file);
    }
    return { record: mayReadRecord(GUEST, facts, today()), files };
  }

  const shownFile = (content: ItemContent, file: ItemFile, isReadable: boolean, path: string): ShownFile => {
    const { standing, until } = standingOf(content, file, today());
    return { file, readable: isReadable, standing, until, path };
  };

  const recordFile = ({ content, item }: Readable, { file, readable: may }: Readable["files"][number]): ShownFile =>
    shownFile(content, file, may, filePath(item.id, file.name));

  const proposedOne = (content: ItemContent, activityId: string, file: ItemFile): ShownFile =>
    shownFile(content, file, true, proposedPath(activityId, file.name));

  /** What an activity would make of its item, for whoever may see the activity; null once it is decided, and for deletions. */
  async function proposedContent(viewer: Viewer, activityId: string): Promise<ItemContent | null> {
    const { activity } = await activities.read(viewer, activityId);
    const draft = activity.itemId === null ? null : await store.items.draft(activity.itemId);
    return draft?.activityId === activityId ? draft.content : null;
  }

  function citedItem({ item, content }: Readable, open: readonly ItemFile[]): CitedItem {
    return {
      metadata: content.metadata,
      landingPage: addresses.landingPage(item.id),
      ark: item.ark === null ? null : addresses.arkUrl(item.ark),
      repositoryName: needs.repositoryName,
      updatedAt: item.updatedAt,
      files: open.map(({ name, mediaType, sizeBytes }) => ({
        url: addresses.filePage(item.id, name),
        name: shownFileName(name),
        mediaType,
        sizeBytes,
      })),
    };
  }

  /** Fields of an item type may hold addresses of people: these are for whose item it is (R2g). */
  const publicValues = (viewer: Viewer, { facts }: Readable, values: readonly OwnValue[]): readonly OwnValue[] =>
    isPrivileged(viewer, facts) ? values : values.filter(({ value }) => !hasMailAddress(value));

  return {
    readable,

    async record(viewer, id) {
      const found = await readable(viewer, id);
      const { content, item } = found;
      const guest = guestReading(found);
      const listed = listedFiles(found);
      const [licenses, indexes, type, activity, stats] = await Promise.all([
        licensesOf(store, content),
        trailsOf(viewer, content.indexes),
        types.at(content.itemType, content.itemTypeVersion),
        found.draft === null ? null : store.activities.openActivity(item.id),
        found.draft === null ? store.usage.usageStats([item]) : null,
      ]);
      return {
        readable: found,
        files: landingFiles(listed).map((each) => recordFile(found, each)),
        fileCount: found.areFilesListed ? listed.length : null,
        licenses,
        cited: citedItem(found, guest.files),
        own: type === null ? [] : publicValues(viewer, found, ownValues(content.metadata, type)),
        indexes,
        openness: openness(content, today()),
        isRestricted: !guest.record,
        activityId: activity?.id ?? null,
        usage: stats?.get(item.id) ?? null,
      };
    },

    async proposed(viewer, activityId) {
      const content = await proposedContent(viewer, activityId);
      if (content === null) return null;
      const type = await types.at(content.itemType, content.itemTypeVersion);
      return {
        content,
        own: type === null ? [] : ownValues(content.metadata, type),
        files: landingFiles(content.files).map((file) => proposedOne(content, activityId, file)),
        fileCount: content.files.length,
        licenses: await licensesOf(store, content),
      };
    },

    async said(viewer, id) {
      const { content, item, byParent } = await readable(viewer, id);
      return { content, id: item.id, byParent, licenses: await licensesOf(store, content) };
    },

    async files(viewer, id, part) {
      const found = await readable(viewer, id);
      const listing = fileListing(
        listedFiles(found),
        ({ file }) => file,
        part,
        (each) => recordFile(found, each),
      );
      const { content, item, byParent } = found;
      return { content, id: item.id, byParent, licenses: await licensesOf(store, content), listing };
    },

    async proposedFiles(viewer, activityId, part) {
      const content = await proposedContent(viewer, activityId);
      if (content === null) return null;
      const listing = fileListing(
        content.files,
        (file) => file,
        part,
        (file) => proposedOne(content, activityId, file),
      );
      return { content, licenses: await licensesOf(store, content), listing };
    },

    async proposedFile(viewer, activityId, written) {
      const content = await proposedContent(viewer, activityId);
      const file = content === null ? undefined : named(content.files, written);
      if (file === undefined) throw new Refusal("not_found", `Activity ${activityId} has no such file`);
      return file;
    },

    async file(viewer, id, written) {
      const names = [...new Set([decoded(written), written])];
      const found = await asSeen(viewer, id, (who) => items.readableFile(who, id, names));
      const { item, file, isPublic } = found;
      // Of files that are not listed nobody learns whether they are there.
      if (file === null && found.isListed) {
        throw new Refusal(
          "not_found",
          `Item ${item.id} has no file "${shownFileName(decoded(written)).slice(0, 200)}"`,
        );
      }
      if (file === null || !found.readable) {
        const name = file === null || !found.isListed ? decoded(written).slice(0, 200) : file.name;
        throw new Refusal("forbidden", `You may not read the file "${shownFileName(name)}" of item ${item.id}`, {
          detail: { item: item.id, sign_in: viewer.account === null },
        });
      }
      // Before it is published nothing is counted.
      const isOwn = found.privileged || item.publishedAt === null;
      return { file, isPublic, visited: { id: item.id, parentId: item.parentId, isOwn } };
    },
  };
};

/** The file of a name as the address writes it: decoded once, else as it stands. */
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

/** What of the facts of R2d keeps a file from everybody: for good before until a day, a day before a group of readers. */
function standingOf(
  { access }: ItemContent,
  file: ItemFile,
  today: Day,
): { readonly standing: FileStanding; readonly until: Day | null } {
  if (file.access === "closed" || (file.access === "date" && file.accessDate === null)) {
    return { standing: "closed", until: null };
  }
  const embargo = isEmbargoed(access, today) ? (access.embargoUntil ?? "") : "";
  const own = file.access === "date" && file.accessDate !== null && file.accessDate > today ? file.accessDate : "";
  // An embargo that ends makes the files public; without one what is restricted has no day.
  if (embargo === "" && accessOn(access, today).files !== "public") return { standing: "restricted", until: null };
  const last = [embargo, own].sort().at(-1) ?? "";
  if (last !== "") return { standing: "until", until: last };
  if (file.access === "login") return { standing: file.groups.length === 0 ? "login" : "groups", until: null };
  return { standing: "open", until: null };
}
