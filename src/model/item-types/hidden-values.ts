// Writing through an interface that shows less never erases what it cannot show (R3): a value that the form left
// unchanged stays whole.

import type { Json } from "../../shared/json/json.ts";
import { alignInParts, textsOf } from "../../shared/json/list-alignment.ts";
import { isJsonObject } from "../../shared/json/read.ts";
import { sortedText } from "../../shared/json/sorted-text.ts";
import { mergeInParts } from "../../shared/json/three-way-merge.ts";
import { own } from "../../shared/objects.ts";
import { type InParts, runWithoutYielding } from "../../shared/time/event-loop.ts";
import { EMPTY_METADATA, type Metadata } from "../metadata/metadata.ts";

type JsonMembers = Readonly<Record<string, Json>>;

/** Metadata after a round trip through the form. */
type Projection = (metadata: Metadata) => InParts<Metadata>;

/**
 * The metadata a form made, with what the form cannot show taken from `previous`: members it shows unchanged whole;
 * what it cannot show of members and of elements of lists that were changed; elements it does not show at all; and
 * `custom` of other namespaces and of fields that the type no longer has.
 */
export function* keptFrom(previous: Metadata, built: Metadata, projection: Projection): InParts<Metadata> {
  const members = new Map<string, Json>(Object.entries(built));
  const old: JsonMembers = previous;
  const seen: JsonMembers = yield* projection(previous);
  for (const name of Object.keys(old)) {
    if (name === "custom") continue;
    yield;
    const [now, then] = [members.get(name), seen[name]];
    const before = old[name];
    if (before === undefined) continue;
    if (sortedText(now) === sortedText(then)) members.set(name, before);
    else if (Array.isArray(now) && Array.isArray(before)) {
      const list = { name, before, now, seen: Array.isArray(then) ? then : [] };
      members.set(name, yield* keptElements(list, projection));
    } else if (now !== undefined) members.set(name, applyEdit(then, now, before));
  }
  const shown = own(seen, "custom");
  const others = Object.entries(previous.custom).filter(
    ([key]) => !isJsonObject(shown) || own(shown, key) === undefined,
  );
  // Every member is of `built` or of `previous`, both of which are metadata.
  return { ...built, ...Object.fromEntries(members), custom: { ...Object.fromEntries(others), ...built.custom } };
}

/** What the form changed of what it showed, applied to what was behind it. */
const applyEdit = (shown: Json | undefined, now: Json, before: Json): Json =>
  runWithoutYielding(mergeInParts(shown, now, before, "mine")).value ?? now;

type EditedList = {
  readonly name: string;
  readonly before: readonly Json[];
  readonly now: readonly Json[];
  /** What the form showed of the list. */
  readonly seen: readonly Json[];
};

function* keptElements({ name, before, now, seen }: EditedList, projection: Projection): InParts<readonly Json[]> {
  // What the form shows whole need not go through it again: lists may have thousands of elements.
  const whole = new Set<string>();
  for (const element of seen) {
    whole.add(sortedText(element));
    yield;
  }
  const hidden: Json[] = [];
  const alone: { readonly element: Json; readonly shown: Json }[] = [];
  for (const element of before) {
    const [shown, ...more] = whole.has(sortedText(element)) ? [element] : yield* shownAlone(name, element, projection);
    yield;
    if (shown === undefined) hidden.push(element);
    else if (more.length === 0) alone.push({ element, shown });
  }
  const kept = [...now];
  const shown = alone.map((each) => each.shown);
  for (const [index, to] of (yield* alignInParts(shown, now, textsOf())).entries()) {
    yield;
    const [edited, known] = [now[to], alone[index]];
    if (edited !== undefined && known !== undefined) kept[to] = applyEdit(known.shown, edited, known.element);
  }
  return [...kept, ...hidden];
}

/**
 * How an element comes back when it goes through the form alone: one element, several, or none when no field shows it.
 */
function* shownAlone(name: string, element: Json, projection: Projection): InParts<readonly Json[]> {
  const { [name]: back }: JsonMembers = yield* projection({ ...EMPTY_METADATA, [name]: [element] });
  return Array.isArray(back) ? back : [];
}
