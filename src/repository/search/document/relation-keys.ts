// How an item is related to others, as keys (R19a): what each relation points at, in one spelling, and as what. Items
// that point at an item are found by the keys of its identifiers.
import { identifierText } from "../../../model/metadata/duplicate-keys.ts";
import type { Metadata } from "../../../model/metadata/metadata.ts";
import { own } from "../../../shared/objects.ts";
import type { Key } from "./document.ts";
import { keyOf } from "./keys.ts";

/** What the other item is to the one that names it, in the order in which pages show them. */
export const RELATION_ROLES = [
  "partOf",
  "hasPart",
  "supplements",
  "supplementedBy",
  "version",
  "cites",
  "citedBy",
  "other",
] as const;
export type RelationRole = (typeof RELATION_ROLES)[number];

/** By id of the vocabulary relationtypes; all others are `other`. */
const ROLES: Readonly<Record<string, RelationRole>> = {
  cites: "cites",
  references: "cites",
  iscitedby: "citedBy",
  isreferencedby: "citedBy",
  ispartof: "partOf",
  ispublishedin: "partOf",
  inseries: "partOf",
  iscollectedby: "partOf",
  haspart: "hasPart",
  collects: "hasPart",
  issupplementto: "supplements",
  issupplementedby: "supplementedBy",
  hasversion: "version",
  isversionof: "version",
  isnewversionof: "version",
  ispreviousversionof: "version",
  isvariantformof: "version",
  isoriginalformof: "version",
  isidenticalto: "version",
  isobsoletedby: "version",
  obsoletes: "version",
  istranslationof: "version",
  hastranslation: "version",
};

/** What the one that names an item is to that item. */
export const INVERSE: Readonly<Record<RelationRole, RelationRole>> = {
  partOf: "hasPart",
  hasPart: "partOf",
  supplements: "supplementedBy",
  supplementedBy: "supplements",
  version: "version",
  cites: "citedBy",
  citedBy: "cites",
  other: "other",
};

/** Relations, and references, of one item that are followed. */
const FOLLOWED = 200;

type Target = { readonly role: RelationRole; readonly text: string };

/** What an item points at: each role and text once. */
export function relationTargets({
  relations,
  references,
}: Pick<Metadata, "relations" | "references">): readonly Target[] {
  const stated = [
    ...relations
      .slice(0, FOLLOWED)
      .map(({ type, ident }) => ({ role: own(ROLES, type.toLowerCase()) ?? "other", ident })),
    ...references.slice(0, FOLLOWED).map(({ ident }) => ({ role: "cites" as const, ident })),
  ];
  const targets = new Map<string, Target>();
  for (const { role, ident } of stated) {
    const text = ident === undefined ? null : identifierText(ident);
    if (text !== null) targets.set(`${role} ${text}`, { role, text });
  }
  return [...targets.values()];
}

/** The key of all that point at this identifier; `role`: as this only. */
export const relationKey = (text: string, role?: RelationRole): Key =>
  role === undefined ? keyOf(text) : keyOf(role, text);

/** Those of a document. */
export const relationKeys = (metadata: Pick<Metadata, "relations" | "references">): readonly Key[] => [
  ...new Set(relationTargets(metadata).flatMap(({ role, text }) => [relationKey(text), relationKey(text, role)])),
];
