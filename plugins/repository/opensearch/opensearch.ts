// OpenSearch over HTTP (specification 3, "OpenSearch"; R6d, R9, R10): search and description document, for everybody. A
// token without item:read finds what guests find.
import { Type } from "@sinclair/typebox";
import { writeDescription } from "../../../src/formats/opensearch/description.ts";
import type { QueryReader } from "../../../src/model/input/list-parameters.ts";
import {
  type FeedFormat,
  feedMediaType,
  OPENSEARCH_PATH,
  type OpenSearch,
  type OpenSearchResults,
  OpenSearchShape,
  writtenFeed,
} from "../../../src/repository/search/query/open-search.ts";
import { isYes, type Parameters, parametersOf } from "../../../src/repository/search/query/parameters.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { answerInPieces, answerWith, JSON_TYPE, withMembers } from "../../http/answer.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { plainGroup } from "../error-groups.ts";
import { SUGGESTIONS_PATH } from "./suggestions.ts";

export type OpenSearchRoutesNeeds = {
  readonly guard: EndpointGuard;
  readonly openSearch: OpenSearch;
  readonly baseUrl: string;
  readonly shortName: string;
  readonly description: string;
  /** Path below the public address, or an address (SVC_OPENSEARCH_IMAGE). */
  readonly image: string;
  /** The description document at the default path. */
  readonly icon: Uint8Array<ArrayBuffer>;
};

const FORMATS: readonly string[] = ["atom", "rss", "jpcoar"] satisfies readonly FeedFormat[];
const DESCRIPTION_TYPE = "application/xml; charset=utf-8";
/** Browsers that add a search expect this type; otherwise it is ordinary XML. */
const BROWSER_TYPE = "application/opensearchdescription+xml; charset=utf-8";
const KEPT = "public, max-age=3600";

const isFeed = (format: string): format is FeedFormat => FORMATS.includes(format);

/** A token needs no scope; without item:read it finds what guests find. */
const GROUP = plainGroup({
  name: "opensearch",
  tag: "OpenSearch",
  prefix: "",
  access: "guests",
  scopes: ["item:read"],
  pathParameters: {},
});

const text = (name: string, description: string) => ({ name, description, schema: Type.String() });
const whole = (name: string, description: string) => ({ name, description, schema: Type.Integer() });
const QUERY: QueryReader<Parameters> = {
  parameters: [
    text("q", "Words; `keyword` is the same"),
    text("format", "`atom`, `rss` or `jpcoar`; JSON where it is absent or anything else"),
    whole("size", "Entries of a page (10); `page * size` up to 10,000"),
    whole("page", "Page, from 1"),
    text("title", "Words of titles"),
    text("des", "Words of descriptions"),
    text("type", "Resource type: its label, or its place in the list"),
    whole("wid", "Number of an item"),
    whole("Iid", "Number of an index; `iid` is the same"),
  ],
  read: parametersOf,
};

type Services = { readonly openSearch: OpenSearch; readonly description: (request: Request) => Response };

const { get } = endpointsOf<Services>();

const ENDPOINTS = [
  get("/api/opensearch/description.xml", {
    id: "openSearchDescription",
    summary: "The OpenSearch description document",
    description: "Names, an icon, and the URL templates of the search.",
    scopes: [],
    answer: { status: 200, description: "The document", schema: Type.String(), mediaType: "application/xml" },
    run: async ({ description }, { request }) => description(request),
  }),
  get(OPENSEARCH_PATH, {
    id: "openSearch",
    summary: "Find items, as a feed or as JSON",
    description:
      "The search of the records interface, with the parameters of its metadata fields and facets in addition to those listed here. Guests may ask; a token needs no scope. No answer has an address of a person.",
    query: QUERY,
    answer: {
      status: 200,
      description: "What was found",
      schema: OpenSearchShape,
      otherMedia: ["application/atom+xml", "application/rss+xml", "application/xml"],
    },
    async run({ openSearch }, { viewer, request, query }) {
      const parameters = query();
      const format = parameters.get("format")?.[0]?.trim().toLowerCase() ?? "";
      const language = wantedLanguage(request.headers.get("accept-language"), "en");
      const sent = new URL(request.url).search.slice(1);
      const counted = !isFeed(format);
      const found = await openSearch.search(viewer, { query: sent, parameters, language, counted });
      const headers = headersOf(found, isFeed(format) ? feedMediaType(format) : JSON_TYPE);
      const pretty = isYes(parameters, "pretty") || isYes(parameters, "prettyprint");
      return await answerInPieces(
        request,
        isFeed(format) ? writtenFeed(format, found) : jsonOf(found, pretty),
        headers,
      );
    },
  }),
];

export const openSearchRoutes = (needs: OpenSearchRoutesNeeds) => {
  const { guard, openSearch, baseUrl, shortName, description, icon } = needs;
  const image = /^https?:\/\//.test(needs.image) ? needs.image : `${baseUrl}/${needs.image.replace(/^\/+/, "")}`;
  const search = baseUrl + OPENSEARCH_PATH;
  const described = { shortName, description, image, search, suggestions: baseUrl + SUGGESTIONS_PATH };
  const document = writeDescription({ ...described, page: null });
  const forBrowsers = writeDescription({ ...described, page: `${baseUrl}/search` });
  const kept = (request: Request, body: string | Uint8Array<ArrayBuffer>, type: string): Response =>
    answerWith(request, body, {
      status: 200,
      headers: new Headers({ "content-type": type, "cache-control": KEPT, "x-content-type-options": "nosniff" }),
    });
  return mountEndpoints(
    GROUP,
    ENDPOINTS,
    { openSearch, description: (request) => kept(request, document, DESCRIPTION_TYPE) },
    guard,
  )
    .get("/opensearch.xml", ({ request }) => kept(request, forBrowsers, BROWSER_TYPE), { detail: { hide: true } })
    .get("/static/favicon.ico", ({ request }) => kept(request, icon, "image/x-icon"), { detail: { hide: true } });
};

function headersOf({ feed }: OpenSearchResults, type: string): Headers {
  const links = [{ rel: "self", href: feed.address }, ...feed.links].map(({ rel, href }) => `<${href}>; rel="${rel}"`);
  return new Headers({
    "content-type": type,
    "cache-control": "private, no-cache",
    vary: "Authorization, Accept-Language",
    link: links.join(", "),
  });
}

function jsonOf({ feed, written, aggregations }: OpenSearchResults, pretty: boolean): AsyncGenerator<string> {
  const links = Object.fromEntries([["self", feed.address], ...feed.links.map(({ rel, href }) => [rel, href])]);
  const { total, correction } = feed;
  const frame = {
    ...{ hits: { hits: [], total }, links, aggregations },
    ...(correction === null ? {} : { did_you_mean: correction }),
  };
  return withMembers(frame, written("json"), { depth: 2, pretty });
}
