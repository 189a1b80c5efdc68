// Writing through an interface that shows less never erases what it cannot show (R3): a value that the form left
// unchanged stays whole.

import type { Json } from "../../shared/json/json.ts";
import { sortedText } from "../../shared/json/sorted-text.ts";
import { EMPTY_METADATA, type Metadata } from "../metadata/metadata.ts";

type JsonMembers = Readonly<Record<string, Json>>;

/** Metadata after a round trip through the form. */
type Projection = (metadata: Metadata) => Metadata;

/**
 * The metadata a form made, with what the form cannot show taken from `previous`: members it shows unchanged whole,
 * elements of lists that it shows unchanged, elements and members it does not show at all, and `custom` of other
 * namespaces. An element that was changed in the form is as in the form.
 */
export function keptFrom(previous: Metadata, built: Metadata, itemType: number, projection: Projection): Metadata {
  const members = new Map<string, Json>(Object.entries(built));
  const old: JsonMembers = previous;
  const seen: JsonMembers = projection(previous);
  for (const name of Object.keys(old)) {
    if (name === "custom") continue;
    const [now, then] = [members.get(name), seen[name]];
    const before = old[name];
    if (before === undefined) continue;
    if (same(now, then)) members.set(name, before);
    else if (Array.isArray(now) && Array.isArray(before))
      members.set(name, keptElements(name, before, now, projection));
  }
  const prefix = `${itemType}:`;
  const others = Object.entries(previous.custom).filter(([key]) => !key.startsWith(prefix));
  // Every member is of `built` or of `previous`, both of which are metadata.
  return { ...built, ...Object.fromEntries(members), custom: { ...Object.fromEntries(others), ...built.custom } };
}

function keptElements(
  name: string,
  before: readonly Json[],
  now: readonly Json[],
  projection: Projection,
): readonly Json[] {
  const hidden: Json[] = [];
  /** By what they show, those that come first last. */
  const waiting = new Map<string, Json[]>();
  for (const element of before.toReversed()) {
    const shown = shownAlone(name, element, projection);
    if (shown.length === 0) hidden.push(element);
    if (shown.length !== 1) continue;
    const text = sortedText(shown[0]);
    const alike = waiting.get(text) ?? [];
    waiting.set(text, alike);
    alike.push(element);
  }
  const kept = now.map((element) => waiting.get(sortedText(element))?.pop() ?? element);
  return [...kept, ...hidden.toReversed()];
}

/**
 * How an element comes back when it goes through the form alone: one element, several, or none when no field shows it.
 */
function shownAlone(name: string, element: Json, projection: Projection): readonly Json[] {
  const { [name]: back }: JsonMembers = projection({ ...EMPTY_METADATA, [name]: [element] });
  return Array.isArray(back) ? back : [];
}

function same(left: Json | undefined, right: Json | undefined): boolean {
  return sortedText(left) === sortedText(right);
}
