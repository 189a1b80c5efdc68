// Static pages (Q.10 to Q.17): read by everybody, written, compared and restored by administrators.
import type { Account, Viewer } from "../../../src/auth/account.ts";
import { parseMarkdown } from "../../../src/formats/markdown/markdown.ts";
import { permissionDenied, sentRecord } from "../../../src/model/input/record-refusals.ts";
import { may } from "../../../src/model/rights/policy.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import { PAGE_BODY, PAGE_SLUG, pagePath, ROOT_PAGES } from "../../../src/repository/administration/static-page-json.ts";
import { type StaticPages, unknownPage } from "../../../src/repository/administration/static-pages.ts";
import { refusalProblem } from "../../../src/repository/pages/refusal-words.ts";
import { inLanguage } from "../../../src/repository/pages/templates/layout.ts";
import {
  formPath,
  PAGE_FIELDS,
  type PageField,
  type PageFormView,
  type PageText,
  pageFormPage,
  pageListPage,
  revisionsPage,
  staticPage,
  unwrittenPage,
} from "../../../src/repository/pages/templates/static-pages.ts";
import type { StaticPage } from "../../../src/repository/store/static-pages.ts";
import type { AccountId } from "../../../src/shared/ids.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { textDifference } from "../../../src/shared/text/text-difference.ts";
import { inTurns } from "../../../src/shared/time/event-loop.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import type { RepositoryGuard } from "../guard.ts";
import { signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import { requireFormToken } from "./cookies.ts";
import {
  AFTER_FORM,
  FORBIDDEN,
  FORM_AGAIN,
  form,
  html,
  mountPages,
  movedTo,
  NOT_FOUND,
  PAGE,
  SIGN_IN,
  UNKEPT,
} from "./page-routes.ts";

export type StaticPagesNeeds = Omit<PageNeeds, "guard"> & {
  /** Texts are longer than the fields of other forms. */
  readonly guard: Pick<RepositoryGuard, "reader" | "form" | "draftForm">;
  readonly staticPages: StaticPages;
  readonly accountsOf: (ids: readonly AccountId[]) => Promise<readonly Pick<Account, "id" | "name" | "mail">[]>;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

const SLUG = pathParameter("slug", "Short name of the page");
const DONE = queryParameter("done", "What was done by a form", { type: "string" });
const IN_SESSION = { ...UNKEPT, ...SIGN_IN, ...FORBIDDEN, ...NOT_FOUND };
const OLD = { 412: html("Somebody else has changed it since: the form again") };
const FIELDS = Object.fromEntries(PAGE_FIELDS.map((name) => [name, `As \`${name}\` of the interface, as text`]));

const { get, post } = routesOf<StaticPagesNeeds>();

const ROUTES = [
  ...ROOT_PAGES.map((slug) =>
    get(`/${slug}`, {
      id: `${slug}Page`,
      summary: `The page “${slug}” of the repository`,
      parameters: [DONE],
      answers: { ...PAGE, ...NOT_FOUND },
      run: (needs, request) => page(needs, request, slug),
    }),
  ),
  get("/pages", {
    id: "staticPagesPage",
    summary: "The pages about the repository; for administrators, a form for another one",
    parameters: [DONE, queryParameter("slug", "Short name of a page to write", { type: "string" })],
    answers: { ...PAGE, ...movedTo("To the form of the page"), ...FORM_AGAIN },
    run: list,
  }),
  get("/pages/:slug", {
    id: "staticPage",
    summary: "A page about the repository",
    parameters: [SLUG, DONE],
    answers: { ...PAGE, ...movedTo("About, policy, contact and help have shorter addresses"), ...NOT_FOUND },
    run: async (needs, request, { slug }) =>
      ROOT_PAGES.some((each) => each === slug) ? await toRoot(needs, request, slug) : await page(needs, request, slug),
  }),
  get("/pages/:slug/edit", {
    id: "editStaticPage",
    summary: "The form of a page about the repository, for administrators",
    scopes: "session",
    parameters: [SLUG],
    answers: IN_SESSION,
    run: (needs, request, { slug }) => edit(needs, request, slug),
  }),
  post("/pages/:slug/edit", {
    id: "saveStaticPageByForm",
    summary: "Save a page about the repository, or show what it would be",
    scopes: "session",
    parameters: [SLUG],
    content: form({ ...FIELDS, base: "The revision that the form shows", action: "save or preview" }),
    answers: { ...UNKEPT, ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND, ...OLD },
    run: (needs, request, { slug }) => save(needs, request, slug),
  }),
  get("/pages/:slug/revisions", {
    id: "staticPageRevisionsPage",
    summary: "Who changed a page about the repository, when and why, and two revisions compared",
    scopes: "session",
    parameters: [
      SLUG,
      DONE,
      queryParameter("from", "With `to`: a revision to compare", { type: "integer" }),
      queryParameter("to", "The revision it is compared with", { type: "integer" }),
    ],
    answers: IN_SESSION,
    run: (needs, request, { slug }) => revisions(needs, request, slug),
  }),
  post("/pages/:slug/restore", {
    id: "restoreStaticPageByForm",
    summary: "Make an older revision of a page the newest one",
    scopes: "session",
    parameters: [SLUG],
    content: form({ revision: "Its number" }),
    answers: { ...AFTER_FORM, ...NOT_FOUND },
    run: (needs, request, { slug }) => restore(needs, request, slug),
  }),
  post("/pages/:slug/delete", {
    id: "deleteStaticPageByForm",
    summary: "Delete a page about the repository; its revisions are kept",
    scopes: "session",
    parameters: [SLUG],
    content: form({ base: "The revision that the form shows" }),
    answers: { ...AFTER_FORM, ...NOT_FOUND, 412: html("Somebody else has changed it since") },
    run: (needs, request, { slug }) => remove(needs, request, slug),
  }),
];

export const staticPageViews = (needs: StaticPagesNeeds) => mountPages("static-page-views", ROUTES, needs);

const OUTCOMES = ["saved", "deleted", "restored"] as const;
const doneOf = (request: Request) => {
  const asked = new URL(request.url).searchParams.get("done");
  return OUTCOMES.find((each) => each === asked) ?? null;
};

const isWriter = (viewer: Viewer): boolean => may(viewer, "page.change", null);

async function textIn(
  titles: { readonly en: string; readonly ja: string },
  contents: { readonly en: string; readonly ja: string },
  tag: string,
): Promise<PageText> {
  const { text: title, lang } = inLanguage(titles, tag);
  return { title, lang, blocks: (await inTurns(parseMarkdown(contents[lang]))) ?? [] };
}

const pageText = ({ titleEn, titleJa, contentEn, contentJa }: StaticPage, tag: string): Promise<PageText> =>
  textIn({ en: titleEn, ja: titleJa }, { en: contentEn, ja: contentJa }, tag);

async function page(needs: StaticPagesNeeds, request: Request, slug: string): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  try {
    const found = await needs.staticPages.read(slug);
    const view = {
      slug,
      text: await pageText(found, site.texts.tag),
      address: `${needs.baseUrl}${pagePath(slug)}`,
      isWriter: isWriter(viewer),
      done: doneOf(request),
    };
    return await htmlAnswer(request, site, staticPage(view, site));
  } catch (error) {
    if (!isRefusal(error, "not_found") || !isWriter(viewer) || !PAGE_SLUG.test(slug)) throw error;
    return await htmlAnswer(request, site, unwrittenPage(slug, site), { status: 404, cacheable: false });
  }
}

async function toRoot(needs: StaticPagesNeeds, request: Request, slug: string): Promise<Response> {
  const { site } = await openPage(needs, request, "pages");
  return redirectTo(site.rootPath, `${pagePath(slug)}${new URL(request.url).search}`, 302);
}

async function list(needs: StaticPagesNeeds, request: Request): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const slug = new URL(request.url).searchParams.get("slug");
  const asks = slug !== null && isWriter(viewer);
  if (asks && PAGE_SLUG.test(slug)) return redirectTo(site.rootPath, formPath(slug, "edit"), 302);
  const problems = asks ? [{ field: "slug", text: site.texts.staticPages.slugWrong }] : [];
  const pages = await needs.staticPages.list();
  const view = { pages, isWriter: isWriter(viewer), slug: slug ?? "", problems, done: doneOf(request) };
  return await htmlAnswer(request, site, pageListPage(view, site), { status: asks ? 400 : 200, cacheable: !asks });
}

