// A table of a file: rows, sheets, and what each column holds (Q.86).

import type { ColumnFacts } from "../../../../formats/view/sheet.ts";
import { shownText } from "../../../../formats/view/shown-text.ts";
import { pagination, table, tabs } from "../../../../pages/components/lists.ts";
import { type Html, html, NOTHING } from "../../../../pages/html.ts";
import type { TableContent } from "../../../viewers/table.ts";
import type { SiteView } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

export function tableBody(view: TableContent, { here }: FileViewPlace, { texts }: SiteView): ViewBody {
  const { table: words } = texts.viewers;
  const { rows, columns, first, count, isCut, columnsLeft, sheet } = view;
  const numbers = columns.flatMap(({ type }, at) => (type === "integer" || type === "number" ? [at + 1] : []));
  const lines = rows.map((row, at) => [
    String(first + at),
    ...columns.map((_, column) => shownText(row[column] ?? "")),
  ]);
  const notes = [
    words.rows(first, first + rows.length - 1, count, isCut),
    ...(columnsLeft === 0 ? [] : [words.columnsLeft(columnsLeft)]),
  ];
  const part = sheet === 0 ? "" : `&part=${sheet + 1}`;
  const shown = table({
    caption: words.label,
    isCaptionHidden: true,
    head: [words.row, ...columns.map(({ name }) => shownText(name))],
    rows: lines,
    numbers,
    isStacked: false,
  });
  const body = html`${sheetTabs(view, here, texts)}<p class="kind">${notes.join(" ")}</p>
<div class="sheet">${shown}</div>${pagination(view, (page) => `${here}?page=${page}${part}`, texts)}
<details class="cites"><summary>${words.columns}</summary>
${columnTable(columns, texts)}</details>`;
  return { body };
}

function sheetTabs({ sheets, sheet }: TableContent, here: string, { viewers }: SiteView["texts"]): Html {
  if (sheets.length < 2) return NOTHING;
  const links = sheets.map((name, at) => ({
    label: html`<bdi>${shownText(name)}</bdi>`,
    href: at === 0 ? here : `${here}?part=${at + 1}`,
    isHere: at === sheet,
  }));
  return tabs(viewers.table.sheets, links);
}

function columnTable(columns: readonly ColumnFacts[], { viewers, locale }: SiteView["texts"]): Html {
  const { table: words } = viewers;
  const number = new Intl.NumberFormat(locale);
  return table({
    caption: words.columns,
    isCaptionHidden: true,
    head: [words.column, words.type, words.filled, words.range],
    rows: columns.map(({ name, type, filled, range }) => [
      html`<bdi>${shownText(name)}</bdi>`,
      words.types[type],
      number.format(filled),
      range === null ? "" : words.between(range[0], range[1]),
    ]),
    numbers: [2],
  });
}
