// What the search page has below its hits (issue 26): the hits as files, and the search as one that is saved.
import { button, buttonRow, csrfField } from "../../../pages/components/buttons.ts";
import { hiddenField, textField } from "../../../pages/components/fields.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { SIGN_IN_PATH } from "../../../shared/http/return-path.ts";
import { SEARCH_NAME_MAX } from "../../saved-searches/saved-searches.ts";
import type { HitFormat } from "../../search/detail/hit-export.ts";
import type { SiteView } from "./layout.ts";
import { SEARCHES_PATH } from "./saved-searches.ts";

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

/** The search as one of the reader, who signs in first. `query`: what is saved. */
export function saveSearch(query: string, name: string, { texts, rootPath, person, here }: SiteView): Html {
  const { save } = texts.savedSearches;
  if (person === null) {
    const back = `${rootPath}${SIGN_IN_PATH}?return_to=${encodeURIComponent(here)}`;
    return html`<p class="links"><a href="${back}">${save.signIn}</a></p>\n`;
  }
  const field = textField(
    {
      id: "save-name",
      name: "name",
      label: save.name,
      hint: save.hint,
      value: name.slice(0, SEARCH_NAME_MAX),
      isRequired: true,
      control: { maxlength: SEARCH_NAME_MAX, autocomplete: "off" },
    },
    texts,
  );
  return html`<details class="detailed"><summary>${save.heading}</summary><form method="post" action="${rootPath}${SEARCHES_PATH}">${csrfField(person.csrf)}${hiddenField("query", query)}${field}${buttonRow([button({ label: save.button })])}</form></details>\n`;
}
