// Whether two values mean the same, whatever the order of their members.
import { isObject } from "../../shared/objects.ts";

/** Whether two values of the metadata are equal; an absent member equals undefined. */
export function areEqualValues(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((each, index) => areEqualValues(each, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => areEqualValues(memberOf(left, key), memberOf(right, key)));
}

function memberOf(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
