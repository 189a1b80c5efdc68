// Fields of forms (R40): the one place where a label, a hint, an error and their control are put together.
import { attributes, type Html, html, NOTHING } from "../html.ts";
import { type InLanguage, wordsIn } from "../languages/index.ts";

export type FieldView = {
  /** The id of the control, to which errors link. */
  readonly id: string;
  /** The name in the form, where it is another one. */
  readonly name?: string;
  readonly label: string;
  /** Heard only: what it is for can be seen around it. */
  readonly isLabelHidden?: boolean;
  readonly hint?: string | Html | undefined;
  /** What is wrong with what was sent. */
  readonly error?: string | null | undefined;
  readonly isRequired?: boolean;
};

/** Further attributes of the control, such as `maxlength`. */
export type Control = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Ids of hint and error of a field or a group, for `aria-describedby`; null where it has neither. */
export function describedBy({ id, hint, error }: Pick<FieldView, "id" | "hint" | "error">): string | null {
  const ids = [...(hasText(hint) ? [`${id}-hint`] : []), ...(hasText(error) ? [`${id}-error`] : [])];
  return ids.length === 0 ? null : ids.join(" ");
}

const hasText = (text: string | Html | null | undefined): boolean => text !== null && text !== undefined && text !== "";

/** A required field is marked by a word, not by a colour. */
export const requiredMark = (isRequired: boolean | undefined, texts: InLanguage): Html =>
  isRequired === true ? html` <span class="must">${wordsIn(texts).required}</span>` : NOTHING;

/** Hint and error under the label of a field or the legend of a group. */
export function notesOf({ id, hint, error }: Pick<FieldView, "id" | "hint" | "error">): Html {
  const hinted = hasText(hint) ? html`<p class="hint" id="${id}-hint">${hint ?? ""}</p>` : NOTHING;
  return hasText(error) ? html`${hinted}<p class="wrong" id="${id}-error">${error ?? ""}</p>` : hinted;
}

/** A control with its label, hint and error. `control` is given what it must carry. */
export function field(view: FieldView, texts: InLanguage, control: (own: Control) => Html): Html {
  const { id, name = id, label, isLabelHidden = false, error, isRequired = false } = view;
  const isWrong = hasText(error);
  const own = {
    id,
    name,
    required: isRequired,
    "aria-invalid": isWrong ? "true" : null,
    "aria-describedby": describedBy(view),
  };
  return html`<div class="field${isWrong ? " has-error" : ""}"><label for="${id}"${isLabelHidden ? html` class="off"` : NOTHING}>${label}${requiredMark(isRequired, texts)}</label>${notesOf(view)}${control(own)}</div>
`;
}

type InputType = "text" | "search" | "password" | "date" | "email" | "url" | "file";

/** A field of one line. */
export const textField = (
  {
    type = "text",
    value = "",
    control = {},
    ...view
  }: FieldView & {
    readonly type?: InputType;
    readonly value?: string;
    readonly control?: Control;
  },
  texts: InLanguage,
): Html =>
  field(
    view,
    texts,
    (own) =>
      html`<input type="${type}"${attributes({ ...own, value: type === "password" || type === "file" || value === "" ? null : value, ...control })}>`,
  );

/** A field of several lines. The first line break of its value is that of the markup. */
export const textArea = (
  {
    value = "",
    rows = 4,
    control = {},
    ...view
  }: FieldView & {
    readonly value?: string;
    readonly rows?: number;
    readonly control?: Control;
  },
  texts: InLanguage,
): Html =>
  field(
    view,
    texts,
    (own) => html`<textarea rows="${rows}"${attributes({ ...own, ...control })}>\n${value}</textarea>`,
  );

export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly lang?: string;
};

/** Text that browsers take as it is: they strip and collapse white space. */
const PLAIN = /^\S+(?: \S+)*$/;

/** A list with more choices than this is written as shortly as HTML allows. */
const SHORT_LIST = 20;

/** One of many values. `blank`: the words for no choice; absent: there is no such choice. */
export const selectField = (
  {
    value,
    choices,
    blank,
    control = {},
    ...view
  }: FieldView & {
    readonly value: string;
    readonly choices: readonly Choice[];
    readonly blank?: string;
    readonly control?: Control;
  },
  texts: InLanguage,
): Html => {
  // What was sent is shown again, whether it is one of the list or not.
  const isKnown = value === "" || choices.some((each) => each.value === value);
  const all = isKnown ? choices : [{ value, label: value }, ...choices];
  const isLong = choices.length > SHORT_LIST;
  const option = (each: Choice): Html => {
    // The text of an option is its value, where it has no other.
    const written = isLong && each.value === each.label && PLAIN.test(each.value) ? null : each.value;
    return html`<option${attributes({ value: written, lang: each.lang, selected: each.value === value })}>${each.label}</option>`;
  };
  return field(
    view,
    texts,
    (own) =>
      html`<select${attributes({ ...own, ...control })}>${blank === undefined ? NOTHING : option({ value: "", label: blank })}${all.map(option)}</select>`,
  );
};

/** Choices that several fields of a page share: their controls name it as `list`. Written once, at the end of the form. */
export const choiceList = (id: string, choices: readonly Choice[]): Html =>
  html`<datalist id="${id}">${choices.map(({ value, label }) => html`<option${attributes({ value, label: label === value ? null : label })}>`)}</datalist>
`;

/** Fields in one row, as far as there is room. */
export const fieldRow = (fields: readonly Html[]): Html => html`<div class="fields">${fields}</div>\n`;

/** A name and a value that are sent along. */
export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** The same for a text: a hidden field keeps no line breaks in all browsers; a hidden text does. */
export const keptField = (name: string, value: string): Html =>
  value.includes("\n") ? html`<textarea name="${name}" hidden>\n${value}</textarea>` : hiddenField(name, value);
