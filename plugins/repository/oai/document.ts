// How the door for harvesters describes itself in the interface description (R31, R32).
import { queryParameter, RETRY_AFTER, response } from "../../http/document-parts.ts";

const TEXT = { type: "string" } as const;
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
  queryParameter("resumptionToken", "Where a list goes on; alone beside `verb`", TEXT),
];
const xml = (description: string) => ({ ...response(description, null), content: { "text/xml": { schema: TEXT } } });
const RESPONSES = {
  200: xml("The answer, errors of the protocol included"),
  413: response("The form is too large", null),
  415: response("The body is no form", null),
  429: response("Too many requests", null, RETRY_AFTER),
  503: response("The first list is being made, or the database is away", null, RETRY_AFTER),
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
