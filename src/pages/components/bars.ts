// Numbers as bars (R51): a picture of a table that is there too. Server-made SVG, no script.
import { type Html, html } from "../html.ts";

const BAR = 10;
const HEIGHT = 48;

/** One bar for each number, from left to right; the highest has the whole height, and none above 0 is invisible. */
export function bars(counts: readonly number[]): Html {
  const most = Math.max(1, ...counts);
  const shown = counts.map((count, at) => {
    const height = count === 0 ? 0 : Math.max(1, Math.round((count / most) * HEIGHT));
    return html`<rect x="${at * BAR + 1}" y="${HEIGHT - height}" width="${BAR - 2}" height="${height}"/>`;
  });
  return html`<svg class="bars" viewBox="0 0 ${counts.length * BAR} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${shown}</svg>
`;
}

/** What the first and the last bar are, below them. */
export const barEnds = (first: string, last: string): Html =>
  html`<p class="ends" aria-hidden="true"><span>${first}</span><span>${last}</span></p>
`;
