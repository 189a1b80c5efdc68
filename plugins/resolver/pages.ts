// Pages for people: the resolver's front page and robots.txt (A48), and the headers of all our pages.

import { Elysia } from "elysia";
import { INFLECTIONS } from "../../src/ark/request-path.ts";
import type { Look } from "../../src/pages/static-files.ts";
import { type FrontView, frontPage } from "../../src/resolver/pages/front-page.ts";
import { LANGUAGES, textsOf } from "../../src/resolver/pages/languages/index.ts";
import { checkText, pathOfText } from "../../src/resolver/pasted-text.ts";
import type { ResolutionSettings } from "../../src/resolver/resolve.ts";
import { requireTable, type TableRefresh } from "../../src/resolver/table/table-refresh.ts";
import { pathAndQueryOf } from "../../src/shared/http/address.ts";
import { chooseLanguage } from "../../src/shared/http/negotiation.ts";
import type { Clock } from "../../src/shared/time/clock.ts";
import { HTML_TYPE, TEXT_TYPE } from "../http/answer.ts";
import { arkDialect, errors } from "../http/errors.ts";
import { staticFiles } from "../http/static-files.ts";
import { FRONT_DETAIL, ROBOTS_DETAIL } from "./document.ts";

/** The language of an answer: asked for by name, else what the client accepts, else the setting. */
export function languageFor(request: Request, asked: string | null, fallback: string): string {
  return chooseLanguage(asked, request.headers.get("accept-language"), LANGUAGES, textsOf(fallback).tag);
}

const policy = (formAction: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The logo.
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join("; ");

// Browsers hold redirects after a form against `form-action`: the button that resolves may lead anywhere on the web.
const POLICIES = { page: policy("'none'"), form: policy("'self' http: https:") };

/** Headers of every page: no inline script, no frame, nothing from other hosts. */
export function pageHeaders(kind: keyof typeof POLICIES = "page"): readonly (readonly [string, string])[] {
  return [
    ["content-security-policy", POLICIES[kind]],
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "no-referrer"],
  ];
}

export type PagesNeeds = {
  readonly tables: Pick<TableRefresh, "current">;
  readonly clock: Pick<Clock, "now">;
  readonly settings: ResolutionSettings & { readonly lang: string; readonly look?: Look };
};

export const pages = (needs: PagesNeeds) =>
  new Elysia({ name: "pages" })
    .use(staticFiles(needs.settings.look))
    .use(errors(arkDialect))
    .get("/", ({ request }) => front(needs, request), {
      detail: FRONT_DETAIL,
    })
    .get("/robots.txt", () => new Response(robots(needs.settings.rootPath), { headers: ROBOTS_HEADERS }), {
      detail: ROBOTS_DETAIL,
    });

const ROBOTS_HEADERS = { "content-type": TEXT_TYPE, "cache-control": "max-age=86400" };

/** Descriptions yes, redirects no. Of two rules that match, crawlers follow the longer one. */
function robots(rootPath: string): string {
  // Without one that is empty: a pattern that ends in `?` matches every query.
  const queries = INFLECTIONS.map(([query]) => query).filter((query) => query !== "");
  const allowed = queries.map((query) => `Allow: ${rootPath}/ark:*?${query}`);
  return [
    "User-agent: *",
    ...allowed,
    `Allow: ${rootPath}/$`,
    `Disallow: ${rootPath}/ark:`,
    `Disallow: ${rootPath}/api/`,
    "",
  ].join("\n");
}

async function front(needs: PagesNeeds, request: Request): Promise<Response> {
  const { settings, clock } = needs;
  const target = pathAndQueryOf(request.url);
  const mark = target.indexOf("?");
  const query = new URLSearchParams(mark === -1 ? "" : target.slice(mark + 1));
  const text = (query.get("ark") ?? "").trim().slice(0, 8192);
  if (query.get("do") === "resolve") {
    const location = pathOfText(text, settings.rootPath);
    if (location !== null)
      return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
  }
  const language = languageFor(request, query.get("lang"), settings.lang);
  const check: FrontView["check"] =
    text === "" ? null : (checkText(requireTable(needs.tables), settings, text, clock.now()) ?? "invalid");
  const headers = new Headers({
    "content-type": HTML_TYPE,
    "content-language": language,
    "cache-control": "no-cache",
    vary: "Accept-Language",
  });
  for (const [name, value] of pageHeaders("form")) headers.set(name, value);
  return new Response(frontPage({ text, check }, textsOf(language), settings), { headers });
}
