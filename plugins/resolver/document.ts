// How the resolver's routes describe themselves in the interface description (L70, L72, A50). The route of names is a
// wildcard, which no generator can show: `ARK_PATH_ITEM` takes its place under the path `/{ark}`.
import { type TSchema, Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import { INFLECTIONS, type Inflection } from "../../src/ark/request-path.ts";
import { LANGUAGES } from "../../src/resolver/pages/languages/index.ts";
import { ServiceErrorShape } from "../http/document-parts.ts";

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const Inventory = Type.Object(
  {
    resolver_path: Type.String({ description: "Append a compact ARK to it" }),
    resolver: Type.String({ description: "The same as an address; the path alone where no base address is set" }),
    global_resolver: textOrNull("Where names of unknown NAANs are sent"),
    naans: Type.Array(
      Type.Object({
        naan: Type.String(),
        authoritative: Type.Boolean({ description: "Names under it are assigned and answered for here" }),
        redirect: textOrNull("Where requests for its names go"),
        minter: textOrNull("Where its names are minted"),
        policy: textOrNull("Naming policy"),
      }),
    ),
    delegated_shoulders: Type.Array(
      Type.Object({
        naan: Type.String(),
        shoulder: Type.String(),
        status: Type.String(),
        minter: textOrNull("Endpoint for machines"),
        about: textOrNull("Page for people"),
        redirect: textOrNull("Base URL or template of its names"),
      }),
    ),
    held: Type.Array(
      Type.Object({
        scope: Type.Union([Type.Literal("naan"), Type.Literal("shoulder")]),
        target: Type.String({ description: "NAAN, or naan/shoulder" }),
        until: Type.String({ format: "date-time" }),
        reason: textOrNull("Why"),
      }),
    ),
  },
  { $id: "Inventory", description: "What this resolver answers for" },
);
export type InventoryDocument = typeof Inventory.static;

const NameDescription = Type.Object(
  {
    ark: Type.String({ description: "The name asked for, in canonical form" }),
    naan: Type.Optional(Type.String({ description: "Where a NAAN is described: the NAAN; absent for a name" })),
    authoritative: Type.Optional(
      Type.Boolean({ description: "Where a NAAN is described: its names are assigned and answered for here" }),
    ),
    who: Type.String(),
    what: Type.String(),
    when: Type.String(),
    where: Type.String({ description: "The name itself, never its target" }),
    redirect: Type.Optional(Type.String({ description: "The current target; absent when there is none" })),
    redirect_safe: Type.Optional(Type.Boolean({ description: "True for http and https" })),
    type: Type.String(),
    identifier: Type.String(),
    format: Type.String(),
    relation: Type.String(),
    source: Type.String(),
    commitment: Type.String({ description: "Statement of commitment" }),
    commitment_level: textOrNull("Permanence level"),
    commitment_label: textOrNull("The level in the reader's language"),
    na_policy: Type.String({ description: "Naming policy of the NAAN" }),
    state: textOrNull("published, tombstoned or reserved; null for a NAAN"),
    inherited_from: textOrNull("The name whose record this is, when the requested one has no record"),
    suffix: textOrNull("What follows that name"),
    hold: Type.Union([
      Type.Object({ scope: Type.String(), reason: textOrNull("Why"), until: Type.String({ format: "date-time" }) }),
      Type.Null(),
    ]),
    created_at: textOrNull("UTC"),
    updated_at: textOrNull("UTC"),
  },
  { $id: "NameDescription", description: "What a name identifies" },
);

const text = (description: string): TSchema => Type.String({ description });
const header = (description: string) => ({ description, schema: { type: "string" } });

const CORS = {
  "Access-Control-Allow-Origin": header("*"),
  "Access-Control-Expose-Headers": header("Link, THUMP-Status"),
};
const REQUEST_ID = { "X-Request-Id": header("As sent, or made up") };
const ABOUT_A_NAME = {
  ...CORS,
  ...REQUEST_ID,
  "THUMP-Status": header("0.6, status and reason"),
  Link: header('</ark:…>; rel="describes"'),
};
const CACHED = {
  ETag: header("Of this body"),
  "Last-Modified": header("Of the description"),
  "Cache-Control": header("no-cache"),
};

const described = (description: string) => ({
  description,
  headers: {
    ...ABOUT_A_NAME,
    ...CACHED,
    Vary: header("Accept, Accept-Language"),
    "Content-Language": header("Language of a page or JSON document"),
    "Retry-After": header("While on hold: seconds until it ends"),
  },
  content: {
    "text/html": { schema: text(`Page in one of the languages ${LANGUAGES.join(", ")}`) },
    "application/json": { schema: NameDescription },
    "text/plain": { schema: text("ERC in ANVL: the kernel for ?, with erc-support for ?? and ?info") },
  },
});

const refused = (description: string, headers: object) => ({
  description,
  headers: { ...CORS, ...REQUEST_ID, "Cache-Control": header("no-store"), ...headers },
  content: {
    "text/plain": { schema: text("Code, name and sentence") },
    "application/json": { schema: ServiceErrorShape },
    "text/html": { schema: text("Page") },
  },
});

const moved = (description: string) => ({
  description,
  headers: {
    ...CORS,
    Location: header("The target"),
    "Cache-Control": header("no-cache, or max-age"),
    "X-Request-Id": header("As sent"),
  },
});

/** Where the request names no host of the service. */
const WRONG_HOST = refused("Host name not served here (SVC-1105)", {});

const THUMP = { "THUMP-Status": ABOUT_A_NAME["THUMP-Status"] };
const RESPONSES = {
  200: described(
    "A description: of a name without web target, on hold, or tombstoned; of a NAAN; or the inflection asked for",
  ),
  301: moved("As set for the NAAN or shoulder of another organisation"),
  302: moved("To the target, with what follows the name and the query; names of others to who answers for them"),
  303: moved("As set for the NAAN or shoulder of another organisation"),
  307: moved("As set for the NAAN or shoulder of another organisation"),
  304: {
    description: "The client's description is still good",
    headers: { ...ABOUT_A_NAME, ...CACHED, Vary: header("Accept, Accept-Language") },
  },
  400: refused("Not an ARK (SVC-1001), too long (SVC-1004), host name not served here (SVC-1105)", THUMP),
  404: refused(
    "No such name (SVC-1402), check character wrong (SVC-1403), unknown NAAN and no global resolver (SVC-1404)",
    ABOUT_A_NAME,
  ),
  405: refused("Another method than GET, HEAD, OPTIONS (SVC-1102)", {
    ...ABOUT_A_NAME,
    Allow: header("GET, HEAD, OPTIONS"),
  }),
  410: described("A tombstone without page, where SVC_TOMBSTONE_STATUS is 410"),
  429: refused("Too many descriptions asked for from one address (SVC-1602); redirects are never limited", {
    ...ABOUT_A_NAME,
    "Retry-After": header("Seconds to wait"),
    RateLimit: header("What is left of the limit, where there is one"),
    "RateLimit-Policy": header("Requests a minute of one address"),
  }),
  500: refused("Internal error (SVC-1999)", ABOUT_A_NAME),
  503: refused("The table is not loaded yet, or the database is away and a description was asked for (SVC-1901)", {
    ...ABOUT_A_NAME,
    "Retry-After": header("Seconds to wait"),
  }),
};

const operation = (id: string, summary: string, description: string) => ({
  tags: ["Resolution"],
  operationId: id,
  summary,
  description,
  security: [],
});

const INFLECTION_ANSWERS: Readonly<Record<Inflection, string>> = {
  kernel: "kernel",
  support: "kernel and persistence",
  info: "description",
  json: "the same as JSON",
};
const INFLECTION_LIST = INFLECTIONS.map(([query, inflection]) => {
  const words = query === "" ? "empty" : `\`${query}\``;
  return `${words} (\`?${query}\`) ${INFLECTION_ANSWERS[inflection]}`;
}).join(", ");

/** `/{ark}` of the interface description: the one route of the resolver. */
export const ARK_PATH_ITEM = {
  parameters: [
    {
      name: "ark",
      in: "path",
      required: true,
      description:
        "`ark:<naan>/<name>`, followed by qualifiers or anything that a target accepts. Slashes are sent as they are; percent-encoding is never decoded.",
      schema: { type: "string", examples: ["ark:99999/b1x6np1wh8"] },
    },
    {
      name: "inflection",
      in: "query",
      required: false,
      description: `The query as a whole, up to the first \`&\`: ${INFLECTION_LIST}. Any other query is handed on to the target.`,
      schema: { type: "string" },
    },
    {
      name: "lang",
      in: "query",
      required: false,
      description: "Language of the description, after an inflection: `?info&lang=ja`",
      schema: { type: "string" },
    },
  ],
  get: {
    ...operation(
      "resolve",
      "Resolve or describe a name",
      `302 to the target, or a description. Follows draft-kunze-ark-42 and THUMP 0.6.`,
    ),
    responses: RESPONSES,
  },
  head: {
    ...operation("resolveHead", "As GET, without a body", "The same status and headers."),
    responses: Object.fromEntries(
      Object.entries(RESPONSES).map(([status, { description, headers }]) => [status, { description, headers }]),
    ),
  },
  options: {
    ...operation("resolveOptions", "Which methods there are", "For scripts of other sites."),
    responses: {
      204: { description: "Methods and headers", headers: { Allow: header("GET, HEAD, OPTIONS"), ...CORS } },
      400: WRONG_HOST,
    },
  },
};

/** Elysia's type of a detail is of OpenAPI 3.0; the document is 3.1, where TypeBox schemas fit as they are. */
const detail = (value: object) => value as DocumentDecoration;

export const WELL_KNOWN_DETAIL = detail({
  ...operation(
    "wellKnownArk",
    "Where names are resolved here",
    "`text/plain`: the path that a compact ARK is appended to, ending in `/`. `application/json`, when it is preferred: the inventory of this resolver.",
  ),
  responses: {
    200: {
      description: "Root path, or inventory",
      headers: { ...CORS, ...REQUEST_ID, Vary: header("Accept") },
      content: {
        "text/plain": { schema: text("The root path") },
        "application/json": { schema: Inventory },
      },
    },
    400: WRONG_HOST,
    503: {
      description: "The inventory is not loaded yet (SVC-1901)",
      headers: { "Retry-After": header("Seconds to wait") },
      content: { "application/json": { schema: ServiceErrorShape } },
    },
  },
});

const queryText = (name: string, description: string) => ({
  name,
  in: "query",
  required: false,
  description,
  schema: { type: "string" },
});

export const FRONT_DETAIL = detail({
  ...operation("frontPage", "A page to paste an ARK into", `In ${LANGUAGES.join(", ")}, without script.`),
  parameters: [
    queryText("ark", "The pasted text: an ARK, or an address that contains one"),
    queryText("do", "`check` tells what is known about it, `resolve` goes where it leads"),
    queryText("lang", "Language of the page"),
  ],
  responses: {
    200: {
      description: "The page",
      headers: { Vary: header("Accept-Language") },
      content: { "text/html": { schema: text("Page") } },
    },
    400: WRONG_HOST,
    302: {
      description: "`do=resolve`: to the name at this service",
      headers: { Location: header("Path of the name") },
    },
    503: {
      description: "The table is not loaded yet (SVC-1901)",
      headers: { "Retry-After": header("Seconds to wait") },
      content: { "application/json": { schema: ServiceErrorShape } },
    },
  },
});

export const ROBOTS_DETAIL = detail({
  ...operation("robots", "What crawlers may read", "Descriptions yes, redirects no."),
  responses: {
    200: { description: "Robots file", content: { "text/plain": { schema: text("Rules") } } },
    400: WRONG_HOST,
  },
});
