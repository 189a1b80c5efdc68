// Which version of a thing is the latest that a viewer may read (R2a, R2d, R2h): a newer one that the viewer may not read does not exist for the viewer.
import type { Viewer } from "../../auth/account.ts";
import { mayReadRecord, type RecordFacts } from "../../model/access/visibility.ts";
import type { IndexOutline } from "../../model/indexes/index-node.ts";
import type { ItemOutline, WithParent } from "../../model/items/item.ts";
import type { Day } from "../../shared/time/day.ts";
import type { ItemReader } from "../store/items.ts";
import { factsWith } from "./access-facts.ts";

type Version = WithParent<ItemOutline>;

/** Versions that are read at once. */
const AT_ONCE = 1_000;

/** The published versions of these parents, lowest first. */
export async function publishedVersions(
  items: Pick<ItemReader, "versionSizes" | "outlines">,
  parents: readonly number[],
): Promise<ReadonlyMap<number, readonly Version[]>> {
  const versions = new Map<number, Version[]>(parents.map((parent) => [parent, []]));
  if (parents.length === 0) return versions;
  const ids = (await items.versionSizes(parents)).map(({ item }) => item);
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    for (const version of await items.outlines(ids.slice(start, start + AT_ONCE))) {
      if (version.item.state === "published") versions.get(version.parent.id)?.push(version);
    }
  }
  return versions;
}

export const factsIn = (
  { item, parent }: Version,
  lineageOf: (index: number) => readonly IndexOutline[],
): RecordFacts => factsWith(item, item.content, parent, (item.content?.indexes ?? []).map(lineageOf));

/** The number of the latest of these versions that the viewer may read; null: there is none. */
export function latestReadable(
  versions: readonly Version[],
  viewer: Viewer,
  today: Day,
  lineageOf: (index: number) => readonly IndexOutline[],
): number | null {
  return versions.findLast((version) => mayReadRecord(viewer, factsIn(version, lineageOf), today))?.item.id ?? null;
}
