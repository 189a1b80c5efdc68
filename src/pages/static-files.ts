// What browsers load with a page and keep (R40, P.1 to P.4): the style sheet and scripts, under names that contain the hash of their content.
import { sha256Hex } from "../shared/hash/digests.ts";
import { type Html, html, NOTHING } from "./html.ts";
import { STYLE } from "./style/style.ts";

export type StaticFile = {
  /** Without hash and extension. */
  readonly name: string;
  /** Below the mount prefix. */
  readonly path: string;
  readonly type: string;
  readonly body: string;
};

const HASH_LENGTH = 12;
const FOLDER = "/static/";

const staticFile = (name: string, extension: "js" | "css", body: string): StaticFile => ({
  name: `${name}.${extension}`,
  path: `${FOLDER}${name}-${sha256Hex(body).slice(0, HASH_LENGTH)}.${extension}`,
  type: extension === "js" ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8",
  body,
});

/** Where they were not bundled yet, pages do without: every page works without script. */
const bundled: Readonly<Record<string, string>> = await import("../assets/page-scripts.json", {
  with: { type: "json" },
}).then(
  (module) => module.default,
  () => ({}),
);

const SCRIPTS: ReadonlyMap<string, StaticFile> = new Map(
  Object.entries(bundled).map(([name, body]) => [name, staticFile(name, "js", body)]),
);

const STYLE_FILE = staticFile("style", "css", STYLE);

export const STATIC_FILES: readonly StaticFile[] = [STYLE_FILE, ...SCRIPTS.values()];

export const styleLink = (rootPath: string): Html =>
  html`<link rel="stylesheet" href="${rootPath}${STYLE_FILE.path}">\n`;

/** The file `src/pages/scripts/NAME.ts` as a module that runs after the page is parsed. */
export function scriptTag(name: string, rootPath: string): Html {
  const script = SCRIPTS.get(name);
  if (script !== undefined) return html`<script type="module" src="${rootPath}${script.path}"></script>\n`;
  if (SCRIPTS.size === 0) return NOTHING;
  throw new TypeError(`There is no script "${name}"`);
}

const REQUESTED = /^([a-z-]+)-[0-9a-f]{12}(\.(?:js|css))$/;

/**
 * The file of a requested name. Where the hash is another one, which happens while several versions of the program run,
 * it is still that file, and not to be kept.
 */
export function findStaticFile(requested: string): { readonly file: StaticFile; readonly isCurrent: boolean } | null {
  const [, stem = "", extension = ""] = REQUESTED.exec(requested) ?? [];
  const file = STATIC_FILES.find(({ name }) => name === `${stem}${extension}`);
  return file === undefined ? null : { file, isCurrent: file.path === `${FOLDER}${requested}` };
}
