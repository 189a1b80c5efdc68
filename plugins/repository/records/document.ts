// How the routes of records describe themselves in the interface description (R32, R37): kept apart from the routes.
import { type TSchema, Type } from "@sinclair/typebox";
import {
  ifMatch,
  locationOf,
  open,
  operation,
  pathParameter,
  queryParameter,
  refusals,
  response,
} from "../../http/document-parts.ts";

const TAG = "Records (drafts and versions)";

const RecordErrorOut = Type.Object({
  status: Type.Integer(),
  message: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ field: Type.String(), messages: Type.Array(Type.String()) }), {
      description: "Every field that is wrong, by its path",
    }),
  ),
});

const TombstoneOut = open({
  removal_reason: Type.Union([Type.Object({ id: Type.String() }), Type.Null()]),
  note: Type.String(),
  removal_date: Type.String(),
  citation_text: Type.String(),
  is_visible: Type.Boolean(),
});

const RecordIn = open({
  metadata: Type.Optional(open({})),
  custom_fields: Type.Optional(open({})),
  access: Type.Optional(
    open({
      record: Type.Optional(Type.String({ description: "public, restricted" })),
      files: Type.Optional(Type.String({ description: "public, restricted" })),
      embargo: Type.Optional(
        open({
          active: Type.Boolean(),
          until: Type.Optional(Type.String({ description: "YYYY-MM-DD" })),
          reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        }),
      ),
    }),
  ),
  files: Type.Optional(open({ enabled: Type.Optional(Type.Boolean()) })),
});

export const RecordOut = open({
  id: Type.String(),
  recid: Type.String(),
  created: Type.String(),
  updated: Type.String(),
  revision_id: Type.Integer({ description: "Of the published side, or of the draft that is shown; also the ETag" }),
  is_published: Type.Boolean(),
  is_draft: Type.Boolean(),
  status: Type.String(),
  state: Type.String(),
  versions: Type.Object({ index: Type.Integer(), is_latest: Type.Boolean(), is_latest_draft: Type.Boolean() }),
  parent: open({ id: Type.String() }),
  pids: open({}),
  metadata: open({}),
  custom_fields: open({}),
  access: open({}),
  files: open({ enabled: Type.Boolean() }),
  links: open({ self: Type.String() }),
  errors: Type.Optional(RecordErrorOut.properties.errors),
});

const REFUSED = {
  ...refusals(RecordErrorOut, {
    400: "Something sent is wrong: `errors` names every field",
    403: "The token lacks the scope, or the caller may not do this",
    404: "There is no such record, or none the caller may know of",
  }),
  410: response(
    "The record was deleted",
    Type.Object({ ...RecordErrorOut.properties, tombstone: Type.Optional(TombstoneOut) }),
  ),
};
const BUSY = { 409: response("Somebody else works on the record", RecordErrorOut) };
const CONDITION = { 412: response("Another revision is there than `If-Match` names", RecordErrorOut) };
const IF_MATCH = ifMatch("Revision of the draft the caller has seen");
const IF_MATCH_RECORD = { ...IF_MATCH, description: "Revision of the record; a deletion makes one too" };
const ETAG = { ETag: { description: "The revision", schema: { type: "string" } } };

export const RECORD_ID = pathParameter("id", "Number of the record", { example: "7" });

type RecordOperation = {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: string;
  readonly answers: Readonly<Record<number, object>>;
  readonly body?: TSchema;
  readonly parameters?: readonly object[];
  readonly open?: true;
};

export function recordOperation({
  id,
  summary,
  description,
  scope,
  answers,
  body,
  parameters = [RECORD_ID],
  open,
}: RecordOperation) {
  return {
    ...operation({
      id,
      tag: TAG,
      summary,
      description: `${description}\n\nScope of a token: \`${scope}\`.`,
      parameters,
      ...(body === undefined ? {} : { body }),
      responses: { ...REFUSED, ...answers },
    }),
    ...(open === true ? { security: [{}, { bearer: [scope] }] } : {}),
  };
}

