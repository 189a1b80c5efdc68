// The page of a refusal: the request, the reason of the refusal, and what to check (A47).

import { html, NOTHING } from "../../pages/html.ts";
import type { Texts } from "./languages/index.ts";
import { page } from "./layout.ts";

type ProblemView = {
  readonly status: number;
  /** Number of the service error. */
  readonly code: string;
  readonly requested: string;
  /** A further line in English, for the operator. */
  readonly hint: string | null;
};

export function problemPage(view: ProblemView, texts: Texts, rootPath: string): string {
  const { problem } = texts;
  const heading = view.status === 404 ? problem.notFound : problem.badRequest;
  const advice =
    view.code === "1404" ? NOTHING : html`<ul>${problem.advice.map((line) => html`<li>${line}</li>`)}</ul>`;
  return page({
    texts,
    title: `${view.status} · ${heading}`,
    rootPath,
    inLanguage: null,
    noindex: true,
    body: html`<p class="badge warn">${view.status}</p>
<h1>${heading}</h1>
${view.requested === "" ? NOTHING : html`<p class="hint">${problem.requested}</p><p class="ark">${view.requested}</p>`}
<p class="note warn">${problem.sentences[view.code] ?? problem.otherwise}</p>
${view.hint === null ? NOTHING : html`<p lang="en">${view.hint}</p>`}
${advice}
<p><a class="go quiet" href="${rootPath}/">${problem.home}</a></p>
<p class="hint">${problem.code}: SVC-${view.code}</p>`,
  });
}
