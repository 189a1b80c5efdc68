// Pages of figures (R51): views and downloads by month as bars and as a table with the same numbers, what each number
// is, until when it was counted, and the numbers as CSV.
import { barEnds, bars } from "../../../pages/components/bars.ts";
import { button } from "../../../pages/components/buttons.ts";
import { hiddenField, textField } from "../../../pages/components/fields.ts";
import { factList, factRow, table, tabs, trail } from "../../../pages/components/lists.ts";
import { state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Figures } from "../../figures/figures.ts";
import { moment, type SiteView, sitePage, sizeText } from "./layout.ts";

export type FigureView = {
  readonly figures: Figures;
  /** What the figures are of; null: the repository. */
  readonly subject: { readonly label: string; readonly lang?: string; readonly href: string } | null;
  /** Whose figures of one item these are: of all its versions, of this one, of one of its files. */
  readonly part: "all" | "version" | "file" | null;
  /** Of an item: the pages of all versions and of this one, and of each file. */
  readonly parts: readonly { readonly part: "all" | "version"; readonly href: string }[];
  readonly file: string;
  readonly fileAt: (name: string) => string;
  /** This page without its period. */
  readonly here: string;
  /** Hidden fields of the form, besides the period. */
  readonly kept: readonly (readonly [name: string, value: string])[];
  readonly csv: string;
};

export function figurePage(view: FigureView, site: SiteView): string {
  const { texts } = site;
  const { figures: words } = texts;
  const { figures, subject, file } = view;
  const above = subject === null ? NOTHING : trail([{ ...subject, lang: subject.lang }], texts);
  return sitePage(site, {
    title: subject === null ? words.heading : words.of(subject.label),
    noindex: true,
    body: html`${above}${pageHeading(words.heading)}${file === "" ? NOTHING : html`<p><bdi>${file}</bdi></p>`}${
      view.parts.length === 0
        ? NOTHING
        : tabs(
            words.parts.name,
            view.parts.map(({ part, href }) => ({ label: words.parts[part], href, isHere: part === view.part })),
          )
    }
${periodForm(view, site)}
${totals(figures, site)}
<p class="hint">${words.countedUntil} ${moment(figures.countedUntil, texts)}</p>
<p class="hint">${words.leftOut}</p>
${chart(figures, "views", site)}${chart(figures, "downloads", site)}
${monthTable(figures, site)}${fileTable(view, site)}${countryTable(figures, site)}
<p class="links"><a href="${view.csv}">${words.csv}</a></p>`,
  });
}

function periodForm({ figures: { from, to }, here, kept }: FigureView, { texts }: SiteView): Html {
  const { figures: words } = texts;
  const control = { pattern: "[0-9]{4}-[0-9]{2}", maxlength: 7, size: 8, placeholder: "2026-01" };
  const field = (id: string, label: string, value: string): Html => textField({ id, label, value, control }, texts);
  return html`<form class="ordering" action="${here}">${kept.map(([name, value]) => hiddenField(name, value))}${field("from", words.from, from)}${field("to", words.to, to)}${button({ label: words.show, kind: "quiet" })}</form>`;
}

const number = (value: number, { texts }: SiteView): string => new Intl.NumberFormat(texts.locale).format(value);

function totals({ total }: Figures, site: SiteView): Html {
  const { figures: words } = site.texts;
  const row = (name: string, value: string, meaning: string): Html =>
    factRow(name, html`${value} <span class="more">${meaning}</span>`);
  return factList([
    row(words.views, number(total.views, site), words.meaning.views),
    row(words.downloads, number(total.downloads, site), words.meaning.downloads),
    row(words.volume, sizeText(total.dataVolume, site.texts), words.meaning.volume),
  ]);
}

/** A picture of a column of the table. */
function chart({ months, from, to, total }: Figures, column: "views" | "downloads", site: SiteView): Html {
  const { figures: words } = site.texts;
  if (total[column] === 0) return NOTHING;
  return html`${sectionHeading(words[column])}${bars(months.map((month) => ({ count: month[column] })))}${barEnds(from, to)}`;
}

function monthTable({ months, total }: Figures, site: SiteView): Html {
  const { figures: words } = site.texts;
  if (total.views === 0 && total.downloads === 0) return state({ kind: "empty", text: words.nothing });
  const rows = months.map(({ month, views, downloads, dataVolume }) => [
    month,
    number(views, site),
    number(downloads, site),
    sizeText(dataVolume, site.texts),
  ]);
  return table({
    caption: words.byMonth,
    head: [words.month, words.views, words.downloads, words.volume],
    rows: [
      ...rows,
      [words.total, number(total.views, site), number(total.downloads, site), sizeText(total.dataVolume, site.texts)],
    ],
    numbers: [1, 2, 3],
    isStacked: false,
  });
}

function fileTable({ figures: { files }, fileAt }: FigureView, site: SiteView): Html {
  const { figures: words } = site.texts;
  if (files.length === 0) return NOTHING;
  const rows = files.map(({ name, downloads, dataVolume }) => [
    html`<a href="${fileAt(name)}"><bdi>${name}</bdi></a>`,
    number(downloads, site),
    sizeText(dataVolume, site.texts),
  ]);
  const head = [words.file, words.downloads, words.volume];
  return table({ caption: words.byFile, head, rows, numbers: [1, 2], isStacked: false });
}

function countryTable({ countries }: Figures, site: SiteView): Html {
  const { texts } = site;
  const { figures: words } = texts;
  if (countries.length === 0) return NOTHING;
  const names = new Intl.DisplayNames([texts.locale], { type: "region", fallback: "code" });
  const rows = countries.map(({ name, views, downloads }) => [
    name === "" ? words.otherCountries : (names.of(name) ?? name),
    number(views, site),
    number(downloads, site),
  ]);
  const head = [words.country, words.views, words.downloads];
  return table({ caption: words.byCountry, head, rows, numbers: [1, 2], isStacked: false });
}

/** A link to the figures of something, from its page. */
export const figuresLink = (href: string, { texts }: SiteView): Html =>
  html`<a href="${href}">${texts.figures.link}</a>`;
