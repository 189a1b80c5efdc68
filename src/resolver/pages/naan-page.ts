// The page of a NAAN alone: who assigns names under this number (A40); also for a hold on all of them.

import { html, jsonBlock, linked, NOTHING } from "../../pages/html.ts";
import type { Texts } from "./languages/index.ts";
import { page, row } from "./layout.ts";
import { holdNotice, type NameView, otherForms } from "./name-page.ts";

export function naanPage(view: NameView, isOurs: boolean, texts: Texts, rootPath: string): string {
  const { labels, naan } = texts;
  const name = view.support.who || naan.unnamed;
  const { redirect, hold } = view;
  const policyPage = /^https?:/.test(view.support.where) ? linked(view.support.where) : "";
  return page({
    texts,
    title: `${name} · ${view.ark}`,
    rootPath,
    inLanguage: (tag) => `${view.path}?info&lang=${tag}`,
    noindex: hold !== null,
    data: jsonBlock({
      "@context": "https://schema.org",
      "@type": "Organization",
      "@id": view.address,
      name,
      identifier: { "@type": "PropertyValue", propertyID: "NAAN", value: view.ark },
    }),
    body: html`<p class="badge ${hold === null ? "" : "warn"}">${hold === null ? naan.badge : texts.hold.badge}</p>
<p class="ark">${view.ark}</p>
<h1>${name}</h1>
${hold === null ? html`<p>${isOurs ? naan.ours : naan.others}</p>` : holdNotice(hold, texts)}
${
  redirect !== null && view.redirectSafe && hold === null && !redirect.includes("$")
    ? html`<p><a class="go" href="${redirect}" rel="noopener">${naan.visit}</a></p>`
    : NOTHING
}
<h2>${texts.name.about}</h2>
<dl>
${row(labels.naan, html`<code>${view.ark.replace(/^ark:/, "").replace(/\/.*$/s, "")}</code>`, texts)}${row(
  labels.responsible,
  view.support.who,
  texts,
  true,
)}${row(labels.policy, view.support.policy, texts, true)}${row(labels.policyPage, policyPage, texts)}</dl>
${otherForms(view, texts)}`,
  });
}
