// Static pages (Q.10): administrators write them, everybody reads them, every change is a revision that stays.
import type { Viewer } from "../../auth/account.ts";
import { parseMarkdown } from "../../formats/markdown/markdown.ts";
import {
  type FieldError,
  invalidRecord,
  permissionDenied,
  requireRevision,
} from "../../model/input/record-refusals.ts";
import { may } from "../../model/rights/policy.ts";
import type { Sent } from "../../shared/fields.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { PageLine, StaticPage, StaticPageReader } from "../store/static-pages.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { type FooterLinks, footerLinks } from "./footer-links.ts";
import { PAGE_SLUG, type PageBody } from "./static-page-json.ts";

export interface StaticPages {
  /** Those that are not deleted, by their short names. */
  list(): Promise<readonly PageLine[]>;
  /** @throws Refusal `not_found` */
  read(slug: string): Promise<StaticPage>;
  /** The newest revision, of a deleted page too; null: it was never written. @throws Refusal `forbidden`, `not_found` */
  latest(viewer: Viewer, slug: string): Promise<StaticPage | null>;
  /** @throws Refusal `forbidden`, `not_found` */
  revision(viewer: Viewer, slug: string, revision: number): Promise<StaticPage>;
  /** The newest first. @throws Refusal `forbidden`, `not_found` */
  revisions(viewer: Viewer, slug: string): Promise<readonly PageLine[]>;
  /**
   * `expected`: revisions the caller has seen, "0" for a page that was never written; null: any.
   *
   * @throws Refusal `forbidden`, `not_found`, `invalid`, `precondition`, `conflict`
   */
  save(viewer: Viewer, slug: string, sent: Sent<PageBody>, expected: readonly string[] | null): Promise<StaticPage>;
  /** @throws Refusal `forbidden`, `not_found`, `precondition` */
  remove(viewer: Viewer, slug: string, expected: readonly string[] | null): Promise<void>;
  /** A new revision with the texts of an older one. @throws Refusal `forbidden`, `not_found` */
  restore(viewer: Viewer, slug: string, revision: number, message: string): Promise<StaticPage>;
  readonly footer: FooterLinks;
}

type Needs = {
  readonly store: RepositoryStore;
  readonly clock: Pick<Clock, "now">;
};

export const unknownPage = (): Refusal => new Refusal("not_found", "There is no such page");

/** @throws Refusal `forbidden` */
function requirePageWriter(viewer: Viewer): void {
  if (!may(viewer, "page.change", null)) throw permissionDenied();
}

function requireSlug(slug: string): void {
  if (!PAGE_SLUG.test(slug)) throw unknownPage();
}

type Texts = Pick<StaticPage, "titleEn" | "titleJa" | "contentEn" | "contentJa" | "footer">;

function textsOf({ title = "", title_ja = "", content = "", content_ja = "", footer = null }: PageBody): Texts {
  return { titleEn: title, titleJa: title_ja, contentEn: content, contentJa: content_ja, footer };
}

/** A page has a title and a text, in one language at least. @throws Refusal `invalid` */
async function requireWhole({ titleEn, titleJa, contentEn, contentJa }: Texts): Promise<void> {
  const errors: FieldError[] = [];
  const languages = [
    { title: titleEn, content: contentEn, end: "" },
    { title: titleJa, content: contentJa, end: "_ja" },
  ];
  const written = languages.filter(({ title, content }) => title !== "" || content.trim() !== "");
  if (written.length === 0) errors.push({ field: "title", messages: ["Write the page in English or in Japanese."] });
  for (const { title, content, end } of written) {
    if (title === "") errors.push({ field: `title${end}`, messages: ["A text needs a title in its language."] });
    if (content.trim() === "")
      errors.push({ field: `content${end}`, messages: ["A title needs a text in its language."] });
    else if ((await inTurns(parseMarkdown(content))) === null) {
      errors.push({ field: `content${end}`, messages: ["The text has too many parts to be shown."] });
    }
  }
  if (errors.length > 0) throw invalidRecord(errors);
}

