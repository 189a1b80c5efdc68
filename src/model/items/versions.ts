// The versions of one record (R2a, R2b, R2c): which is the latest, and what replaces what.
import type { ItemId } from "../../shared/ids.ts";
import type { Item } from "./item.ts";

type Version = Pick<Item, "id" | "versionIndex" | "state">;

/** The published, undeleted version with the highest index; null before publication. */
export function latestOf<V extends Version>(versions: readonly V[]): V | null {
  return versions
    .filter((version) => version.state === "published")
    .reduce<V | null>((best, each) => (best === null || each.versionIndex > best.versionIndex ? each : best), null);
}

/**
 * The published versions before and after this one: `dcterms:replaces` and `dcterms:isReplacedBy` of its links (R2b).
 */
export function neighboursOf(
  versions: readonly Version[],
  id: ItemId,
): { readonly replaces: ItemId | null; readonly isReplacedBy: ItemId | null } {
  const own = versions.find((version) => version.id === id);
  const others = versions.filter((version) => version.state === "published" && version.id !== id);
  if (own === undefined) return { replaces: null, isReplacedBy: null };
  const before = latestOf(others.filter((version) => version.versionIndex < own.versionIndex));
  const after = others
    .filter((version) => version.versionIndex > own.versionIndex)
    .reduce<Version | null>(
      (best, each) => (best === null || each.versionIndex < best.versionIndex ? each : best),
      null,
    );
  return { replaces: before?.id ?? null, isReplacedBy: after?.id ?? null };
}
