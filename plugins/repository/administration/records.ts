// The kinds of records that administrators set (R17): of a kind there are its declaration, its collection and a few
// words, from which its operations follow.
import { type TSchema, Type } from "@sinclair/typebox";
import type { Administration } from "../../../src/repository/administration/administration.ts";
import type {
  Collection,
  Creating,
  RecordOutput,
  Removing,
} from "../../../src/repository/administration/collection.ts";
import * as records from "../../../src/repository/administration/records.ts";
import type { Registering } from "../../../src/repository/people/registration.ts";
import type { Field } from "../../../src/shared/fields.ts";
import { manyOf } from "../../../src/shared/shapes.ts";
import { locationOf } from "../../http/document-parts.ts";
import { type Endpoint, endpointsOf, noContent } from "../endpoint.ts";

export type Services = { readonly administration: Administration; readonly registration: Registering };

type Kind<C extends Collection> = {
  /** In addresses. */
  readonly path: string;
  /** In operation ids: `User`. */
  readonly name: string;
  readonly one: string;
  readonly many: string;
  /** What its own part of the address is. */
  readonly id: string;
  readonly about: string;
  readonly record: {
    readonly shape: TSchema & { readonly static: Awaited<ReturnType<C["read"]>> };
    readonly body: Field<unknown>;
  };
  /** How lists show it, where that is shorter. */
  readonly listed?: TSchema;
  /** What there is to do, with the statuses of refusals besides 400 and 403. */
  readonly refuses: { readonly update: readonly number[] } & (C extends Creating
    ? { readonly create: readonly number[] }
    : { readonly create?: never }) &
    (C extends Removing ? { readonly remove: readonly number[] } : { readonly remove?: never });
};

const { get, post, put, remove } = endpointsOf<Services>();

/** A list with all of its records. */
export const listOf = <T>(items: readonly T[]) => ({ total: items.length, items });
export const listShape = <T extends TSchema>(item: T, name: string) =>
  Type.Object({ total: Type.Integer(), items: manyOf(item) }, { $id: name });

type CollectionName = Exclude<keyof Administration, "vocabularies" | "tokens" | "jobs" | "audit">;

function kind<Name extends CollectionName>(
  member: Name,
  of: Kind<Administration[Name]>,
): readonly Endpoint<Services>[] {
  const { path, name, one, many, about, refuses } = of;
  const shape = Type.Unsafe<RecordOutput>(of.record.shape);
  const listed = Type.Unsafe<RecordOutput>(of.listed ?? of.record.shape);
  const body = of.record.body;
  const pathParameters = { id: of.id };
  const collection = ({ administration }: Services): Collection => administration[member];
  // The table has `create` and `remove` where the collection has them.
  const making = (services: Services) => collection(services) as Collection & Creating & Removing;
  const [all, single] = [`/${path}`, `/${path}/:id`] as const;
  return [
    get(all, {
      id: `list${name}s`,
      summary: `List ${many}`,
      description: about,
      answer: { status: 200, description: "All of them", schema: listShape(listed, `${name}List`) },
      run: async (services) => listOf(await collection(services).list()),
    }),
    get(single, {
      id: `read${name}`,
      summary: `Read ${one}`,
      description: `See list${name}s.`,
      pathParameters,
      answer: { status: 200, description: "The record", schema: shape },
      refuses: [404],
      run: (services, { params }) => collection(services).read(params.id),
    }),
    put(single, {
      id: `update${name}`,
      summary: `Change ${one}`,
      description: `Changes what is sent. See list${name}s.`,
      pathParameters,
      body,
      answer: { status: 200, description: "The record as it is now", schema: shape },
      refuses: refuses.update,
      run: (services, { viewer, params, body: sent }) => collection(services).update(viewer, params.id, sent()),
    }),
    ...(refuses.create === undefined
      ? []
      : [
          post(all, {
            id: `create${name}`,
            summary: `Make ${one}`,
            description: about,
            body,
            answer: {
              status: 201,
              description: "The record as it was made",
              schema: shape,
              headers: locationOf("record"),
              headersOf: ({ id }) => ({ location: `/api/v1/admin/${path}/${encodeURIComponent(String(id))}` }),
            },
            refuses: refuses.create,
            run: (services, { viewer, body: sent }) => making(services).create(viewer, sent()),
          }),
        ]),
    ...(refuses.remove === undefined
      ? []
      : [
          remove(single, {
            id: `delete${name}`,
            summary: `Remove ${one}`,
            description: `See list${name}s.`,
            pathParameters,
            answer: noContent("Deleted"),
            refuses: refuses.remove,
            run: (services, { viewer, params }) => making(services).remove(viewer, params.id),
          }),
        ]),
  ];
}

