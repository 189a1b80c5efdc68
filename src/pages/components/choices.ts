// Groups of fields and choices (R40): fieldset, radio buttons, boxes. A hint of a group follows its legend and is heard
// with it.
import { attributes, type Html, html, NOTHING } from "../html.ts";
import type { InLanguage } from "../languages/index.ts";
import { describedBy, type FieldView, notesOf, requiredMark } from "./fields.ts";

type GroupView = {
  /** Errors of the group link to its first control. */
  readonly id: string;
  readonly legend: string;
  readonly isLegendHidden?: boolean;
  readonly hint?: string | Html;
  readonly error?: string | null | undefined;
  readonly isRequired?: boolean;
};

/** Fields that belong together. */
export const fieldset = (view: GroupView, texts: InLanguage, content: Html | readonly Html[]): Html =>
  html`<fieldset${attributes({ "aria-describedby": describedBy(view), class: view.error ? "has-error" : null })}><legend${view.isLegendHidden === true ? html` class="off"` : NOTHING}>${view.legend}${requiredMark(view.isRequired, texts)}</legend>${notesOf(view)}${content}</fieldset>
`;

export type ChoiceView = {
  readonly value: string;
  readonly label: string | Html;
  readonly hint?: string | Html;
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  /** Of a box: its name, where each has one. */
  readonly name?: string;
};

/** One radio button or box of a group, with its label. */
export function choiceBox(
  { value, label, hint, isChosen, isDisabled }: ChoiceView,
  {
    kind,
    id,
    name,
    isRequired,
  }: { readonly kind: "radio" | "checkbox"; readonly id: string; readonly name: string; readonly isRequired?: boolean },
): Html {
  const control = attributes({
    type: kind,
    id,
    name,
    value,
    checked: isChosen,
    disabled: isDisabled,
    required: isRequired,
    "aria-describedby": hint === undefined ? null : `${id}-hint`,
  });
  const hinted = hint === undefined ? NOTHING : html`<span class="choice-hint" id="${id}-hint">${hint}</span>`;
  return html`<div class="choice"><input${control}><span><label for="${id}">${label}</label>${hinted}</span></div>`;
}

/** Radio buttons (one of few) or boxes (any of them). `isWide`: each on a line, for long labels. */
export function choices(
  view: GroupView & {
    readonly kind: "radio" | "checkbox";
    readonly name?: string;
    readonly choices: readonly ChoiceView[];
    readonly isWide?: boolean;
  },
  texts: InLanguage,
): Html {
  const { id, kind, name = id, isWide = false, isRequired = false } = view;
  const boxes = view.choices.map((choice, at) =>
    choiceBox(choice, {
      kind,
      id: at === 0 ? id : `${id}-${at + 1}`,
      name: choice.name ?? name,
      // A group of boxes may be required; a single box of it is not.
      isRequired: isRequired && kind === "radio",
    }),
  );
  return fieldset(view, texts, html`<div class="choices${isWide ? " wide" : ""}">${boxes}</div>`);
}

/** One box: yes or no. */
export function checkbox(
  view: Omit<FieldView, "isLabelHidden" | "label"> & {
    readonly label: string | Html;
    readonly value?: string;
    readonly isChecked: boolean;
  },
): Html {
  const { id, name = id, label, value = "true", isChecked, error, isRequired } = view;
  const isWrong = error !== undefined && error !== null && error !== "";
  const control = attributes({
    type: "checkbox",
    id,
    name,
    value,
    checked: isChecked,
    required: isRequired,
    "aria-invalid": isWrong ? "true" : null,
    "aria-describedby": describedBy(view),
  });
  return html`<div class="field${isWrong ? " has-error" : ""}">${isWrong ? html`<p class="wrong" id="${id}-error">${error}</p>` : NOTHING}<div class="choice"><input${control}><span><label for="${id}">${label}</label></span></div>${notesOf({ id, hint: view.hint })}</div>
`;
}
