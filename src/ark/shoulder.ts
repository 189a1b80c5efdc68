// Shoulders: how they are written, and which one a name belongs to (decision A6).
import { parseNaan } from "./syntax.ts";

const SHOULDER = /^[bcdfghjkmnpqrstvwxz]+[0-9]$/;
const IMPORT_ONLY_SHOULDER = /^(?:[A-Za-z0-9=~*+@_$./]|%[0-9A-F]{2})*$/;

/** True for one or more betanumeric consonants that end in the first digit (`x5`, `fk4`). */
export function isShoulder(text: string): boolean {
  return SHOULDER.test(text) && text.length <= 32;
}

/** Import-only shoulders may be any string of name characters, also empty: all other names of the NAAN. */
export function isImportOnlyShoulder(text: string): boolean {
  return IMPORT_ONLY_SHOULDER.test(text) && text.length <= 64;
}

/** A shoulder as a request names it: `b1`, `/b1`, `99999/b1`, `ark:99999/b1`, `ark:/99999/b1`. `naan` is null where none was given. */
export function readShoulder(text: string): { readonly naan: string | null; readonly shoulder: string } | null {
  const inner = text.trim().replace(/^ark:\/*/i, "");
  const slash = inner.indexOf("/");
  if (slash <= 0) return { naan: null, shoulder: inner.replace(/^\//, "") };
  const naan = parseNaan(inner.slice(0, slash));
  return naan === null ? null : { naan, shoulder: inner.slice(slash + 1) };
}

/** The shoulder of a name of its NAAN: the longest one that the name begins with; null when there is none. */
export function shoulderOfName<S extends { readonly shoulder: string }>(
  name: string,
  shoulders: Iterable<S>,
): S | null {
  let best: S | null = null;
  for (const candidate of shoulders) {
    if (!name.startsWith(candidate.shoulder)) continue;
    if (best === null || candidate.shoulder.length > best.shoulder.length) best = candidate;
  }
  return best;
}