export const RECORD_ENDPOINTS = [
  ...kind("users", {
    path: "users",
    name: "User",
    one: "an account",
    many: "the accounts",
    id: "Number of the account",
    about: "Roles: 1 system administrator, 2 repository administrator, 3 registered, 4 community administrator.",
    record: records.ACCOUNT,
    refuses: { update: [404, 409], create: [409] },
  }),
  ...kind("groups", {
    path: "groups",
    name: "Group",
    one: "a group",
    many: "the groups",
    id: "Number of the group",
    about: "Members are numbers of accounts. Indexes and files name groups.",
    record: records.GROUP,
    refuses: { update: [404, 409], create: [409] },
  }),
  ...kind("communities", {
    path: "communities",
    name: "CommunityRecord",
    one: "a community",
    many: "the communities",
    id: "UUID or slug of the community",
    about: "What is filed below `root_index` belongs to it.",
    record: records.COMMUNITY,
    refuses: { update: [404, 409], create: [409], remove: [404] },
  }),
  ...kind("itemTypes", {
    path: "item-types",
    name: "ItemType",
    one: "an item type",
    many: "the item types",
    id: "Number of the item type",
    about:
      "A change adds a version; items keep the one they were made with. Removing a field that holds data is refused (409) with the count.",
    record: records.ITEM_TYPE,
    listed: records.LISTED_ITEM_TYPE,
    refuses: { update: [404, 409], create: [] },
  }),
  ...kind("crateMappings", {
    path: "crate-mappings",
    name: "CrateMapping",
    one: "the RO-Crate mapping of an item type",
    many: "the item types, and whether they have an RO-Crate mapping",
    id: "Number of the item type",
    about:
      "How items of the type look as RO-Crate in search, detail and lists; without one they are not found by the records interface. A change adds " +
      "a version of the item type, DELETE takes the mapping away.",
    record: records.CRATE_MAPPING,
    listed: records.LISTED_CRATE_MAPPING,
    refuses: { update: [404], remove: [404] },
  }),
  ...kind("mappings", {
    path: "mappings",
    name: "Mapping",
    one: "a mapping definition",
    many: "the mapping definitions",
    id: "Number of the mapping",
    about: "Every place it names is checked against the metadata and the item type.",
    record: records.MAPPING,
    listed: records.LISTED_MAPPING,
    refuses: { update: [404, 409], create: [409] },
  }),
  ...kind("workflows", {
    path: "workflows",
    name: "Workflow",
    one: "a workflow",
    many: "the workflows",
    id: "Number of the workflow",
    about:
      "`delete`: the steps of a deletion, null for deleting at once. Activities under way keep the steps they began with.",
    record: records.WORKFLOW,
    refuses: { update: [404], create: [] },
  }),
  ...kind("swordFormats", {
    path: "sword-formats",
    name: "SwordFormat",
    one: "the setting of a metadata format",
    many: "the settings of the metadata formats",
    id: "tsv-csv, xml or json",
    about:
      "Holds where no client record speaks. `registration_type_id`: 1 direct, 2 by workflow. XML cannot be registered directly.",
    record: records.SWORD_FORMAT,
    refuses: { update: [404] },
  }),
  ...kind("swordClients", {
    path: "sword-clients",
    name: "SwordClient",
    one: "the record of a client",
    many: "the records of clients",
    id: "client_id of a token or client",
    about:
      "How what this client deposits is registered. PUT makes the record where there is none; `mapping_id` must be sent then.",
    record: records.SWORD_CLIENT,
    refuses: { update: [404] },
  }),
  ...kind("authorSchemes", {
    path: "author-schemes",
    name: "AuthorScheme",
    one: "a scheme of authors",
    many: "the schemes of authors",
    id: "The scheme as idType names it",
    about:
      "`url`: where an identifier is found, with `##` in its place. `form`: what its identifiers must look like. PUT adds what is not there; a " +
      "scheme in use is not removed (409).",
    record: records.AUTHOR_SCHEME,
    refuses: { update: [409], remove: [404, 409] },
  }),
  ...kind("institutionSchemes", {
    path: "institution-schemes",
    name: "InstitutionScheme",
    one: "a scheme of institutions",
    many: "the schemes of institutions",
    id: "The scheme as affiliationIdType names it",
    about: "As the schemes of authors.",
    record: records.INSTITUTION_SCHEME,
    refuses: { update: [409], remove: [404, 409] },
  }),
  ...kind("authorLanguages", {
    path: "author-languages",
    name: "AuthorLanguage",
    one: "a language of authors",
    many: "the languages of authors",
    id: "The language as names and affiliations have it",
    about: "PUT adds what is not there. Names in a language that is removed stay.",
    record: records.AUTHOR_LANGUAGE,
    refuses: { update: [409], remove: [404] },
  }),
  ...kind("facets", {
    path: "facets",
    name: "Facet",
    one: "a facet item",
    many: "the facet items, in their order",
    id: "Number of the facet item",
    about:
      "Its English name is the parameter of item search that chooses its values; its sources are places of the metadata or fields of item types. After a change the search index is rebuilt; until then the old index answers.",
    record: records.FACET,
    refuses: { update: [404, 409], create: [409], remove: [404] },
  }),
  ...kind("searchFields", {
    path: "search-fields",
    name: "SearchField",
    one: "a search field",
    many: "the search fields",
    id: "Name of the parameter",
    about:
      "Free fields (text1 to text10, integer_range1 to 5, float_range1 to 5, date_range1 to 5) have `sources`, lists of choices (sbjscheme, fd_attr, id_attr, type, lang, version, license) have `choices`. DELETE brings back what is shipped.",
    record: records.SEARCH_FIELD,
    refuses: { update: [404], remove: [404] },
  }),
];