const found = (page: StaticPage | null): StaticPage => page ?? failUnknown();

function failUnknown(): never {
  throw unknownPage();
}

/** The page as readers see it. */
const readable = (page: StaticPage | null): StaticPage => (page?.isDeleted === false ? page : failUnknown());

export function staticPages(needs: Needs): StaticPages {
  const { store, clock } = needs;
  const reader: StaticPageReader = store.staticPages;
  const footer = footerLinks({ pages: () => reader.pages(), now: () => Date.parse(clock.now()) });

  /** One change, with its line in the audit. */
  async function change(
    asking: Viewer,
    slug: string,
    work: (tx: RepositoryWriter, at: Instant) => Promise<Omit<StaticPage, "slug" | "at" | "accountId">>,
  ): Promise<StaticPage> {
    const page = await writeAs(needs, asking, async (tx, viewer) => {
      requirePageWriter(viewer);
      // Each change reads before it writes: this lock keeps two of them apart.
      await tx.indexes.lockTree();
      const at = clock.now();
      const next: StaticPage = { ...(await work(tx, at)), slug, at, accountId: viewer.account?.id ?? null };
      if (!(await tx.staticPages.insertPage(next)))
        throw new Refusal("conflict", "The page is being changed: try again");
      await tx.staticPages.forgetPageRevisions(slug, next.revision - most("staticPageRevisions") + 1);
      const { revision, isDeleted } = next;
      const action = isDeleted ? "page-delete" : "page-set";
      await tx.audit(viewer, at, [{ action, subject: `page:${slug}`, detail: { revision } }]);
      return next;
    });
    footer.forget();
    return page;
  }

  async function replace(tx: RepositoryWriter, before: StaticPage | null, texts: Texts, message: string) {
    if (before === null && (await tx.staticPages.pages()).length >= most("staticPages")) {
      throw new Refusal("conflict", `There are at most ${most("staticPages")} pages, deleted ones too: rewrite one`);
    }
    return { ...texts, message, isDeleted: false, revision: (before?.revision ?? 0) + 1 };
  }

  return {
    footer,
    list: async () => (await reader.pages()).filter(({ isDeleted }) => !isDeleted),
    async read(slug) {
      requireSlug(slug);
      return readable(await reader.page(slug));
    },
    async latest(viewer, slug) {
      requirePageWriter(viewer);
      requireSlug(slug);
      return await reader.page(slug);
    },
    async revision(viewer, slug, revision) {
      requirePageWriter(viewer);
      requireSlug(slug);
      return found(await reader.page(slug, revision));
    },
    async revisions(viewer, slug) {
      requirePageWriter(viewer);
      requireSlug(slug);
      const lines = await reader.pageRevisions(slug);
      return lines.length === 0 ? failUnknown() : lines;
    },
    async save(viewer, slug, sent, expected) {
      requirePageWriter(viewer);
      requireSlug(slug);
      // A change by somebody else is stated before what is wrong with this one.
      requireRevision(expected, (await reader.page(slug))?.revision ?? 0);
      const body = sent();
      const texts = textsOf(body);
      await requireWhole(texts);
      return await change(viewer, slug, async (tx) => {
        const before = await tx.staticPages.page(slug);
        requireRevision(expected, before?.revision ?? 0);
        return await replace(tx, before, texts, body.message ?? "");
      });
    },
    async remove(viewer, slug, expected) {
      requirePageWriter(viewer);
      requireSlug(slug);
      await change(viewer, slug, async (tx) => {
        const before = readable(await tx.staticPages.page(slug));
        requireRevision(expected, before.revision);
        return { ...before, message: "", isDeleted: true, revision: before.revision + 1 };
      });
    },
    async restore(viewer, slug, revision, message) {
      requirePageWriter(viewer);
      requireSlug(slug);
      return await change(viewer, slug, async (tx) => {
        const older = found(await tx.staticPages.page(slug, revision));
        return await replace(tx, found(await tx.staticPages.page(slug)), older, message);
      });
    },
  };
}
