// How to cite an item (R19a): one style at once, the others, BibTeX and RIS in a part that unfolds. A text is selected
// whole by a click; the script adds a button that copies it.
import { sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { RepositoryTexts } from "../languages/index.ts";

export type CitingView = {
  /** By style; the first is shown at once. */
  readonly citations: readonly { readonly name: string; readonly text: string }[];
  /** Entries of several lines; null where one is too long to be copied from a page. */
  readonly bibtex: string | null;
  readonly ris: string | null;
};

export function citeBox({ citations, bibtex, ris }: CitingView, { record, item }: RepositoryTexts): Html {
  const [first, ...others] = citations;
  if (first === undefined) return NOTHING;
  const styles = others.map(
    ({ name, text }) => html`<h3>${name}</h3>
<p class="cite">${text}</p>
`,
  );
  const words = html` data-copy="${item.copy}" data-copied="${item.copied}" data-failed="${item.copyFailed}"`;
  return html`${sectionHeading(record.cite, { id: "cite" })}<div class="cites"${words}><h3>${first.name}</h3>
<p class="cite">${first.text}</p>
<details><summary>${item.citeMore}</summary>
${styles}${entry("BibTeX", bibtex)}${entry("RIS", ris)}</details></div>`;
}

const entry = (name: string, text: string | null): Html =>
  text === null
    ? NOTHING
    : html`<h3>${name}</h3>
<pre class="cite">${text}</pre>
`;
