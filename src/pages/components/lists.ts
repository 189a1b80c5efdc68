// Tables, lists of files, rows of facts, and the ways through lists and pages (R40).
import { attributes, type Html, html, NOTHING } from "../html.ts";
import { type InLanguage, wordsIn } from "../languages/index.ts";

export type Cell = string | Html;

/** `isStacked`: on small screens each row is a block; otherwise a wide table scrolls by itself. */
export function table(view: {
  readonly caption: string;
  readonly isCaptionHidden?: boolean;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Columns of numbers, from 0. */
  readonly numbers?: readonly number[];
  readonly isStacked?: boolean;
}): Html {
  const { caption, isCaptionHidden = false, head, rows, numbers = [], isStacked = true } = view;
  const kind = (at: number): Html => (numbers.includes(at) ? html` class="number"` : NOTHING);
  const columns = head.map((name, at) => html`<th scope="col"${kind(at)}>${name}</th>`);
  const lines = rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, at) => (at === 0 ? html`<th scope="row">${cell}</th>` : html`<td${kind(at)}>${cell}</td>`))}</tr>\n`,
  );
  const whole = html`<table${isStacked ? html` class="stack"` : NOTHING}><caption${isCaptionHidden ? html` class="off"` : NOTHING}>${caption}</caption><thead><tr>${columns}</tr></thead>
<tbody>
${lines}</tbody></table>
`;
  return isStacked
    ? whole
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">${whole}</div>\n`;
}

export type FileLine = {
  /** As people wrote it. */
  readonly name: string;
  /** Null where the reader may not have it, or it is not there yet. */
  readonly href: string | null;
  /** Further lines under the name. */
  readonly notes?: readonly Cell[];
  readonly size: string;
  readonly type?: string;
  /** Who may have it, how far it is uploaded, what may be done with it. */
  readonly state: Cell;
};

/**
 * Files with size, type and state. `isInner`: the headings of the table above are seen, its own are heard only.
 * `label`: where there are several such lists.
 */
export function fileList(
  files: readonly FileLine[],
  { name, size, state }: { readonly name: string; readonly size: string; readonly state: string },
  { isInner = false, label = "" }: { readonly isInner?: boolean; readonly label?: string } = {},
): Html {
  const soft = (text: Cell): Html => html`<span class="soft">${text}</span>`;
  const rows = files.map((file) => {
    // The name is set apart from its surroundings: whatever it holds, it turns nothing else round.
    const shown = html`<bdi class="name">${file.name}</bdi>`;
    return html`<tr><td>${file.href === null ? shown : html`<a href="${file.href}">${shown}</a>`}${(file.notes ?? []).map(soft)}</td><td>${file.size}${file.type === undefined ? NOTHING : soft(file.type)}</td><td class="wrap">${file.state}</td></tr>\n`;
  });
  return html`<table class="files even${isInner ? " inner" : ""}"${attributes({ "aria-label": label === "" ? null : label })}><colgroup><col><col class="size"><col class="access"></colgroup><thead><tr><th scope="col">${name}</th><th scope="col">${size}</th><th scope="col">${state}</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}

/** Rows of a name and what is stated under it. */
export const factList = (rows: readonly Html[]): Html => html`<dl>\n${rows}</dl>\n`;
export const factRow = (name: string, value: Cell): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;

export type LinkView = { readonly label: string | Html; readonly href: string; readonly lang?: string | undefined };

/** From the top down to what this page is part of. */
export const trail = (links: readonly LinkView[], texts: InLanguage): Html =>
  html`<nav aria-label="${wordsIn(texts).trail}"><ol class="trail">${links.map(
    ({ label, href, lang }) => html`<li><a href="${href}"${attributes({ lang })}>${label}</a></li>`,
  )}</ol></nav>\n`;

/** Pages next to each other, on each of them. */
export const tabs = (name: string, links: readonly (LinkView & { readonly isHere: boolean })[]): Html =>
  html`<nav aria-label="${name}"><ul class="tabs">${links.map(
    ({ label, href, isHere }) =>
      html`<li><a href="${href}"${attributes({ "aria-current": isHere ? "page" : null })}>${label}</a></li>`,
  )}</ul></nav>\n`;

/** Pages at both ends and around this one that are linked. */
const AROUND = 2;

/** Links to the pages of a list; nothing if there is only one. */
export function pagination(
  { page, pages }: { readonly page: number; readonly pages: number },
  address: (page: number) => string,
  texts: InLanguage,
): Html {
  if (pages < 2) return NOTHING;
  const words = wordsIn(texts);
  const near = Array.from({ length: 2 * AROUND + 1 }, (_, at) => page - AROUND + at);
  const numbers = [...new Set([1, ...near, pages])].filter((each) => each >= 1 && each <= pages);
  const links = numbers.flatMap((each, at) => {
    const isGap = at > 0 && each > (numbers[at - 1] ?? 0) + 1;
    const link =
      each === page
        ? html`<li><span aria-current="page">${each}<span class="off"> (${words.pageOf(page, pages)})</span></span></li>`
        : html`<li><a href="${address(each)}" aria-label="${words.page(each)}">${each}</a></li>`;
    return isGap ? [html`<li aria-hidden="true">…</li>`, link] : [link];
  });
  const turn = (to: number, rel: string, label: string): Html =>
    to < 1 || to > pages ? NOTHING : html`<li><a href="${address(to)}" rel="${rel}">${label}</a></li>`;
  return html`<nav aria-label="${words.pages}"><ul class="pages">${turn(page - 1, "prev", words.previous)}${links}${turn(page + 1, "next", words.next)}</ul></nav>\n`;
}
