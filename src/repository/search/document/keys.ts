// Keys by which values are found exactly (R28): digests, so that an engine's own ideas of equality, of case and of what
// is a word never matter.

import { sha256Hex } from "../../../shared/hash/digests.ts";
import type { InParts } from "../../../shared/time/event-loop.ts";
import type { Key } from "./document.ts";

/** 128 bits: no two values are ever taken for one. */
const DIGITS = 32;
/** Values that come again and again, such as languages and subjects, are digested once in a while. */
const KEPT = 20_000;
const KEPT_CHARACTERS = 100;
const kept = new Map<string, Key>();
/** Most are one value, which is known without being written out. */
const keptAlone = new Map<string, Key>();

/** The key of a value, or of values that belong together; equal texts, byte by byte, have equal keys. */
export function keyOf(...values: readonly string[]): Key {
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return keyIn(keptAlone, only, () => written(values));
  const text = written(values);
  return keyIn(kept, text, () => text);
}

const written = (values: readonly string[]): string => JSON.stringify(values.map((value) => value.toWellFormed()));

function keyIn(known: Map<string, Key>, name: string, text: () => string): Key {
  const found = known.get(name);
  if (found !== undefined) return found;
  const key = sha256Hex(text()).slice(0, DIGITS);
  if (name.length <= KEPT_CHARACTERS) {
    if (known.size >= KEPT) known.clear();
    known.set(name, key);
  }
  return key;
}

/** Characters of a facet's value: what is longer is shown, counted and chosen by its beginning. */
const LABEL_CHARACTERS = 500;

/** The words under which a facet shows a value. */
export const labelOf = (value: string): string => value.slice(0, LABEL_CHARACTERS).toWellFormed();

/**
 * The key of a facet's value, by which it is counted, and chosen where a parameter gives the value (rule 8: exact
 * equality).
 */
export const facetKey = (value: string): Key => keyOf(labelOf(value));

/** A number is a key as it is. */
export const numberKey = (id: number): Key => String(id);

/**
 * Tells documents apart that differ in anything; made for speed, not against forgery: both documents would belong to
 * the same depositor.
 */
export function* documentDigest(content: unknown): InParts<string> {
  const text = JSON.stringify(content);
  yield;
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x5f356495);
    low ^= low >>> 15;
    high ^= high >>> 13;
  }
  return [low ^ (high >>> 16), high ^ (low >>> 16)].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
