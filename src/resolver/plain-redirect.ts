// The one question of a plain redirect: where does this exact name lead, with nothing to decide about it? Asked by the fast path, which has the
// URL of a request, and by the fast lane, which has its octets (docs/fast-lane.md).
import type { OctetRoom, ResolutionTable } from "./table.ts";

const SLASH = 47;

/** The name is all of `text` from `from` on. Null for every name that needs a closer look. */
export function plainRedirect(table: ResolutionTable, text: string, from: number): string | null {
  const location = table.plainTarget(text, from);
  if (location === null) return null;
  return table.hasHeldNaans && table.isHeldNaan(text.slice(from, text.indexOf("/", from))) ? null : location;
}

/** The same with octets of ASCII: the name is all of them from `from` to `to`. What is in the room after a false is of no use. */
export function writePlainRedirect(
  table: ResolutionTable,
  octets: Uint8Array,
  from: number,
  to: number,
  room: OctetRoom,
): boolean {
  if (!table.writePlainTarget(octets, from, to, room)) return false;
  if (!table.hasHeldNaans) return true;
  return !table.isHeldNaan(String.fromCharCode(...octets.subarray(from, octets.indexOf(SLASH, from))));
}
