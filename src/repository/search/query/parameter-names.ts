// The parameters of item search by name (specification 3, "Query parameters"); whatever else a request has may be a
// facet item.
import { ALL_FREE_FIELDS, FREE_FIELDS } from "../settings/settings.ts";

const FROM_TO: readonly string[] = ["_from", "_to"];

const ranges = [...FREE_FIELDS.integer, ...FREE_FIELDS.float, ...FREE_FIELDS.date];

/** Their names, and those under which OpenSearch and pages know some of them; no facet item has one of these. */
export const PARAMETER_NAMES: ReadonlySet<string> = new Set([
  ...[
    "q",
    "search_type",
    "pretty",
    "page",
    "cursor",
    "size",
    "sort",
    "title",
    "exact_title_match",
    "creator",
    "subject",
  ],
  ...["sbjscheme", "spatial", "des", "publisher", "cname", "fd_attr", "filedate_from", "filedate_to", "mimetype", "id"],
  ...["id_attr", "srctitle", "type", "lang", "temporal", "dategranted_from", "dategranted_to", "version", "dissno"],
  ...["degreename", "dgname", "wid", "iid", "license", "author"],
  ...FREE_FIELDS.text,
  ...ranges.flatMap((name) => FROM_TO.map((end) => name + end)),
  ...ALL_FREE_FIELDS,
  ...["keyword", "format", "Iid", "index_id", "page_no", "list_view_num", "prettyprint"],
]);
