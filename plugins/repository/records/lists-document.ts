// How the lists of records describe themselves in the interface description (R32, R37): kept apart from the routes.
import { Type } from "@sinclair/typebox";
import { pathParameter, queryParameter, response } from "../../http/document-parts.ts";
import { RECORD_ID, RecordOut, recordOperation } from "./document.ts";

const Bucket = {
  key: Type.String(),
  doc_count: Type.Integer(),
  label: Type.String(),
  is_selected: Type.Boolean(),
};
const RecordListOut = Type.Object({
  hits: Type.Object({
    hits: Type.Array(RecordOut),
    total: Type.Integer({ description: "All records that the caller may read and that are found" }),
  }),
  aggregations: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        label: Type.String(),
        buckets: Type.Array(
          Type.Object({
            ...Bucket,
            inner: Type.Optional(Type.Object({ buckets: Type.Array(Type.Object(Bucket)) })),
          }),
        ),
      }),
      { description: "Values over everything that was found before facets were chosen" },
    ),
  ),
  sortBy: Type.String(),
  page: Type.Integer(),
  links: Type.Object({
    self: Type.String(),
    prev: Type.Optional(Type.String()),
    next: Type.Optional(Type.String()),
  }),
});

const INTEGER = { type: "integer" } as const;
const STRING = { type: "string" } as const;
const BOOLEAN = { type: "boolean" } as const;

const PARAMETERS = [
  queryParameter(
    "q",
    "A query in Lucene's manner (docs/record-search.md): words, phrases, fields, ranges, patterns. Text that is not a query is read as words",
    STRING,
  ),
  queryParameter("size", "Records of a page (25); page times size is 10000 at most", INTEGER),
  queryParameter("page", "Counts from 1", INTEGER),
  queryParameter(
    "sort",
    "bestmatch, newest, oldest, updated-desc, updated-asc, version, mostviewed, mostdownloaded",
    STRING,
  ),
];
const FACET_PARAMETERS = [
  queryParameter("allversions", "Also versions that are not the latest", BOOLEAN),
  queryParameter("publication_date", "A year, a month, a day, or a range as 2014..2020", STRING),
  queryParameter("access_status", "open, embargoed, restricted, metadata-only", STRING),
  queryParameter("file_type", "The end of a file's name: pdf", STRING),
  queryParameter("resource_type", "publication, or publication::publication-article", STRING),
  queryParameter("language", "ISO 639-3", STRING),
  queryParameter("subject", "A subject, as it is written", STRING),
  queryParameter("f", "A facet and its value with a colon between them, as pages write them", STRING),
];

const found = { 200: response("What was found", RecordListOut) };

export const SEARCH = recordOperation({
  id: "searchPublishedRecords",
  summary: "Find records",
  description: "Published records that the caller may read, the latest version of each. Guests may ask.",
  scope: "item:read",
  open: true,
  parameters: [...PARAMETERS, ...FACET_PARAMETERS],
  answers: found,
});

export const OWN = recordOperation({
  id: "searchOwnRecords",
  summary: "The caller's records and drafts",
  description: "One entry for each thing: its newest version, and of what is being changed the draft.",
  scope: "item:read",
  parameters: [
    ...PARAMETERS,
    ...FACET_PARAMETERS,
    queryParameter("is_published", "true, false", STRING),
    queryParameter("shared_with_me", "What others share with the caller, in place of the caller's own", BOOLEAN),
  ],
  answers: found,
});

export const VERSIONS = recordOperation({
  id: "listRecordVersions",
  summary: "All versions of a record",
  description:
    "Published versions that the caller may read, the newest first. Any version may be named. Guests may ask.",
  scope: "item:read",
  open: true,
  parameters: [RECORD_ID, ...PARAMETERS],
  answers: found,
});

export const COMMUNITY = recordOperation({
  id: "searchCommunityRecords",
  summary: "Published records of a community",
  description: "As the list of all records. Guests may ask where the community is public.",
  scope: "item:read",
  open: true,
  parameters: [
    pathParameter("id", "Number or slug of the community", { example: "library" }),
    ...PARAMETERS,
    ...FACET_PARAMETERS,
  ],
  answers: found,
});
