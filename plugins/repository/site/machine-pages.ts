// What machines that come by themselves are given (R19a, R24): robots.txt, site maps of what guests may read, the feed
// of an index.
import { Type } from "@sinclair/typebox";
import type { Addresses } from "../../../src/model/items/addresses.ts";
import type { ItemSummary } from "../../../src/model/items/summary.ts";
import { peopleIn, titleIn, wordIn } from "../../../src/model/metadata/reader-language.ts";
import { FAVICON } from "../../../src/repository/pages/favicon.ts";
import { SITE_MAP_PAGE } from "../../../src/repository/pages/lists.ts";
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import { atomFeed, siteMap, siteMapIndex } from "../../../src/repository/pages/site-map.ts";
import { byteStream } from "../../../src/shared/bytes/byte-streams.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { answerWith, TEXT_TYPE } from "../../http/answer.ts";
import { pathParameter, response } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { openPage, type PageNeeds } from "./answers.ts";
import { indexId } from "./index-pages.ts";
import { FORBIDDEN, mountPages, NOT_FOUND } from "./page-routes.ts";
import { namesOf } from "./views.ts";

export type MachinePagesNeeds = PageNeeds & { readonly showing: Showing };

const DAY = "max-age=86400";
const HOUR = "max-age=3600";
const XML_TYPE = "application/xml; charset=utf-8";

const { get } = routesOf<MachinePagesNeeds>();
const xml = (description: string, type = "application/xml") => response(description, Type.String(), {}, type);

const ROUTES = [
  get("/favicon.ico", { run: () => icon() }),
  get("/robots.txt", { run: (needs, request) => text(request, robots(needs), TEXT_TYPE, DAY) }),
  get("/sitemap.xml", {
    id: "siteMaps",
    summary: "The site maps: addresses of the items that everybody may read",
    answers: { 200: xml("The list"), ...FORBIDDEN },
    run: siteMaps,
  }),
  get("/sitemap/:number", {
    id: "siteMap",
    summary: "One site map",
    parameters: [pathParameter("number", "Its number, from 0")],
    answers: { 200: xml("The addresses"), ...FORBIDDEN, ...NOT_FOUND },
    run: (needs, request, { number }) => oneSiteMap(needs, request, number),
  }),
  get("/index/:id/feed", {
    id: "indexFeed",
    summary: "Atom feed of an index that shows one",
    parameters: [pathParameter("id", "Number of the index")],
    answers: { 200: xml("The feed", "application/atom+xml"), ...FORBIDDEN, ...NOT_FOUND },
    run: (needs, request, { id }) => feed(needs, request, id),
  }),
];

export const machinePages = (needs: MachinePagesNeeds) => mountPages("machine-pages", ROUTES, needs);

function icon(): Response {
  const headers = {
    "content-type": "image/x-icon",
    "cache-control": `public, ${DAY}`,
    "x-content-type-options": "nosniff",
  };
  return new Response(FAVICON.slice(), { headers });
}

function text(request: Request, body: string, type: string, caching: string): Response {
  const headers = { "content-type": type, "cache-control": caching, "x-content-type-options": "nosniff" };
  return answerWith(request, body, { status: 200, headers: new Headers(headers) });
}

/** Records, files and indexes yes; accounts, activities and interfaces no. */
function robots({ settings: { rootPath }, showing }: MachinePagesNeeds): string {
  const closed = ["/account/", "/workflow/", "/api/", "/sword/"].map((path) => `Disallow: ${rootPath}${path}`);
  return ["User-agent: *", ...closed, "", `Sitemap: ${showing.addresses.siteMap}`, ""].join("\n");
}

/** One site map holds {@link SITE_MAP_PAGE} numbers of items; the list names as many as there are numbers. */
async function siteMaps(needs: MachinePagesNeeds, request: Request): Promise<Response> {
  await openPage(needs, request, "pages");
  const { showing } = needs;
  const [newest] = await showing.publicItems(null, 1);
  const count = newest === undefined ? 1 : Math.floor(newest.id / SITE_MAP_PAGE) + 1;
  const urls = Array.from({ length: count }, (_, at) => showing.addresses.siteMapPart(at));
  return text(request, siteMapIndex(urls), XML_TYPE, HOUR);
}

const NUMBER = /^(?:0|[1-9]\d{0,9})$/;

async function oneSiteMap(needs: MachinePagesNeeds, request: Request, written: string): Promise<Response> {
  await openPage(needs, request, "pages");
  if (!NUMBER.test(written)) throw new Refusal("not_found", "There is no such site map");
  const headers = { "content-type": XML_TYPE, "cache-control": HOUR, "x-content-type-options": "nosniff" };
  if (request.method === "HEAD") return new Response(null, { headers });
  return new Response(byteStream(encoded(siteMap(entriesOf(needs, Number(written))))), { headers });
}

const READ_AT_ONCE = 500;

async function* entriesOf({ showing }: MachinePagesNeeds, number: number) {
  const first = number * SITE_MAP_PAGE;
  for (let before = first + SITE_MAP_PAGE; ; ) {
    const items = await showing.publicItems(before, READ_AT_ONCE, first);
    yield items.map(({ id, updatedAt }) => ({ url: showing.addresses.landingPage(id), changedAt: updatedAt }));
    const last = items.at(-1);
    if (last === undefined || items.length < READ_AT_ONCE) return;
    before = last.id;
  }
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) if (piece !== "") yield encoder.encode(piece);
}

async function feed(needs: MachinePagesNeeds, request: Request, written: string): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const { showing } = needs;
  const id = indexId(written);
  const { node, items } = await showing.index(viewer, id, null);
  if (!node.rssStatus) throw new Refusal("not_found", `Index ${id} has no feed`);
  const page = showing.addresses.indexPage(id);
  const name = namesOf(node);
  const body = atomFeed({
    url: `${page}/feed`,
    page,
    title: `${site.texts.tag === "ja" ? name.ja : name.en} · ${site.repositoryName}`,
    updatedAt:
      items
        .map(({ item }) => item.updatedAt)
        .sort()
        .at(-1) ?? node.updatedAt,
    entries: items.map(({ item }) => entryOf(item, showing.addresses, site.texts.tag)),
  });
  return feedText(request, body);
}

export const feedText = (request: Request, body: string): Response =>
  text(request, body, "application/atom+xml; charset=utf-8", "private, no-cache");

/** People that an entry of a feed names. */
const FEED_PEOPLE = 20;

export function entryOf(item: ItemSummary, addresses: Addresses, tag: string) {
  const metadata = item.content?.metadata;
  const abstracts = metadata?.descriptions.filter(({ kind, html }) => kind.toLowerCase() === "abstract" && !html);
  const url = addresses.landingPage(item.id);
  return {
    url,
    id: url,
    title: metadata === undefined ? "" : (titleIn(metadata, tag)?.value ?? ""),
    updatedAt: item.updatedAt,
    publishedAt: item.publishedAt,
    people: peopleIn(metadata?.creators ?? [], tag, FEED_PEOPLE),
    summary: wordIn(abstracts ?? [], tag),
  };
}
