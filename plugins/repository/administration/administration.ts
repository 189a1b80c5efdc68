// Administration over HTTP (R17): settings of the deposit interface, item types, mappings, workflows, people,
// communities, vocabularies; jobs and the audit. For system administrators, by a token that allows everything.
import { Type } from "@sinclair/typebox";
import { ASSIGNABLE_ROLES } from "../../../src/auth/account.ts";
import { AUDIT_QUERY, AuditPage } from "../../../src/repository/administration/audit.ts";
import { requireSystemAdministrator } from "../../../src/repository/administration/collection.ts";
import { JOB_QUERY, JobPage, JobShape } from "../../../src/repository/administration/jobs.ts";
import { VOCABULARY_ENTRY } from "../../../src/repository/administration/records.ts";
import { listOf as listOfFields, object, oneOf, optional, words } from "../../../src/shared/fields.ts";
import { MomentShape } from "../../../src/shared/shapes.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints, noContent } from "../endpoint.ts";
import { plainGroup } from "../error-groups.ts";
import { listOf, listShape, RECORD_ENDPOINTS, type Services } from "./records.ts";

/** Longest mail address and name of an invitation, in characters. */
const MAIL_MAX = 254;
const NAME_MAX = 200;

const GROUP = plainGroup({
  prefix: "/api/:version/admin",
  name: "admin",
  tag: "Administration",
  scopes: [],
  always: [403],
  admit: requireSystemAdministrator,
  pathParameters: { type: "Id of the vocabulary", id: "Id of the entry" },
});

const { get, post, put, remove } = endpointsOf<Services>();
const VocabularyCount = Type.Object({ type: Type.String(), entries: Type.Integer() });
const entry = (description: string) => ({ status: 200, description, schema: VOCABULARY_ENTRY.shape });

const VOCABULARY_ENDPOINTS = [
  get("/vocabularies", {
    id: "listVocabularies",
    summary: "List the vocabularies",
    description: "Each with the number of its entries.",
    answer: { status: 200, description: "All of them", schema: listShape(VocabularyCount, "VocabularyCountList") },
    run: async ({ administration: { vocabularies } }) => listOf(await vocabularies.types()),
  }),
  get("/vocabularies/:type", {
    id: "readVocabulary",
    summary: "List the entries of a vocabulary",
    description: "In their order.",
    answer: {
      status: 200,
      description: "All of them",
      schema: listShape(VOCABULARY_ENTRY.shape, "VocabularyRecordList"),
    },
    refuses: [404],
    run: async ({ administration: { vocabularies } }, { params }) => listOf(await vocabularies.list(params.type)),
  }),
  get("/vocabularies/:type/:id", {
    id: "readVocabularyEntry",
    summary: "Read an entry of a vocabulary",
    description: "With its titles and properties.",
    answer: entry("The entry"),
    refuses: [404],
    run: ({ administration: { vocabularies } }, { params }) => vocabularies.read(params.type, params.id),
  }),
  put("/vocabularies/:type/:id", {
    id: "saveVocabularyEntry",
    summary: "Add or change an entry of a vocabulary",
    description: "A new one comes last.",
    body: VOCABULARY_ENTRY.body,
    answer: entry("The entry as it is now"),
    run: ({ administration: { vocabularies } }, { viewer, params, body }) =>
      vocabularies.save(viewer, params.type, params.id, body()),
  }),
  remove("/vocabularies/:type/:id", {
    id: "deleteVocabularyEntry",
    summary: "Remove an entry of a vocabulary",
    description: "Entries that the program provides stay (409).",
    answer: noContent("Removed"),
    refuses: [404, 409],
    run: ({ administration: { vocabularies } }, { viewer, params }) =>
      vocabularies.remove(viewer, params.type, params.id),
  }),
];

const job = (description: string) => ({ status: 200, description, schema: JobShape });
const jobNumber = { id: "Number of the job" };

/** What the repository does in the background, and what was done in it. */
const OPERATING_ENDPOINTS = [
  get("/jobs", {
    id: "listJobs",
    summary: "List the jobs",
    description: "Newest first. Jobs that were done are kept for seven days.",
    query: JOB_QUERY,
    answer: { status: 200, description: "A page of them", schema: JobPage },
    run: ({ administration: { jobs } }, { query }) => jobs.list(query),
  }),
  get("/jobs/:id", {
    id: "readJob",
    summary: "Read a job",
    description: "What it is about, its state, and what went wrong last.",
    pathParameters: jobNumber,
    answer: job("The job"),
    refuses: [404],
    run: ({ administration: { jobs } }, { params }) => jobs.read(params.id),
  }),
  post("/jobs/:id/retry", {
    id: "retryJob",
    summary: "Send off a job again",
    description: "One that failed, or one that waits, at once. Another state is refused (409).",
    pathParameters: jobNumber,
    answer: job("The job as it is now"),
    refuses: [404, 409],
    run: ({ administration: { jobs } }, { viewer, params }) => jobs.retry(viewer, params.id),
  }),
  get("/audit", {
    id: "listAudit",
    summary: "List the audit",
    description:
      "Newest first. Where several of account, client, action and subject are sent, a page may have fewer entries than `limit`, or none, and " +
      "still name a next one: each page reads a bounded part of the audit.",
    query: AUDIT_QUERY,
    answer: { status: 200, description: "A page of it", schema: AuditPage },
    run: ({ administration: { audit } }, { query }) => audit.list(query),
  }),
];

const INVITATION = object(
  {
    mail: words(MAIL_MAX, {}, true),
    name: optional(words(NAME_MAX)),
    roles: optional(listOfFields(oneOf(ASSIGNABLE_ROLES), ASSIGNABLE_ROLES.length)),
    language: optional(oneOf(["", "en", "ja"], { description: "Of the mail; empty: that of the repository" })),
  },
  { $id: "UserInvitationInput" },
);
const InvitationShape = Type.Object({ mail: Type.String(), expires_at: MomentShape }, { $id: "UserInvitation" });

const PEOPLE_ENDPOINTS = [
  post("/invitations", {
    id: "inviteUser",
    summary: "Invite somebody by mail to make an account",
    description: "The link works once, within 14 days.",
    body: INVITATION,
    answer: { status: 201, description: "The invitation", schema: InvitationShape },
    refuses: [409],
    async run({ registration }, { viewer, body }) {
      const { mail, expiresAt } = await registration.invite(viewer, body());
      return { mail, expires_at: expiresAt };
    },
  }),
];

const ADMINISTRATION_ENDPOINTS = [
  ...PEOPLE_ENDPOINTS,
  ...RECORD_ENDPOINTS,
  ...VOCABULARY_ENDPOINTS,
  ...OPERATING_ENDPOINTS,
];

export const repositoryAdmin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, ADMINISTRATION_ENDPOINTS, services, guard);
