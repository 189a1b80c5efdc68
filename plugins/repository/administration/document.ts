// How the administration describes itself in the interface description (R17, R32): kept apart from the routes.

import { Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import { JOB_STATES } from "../../../src/jobs/job.ts";
import { CLIENT_SETTING, FORMAT_SETTING } from "../../../src/model/items/deposit-settings.ts";
import { LIST_DEFAULT, LIST_MAX } from "../../../src/repository/administration/list-parameters.ts";
import {
  ACCOUNT_FIELDS,
  AUTHOR_SCHEME_FIELDS,
  CHOICE_LIST_FIELDS,
  COMMUNITY_FIELDS,
  CRATE_MAPPING_FIELDS,
  FACET_FIELDS,
  FREE_FIELD_FIELDS,
  GROUP_FIELDS,
  ITEM_TYPE_FIELDS,
  MAPPING_FIELDS,
  VOCABULARY_FIELDS,
  WORKFLOW_FIELDS,
} from "../../../src/repository/administration/records.ts";
import { fieldsOf } from "../../../src/shared/declared.ts";
import { type Fields, object } from "../../../src/shared/fields.ts";
import {
  locationOf,
  pathParameter,
  queryParameter,
  type OperationIn as RouteIn,
  refusals,
  response,
  operation as route,
} from "../../http/document-parts.ts";

/** One kind of record: what it is called and what can be sent of it. */
type RecordKind = {
  /** In addresses. */
  readonly path: string;
  /** In operation ids: `User`. */
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly fields: Fields;
  /** What its own part of the address is. */
  readonly id: string;
  readonly example: string;
  readonly about: string;
};

export const KINDS = {
  users: {
    path: "users",
    name: "User",
    one: "an account",
    many: "the accounts",
    id: "Number of the account",
    example: "1",
    fields: ACCOUNT_FIELDS,
    about: "Roles: 1 system administrator, 2 repository administrator, 3 registered, 4 community administrator.",
  },
  groups: {
    path: "groups",
    name: "Group",
    one: "a group",
    many: "the groups",
    id: "Number of the group",
    example: "1",
    fields: GROUP_FIELDS,
    about: "Members are numbers of accounts. Indexes and files name groups.",
  },
  communities: {
    path: "communities",
    name: "Community",
    one: "a community",
    many: "the communities",
    id: "UUID or slug of the community",
    example: "physics",
    fields: COMMUNITY_FIELDS,
    about: "What is filed below `root_index` belongs to it.",
  },
  itemTypes: {
    path: "item-types",
    name: "ItemType",
    one: "an item type",
    many: "the item types",
    id: "Number of the item type",
    example: "1",
    fields: ITEM_TYPE_FIELDS,
    about:
      "A change adds a version; items keep the one they were made with. Removing a field that holds data is refused (409) with the count.",
  },
  crateMappings: {
    path: "crate-mappings",
    name: "CrateMapping",
    one: "the RO-Crate mapping of an item type",
    many: "the item types, and whether they have an RO-Crate mapping",
    id: "Number of the item type",
    example: "1",
    fields: CRATE_MAPPING_FIELDS,
    about:
      "How items of the type look as RO-Crate in search, detail and lists; without one they are not found by the records interface. A change adds " +
      "a version of the item type, DELETE takes the mapping away.",
  },
  mappings: {
    path: "mappings",
    name: "Mapping",
    one: "a mapping definition",
    many: "the mapping definitions",
    id: "Number of the mapping",
    example: "1",
    fields: MAPPING_FIELDS,
    about: "Every place it names is checked against the metadata and the item type.",
  },
  workflows: {
    path: "workflows",
    name: "Workflow",
    one: "a workflow",
    many: "the workflows",
    id: "Number of the workflow",
    example: "1",
    fields: WORKFLOW_FIELDS,
    about:
      "`delete`: the steps of a deletion, null for deleting at once. Activities under way keep the steps they began with.",
  },
  swordFormats: {
    path: "sword-formats",
    name: "SwordFormat",
    one: "the setting of a metadata format",
    many: "the settings of the metadata formats",
    id: "tsv-csv, xml or json",
    example: "xml",
    fields: fieldsOf(FORMAT_SETTING),
    about:
      "Holds where no client record speaks. `registration_type_id`: 1 direct, 2 by workflow. XML cannot be registered directly.",
  },
  swordClients: {
    path: "sword-clients",
    name: "SwordClient",
    one: "the record of a client",
    many: "the records of clients",
    id: "client_id of a token or client",
    example: "personal-4x7bq2k9d0zw5tnc",
    fields: fieldsOf(CLIENT_SETTING),
    about:
      "How what this client deposits is registered. PUT makes the record where there is none; `mapping_id` must be sent then.",
  },
  authorSchemes: {
    path: "author-schemes",
    name: "AuthorScheme",
    one: "a scheme of authors",
    many: "the schemes of authors",
    id: "The scheme as idType names it",
    example: "ORCID",
    fields: AUTHOR_SCHEME_FIELDS,
    about:
      "`url`: where an identifier is found, with `##` in its place. `form`: what its identifiers must look like. PUT adds what is not there; a " +
      "scheme in use is not removed (409).",
  },
  institutionSchemes: {
    path: "institution-schemes",
    name: "InstitutionScheme",
    one: "a scheme of institutions",
    many: "the schemes of institutions",
    id: "The scheme as affiliationIdType names it",
    example: "ROR",
    fields: AUTHOR_SCHEME_FIELDS,
    about: "As the schemes of authors.",
  },
  authorLanguages: {
    path: "author-languages",
    name: "AuthorLanguage",
    one: "a language of authors",
    many: "the languages of authors",
    id: "The language as names and affiliations have it",
    example: "ja-Kana",
    fields: {},
    about: "PUT adds what is not there. Names in a language that is removed stay.",
  },
  facets: {
    path: "facets",
    name: "Facet",
    one: "a facet item",
    many: "the facet items, in their order",
    id: "Number of the facet item",
    example: "1",
    fields: FACET_FIELDS,
    about:
      "Its English name is the parameter of item search that chooses its values; its sources are places of the metadata or fields of item types. After a change the search index is rebuilt; until then the old index answers.",
  },
  searchFields: {
    path: "search-fields",
    name: "SearchField",
    one: "a search field",
    many: "the search fields",
    id: "Name of the parameter",
    example: "text1",
    fields: { ...FREE_FIELD_FIELDS, ...CHOICE_LIST_FIELDS },
    about:
      "Free fields (text1 to text10, integer_range1 to 5, float_range1 to 5, date_range1 to 5) have `sources`, lists of choices (sbjscheme, fd_attr, id_attr, type, lang, version, license) have `choices`. DELETE brings back what is shipped.",
  },
} as const satisfies Readonly<Record<string, RecordKind>>;

const ErrorOut = Type.Object({
  code: Type.Integer({ description: "HTTP status" }),
  status: Type.Integer({ description: "The same as code" }),
  message: Type.String({ description: "What is wrong, naming member and value" }),
});
const COMMON = refusals(ErrorOut, {
  400: "Something sent is wrong; unknown version",
  403: "Not a system administrator",
});
const MISSING = { 404: response("There is no such record", ErrorOut) };
const WITH_BODY = {
  408: response("The body came too slowly", ErrorOut),
  409: response("It contradicts existing data", ErrorOut),
  413: response("The body is too large", ErrorOut),
};

const VERSION = pathParameter("version", "Version of the interface", { example: "v1" });

type OperationIn = Omit<RouteIn, "tag" | "parameters"> & { readonly parameters?: readonly object[] };

function operation(of: OperationIn): DocumentDecoration {
  return route({
    ...of,
    tag: "Administration",
    description: `${of.description}\n\nFor system administrators, by a token that allows everything.`.trim(),
    parameters: [VERSION, ...(of.parameters ?? [])],
    responses: { ...COMMON, ...of.responses },
  });
}

const own = { id: Type.Optional(Type.Unknown({ description: "Set by the repository" })) };
const out = (fields: Fields) =>
  Type.Object({ ...own, ...Type.Partial(asObject(fields)).properties }, { additionalProperties: true });
/** Every member may be left out: then it stays, or begins with its default. */
const input = (fields: Fields) => Type.Partial(asObject(fields));

function asObject(fields: Fields) {
  return Type.Object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])));
}

