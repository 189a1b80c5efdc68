// Redirects with nothing to decide about them: where this exact name leads, asked by the fast path, which has the URL
// of a request, and by the fast lane, which has its bytes (docs/fast-lane.md); and where a name leads with a suffix
// passed through (A32), asked by the fast lane alone.
import { NAME_MAX_BYTES } from "../ark/syntax.ts";
import { mayLeadToArk } from "../ark/target.ts";
import { targetOf } from "./resolve.ts";
import { type ByteRoom, isPlainEntry, type ResolutionTable } from "./table.ts";

const SLASH = 47;
/**
 * A NAAN, a name and something behind it, in characters that are their own normal form (A1): no hyphen, which is left
 * out of names, no percent, no two structural characters together, none at the end.
 */
const WITH_SUFFIX = /^[A-Za-z0-9]+\/[\w~:=+*@$]+(?:[/.][\w~:=+*@$]+)+$/;

/** The name is all of `text` from `from` on. Null for every name that needs a closer look. */
export function plainRedirect(table: ResolutionTable, text: string, from: number): string | null {
  const location = table.plainTarget(text, from);
  if (location === null) return null;
  return isHeld(table, text, from) ? null : location;
}

/**
 * Where `naan/name` with something behind it leads, when the nearest name that counts is a plain redirect and the
 * suffix is passed through as it is (A32). Null for all that needs a closer look, and for a name with its own record.
 * `withReserved`: as for `nearest` of the table.
 */
export function passedThrough(table: ResolutionTable, key: string, withReserved: boolean): string | null {
  if (key.length > NAME_MAX_BYTES || !WITH_SUFFIX.test(key)) return null;
  const found = table.nearest(key, withReserved);
  if (found === null || found.length === key.length || !isPlainEntry(found.entry) || isHeld(table, key, 0)) return null;
  const location = targetOf(found.entry, key.slice(found.length));
  return mayLeadToArk(location) ? null : location;
}

function isHeld(table: ResolutionTable, text: string, from: number): boolean {
  return table.hasHeldNaans && table.isHeldNaan(text.slice(from, text.indexOf("/", from)));
}

/**
 * The same question as `plainRedirect`, with bytes of ASCII: the name is all of them from `from` to `to`. After a false
 * the room is as before.
 */
export function writePlainRedirect(
  table: ResolutionTable,
  bytes: Uint8Array,
  from: number,
  to: number,
  room: ByteRoom,
): boolean {
  const begin = room.at;
  if (!table.writePlainTarget(bytes, from, to, room)) return false;
  if (!table.hasHeldNaans) return true;
  const isFree = !table.isHeldNaan(String.fromCharCode(...bytes.subarray(from, bytes.indexOf(SLASH, from))));
  if (!isFree) room.at = begin;
  return isFree;
}
