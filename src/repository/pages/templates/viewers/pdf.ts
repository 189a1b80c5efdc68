// A PDF: the frame that renders it, and for readers without script the browser's own viewer and the words of the first
// pages (Q.100, Q.103).
import { shownText } from "../../../../formats/view/shown-text.ts";
import { factList, factRow } from "../../../../pages/components/lists.ts";
import { PDF_FRAME_PATH } from "../../../../pages/frames/pdf-frame.ts";
import { html, NOTHING } from "../../../../pages/html.ts";
import type { PdfContent } from "../../../viewers/pdf.ts";
import type { SiteView } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

export function pdfBody(
  { sizeBytes, pages }: PdfContent,
  { bytes, download, name }: FileViewPlace,
  { texts, rootPath }: SiteView,
): ViewBody {
  const { pdf: words } = texts.viewerParts;
  const text =
    pages.length === 0
      ? NOTHING
      : html`<details><summary>${words.text(pages.length)}</summary>
${factList(pages.map((page, at) => factRow(words.page(at + 1), html`<span class="source-text">${shownText(page)}</span>`)))}</details>`;
  const body = html`<div data-pdf data-frame="${rootPath}${PDF_FRAME_PATH}?lang=${texts.tag}" data-bytes="${bytes}" data-size="${sizeBytes}" data-title="${words.frame(name)}"><p><a href="${download}">${words.browser}</a> <span class="kind">${words.browserHint}</span></p></div>
${text}`;
  return { body, scripts: ["pdf-view"], policy: { "frame-src": "'self'" } };
}