/** Details of the routes of one kind. */
export function detailsOf(kind: RecordKind) {
  const id = pathParameter("id", kind.id, { example: kind.example });
  const shown = out(kind.fields);
  return {
    list: operation({
      id: `list${kind.name}s`,
      summary: `List ${kind.many}`,
      description: kind.about,
      responses: { 200: response("All of them", Type.Object({ total: Type.Integer(), items: Type.Array(shown) })) },
    }),
    read: operation({
      id: `read${kind.name}`,
      summary: `Read ${kind.one}`,
      description: kind.about,
      parameters: [id],
      responses: { ...MISSING, 200: response("The record", shown) },
    }),
    create: operation({
      id: `create${kind.name}`,
      summary: `Make ${kind.one}`,
      description: kind.about,
      body: input(kind.fields),
      responses: { ...WITH_BODY, 201: response("The record as it was made", shown, locationOf("record")) },
    }),
    update: operation({
      id: `update${kind.name}`,
      summary: `Change ${kind.one}`,
      description: `Changes what is sent. ${kind.about}`,
      parameters: [id],
      body: input(kind.fields),
      responses: { ...MISSING, ...WITH_BODY, 200: response("The record as it is now", shown) },
    }),
    remove: operation({
      id: `delete${kind.name}`,
      summary: `Delete ${kind.one}`,
      description: kind.about,
      parameters: [id],
      responses: { ...MISSING, 204: response("Deleted", null) },
    }),
  };
}

const TYPE = pathParameter("type", "Id of the vocabulary", { example: "licenses" });
const ENTRY = pathParameter("id", "Id of the entry", { example: "cc-by-4.0" });
const Entry = object(VOCABULARY_FIELDS).schema;

