// The static pages at the foot of every page (Q.14): read at most every 30 seconds, so that no view costs a statement.
import type { PageLine } from "../store/static-pages.ts";
import { pagePath } from "./static-page-json.ts";

export type FooterLink = { readonly path: string; readonly titleEn: string; readonly titleJa: string };

export interface FooterLinks {
  /** Reads them again where they are older than they may be. */
  refresh(): Promise<void>;
  /** As they were read last. */
  links(): readonly FooterLink[];
  /** They were changed: the next page reads them. */
  forget(): void;
}

/** How long a change by another process may be unseen. */
const KEPT_MS = 30_000;

export function footerLinks(needs: {
  readonly pages: () => Promise<readonly PageLine[]>;
  readonly now: () => number;
}): FooterLinks {
  let links: readonly FooterLink[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    readAt = needs.now();
    try {
      links = footerOf(await needs.pages());
    } catch {
      // A page that needs the database states itself that it does not answer; the others keep the links read last.
      readAt = Number.NEGATIVE_INFINITY;
    }
  };
  return {
    async refresh() {
      // Requests that come meanwhile wait for the same reading.
      if (reading !== null) return await reading;
      if (needs.now() - readAt < KEPT_MS) return;
      reading = read().finally(() => {
        reading = null;
      });
      await reading;
    },
    links: () => links,
    forget() {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** In the order of their places. */
function footerOf(pages: readonly PageLine[]): readonly FooterLink[] {
  return pages
    .flatMap((page) => (page.footer === null || page.isDeleted ? [] : [{ ...page, place: page.footer }]))
    .sort((one, other) => one.place - other.place)
    .map(({ slug, titleEn, titleJa }) => ({ path: pagePath(slug), titleEn, titleJa }));
}
