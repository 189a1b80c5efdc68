// The parameters of item search as the interface description tells them (specification 3, "Query parameters"; R32);
// list export has the same but for its pages.
import { EXACT_PARAMETERS, WORD_PARAMETERS } from "../../../src/repository/search/query/parameters.ts";
import { CHOICE_LISTS, FREE_FIELDS } from "../../../src/repository/search/settings/settings.ts";
import { queryParameter } from "../../http/document-parts.ts";

type Kind = "string" | "integer" | "number" | "boolean";

const parameter = (name: string, description: string, type: Kind = "string") =>
  queryParameter(name, description, { type });

const WORDS = "Words: AND by blanks, ` OR ` or ` | ` between two words";
const CHOICE = "Values of its list, or their places in it, several between commas; what is none is ignored";
const DAY = "A day, YYYYMMDD; both bounds or none";
const EXACTLY = "Exactly this value";

/** Parameters of the query, without facets. */
export const FILTER_PARAMETERS = [
  parameter("q", `${WORDS}, in all metadata and, with \`search_type\` 0, in files that the caller may read`),
  parameter("search_type", "0 metadata and words of files (default), 1 metadata alone", "integer"),
  parameter("title", `Titles of every kind. ${WORDS}`),
  parameter("exact_title_match", "`title` is the whole of a title or alternative title", "boolean"),
  ...Object.keys(WORD_PARAMETERS).map((name) => parameter(name, WORDS)),
  parameter("subject", "A subject, exactly; used with `sbjscheme` only"),
  parameter("id", `${WORDS}; used with \`id_attr\` only`),
  ...Object.keys(EXACT_PARAMETERS).map((name) => parameter(name, EXACTLY)),
  parameter("wid", "An identifier of a creator, exactly"),
  parameter("iid", "Number of an index: items in it and below it", "integer"),
  parameter("author", "Number of a person of the author database: items linked to it", "integer"),
  ...CHOICE_LISTS.map((name) => parameter(name, CHOICE)),
  ...["filedate", "dategranted", ...FREE_FIELDS.date].flatMap((name) => [
    parameter(`${name}_from`, DAY),
    parameter(`${name}_to`, DAY),
  ]),
  ...FREE_FIELDS.text.map((name) => parameter(name, `${WORDS}; a free field, ignored while nothing is assigned to it`)),
  ...[...FREE_FIELDS.integer, ...FREE_FIELDS.float].flatMap((name) => {
    const type = name.startsWith("integer") ? "integer" : "number";
    return [
      parameter(`${name}_from`, "A free field; both bounds or none", type),
      parameter(`${name}_to`, "A free field; both bounds or none", type),
    ];
  }),
  parameter(
    "sort",
    "Sort keys between commas, `-` before one for descending: controlnumber, wtl, creator, upd, createdate, pyear, publish_date, itemType, temporal; relevance first: best matches of q come first, and those that match as well are in the order of the other keys. The id, descending, always comes last",
  ),
];

export const PAGE_PARAMETERS = [
  parameter("page", "Page of `size` hits, from 1; `page * size` up to 10,000", "integer"),
  parameter("cursor", "The cursor of the page before; `page` wins"),
  parameter("size", "Hits of a page: 20, up to 10,000", "integer"),
];
