// References to an index that is about to be deleted (R16a): the caller receives them, for a deleted default counts as
// not set.
import type { IndexId } from "../../shared/ids.ts";
import type { RepositoryReader } from "../store/store.ts";

/** At most this many references are listed; more are counted. */
const LISTED_MAX = 20;

/** Client records, workflows, communities and settings that name one of these indexes, as people call them. */
export async function namedBy(
  { settings, communities }: Pick<RepositoryReader, "settings" | "communities">,
  indexIds: readonly IndexId[],
  defaultIndex: IndexId | null,
): Promise<readonly string[]> {
  const gone = new Set(indexIds);
  const isGone = (id: IndexId | null): boolean => id !== null && gone.has(id);
  const named = [
    ...(isGone(defaultIndex) ? ["SVC_DEFAULT_INDEX"] : []),
    ...(await settings.workflows())
      .filter(({ index, deleted }) => !deleted && isGone(index))
      .map(({ id }) => `workflow ${id}`),
    ...(await communities.communities())
      .filter(({ rootIndex }) => isGone(rootIndex))
      .map(({ slug }) => `community ${slug}`),
    ...(await settings.clientSettings())
      .filter((setting) => isGone(setting.defaultIndex))
      .map(({ clientId }) => `client record ${clientId}`),
  ];
  const more = named.length - LISTED_MAX;
  return more > 0 ? [...named.slice(0, LISTED_MAX), `${more} more`] : named;
}

/** The same as one sentence; null where nothing names it. */
export function stillNamed(named: readonly string[]): string | null {
  return named.length === 0 ? null : `Still named by ${named.join(", ")}: there it counts as not set`;
}
