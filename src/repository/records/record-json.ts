// A record as the interface writes it (R37; specification 3, "Tool-server records and requests"): the envelope around
// the tools' model of its metadata. Pure: everything it writes is in the view.
import type { Static } from "@sinclair/typebox";
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { writeAccess } from "../../formats/record/access.ts";
import { writeCustomFields } from "../../formats/record/custom-fields.ts";
import { writeMetadataInParts } from "../../formats/record/record.ts";
import type { Entries } from "../../formats/record/record-input.ts";
import type { AccessStatus } from "../../model/access/openness.ts";
import type { FieldError } from "../../model/input/record-refusals.ts";
import type {
  Draft,
  Item,
  ItemContent,
  ItemFile,
  ItemParent,
  Review,
  ReviewState,
  Tombstone,
} from "../../model/items/item.ts";
import type { ItemId, RecordId } from "../../shared/ids.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/objects.ts";
import type { Day } from "../../shared/time/day.ts";
import type { InParts } from "../../shared/time/event-loop.ts";
import { completedEntry, fileEntryJson, keyOf } from "../record-files/entries.ts";
import type { UsageCounts, UsageStats } from "../store/usage.ts";
import type { RecordShape, TombstoneShape, ToolStatus } from "./record-shape.ts";

export type RecordJsonNeeds = LinkNeeds & {
  readonly oaiIdentifier: (firstVersion: ItemId) => string;
};

/** The whole record, with pauses: one of many people takes a good part of a second (R9a). */
export function* recordJsonInParts(view: RecordView, needs: RecordJsonNeeds): InParts<RecordJson> {
  const { item, draft, content } = view;
  const isDeleted = item.state === "deleted";
  const metadata = yield* writeMetadataInParts(content.metadata, view.entries);
  return {
    id: String(item.id),
    recid: String(item.id),
    created: item.createdAt,
    updated: draft?.savedAt ?? item.updatedAt,
    revision_id: draft?.counter ?? item.revision,
    is_published: item.publishedAt !== null,
    is_draft: draft !== null,
    status: toolStatus(item, view.review?.state ?? null),
    state: item.state,
    deletion_status: { is_deleted: isDeleted, status: isDeleted ? "D" : "P" },
    versions: { index: item.versionIndex, is_latest: view.isLatest, is_latest_draft: view.isLatestDraft },
    parent: parentJson(view),
    pids: pidsJson(view, metadata, needs),
    metadata,
    custom_fields: writeCustomFields(content.metadata),
    access: writeAccess(content.access, view.accessStatus, view.today),
    files: filesJson(view, needs),
    ...(view.usage === undefined ? {} : { stats: statsJson(view.usage) }),
    links: recordLinks(view, needs),
    ...(view.errors === undefined || view.errors.length === 0 ? {} : { errors: view.errors }),
  };
}

export type RecordJson = Static<typeof RecordShape>;

const statsJson = ({ allVersions, thisVersion }: UsageStats) => ({
  this_version: countsJson(thisVersion),
  all_versions: countsJson(allVersions),
});

const countsJson = ({ views, uniqueViews, downloads, uniqueDownloads, dataVolume }: UsageCounts) => ({
  views,
  unique_views: uniqueViews,
  downloads,
  unique_downloads: uniqueDownloads,
  data_volume: dataVolume,
});

/** What ties the versions together. Whom it is shared with is asked for apart, by those who may share it. */
function parentJson({ parent, review }: RecordView): RecordJson["parent"] {
  return {
    id: String(parent.id),
    access: { owned_by: { user: String(parent.owner) } },
    communities: parent.communities.length === 0 ? {} : communitiesJson(parent),
    pids: {},
    ...(review === null
      ? {}
      : { review: { id: review.id, type: "community-submission", receiver: { community: review.community } } }),
  };
}

function communitiesJson({ communities: ids, defaultCommunity }: RecordView["parent"]) {
  return { ids, ...(defaultCommunity === null ? {} : { default: defaultCommunity }) };
}

/** The first DOI among the identifiers that are shown. */
export function doiOf(metadata: JsonObject): string | null {
  const identifiers = own(metadata, "identifiers");
  if (!isJsonArray(identifiers)) return null;
  for (const each of identifiers) {
    if (!isJsonObject(each) || own(each, "scheme") !== "doi") continue;
    const identifier = own(each, "identifier");
    if (typeof identifier === "string") return identifier;
  }
  return null;
}

/**
 * What the repository itself gave the record, nothing before it was published (R5, R36), and the DOI it was given
 * elsewhere (R38).
 */
function pidsJson({ item, firstVersion }: RecordView, metadata: JsonObject, { oaiIdentifier }: RecordJsonNeeds) {
  const doi = doiOf(metadata);
  const isPublic = item.publishedAt !== null;
  return {
    ...(isPublic && item.ark !== null ? { ark: { identifier: `ark:${item.ark}`, provider: "ark" } } : {}),
    ...(doi === null ? {} : { doi: { identifier: doi, provider: "external" } }),
    ...(isPublic ? { oai: { identifier: oaiIdentifier(firstVersion), provider: "oai" } } : {}),
  };
}

/** Whether the record has or is to have files. */
export const areFilesEnabled = ({ filesEnabled, files }: Pick<ItemContent, "filesEnabled" | "files">): boolean =>
  filesEnabled ?? files.length > 0;

