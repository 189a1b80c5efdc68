// A notebook: its texts, its code and what the code wrote (Q.88). Pictures are data of the page itself, which alone
// permits them.
import type { Notebook, NotebookCell, NotebookOutput } from "../../../../formats/view/notebook.ts";
import { shownText } from "../../../../formats/view/shown-text.ts";
import { pagination } from "../../../../pages/components/lists.ts";
import { markdown, webLink } from "../../../../pages/components/markdown.ts";
import { type Html, html, NOTHING } from "../../../../pages/html.ts";
import type { SiteView } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

type Texts = SiteView["texts"];

export function notebookBody(view: Notebook, { here }: FileViewPlace, { texts }: SiteView): ViewBody {
  const { cells, language, count } = view;
  const { notebook: words } = texts.viewers;
  const hasPicture = cells.some((cell) => cell.kind === "code" && cell.outputs.some(({ kind }) => kind === "picture"));
  const body = html`<p class="kind">${language === "" ? NOTHING : html`<bdi>${shownText(language)}</bdi> · `}${words.cells(count)}</p>
${cells.map((cell) => cellOf(cell, texts))}${pagination(view, (page) => `${here}?page=${page}`, texts)}`;
  return { body, policy: hasPicture ? { "img-src": "'self' data:" } : {} };
}

function cellOf(cell: NotebookCell, texts: Texts): Html {
  if (cell.kind === "markdown") return markdown(cell.blocks, { link: webLink, below: 1, shown: shownText });
  const { notebook: words } = texts.viewers;
  const { source, left, run, outputs, outputsLeft } = cell;
  const label = cell.kind === "code" ? html`<p class="kind">${words.code(run)}</p>` : NOTHING;
  const more = outputsLeft === 0 ? NOTHING : html`<p class="kind">${words.outputsLeft(outputsLeft)}</p>`;
  return html`<div class="cell">${label}<pre tabindex="0" translate="no"><code>${shownText(source)}</code></pre>${rest(left, texts)}
${outputs.map((output) => outputOf(output, texts))}${more}</div>\n`;
}

const rest = (left: number, { viewers }: Texts): Html =>
  left === 0 ? NOTHING : html`<p class="kind">${viewers.notebook.cut(left)}</p>`;

function outputOf(output: NotebookOutput, texts: Texts): Html {
  const { notebook: words } = texts.viewers;
  switch (output.kind) {
    case "picture": {
      const alt = output.text === "" ? words.picture : shownText(output.text);
      return html`<p class="output"><img src="data:${output.mediaType};base64,${output.base64}" alt="${alt}"></p>\n`;
    }
    case "left-out":
      return html`<p class="kind">${words.leftOut(output.types.map(shownText).join(", "))}</p>\n`;
    default:
      return html`<pre class="output${output.kind === "error" ? " gone" : ""}" tabindex="0" translate="no">${shownText(output.text)}</pre>${rest(output.left, texts)}\n`;
  }
}
