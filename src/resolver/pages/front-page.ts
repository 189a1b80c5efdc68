// The resolver's front page: paste an ARK, check it, go where it leads (A48). A plain form, no script.

import { type Html, html, linked, NOTHING, withCodes } from "../../pages/html.ts";
import type { TextCheck } from "../pasted-text.ts";
import type { Texts } from "./languages/index.ts";
import { page, row } from "./layout.ts";

export type FrontView = {
  /** What was pasted; empty at first. */
  readonly text: string;
  /** Null before anything was pasted, `invalid` when it holds no ARK. */
  readonly check: TextCheck | "invalid" | null;
};

export function frontPage(view: FrontView, texts: Texts, rootPath: string): string {
  const { front } = texts;
  const query = view.text === "" ? "" : `ark=${encodeURIComponent(view.text)}&`;
  return page({
    texts,
    title: `${texts.service} · ${texts.tagline}`,
    rootPath,
    inLanguage: (tag) => `${rootPath}/?${query}lang=${tag}`,
    noindex: view.text !== "",
    body: html`<h1>${front.heading}</h1>
<p>${front.intro}</p>
<form method="get" action="${rootPath}/">
<label for="ark">${front.field}</label>
<div class="line"><input type="text" id="ark" name="ark" value="${view.text}" required maxlength="8192" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="hint">
<input type="hidden" name="lang" value="${texts.tag}">
<button class="go" name="do" value="check">${front.check}</button>
<button class="go quiet" name="do" value="resolve">${front.resolve}</button></div>
<p class="hint" id="hint">${front.hint}</p>
</form>
${result(view, texts)}
<h2>${front.whatHeading}</h2>
${front.what.map((line) => html`<p>${withCodes(line)}</p>`)}
<p class="forms"><a href="${rootPath}/.well-known/ark">/.well-known/ark</a><a href="${rootPath}/api/docs">${front.document}</a></p>`,
  });
}

function result(view: FrontView, texts: Texts): Html {
  const { front } = texts;
  if (view.check === null) return NOTHING;
  if (view.check === "invalid") return html`<p class="note warn" role="status">${front.notAnArk}</p>`;
  const { check } = view;
  const statuses = { ours: front.assignerOurs, known: front.assignerKnown, unknown: front.assignerUnknown };
  const character = { fits: front.checkFits, wrong: front.checkWrong, none: front.checkNone };
  const assigner = `${check.naan}${check.assigner === "" ? "" : ` ${check.assigner}`} (${statuses[check.assignerStatus]})`;
  return html`<section role="status"><h2>${front.result}</h2>
<dl>
${row(front.canonical, html`<code>${check.ark}</code>`, texts)}${row(front.assigner, assigner, texts)}${row(
  front.checkCharacter,
  character[check.checkCharacter],
  texts,
)}${row(front.outcome, outcome(check, texts), texts)}</dl>
${
  check.outcome.kind === "not-found"
    ? NOTHING
    : html`<p><a class="go" href="${check.path}">${front.resolve}</a> <a class="go quiet" href="${check.path}?info">${front.description}</a></p>`
}</section>`;
}

function outcome(check: TextCheck, texts: Texts): Html {
  const { front, problem } = texts;
  if (check.outcome.kind === "redirect") return html`${front.leadsTo} ${linked(check.outcome.location)}`;
  if (check.outcome.kind === "described") return html`${front.described}`;
  return html`${front.notFound}: ${problem.sentences[check.outcome.code] ?? problem.otherwise} (SVC-${check.outcome.code})`;
}
