// Step 11 of a deposit: what every item must be before it is registered, in the order of the specification: metadata
// and required fields, index and publication status (message 11), duplicates (13), already registered (12), format
// disabled (15).

import type { Viewer } from "../../auth/account.ts";
import {
  claimOf,
  type DescribedItem,
  type FileClaim,
  formatOf,
  type PackageKind,
  type PlannedContent,
  type PlannedFile,
} from "../../model/files/described-package.ts";
import { missingRequired } from "../../model/item-types/checks.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { type Access, FILE_ACCESS, type FileAccess } from "../../model/items/item.ts";
import { type Metadata, mainTitle } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import { mediaTypeOf } from "../../shared/http/media-types.ts";
import type { IndexId, ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { own, withoutUndefined } from "../../shared/objects.ts";
import { type Day, isDay } from "../../shared/time/day.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { Lineages } from "../store/indexes.ts";
import type { RepositoryReader } from "../store/store.ts";
import { SwordError, swordRefusals } from "./messages.ts";
import type { NamedItems } from "./named-items.ts";
import type { StagedFile, UnpackedPackage } from "./unpacking-package.ts";

/** An item that may be registered, but for its bytes. */
export type CheckedItem = ContentPlan & { readonly described: DescribedItem };

export type CheckingIn = {
  readonly viewer: Viewer;
  readonly kind: UnpackedPackage["kind"];
  /** Payload files that belong to this item. */
  readonly files: readonly StagedFile[];
  readonly definition: ItemTypeDefinition;
  readonly today: Day;
  readonly defaultIndex: IndexId | null;
  /** Indexes that contain the item already: a replacement does not need permission for them again. */
  readonly known?: readonly number[];
  /** What is known of the tree already. */
  readonly lineages?: Lineages;
};

/**
 * Metadata, required fields, index and publication status; `finished` fills in what the item has already. @throws
 * SwordError message 11.
 */
export async function checkItem(
  reader: RepositoryReader,
  described: DescribedItem,
  { viewer, kind, files, definition, today, defaultIndex, known = [], lineages }: CheckingIn,
  finished: (content: PlannedContent) => PlannedContent = (content) => content,
): Promise<CheckedItem> {
  const groups = new Map<string, number>();
  const namesGroups = described.files.some((file) => file.groups !== undefined && file.groups.length > 0);
  for (const { id, name } of namesGroups ? await reader.accounts.groups() : [])
    groups.set(name, id).set(String(id), id);
  const { content: read, notes } = planContent(described, {
    kind,
    payload: files.map(({ path, name, upload }) => ({ ...upload, path, name })),
    itemType: definition,
    today,
    defaultIndex,
    groups,
  });
  const content = finished(read);
  await yieldToEventLoop();
  requireFields(content, definition);
  await requireIndexes(
    reader,
    viewer,
    content.indexes.filter((id) => !known.includes(id)),
    lineages,
  );
  return { content, notes, described };
}

/** Message 11 naming every required field that is missing; with what there is, for those who keep it (R16). */
export class IncompleteItem extends SwordError {
  readonly content: PlannedContent;

  constructor(content: PlannedContent, missing: readonly string[]) {
    const { type, message, messageNumber } = swordRefusals.itemCheck(
      missing.map((name) => `"${name}" is required.`).join(" "),
    );
    super(type, message, messageNumber);
    this.content = content;
  }
}

/** @throws IncompleteItem */
function requireFields(content: PlannedContent, definition: ItemTypeDefinition): void {
  const missing = missingFields(content, definition);
  if (missing.length > 0) throw new IncompleteItem(content, missing);
}

function missingFields({ metadata, files, access }: PlannedContent, definition: ItemTypeDefinition): readonly string[] {
  return missingRequired(metadata, definition, files.map(claimOf), access.openDate);
}

/**
 * The indexes are there and admit the owner (R2e, R16). `known`: what was read of the tree already. @throws SwordError
 * message 11.
 */
export async function requireIndexes(
  reader: RepositoryReader,
  viewer: Viewer,
  indexes: readonly IndexId[],
  known: Lineages = new Map(),
): Promise<void> {
  const read = await reader.indexes.lineages(indexes.filter((id) => !known.has(id)));
  for (const id of indexes) {
    const lineage = known.get(id) ?? read.get(id);
    if (lineage === undefined) throw swordRefusals.itemCheck(`index ${id} does not exist`);
    if (may(viewer, "item.file", lineage)) continue;
    throw swordRefusals.itemCheck(`you may not put items into index ${id}`);
  }
}

type RegisteredNeeds = {
  readonly store: Pick<RepositoryReader, "items">;
  /** Whether the depositor may read the registered item: nobody else receives its title. */
  readonly mayRead: (itemId: ItemId) => Promise<boolean>;
};

/** @throws SwordError message 12 for a package that names an item, or 404 for a number that names none */
export async function refuseRegistered({ ids: [id] }: NamedItems, { store, mayRead }: RegisteredNeeds): Promise<void> {
  if (id === undefined) return;
  const item = await store.items.item(id);
  if (item === null || item.state !== "published") throw new SwordError("NotFound", `Item not found. (recid=${id})`);
  const title = item.content === null ? "" : mainTitle(item.content.metadata);
  throw title !== "" && (await mayRead(id))
    ? swordRefusals.alreadyRegistered(id, title)
    : swordRefusals.alreadyRegistered(id);
}

/** Searches for duplicates outside of any transaction, so that a refusal costs nothing. */
export async function refuseDuplicate(
  find: (metadata: Metadata) => Promise<readonly number[]>,
  metadata: Metadata,
): Promise<void> {
  const ids = await find(metadata);
  if (ids.length > 0) throw swordRefusals.duplicate(ids);
}

// From what a package describes to what an item is (specification 2, processing steps 9 and 11; R2d, R13a, R14): files
// by name, access, indexes. Every refusal is message 11 and names the value.

/** A payload file of the package, as the item will store it. */
type PayloadFile = {
  /** Relative to the payload folder. */
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly md5: string | null;
  readonly sizeBytes: number;
};

type ContentNeeds = {
  readonly kind: PackageKind;
  readonly payload: readonly PayloadFile[];
  readonly itemType: { readonly id: number; readonly version: number };
  /** The day of the deposit in the repository's time zone. */
  readonly today: Day;
  /** Index of a package that names none. */
  readonly defaultIndex: IndexId | null;
  /** Groups by id and by name. */
  readonly groups: ReadonlyMap<string, number>;
};

/** `notes`: what was read and could not be kept, one sentence each. */
type ContentPlan = { readonly content: PlannedContent; readonly notes: readonly string[] };

const PUBLISH_STATUS: Readonly<Record<string, Access["record"]>> = { public: "public", private: "restricted" };

/** @throws SwordError message 11. */
function planContent(described: DescribedItem, needs: ContentNeeds): ContentPlan {
  const notes: string[] = [...described.notes];
  const files = planFiles(described.files, needs, notes);
  const { instructions, settings, metadata } = described;
  return {
    content: {
      itemType: needs.itemType.id,
      itemTypeVersion: needs.itemType.version,
      metadata,
      access: planAccess(described, needs),
      indexes: planIndexes(instructions.index, needs.defaultIndex),
      settings: { ...settings, packageFormat: formatOf(needs.kind) },
      files,
    },
    notes,
  };
}

function planAccess({ instructions, access }: DescribedItem, { today }: ContentNeeds): Access {
  const stated = instructions.publishStatus;
  const record = stated === undefined ? (access?.record ?? "public") : own(PUBLISH_STATUS, stated);
  if (record === undefined) throw swordRefusals.itemCheck(`publish status "${stated}" is neither public nor private`);
  const openDate = instructions.openDate ?? access?.openDate ?? today;
  if (!isDay(openDate)) throw swordRefusals.itemCheck(`pubdate "${openDate}" is not a day of the form yyyy-MM-dd`);
  return { record, openDate, files: "public", embargoUntil: null, embargoReason: "" };
}

const INDEX_ID = /^[1-9]\d{0,15}$/;

function planIndexes(written: readonly string[] | undefined, fallback: number | null): readonly number[] {
  if (written === undefined || written.length === 0) return fallback === null ? [] : [fallback];
  if (written.length > most("indexes")) {
    throw swordRefusals.itemCheck(`the package names ${written.length} indexes, ${most("indexes")} are the most`);
  }
  const ids = written.map((text) => {
    // A path of ids names its last one.
    const id = text.trim().split("/").at(-1)?.trim() ?? "";
    if (!INDEX_ID.test(id)) throw swordRefusals.itemCheck(`index "${text}" is not an index id`);
    return Number(id);
  });
  return [...new Set(ids)];
}

/** Every payload file becomes a file of the item, with its description from the document. */
function planFiles(claims: readonly FileClaim[], needs: ContentNeeds, notes: string[]): readonly PlannedFile[] {
  const byPath = new Map<string, FileClaim>();
  const held = new Set(needs.payload.flatMap(({ path, name }) => [path, name]));
  for (const claim of claims) {
    const path = claimedPath(claim.path, (each) => held.has(each));
    if (path === "") continue;
    if (byPath.has(path)) throw swordRefusals.itemCheck(`the file "${path}" is described twice`);
    byPath.set(path, claim);
  }
  const files = needs.payload.map((file) => {
    const claim = claimFor(file, byPath);
    return planFile(file, claim, needs);
  });
  for (const [path, claim] of byPath) missing(path, claim, needs, notes);
  return files;
}

/** A document may call a file by its path or by the name it gets. Taken claims are taken out. */
function claimFor(file: PayloadFile, claims: Map<string, FileClaim>): FileClaim | undefined {
  const key = [file.path, file.name].find((each) => claims.has(each));
  if (key === undefined) return undefined;
  const claim = claims.get(key);
  claims.delete(key);
  return claim;
}

/**
 * A described file that the package lacks: a table promises it, other formats may speak of files that lie elsewhere.
 */
function missing(path: string, claim: FileClaim, { kind }: ContentNeeds, notes: string[]): void {
  if (kind === "tsv-csv" && (claim.url === undefined || claim.url === "")) {
    throw swordRefusals.itemCheck(`the file "${path}" is not in the package`);
  }
  notes.push(`The file "${path}" is described and not in the package: it was left out`);
}

function planFile(file: PayloadFile, claim: FileClaim | undefined, needs: ContentNeeds): PlannedFile {
  const access: FileAccess = claim?.access ?? "open";
  if (!FILE_ACCESS.includes(access))
    throw swordRefusals.itemCheck(`access "${access}" of the file "${file.path}" is unknown`);
  const date = claim?.accessDate ?? null;
  if (date !== null && !isDay(date)) {
    throw swordRefusals.itemCheck(
      `the file "${file.path}" opens on "${date}", which is not a day of the form yyyy-MM-dd`,
    );
  }
  if (access === "date" && date === null)
    throw swordRefusals.itemCheck(`the file "${file.path}" opens on a date, and none is given`);
  const { label, objectType, version, license, licenseText, displayType, url, dates, extents } = claim ?? {};
  return {
    name: file.name,
    sha256: file.sha256,
    md5: file.md5,
    sizeBytes: file.sizeBytes,
    // The media type that a client states has no effect; the file name decides.
    mediaType: mediaTypeOf(file.name),
    access,
    accessDate: date,
    groups: (claim?.groups ?? []).map((group) => groupId(group, file, needs)),
    ...withoutUndefined({ label, objectType, version, license, licenseText, displayType, url, dates, extents }),
  };
}

function groupId(group: string, file: PayloadFile, { groups }: ContentNeeds): number {
  const id = groups.get(group.trim());
  if (id === undefined)
    throw swordRefusals.itemCheck(`the file "${file.path}" names the group "${group}", which does not exist`);
  return id;
}

// Which file of the payload a metadata document means (R13a; specification "Package content rules"): paths are relative
// to the payload folder, and documents may write that folder before them. A folder of the payload may itself be called
// `data`: what is there under the path as it is written counts first.

const PAYLOAD_FOLDER = "data/";

/**
 * The path, or the name, of the file that is meant; where the payload holds none, the path without the payload folder.
 * `has`: by path or by name.
 */
export function claimedPath(written: string, has: (path: string) => boolean): string {
  const plain = withoutDot(written);
  if (has(plain) || !plain.startsWith(PAYLOAD_FOLDER)) return plain;
  return withoutDot(plain.slice(PAYLOAD_FOLDER.length));
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}
