// How the detail of an item describes itself in the interface description (R29, R32): kept apart from the route.
import { Type } from "@sinclair/typebox";
import { CHALLENGE, operation, pathParameter, RETRY_AFTER, response } from "../../http/document-parts.ts";

export const ErrorOut = Type.Object({
  code: Type.Integer({ description: "HTTP status" }),
  message: Type.String(),
  status: Type.Integer({ description: "The same as code" }),
});

/** What every route of the records interface may refuse. */
export const RECORDS_REFUSALS = {
  400: response("Something sent is wrong; unknown version", ErrorOut),
  401: response("An access token that is not valid", ErrorOut, CHALLENGE),
  403: response("The access token lacks `item:read`, or the caller may not read the item", ErrorOut),
  429: response("Too many requests", ErrorOut, RETRY_AFTER),
  500: response("Internal error", ErrorOut),
  503: response("The database does not answer", ErrorOut, RETRY_AFTER),
};

/** Guests may ask; a token that is sent must carry the scope. */
export const OPEN_TO_GUESTS = { security: [{}, { bearer: ["item:read"] }] };

export const VERSION = pathParameter("version", "Version of the interface", { example: "v1" });
export const PRETTY = {
  name: "pretty",
  in: "query",
  required: false,
  description: "Indented by four blanks",
  schema: { type: "boolean", default: false },
};
const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
});
export const CONDITIONS = [
  header("Accept-Language", "Language of values and labels; `en` where none is asked for"),
  header("If-None-Match", "ETag of an earlier answer"),
  header("If-Modified-Since", "Last-Modified of an earlier response; ignored if If-None-Match is sent"),
];
export const VALIDATORS = {
  ETag: { description: "Version of what is answered", schema: { type: "string" } },
  "Last-Modified": { description: "When it was changed last", schema: { type: "string" } },
};

const Entity = Type.Object({ "@id": Type.String() }, { additionalProperties: true });
export const CrateOut = Type.Object({
  "@context": Type.String({ description: "The context of RO-Crate 1.1" }),
  "@graph": Type.Array(Entity, {
    description:
      "Root, descriptor, a Dataset for each tab, section and subsection that has values, files, the landing page. Keys that the mapping of the " +
      "item type gives are always lists",
  }),
});

const DetailOut = Type.Object({
  index: Type.String({ description: "Id of the first index of the item that the caller may browse; empty: none" }),
  rocrate: CrateOut,
  metadata: Type.Object(
    { "Item Type": Type.String(), hasRequestmailAddress: Type.Boolean() },
    {
      additionalProperties: Type.Array(Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })])),
      description: "Every group of the item's form with a value, under its label, as a list",
    },
  ),
});

export const DETAIL_DETAIL = {
  ...operation({
    id: "readRecord",
    tag: "Records",
    summary: "One item",
    description:
      "The item in its RO-Crate form, and its metadata under the labels of its form. The number of a parent means the latest " +
      "version that the caller may read; Content-Location then names it.\n\nGuests may ask. Scope of a token: `item:read`.",
    parameters: [VERSION, pathParameter("record_id", "Number of the item", { example: 1 }), PRETTY, ...CONDITIONS],
    responses: {
      ...RECORDS_REFUSALS,
      200: response("The item", DetailOut, VALIDATORS),
      304: response("The item is as the caller has it", null, VALIDATORS),
      404: response("There is no such item, or it was never published", ErrorOut),
      410: response("The item was deleted", ErrorOut),
    },
  }),
  ...OPEN_TO_GUESTS,
};
