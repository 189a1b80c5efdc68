// The summary of what is wrong with a form (R40): at the top of the page, each line a link to its field, in the words
// that are at the field.
import { type Html, html, NOTHING } from "../html.ts";
import { type InLanguage, wordsIn } from "../languages/index.ts";

/** `field`: the id of the control; null for what is about none. `lang`: where the text is in another language. */
export type FieldProblem = { readonly field: string | null; readonly text: string; readonly lang?: string };

/** What is wrong with a field; null where nothing is. */
export const problemAt = (problems: readonly FieldProblem[], id: string): string | null =>
  problems.find(({ field }) => field === id)?.text ?? null;

/** The summary has the focus when the page opens, without script too. */
export function errorSummary(problems: readonly FieldProblem[], texts: InLanguage): Html {
  if (problems.length === 0) return NOTHING;
  const lines = problems.map(({ field, text, lang }) => {
    const words = lang === undefined || lang === texts.tag ? html`${text}` : html`<span lang="${lang}">${text}</span>`;
    return html`<li>${field === null ? words : html`<a href="#${field}">${words}</a>`}</li>`;
  });
  return html`<div class="note gone" role="alert" id="errors" tabindex="-1" autofocus><h2>${wordsIn(texts).problems}</h2><ul>${lines}</ul></div>
`;
}

/** The title of a page: it begins with the fact that there are errors. */
export const titleWithErrors = (title: string, problems: readonly FieldProblem[], texts: InLanguage): string =>
  problems.length === 0 ? title : `${wordsIn(texts).error}${title}`;
