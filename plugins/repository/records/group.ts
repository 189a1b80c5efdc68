// What the operations of records share (R37).
import type { Viewer } from "../../../src/auth/account.ts";
import type { RecordJson } from "../../../src/repository/records/record-json.ts";
import type { Records } from "../../../src/repository/records/records.ts";
import type { RecordId } from "../../../src/shared/ids.ts";
import type { EndpointGroup } from "../endpoint.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordGroup } from "../record-dialect.ts";

export type RecordServices = {
  readonly guard: Pick<RepositoryGuard, "json" | "document">;
  readonly records: Records;
  readonly baseUrl: string;
  /** The record in the format that `Accept` names; null: it names none of another kind. */
  readonly exported: (request: Request, viewer: Viewer, id: RecordId) => Promise<Response | null>;
};

/** `name`: of the plugin; `id`: what that part of its addresses is. All count together against the limit of requests per minute (R9). */
export const recordsGroup = (name: string, id = "Number of the record"): EndpointGroup =>
  recordGroup({
    name,
    tag: "Records (drafts and versions)",
    rateGroup: "records",
    scopes: ["item:read"],
    ofOne: [404],
    pathParameters: {
      id,
      revision: "Number of the revision",
      link: "UUID of the link",
      subject: "Number of the user or group; among all grants a group is `role:` and its number",
    },
  });

/** The revision. For a version that is not the latest the tag states it: this may change without a new revision. */
export const revisionTag = (revision: number, isLatest = true): string => `"${revision}${isLatest ? "" : ".older"}"`;

/** A record as an answer, with its revision as the ETag. */
export const tagged = {
  headers: { ETag: { description: "The revision", schema: { type: "string" } } },
  headersOf: ({ revision_id: revision, is_draft: isDraft, versions }: RecordJson) => ({
    etag: revisionTag(revision, isDraft || versions.is_latest),
  }),
};
