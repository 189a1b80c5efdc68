// Rows of items as the domain has them, and back (R2b, R3): metadata and settings are JSON, indexes and files are rows.
import type {
  Access,
  AccessSettings,
  FileAccess,
  FileOptions,
  Grant,
  Item,
  ItemContent,
  ItemFile,
  ItemOutline,
  ItemParent,
  ItemState,
  Permission,
  PrivateSettings,
  ReviewState,
} from "../../../src/model/items/item.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import type { AccountId } from "../../../src/shared/ids.ts";
import { withoutUndefined } from "../../../src/shared/objects.ts";
import type { Day } from "../../../src/shared/time/day.ts";
import type { Words } from "../../engine/dialect.ts";
import type { FileSetEntryTable, ItemParentTable, ItemTable } from "../../engine/repository-schema.ts";

export type ItemRow = Omit<ItemTable, "title"> & { readonly is_latest: number; readonly indexes: string };

/** The indexes of an item `i`, in their order. */
export const indexColumn = ({ jsonRows }: Words): string =>
  `${jsonRows(["index_id"], "select index_id from item_place where item_id = i.id order by position")} as indexes`;

/** Columns of an item `i` whose parent is `p`. */
export const itemColumns = (
  words: Words,
): string => `i.id, i.parent_id, i.version_index, i.state, i.revision, i.item_type_id, i.item_type_version, i.metadata,
  i.settings, i.file_options, i.record_access, i.open_date, i.files_access, i.embargo_until, i.embargo_reason, i.file_set_id, i.ark, i.deposited_by,
  i.deposited_on_behalf_of, i.created_at, i.updated_at, i.published_at, i.deleted_at,
  case when p.latest_item_id = i.id then 1 else 0 end as is_latest, ${indexColumn(words)}`;

export type ParentRow = Omit<ItemParentTable, "id" | "created_at" | "access_settings"> & {
  readonly access_settings: string;
  readonly parent_id: number;
  readonly shared: string;
  readonly grants: string;
  readonly communities: string;
  readonly review: string;
  readonly file_grants: string;
};

/** Columns of a parent `p`: whose it is, with whom it is shared, whose communities it belongs to, who reviews it. */
export const parentColumns = ({ jsonRows }: Words): string => {
  const shared = "select account_id from item_share where parent_id = p.id order by account_id";
  const grants =
    "select subject, subject_id, permission from item_grant where parent_id = p.id order by subject, subject_id";
  const communities = "select community_id from item_community where parent_id = p.id order by community_id";
  const review = "select uuid, community_id, status from request where topic_parent = p.id and linked = 1";
  const fileGrants = `select r.account_id, r.ends_on from access_request r join account a on a.id = r.decided_by
    where r.parent_id = p.id and r.status = 'accepted' and r.account_id is not null and r.revoked_at is null
      and a.active = 1 order by r.account_id, r.ends_on`;
  return `p.id as parent_id, p.owner_account_id, p.latest_item_id, p.default_community, p.access_settings,
  ${jsonRows(["account_id", "ends_on"], fileGrants)} as file_grants,
  ${jsonRows(["account_id"], shared)} as shared,
  ${jsonRows(["subject", "subject_id", "permission"], grants)} as grants, ${jsonRows(["community_id"], communities)} as communities,
  ${jsonRows(["uuid", "community_id", "status"], review)} as review`;
};

/** The one column of rows that a statement gave as one text. */
function columnOf<T>(text: string): readonly T[] {
  return (JSON.parse(text) as readonly [T][]).map(([value]) => value);
}

function grantsOf(text: string): readonly Grant[] {
  // Most records are shared with nobody.
  if (text === "[]") return [];
  const rows = JSON.parse(text) as readonly [Grant["subject"], number, Permission][]; // as the table holds them
  return rows.map(([subject, id, permission]) => ({ subject, id, permission }));
}

export function toParent(row: ParentRow): ItemParent {
  const communities = columnOf<string>(row.communities);
  // Unlinked when it is accepted or cancelled: the others are the states of a review.
  const [review] = JSON.parse(row.review) as readonly [string, string, ReviewState][];
  return {
    id: row.parent_id,
    owner: row.owner_account_id,
    shared: columnOf<number>(row.shared),
    grants: grantsOf(row.grants),
    communities,
    defaultCommunity: communities.find((id) => id === row.default_community) ?? null,
    review: review === undefined ? null : { id: review[0], community: review[1], state: review[2] },
    latest: row.latest_item_id,
    ...fileGrantsOf(row.file_grants),
    // Only what was written here is read.
    ...(row.access_settings === "" ? {} : { accessSettings: JSON.parse(row.access_settings) as AccessSettings }),
  };
}

function fileGrantsOf(text: string): Pick<ItemParent, "fileGrants"> {
  if (text === "[]") return {};
  const rows = JSON.parse(text) as readonly [AccountId, Day][]; // as the table holds them
  return { fileGrants: rows.map(([account, endsOn]) => ({ account, endsOn })) };
}

/**
 * What a revision and a draft store as one text, in which the indexes are called `places`; files are stored separately.
 */
type StoredContent = Pick<ItemContent, "metadata" | "access" | "indexes" | "settings"> & FileOptions;

/** Access of what was erased: nobody's. */
const CLOSED: Access = {
  record: "restricted",
  openDate: "9999-12-31",
  files: "restricted",
  embargoUntil: null,
  embargoReason: "",
};

