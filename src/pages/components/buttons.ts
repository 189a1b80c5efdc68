// Buttons (R40): of forms, as links, and as a form of one button.
import { attributes, type Html, html } from "../html.ts";
import { hiddenField } from "./fields.ts";

/** `danger`: what cannot be undone. `sure`: the same, on the page that asks once more. `small`: next to an entry. */
type ButtonKind = "main" | "quiet" | "danger" | "sure" | "small" | "small danger" | "plain";

const CLASSES: Readonly<Record<ButtonKind, string>> = {
  main: "go",
  quiet: "go quiet",
  danger: "go danger",
  sure: "go danger sure",
  small: "small",
  "small danger": "small danger",
  plain: "plain",
};

type ButtonView = {
  readonly label: string;
  readonly kind?: ButtonKind;
  readonly name?: string;
  readonly value?: string;
  readonly formaction?: string;
  /** Heard instead of the label, and beginning with it. */
  readonly heard?: string;
  readonly describedBy?: string;
};

export const button = ({ label, kind = "main", heard, describedBy, ...own }: ButtonView): Html =>
  html`<button class="${CLASSES[kind]}"${attributes({ ...own, "aria-label": heard, "aria-describedby": describedBy })}>${label}</button>`;

export const linkButton = (label: string, href: string, kind: ButtonKind = "main", rel?: string): Html =>
  html`<a class="${CLASSES[kind]}" href="${href}"${attributes({ rel })}>${label}</a>`;

/**
 * What Enter in a field presses, in a form where another button comes first: a button without a name, which is neither
 * seen nor reached.
 */
export const enterButton: Html = html`<button class="off" tabindex="-1" aria-hidden="true"></button>`;

export const buttonRow = (buttons: readonly Html[]): Html => html`<div class="buttons">${buttons}</div>\n`;

/** The token that every form is sent with. */
export const csrfField = (csrf: string): Html => hiddenField("csrf", csrf);

/** A button that acts at once, as a form. */
export const postButton = (
  view: ButtonView & {
    readonly action: string;
    readonly csrf: string;
    readonly sent?: Readonly<Record<string, string>>;
  },
): Html => {
  const { action, csrf, sent = {}, ...own } = view;
  return html`<form class="row" method="post" action="${action}">${csrfField(csrf)}${Object.entries(sent).map(([name, value]) => hiddenField(name, value))}${button(own)}</form>`;
};
