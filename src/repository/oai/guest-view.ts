// What guests see of a record (R36, R2d, R24): the latest version they may read that is harvested, how open it is, and
// the sets it is in. Decided from facts alone.
import { GUEST } from "../../auth/account.ts";
import { type AccessStatus, accessStatus } from "../../model/access/openness.ts";
import { type IndexGate, mayBrowseIndex, mayReadRecord, type RecordFacts } from "../../model/access/visibility.ts";
import type { IndexNode } from "../../model/indexes/index-node.ts";
import type { IndexId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { HarvestedParent, HarvestRecord, PublishedVersion } from "../store/harvest.ts";

/** The properties of an index that decide who sees the items in it, and whether they are harvested. */
export type HarvestedIndex = IndexGate & Pick<IndexNode, "harvestPublicState">;

/** By index: itself and its ancestors, nearest first. */
export type HarvestedLineages = ReadonlyMap<number, readonly HarvestedIndex[]>;

export type GuestView = {
  readonly version: PublishedVersion;
  readonly accessStatus: AccessStatus;
  /** Sorted, each once. */
  readonly sets: readonly string[];
  /** The versions before and after it that guests may read. */
  readonly replaces: number | null;
  readonly isReplacedBy: number | null;
};

export const indexSet = (id: IndexId): string => `index:${id}`;
const COMMUNITY = "community:";
export const communitySet = (slug: string): string => COMMUNITY + slug;

/** Guests may browse it, and it and all indexes above it allow harvesting (R24). */
export function isHarvested(lineage: readonly HarvestedIndex[], today: Day): boolean {
  return mayBrowseIndex(GUEST, lineage, today) && lineage.every(({ harvestPublicState }) => harvestPublicState);
}

/** Facts of a published version that make nobody privileged. */
export function factsOfGuest(access: RecordFacts["access"], lineages: RecordFacts["lineages"] = []): RecordFacts {
  return { state: "published", access, lineages, owner: 0, shared: [], communities: [] };
}

/** Slugs of the communities whose record it is. */
export const slugsOf = ({ sets }: Pick<GuestView, "sets">): readonly string[] =>
  sets.filter((set) => set.startsWith(COMMUNITY)).map((set) => set.slice(COMMUNITY.length));

/**
 * Null where guests see no version of it, or none that is harvested. `state` "deleted": what they would see of versions
 * that were deleted, were they there still.
 */
export function guestView(
  parent: HarvestedParent,
  known: HarvestedLineages,
  today: Day,
  state: PublishedVersion["state"] = "published",
): GuestView | null {
  const lineagesOf = ({ indexes }: PublishedVersion) => indexes.map((id) => known.get(id) ?? []);
  const readable = parent.versions.filter(
    (version) =>
      version.state === state && mayReadRecord(GUEST, factsOfGuest(version.access, lineagesOf(version)), today),
  );
  for (const [at, version] of readable.entries()) {
    const lineages = lineagesOf(version);
    const harvested = lineages.filter((lineage) => isHarvested(lineage, today));
    if (lineages.length > 0 && harvested.length === 0) continue;
    const indexes = harvested.flatMap((lineage) => lineage.map(({ id }) => indexSet(id)));
    return {
      version,
      accessStatus: accessStatus({ access: version.access, files: version.files }, today),
      sets: [...new Set([...indexes, ...parent.communities.map(communitySet)])].sort(),
      // Newest first.
      replaces: readable[at + 1]?.id ?? null,
      isReplacedBy: readable[at - 1]?.id ?? null,
    };
  }
  return null;
}

/** Whether a record states what guests see, whatever the content of the version; null: they see nothing. */
export function agrees(record: HarvestRecord, view: GuestView | null): boolean {
  if (view === null) return record.state === "deleted";
  return record.state === "shown" && record.revision === view.version.revision && looksAlike(record, view);
}

/** The same for everything that does not depend on the revision. */
export function looksAlike(record: HarvestRecord, { version, accessStatus: status, sets }: GuestView): boolean {
  return (
    record.itemId === version.id &&
    record.ark === version.ark &&
    record.accessStatus === status &&
    record.sets.join(" ") === sets.join(" ")
  );
}
