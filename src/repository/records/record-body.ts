// A record as clients send it (R37).

import { Type } from "@sinclair/typebox";
import { ACCESS } from "../../formats/record/access.ts";
import { CUSTOM_FIELDS } from "../../formats/record/custom-fields.ts";
import { FILES, METADATA } from "../../formats/record/record.ts";
import { sentBack, shape } from "../../formats/record/record-input.ts";
import { boolean, type Field, objectOf, optional, whole } from "../../shared/fields.ts";
import { EXTERNAL_DOI } from "./record-dois.ts";

/** The request by which a community reviews the draft; it is read where that is set. */
const REVIEW = Type.Object(
  {
    type: Type.Literal("community-submission"),
    receiver: Type.Object({ community: Type.String({ description: "UUID or slug" }) }),
  },
  { additionalProperties: true },
);

/** What is wrong in it is left out of the draft and reported: it is read over the stored record, not here. */
export const SENT_RECORD: Field<object> = {
  ...shape(
    {
      metadata: optional(METADATA),
      custom_fields: optional(CUSTOM_FIELDS),
      access: optional(ACCESS),
      files: optional(FILES),
      pids: optional(shape({ doi: optional(EXTERNAL_DOI) }, { others: "ignored" })),
      parent: optional(shape({ review: optional(sentBack(REVIEW)) }, { others: "ignored" })),
      revision_id: optional(whole(0, undefined, { description: "Refused where the record has another revision" })),
      is_draft: optional(boolean()),
    },
    { others: "ignored", $id: "RecordInput", description: "Members that only answers have may be sent back" },
  ),
  read: objectOf,
};
