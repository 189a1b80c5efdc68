// Text and code with line numbers (Q.83).
import { cutText, shownText } from "../../../../formats/view/shown-text.ts";
import { pagination } from "../../../../pages/components/lists.ts";
import { type Html, html, NOTHING } from "../../../../pages/html.ts";
import type { TextContent } from "../../../viewers/text.ts";
import { type SiteView, sizeText } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

/** Characters of a line that are shown. */
const LINE_MOST = 1_000;

export function textBody(view: TextContent, { here }: FileViewPlace, { texts }: SiteView): ViewBody {
  const { text: words } = texts.viewers;
  const { first, lines, count, shownBytes } = view;
  const begins =
    shownBytes === null ? NOTHING : html`<p class="kind">${words.begins(sizeText(shownBytes, texts))}</p>\n`;
  const rows = lines.map((line, at) => lineOf(line, first + at, texts));
  const body = html`${begins}<p class="kind">${words.lines(first, first + lines.length - 1, count)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${words.label}"><pre class="source" translate="no">${rows}</pre></div>
${pagination(view, (page) => `${here}?as=text&page=${page}`, texts)}`;
  return { body };
}

/** The number is a link to its line; it is neither copied nor reached by Tab. */
function lineOf(line: string, number: number, { viewers }: SiteView["texts"]): Html {
  const { text, left } = cutText(line, LINE_MOST);
  const rest = left === 0 ? NOTHING : html`<span class="kind"> ${viewers.text.cut(left)}</span>`;
  return html`<a class="line" href="#L${number}" id="L${number}" tabindex="-1">${number}</a><bdi>${shownText(text)}</bdi>${rest}\n`;
}
