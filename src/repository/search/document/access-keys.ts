// How open items are, as keys of a facet (R48): the status that pages show on hits, counted and chosen. It depends on the
// day, and no document is written when a day is reached: a key names the status of today and each later one with its
// day, and the question decides which of them it is (`e20270101o`: embargoed, open from 2027 on).
import { ACCESS_STATUSES, type AccessStatus, accessStatus } from "../../../model/access/openness.ts";
import type { ItemContent } from "../../../model/items/item.ts";
import type { Day } from "../../../shared/time/day.ts";
import { RECORD_FACETS } from "../detail/record-schema.ts";
import type { Condition, FacetCount } from "../index/index-port.ts";
import type { Key } from "./document.ts";
import { facetKey, isReached } from "./keys.ts";

const LETTERS: Readonly<Record<AccessStatus, string>> = {
  open: "o",
  embargoed: "e",
  restricted: "r",
  "metadata-only": "m",
};
const STATUSES = new Map(ACCESS_STATUSES.map((status) => [LETTERS[status], status]));
const CHOSEN = new Map(ACCESS_STATUSES.map((status) => [facetKey(status), status]));
/** Days on which something opens that are asked about: the first of them and the last. Changes that a key names. */
const DAYS = 20;
const CHANGES = 6;

/** One key for each item. */
export function accessKey(content: Pick<ItemContent, "access" | "files">, today: Day): Key {
  const { access, files } = content;
  const days = new Set<Day>();
  for (const day of [access.embargoUntil, access.openDate, ...files.map(({ accessDate }) => accessDate)]) {
    if (day !== null && day > today) days.add(day);
  }
  let status = accessStatus(content, today);
  let key = LETTERS[status];
  let changes = 0;
  const sorted = [...days].sort();
  for (const day of [...sorted.slice(0, DAYS - 1), ...sorted.slice(DAYS - 1).slice(-1)]) {
    const later = accessStatus(content, day);
    if (later === status || changes >= CHANGES) continue;
    status = later;
    changes += 1;
    key += `${day.replaceAll("-", "")}${LETTERS[later]}`;
  }
  return key;
}

const PARTS = /(\d{8})?([oerm])/g;

function statusOn(key: Key, today: Day): AccessStatus | null {
  let status: AccessStatus | null = null;
  for (const [, day, letter = ""] of key.matchAll(PARTS)) {
    if (day === undefined || isReached(day, today)) status = STATUSES.get(letter) ?? status;
  }
  return status;
}

/** The most open first, and never a status that nothing has. */
export function accessCounts(counts: readonly FacetCount[], today: Day): readonly FacetCount[] {
  const sums = new Map<AccessStatus, number>();
  for (const { key, count } of counts) {
    const status = statusOn(key, today);
    if (status !== null) sums.set(status, (sums.get(status) ?? 0) + count);
  }
  return [...sums]
    .map(([label, count]) => ({ key: facetKey(label), label, count }))
    .sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1));
}

export function asksForAccess(condition: Condition | null): boolean {
  if (condition === null) return false;
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.of.some(asksForAccess);
    case "not":
      return asksForAccess(condition.of);
    default:
      return condition.field === RECORD_FACETS.access;
  }
}

/** The same question with the keys of the index that mean the chosen statuses today. */
export function withAccessOn(condition: Condition, known: readonly Key[], today: Day): Condition {
  const within = (each: Condition): Condition => withAccessOn(each, known, today);
  switch (condition.kind) {
    case "and":
    case "or":
      return { kind: condition.kind, of: condition.of.map(within) };
    case "not":
      return { kind: "not", of: within(condition.of) };
    case "key": {
      if (condition.field !== RECORD_FACETS.access) return condition;
      const chosen = new Set(condition.anyOf.map((key) => CHOSEN.get(key)));
      return { ...condition, anyOf: known.filter((key) => chosen.has(statusOn(key, today) ?? undefined)) };
    }
    default:
      return condition;
  }
}