export const VOCABULARY_DETAILS = {
  types: operation({
    id: "listVocabularies",
    summary: "List the vocabularies",
    description: "Each with the number of its entries.",
    responses: { 200: response("All of them", Type.Object({ total: Type.Integer(), items: Type.Array(Type.Any()) })) },
  }),
  list: operation({
    id: "readVocabulary",
    summary: "List the entries of a vocabulary",
    description: "In their order.",
    parameters: [TYPE],
    responses: {
      ...MISSING,
      200: response("All of them", Type.Object({ total: Type.Integer(), items: Type.Array(Entry) })),
    },
  }),
  read: operation({
    id: "readVocabularyEntry",
    summary: "Read an entry of a vocabulary",
    description: "",
    parameters: [TYPE, ENTRY],
    responses: { ...MISSING, 200: response("The entry", Entry) },
  }),
  save: operation({
    id: "saveVocabularyEntry",
    summary: "Add or change an entry of a vocabulary",
    description: "A new one comes last.",
    parameters: [TYPE, ENTRY],
    body: input(VOCABULARY_FIELDS),
    responses: { ...WITH_BODY, 200: response("The entry as it is now", Entry) },
  }),
  remove: operation({
    id: "deleteVocabularyEntry",
    summary: "Remove an entry of a vocabulary",
    description: "Entries the program brings along stay (409).",
    parameters: [TYPE, ENTRY],
    responses: { ...MISSING, 204: response("Removed", null), 409: WITH_BODY[409] },
  }),
};

const LISTED = [
  queryParameter(
    "limit",
    "Entries of one page at most",
    Type.Integer({ minimum: 1, maximum: LIST_MAX, default: LIST_DEFAULT }),
  ),
  queryParameter("cursor", "`next` of the page before", Type.String()),
];
const pageOf = (item: ReturnType<typeof Type.Object>) =>
  Type.Object({
    items: Type.Array(item),
    next: Type.Union([Type.String(), Type.Null()], {
      description: "`cursor` of the next page; null: this is the last",
    }),
  });
const moment = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });

const JobOut = Type.Object({
  id: Type.Integer(),
  kind: Type.String({ examples: ["item_mint"] }),
  subject: Type.String({ description: "What it is about; empty for jobs about everything" }),
  state: Type.Union(JOB_STATES.map((state) => Type.Literal(state))),
  attempts: Type.Integer({ description: "How often it was begun since it was done or sent off again" }),
  created_at: Type.String({ format: "date-time" }),
  run_at: Type.String({ format: "date-time" }),
  done_at: moment("When it ended; null while it has not"),
  progress: Type.String({ description: "Progress; empty if the job does not report it" }),
  error: Type.String({ description: "What went wrong last; empty when nothing did" }),
});
const JOB_ID = pathParameter("id", "Number of the job", { example: "12" });

export const JOB_DETAILS = {
  list: operation({
    id: "listJobs",
    summary: "List the jobs",
    description: "Newest first. Jobs that were done are kept for seven days.",
    parameters: [
      queryParameter("kind", "Of this kind only", Type.String()),
      queryParameter("state", "In this state only", Type.Union(JOB_STATES.map((state) => Type.Literal(state)))),
      queryParameter("subject", "About this only", Type.String()),
      ...LISTED,
    ],
    responses: { 200: response("A page of them", pageOf(JobOut)) },
  }),
  read: operation({
    id: "readJob",
    summary: "Read a job",
    description: "",
    parameters: [JOB_ID],
    responses: { ...MISSING, 200: response("The job", JobOut) },
  }),
  retry: operation({
    id: "retryJob",
    summary: "Send off a job again",
    description: "One that failed, or one that waits, at once. Another state is refused (409).",
    parameters: [JOB_ID],
    responses: { ...MISSING, 200: response("The job as it is now", JobOut), 409: WITH_BODY[409] },
  }),
};

const AuditOut = Type.Object({
  id: Type.Integer(),
  at: Type.String({ format: "date-time" }),
  account: Type.Union([Type.Integer(), Type.Null()], { description: "Null: the program itself, or a guest" }),
  client: Type.String({ description: "client_id of the token; empty for sessions, `(operator)` for commands" }),
  address: Type.String(),
  action: Type.String({ examples: ["item.publish"] }),
  subject: Type.String({ examples: ["item:12"] }),
  detail: Type.Object({}, { additionalProperties: true }),
});

export const AUDIT_DETAIL = operation({
  id: "listAudit",
  summary: "List the audit",
  description:
    "Newest first. Where several of account, client, action and subject are sent, a page may have fewer entries than `limit`, or none, and " +
    "still name a next one: each page reads a bounded part of the audit.",
  parameters: [
    queryParameter("account", "Done by this account: its number", Type.Integer({ minimum: 1 })),
    queryParameter("client", "Done with this client_id", Type.String()),
    queryParameter("action", "This action only", Type.String()),
    queryParameter("subject", "Done to this only, such as `item:12`", Type.String()),
    queryParameter("since", "At or after this day or moment", Type.String()),
    queryParameter("until", "Before this day or moment", Type.String()),
    ...LISTED,
  ],
  responses: { 200: response("A page of it", pageOf(AuditOut)) },
});
