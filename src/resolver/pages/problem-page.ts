// The page of a refusal: the request, the reason of the refusal, and what to check (A47).

import { linkButton } from "../../pages/components/buttons.ts";
import { badge, banner } from "../../pages/components/notes.ts";
import { pageHeading } from "../../pages/components/page.ts";
import { html, NOTHING } from "../../pages/html.ts";
import type { Texts } from "./languages/index.ts";
import { type PageSite, page } from "./layout.ts";

type ProblemView = {
  readonly status: number;
  /** Number of the service error. */
  readonly code: string;
  readonly requested: string;
  /** A further line in English, for the operator. */
  readonly hint: string | null;
};

export function problemPage(view: ProblemView, texts: Texts, { rootPath, look }: PageSite): string {
  const { problem } = texts;
  const heading = view.status === 404 ? problem.notFound : problem.badRequest;
  const advice =
    view.code === "1404" ? NOTHING : html`<ul>${problem.advice.map((line) => html`<li>${line}</li>`)}</ul>`;
  return page({
    texts,
    title: `${view.status} · ${heading}`,
    rootPath,
    look,
    inLanguage: null,
    noindex: true,
    body: html`<p>${badge(`${view.status}`, "warn")}</p>
${pageHeading(heading)}${view.requested === "" ? NOTHING : html`<p class="hint">${problem.requested}</p><p class="ark">${view.requested}</p>`}
${banner("warn", problem.sentences[view.code] ?? problem.otherwise)}${view.hint === null ? NOTHING : html`<p lang="en">${view.hint}</p>`}
${advice}
<p>${linkButton(problem.home, `${rootPath}/`, "quiet")}</p>
<p class="hint">${problem.code}: SVC-${view.code}</p>`,
  });
}