/** Who may not have the files learns that there are some. */
function filesJson(view: RecordView, needs: LinkNeeds): RecordJson["files"] {
  const { files, defaultPreview = "", fileOrder = [] } = view.content;
  const filesEnabled = areFilesEnabled(view.content);
  if (!view.filesReadable) return { enabled: filesEnabled, access: "restricted" };
  return {
    enabled: filesEnabled,
    order: fileOrder.map(keyOf),
    default_preview: defaultPreview === "" ? null : keyOf(defaultPreview),
    count: files.length,
    total_bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    entries: Object.fromEntries(files.map((file) => [keyOf(file.name), fileJson(view, file, needs)])),
  };
}

function fileJson({ item, draft }: RecordView, file: ItemFile, needs: LinkNeeds) {
  const entry = completedEntry(file, { created: item.createdAt, updated: draft?.savedAt ?? item.updatedAt });
  return {
    ...fileEntryJson(entry, { record: item.id, isDraft: draft !== null }, needs),
    ext: /\.([^.]{1,20})$/.exec(entry.key)?.[1] ?? "",
  };
}

/**
 * What the records interface shows of one version (R37): its published side or its draft, with everything that decides
 * how it is written. Writers take it and read nothing.
 */
export type RecordView = {
  readonly item: Omit<Item, "content">;
  readonly parent: ItemParent;
  /** What is shown: the published content, or that of `draft`. */
  readonly content: ItemContent;
  /** Its content is shown; null: the published side is. */
  readonly draft: Omit<Draft, "content"> | null;
  /** The number in the request is a parent's, which leads to this version (R2a). */
  readonly byParent: boolean;
  /** Reads whatever there is of it (R2d). */
  readonly privileged: boolean;
  /** The viewer may change it over this interface (R2e). */
  readonly editable: boolean;
  /** The version with the highest number that this viewer may read. */
  readonly isLatest: boolean;
  /** No later version is being prepared, as far as this viewer knows. */
  readonly isLatestDraft: boolean;
  /** Number of the first version, which harvesters know the thing by (R36). */
  readonly firstVersion: ItemId;
  readonly filesReadable: boolean;
  readonly accessStatus: AccessStatus;
  readonly today: Day;
  readonly review: Review | null;
  /** How often it was viewed and downloaded; absent where a draft is shown (R39). */
  readonly usage?: UsageStats;
  /** What is wrong in the draft; absent where the published side is shown. */
  readonly errors?: readonly FieldError[];
  /** Those its metadata name, with the titles that are shown. */
  readonly entries: Entries;
};

type LinkNeeds = { readonly baseUrl: string; readonly arkUrl: (ark: string) => string };
type Links = Readonly<Record<string, string>>;

const recordPath = (id: RecordId): string => `/api/records/${id}`;

/** Only what is there is linked: no draft where there is none, nothing of the published side before there is one. */
function recordLinks(view: RecordView, { baseUrl, arkUrl }: LinkNeeds): Links {
  const { item, parent, draft } = view;
  const api = baseUrl + recordPath(item.id);
  const own = draft === null ? api : `${api}/draft`;
  const isPublished = item.state === "published";
  return {
    self: own,
    self_html: `${baseUrl}/records/${item.id}`,
    ...(item.ark === null ? {} : { ark: arkUrl(item.ark) }),
    parent: `${baseUrl}${recordPath(parent.id)}`,
    parent_html: `${baseUrl}/records/${parent.id}`,
    ...(isPublished ? { record: api, record_html: `${baseUrl}/records/${item.id}` } : {}),
    ...(view.editable ? { draft: `${api}/draft` } : {}),
    ...(draft === null ? {} : { publish: `${api}/draft/actions/publish`, review: `${api}/draft/review` }),
    ...(view.review === null ? {} : { "submit-review": `${api}/draft/actions/submit-review` }),
    files: `${own}/files`,
    archive: `${own}/files-archive`,
    versions: `${api}/versions`,
    latest: `${api}/versions/latest`,
    latest_html: `${baseUrl}/records/${parent.id}`,
    communities: `${api}/communities`,
    requests: `${api}/requests`,
    ...(view.editable
      ? {
          access_grants: `${api}/access/grants`,
          access_users: `${api}/access/users`,
          access_groups: `${api}/access/groups`,
          revisions: `${api}/revisions`,
        }
      : {}),
  };
}

/** The tombstone of a deleted record (R2c): only administrators see who deleted it. */
export function tombstoneJson(tombstone: Tombstone, viewer: Viewer): Static<typeof TombstoneShape> {
  const { reason, note, by, at, citation, isVisible } = tombstone;
  return {
    removal_reason: reason === null ? null : { id: reason },
    note,
    ...(isAdministrator(viewer) ? { removed_by: { user: by === null ? "system" : String(by) } } : {}),
    removal_date: at,
    citation_text: citation,
    is_visible: isVisible,
  };
}

// The one word tools show for an item (R2c), derived from its state, its number among the versions and its review.

/** `review`: null for a draft without one. */
export function toolStatus(item: Pick<Item, "state" | "versionIndex">, review: ReviewState | null): ToolStatus {
  if (item.state !== "draft") return item.state;
  if (review === "submitted") return "in_review";
  if (review === "declined" || review === "expired") return review;
  const base = item.versionIndex > 1 ? "new_version_draft" : "draft";
  return review === "created" ? `${base}_with_review` : base;
}
