// What the search page has below its hits (issue 26): the hits as files, and the search as one that is saved.
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { HitFormat } from "../../search/detail/hit-export.ts";
import type { SiteView } from "./layout.ts";

export type HitFilesView = {
  readonly total: number;
  readonly most: number;
  readonly links: readonly { readonly format: HitFormat; readonly href: string }[];
};

/** How many hits a file has is stated before it is asked for. */
export function hitFileLinks({ total, most, links }: HitFilesView, { texts: { savedSearches } }: SiteView): Html {
  if (total === 0) return NOTHING;
  const { files } = savedSearches;
  const shown = links.map(({ format, href }) => html`<a href="${href}">${files.formats[format]}</a>`);
  return html`<p class="links">${total > most ? files.first(most, total) : files.all(total)} ${shown}</p>`;
}
