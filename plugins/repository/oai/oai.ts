// `/oai`: the endpoint for harvesters (R31, R36; OAI-PMH 2.0 section 3.1): six verbs by GET and POST. Errors of the
// protocol have status 200 and their code, all others their HTTP status.
import { Type } from "@sinclair/typebox";
import { type ReadRequest, readArguments } from "../../../src/repository/oai/arguments.ts";
import { oaiDocument, type RepositoryDescription } from "../../../src/repository/oai/document.ts";
import type { Harvesting } from "../../../src/repository/oai/harvesting.ts";
import { ServiceError } from "../../../src/shared/errors.ts";
import { addressKey } from "../../../src/shared/http/address.ts";
import { formFields } from "../../../src/shared/http/form-fields.ts";
import type { RateLimit } from "../../../src/shared/http/rate-limit.ts";
import { most } from "../../../src/shared/limits.ts";
import type { Refusal } from "../../../src/shared/refusal.ts";
import { answerWith, TEXT_TYPE } from "../../http/answer.ts";
import {
  type Headers as HeaderWords,
  queryParameter,
  RETRY_AFTER,
  response,
  WRONG_HOST,
} from "../../http/document-parts.ts";
import { errors } from "../../http/errors.ts";
import { readBytes } from "../../http/request-body.ts";
import { charge, contextOf } from "../../http/request-context.ts";
import { mountRoutes, type RouteGroup, routesOf } from "../../http/routes.ts";
import { renderRefusal } from "../errors.ts";

export type OaiNeeds = {
  readonly harvesting: Harvesting;
  readonly described: RepositoryDescription;
  /** Per address; null: unlimited. */
  readonly rate: RateLimit | null;
  readonly clientSeconds: number;
};

const PATH = "/oai";
const XML_TYPE = "text/xml; charset=utf-8";
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const TOO_MANY: ReadRequest = {
  errors: [{ code: "badArgument", message: `There are more than ${most("formFields")} arguments` }],
};

/** One sentence: a harvester that is sent away, or meets no route, reads the status. */
export const oaiDialect = (refusal: Refusal, request: Request): Response => {
  const { status, message, headers } = renderRefusal(refusal, request);
  const all = new Headers({ "content-type": TEXT_TYPE, "cache-control": "no-store", ...headers });
  return answerWith(request, `${message}\n`, { status, headers: all });
};

const ARGUMENTS = {
  verb: "`Identify`, `ListMetadataFormats`, `ListSets`, `GetRecord`, `ListIdentifiers` or `ListRecords`",
  metadataPrefix: "`oai_dc`, `jpcoar_2.0`, or `jpcoar`, which is the same",
  identifier: "`oai:<host>:<number>`, as the headers of records name it",
  from: "Records changed at this moment or later: `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`",
  until: "Records changed at this moment or earlier",
  set: "Records of this set: `index:<number>` or `community:<slug>`",
  resumptionToken: "Continues a list; the only other argument is `verb`",
};
const DESCRIPTION =
  "OAI-PMH 2.0. Deleted records are kept for ever, dates are to the second, tokens hold for a day. See docs/oai-pmh.md.";
const XML = response("The answer, errors of the protocol included", Type.String(), {}, "text/xml");
const refused = (words: string, headers: HeaderWords = {}) => response(words, Type.String(), headers, "text/plain");
const { verb, ...others } = ARGUMENTS;
const FORM_SHAPE = Type.Object({
  verb: Type.String({ description: verb }),
  ...Object.fromEntries(
    Object.entries(others).map(([name, description]) => [name, Type.Optional(Type.String({ description }))]),
  ),
});

const { get, post } = routesOf<OaiNeeds>();

const ROUTES = [
  get(PATH, {
    id: "oaiPmh",
    summary: "Harvest records",
    description: DESCRIPTION,
    parameters: Object.entries(ARGUMENTS).map(([name, description]) => ({
      ...queryParameter(name, description, { type: "string" }),
      required: name === "verb",
    })),
    answers: { 200: XML },
    run: (needs, request) => answer(needs, request, readQuery(request)),
  }),
  post(PATH, {
    id: "oaiPmhByPost",
    summary: "Harvest records, arguments in a form",
    description: DESCRIPTION,
    content: { "application/x-www-form-urlencoded": FORM_SHAPE },
    answers: {
      200: XML,
      408: refused("The body came too slowly"),
      413: refused("The form is too large"),
      415: refused("The body is not a form"),
    },
    run: async (needs, request) => answer(needs, request, await readForm(needs, request)),
  }),
];

const GROUP: RouteGroup = {
  name: "oai",
  tag: "OAI-PMH",
  errors: errors(oaiDialect),
  scopes: null,
  always: {
    400: refused(WRONG_HOST),
    429: refused("Too many requests", RETRY_AFTER),
    500: refused("Internal error"),
    503: refused("The first list is being built, or the database is unavailable", RETRY_AFTER),
  },
};

export const oai = (needs: OaiNeeds) => mountRoutes(GROUP, ROUTES, needs);

const read = (text: string): ReadRequest => {
  const fields = formFields(text);
  return fields === null ? TOO_MANY : readArguments(fields);
};
const queryOf = (request: Request): string => new URL(request.url).search.slice(1);
const readQuery = (request: Request): ReadRequest => read(queryOf(request));

/** Arguments of a POST are in its body; those in its address count too, so that none is overlooked. */
async function readForm({ clientSeconds }: OaiNeeds, request: Request): Promise<ReadRequest> {
  const type = request.headers.get("content-type")?.trim() ?? "";
  if (!FORM.test(type)) throw new ServiceError(1104, { content_type: type.slice(0, 200) });
  const bytes = await readBytes(request, { clientSeconds, bodyLimit: most("formBytes") });
  return read([queryOf(request), new TextDecoder().decode(bytes)].filter((part) => part !== "").join("&"));
}

async function answer(needs: OaiNeeds, request: Request, asked: ReadRequest): Promise<Response> {
  if (needs.rate !== null) await charge(request, needs.rate, addressKey(contextOf(request).address));
  const body = oaiDocument(await needs.harvesting.answer(asked), needs.described);
  const headers = new Headers({
    "content-type": XML_TYPE,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  return answerWith(request, body, { status: 200, headers });
}