const record = (description: string) => response(description, RecordOut, ETAG);

export const CREATE = recordOperation({
  id: "createRecordDraft",
  summary: "A new draft",
  description: "A draft may be invalid: wrong values are left out and reported in `errors`.",
  scope: "item:create",
  parameters: [],
  body: RecordIn,
  answers: { 201: record("The draft") },
});

export const READ = recordOperation({
  id: "readPublishedRecord",
  summary: "One record",
  description:
    "The published record. The number of a parent means its latest version that the caller may read. Guests may read. `Accept` with the media type of an export (`GET /records/{id}/export/{format}`) returns that format.",
  scope: "item:read",
  open: true,
  parameters: [
    RECORD_ID,
    queryParameter("include_deleted", "Administrators get a deleted record with its tombstone", Type.Boolean()),
  ],
  answers: { 200: record("The record"), 304: response("The record is as the caller has it", null, ETAG) },
});

export const LATEST = recordOperation({
  id: "latestRecordVersion",
  summary: "The latest version",
  description: "Leads to the latest version that the caller may read. Guests may ask.",
  scope: "item:read",
  open: true,
  answers: {
    301: response("Where the latest version is", open({ location: Type.String() }), locationOf("latest version")),
  },
});

const RevisionOut = open({
  revision_id: Type.Integer(),
  created: Type.String(),
  action: Type.String(),
  by: Type.Union([Type.Object({ user: Type.String() }), Type.Null()]),
  changed: Type.Array(Type.String(), { description: "Paths of what was changed" }),
  title: Type.String(),
  json: open({}),
});

export const REVISIONS = recordOperation({
  id: "listRecordRevisions",
  summary: "The edit history of a record",
  description:
    "Newest first: who changed what and when. For the owner, curators of its communities and administrators. X-Total-Count contains their number.",
  scope: "item:read",
  parameters: [
    RECORD_ID,
    queryParameter("page", "Counted from 1", Type.Integer({ default: 1 })),
    queryParameter("size", "Revisions of a page, up to 100", Type.Integer({ default: 25 })),
  ],
  answers: { 200: response("The revisions", Type.Array(RevisionOut)) },
});

export const REVISION = recordOperation({
  id: "readRecordRevision",
  summary: "One revision of a record",
  description: "The record at that revision. For callers that may see its history.",
  scope: "item:read",
  parameters: [RECORD_ID, pathParameter("revision", "Number of the revision", { example: 1 })],
  answers: { 200: response("The revision", RevisionOut) },
});

const GrantsOut = open({ hits: Type.Object({ total: Type.Integer(), hits: Type.Array(open({ id: Type.String() })) }) });

const WHO_SHARES = "For its owner, those who manage it and administrators.";

/** `name`: under which of the names it is asked for: all grants, those of users, those of groups. */
export const grantsOperation = (name: string) =>
  recordOperation({
    id: `listRecord${name}`,
    summary: "With whom a record is shared",
    description: WHO_SHARES,
    scope: "item:read",
    answers: { 200: response("The grants", GrantsOut) },
  });

const SUBJECT = pathParameter(
  "subject",
  "Number of the user or group; among all grants a group is `role:` and its number",
  {
    example: "1",
  },
);
const GrantOut = open({ id: Type.String() });
const PermissionIn = Type.String({ description: "view, preview (drafts too), edit or manage (sharing too)" });

export const grantOperation = (name: string) =>
  recordOperation({
    id: `readRecord${name}`,
    summary: "One grant of a record",
    description: WHO_SHARES,
    scope: "item:read",
    parameters: [RECORD_ID, SUBJECT],
    answers: { 200: response("The grant", GrantOut) },
  });

export const changeGrantOperation = (name: string, verb: "change" | "replace") =>
  recordOperation({
    id: `${verb}Record${name}`,
    summary: "Share a record for something else",
    description: WHO_SHARES,
    scope: "item:update",
    parameters: [RECORD_ID, SUBJECT],
    body: open({ permission: PermissionIn }),
    answers: { 200: response("The grant", GrantOut) },
  });

