// What item search, list export and the detail of an item share (specification 3, "Query parameters"; R9, R29): group,
// parameters and headers of their operations. List export has the parameters of search but for its pages.
import { type TSchema, Type } from "@sinclair/typebox";
import type { ParameterDescription, QueryReader } from "../../../src/model/input/list-parameters.ts";
import {
  EXACT_PARAMETERS,
  type Parameters,
  parametersOf,
  WORD_PARAMETERS,
} from "../../../src/repository/search/query/parameters.ts";
import { CHOICE_LISTS, FREE_FIELDS } from "../../../src/repository/search/settings/settings.ts";
import type { EndpointGroup } from "../endpoint.ts";
import { plainGroup } from "../error-groups.ts";

/** Guests may ask; a token that is sent must carry the scope. */
export const itemGroup = (name: string): EndpointGroup =>
  plainGroup({
    name,
    tag: "Records",
    rateGroup: "records",
    access: "anyone",
    scopes: ["item:read"],
    pathParameters: { record_id: "Number of the item" },
  });

export const LANGUAGE = { "Accept-Language": "Language of values and labels; `en` where none is asked for" };
export const CONDITIONS = {
  ...LANGUAGE,
  "If-None-Match": "ETag of an earlier answer",
  "If-Modified-Since": "Last-Modified of an earlier response; ignored if If-None-Match is sent",
};
export const VALIDATORS = {
  ETag: { description: "Version of what is answered", schema: { type: "string" } },
  "Last-Modified": { description: "When it was changed last", schema: { type: "string" } },
};

const parameter = (name: string, description: string, schema: TSchema = Type.String()): ParameterDescription => ({
  name,
  description,
  schema,
});

const WORDS = "Words: AND by blanks, ` OR ` or ` | ` between two words";
const EXACTLY = "Exactly this value";

// Shapes that many parameters have: what they take is described once.
const Words = Type.String({ $id: "SearchWords", description: WORDS, examples: ["rivers"] });
const Choice = Type.String({
  $id: "SearchChoice",
  description: "Values of its list, or their places in it, several between commas; what is none is ignored",
  examples: ["0"],
});
const Day = Type.String({ $id: "SearchDay", description: "YYYYMMDD; both bounds or none", examples: ["20260501"] });

const bounds = (names: readonly string[], shape: TSchema) =>
  names.flatMap((name) => [`${name}_from`, `${name}_to`].map((bound) => [bound, Type.Optional(shape)] as const));
/** One parameter for each member: an object in a query is its members. */
const FreeFields = Type.Object(
  Object.fromEntries([
    ...FREE_FIELDS.text.map((name) => [name, Type.Optional(Words)] as const),
    ...bounds(FREE_FIELDS.integer, Type.Integer()),
    ...bounds(FREE_FIELDS.float, Type.Number()),
    ...bounds(FREE_FIELDS.date, Day),
  ]),
  { $id: "FreeFields" },
);

/** Parameters of the query, without facets. */
const FILTERS = [
  parameter("q", `${WORDS}, in all metadata and, with \`search_type\` 0, in files that the caller may read`),
  parameter("search_type", "0 metadata and words of files (default), 1 metadata alone", Type.Integer()),
  parameter("title", `Titles of every kind. ${WORDS}`),
  parameter("exact_title_match", "`title` is the whole of a title or alternative title", Type.Boolean()),
  ...Object.keys(WORD_PARAMETERS).map((name) => parameter(name, "Words", Words)),
  parameter("subject", "A subject, exactly; used with `sbjscheme` only"),
  parameter("id", `${WORDS}; used with \`id_attr\` only`),
  ...Object.keys(EXACT_PARAMETERS).map((name) => parameter(name, EXACTLY)),
  parameter("wid", "An identifier of a creator, exactly"),
  parameter("iid", "Number of an index: items in it and below it", Type.Integer()),
  parameter("author", "Number of a person of the author database: items linked to it", Type.Integer()),
  ...CHOICE_LISTS.map((name) => parameter(name, "Values of a list", Choice)),
  ...bounds(["filedate", "dategranted"], Day).map(([name, shape]) => parameter(name, "A day", shape)),
  parameter(
    "free_fields",
    "Each of these parameters; one to which nothing is assigned is ignored. Both bounds of a range or none",
    FreeFields,
  ),
  parameter(
    "sort",
    "Sort keys between commas, `-` before one for descending: controlnumber, wtl, creator, upd, createdate, pyear, publish_date, itemType, temporal; relevance first: best matches of q come first, and those that match as well are in the order of the other keys. The id, descending, always comes last",
  ),
];

const PAGES = [
  parameter("page", "Page of `size` hits, from 1; `page * size` up to 10,000", Type.Integer()),
  parameter("cursor", "The cursor of the page before; `page` wins"),
  parameter("size", "Hits of a page: 20, up to 10,000", Type.Integer()),
];

export const PRETTY = parameter("pretty", "Indented by four blanks", Type.Boolean({ default: false }));

/** Facets are parameters by their names; they are not described, since each repository has its own. */
export const FILTER_QUERY: QueryReader<Parameters> = { parameters: FILTERS, read: parametersOf };
export const SEARCH_QUERY: QueryReader<Parameters> = { parameters: [...FILTERS, ...PAGES, PRETTY], read: parametersOf };
