// Pages that administrators write (Q.10): about, policy, contact, help and others, with all their revisions.
import type { AccountId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** One revision, without its texts. */
export type PageLine = {
  readonly slug: string;
  /** From 1. */
  readonly revision: number;
  readonly at: Instant;
  /** Null: the command line. */
  readonly accountId: AccountId | null;
  /** Why it was changed. */
  readonly message: string;
  readonly titleEn: string;
  readonly titleJa: string;
  /** Its place among the links at the foot of all pages; null: it has none there. */
  readonly footer: number | null;
  readonly isDeleted: boolean;
};

/** Texts are Markdown; empty: not written in this language. */
export type StaticPage = PageLine & { readonly contentEn: string; readonly contentJa: string };

export interface StaticPageReader {
  /** The newest revision of each page, of deleted ones too, by slug. */
  pages(): Promise<readonly PageLine[]>;
  /** The newest revision, or this one. */
  page(slug: string, revision?: number): Promise<StaticPage | null>;
  /** The newest first. */
  pageRevisions(slug: string): Promise<readonly PageLine[]>;
}

export interface StaticPageWriter extends StaticPageReader {
  /** Becomes the newest. False where the page has this revision already. */
  insertPage(page: StaticPage): Promise<boolean>;
  /** Deletes the revisions before this one. */
  forgetPageRevisions(slug: string, before: number): Promise<void>;
}
