// Records that may describe the same work as a draft, next to its form (issue 25): listed after each save, and with
// script while a title or an identifier is typed. They prevent nothing.
import { attributes, type Html, html, NOTHING } from "../../../pages/html.ts";
import { duplicatePath, type LikelyDuplicate } from "../../record-lists/likely-duplicates.ts";
import type { SiteView } from "./layout.ts";

/** Names of fields of a form, the numbers of rows as `*`. */
export type WatchedFields = { readonly titles: readonly string[]; readonly identifiers: readonly string[] };

const list = (found: readonly LikelyDuplicate[], { texts, rootPath }: SiteView): Html => {
  const words = texts.imports.duplicates;
  const lines = found.map((each) => {
    const { title, authors, year, reason, isDraft } = each;
    const facts = [...authors, ...(year === null ? [] : [`${year}`]), words[reason], ...(isDraft ? [words.draft] : [])];
    return html`<li><a href="${rootPath}${duplicatePath(each)}">${title === "" ? texts.imports.untitled : title}</a> (${facts.join(", ")})</li>`;
  });
  return html`<p>${words.intro}</p><ul>${lines}</ul>`;
};

/** `watched`: absent on pages without the form. */
export function duplicatesBox(
  view: { readonly found: readonly LikelyDuplicate[]; readonly watched?: WatchedFields },
  site: SiteView,
): Html {
  const { found, watched } = view;
  if (watched === undefined && found.length === 0) return NOTHING;
  const data =
    watched === undefined
      ? {}
      : {
          "data-titles": watched.titles.join(" "),
          "data-identifiers": watched.identifiers.join(" "),
          "data-root": site.rootPath,
          "data-words": JSON.stringify({ ...site.texts.imports.duplicates, untitled: site.texts.imports.untitled }),
        };
  return html`<div id="duplicates" role="status"${attributes({ class: found.length === 0 ? null : "note", ...data })}>${found.length === 0 ? NOTHING : list(found, site)}</div>
`;
}
