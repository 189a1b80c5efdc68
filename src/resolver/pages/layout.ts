// The frame of every page: head, top line with the languages, foot.

import { factRow } from "../../pages/components/lists.ts";
import { pageDocument } from "../../pages/components/page.ts";
import { type Html, html, NOTHING, withCodes } from "../../pages/html.ts";
import type { Look } from "../../pages/static-files.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { LANGUAGES, type Texts, textsOf } from "./languages/index.ts";

/** What settings give every page. */
export type PageSite = {
  /** The mount prefix, for our own links. */
  readonly rootPath: string;
  readonly look?: Look | undefined;
};

type PageFrame = PageSite & {
  readonly texts: Texts;
  readonly title: string;
  readonly body: Html;
  /** Address of this page in another language; null where there is no such address. */
  readonly inLanguage: ((tag: string) => string) | null;
  readonly noindex?: boolean;
  /** Address that search engines should keep. */
  readonly canonical?: string | null;
  readonly data?: Html;
};

export function page({ texts, rootPath, look, title, body, inLanguage, ...frame }: PageFrame): string {
  return pageDocument({
    texts,
    rootPath,
    look,
    title,
    noindex: frame.noindex === true,
    mark: texts.service,
    head: html`${frame.canonical ? html`<link rel="canonical" href="${frame.canonical}">\n` : NOTHING}${frame.data ?? NOTHING}\n`,
    languages:
      inLanguage === null ? [] : LANGUAGES.map((tag) => ({ tag, name: textsOf(tag).ownName, href: inLanguage(tag) })),
    body,
    foot: withCodes(texts.footer),
  });
}

/** A line of a description list; omitted where it is empty and `always` is not set. */
export function row(label: string, value: Html | string, texts: Texts, always = false): Html {
  const isEmpty = typeof value === "string" ? value === "" : value.markup === "";
  if (isEmpty && !always) return NOTHING;
  return isEmpty
    ? html`<div><dt>${label}</dt><dd class="none">${texts.notRecorded}</dd></div>\n`
    : factRow(label, value);
}

/** A day as people write it; the exact moment is in the markup. */
export function moment(instant: Instant | null, texts: Texts, withTime = false): Html {
  if (instant === null) return NOTHING;
  const day: Intl.DateTimeFormatOptions = { dateStyle: "long", timeZone: "UTC" };
  const options = withTime ? { ...day, timeStyle: "short" as const } : day;
  const text = new Intl.DateTimeFormat(texts.locale, options).format(new Date(instant));
  return html`<time datetime="${instant}">${text}${withTime ? " UTC" : ""}</time>`;
}
