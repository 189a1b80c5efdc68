// Banners, badges, progress, the question before something is done, and what a list or page shows when it has nothing
// to show (R40).
import { attributes, type Html, html, NOTHING } from "../html.ts";
import { type InLanguage, wordsIn } from "../languages/index.ts";
import { button, buttonRow, csrfField, linkButton } from "./buttons.ts";
import { hiddenField } from "./fields.ts";

/** `good`: it worked. `warn`: attend to it. `gone`: it failed, or is not there any more. */
export type Tone = "info" | "good" | "warn" | "gone";

const TONES: Readonly<Record<Tone, string>> = { info: "", good: " good", warn: " warn", gone: " gone" };

/** `role`: `status` for the result of what was just done, `alert` for what went wrong. */
export const banner = (
  tone: Tone,
  content: string | Html,
  { role, lang, id }: { readonly role?: "status" | "alert"; readonly lang?: string; readonly id?: string } = {},
): Html =>
  html`<div class="note${TONES[tone]}"${attributes({ role, lang, id })}>${typeof content === "string" ? html`<p>${content}</p>` : content}</div>
`;

export const badge = (text: string, tone: Tone = "info"): Html =>
  html`<span class="badge${TONES[tone]}">${text}</span>`;

/** `value` of `most`; null while nobody knows how far it is. `text`: the same in words, announced when it changes. */
export function progress(
  view: {
    readonly id: string;
    readonly label: string;
    readonly value: number | null;
    readonly most: number;
    readonly text?: string;
  },
  texts: InLanguage,
): Html {
  const { id, label, value, most, text } = view;
  const percent = value === null || most === 0 ? null : Math.floor((value * 100) / most);
  const words = text ?? (percent === null ? wordsIn(texts).loading : wordsIn(texts).percent(percent));
  return html`<div class="progress"><label for="${id}">${label}</label><progress id="${id}"${attributes({ max: most, value })}>${words}</progress><p role="status">${words}</p></div>
`;
}

/** The body of a page that asks before something is done: what, with which consequences, and how to go back. */
export function confirmation(
  view: {
    readonly heading: string;
    /** 3 where it is a part of a page. */
    readonly level?: 1 | 3;
    readonly text: string | Html;
    readonly action: string;
    readonly csrf: string;
    readonly sent?: Readonly<Record<string, string>>;
    readonly label: string;
    readonly isFinal: boolean;
    readonly back: string;
  },
  texts: InLanguage,
): Html {
  const { heading, level = 1, text, action, csrf, sent = {}, label, isFinal, back } = view;
  return html`${level === 1 ? html`<h1>${heading}</h1>` : html`<h3>${heading}</h3>`}
${typeof text === "string" ? html`<p>${text}</p>` : text}
<form method="post" action="${action}">${csrfField(csrf)}${Object.entries(sent).map(([name, value]) => hiddenField(name, value))}
${buttonRow([button({ label, kind: isFinal ? "sure" : "main" }), linkButton(wordsIn(texts).cancel, back, "quiet")])}</form>
`;
}

export type StateView = {
  readonly kind: "empty" | "loading" | "error" | "gone" | "forbidden";
  readonly heading?: string;
  readonly text: string | Html;
  /** What can be done: links and buttons. */
  readonly actions?: readonly Html[];
};

/** In the place of what would be there. What loads and what failed is announced. */
export function state({ kind, heading, text, actions = [] }: StateView): Html {
  const role = kind === "loading" ? "status" : kind === "error" ? "alert" : null;
  const tone = kind === "error" || kind === "gone" ? " note gone" : kind === "forbidden" ? " note warn" : "";
  return html`<div class="state${tone}"${attributes({ role })}>${heading === undefined ? NOTHING : html`<h2>${heading}</h2>`}${
    typeof text === "string" ? html`<p${kind === "loading" ? html` class="loading"` : NOTHING}>${text}</p>` : text
  }${actions.length === 0 ? NOTHING : buttonRow(actions)}</div>
`;
}
