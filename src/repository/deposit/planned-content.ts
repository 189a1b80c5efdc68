// From what a package describes to what an item is (specification 2, processing steps 9 and 11; R2d, R13a, R14): files by name, access, indexes.
// Every refusal is message 11 and names the value.

import {
  type DescribedItem,
  type FileClaim,
  formatOf,
  type PackageKind,
  type PlannedContent,
  type PlannedFile,
} from "../../model/files/described-package.ts";
import { type Access, FILE_ACCESS, type FileAccess } from "../../model/items/item.ts";
import { own } from "../../shared/fields.ts";
import { most } from "../../shared/limits.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { claimedPath } from "./claimed-path.ts";
import { swordRefusals } from "./messages.ts";

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
  readonly today: string;
  /** Index of a package that names none. */
  readonly defaultIndex: number | null;
  /** Groups by id and by name. */
  readonly groups: ReadonlyMap<string, number>;
  readonly mediaTypeOf: (name: string) => string;
  /** Days that exist, `YYYY-MM-DD`. */
  readonly isDay: (text: string) => boolean;
};

/** `notes`: what was read and could not be kept, one sentence each. */
export type ContentPlan = { readonly content: PlannedContent; readonly notes: readonly string[] };

const PUBLISH_STATUS: Readonly<Record<string, Access["record"]>> = { public: "public", private: "restricted" };

/** @throws SwordError message 11. */
export function planContent(described: DescribedItem, needs: ContentNeeds): ContentPlan {
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

function planAccess({ instructions, access }: DescribedItem, { today, isDay }: ContentNeeds): Access {
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

/** A described file that the package lacks: a table promises it, other formats may speak of files that lie elsewhere. */
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
  if (date !== null && !needs.isDay(date)) {
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
    mediaType: needs.mediaTypeOf(file.name),
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
