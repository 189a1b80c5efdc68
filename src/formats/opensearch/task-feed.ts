// A list of tasks as an Atom feed (RFC 4287), for its owner alone (R45).
import type { Instant } from "../../shared/time/instant.ts";
import { printXml } from "../../shared/xml/print.ts";
import { element, prefixes, words } from "./xml.ts";

export type TaskFeed = {
  /** Never the address of the feed, which is secret. */
  readonly id: string;
  readonly title: string;
  readonly page: string;
  readonly repositoryName: string;
  readonly language: string;
  readonly updatedAt: Instant;
  readonly entries: readonly {
    readonly id: string;
    readonly title: string;
    readonly summary: string;
    readonly url: string;
    readonly updatedAt: Instant;
  }[];
};

export function taskFeed(feed: TaskFeed): string {
  const page = (href: string) => element("atom:link", { rel: "alternate", type: "text/html", href }, []);
  return printXml(
    element("atom:feed", { "xml:lang": feed.language }, [
      words("atom:id", feed.id),
      words("atom:title", feed.title),
      words("atom:updated", feed.updatedAt),
      page(feed.page),
      element("atom:author", {}, [words("atom:name", feed.repositoryName)]),
      ...feed.entries.map((entry) =>
        element("atom:entry", {}, [
          words("atom:id", entry.id),
          words("atom:title", entry.title),
          words("atom:updated", entry.updatedAt),
          words("atom:summary", entry.summary),
          page(entry.url),
        ]),
      ),
    ]),
    { prefixes: prefixes(["atom"], "atom"), declaration: true },
  );
}
