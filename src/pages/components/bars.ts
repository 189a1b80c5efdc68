// Numbers as bars (R51): a picture of a table that is there too. Server-made SVG, no script.
import { type Html, html } from "../html.ts";

const BAR = 10;
const HEIGHT = 48;

/**
 * One bar. With `href` it is a link for the pointer, under the name `title`; the links of the table below are those of
 * keyboards and screen readers.
 */
type Bar = { readonly count: number; readonly link?: { readonly href: string; readonly title: string } };

/** From left to right; the highest has the whole height, and none above 0 is invisible. */
export function bars(all: readonly Bar[]): Html {
  const most = Math.max(1, ...all.map(({ count }) => count));
  const shown = all.map(({ count, link }, at) => {
    const height = count === 0 ? 0 : Math.max(1, Math.round((count / most) * HEIGHT));
    const bar = html`<rect x="${at * BAR + 1}" y="${HEIGHT - height}" width="${BAR - 2}" height="${height}"/>`;
    if (count === 0 || link === undefined) return bar;
    return html`<a href="${link.href}" tabindex="-1"><title>${link.title}</title>${bar}</a>`;
  });
  return html`<svg class="bars" viewBox="0 0 ${all.length * BAR} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${shown}</svg>
`;
}

/** What the first and the last bar are, below them. */
export const barEnds = (first: string, last: string): Html =>
  html`<p class="ends" aria-hidden="true"><span>${first}</span><span>${last}</span></p>
`;
