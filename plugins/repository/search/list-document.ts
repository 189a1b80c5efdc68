// How lists of search hits describe themselves in the interface description (R29, R32): kept apart from the route.
import { Type } from "@sinclair/typebox";
import { most } from "../../../src/shared/limits.ts";
import { operation, response } from "../../http/document-parts.ts";
import { CONDITIONS, ErrorOut, OPEN_TO_GUESTS, RECORDS_REFUSALS, VALIDATORS, VERSION } from "./detail-document.ts";
import { FILTER_PARAMETERS } from "./search-parameters.ts";

const Columns = Type.Array(
  Type.Object({
    name: Type.Record(Type.String(), Type.String({ maxLength: 1_000 }), {
      description: 'The heading by language code: `{"en": "Title", "ja": "タイトル"}`',
    }),
    roCrateKey: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "A key that the RO-Crate mapping of the item type gives to the root; without a value the cell is empty",
    }),
  }),
  { minItems: 1, maxItems: most("listColumns") },
);
const DISPOSITION = {
  "Content-Disposition": { description: 'attachment; filename="search_result.tsv"', schema: { type: "string" } },
};

export const LIST_DETAIL = {
  ...operation({
    id: "listRecords",
    tag: "Records",
    summary: "All hits of a search as a table",
    description:
      "Streamed, without end: a line of headings, then a line for each hit. A cell has the first value of its key; quotes as in CSV, lines end " +
      "with a line feed. `page`, `cursor` and `size` are ignored. Conditional requests are answered as those of GET.\n\nGuests may ask. " +
      "Scope of a token: `item:read`.",
    parameters: [VERSION, ...FILTER_PARAMETERS, ...CONDITIONS],
    body: Columns,
    responses: {
      ...RECORDS_REFUSALS,
      200: response("The table", Type.String(), { ...VALIDATORS, ...DISPOSITION }, "text/tab-separated-values"),
      304: response("The list is as the caller has it", null, VALIDATORS),
      408: response("The body came too slowly", ErrorOut),
      413: response("The body is too large", ErrorOut),
    },
  }),
  ...OPEN_TO_GUESTS,
};
