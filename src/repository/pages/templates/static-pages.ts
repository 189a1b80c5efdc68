// Static pages as readers see them, and as administrators write them (Q.10 to Q.17).
import type { Block } from "../../../formats/markdown/markdown.ts";
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { fieldRow, hiddenField, selectField, textArea, textField } from "../../../pages/components/fields.ts";
import { factList, factRow, table, trail } from "../../../pages/components/lists.ts";
import { markdown, webLink } from "../../../pages/components/markdown.ts";
import { banner, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { attributes, type Html, html, NOTHING } from "../../../pages/html.ts";
import type { TextPart } from "../../../shared/text/text-difference.ts";
import { PAGE_MESSAGE_MAX, PAGE_TITLE_MAX, pagePath } from "../../administration/static-page-json.ts";
import type { PageLine } from "../../store/static-pages.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { changedText } from "./differences.ts";
import { inLanguage, langOf, moment, otherLang, type SiteView, sitePage } from "./layout.ts";

/** Names of fields, as the form sends them and the interface names them. */
export const PAGE_FIELDS = ["title", "content", "title_ja", "content_ja", "footer", "message"] as const;
export type PageField = (typeof PAGE_FIELDS)[number];

/** A page in one language. */
export type PageText = { readonly title: string; readonly blocks: readonly Block[]; readonly lang: "en" | "ja" };

export const formPath = (slug: string, form: "edit" | "revisions" | "delete" | "restore"): string =>
  `/pages/${slug}/${form}`;

/** Addresses of the web, of mail, and paths of the repository itself. */
const linkIn =
  (rootPath: string) =>
  (address: string): string | null =>
    /^\/(?![/\\])[^\s"<>\\]{0,2000}$/.test(address) ? `${rootPath}${address}` : webLink(address);

const textHtml = ({ blocks, lang }: PageText, { texts, rootPath }: SiteView): Html => {
  const shown = otherLang(lang, texts);
  const body = markdown(blocks, { link: linkIn(rootPath), below: 1 });
  return shown === undefined
    ? body
    : html`${banner("info", texts.staticPages.otherLanguage)}<div${attributes({ lang: shown })}>${body}</div>\n`;
};

export type StaticPageView = {
  readonly slug: string;
  readonly text: PageText;
  /** In full. */
  readonly address: string;
  readonly isWriter: boolean;
  readonly done: keyof RepositoryTexts["staticPages"]["done"] | null;
};

export function staticPage({ slug, text, address, isWriter, done }: StaticPageView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.staticPages;
  const links = isWriter
    ? buttonRow([
        linkButton(words.edit, `${rootPath}${formPath(slug, "edit")}`, "quiet"),
        linkButton(words.revisions, `${rootPath}${formPath(slug, "revisions")}`, "quiet"),
      ])
    : NOTHING;
  return sitePage(site, {
    title: text.title,
    head: html`<link rel="canonical" href="${address}">\n`,
    body: html`${done === null ? NOTHING : banner("good", words.done[done], { role: "status" })}${pageHeading(text.title, { lang: otherLang(text.lang, texts) })}${textHtml(text, site)}${links}`,
  });
}

/** For administrators, in the place of a page that is not there. */
export function unwrittenPage(slug: string, site: SiteView): string {
  const words = site.texts.staticPages;
  return sitePage(site, {
    title: pagePath(slug),
    noindex: true,
    body: html`${pageHeading(pagePath(slug))}${state({
      kind: "gone",
      text: words.unwritten,
      actions: [linkButton(words.write, `${site.rootPath}${formPath(slug, "edit")}`)],
    })}`,
  });
}

export type PageListView = {
  readonly pages: readonly PageLine[];
  readonly isWriter: boolean;
  /** Typed as the short name of another page. */
  readonly slug: string;
  readonly problems: readonly FieldProblem[];
  readonly done: keyof RepositoryTexts["staticPages"]["done"] | null;
};

export function pageListPage({ pages, isWriter, slug, problems, done }: PageListView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.staticPages;
  const link = (page: PageLine): Html => {
    const { text, lang } = inLanguage({ en: page.titleEn, ja: page.titleJa }, texts.tag);
    return html`<a href="${rootPath}${pagePath(page.slug)}"${langOf(lang, texts)}>${text}</a>`;
  };
  const list =
    pages.length === 0
      ? state({ kind: "empty", text: words.none })
      : html`<ul>${pages.map((page) => html`<li>${link(page)}</li>\n`)}</ul>\n`;
  const another = html`${sectionHeading(words.newPage)}<form method="get" action="${rootPath}/pages">${textField({ id: "slug", label: words.slug, hint: words.slugHint, value: slug, isRequired: true, error: problemAt(problems, "slug"), control: { maxlength: 60, autocomplete: "off" } }, texts)}${buttonRow([button({ label: words.open })])}</form>\n`;
  return sitePage(site, {
    title: words.heading,
    problems,
    body: html`${done === null ? NOTHING : banner("good", words.done[done], { role: "status" })}${pageHeading(words.heading)}${list}${isWriter ? another : NOTHING}`,
  });
}

export type PageFormView = {
  readonly slug: string;
  readonly values: Readonly<Record<PageField, string>>;
  /** The revision that the form was made from; 0: none. */
  readonly base: string;
  readonly isDeleted: boolean;
  /** What was typed, as readers would see it. */
  readonly preview: readonly PageText[] | null;
  readonly problems: readonly FieldProblem[];
};

export function pageFormPage(view: PageFormView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { slug, problems } = view;
  const words = texts.staticPages;
  const heading = words.editing(pagePath(slug));
  const csrf = site.person?.csrf ?? "";
  const isThere = view.base !== "0" && !view.isDeleted;
  const removal = isThere
    ? html`${sectionHeading(words.remove, { id: "remove" })}<p>${words.removeHint}</p>${postButton({ label: words.remove, kind: "danger", action: `${rootPath}${formPath(slug, "delete")}`, csrf, sent: { base: view.base } })}`
    : NOTHING;
  return sitePage(site, {
    title: heading,
    noindex: true,
    problems,
    switchable: problems.length === 0 && view.preview === null,
    body: html`${above(site)}${pageHeading(heading)}${view.isDeleted ? banner("warn", words.isDeleted) : NOTHING}${previewOf(view, site)}${formOf(view, site)}${
      view.base === "0"
        ? NOTHING
        : html`<p class="links"><a href="${rootPath}${formPath(slug, "revisions")}">${words.revisions}</a></p>`
    }${removal}`,
  });
}

const above = ({ texts, rootPath }: SiteView): Html =>
  trail([{ label: texts.staticPages.heading, href: `${rootPath}/pages` }], texts);

function previewOf({ preview }: PageFormView, site: SiteView): Html {
  if (preview === null) return NOTHING;
  const words = site.texts.staticPages;
  const one = (text: PageText): Html =>
    html`<article${attributes({ lang: otherLang(text.lang, site.texts) })}>${sectionHeading(text.title)}${markdown(text.blocks, { link: linkIn(site.rootPath), below: 2 })}</article>\n`;
  return html`${banner("info", words.previewOf, { role: "status", id: "preview" })}${preview.map(one)}`;
}

function formOf({ slug, values, base, problems }: PageFormView, { texts, rootPath, person }: SiteView): Html {
  const words = texts.staticPages;
  const field = (id: PageField, label: string) => ({ id, label, value: values[id], error: problemAt(problems, id) });
  const title = (id: PageField, label: string, lang: string): Html =>
    textField({ ...field(id, label), control: { maxlength: PAGE_TITLE_MAX, lang } }, texts);
  const content = (id: PageField, label: string, lang: string): Html =>
    textArea({ ...field(id, label), hint: words.markdownHint, rows: 14, control: { lang } }, texts);
  return html`<form method="post" action="${rootPath}${formPath(slug, "edit")}">${csrfField(person?.csrf ?? "")}${hiddenField("base", base)}${title("title", words.titleEn, "en")}${content("content", words.contentEn, "en")}${title("title_ja", words.titleJa, "ja")}${content("content_ja", words.contentJa, "ja")}${textField({ ...field("footer", words.footer), hint: words.footerHint, control: { inputmode: "numeric", maxlength: 3 } }, texts)}${textField({ ...field("message", words.message), hint: words.messageHint, control: { maxlength: PAGE_MESSAGE_MAX } }, texts)}${buttonRow(
    [
      button({ label: words.save, name: "action", value: "save" }),
      button({ label: words.preview, kind: "quiet", name: "action", value: "preview" }),
    ],
  )}</form>\n`;
}

type PageChange = { readonly field: PageField; readonly parts: readonly TextPart[] };
export type RevisionsView = {
  readonly slug: string;
  readonly lines: readonly PageLine[];
  /** Names of accounts, by id. */
  readonly names: ReadonlyMap<number, string>;
  /** Two of them compared. */
  readonly compared: { readonly from: number; readonly to: number; readonly changes: readonly PageChange[] } | null;
  readonly done: keyof RepositoryTexts["staticPages"]["done"] | null;
};

export function revisionsPage(view: RevisionsView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { slug, lines, names, done } = view;
  const words = texts.staticPages;
  const [newest] = lines;
  const rows = lines.map((line) => [
    words.revision(line.revision),
    moment(line.at, texts),
    line.accountId === null ? words.commandLine : (names.get(line.accountId) ?? String(line.accountId)),
    line.isDeleted ? words.deleted : line.message,
    line === newest && !line.isDeleted
      ? ""
      : postButton({
          label: words.restore,
          kind: "small",
          heard: `${words.restore}: ${words.revision(line.revision)}`,
          action: `${rootPath}${formPath(slug, "restore")}`,
          csrf: site.person?.csrf ?? "",
          sent: { revision: String(line.revision) },
        }),
  ]);
  const heading = words.revisionsOf(pagePath(slug));
  return sitePage(site, {
    title: heading,
    noindex: true,
    body: html`${done === null ? NOTHING : banner("good", words.done[done], { role: "status" })}${above(site)}${pageHeading(heading)}${comparisonOf(view, texts)}${table(
      {
        caption: words.revisions,
        isCaptionHidden: true,
        head: [words.revisions, words.at, words.by, words.why, words.action],
        rows,
      },
    )}${chooser(view, site)}<p class="links"><a href="${rootPath}${formPath(slug, "edit")}">${words.edit}</a></p>`,
  });
}

function comparisonOf({ compared }: RevisionsView, texts: RepositoryTexts): Html {
  if (compared === null) return NOTHING;
  const words = texts.staticPages;
  const labels: Readonly<Record<PageField, string>> = {
    ...{ title: words.titleEn, content: words.contentEn, title_ja: words.titleJa, content_ja: words.contentJa },
    ...{ footer: words.footer, message: words.message },
  };
  const rows = compared.changes.map(({ field, parts }) =>
    factRow(labels[field], html`<div class="source-text">${changedText(parts, texts)}</div>`),
  );
  return html`${sectionHeading(words.compared(compared.from, compared.to), { id: "compared" })}${rows.length === 0 ? html`<p>${words.same}</p>` : factList(rows)}`;
}

function chooser({ slug, lines, compared }: RevisionsView, { texts, rootPath }: SiteView): Html {
  const [newest, before] = lines;
  if (newest === undefined || before === undefined) return NOTHING;
  const words = texts.staticPages;
  const choices = lines.map(({ revision, at }) => ({
    value: String(revision),
    label: `${words.revision(revision)} · ${at.slice(0, 10)}`,
  }));
  return html`${sectionHeading(words.compareHeading, { id: "compare" })}<form method="get" action="${rootPath}${formPath(slug, "revisions")}">${fieldRow(
    [
      selectField({ id: "from", label: words.from, value: String(compared?.from ?? before.revision), choices }, texts),
      selectField({ id: "to", label: words.to, value: String(compared?.to ?? newest.revision), choices }, texts),
    ],
  )}${buttonRow([button({ label: words.compare, kind: "quiet" })])}</form>\n`;
}
