// The endpoint for harvesters in the interface description (R31, R32).
import { queryParameter } from "../../http/document-parts.ts";

const TEXT = { type: "string" as const };
const PARAMETERS = [
  {
    ...queryParameter(
      "verb",
      "`Identify`, `ListMetadataFormats`, `ListSets`, `GetRecord`, `ListIdentifiers` or `ListRecords`",
      TEXT,
    ),
    required: true,
  },
  queryParameter("metadataPrefix", "`oai_dc`, `jpcoar_2.0`, or `jpcoar`, which is the same", TEXT),
  queryParameter("identifier", "`oai:<host>:<number>`, as the headers of records name it", TEXT),
  queryParameter("from", "Records changed at this moment or later: `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`", TEXT),
  queryParameter("until", "Records changed at this moment or earlier", TEXT),
  queryParameter("set", "Records of this set: `index:<number>` or `community:<slug>`", TEXT),
  queryParameter("resumptionToken", "Continues a list; the only other argument is `verb`", TEXT),
];
const RESPONSES = {
  200: {
    description: "The answer, errors of the protocol included",
    content: { "text/xml": { schema: TEXT } },
  },
  413: { description: "The form is too large" },
  415: { description: "The body is not a form" },
  429: { description: "Too many requests; `Retry-After` states when to try again" },
  503: {
    description:
      "The first list is being built, or the database is unavailable; `Retry-After` states when to try again",
  },
};
const DESCRIPTION =
  "OAI-PMH 2.0. Deleted records are kept for ever, dates are to the second, tokens hold for a day. See docs/oai-pmh.md.";

export const GET_DETAIL = {
  operationId: "oaiPmh",
  tags: ["OAI-PMH"],
  summary: "Harvest records",
  description: DESCRIPTION,
  parameters: PARAMETERS,
  responses: RESPONSES,
};

export const POST_DETAIL = {
  operationId: "oaiPmhByPost",
  tags: ["OAI-PMH"],
  summary: "Harvest records, arguments in a form",
  description: DESCRIPTION,
  requestBody: {
    required: true,
    content: {
      "application/x-www-form-urlencoded": {
        schema: {
          type: "object" as const,
          required: ["verb"],
          properties: Object.fromEntries(PARAMETERS.map(({ name, description }) => [name, { ...TEXT, description }])),
        },
      },
    },
  },
  responses: RESPONSES,
};
