// Static pages as the interface shows them and takes them (Q.10; the names of InvenioRDM's pages).
import { type Static, Type } from "@sinclair/typebox";
import { object, optional, orNull, refined, trimmed, whole, words } from "../../shared/fields.ts";
import { most } from "../../shared/limits.ts";
import { MomentShape, manyOf } from "../../shared/shapes.ts";
import type { PageLine, StaticPage } from "../store/static-pages.ts";

export const PAGE_TITLE_MAX = 200;
export const PAGE_MESSAGE_MAX = 500;
/** Highest place among the links at the foot of pages. */
const FOOTER_PLACE_MAX = 999;
/** A short name of a page. */
export const PAGE_SLUG = /^[a-z0-9-]{1,60}$/;

/** Pages with an address at the root. */
export const ROOT_PAGES = ["about", "policy", "contact", "help"] as const;

/** The address of a page, below that of the repository. */
export const pagePath = (slug: string): string =>
  ROOT_PAGES.some((each) => each === slug) ? `/${slug}` : `/pages/${slug}`;

const line = (max: number) => refined(trimmed({ max }), (value) => value.replace(/\s+/g, " "));
const MARKDOWN = { description: "Markdown" };

/** Replaces the page: what is left out is empty. */
export const PAGE_BODY = object(
  {
    title: optional(line(PAGE_TITLE_MAX)),
    title_ja: optional(line(PAGE_TITLE_MAX)),
    content: optional(words(most("staticPageCharacters"), MARKDOWN)),
    content_ja: optional(words(most("staticPageCharacters"), MARKDOWN)),
    footer: optional(orNull(whole(1, FOOTER_PLACE_MAX, { description: "Place among the links of every page" }))),
    message: optional(line(PAGE_MESSAGE_MAX)),
  },
  { $id: "StaticPageInput" },
);
export type PageBody = ReturnType<typeof PAGE_BODY.read>;

const FOOTER = Type.Union([Type.Integer(), Type.Null()], { description: "Place among the links of every page" });
const Line = {
  id: Type.String({ description: "Its short name" }),
  url: Type.String({ description: "Its path" }),
  title: Type.String(),
  title_ja: Type.String(),
  footer: FOOTER,
  revision_id: Type.Integer(),
  updated: MomentShape,
  links: Type.Object({ self: Type.String(), self_html: Type.String() }),
};
const PageLineShape = Type.Object(Line, { $id: "StaticPageSummary" });
export const PageShape = Type.Object(
  { ...Line, content: Type.String(MARKDOWN), content_ja: Type.String(MARKDOWN) },
  { $id: "StaticPage" },
);
export type PageJson = Static<typeof PageShape>;
export const PageList = Type.Object(
  { hits: Type.Object({ hits: manyOf(PageLineShape), total: Type.Integer() }) },
  { $id: "StaticPageList" },
);
const RevisionShape = Type.Object(
  {
    revision_id: Type.Integer(),
    title: Type.String(),
    title_ja: Type.String(),
    footer: FOOTER,
    message: Type.String(),
    is_deleted: Type.Boolean(),
    created: MomentShape,
    created_by: Type.Union([Type.Object({ user: Type.String() }), Type.Null()]),
  },
  { $id: "StaticPageRevision" },
);
export const RevisionList = Type.Object(
  { hits: Type.Object({ hits: manyOf(RevisionShape), total: Type.Integer() }) },
  { $id: "StaticPageRevisionList" },
);

const lineJson = ({ slug, titleEn, titleJa, footer, revision, at }: PageLine, baseUrl: string) => ({
  id: slug,
  url: pagePath(slug),
  title: titleEn,
  title_ja: titleJa,
  footer,
  revision_id: revision,
  updated: at,
  links: { self: `${baseUrl}/api/pages/${slug}`, self_html: `${baseUrl}${pagePath(slug)}` },
});

export const pageJson = (page: StaticPage, baseUrl: string): PageJson => ({
  ...lineJson(page, baseUrl),
  content: page.contentEn,
  content_ja: page.contentJa,
});

export const pageListJson = (pages: readonly PageLine[], baseUrl: string): Static<typeof PageList> => ({
  hits: { hits: pages.map((page) => lineJson(page, baseUrl)), total: pages.length },
});

export const revisionListJson = (lines: readonly PageLine[]): Static<typeof RevisionList> => ({
  hits: {
    hits: lines.map(({ revision, titleEn, titleJa, footer, message, isDeleted, at, accountId }) => ({
      ...{ revision_id: revision, title: titleEn, title_ja: titleJa, footer, message, is_deleted: isDeleted },
      created: at,
      created_by: accountId === null ? null : { user: String(accountId) },
    })),
    total: lines.length,
  },
});
