// The interface description and its two pages: /api/openapi.json, /api/docs (Swagger UI), /api/redoc (specification 1,
// "What the service does" 12; A50). Everything comes from bundled files: no request leaves the host, and every address
// is relative, so that a mount prefix changes nothing.
import { Elysia } from "elysia";
import { REDOC_START, SWAGGER_START } from "./docs-start.ts";
import { arkDialect, errors } from "./errors.ts";
import { DOCUMENT_DETAIL, REDOC_DETAIL, SWAGGER_DETAIL } from "./operations-document.ts";

export type DocsNeeds = {
  /** Loads the description of what this instance serves, as JSON text. */
  readonly document: () => Promise<string>;
  /** Of both pages; the name of the ARK service where it is left out. */
  readonly docsTitle?: string;
  /** Address of the icon, as both pages name it; none where it is left out. */
  readonly docsIcon?: string;
};

const TITLE = "ARK Identifier Service";
const NO_ICON = "data:,";
const DAY_SECONDS = 86_400;

/** The large files of both pages: not in memory before somebody asks for one. */
const bundles = () => import("./docs-bundles.ts");

/** Scripts, images and requests of this host alone; both pages use small images from data URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
const OWN_STYLES = "style-src 'self'";
/** Redoc adds its styles to the page while it renders it. */
const WRITTEN_STYLES = "style-src 'self' 'unsafe-inline'";

export const docs = ({ document, docsTitle = TITLE, docsIcon = NO_ICON }: DocsNeeds) => {
  const page = pageOf(docsTitle, docsIcon);
  return new Elysia({ name: "docs", prefix: "/api" })
    .use(errors(arkDialect))
    .get("/openapi.json", async () => file("application/json; charset=utf-8", await document(), "no-cache"), {
      detail: DOCUMENT_DETAIL,
    })
    .get("/docs", () => page(OWN_STYLES, "docs/swagger-ui.css", ["docs/swagger-ui-bundle.js", "docs/start.js"]), {
      detail: SWAGGER_DETAIL,
    })
    .get("/redoc", () => page(WRITTEN_STYLES, null, ["redoc/redoc.standalone.js", "redoc/start.js"]), {
      detail: REDOC_DETAIL,
    })
    .get("/docs/swagger-ui.css", async () => style((await bundles()).swaggerStyle), hidden)
    .get("/docs/swagger-ui-bundle.js", async () => script((await bundles()).swaggerScript), hidden)
    .get("/docs/start.js", () => script(SWAGGER_START), hidden)
    .get("/redoc/redoc.standalone.js", async () => script((await bundles()).redocScript), hidden)
    .get("/redoc/start.js", () => script(REDOC_START), hidden);
};

const hidden = { detail: { hide: true } };

function file(type: string, body: string, cacheControl: string): Response {
  return new Response(body, {
    headers: { "content-type": type, "cache-control": cacheControl, "x-content-type-options": "nosniff" },
  });
}

function script(body: string): Response {
  return file("text/javascript; charset=utf-8", body, `public, max-age=${DAY_SECONDS}`);
}

function style(body: string): Response {
  return file("text/css; charset=utf-8", body, `public, max-age=${DAY_SECONDS}`);
}

const pageOf =
  (title: string, icon: string) =>
  (styles: string, stylesheet: string | null, scripts: readonly string[]): Response => {
    const body = [
      "<!doctype html>",
      '<html lang="en">',
      "<head>",
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<link rel="icon" href="${escaped(icon)}">`,
      `<title>${escaped(title)}</title>`,
      ...(stylesheet === null ? [] : [`<link rel="stylesheet" href="${stylesheet}">`]),
      "</head>",
      "<body>",
      "<noscript>",
      `<p>${escaped(title)}: this page is rendered by a script. The interface description itself is <a href="openapi.json">openapi.json</a>.</p>`,
      '<p lang="ja">このページの表示にはスクリプトが必要です。インターフェース記述は <a href="openapi.json">openapi.json</a> にあります。</p>',
      "</noscript>",
      '<div id="page"></div>',
      ...scripts.map((source) => `<script src="${source}"></script>`),
      "</body>",
      "</html>",
      "",
    ].join("\n");
    const response = file("text/html; charset=utf-8", body, "no-cache");
    response.headers.set("content-security-policy", [...POLICY, styles].join("; "));
    response.headers.set("referrer-policy", "no-referrer");
    return response;
  };

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
