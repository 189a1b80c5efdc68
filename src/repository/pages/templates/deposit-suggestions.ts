// What the form of a draft shows of suggestions (R42, P.143): the field with its button, what "Look up" found, and the
// question before values are replaced. The script `deposit-suggestions` shows the same question.
import type { FieldEntry } from "../../../model/item-types/form-view.ts";
import { button, buttonRow } from "../../../pages/components/buttons.ts";
import { choices } from "../../../pages/components/choices.ts";
import { combobox } from "../../../pages/components/combobox.ts";
import { hiddenField } from "../../../pages/components/fields.ts";
import { table } from "../../../pages/components/lists.ts";
import { banner } from "../../../pages/components/notes.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { wordsIn } from "../../../pages/languages/index.ts";
import type { SiteView } from "./layout.ts";

export type FillLine = { readonly label: string; readonly before: string; readonly after: string };

/** What became of the button of a field. `field`: its name. */
export type SuggestionView =
  | {
      readonly kind: "found";
      readonly field: string;
      readonly found: readonly { readonly id: string; readonly text: string; readonly hint: string }[];
    }
  | {
      readonly kind: "question";
      readonly field: string;
      readonly id: string;
      readonly text: string;
      readonly lines: readonly FillLine[];
    }
  | { readonly kind: "filled"; readonly field: string }
  | { readonly kind: "gone"; readonly field: string };

type FieldView = Parameters<typeof combobox>[0];

export function suggestedField(
  view: Omit<FieldView, "source" | "found">,
  source: NonNullable<FieldEntry["source"]>,
  shown: SuggestionView | null,
  site: SiteView,
): Html {
  const { texts, rootPath } = site;
  const box = combobox({ ...view, source: `${rootPath}/api/suggestions/${source}`, found: null }, texts);
  return shown === null || shown.field !== view.id ? box : html`${box}${outcome(shown, view.label, site)}`;
}

function outcome(shown: SuggestionView, label: string, site: SiteView): Html {
  const words = site.texts.deposit.suggestions;
  if (shown.kind === "question") return fillQuestion(shown, site);
  if (shown.kind === "filled") return banner("good", html`<p>${words.filled}</p>`, { role: "status" });
  if (shown.kind === "gone") return banner("warn", html`<p>${words.gone}</p>`, { role: "status" });
  const { field, found } = shown;
  const component = wordsIn(site.texts);
  if (found.length === 0)
    return html`<div id="${field}-chosen">${banner("warn", html`<p>${component.notFound}</p>`, { role: "status" })}</div>`;
  const boxes = choices(
    {
      ...{
        id: `${field}-chosen`,
        name: "chosen",
        kind: "radio",
        legend: words.found(found.length, label),
        isWide: true,
      },
      choices: [
        ...found.map(({ id, text, hint }) => ({ value: id, label: text, ...(hint === "" ? {} : { hint }) })),
        { value: "", label: component.keepTyped, isChosen: true },
      ],
    },
    site.texts,
  );
  return html`<div class="suggested">${hiddenField("choosing", field)}${boxes}${buttonRow([button({ label: words.take, kind: "quiet", name: "choose", value: field })])}</div>
`;
}

/** Old and new value of every field that would be filled in. */
export function fillQuestion(
  { field, id, text, lines }: Extract<SuggestionView, { readonly kind: "question" }>,
  { texts }: SiteView,
): Html {
  const words = texts.deposit.suggestions;
  const heading = words.question(text);
  const rows = lines.map(({ label, before, after }) => [label, before || words.empty, after || words.empty]);
  return html`<div class="suggested question" role="group" aria-labelledby="${field}-question"><p id="${field}-question" tabindex="-1"><strong>${heading}</strong></p>
${hiddenField("offered", id)}${table({ caption: words.replaces, head: [words.field, words.now, words.new], rows })}
${buttonRow([
  button({ label: words.all, kind: "quiet", name: "fill", value: field }),
  button({ label: words.missing, kind: "quiet", name: "fill-empty", value: field }),
  button({ label: words.keep, kind: "quiet", name: "save", value: "yes" }),
])}</div>
`;
}

/** At the top of the page: what was looked up is further down. */
export function suggestionNote(shown: SuggestionView | null, { texts }: SiteView): Html {
  const words = texts.deposit.suggestions;
  if (shown === null || (shown.kind !== "found" && shown.kind !== "question")) return NOTHING;
  const [text, target] =
    shown.kind === "question"
      ? [`${words.question(shown.text)} ${words.replaces}`, `${shown.field}-question`]
      : [
          shown.found.length === 0 ? wordsIn(texts).notFound : wordsIn(texts).found(shown.found.length),
          `${shown.field}-chosen`,
        ];
  return banner("info", html`<p><a href="#${target}">${text}</a></p>`, { role: "status" });
}
