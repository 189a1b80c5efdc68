// The shapes of records in answers (R37): what the functions next to them write, and the interface description names.

import { Type } from "@sinclair/typebox";
import { RecordAccessShape } from "../../formats/record/access.ts";
import { CustomFieldsShape, MetadataShape } from "../../formats/record/record-schema.ts";
import { CorrectionShape, hitsShape } from "../../model/input/list-parameters.ts";
import { FieldErrorShape } from "../../model/input/record-refusals.ts";
import { ITEM_STATES } from "../../model/items/item.ts";
import { MomentShape, manyOf, membersOf, UuidShape, wordOf } from "../../shared/shapes.ts";
import { RecordFileShape } from "../record-files/entries.ts";

/** The one word tools show for an item (R2c). */
const TOOL_STATUSES = [
  "draft",
  "draft_with_review",
  "in_review",
  "declined",
  "expired",
  "new_version_draft",
  "new_version_draft_with_review",
  "published",
  "deleted",
] as const;
export type ToolStatus = (typeof TOOL_STATUSES)[number];

const IdShape = Type.String({ pattern: "^[1-9][0-9]*$" });
const UserShape = Type.Object({ user: Type.String({ description: "Number of the account" }) });

export const TombstoneShape = Type.Object(
  {
    removal_reason: Type.Union([
      Type.Object({ id: Type.String({ description: "Entry of the vocabulary removalreasons" }) }),
      Type.Null(),
    ]),
    note: Type.String(),
    removed_by: Type.Optional(UserShape),
    removal_date: MomentShape,
    citation_text: Type.String(),
    is_visible: Type.Boolean(),
  },
  { $id: "Tombstone" },
);

const ParentShape = Type.Object(
  {
    id: IdShape,
    access: Type.Object({ owned_by: UserShape }),
    communities: Type.Object({ ids: Type.Optional(manyOf(UuidShape)), default: Type.Optional(UuidShape) }),
    pids: Type.Object({}),
    review: Type.Optional(
      Type.Object({
        id: UuidShape,
        type: wordOf(["community-submission"]),
        receiver: Type.Object({ community: UuidShape }),
      }),
    ),
  },
  { $id: "RecordParent", description: "What the versions of a record have in common" },
);

const PidShape = Type.Object({ identifier: Type.String(), provider: Type.String() });

const UsageShape = Type.Object(
  {
    views: Type.Integer(),
    unique_views: Type.Integer(),
    downloads: Type.Integer(),
    unique_downloads: Type.Integer(),
    data_volume: Type.Integer({ description: "Bytes" }),
  },
  { $id: "RecordUsage" },
);

const FilesShape = Type.Object(
  {
    enabled: Type.Boolean(),
    access: Type.Optional(wordOf(["restricted"])),
    order: Type.Optional(manyOf(Type.String())),
    default_preview: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    count: Type.Optional(Type.Integer()),
    total_bytes: Type.Optional(Type.Integer()),
    entries: Type.Optional(membersOf(RecordFileShape)),
  },
  { $id: "RecordFiles", description: "Callers who may not have the files learn only that there are some" },
);

/** A record, or its draft, as every answer has it. */
export const RecordShape = Type.Object(
  {
    id: IdShape,
    recid: IdShape,
    created: MomentShape,
    updated: MomentShape,
    revision_id: Type.Integer({ description: "Of the published side, or of the draft that is shown; also the ETag" }),
    is_published: Type.Boolean(),
    is_draft: Type.Boolean(),
    status: wordOf(TOOL_STATUSES),
    state: wordOf(ITEM_STATES),
    deletion_status: Type.Object({ is_deleted: Type.Boolean(), status: wordOf(["P", "D"]) }),
    versions: Type.Object({ index: Type.Integer(), is_latest: Type.Boolean(), is_latest_draft: Type.Boolean() }),
    parent: ParentShape,
    pids: Type.Object({
      ark: Type.Optional(PidShape),
      doi: Type.Optional(PidShape),
      oai: Type.Optional(PidShape),
    }),
    metadata: MetadataShape,
    custom_fields: CustomFieldsShape,
    access: RecordAccessShape,
    files: FilesShape,
    stats: Type.Optional(Type.Object({ this_version: UsageShape, all_versions: UsageShape })),
    links: membersOf(Type.String()),
    errors: Type.Optional(manyOf(FieldErrorShape)),
    tombstone: Type.Optional(Type.Union([TombstoneShape, Type.Null()])),
  },
  { $id: "Record" },
);

/** The draft that was made of a document, and what of the document it does not contain. */
export const ImportedRecordShape = Type.Intersect(
  [
    RecordShape,
    Type.Object({
      lost: manyOf(Type.String({ description: "What the draft does not contain of the document, by its path" })),
    }),
  ],
  { $id: "ImportedRecord" },
);

/** A page of records. */
export const RecordListShape = Type.Object(
  {
    ...hitsShape(RecordShape, "RecordList").properties,
    did_you_mean: CorrectionShape,
  },
  { $id: "RecordList" },
);

/** The access section of a revision: how open it is depends on the day. */
export const SectionShape = Type.Omit(RecordAccessShape, ["status"], { $id: "RevisionAccess" });

/** One revision of a record. */
export const RevisionShape = Type.Object(
  {
    revision_id: Type.Integer(),
    created: MomentShape,
    updated: MomentShape,
    action: Type.String(),
    by: Type.Union([UserShape, Type.Null()]),
    changed: manyOf(Type.String({ description: "Path of what was changed" })),
    title: Type.String(),
    erased: Type.Optional(MomentShape),
    json: Type.Object({
      id: IdShape,
      revision_id: Type.Integer(),
      metadata: MetadataShape,
      custom_fields: CustomFieldsShape,
      access: SectionShape,
      files: manyOf(
        Type.Unsafe<readonly [name: string, sha256: string]>(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })),
      ),
      indexes: manyOf(Type.Integer()),
    }),
  },
  { $id: "Revision" },
);
