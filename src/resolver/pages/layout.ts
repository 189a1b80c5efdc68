// The frame of every page: head, top line with the languages, foot. No script runs on any of them.

import { type Html, html, NOTHING, raw, withCodes } from "../../pages/html.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { LANGUAGES, type Texts, textsOf } from "./languages/index.ts";
import { STYLE } from "./style.ts";

type PageFrame = {
  readonly texts: Texts;
  readonly title: string;
  readonly body: Html;
  /** The mount prefix, for our own links. */
  readonly rootPath: string;
  /** Address of this page in another language; null where there is no such address. */
  readonly inLanguage: ((tag: string) => string) | null;
  readonly noindex?: boolean;
  /** Address that search engines should keep. */
  readonly canonical?: string | null;
  readonly data?: Html;
};

export function page(frame: PageFrame): string {
  const { texts } = frame;
  return html`<!doctype html>
<html lang="${texts.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${frame.title}</title>
${frame.noindex === true ? raw('<meta name="robots" content="noindex">\n') : NOTHING}${
  frame.canonical ? html`<link rel="canonical" href="${frame.canonical}">\n` : NOTHING
}<meta name="color-scheme" content="light dark">
<style>${raw(STYLE)}</style>
${frame.data ?? NOTHING}
</head>
<body>
<header class="bar"><a class="mark" href="${frame.rootPath}/">${texts.service}</a>${languages(frame)}</header>
<main>
${frame.body}
</main>
<footer class="foot"><p>${withCodes(texts.footer)}</p></footer>
</body>
</html>
`.markup;
}

function languages(frame: PageFrame): Html {
  const { inLanguage, texts } = frame;
  if (inLanguage === null) return NOTHING;
  const links = LANGUAGES.map((tag) => {
    const name = textsOf(tag).ownName;
    return tag === texts.tag
      ? html`<span aria-current="true" lang="${tag}">${name}</span>`
      : html`<a href="${inLanguage(tag)}" hreflang="${tag}" lang="${tag}">${name}</a>`;
  });
  return html`<nav class="langs">${links}</nav>`;
}

/** A line of a description list; omitted where it is empty and `always` is not set. */
export function row(label: string, value: Html | string, texts: Texts, always = false): Html {
  const isEmpty = typeof value === "string" ? value === "" : value.markup === "";
  if (isEmpty && !always) return NOTHING;
  return isEmpty
    ? html`<div><dt>${label}</dt><dd class="none">${texts.notRecorded}</dd></div>\n`
    : html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`;
}

/** A day as people write it; the exact moment is in the markup. */
export function moment(instant: Instant | null, texts: Texts, withTime = false): Html {
  if (instant === null) return NOTHING;
  const day: Intl.DateTimeFormatOptions = { dateStyle: "long", timeZone: "UTC" };
  const options = withTime ? { ...day, timeStyle: "short" as const } : day;
  const text = new Intl.DateTimeFormat(texts.locale, options).format(new Date(instant));
  return html`<time datetime="${instant}">${text}${withTime ? " UTC" : ""}</time>`;
}
