// A value as JSON with the members of its objects in one order: equal values have equal texts.
import { isObject } from "../objects.ts";

export const sortedText = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (isObject(member) ? inOrder(member) : member)) ?? "";

const inOrder = (object: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
