// The mail about new items of a saved search (issue 26), plain and HTML. Its subject holds nothing that people wrote.
import { withUnseenShown } from "../../model/files/file-names.ts";
import { html } from "../../pages/html.ts";
import type { MailText } from "./mail-writing.ts";

type AlertWords = {
  readonly tag: string;
  readonly subject: string;
  readonly heading: (name: string) => string;
  readonly more: string;
  readonly all: string;
  readonly why: string;
  readonly change: string;
  readonly stop: string;
  readonly untitled: string;
};

const en: AlertWords = {
  tag: "en",
  subject: "New items of a saved search",
  heading: (name) => `New items of your saved search “${name}”:`,
  more: "There are more: they are in the next message.",
  all: "All items of this search",
  why: "You receive this because you saved this search and chose mails about new items.",
  change: "Change your saved searches",
  stop: "End mails about this search",
  untitled: "Untitled",
};

const ja: AlertWords = {
  tag: "ja",
  subject: "保存した検索の新着アイテム",
  heading: (name) => `保存した検索「${name}」の新着アイテム:`,
  more: "このほかの新着は、次のメールでお知らせします。",
  all: "この検索のすべてのアイテム",
  why: "この検索を保存し、新着メールを希望したため、お送りしています。",
  change: "保存した検索を変更する",
  stop: "この検索のメールを止める",
  untitled: "無題",
};

export type AlertFacts = {
  readonly name: string;
  readonly items: readonly { readonly title: string; readonly url: string }[];
  readonly hasMore: boolean;
  readonly searchUrl: string;
  readonly changeUrl: string;
  readonly stopUrl: string;
};

export function alertMail(facts: AlertFacts, language: string, repositoryName: string): MailText {
  const words = language === "ja" ? ja : en;
  const { subject, untitled, why } = words;
  const heading = words.heading(withUnseenShown(facts.name));
  const items = facts.items.map(({ title, url }) => ({ title: withUnseenShown(title || untitled), url }));
  const ends = [
    { label: words.all, url: facts.searchUrl },
    { label: words.change, url: facts.changeUrl },
    { label: words.stop, url: facts.stopUrl },
  ];
  return {
    subject: `[${repositoryName}] ${subject}`,
    text: `${heading}\n\n${items.map(({ title, url }) => `${title}\n${url}\n`).join("\n")}${facts.hasMore ? `\n${words.more}\n` : ""}
-- \n${repositoryName}\n${why}\n${ends.map(({ label, url }) => `${label}\n${url}\n`).join("")}`,
    html: html`<!DOCTYPE html>
<html lang="${words.tag}"><head><meta charset="utf-8"><title>${subject}</title></head><body>
<p>${heading}</p>
<ul>${items.map(({ title, url }) => html`<li><a href="${url}">${title}</a></li>\n`)}</ul>
${facts.hasMore ? html`<p>${words.more}</p>` : null}<hr><p>${repositoryName}<br>${why}</p>
${ends.map(({ label, url }) => html`<p><a href="${url}">${label}</a></p>\n`)}
</body></html>`.markup,
  };
}
