// The items here that an item is related to (R19a), in both directions: those it names by DOI, ARK or address, those that
// name it, and those of the same journal or series. Each as the reader may see it now; keys of the index, no scan.
import type { Viewer } from "../../auth/account.ts";
import { openness } from "../../model/access/openness.ts";
import type { Addresses } from "../../model/items/addresses.ts";
import { identifierText } from "../../model/metadata/duplicate-keys.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Day } from "../../shared/time/day.ts";
import type { ReadableItem } from "../items/item-views.ts";
import { RECORD_FACETS } from "../search/detail/record-schema.ts";
import { journalLabel } from "../search/document/journal-label.ts";
import { facetKey, keyOf, numberKey } from "../search/document/keys.ts";
import {
  INVERSE,
  RELATION_ROLES,
  type RelationRole,
  relationKey,
  relationTargets,
} from "../search/document/relation-keys.ts";
import type { Condition } from "../search/index/index-port.ts";
import type { Finder } from "../search/query/finder.ts";
import { allOf, anyOf } from "../search/query/query-text.ts";
import { KEYS } from "../search/settings/search-schema.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { ListedItem } from "./lists.ts";

/** Items of one kind that the page of an item lists. */
const SHOWN = 5;
/** Versions whose addresses others may name. */
const VERSIONS = 20;

export type RelatedGroup = {
  readonly role: RelationRole | "series";
  readonly items: readonly ListedItem[];
  /** How many there are that the reader may see. */
  readonly total: number;
};

export interface RelationShowing {
  /** None for drafts, and while nothing can be searched. */
  relations(viewer: Viewer, readable: ReadableItem): Promise<readonly RelatedGroup[]>;
}

type RelationNeeds = {
  readonly finder: Pick<Finder, "find">;
  readonly store: Pick<RepositoryReader, "items">;
  readonly addresses: Pick<Addresses, "landingPage">;
  readonly today: () => Day;
};

export function relationShowing(needs: RelationNeeds): RelationShowing {
  return {
    async relations(viewer, readable) {
      if (readable.draft !== null) return [];
      try {
        return await relatedGroups(needs, viewer, readable);
      } catch (error) {
        if (isRefusal(error, "unavailable")) return [];
        throw error;
      }
    },
  };
}

async function relatedGroups(
  needs: RelationNeeds,
  viewer: Viewer,
  readable: ReadableItem,
): Promise<readonly RelatedGroup[]> {
  const conditions = conditionsOf(needs, readable);
  const others: Condition = { kind: "not", of: numbered([numberKey(readable.item.parentId)]) };
  // In the order of numbers: a journal may have a hundred thousand items, which no page sorts.
  const find = (where: Condition, size: number) =>
    needs.finder.find(viewer, {
      ...{ where: allOf([where, others]), chosen: null, sort: [], facets: [], mayWait: false },
      page: { number: 1, size },
    });
  // Most items are related to none: one question tells.
  const any = await find(conditions.any, 1);
  const asked: readonly { readonly role: RelatedGroup["role"]; readonly where: Condition }[] = [
    ...(any.total === 0 ? [] : RELATION_ROLES.map((role) => ({ role, where: conditions.byRole(role) }))),
    ...(conditions.series === null ? [] : [{ role: "series" as const, where: conditions.series }]),
  ];
  const groups: RelatedGroup[] = [];
  for (const { role, where } of asked) {
    const { items, total } = await find(where, SHOWN);
    if (total === 0) continue;
    const summaries = await needs.store.items.summariesOf(items.map(({ item }) => item.id));
    const listed = summaries.flatMap((item) =>
      item.content === null ? [] : [{ item, openness: openness(item.content, needs.today()) }],
    );
    groups.push({ role, items: listed, total });
  }
  return groups;
}

const numbered = (anyOfNumbers: readonly string[]): Condition => ({
  kind: "key",
  field: KEYS.number,
  anyOf: anyOfNumbers,
});

const keyed = (keys: readonly string[]): Condition => ({ kind: "key", field: KEYS.identifier, anyOf: keys });

/** What finds the items of each role: those that this one names as it, and those that name this one as the inverse. */
function conditionsOf({ addresses }: RelationNeeds, { item, content, versions }: ReadableItem) {
  const names = namesOf({ addresses }, item, content.metadata, versions);
  const targets = relationTargets(content.metadata).map((target) => ({
    ...target,
    number: numberIn(target.text, addresses),
  }));
  const found = (naming: readonly string[], own: typeof targets): Condition => {
    const numbers = own.flatMap(({ number }) => (number === null ? [] : [numberKey(number)]));
    return anyOf([
      { kind: "key", field: KEYS.related, anyOf: naming },
      ...(own.length === 0 ? [] : [keyed(own.map(({ text }) => keyOf(text)))]),
      ...(numbers.length === 0 ? [] : [numbered(numbers)]),
    ]);
  };
  const byRole = (role: RelationRole): Condition =>
    found(
      names.map((name) => relationKey(name, INVERSE[role])),
      targets.filter((target) => target.role === role),
    );
  const labels = content.metadata.containers.slice(0, 1).flatMap((container) => journalLabel(container) ?? []);
  return {
    any: found(
      names.map((name) => relationKey(name)),
      targets,
    ),
    byRole,
    series:
      labels.length === 0
        ? null
        : ({ kind: "key", field: RECORD_FACETS.journal, anyOf: labels.map(facetKey) } as const),
  };
}

/** Everything by which others may name the item: its identifiers, its ARK, the pages of its versions. */
function namesOf(
  { addresses }: Pick<RelationNeeds, "addresses">,
  item: ReadableItem["item"],
  { identifiers, registration }: ReadableItem["content"]["metadata"],
  versions: ReadableItem["versions"],
): readonly string[] {
  const page = (id: number) => ({ scheme: "URL", value: addresses.landingPage(id) });
  const stated = registration === undefined ? identifiers : [registration, ...identifiers];
  const own = [
    ...(item.ark === null ? [] : [{ scheme: "ARK", value: `ark:/${item.ark}` }]),
    ...[item.parentId, item.id, ...versions.slice(-VERSIONS).map(({ id }) => id)].map(page),
  ];
  return [...new Set([...own, ...stated.slice(0, VERSIONS)].flatMap((ident) => identifierText(ident) ?? []))];
}

/** The number of an item here in the text of an address; null for any other. */
function numberIn(text: string, addresses: RelationNeeds["addresses"]): number | null {
  const number = Number(/^uri:.*\/records\/([1-9]\d{0,14})$/.exec(text)?.[1] ?? 0);
  if (number === 0) return null;
  return identifierText({ scheme: "URL", value: addresses.landingPage(number) }) === text ? number : null;
}
