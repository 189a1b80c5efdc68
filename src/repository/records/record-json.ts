// A record as the interface writes it (R37; specification 3, "Tool-server records and requests"): the envelope around
// the tools' model of its metadata. Pure: everything it writes is in the view.

import { writeCustomFields } from "../../formats/record/custom-fields.ts";
import { writeAccess, writeMetadataInParts } from "../../formats/record/record.ts";
import { toolStatus } from "../../model/access/item-status.ts";
import type { ItemFile } from "../../model/items/item.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { completedEntry, fileEntryJson } from "../record-files/entries.ts";
import { keyOf } from "../record-files/keys.ts";
import type { UsageCounts, UsageStats } from "../store/usage.ts";
import { doiOf } from "./external-pids.ts";
import { areFilesEnabled } from "./files-section.ts";
import { type LinkNeeds, recordLinks } from "./record-links.ts";
import type { RecordView } from "./record-view.ts";

export type RecordJsonNeeds = LinkNeeds & {
  readonly oaiIdentifier: (firstVersion: number) => string;
};

/** The whole record, with pauses: one of many people takes a good part of a second (R9a). */
export function* recordJsonInParts(view: RecordView, needs: RecordJsonNeeds) {
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

export type RecordJson = ReturnType<typeof recordJsonInParts> extends Generator<void, infer Written> ? Written : never;

const statsJson = ({ allVersions, thisVersion }: UsageStats) => ({
  this_version: countsJson(thisVersion),
  all_versions: countsJson(allVersions),
});

const countsJson = ({ views, uniqueViews, downloads, uniqueDownloads, dataVolume }: UsageCounts) => ({
  ...{ views, unique_views: uniqueViews },
  ...{ downloads, unique_downloads: uniqueDownloads, data_volume: dataVolume },
});

/** What ties the versions together. Whom it is shared with is asked for apart, by those who may share it. */
function parentJson({ parent, review }: RecordView) {
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

/** What the repository itself gave the record, nothing before it was published (R5, R36), and the DOI it was given elsewhere (R38). */
function pidsJson({ item, firstVersion }: RecordView, metadata: JsonObject, { oaiIdentifier }: RecordJsonNeeds) {
  const doi = doiOf(metadata);
  const isPublic = item.publishedAt !== null;
  return {
    ...(isPublic && item.ark !== null ? { ark: { identifier: `ark:${item.ark}`, provider: "ark" } } : {}),
    ...(doi === null ? {} : { doi: { identifier: doi, provider: "external" } }),
    ...(isPublic ? { oai: { identifier: oaiIdentifier(firstVersion), provider: "oai" } } : {}),
  };
}

/** Who may not have the files learns that there are some. */
function filesJson(view: RecordView, needs: LinkNeeds) {
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