export const unshareOperation = (name: string) =>
  recordOperation({
    id: `removeRecord${name}`,
    summary: "Share a record no longer",
    description: WHO_SHARES,
    scope: "item:update",
    parameters: [RECORD_ID, SUBJECT],
    answers: { 204: response("It is shared no longer", null) },
  });

export const SHARE = recordOperation({
  id: "shareRecord",
  summary: "Share a record",
  description: `Users and groups (\`role\`) get a right to the record and its other versions; one that has a right already gets this one instead. ${WHO_SHARES}`,
  scope: "item:update",
  body: open({
    grants: Type.Array(
      open({
        subject: Type.Object({ type: Type.String({ description: "user or role" }), id: Type.String() }),
        permission: PermissionIn,
      }),
    ),
  }),
  answers: { 201: response("What was added", GrantsOut) },
});

export const READ_DRAFT = recordOperation({
  id: "readRecordDraft",
  summary: "The draft of a record",
  description: "The unpublished changes. `errors` lists what publishing would refuse.",
  scope: "item:read",
  answers: { 200: record("The draft") },
});

export const EDIT = recordOperation({
  id: "editRecord",
  summary: "Edit a published record",
  description: "Makes the draft of a published record. An existing draft is returned unchanged.",
  scope: "item:update",
  answers: { 201: record("The draft"), ...BUSY },
});

export const SAVE = recordOperation({
  id: "saveRecordDraft",
  summary: "Save a draft",
  description:
    "Replaces the members of this model in the draft; what this interface cannot show is kept. Saving the same data changes nothing.",
  scope: "item:update",
  parameters: [RECORD_ID, IF_MATCH],
  body: RecordIn,
  answers: { 200: record("The draft"), ...BUSY, ...CONDITION },
});

export const DISCARD = recordOperation({
  id: "discardRecordDraft",
  summary: "Discard a draft",
  description: "A record that was never published is gone with its draft; of a published one only the edit is.",
  scope: "item:delete",
  parameters: [RECORD_ID, IF_MATCH],
  answers: { 204: response("The draft is gone", null), ...BUSY, ...CONDITION },
});

export const PUBLISH = recordOperation({
  id: "publishRecordDraft",
  summary: "Publish a draft",
  description: "The whole draft is checked; with its first publishing a record gets its ARK in the same commit.",
  scope: "item:update",
  parameters: [RECORD_ID, IF_MATCH],
  answers: { 202: record("The published record"), ...BUSY, ...CONDITION },
});

export const NEW_VERSION = recordOperation({
  id: "newRecordVersion",
  summary: "A new version",
  description:
    "A draft with the metadata of the latest version, without its publication date, version label and files. Where a new version is being prepared, that one.",
  scope: "item:create",
  answers: { 201: record("The draft of the new version"), ...BUSY },
});

export const REMOVE = recordOperation({
  id: "deletePublishedRecord",
  summary: "Delete a published record",
  description: "Leaves a tombstone. Administrators only.",
  scope: "item:delete",
  parameters: [RECORD_ID, IF_MATCH_RECORD],
  body: open({
    removal_reason: Type.Optional(
      Type.Object({ id: Type.String({ description: "Entry of the vocabulary removalreasons" }) }),
    ),
    note: Type.Optional(Type.String()),
    is_visible: Type.Optional(Type.Boolean({ default: true })),
    citation_text: Type.Optional(Type.String()),
  }),
  answers: { 204: response("The record is deleted", null), ...BUSY, ...CONDITION },
});

export const RESTORE = recordOperation({
  id: "restoreRecord",
  summary: "Restore a deleted record",
  description: "Lifts the tombstone. Administrators only.",
  scope: "item:delete",
  parameters: [RECORD_ID, IF_MATCH_RECORD],
  answers: { 200: record("The record"), ...BUSY, ...CONDITION },
});
