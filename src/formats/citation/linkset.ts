// FAIR Signposting, level 2: all typed links between an item, its files and the documents about it, as one document
// (RFC 9264, linkset+json).

import { exchangedJson } from "../../shared/text/text.ts";
import type { WrittenExport } from "../exported-record.ts";
import type { CitedItem } from "./cited-item.ts";
import { type DescribedBy, signpostingLinks } from "./signposting.ts";

type Target = { readonly href: string; readonly type?: string; readonly profile?: string };
type Context = { readonly anchor: string } & { readonly [rel: string]: string | readonly Target[] };

/** The links of a landing page, each file and each document, each with its own anchor. */
export function linksetOf(item: CitedItem, documents: readonly DescribedBy[]): WrittenExport {
  const byRelation = new Map<string, Target[]>();
  for (const { target, rel, type, profile } of signpostingLinks(item, documents)) {
    const targets = byRelation.get(rel) ?? [];
    byRelation.set(rel, targets);
    targets.push({
      href: target,
      ...(type === undefined ? {} : { type }),
      ...(profile === undefined ? {} : { profile }),
    });
  }
  const page: readonly Target[] = [{ href: item.landingPage, type: "text/html" }];
  const linkset: readonly Context[] = [
    { anchor: item.landingPage, ...Object.fromEntries(byRelation) },
    ...item.files.map(({ url }) => ({ anchor: url, collection: page })),
    ...documents.map(({ url }) => ({ anchor: url, describes: page })),
  ];
  return { text: exchangedJson({ linkset }), leftOut: [] };
}
