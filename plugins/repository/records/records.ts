// Records over HTTP (R37; specification 3, "Tool-server records and requests"), in the dialect clients of existing
// record repositories speak.

import { Type } from "@sinclair/typebox";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { MERGE_QUERY } from "../../../src/repository/records/draft-merging.ts";
import {
  COMPARE_QUERY,
  DraftRevisionLineShape,
  DraftRevisionShape,
} from "../../../src/repository/records/draft-revisions.ts";
import { SENT_RECORD } from "../../../src/repository/records/record-body.ts";
import type { RecordText } from "../../../src/repository/records/record-reading.ts";
import { REMOVAL } from "../../../src/repository/records/record-removal.ts";
import { REVISION_QUERY, type RevisionView, revisionJson } from "../../../src/repository/records/record-revisions.ts";
import { RecordShape, RevisionShape } from "../../../src/repository/records/record-shape.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { most } from "../../../src/shared/limits.ts";
import { yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import { answerInPieces, answerWith, JSON_TYPE } from "../../http/answer.ts";
import { locationOf } from "../../http/document-parts.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { EXPORT_TYPES } from "../export-response.ts";
import { recordAnswer, recordBody, recordIdOf, revisionsIn } from "../record-dialect.ts";
import { type RecordServices, recordsGroup, revisionTag, tagged } from "./group.ts";
import { importedByType, importedLinkedData, OTHER_DOCUMENTS } from "./import.ts";
import { LINK_ENDPOINTS } from "./links.ts";
import { SHARING_ENDPOINTS } from "./sharing.ts";

const { get, post, put, remove } = endpointsOf<RecordServices>();

const record = (status: number, description: string) => ({ status, description, schema: RecordShape, ...tagged });

const READING = [
  get("/records/:id", {
    id: "readPublishedRecord",
    summary: "One record",
    description:
      "The published record. The number of a parent means its latest version that the caller may read. `Accept` with the media type of an export returns that format.",
    access: "anyone",
    query: {
      parameters: [
        {
          name: "include_deleted",
          description: "Administrators get a deleted record with its tombstone",
          schema: Type.Boolean({ default: false }),
        },
      ],
      read: (parameters) => isYes(parameters.get("include_deleted")),
    },
    answer: {
      ...record(200, "The record"),
      otherMedia: EXPORT_TYPES.filter((type) => type !== "application/json"),
    },
    also: { 304: { description: "The record is as the caller has it", schema: null, headers: tagged.headers } },
    refuses: [404, 410],
    async run({ records, exported }, { viewer, request, params, query }) {
      const id = recordIdOf(params.id);
      const deleted = query() ? await records.readDeleted(viewer, id) : null;
      if (deleted !== null)
        return recordAnswer({ ...(await records.jsonOf(deleted.view)), tombstone: deleted.tombstone });
      return (await exported(request, viewer, id)) ?? shown(request, await records.readText(viewer, id));
    },
  }),
  get("/records/:id/versions/latest", {
    id: "latestRecordVersion",
    summary: "The latest version",
    description: "Leads to the latest version that the caller may read.",
    access: "anyone",
    answer: {
      status: 301,
      description: "Where the latest version is",
      schema: Type.Object({ status: Type.Integer(), message: Type.String(), location: Type.String() }),
      headers: locationOf("latest version"),
      // The latest version of tomorrow is another one: no client stores this.
      headersOf: ({ location }) => ({ location }),
    },
    refuses: [410],
    async run({ records, baseUrl }, { viewer, params }) {
      const latest = await records.latest(viewer, recordIdOf(params.id));
      return { status: 301, message: "Moved Permanently.", location: `${baseUrl}/api/records/${latest}` };
    },
  }),
  get("/records/:id/draft", {
    id: "readRecordDraft",
    summary: "The draft of a record",
    description: "The unpublished changes. `errors` lists what publishing would refuse.",
    answer: record(200, "The draft"),
    refuses: [410],
    async run({ records }, { viewer, params }) {
      const found = await records.readDraftText(viewer, recordIdOf(params.id));
      return new Response(found.text, { headers: { ...OWN_JSON, etag: etagOf(found) } });
    },
  }),
  get("/records/:id/revisions", {
    id: "listRecordRevisions",
    summary: "The edit history of a record",
    description:
      "Newest first: who changed what and when. For the owner, curators of its communities and administrators.",
    query: REVISION_QUERY,
    answer: {
      status: 200,
      description: "The revisions",
      schema: Type.Array(RevisionShape),
      headers: { "X-Total-Count": { description: "The number of revisions", schema: { type: "integer" } } },
    },
    refuses: [410],
    async run({ records }, { viewer, request, params, query }) {
      const { page, size } = query();
      const found = await records.revisions(viewer, recordIdOf(params.id), page, size);
      const headers = { ...OWN_JSON, "x-total-count": String(found.total) };
      return await answerInPieces(request, revisionTexts(found.revisions), headers);
    },
  }),
  get("/records/:id/revisions/:revision", {
    id: "readRecordRevision",
    summary: "One revision of a record",
    description: "The record at that revision. For callers that may see its history.",
    answer: { status: 200, description: "The revision", schema: RevisionShape },
    refuses: [410],
    run: async ({ records }, { viewer, params }) =>
      revisionJson(await records.revision(viewer, recordIdOf(params.id), recordIdOf(params.revision))),
  }),
];

const DRAFTS = [
  post("/records", {
    id: "createRecordDraft",
    summary: "A new draft",
    description:
      "A draft may be invalid: wrong values are left out and reported in `errors`. A document in another format, by its media type, is imported.",
    scopes: ["item:create"],
    content: { "application/json": SENT_RECORD.schema, ...OTHER_DOCUMENTS },
    answer: record(201, "The draft"),
    refuses: [400, 408, 413],
    async run(services, { viewer, request }) {
      const { records, guard } = services;
      const document = await importedByType(services, request, viewer);
      if (document !== null) return document;
      const body = await recordBody(guard, request);
      const imported = await importedLinkedData(services, viewer, body);
      // No body is an empty record.
      return (
        imported ??
        records.jsonOf(await records.create(viewer, sentRecord(SENT_RECORD, body === undefined ? {} : body)))
      );
    },
  }),
  post("/records/:id/draft", {
    id: "editRecord",
    summary: "Edit a published record",
    description: "Makes the draft of a published record. An existing draft is returned unchanged.",
    scopes: ["item:update"],
    answer: record(201, "The draft"),
    refuses: [409, 410],
    run: async ({ records }, { viewer, params }) => records.jsonOf(await records.edit(viewer, recordIdOf(params.id))),
  }),
  put("/records/:id/draft", {
    id: "saveRecordDraft",
    summary: "Save a draft",
    description:
      "Replaces the members of this model in the draft; what this interface cannot show is kept. Saving the same data changes nothing. With `merge` a newer draft is merged with what was sent.",
    scopes: ["item:update"],
    query: MERGE_QUERY,
    body: SENT_RECORD,
    conditional: true,
    answer: record(200, "The draft"),
    refuses: [409, 410],
    run: async ({ records }, { viewer, params, query, body, expected }) =>
      records.jsonOf(await records.save(viewer, recordIdOf(params.id), body, revisionsIn(expected), query())),
  }),
  remove("/records/:id/draft", {
    id: "discardRecordDraft",
    summary: "Discard a draft",
    description: "A record that was never published is deleted with its draft; of a published one only the edit is.",
    scopes: ["item:delete"],
    conditional: true,
    answer: noContent("The draft is deleted"),
    refuses: [400, 409, 410],
    run: ({ records }, { viewer, params, expected }) =>
      records.discard(viewer, recordIdOf(params.id), revisionsIn(expected)),
  }),
  post("/records/:id/draft/actions/publish", {
    id: "publishRecordDraft",
    summary: "Publish a draft",
    description: "The whole draft is checked; with its first publishing a record gets its ARK in the same commit.",
    scopes: ["item:update"],
    conditional: true,
    answer: record(202, "The published record"),
    refuses: [400, 409, 410],
    run: async ({ records }, { viewer, params, expected }) =>
      records.jsonOf(await records.publish(viewer, recordIdOf(params.id), revisionsIn(expected))),
  }),
  post("/records/:id/versions", {
    id: "newRecordVersion",
    summary: "A new version",
    description:
      "A draft with the metadata of the latest version, without its publication date, version label and files. Where a new version is being prepared, that one.",
    scopes: ["item:create"],
    answer: record(201, "The draft of the new version"),
    refuses: [409, 410],
    run: async ({ records }, { viewer, params }) =>
      records.jsonOf(await records.newVersion(viewer, recordIdOf(params.id))),
  }),
];

const DRAFT_REVISIONS = [
  get("/records/:id/draft/revisions", {
    id: "listDraftRevisions",
    summary: "Earlier states of a draft",
    description:
      "Newest first, each as it was saved; the first is the present one. States are kept for 30 days and end with the draft; of those saved in short succession the last stays. For callers that may edit the draft.",
    answer: {
      status: 200,
      description: "The states",
      schema: Type.Array(DraftRevisionLineShape, { maxItems: most("draftRevisions") + 1 }),
    },
    refuses: [410],
    run: ({ records }, { viewer, params }) => records.draftRevisions(viewer, recordIdOf(params.id)),
  }),
  get("/records/:id/draft/revisions/:revision", {
    id: "readDraftRevision",
    summary: "An earlier state of a draft",
    description: "What it described, and how it differs from another state, field by field. Files are not part of it.",
    query: COMPARE_QUERY,
    answer: { status: 200, description: "The state", schema: DraftRevisionShape },
    refuses: [410],
    run: ({ records }, { viewer, params, query }) =>
      records.draftRevision(viewer, recordIdOf(params.id), recordIdOf(params.revision), query()),
  }),
  post("/records/:id/draft/revisions/:revision/actions/restore", {
    id: "restoreDraftRevision",
    summary: "Restore an earlier state of a draft",
    description: "Its metadata and access become those of the draft, as a new revision; files stay as they are.",
    scopes: ["item:update"],
    conditional: true,
    answer: record(200, "The draft"),
    refuses: [409, 410],
    run: async ({ records }, { viewer, params, expected }) => {
      const [id, revision] = [recordIdOf(params.id), recordIdOf(params.revision)];
      return records.jsonOf(await records.restoreDraft(viewer, id, revision, revisionsIn(expected)));
    },
  }),
];

const REMOVALS = [
  remove("/records/:id/delete", {
    id: "deletePublishedRecord",
    summary: "Delete a published record",
    description: "Leaves a tombstone. Administrators only.",
    scopes: ["item:delete"],
    body: REMOVAL,
    conditional: true,
    answer: noContent("The record is deleted"),
    refuses: [409],
    run: ({ records }, { viewer, params, body, expected }) =>
      records.remove(viewer, recordIdOf(params.id), body, revisionsIn(expected)),
  }),
  post("/records/:id/restore", {
    id: "restoreRecord",
    summary: "Restore a deleted record",
    description: "Lifts the tombstone. Administrators only. A deletion makes a revision, too.",
    scopes: ["item:delete"],
    conditional: true,
    answer: record(200, "The record"),
    refuses: [400],
    run: async ({ records }, { viewer, params, expected }) =>
      records.jsonOf(await records.restore(viewer, recordIdOf(params.id), revisionsIn(expected))),
  }),
];

const RECORD_ENDPOINTS = [
  ...READING,
  ...DRAFTS,
  ...DRAFT_REVISIONS,
  ...REMOVALS,
  ...SHARING_ENDPOINTS,
  ...LINK_ENDPOINTS,
];

export const recordPlugin = (services: RecordServices & { readonly guard: EndpointGuard }) =>
  mountEndpoints(recordsGroup("records"), RECORD_ENDPOINTS, services, services.guard);

const OWN_JSON = { "content-type": JSON_TYPE, "cache-control": "private, no-store" };

async function* revisionTexts(revisions: readonly RevisionView[]): AsyncGenerator<string> {
  yield "[";
  for (const [index, revision] of revisions.entries()) {
    yield (index === 0 ? "" : ",") + JSON.stringify(await revisionJson(revision));
    await yieldToEventLoop();
  }
  yield "]";
}

/** A record that the caller may have already. */
function shown(request: Request, found: RecordText): Response {
  const etag = etagOf(found);
  const headers = new Headers({ etag, "cache-control": "private, no-cache", vary: "Authorization, Accept" });
  headers.set("last-modified", new Date(found.item.updatedAt).toUTCString());
  if (found.byParent) headers.set("content-location", `/api/records/${found.item.id}`);
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  headers.set("content-type", JSON_TYPE);
  return answerWith(request, found.text, { status: 200, headers });
}

const etagOf = ({ item, draft, isLatest }: RecordText): string =>
  draft === null ? revisionTag(item.revision, isLatest) : revisionTag(draft.counter);

/** Whether a parameter of the query is true, in the words that clients of existing record repositories use. */
const isYes = (sent: string | null): boolean =>
  ["1", "true", "t", "yes", "y", "on"].includes(sent?.toLowerCase() ?? "");