/** Administrators, or where guests are sent. @throws Refusal `forbidden`, `not_found` */
async function openForm(needs: StaticPagesNeeds, request: Request, slug: string, path: string) {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(path));
  requireWriter(reader, slug);
  return reader;
}

function requireWriter({ viewer }: Reader, slug: string): void {
  if (!isWriter(viewer)) throw permissionDenied();
  if (!PAGE_SLUG.test(slug)) throw unknownPage();
}

type Values = PageFormView["values"];
const BLANK: Values = { title: "", content: "", title_ja: "", content_ja: "", footer: "", message: "" };

const valuesOf = ({ titleEn, contentEn, titleJa, contentJa, footer }: StaticPage): Values => ({
  ...{ title: titleEn, content: contentEn, title_ja: titleJa, content_ja: contentJa },
  ...{ footer: footer === null ? "" : String(footer), message: "" },
});

async function edit(needs: StaticPagesNeeds, request: Request, slug: string): Promise<Response> {
  const reader = await openForm(needs, request, slug, formPath(slug, "edit"));
  if (reader instanceof Response) return reader;
  const before = await needs.staticPages.latest(reader.viewer, slug);
  return await formAnswer(request, reader, {
    slug,
    values: before === null ? BLANK : valuesOf(before),
    base: String(before?.revision ?? 0),
    isDeleted: before?.isDeleted === true,
    preview: null,
    problems: [],
  });
}

