// Whether two contents are equal (R37: saving nothing new makes no revision), in whatever order their members were
// written.

import type { ItemContent } from "../../model/items/item.ts";
import { isObject } from "../../shared/fields.ts";

export const isSameContent = (before: ItemContent, now: ItemContent): boolean => sorted(before) === sorted(now);

/** The same, whatever files they have. */
export function saysTheSame({ files: _, ...before }: ItemContent, { files: __, ...now }: ItemContent): boolean {
  return sorted(before) === sorted(now);
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (isObject(member) ? inOrder(member) : member));

const inOrder = (object: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
