// Reading what somebody sent where it cannot hold the server (R9a): large directories, manifests and metadata documents
// are read by a thread that is ended when it takes too long. What crosses is the path of the package on the disk, and
// plain values.
import type { DescribedItem, PackageKind } from "../../model/files/described-package.ts";
import type { Json } from "../../shared/json/json.ts";
import type { Day } from "../../shared/time/day.ts";

/** The entries of an archive in columns: many small objects take longer to cross than to be read. */
export type EntryTable = {
  readonly paths: readonly string[];
  /** For each entry: 1 for a folder, size, compressed size, CRC-32, method, where its bytes begin. */
  readonly facts: Float64Array;
};

/** File to algorithm to hash, as manifests list them. */
type ListedHashes = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type BagTable = { readonly payload: ListedHashes; readonly tags: ListedHashes };

export type TypeText = { readonly id: number; readonly version: number; readonly definition: Json };

/** A metadata document and all that its reader needs to know. */
export type DescribeOrder = {
  readonly kind: PackageKind;
  readonly metadata: Uint8Array;
  /** Paths of the payload, for documents that name files. */
  readonly payload: readonly string[];
  readonly today: Day;
  /** The item types a table may be of; empty for other kinds. */
  readonly itemTypes: readonly TypeText[];
  /** By what a JSON-LD document is read; null for other kinds. */
  readonly mapping: { readonly id: number; readonly definition: Json; readonly itemType: TypeText } | null;
};

export interface Parsing {
  /** @throws DocumentError when the archive breaks a rule, and when reading it takes too long. */
  directory(path: string): Promise<EntryTable>;
  /** @throws DocumentError likewise. */
  bag(path: string): Promise<BagTable>;
  /** @throws DocumentError, Refusal or SwordError, as the readers do. */
  describe(order: DescribeOrder): Promise<readonly DescribedItem[]>;
}
