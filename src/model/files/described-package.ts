// What a reader of a metadata document returns, whatever its format: one or more items as a package describes them
// (R13a, R14; specification "Package content rules"). Readers only report the content; defaults, rights and required
// fields are decided later.

import { withoutUndefined } from "../../shared/objects.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Access, FileAccess, ItemContent, ItemFile, PrivateSettings } from "../items/item.ts";
import type { Metadata } from "../metadata/metadata.ts";

/** Names of the formats as messages and settings use them (message 15, R17). */
export const METADATA_FORMATS = ["TSV/CSV", "XML", "JSON"] as const;
export type MetadataFormat = (typeof METADATA_FORMATS)[number];

/** What kind of package was detected (R13a). */
const PACKAGE_KINDS = ["tsv-csv", "jpcoar-xml", "ro-crate", "sword-bagit"] as const;
export type PackageKind = (typeof PACKAGE_KINDS)[number];

export function formatOf(kind: PackageKind): MetadataFormat {
  if (kind === "tsv-csv") return "TSV/CSV";
  return kind === "jpcoar-xml" ? "XML" : "JSON";
}

/** A document's statements about a file, in the members of the item's own file. */
type FileStatement = Pick<
  ItemFile,
  "label" | "objectType" | "version" | "license" | "licenseText" | "displayType" | "url" | "dates" | "extents"
>;

/**
 * A file of a metadata document. `path` is as the document writes it, relative to the payload folder, not flattened.
 */
export type FileClaim = FileStatement & {
  readonly path: string;
  readonly mediaType?: string;
  readonly access?: FileAccess;
  readonly accessDate?: string;
  /** Ids or names of groups as written. */
  readonly groups?: readonly string[];
};

/** What the document asks the repository to do (flags of R14, TSV columns that begin with a dot). Absent: not set. */
export type Instructions = {
  readonly split?: boolean;
  readonly saveAsIs?: boolean;
  readonly metadataAutoFill?: boolean;
  readonly metadataReplace?: boolean;
  /** Index ids as written. */
  readonly index?: readonly string[];
  readonly publishStatus?: string;
  readonly editMode?: string;
  readonly itemLinks?: readonly { readonly identifier: string; readonly value: string }[];
  /** `YYYY-MM-DD` (pubdate), gates the record (R2d). */
  readonly openDate?: Day;
};

/** One item as the package describes it. */
export type DescribedItem = {
  /** Local name inside the document (`_:item2`, `./`), by which links and split parts refer to it. */
  readonly localId: string;
  /**
   * The existing item the document names, as written; null when it names none. `names`: an ARK or an address of the
   * item that may belong to this repository; identifiers among the metadata are not repeated here.
   */
  readonly existing: { readonly id: string | null; readonly uri: string | null; readonly names?: readonly string[] };
  /** Item type named by the document (TSV); null when it names none. */
  readonly itemType: number | null;
  readonly metadata: Metadata;
  readonly instructions: Instructions;
  readonly settings: PrivateSettings;
  readonly access?: Partial<Pick<Access, "record" | "openDate">>;
  readonly files: readonly FileClaim[];
  /** What the document contains and this item could not take, one sentence each; returned in `state[0].description`. */
  readonly notes: readonly string[];
};

/** A file of an item whose bytes are not in the storage yet. */
export type PlannedFile = Omit<ItemFile, "storageKey">;
export type PlannedContent = Omit<ItemContent, "files"> & { readonly files: readonly PlannedFile[] };

// A file of the repository in the form of an item type.

/**
 * A file in forms and tables: what its depositor can state, nothing the repository found out or keeps for itself.
 */
export function claimOf(file: PlannedFile): FileClaim {
  const { name, mediaType, access, accessDate, groups } = file;
  const { label, objectType, version, license, licenseText, displayType, url, dates, extents } = file;
  const stated = { label, objectType, version, license, licenseText, displayType, url, dates, extents };
  return {
    path: name,
    mediaType,
    access,
    ...(accessDate === null ? {} : { accessDate }),
    ...(groups.length === 0 ? {} : { groups: groups.map(String) }),
    ...withoutUndefined(stated),
  };
}