/** `printed`: the metadata as JSON, where they have been printed already. */
export function printContent(content: StoredContent, printed?: string): string {
  const { metadata, access, indexes, settings } = content;
  const rest = JSON.stringify({ access, places: indexes, settings, ...fileOptionsOf(content) });
  return `{"metadata":${printed ?? JSON.stringify(metadata)},${rest.slice(1)}`;
}

/** The content of an erased revision. */
export const ERASED_CONTENT = printContent({ metadata: EMPTY_METADATA, access: CLOSED, indexes: [], settings: {} });

/** Written by `printContent` only; members that later versions of the model added are empty. */
export function readContent(text: string): StoredContent {
  const read = JSON.parse(text) as Omit<StoredContent, "indexes"> & { readonly places: readonly number[] };
  const { access, places, settings, metadata } = read;
  return { access, indexes: places, settings, metadata: { ...EMPTY_METADATA, ...metadata }, ...fileOptionsOf(read) };
}

/** The members of stored content that are options of files; absent ones stay absent. */
function fileOptionsOf({ filesEnabled, defaultPreview, fileOrder }: FileOptions): FileOptions {
  return withoutUndefined({ filesEnabled, defaultPreview, fileOrder });
}

/** The same as a column of the item; null where no option is set. */
export function printFileOptions(content: FileOptions): string | null {
  const options = fileOptionsOf(content);
  return Object.keys(options).length === 0 ? null : JSON.stringify(options);
}

/** Of an item that was published. */
export function metadataOf({ id, metadata }: Pick<ItemTable, "id" | "metadata">): Metadata {
  return { ...EMPTY_METADATA, ...(JSON.parse(present(metadata, "metadata", id)) as Partial<Metadata>) };
}

/** What both databases keep of a text: no NUL, no half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function present<T>(value: T | null, what: string, id: number): T {
  if (value === null) throw new RangeError(`Item ${id} was published and has no ${what}`);
  return value;
}

/** Columns of an item that are long or refer to long content. */
export type LeftOut =
  | "metadata"
  | "settings"
  | "file_options"
  | "item_type_id"
  | "item_type_version"
  | "file_set_id"
  | "deleted_at";

export function toItem(row: ItemRow, files: readonly ItemFile[]): Item {
  return { ...factsOf(row), content: row.revision === 0 ? null : contentOf(row, files) };
}

export function toOutline(row: Omit<ItemRow, LeftOut>): ItemOutline {
  return { ...factsOf(row), content: row.revision === 0 ? null : { access: accessOf(row), indexes: indexesOf(row) } };
}

const indexesOf = (row: Pick<ItemRow, "indexes">): readonly number[] => columnOf<number>(row.indexes);

function factsOf(row: Omit<ItemRow, LeftOut>): Omit<Item, "content"> {
  return {
    id: row.id,
    parentId: row.parent_id,
    versionIndex: row.version_index,
    // The table's checks allow no other values.
    state: row.state as ItemState,
    revision: row.revision,
    ark: row.ark,
    isLatest: row.is_latest === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at,
    depositedBy: row.deposited_by,
    depositedOnBehalfOf: row.deposited_on_behalf_of,
  };
}

function accessOf(row: Omit<ItemRow, LeftOut>): Access {
  return {
    record: row.record_access === "public" ? "public" : "restricted",
    openDate: present(row.open_date, "open date", row.id),
    files: row.files_access === "public" ? "public" : "restricted",
    embargoUntil: row.embargo_until,
    embargoReason: row.embargo_reason ?? "",
  };
}

function contentOf(row: ItemRow, files: readonly ItemFile[]): ItemContent {
  return {
    itemType: present(row.item_type_id, "item type", row.id),
    itemTypeVersion: present(row.item_type_version, "item type version", row.id),
    metadata: metadataOf(row),
    access: accessOf(row),
    indexes: indexesOf(row),
    settings: JSON.parse(present(row.settings, "settings", row.id)) as PrivateSettings,
    files,
    // Written by `printFileOptions` only.
    ...(row.file_options === null ? {} : (JSON.parse(row.file_options) as FileOptions)),
  };
}

type Properties = Omit<
  ItemFile,
  "name" | "storageKey" | "sha256" | "md5" | "sizeBytes" | "mediaType" | "access" | "accessDate"
>;

/** An entry that was not erased. */
type LiveEntry = Omit<FileSetEntryTable, "storage_key"> & { readonly storage_key: string };

export function isLive(row: FileSetEntryTable): row is LiveEntry {
  return row.storage_key !== null;
}

export function toFile(row: LiveEntry): ItemFile {
  // Written by `entryOf` only.
  const properties = JSON.parse(row.properties) as Properties;
  return {
    name: row.name,
    storageKey: row.storage_key,
    sha256: row.sha256,
    md5: row.md5,
    sizeBytes: row.size_bytes,
    mediaType: row.media_type,
    access: row.access as FileAccess,
    accessDate: row.access_date,
    ...properties,
  };
}

/** The columns of an entry behind its set and position. */
export function entryOf(file: ItemFile) {
  const { name, storageKey, sha256, md5, sizeBytes, mediaType, access, accessDate, ...properties } = file;
  const sorted = Object.entries(withoutUndefined(properties)).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    name,
    storageKey,
    sha256,
    md5,
    sizeBytes,
    storable(mediaType),
    access,
    accessDate,
    JSON.stringify(Object.fromEntries(sorted)),
  ] as const;
}
