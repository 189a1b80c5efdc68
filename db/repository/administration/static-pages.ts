// Pages that administrators write, by revisions (src/repository/store/static-pages.ts; Q.10).
import type {
  PageLine,
  StaticPage,
  StaticPageReader,
  StaticPageWriter,
} from "../../../src/repository/store/static-pages.ts";
import { run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, flag, oneRow, rowsAs } from "../../engine/record.ts";
import type { StaticPageTable } from "../../engine/repository-schema.ts";

type Columns = Omit<StaticPageTable, "newest">;
const LINE = {
  ...({ slug: "slug", revision: "revision", at: "at", accountId: "account_id", message: "message" } as const),
  ...({ titleEn: "title_en", titleJa: "title_ja", footer: "footer" } as const),
  isDeleted: flag("deleted"),
};
const LINES = rowsAs<Columns, PageLine>(LINE);
const PAGE = rowsAs<Columns, StaticPage>({ ...LINE, contentEn: "content_en", contentJa: "content_ja" });

const NEWEST = statement(() => `select ${LINES.list} from static_page where newest = 1 order by slug`);
const ONE = statement(() => `select ${PAGE.list} from static_page where slug = $1 and newest = 1`);
const REVISION = statement(() => `select ${PAGE.list} from static_page where slug = $1 and revision = $2`);
const REVISIONS = statement(() => `select ${LINES.list} from static_page where slug = $1 order by revision desc`);
const REPLACED = statement(() => "update static_page set newest = 0 where slug = $1 and newest = 1");
const FORGET = statement(() => "delete from static_page where slug = $1 and revision < $2");

export const staticPageReader = (session: Session): StaticPageReader => ({
  pages: () => allRows(session, NEWEST, [], LINES.read),
  page: (slug, revision) =>
    revision === undefined
      ? oneRow(session, ONE, [slug], PAGE.read)
      : oneRow(session, REVISION, [slug, revision], PAGE.read),
  pageRevisions: (slug) => allRows(session, REVISIONS, [slug], LINES.read),
});

export const staticPageWriter = (session: Session): StaticPageWriter => ({
  ...staticPageReader(session),
  async insertPage(page) {
    await run(session, REPLACED, [page.slug]);
    const made = await session.db
      .insertInto("static_page")
      .values({ ...PAGE.write(page), newest: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .returning("slug")
      .execute();
    return made.length > 0;
  },
  async forgetPageRevisions(slug, before) {
    await run(session, FORGET, [slug, before]);
  },
});
