// How OpenSearch describes itself in the interface description (R32): kept apart from the routes.
import { Type } from "@sinclair/typebox";
import { operation, queryParameter, RETRY_AFTER, response } from "../../http/document-parts.ts";

const ErrorOut = Type.Object({
  code: Type.Integer({ description: "HTTP status" }),
  message: Type.String(),
  status: Type.Integer({ description: "The same as code" }),
});
const REFUSALS = {
  400: response("Something sent is wrong", ErrorOut),
  401: response("An access token that is not valid", ErrorOut),
  429: response("Too many requests", ErrorOut, RETRY_AFTER),
  500: response("Internal error", ErrorOut),
  503: response("The search index does not answer", ErrorOut, RETRY_AFTER),
};

const FoundOut = Type.Object({
  hits: Type.Object({
    hits: Type.Array(
      Type.Object({
        id: Type.Integer(),
        metadata: Type.Object({}, { additionalProperties: true }),
        links: Type.Object({ self: Type.String(), oai: Type.String() }),
        created: Type.String(),
        updated: Type.String(),
      }),
    ),
    total: Type.Integer(),
  }),
  links: Type.Record(Type.String(), Type.String(), { description: "self, first, previous, next, last" }),
  aggregations: Type.Object({}, { additionalProperties: true }),
});

const whole = { type: "integer" } as const;
const text = { type: "string" } as const;

export const OPENSEARCH_DETAIL = {
  ...operation({
    id: "openSearch",
    tag: "OpenSearch",
    summary: "Find items, as a feed or as JSON",
    description:
      "The search of the records interface, with the parameters of its metadata fields and facets in addition to those listed here. Guests may ask; a token " +
      "needs no scope. No answer has an address of a person.",
    parameters: [
      queryParameter("q", "Words; `keyword` is the same", text),
      queryParameter("format", "`atom`, `rss` or `jpcoar`; JSON where it is absent or anything else", text),
      queryParameter("size", "Entries of a page (10); `page * size` up to 10,000", whole),
      queryParameter("page", "Page, from 1", whole),
      queryParameter("title", "Words of titles", text),
      queryParameter("des", "Words of descriptions", text),
      queryParameter("type", "Resource type: its label, or its place in the list", text),
      queryParameter("wid", "Number of an item", whole),
      queryParameter("Iid", "Number of an index; `iid` is the same", whole),
    ],
    responses: {
      ...REFUSALS,
      200: {
        ...response("What was found", FoundOut),
        content: {
          "application/json": { schema: FoundOut },
          "application/atom+xml": { schema: Type.String() },
          "application/rss+xml": { schema: Type.String() },
          "application/xml": { schema: Type.String() },
        },
      },
    },
  }),
  security: [{}, { bearer: [] }],
};

export const DESCRIPTION_DETAIL = {
  ...operation({
    id: "openSearchDescription",
    tag: "OpenSearch",
    summary: "The OpenSearch description document",
    description: "Names, an icon, and the URL templates of the search.",
    parameters: [],
    responses: { ...REFUSALS, 200: response("The document", Type.String(), {}, "application/xml") },
  }),
  security: [],
};
