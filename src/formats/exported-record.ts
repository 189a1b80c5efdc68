// A record as the writers of all export formats take it (R38): everything the reader may see of it, and nothing else.

import type { AccessStatus } from "../model/access/openness.ts";
import type { Access, FileAccess } from "../model/items/item.ts";
import type { Metadata } from "../model/metadata/metadata.ts";
import type { ItemId, ParentId } from "../shared/ids.ts";
import type { Day } from "../shared/time/day.ts";
import type { Instant } from "../shared/time/instant.ts";

export type ExportedFile = {
  /** Its path as people wrote it. */
  readonly name: string;
  readonly url: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Hex; null where it is not known, and where the reader may not have the file (R2g). */
  readonly md5: string | null;
  readonly sha256: string | null;
  readonly access: FileAccess;
  /** Everybody may have it. */
  readonly isPublic: boolean;
};

export type ExportedRecord = {
  readonly id: ItemId;
  readonly parentId: ParentId;
  readonly versionIndex: number;
  /** Of the versions the reader may read. */
  readonly isLatest: boolean;
  /** As the reader may see it. */
  readonly metadata: Metadata;
  readonly access: Access;
  readonly status: AccessStatus;
  /** The day on which access opens by itself; null where none is set. */
  readonly opensOn: Day | null;
  readonly files: readonly ExportedFile[];
  readonly filesEnabled: boolean;
  readonly landingPage: string;
  /** The address that always leads to the latest version. */
  readonly parentPage: string;
  /** `ark:NAAN/name`; null before it is minted. */
  readonly ark: string | null;
  /** The same at its resolver. */
  readonly arkUrl: string | null;
  /** Identifier for harvesters; null for what guests may not read. */
  readonly oai: string | null;
  readonly repositoryName: string;
  /** Of the repository, without slash at the end. */
  readonly baseUrl: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly publishedAt: Instant | null;
  /** Landing pages of the versions before and after it that the reader may read. */
  readonly replaces: string | null;
  readonly isReplacedBy: string | null;
  readonly communities: readonly { readonly slug: string; readonly title: string }[];
};

/** A document, and a sentence for each part of the record it leaves out. The same record gives the same document. */
export type WrittenExport = { readonly text: string; readonly leftOut: readonly string[] };
