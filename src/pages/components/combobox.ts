// A field with suggestions (R40). Without script a button looks up what was typed, and the page comes back with the
// suggestions as choices. The script `combobox` makes of it an ARIA combobox with a list ("list autocomplete with manual
// selection"): it sets the roles, asks `source`, and hides the button.
import { attributes, type Html, html, NOTHING } from "../html.ts";
import { type InLanguage, wordsIn } from "../languages/index.ts";
import { choices } from "./choices.ts";
import { type Control, type FieldView, field } from "./fields.ts";

export type Suggestion = { readonly value: string; readonly label: string; readonly hint?: string };

/**
 * What the script `combobox` needs of a text field. `source`: the address that suggestions are asked from, to which what
 * was typed is added as `q`; `label`: what the list is of; `kinds`: headings of suggestions by their kind.
 */
export const comboboxData = ({
  source,
  label,
  kinds,
}: {
  readonly source: string;
  readonly label: string;
  readonly kinds?: Readonly<Record<string, string>>;
}): Control => ({
  "data-combobox": source,
  "data-of": label,
  "data-kinds": kinds === undefined ? null : JSON.stringify(kinds),
});

export function combobox(
  view: FieldView & {
    readonly value: string;
    /** The address that suggestions are asked from: what was typed follows as `q`. */
    readonly source: string;
    /** What "Look up" found; null where nobody asked. */
    readonly found: readonly Suggestion[] | null;
    /** False where the text itself is sent, as in a search: there is no button and no choice. */
    readonly hasLookUp?: boolean;
    readonly type?: "text" | "search";
    readonly control?: Control;
  },
  texts: InLanguage,
): Html {
  const { id, label, value, source, found, hasLookUp = true, type = "text", control = {}, ...rest } = view;
  const words = wordsIn(texts);
  const data = comboboxData({ source, label });
  const button = hasLookUp
    ? html`<button class="go quiet" name="look-up" value="${view.name ?? id}" formnovalidate aria-label="${words.lookUpFor(label)}">${words.lookUp}</button>`
    : NOTHING;
  const box = field(
    { id, label, ...rest },
    texts,
    (own) =>
      html`<div class="combobox"><div class="line"><input type="${type}"${attributes({ ...own, value: value === "" ? null : value, ...data, ...control })}>${button}</div></div>`,
  );
  return html`${box}${found === null ? NOTHING : foundChoices(view, found, texts)}`;
}

/** What was found, as radio choices; the last one keeps what was typed. */
function foundChoices(
  { id, name = id, label }: Pick<FieldView, "id" | "name" | "label">,
  found: readonly Suggestion[],
  texts: InLanguage,
): Html {
  const words = wordsIn(texts);
  if (found.length === 0) return html`<p class="note warn" role="status">${words.notFound}</p>`;
  return choices(
    {
      id: `${id}-chosen`,
      name: `${name}-chosen`,
      kind: "radio",
      legend: words.suggestions(label),
      isWide: true,
      choices: [...found, { value: "", label: words.keepTyped, isChosen: true }],
    },
    texts,
  );
}
