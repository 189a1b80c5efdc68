// Sentences of refusals in the language of a page: the interfaces word them in English, and a table of the language has
// the others. Linear in the length of the sentence.
import type { FieldProblem } from "../../pages/components/errors.ts";
import type { Refusal } from "../../shared/refusal.ts";
import type { RepositoryTexts } from "./languages/index.ts";

type Template = { readonly parts: readonly string[]; readonly words: string };

/** Made once for each language: the sentences with values, those with more fixed text first. */
const TEMPLATES = new WeakMap<object, readonly Template[]>();

function templatesOf(table: RepositoryTexts["refusals"]): readonly Template[] {
  const known = TEMPLATES.get(table);
  if (known !== undefined) return known;
  const made = Object.entries(table)
    .filter(([sentence]) => sentence.includes("{}"))
    .map(([sentence, words]) => ({ parts: sentence.split("{}"), words }))
    .sort((one, other) => other.parts.join("").length - one.parts.join("").length);
  TEMPLATES.set(table, made);
  return made;
}

/** The values of a sentence; null where it is another one. Between fixed parts a value is as short as it can be. */
function valuesIn(sentence: string, [first = "", ...parts]: readonly string[]): readonly string[] | null {
  const last = parts.at(-1) ?? "";
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    const end = index === parts.length - 1 ? sentence.length - last.length : sentence.indexOf(part, at);
    if (end < at) return null;
    values.push(sentence.slice(at, end));
    at = end + part.length;
  }
  return values;
}

function filled(words: string, values: readonly string[], texts: RepositoryTexts): string {
  let next = 0;
  return words.replace(/\{(\d?)\}/g, (_, number: string) => {
    const value = values[number === "" ? next : Number(number) - 1] ?? "";
    next += 1;
    // A sentence within a sentence.
    return Object.hasOwn(texts.refusals, value) ? (texts.refusals[value] ?? value) : value;
  });
}

/** `lang` where the sentence is in another language than the page. */
export function refusalWords(
  sentence: string,
  texts: RepositoryTexts,
): { readonly text: string; readonly lang?: "en" } {
  if (texts.tag === "en") return { text: sentence };
  const { refusals } = texts;
  if (Object.hasOwn(refusals, sentence)) return { text: refusals[sentence] ?? sentence };
  for (const { parts, words } of templatesOf(refusals)) {
    const values = valuesIn(sentence, parts);
    if (values !== null) return { text: filled(words, values, texts) };
  }
  return { text: sentence, lang: "en" };
}

/** What is wrong with a field, or with none, in the language of the page. */
export const refusalProblem = (field: string | null, sentence: string, texts: RepositoryTexts): FieldProblem => ({
  field,
  ...refusalWords(sentence, texts),
});

/** The sentences of a body's faults, or the one of the refusal, as the page words them. */
export function refusalText({ message, detail }: Refusal, texts: RepositoryTexts): string {
  const { errors } = detail;
  const found = (Array.isArray(errors) ? errors : []).flatMap(
    (each: { readonly messages?: readonly string[] }) => each.messages ?? [],
  );
  const sentences = found.length === 0 ? [message] : found;
  return sentences.map((each) => refusalWords(each, texts).text).join(" ");
}
