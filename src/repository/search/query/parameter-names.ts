// The parameters of item search by name (specification 3, "Query parameters"); whatever else a request has may be a
// facet item.
import { ALL_FREE_FIELDS, CHOICE_LISTS, FREE_FIELDS } from "../settings/settings.ts";
import { EXACT_PARAMETERS, FILED_PARAMETERS, WORD_PARAMETERS } from "./parameters.ts";

const ranged = (names: readonly string[]): readonly string[] => names.flatMap((name) => [`${name}_from`, `${name}_to`]);

/** Their names, and those under which OpenSearch and pages know some of them; no facet item has one of these. */
export const PARAMETER_NAMES: ReadonlySet<string> = new Set([
  ...["q", "search_type", "pretty", "page", "cursor", "size", "sort", "title", "exact_title_match", "subject", "id"],
  ...["sbjscheme", "fd_attr", "id_attr", "wid", "iid", "author", ...ranged(["filedate", "dategranted"])],
  ...Object.keys(WORD_PARAMETERS),
  ...Object.keys(EXACT_PARAMETERS),
  ...Object.keys(FILED_PARAMETERS),
  ...CHOICE_LISTS,
  ...FREE_FIELDS.text,
  ...ranged([...FREE_FIELDS.integer, ...FREE_FIELDS.float, ...FREE_FIELDS.date]),
  ...ALL_FREE_FIELDS,
  ...["keyword", "format", "Iid", "index_id", "page_no", "list_view_num", "prettyprint", "facet"],
]);
