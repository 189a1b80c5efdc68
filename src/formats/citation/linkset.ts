// FAIR Signposting, level 2: all typed links between an item, its files and the documents about it, as one document in
// the two formats of RFC 9264.

import { exchangedJson } from "../../shared/text/text.ts";
import type { WrittenExport } from "../exported-record.ts";
import type { CitedItem } from "./cited-item.ts";
import { type DescribedBy, linkText, signpostingLinks, type TypedLink } from "./signposting.ts";

/** The links of one anchor. */
type Context = { readonly anchor: string; readonly links: readonly TypedLink[] };

/** The links of a landing page, each file and each document, each with its own anchor. */
function contextsOf(item: CitedItem, documents: readonly DescribedBy[]): readonly Context[] {
  const { landingPage } = item;
  const page = (rel: string): readonly TypedLink[] => [{ target: landingPage, rel, type: "text/html" }];
  return [
    { anchor: landingPage, links: signpostingLinks(item, documents) },
    ...item.files.map(({ url }) => ({ anchor: url, links: page("collection") })),
    ...documents.map(({ url }) => ({ anchor: url, links: page("describes") })),
  ];
}

/** `application/linkset+json` (RFC 9264, section 4.2). */
export function linksetOf(item: CitedItem, documents: readonly DescribedBy[]): WrittenExport {
  const linkset = contextsOf(item, documents).map(({ anchor, links }) => {
    const byRelation = new Map<string, object[]>();
    for (const { target, rel, ...attributes } of links) {
      const targets = byRelation.get(rel) ?? [];
      byRelation.set(rel, targets);
      targets.push({ href: target, ...attributes });
    }
    return { anchor, ...Object.fromEntries(byRelation) };
  });
  return { text: exchangedJson({ linkset }), leftOut: [] };
}

/** `application/linkset` (RFC 9264, section 4.1): the links of a `Link` header with their anchors, a line each. */
export function linksetText(item: CitedItem, documents: readonly DescribedBy[]): WrittenExport {
  const lines = contextsOf(item, documents).flatMap(({ anchor, links }) =>
    links.map((link) => `${linkText(link)}; anchor="${anchor}"`),
  );
  return { text: `${lines.join(",\n")}\n`, leftOut: [] };
}
