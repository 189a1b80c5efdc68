// The page of a NAAN alone: who assigns names under this number (A40); also for a hold on all of them.

import { linkButton } from "../../pages/components/buttons.ts";
import { badge } from "../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../pages/components/page.ts";
import { html, jsonBlock, linked, NOTHING } from "../../pages/html.ts";
import type { Texts } from "./languages/index.ts";
import { type PageSite, page, row } from "./layout.ts";
import { holdNotice, type NameView, otherForms } from "./name-page.ts";

export function naanPage(view: NameView, isOurs: boolean, texts: Texts, { rootPath, look }: PageSite): string {
  const { labels, naan } = texts;
  const name = view.support.who || naan.unnamed;
  const { redirect, hold } = view;
  const policyPage = /^https?:/.test(view.support.where) ? linked(view.support.where) : "";
  return page({
    texts,
    title: `${name} · ${view.ark}`,
    rootPath,
    look,
    inLanguage: (tag) => `${view.path}?info&lang=${tag}`,
    noindex: hold !== null,
    data: jsonBlock({
      "@context": "https://schema.org",
      "@type": "Organization",
      "@id": view.address,
      name,
      identifier: { "@type": "PropertyValue", propertyID: "NAAN", value: view.ark },
    }),
    body: html`<p>${hold === null ? badge(naan.badge) : badge(texts.hold.badge, "warn")}</p>
<p class="ark">${view.ark}</p>
${pageHeading(name)}${hold === null ? html`<p>${isOurs ? naan.ours : naan.others}</p>` : holdNotice(hold, texts)}
${
  redirect !== null && view.redirectSafe && hold === null && !redirect.includes("$")
    ? html`<p>${linkButton(naan.visit, redirect, "main", "noopener")}</p>`
    : NOTHING
}
${sectionHeading(texts.name.about)}<dl>
${row(labels.naan, html`<code>${view.ark.replace(/^ark:/, "").replace(/\/.*$/s, "")}</code>`, texts)}${row(
  labels.responsible,
  view.support.who,
  texts,
  true,
)}${row(labels.policy, view.support.policy, texts, true)}${row(labels.policyPage, policyPage, texts)}</dl>
${otherForms(view, texts)}`,
  });
}
