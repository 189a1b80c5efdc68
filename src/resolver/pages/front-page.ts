// The resolver's front page: paste an ARK, check it, go where it leads (A48). A plain form, no script.

import { button, linkButton } from "../../pages/components/buttons.ts";
import { hiddenField, textField } from "../../pages/components/fields.ts";
import { banner } from "../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../pages/components/page.ts";
import { type Html, html, linked, NOTHING, withCodes } from "../../pages/html.ts";
import type { TextCheck } from "../pasted-text.ts";
import type { Texts } from "./languages/index.ts";
import { type PageSite, page, row } from "./layout.ts";

export type FrontView = {
  /** What was pasted; empty at first. */
  readonly text: string;
  /** Null before anything was pasted, `invalid` when it holds no ARK. */
  readonly check: TextCheck | "invalid" | null;
};

/** A name is typed as it is written. */
const TYPED = {
  class: "mono",
  required: true,
  maxlength: 8192,
  autocomplete: "off",
  autocapitalize: "none",
  autocorrect: "off",
  spellcheck: "false",
} as const;

export function frontPage(view: FrontView, texts: Texts, { rootPath, look }: PageSite): string {
  const { front } = texts;
  const query = view.text === "" ? "" : `ark=${encodeURIComponent(view.text)}&`;
  return page({
    texts,
    title: `${texts.service} · ${texts.tagline}`,
    rootPath,
    look,
    inLanguage: (tag) => `${rootPath}/?${query}lang=${tag}`,
    noindex: view.text !== "",
    body: html`${pageHeading(front.heading)}<p>${front.intro}</p>
<form method="get" action="${rootPath}/">
${hiddenField("lang", texts.tag)}<div class="line">${textField({ id: "ark", label: front.field, hint: front.hint, value: view.text, control: TYPED }, texts)}${button({ label: front.check, name: "do", value: "check" })}${button({ label: front.resolve, kind: "quiet", name: "do", value: "resolve" })}</div>
</form>
${result(view, texts)}
${sectionHeading(front.whatHeading)}${front.what.map((line) => html`<p>${withCodes(line)}</p>`)}
<p class="forms"><a href="${rootPath}/.well-known/ark">/.well-known/ark</a><a href="${rootPath}/api/docs">${front.document}</a></p>`,
  });
}

function result(view: FrontView, texts: Texts): Html {
  const { front } = texts;
  if (view.check === null) return NOTHING;
  if (view.check === "invalid") return banner("warn", front.notAnArk, { role: "status" });
  const { check } = view;
  const statuses = { ours: front.assignerOurs, known: front.assignerKnown, unknown: front.assignerUnknown };
  const character = { fits: front.checkFits, wrong: front.checkWrong, none: front.checkNone };
  const assigner = `${check.naan}${check.assigner === "" ? "" : ` ${check.assigner}`} (${statuses[check.assignerStatus]})`;
  return html`<section role="status">${sectionHeading(front.result)}<dl>
${row(front.canonical, html`<code>${check.ark}</code>`, texts)}${row(front.assigner, assigner, texts)}${row(
  front.checkCharacter,
  character[check.checkCharacter],
  texts,
)}${row(front.outcome, outcome(check, texts), texts)}</dl>
${
  check.outcome.kind === "not-found"
    ? NOTHING
    : html`<p>${linkButton(front.resolve, `${check.path}`)} ${linkButton(front.description, `${check.path}?info`, "quiet")}</p>`
}</section>`;
}

function outcome(check: TextCheck, texts: Texts): Html {
  const { front, problem } = texts;
  if (check.outcome.kind === "redirect") return html`${front.leadsTo} ${linked(check.outcome.location)}`;
  if (check.outcome.kind === "described") return html`${front.described}`;
  return html`${front.notFound}: ${problem.sentences[check.outcome.code] ?? problem.otherwise} (SVC-${check.outcome.code})`;
}
