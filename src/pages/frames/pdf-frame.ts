// The document of the frame that shows a PDF (R49, Q.100 to Q.102): an opaque origin that runs our script and PDF.js,
// and reads nothing but what the page hands to it.
import { html } from "../html.ts";
import { type Look, scriptPath, styleLinks } from "../static-files.ts";
import { pdfFrameWords } from "./pdf-frame-words.ts";

export const PDF_FRAME_PATH = "/viewers/pdf";

/** Of the pages in the frame; what else they need is in the style sheet of all pages. */
export const PDF_FRAME_STYLE = `body { margin: 0; max-width: none; display: grid; grid-template-rows: auto 1fr; height: 100vh; }
#bar { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .5rem; border-bottom: 1px solid var(--line); }
#bar input { width: 6em; }
#pages { overflow: auto; outline-offset: -2px; padding: .5rem; text-align: center; background: var(--tint); }
.sheet { position: relative; display: inline-block; background: #fff; text-align: left; }
.sheet canvas { display: block; }
.textLayer { position: absolute; inset: 0; overflow: clip; line-height: 1; letter-spacing: normal; word-spacing: normal;
  text-size-adjust: none; forced-color-adjust: none; transform-origin: 0 0; --min-font-size: 1;
  --text-scale-factor: calc(var(--total-scale-factor) * var(--min-font-size));
  --min-font-size-inv: calc(1 / var(--min-font-size)); }
.textLayer :is(span, br) { color: transparent; position: absolute; white-space: pre; cursor: text; transform-origin: 0% 0%; }
.textLayer > :not(.markedContent), .textLayer .markedContent span:not(.markedContent) {
  --font-height: 0; --scale-x: 1; --rotate: 0deg; font-size: calc(var(--text-scale-factor) * var(--font-height));
  transform: rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv)); }
.textLayer .markedContent { display: contents; }
.textLayer ::selection { background: rgb(0 0 255 / .25); }
`;

/**
 * Only our own files, wherever the PDF leads: WebAssembly for pictures, our worker, no other page, no form.
 * `sandbox` again: opened by itself it is an opaque origin, too.
 */
export const PDF_FRAME_POLICY: string = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src blob:",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src blob: data:",
  "font-src 'self' blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-scripts",
].join("; ");

/** Its words are attributes: the script has none. */
export function pdfFrame(lang: string, rootPath: string, look: Look, version: string): string {
  const words = pdfFrameWords(lang);
  const base = `${rootPath}${PDF_FRAME_PATH}`;
  const { of, pageNumber, locked, broken, away } = words;
  const script = scriptPath("pdf-frame");
  return html`<!doctype html>
<html lang="${words.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title}</title>
${styleLinks(rootPath, look)}<link rel="stylesheet" href="${base}/${version}/code/frame.css">
</head>
<body data-files="${base}/${version}/" data-of="${of}" data-page-number="${pageNumber}" data-locked="${locked}" data-broken="${broken}" data-away="${away}">
<div id="bar" role="toolbar" aria-controls="pages">
<button id="previous" type="button" class="small" disabled>${words.previous}</button>
<label>${words.page} <input id="number" type="number" min="1" value="1" inputmode="numeric" disabled></label> <span id="count"></span>
<button id="next" type="button" class="small" disabled>${words.next}</button>
<button id="smaller" type="button" class="small" disabled>${words.smaller}</button>
<button id="larger" type="button" class="small" disabled>${words.larger}</button>
<button id="fit" type="button" class="small" disabled>${words.fit}</button>
<span id="state" role="status">${words.loading}</span>
</div>
<main id="pages" tabindex="0"></main>
<script type="module" src="${base}/${version}/code/pdf.min.mjs"></script>
${script === null ? null : html`<script defer src="${rootPath}${script}"></script>\n`}</body>
</html>
`.markup;
}
