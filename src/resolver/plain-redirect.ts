// The one question of a plain redirect: where does this exact name lead, with nothing to decide about it? Asked by the fast path, which has the
// URL of a request, and by the fast lane, which has its path (docs/fast-lane.md).
import type { ResolutionTable } from "./table.ts";

/** The name is all of `text` from `from` on. Null for every name that needs a closer look. */
export function plainRedirect(table: ResolutionTable, text: string, from: number): string | null {
  const location = table.plainTarget(text, from);
  if (location === null) return null;
  return table.hasHeldNaans && table.isHeldNaan(text.slice(from, text.indexOf("/", from))) ? null : location;
}
