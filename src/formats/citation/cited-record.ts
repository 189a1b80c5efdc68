// An exported record for citations, tags and links: with only those files that everybody may read.
import type { ExportedRecord } from "../exported-record.ts";
import type { CitedItem } from "./cited-item.ts";

export const citedOf = (record: ExportedRecord): CitedItem => ({
  metadata: record.metadata,
  landingPage: record.landingPage,
  ark: record.arkUrl,
  repositoryName: record.repositoryName,
  updatedAt: record.updatedAt,
  files: record.files.filter(({ isPublic }) => isPublic),
});