const formAnswer = (request: Request, { site }: Reader, view: PageFormView, status = 200): Promise<Response> =>
  htmlAnswer(request, site, pageFormPage(view, site), { status, cacheable: false });

/** The body of the interface: what was typed, with lines as Markdown has them. */
const bodyOf = ({ footer, ...values }: Values): object => ({
  ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replace(/\r\n?/g, "\n")])),
  footer: footer.trim() === "" ? null : /^\d{1,9}$/.test(footer.trim()) ? Number(footer) : footer,
});

async function save(needs: StaticPagesNeeds, request: Request, slug: string): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  requireWriter(reader, slug);
  const fields = new Map(await needs.guard.draftForm(request));
  requireFormToken(fields.get("csrf"), reader.signedIn.csrf);
  const typed = PAGE_FIELDS.map((name) => [name, fields.get(name) ?? ""]);
  // The keys of the table, each with a text.
  const values = Object.fromEntries(typed) as Record<PageField, string>;
  const { viewer, site } = reader;
  const base = (fields.get("base") ?? "").slice(0, 20);
  const isDeleted = (await needs.staticPages.latest(viewer, slug))?.isDeleted === true;
  const view = { slug, values, base, isDeleted, preview: null, problems: [] };
  try {
    const sent = sentRecord(PAGE_BODY, bodyOf(values));
    if (fields.get("action") === "preview") {
      sent();
      return await formAnswer(request, reader, { ...view, preview: await previewsOf(values) });
    }
    await needs.staticPages.save(viewer, slug, sent, base === "" ? null : [base]);
    return redirectTo(site.rootPath, `${pagePath(slug)}?done=saved`);
  } catch (error) {
    if (!isRefusal(error, "invalid", "precondition", "conflict")) throw error;
    const problems = problemsOf(error, site);
    return await formAnswer(request, reader, { ...view, problems }, error.kind === "precondition" ? 412 : 400);
  }
}

