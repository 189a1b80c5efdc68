// What names an index as its own when it goes away (R16a): whoever deletes it hears of it, for defaults that are gone count as not set.
import type { RepositoryReader } from "../store/store.ts";

/** Of so many each is told; more are counted. */
const NAMED_TOLD = 20;

/** Client records, workflows, communities and settings that name one of these indexes, as people call them. */
export async function namedBy(
  { settings, communities }: Pick<RepositoryReader, "settings" | "communities">,
  indexIds: readonly number[],
  defaultIndex: number | null,
): Promise<readonly string[]> {
  const gone = new Set(indexIds);
  const isGone = (id: number | null): boolean => id !== null && gone.has(id);
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
  const more = named.length - NAMED_TOLD;
  return more > 0 ? [...named.slice(0, NAMED_TOLD), `${more} more`] : named;
}

/** The same as one sentence; null where nothing names it. */
export function stillNamed(named: readonly string[]): string | null {
  return named.length === 0 ? null : `Still named by ${named.join(", ")}: there it counts as not set`;
}
