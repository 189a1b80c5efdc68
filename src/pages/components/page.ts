// The document of every page of both roles (R40): head, top line with the name, links and languages, content, foot; and
// headings.
import { attributes, type Html, html, NOTHING, raw } from "../html.ts";
import { type InLanguage, wordsIn } from "../languages/index.ts";
import { type Look, PLAIN_LOOK, scriptTag, styleLinks } from "../static-files.ts";
import { errorSummary, type FieldProblem, titleWithErrors } from "./errors.ts";

export type LanguageLink = { readonly tag: string; readonly name: string; readonly href: string };

export type PageView = {
  readonly texts: InLanguage;
  /** The mount prefix, for our own links. */
  readonly rootPath: string;
  readonly title: string;
  /** Further lines of the head: meta tags, typed links, data. */
  readonly head?: Html;
  readonly noindex?: boolean;
  readonly mark: string;
  readonly look?: Look | undefined;
  /** Between the name and the languages: search, links, account. */
  readonly header?: Html;
  /** This page in all languages; none where it has no address in another one. */
  readonly languages: readonly LanguageLink[];
  readonly body: Html;
  readonly foot: Html;
  /** What is wrong with the form of the page, shown above everything. */
  readonly problems?: readonly FieldProblem[];
  /** Scripts of `src/pages/scripts`. */
  readonly scripts?: readonly string[];
};

export function pageDocument(view: PageView): string {
  const { texts, rootPath, title, problems = [], scripts = [], look = PLAIN_LOOK } = view;
  const logo = look.logo === null ? NOTHING : html`<img src="${rootPath}${look.logo.path}" alt="">`;
  return html`<!doctype html>
<html lang="${texts.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${titleWithErrors(title, problems, texts)}</title>
${view.noindex === true ? raw('<meta name="robots" content="noindex">\n') : NOTHING}<meta name="color-scheme" content="light dark">
${styleLinks(rootPath, look)}${scripts.map((name) => scriptTag(name, rootPath))}${view.head ?? NOTHING}</head>
<body>
<a class="skip" href="#main">${wordsIn(texts).skip}</a>
<header class="bar"><a class="mark" href="${rootPath}/">${logo}${view.mark}</a>
${view.header ?? NOTHING}${languageLinks(view)}</header>
<main id="main">
${errorSummary(problems, texts)}${view.body}
</main>
<footer class="foot"><p>${view.foot}</p></footer>
</body>
</html>
`.markup;
}

function languageLinks({ languages, texts }: PageView): Html {
  if (languages.length === 0) return NOTHING;
  const links = languages.map(({ tag, name, href }) =>
    tag === texts.tag
      ? html`<span aria-current="true" lang="${tag}">${name}</span>`
      : html`<a href="${href}" hreflang="${tag}" lang="${tag}">${name}</a>`,
  );
  return html`<nav class="langs" aria-label="${wordsIn(texts).languages}">${links}</nav>`;
}

/** The heading of a page. `lang` where it is in another language; `before`: badges and facts above it. */
export const pageHeading = (
  text: string | Html,
  { lang, before }: { readonly lang?: string | undefined; readonly before?: readonly (string | Html)[] } = {},
): Html =>
  html`${before === undefined || before.length === 0 ? NOTHING : html`<p class="facts">${before.map((fact) => (typeof fact === "string" ? html`<span>${fact}</span>` : fact))}</p>\n`}<h1${attributes({ lang })}>${text}</h1>
`;

/** The heading of a part of a page. `count`: how many there are of what follows, in words. */
export const sectionHeading = (
  text: string,
  { id, count }: { readonly id?: string; readonly count?: string } = {},
): Html =>
  html`<h2${attributes({ id })}>${text}${count === undefined || count === "" ? NOTHING : html` <span class="kind">(${count})</span>`}</h2>
`;