/** What was typed, in each language that has something. */
async function previewsOf(values: Values): Promise<readonly PageText[]> {
  const titles = { en: values.title, ja: values.title_ja };
  const contents = { en: values.content, ja: values.content_ja };
  const written = (["en", "ja"] as const).filter((lang) => titles[lang] !== "" || contents[lang] !== "");
  return await Promise.all(
    written.map(async (lang) => ({
      ...{ title: titles[lang], lang },
      blocks: (await inTurns(parseMarkdown(contents[lang]))) ?? [],
    })),
  );
}

function problemsOf({ kind, message, detail }: Refusal, { texts }: Reader["site"]): readonly FieldProblem[] {
  if (kind === "precondition") return [{ field: null, text: texts.staticPages.changedElsewhere }];
  const errors: readonly { readonly field: string; readonly messages: readonly string[] }[] = Array.isArray(
    detail.errors,
  )
    ? detail.errors
    : [];
  if (errors.length === 0) return [refusalProblem(null, message, texts)];
  return errors.flatMap(({ field, messages }) =>
    messages.map((each) => refusalProblem(PAGE_FIELDS.find((name) => name === field) ?? null, each, texts)),
  );
}

const NUMBER = /^[1-9]\d{0,8}$/;

async function revisions(needs: StaticPagesNeeds, request: Request, slug: string): Promise<Response> {
  const reader = await openForm(needs, request, slug, formPath(slug, "revisions"));
  if (reader instanceof Response) return reader;
  const { viewer, site } = reader;
  const lines = await needs.staticPages.revisions(viewer, slug);
  const ids = new Set(lines.flatMap(({ accountId }) => accountId ?? []));
  const accounts = ids.size === 0 ? [] : await needs.accountsOf([...ids]);
  const names = new Map(accounts.map(({ id, name, mail }) => [id, name || (mail ?? String(id))]));
  const view = { slug, lines, names, compared: await compared(needs, request, viewer, slug), done: doneOf(request) };
  return await htmlAnswer(request, site, revisionsPage(view, site), { cacheable: false });
}

/** The two revisions that the address names; null where it names none. @throws Refusal `not_found` */
async function compared(needs: StaticPagesNeeds, request: Request, viewer: Viewer, slug: string) {
  const { searchParams } = new URL(request.url);
  const [from = "", to = ""] = ["from", "to"].map((name) => searchParams.get(name) ?? "");
  if (from === "" || to === "") return null;
  if (!NUMBER.test(from) || !NUMBER.test(to)) throw unknownPage();
  const before = valuesOf(await needs.staticPages.revision(viewer, slug, Number(from)));
  const after = valuesOf(await needs.staticPages.revision(viewer, slug, Number(to)));
  const changes = PAGE_FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    parts: textDifference(before[field], after[field]),
  }));
  return { from: Number(from), to: Number(to), changes };
}

async function restore(needs: StaticPagesNeeds, request: Request, slug: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  requireWriter(reader, slug);
  const revision = fields.get("revision") ?? "";
  if (!NUMBER.test(revision)) throw unknownPage();
  const { staticPages } = reader.site.texts;
  await needs.staticPages.restore(reader.viewer, slug, Number(revision), staticPages.restored(Number(revision)));
  return redirectTo(reader.site.rootPath, `${formPath(slug, "revisions")}?done=restored`);
}

async function remove(needs: StaticPagesNeeds, request: Request, slug: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  requireWriter(reader, slug);
  const base = (fields.get("base") ?? "").slice(0, 20);
  await needs.staticPages.remove(reader.viewer, slug, base === "" ? null : [base]);
  return redirectTo(reader.site.rootPath, "/pages?done=deleted");
}
