// The frame in which PDFs are shown, and what it loads (R49, Q.100 to Q.102). The frame is an opaque origin: its files,
// and nothing else, allow every origin to read them. They are the same for everybody.
import { Elysia } from "elysia";
import { PDF_FRAME_PATH, PDF_FRAME_POLICY, PDF_FRAME_STYLE, pdfFrame } from "../../src/pages/frames/pdf-frame.ts";
import type { Look } from "../../src/pages/static-files.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { answerWith, HTML_TYPE } from "./answer.ts";
import { arkDialect, errors } from "./errors.ts";

type PdfFrameNeeds = { readonly settings: { readonly rootPath: string; readonly look: Look } };

const FOREVER = "public, max-age=31536000, immutable";
const STYLE = "code/frame.css";

/** A megabyte and a half: not in memory before somebody opens a PDF. */
const packed = async () => (await import("../../src/assets/pdf-frame-files.json", { with: { type: "json" } })).default;
const characterMaps = async () => (await import("../../src/assets/cmaps/index.ts")).CMAPS;

export const pdfFrameFiles = ({ settings }: PdfFrameNeeds) =>
  new Elysia({ name: "pdf-frame" })
    .use(errors(arkDialect))
    .get(PDF_FRAME_PATH, ({ request }) => frame(request, settings), { detail: { hide: true } })
    .get(
      `${PDF_FRAME_PATH}/:version/:folder/:name`,
      ({ request, params }) => file(request, params.version, `${params.folder}/${params.name}`),
      { detail: { hide: true } },
    );

async function frame(request: Request, { rootPath, look }: PdfFrameNeeds["settings"]): Promise<Response> {
  const { version } = await packed();
  const lang = new URL(request.url).searchParams.get("lang") ?? "en";
  const headers = new Headers({
    "content-type": HTML_TYPE,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": PDF_FRAME_POLICY,
  });
  return answerWith(request, pdfFrame(lang, rootPath, look, version), { status: 200, headers });
}

async function file(request: Request, version: string, path: string): Promise<Response> {
  const { version: own, files } = await packed();
  const found = path === STYLE ? PDF_FRAME_STYLE : await bytesOf(files, path, takesGzip(request));
  if (found === null) throw new ServiceError(1101, { path: `${PDF_FRAME_PATH}/${version}/${path}`.slice(0, 255) });
  const headers = new Headers({
    "content-type": typeOf(path),
    // Our own style changes with our versions, not with those of PDF.js.
    "cache-control": version === own && path !== STYLE ? FOREVER : "no-cache",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
  });
  if (typeof found === "string") return answerWith(request, found, { status: 200, headers });
  headers.set("vary", "Accept-Encoding");
  if (found.isPacked) headers.set("content-encoding", "gzip");
  return answerWith(request, found.bytes, { status: 200, headers });
}

const takesGzip = (request: Request): boolean =>
  /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test((request.headers.get("accept-encoding") ?? "").slice(0, 1000));

type FrameFile = { readonly bytes: Uint8Array<ArrayBuffer>; readonly isPacked: boolean };

async function bytesOf(
  files: Readonly<Record<string, string>>,
  path: string,
  asPacked: boolean,
): Promise<FrameFile | null> {
  const map = /^cmaps\/([\w-]+)\.bcmap$/.exec(path)?.[1];
  if (map !== undefined) {
    const maps = await characterMaps();
    const text = Object.hasOwn(maps, map) ? maps[map] : undefined;
    return text === undefined ? null : { bytes: fromBase64(text), isPacked: false };
  }
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  if (text === undefined) return null;
  const bytes = fromBase64(text);
  return asPacked ? { bytes, isPacked: true } : { bytes: await unpacked(bytes), isPacked: false };
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** For clients that do not take gzip; these bytes are our own. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function typeOf(path: string): string {
  if (path.endsWith(".mjs")) return "text/javascript; charset=utf-8";
  if (path.endsWith(".css")) return "text/css; charset=utf-8";
  return path.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
}
