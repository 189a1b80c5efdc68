// OpenSearch over HTTP (specification 3, "OpenSearch"; R6d, R9, R10): search and description document, for everybody. A
// token without item:read finds what guests find.
import { Elysia } from "elysia";
import { writeDescription } from "../../../src/formats/opensearch/description.ts";
import {
  type FeedFormat,
  feedMediaType,
  OPENSEARCH_PATH,
  type OpenSearch,
  type OpenSearchResults,
  writtenFeed,
} from "../../../src/repository/search/query/open-search.ts";
import { isYes, parametersOf } from "../../../src/repository/search/query/parameters.ts";
import { wantedLanguage } from "../../../src/shared/http/negotiation.ts";
import { answerInPieces, answerWith, JSON_TYPE, queryOf, withMembers } from "../../http/answer.ts";
import { errors } from "../../http/errors.ts";
import { recordsDialect } from "../errors.ts";
import type { RepositoryGuard } from "../guard.ts";
import { DESCRIPTION_DETAIL, OPENSEARCH_DETAIL } from "./document.ts";

export type OpenSearchRoutesNeeds = {
  readonly guard: Pick<RepositoryGuard, "anyoneOrGuest">;
  readonly openSearch: OpenSearch;
  readonly baseUrl: string;
  readonly shortName: string;
  readonly description: string;
  /** Path below the public address, or an address (SVC_OPENSEARCH_IMAGE). */
  readonly image: string;
  /** The description document at the default path. */
  readonly icon: Uint8Array<ArrayBuffer>;
};

/** What is counted together against the limit of requests per minute (R9). */
const GROUP = "opensearch";
const FORMATS: readonly string[] = ["atom", "rss", "jpcoar"] satisfies readonly FeedFormat[];
const DESCRIPTION_TYPE = "application/xml; charset=utf-8";
/** Browsers that add a search expect this type; otherwise it is ordinary XML. */
const BROWSER_TYPE = "application/opensearchdescription+xml; charset=utf-8";
const KEPT = "public, max-age=3600";

const isFeed = (format: string): format is FeedFormat => FORMATS.includes(format);

export const openSearchRoutes = (needs: OpenSearchRoutesNeeds) => {
  const { guard, openSearch, baseUrl, shortName, description, icon } = needs;
  const image = /^https?:\/\//.test(needs.image) ? needs.image : `${baseUrl}/${needs.image.replace(/^\/+/, "")}`;
  const described = { shortName, description, image, search: baseUrl + OPENSEARCH_PATH };
  const document = writeDescription({ ...described, page: null });
  const forBrowsers = writeDescription({ ...described, page: `${baseUrl}/search` });
  const kept = (request: Request, body: string | Uint8Array<ArrayBuffer>, type: string): Response =>
    answerWith(request, body, {
      status: 200,
      headers: new Headers({ "content-type": type, "cache-control": KEPT, "x-content-type-options": "nosniff" }),
    });
  return new Elysia({ name: "opensearch" })
    .use(errors(recordsDialect))
    .get(
      "/api/opensearch/description.xml",
      async ({ request }) => {
        await guard.anyoneOrGuest(request, GROUP, []);
        return kept(request, document, DESCRIPTION_TYPE);
      },
      { detail: DESCRIPTION_DETAIL },
    )
    .get("/opensearch.xml", ({ request }) => kept(request, forBrowsers, BROWSER_TYPE), { detail: { hide: true } })
    .get("/static/favicon.ico", ({ request }) => kept(request, icon, "image/x-icon"), { detail: { hide: true } })
    .get(
      OPENSEARCH_PATH,
      async ({ request }) => {
        const viewer = await guard.anyoneOrGuest(request, GROUP, ["item:read"]);
        const query = new URL(request.url).search.slice(1);
        const parameters = parametersOf(queryOf(request));
        const format = parameters.get("format")?.[0]?.trim().toLowerCase() ?? "";
        const language = wantedLanguage(request.headers.get("accept-language"), "en");
        const counted = !isFeed(format);
        const found = await openSearch.search(viewer, { query, parameters, language, counted });
        const headers = headersOf(found, isFeed(format) ? feedMediaType(format) : JSON_TYPE);
        const pretty = isYes(parameters, "pretty") || isYes(parameters, "prettyprint");
        return await answerInPieces(
          request,
          isFeed(format) ? writtenFeed(format, found) : jsonOf(found, pretty),
          headers,
        );
      },
      { detail: OPENSEARCH_DETAIL },
    );
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
  const frame = { hits: { hits: [], total: feed.total }, links, aggregations };
  return withMembers(frame, written("json"), { depth: 2, pretty });
}
