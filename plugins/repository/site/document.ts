// Pages in the interface description (R32): those that programs follow links to. Forms and sign-in are for people only.
import { CITATION_STYLES } from "../../../src/formats/citation/styles/styles.ts";
import { EXPORT_FORMATS } from "../../../src/repository/exports/formats.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";

/** Left out of the description. */
export const HIDDEN = { detail: { hide: true } } as const;

const html = (description: string) => ({
  description,
  content: { "text/html": { schema: { type: "string" as const } } },
});

const GONE = html("It was deleted: the fact, the reason and the citation");
const NOT_FOUND = html("There is nothing by this number, or it was never published");
const CLOSED = html("It is there, and not open to the reader");

const LATEST = { description: "The number ties versions together: the latest one the reader may read" };

const ITEM = pathParameter("id", "Number of an item, or of what ties its versions together");

export const FRONT_DETAIL = {
  operationId: "repositoryFrontPage",
  tags: ["Pages"],
  summary: "Front page",
  description: "What this repository is, what was added lately, its indexes.",
  responses: { 200: html("The page") },
};

export const RECORD_DETAIL = {
  operationId: "landingPage",
  tags: ["Pages"],
  summary: "Landing page of an item",
  description:
    "What the item is, its files, its ARK, its versions. Carries schema.org JSON-LD, citation_ meta tags and FAIR Signposting `Link` headers.",
  parameters: [ITEM],
  responses: {
    200: html("The page"),
    302: LATEST,
    304: { description: "The reader has this page already" },
    403: CLOSED,
    404: NOT_FOUND,
    410: GONE,
  },
};

const DOCUMENTS = Object.fromEntries(
  EXPORT_FORMATS.map(({ mediaType }) => [mediaType, { schema: { type: "string" as const } }]),
);
const STYLES = CITATION_STYLES.map(({ id }) => `\`${id}\``).join(", ");

export const EXPORT_DETAIL = {
  operationId: "exportItem",
  tags: ["Pages"],
  summary: "An item in another format",
  description:
    "The same bytes as the landing page and the records interface return for this media type in `Accept`. The header `Warning` lists what the format cannot contain.",
  parameters: [
    ITEM,
    pathParameter("format", EXPORT_FORMATS.map(({ id, name }) => `\`${id}\` (${name})`).join(", ")),
    queryParameter("style", `Of a citation: ${STYLES}`, { type: "string" }),
    queryParameter("locale", "Of a citation and of labels: `en-US`, `en-GB`, `ja`", { type: "string" }),
  ],
  responses: {
    200: { description: "The document", content: DOCUMENTS },
    304: { description: "The document is as the reader has it" },
    400: { description: "There is no such citation style" },
    403: CLOSED,
    404: NOT_FOUND,
    410: GONE,
  },
};

const PAGE = queryParameter("page", "Page of the list, from 1", { type: "integer" });

export const FILES_DETAIL = {
  operationId: "fileListPage",
  tags: ["Pages"],
  summary: "The files of an item, folder by folder",
  parameters: [ITEM, queryParameter("folder", "Path of a folder, as the page shows it", { type: "string" }), PAGE],
  responses: { 200: html("The page"), 302: LATEST, 403: CLOSED, 404: NOT_FOUND, 410: GONE },
};

export const VALUES_DETAIL = {
  operationId: "valuesPage",
  tags: ["Pages"],
  summary: "All values of one field of an item",
  parameters: [ITEM, pathParameter("field", "Name of the field, such as `creators`"), PAGE],
  responses: { 200: html("The page"), 302: LATEST, 403: CLOSED, 404: NOT_FOUND, 410: GONE },
};

export const FILE_DETAIL = {
  operationId: "downloadFile",
  tags: ["Pages"],
  summary: "A file of an item",
  description:
    "Ranges and conditional requests are answered. `?download=1` asks for an attachment; so is given whatever browsers could run.",
  parameters: [ITEM, pathParameter("key", "Name of the file, percent-encoded once")],
  responses: {
    200: { description: "The file", content: { "application/octet-stream": { schema: { type: "string" as const } } } },
    206: { description: "The requested range" },
    304: { description: "The client has it already" },
    403: CLOSED,
    404: NOT_FOUND,
    410: GONE,
    416: { description: "The range starts after the end of the file" },
  },
};

