// All values of one field of an item, page by page: where its landing page shows the first of very many (R19a, R40).

import { pagination, trail } from "../../../pages/components/lists.ts";
import { banner } from "../../../pages/components/notes.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { html } from "../../../pages/html.ts";
import { otherLang, type SiteView, sitePage } from "./layout.ts";
import { type RowView, valueList } from "./metadata-rows.ts";

export type ValuesPageView = {
  readonly title: { readonly text: string; readonly lang?: string };
  /** Addresses of what the values belong to, and of this list. */
  readonly back: string;
  readonly here: string;
  readonly row: RowView;
  /** Number of the first value, for the list. */
  readonly from: number;
  /** How many can be read here; the rest is in the exports. */
  readonly shown: number;
  readonly page: number;
  readonly pages: number;
};

export function valuesPage(view: ValuesPageView, site: SiteView): string {
  const { texts } = site;
  const { record } = texts;
  const { field, values, count } = view.row;
  const heading = record.fields[field] ?? field;
  const title = view.title.text === "" ? texts.site.untitled : view.title.text;
  return sitePage(site, {
    title: `${heading} · ${title}`,
    noindex: true,
    body: html`${trail([{ label: title, href: view.back, lang: otherLang(view.title.lang, texts) }], texts)}${pageHeading(html`${heading} <span class="kind">(${record.count(count)})</span>`)}<ol class="values" start="${view.from}">${valueList(field, values, texts)}</ol>
${view.shown < count && view.page === view.pages ? banner("info", record.inExports(count - view.shown)) : html``}
${pagination(view, (page) => `${view.here}?page=${page}`, texts)}`,
  });
}
