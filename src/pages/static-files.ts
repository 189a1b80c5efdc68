// What browsers load with a page and keep (R40, P.1 to P.4): the style sheet and scripts, under names that contain the hash of their content.
import { sha256Hex } from "../shared/hash/digests.ts";
import { type Html, html, NOTHING } from "./html.ts";
import { STYLE } from "./style/style.ts";

export type StaticFile<Body = string> = {
  /** Without hash and extension. */
  readonly name: string;
  /** Below the mount prefix. */
  readonly path: string;
  readonly type: string;
  readonly body: Body;
};

/** What settings give the pages: a style sheet of their colours, a logo, a picture of the first page. */
export type Look = {
  readonly theme: StaticFile | null;
  readonly logo: StaticFile<Uint8Array<ArrayBuffer>> | null;
  readonly picture: StaticFile<Uint8Array<ArrayBuffer>> | null;
};

export const PLAIN_LOOK: Look = { theme: null, logo: null, picture: null };

const HASH_LENGTH = 12;
const FOLDER = "/static/";

const TYPES = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webp: "image/webp",
  jpg: "image/jpeg",
} as const;

/** Endings of files that a logo may have, and the picture of the first page. */
export const LOGO_TYPES = ["svg", "png", "webp"] as const;
export const PICTURE_TYPES = [...LOGO_TYPES, "jpg"] as const;

export const staticFile = <Body extends string | Uint8Array<ArrayBuffer>>(
  name: string,
  extension: keyof typeof TYPES,
  body: Body,
): StaticFile<Body> => ({
  name: `${name}.${extension}`,
  path: `${FOLDER}${name}-${sha256Hex(body).slice(0, HASH_LENGTH)}.${extension}`,
  type: TYPES[extension],
  body,
});

const STYLE_FILE = staticFile("style", "css", STYLE);

const SCRIPTS = new Map<string, StaticFile>();
const FILES: StaticFile[] = [STYLE_FILE];
export const STATIC_FILES: readonly StaticFile[] = FILES;

/**
 * Loaded at the start, while nothing waits for it: in the binary, threads whose modules wait at their top level end.
 * Where scripts were not bundled yet, pages do without: every page works without script.
 */
void import("../assets/page-scripts.json", { with: { type: "json" } }).then(
  ({ default: bundled }: { readonly default: Readonly<Record<string, string>> }) => {
    for (const [name, body] of Object.entries(bundled)) {
      const script = staticFile(name, "js", body);
      SCRIPTS.set(name, script);
      FILES.push(script);
    }
  },
  () => {},
);

/** The style sheet of all pages, and after it that of the colours that are set. */
export const styleLinks = (rootPath: string, { theme }: Look): Html =>
  html`${[STYLE_FILE, ...(theme === null ? [] : [theme])].map(({ path }) => html`<link rel="stylesheet" href="${rootPath}${path}">\n`)}`;

/** The file `src/pages/scripts/NAME.ts` as a module that runs after the page is parsed. */
export function scriptTag(name: string, rootPath: string): Html {
  const script = SCRIPTS.get(name);
  if (script !== undefined) return html`<script type="module" src="${rootPath}${script.path}"></script>\n`;
  if (SCRIPTS.size === 0) return NOTHING;
  throw new TypeError(`There is no script "${name}"`);
}

/** The address of a script below the mount prefix, for documents that are not pages; null where none is bundled yet. */
export const scriptPath = (name: string): string | null => SCRIPTS.get(name)?.path ?? null;

const REQUESTED = /^([a-z-]+)-[0-9a-f]{12}(\.(?:js|css|svg|png|webp|jpg))$/;

/**
 * The file of a requested name. Where the hash is another one, which happens while several versions of the program run,
 * it is still that file, and not to be kept.
 */
export function findStaticFile(
  requested: string,
  { theme, logo, picture }: Look = PLAIN_LOOK,
): { readonly file: StaticFile<string | Uint8Array<ArrayBuffer>>; readonly isCurrent: boolean } | null {
  const [, stem = "", extension = ""] = REQUESTED.exec(requested) ?? [];
  const own = [theme, logo, picture].filter((file) => file !== null);
  const file = [...STATIC_FILES, ...own].find(({ name }) => name === `${stem}${extension}`);
  return file === undefined ? null : { file, isCurrent: file.path === `${FOLDER}${requested}` };
}