export const INDEXES_DETAIL = {
  operationId: "indexListPage",
  tags: ["Pages"],
  summary: "The top level of the index tree",
  responses: { 200: html("The page") },
};

export const INDEX_DETAIL = {
  operationId: "indexPage",
  tags: ["Pages"],
  summary: "One index: its children and its items",
  parameters: [
    pathParameter("id", "Number of the index"),
    queryParameter("before", "Items below this number", { type: "integer" }),
  ],
  responses: { 200: html("The page"), 403: CLOSED, 404: NOT_FOUND },
};

export const SEARCH_PAGE_DETAIL = {
  operationId: "searchPage",
  tags: ["Pages"],
  summary: "Items that a search finds, with facets; its parameters are those of item search",
  parameters: [
    queryParameter("q", "Words", { type: "string" }),
    queryParameter("page", "Number of the page", { type: "integer" }),
    queryParameter("size", "Items on a page, at most 100", { type: "integer" }),
    queryParameter("sort", "Sort key, `-` before it for descending", { type: "string" }),
  ],
  responses: { 200: html("The page"), 400: html("The search is invalid"), 503: html("The index is not built yet") },
};

export const PERSON_DETAIL = {
  operationId: "personPage",
  tags: ["Pages"],
  summary: "A person: names, identifiers, affiliations, items",
  parameters: [pathParameter("id", "Number of the author")],
  responses: {
    200: html("The page"),
    302: { description: "The person who took this one in" },
    404: NOT_FOUND,
    410: GONE,
  },
};

export const FEED_DETAIL = {
  operationId: "indexFeed",
  tags: ["Pages"],
  summary: "Atom feed of an index that shows one",
  parameters: [pathParameter("id", "Number of the index")],
  responses: {
    200: { description: "The feed", content: { "application/atom+xml": { schema: { type: "string" as const } } } },
    403: CLOSED,
    404: NOT_FOUND,
  },
};

export const SITE_MAP_DETAIL = {
  operationId: "siteMaps",
  tags: ["Pages"],
  summary: "The site maps: addresses of the items that everybody may read",
  responses: {
    200: { description: "The list", content: { "application/xml": { schema: { type: "string" as const } } } },
  },
};

const ASKED = (name: string, description: string) => queryParameter(name, description, { type: "string" });

export const AUTHORIZE_DETAIL = {
  operationId: "authorize",
  tags: ["Pages"],
  summary: "Ask a person to let a program act for them",
  description:
    "The authorization endpoint (RFC 6749 section 3.1, with PKCE of RFC 7636, `resource` of RFC 8707 and `iss` of RFC 9207). A browser is sent here; a guest signs in first and returns. The form of the page sends the answer to `redirect_uri`: `code`, or `error` with `error_description`; `state` and `iss` with either.",
  parameters: [
    ASKED("response_type", "`code`"),
    ASKED("client_id", "Id of a registered client, or the address of its metadata document"),
    ASKED("redirect_uri", "One of the client's own"),
    ASKED("code_challenge", "Of a verifier, method S256"),
    ASKED("code_challenge_method", "`S256`"),
    ASKED("scope", "`mcp:read`, `mcp:write`, `mcp:curate`; the person may allow less"),
    ASKED("resource", "Address of the tool server that the token is for"),
    ASKED("state", "Returned unchanged"),
    ASKED(
      "prompt",
      "`none`: no page is shown, and the answer is `login_required` or `consent_required`; `login`: the person signs in again; `consent`: as without",
    ),
  ],
  responses: {
    200: html("The page that asks"),
    302: { description: "To `redirect_uri`, with what is wrong with the request" },
    303: { description: "To the sign-in page, which leads back" },
    400: html("The client or its `redirect_uri` is unknown: the browser is not redirected"),
    429: html("Too many requests"),
    500: html("An internal error"),
  },
};
