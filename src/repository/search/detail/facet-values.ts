// Values of facets as their readers may know them (R28, R2h): indexes and communities are counted by number and UUID,
// and named here; those that the reader may not see are left out.
import type { Viewer } from "../../../auth/account.ts";
import { mayBrowseIndex } from "../../../model/access/visibility.ts";
import { maySeeCommunity } from "../../../model/rights/community-rights.ts";
import type { Day } from "../../../shared/time/day.ts";
import type { RepositoryReader } from "../../store/store.ts";
import type { FacetCount } from "../index/index-port.ts";
import type { Parameters } from "../query/parameters.ts";
import { facetField } from "../settings/search-schema.ts";
import type { FacetItem, SearchSettings } from "../settings/settings.ts";
import { RECORD_FACETS } from "./record-schema.ts";

type Names = { readonly en: string; readonly ja: string };

export type FacetValue = {
  readonly value: string;
  readonly count: number;
  /** Null: the value is what it is called. */
  readonly names: Names | null;
};

type FacetValuesNeeds = {
  readonly store: Pick<RepositoryReader, "indexes" | "communities">;
  readonly today: () => Day;
};

export type CountedFacet = { readonly item: FacetItem; readonly counts: readonly FacetCount[] };

/** Values that were chosen are named, too, where nothing has them: at most this number. */
const CHOSEN = 100;
const NUMBER = /^[1-9]\d{0,14}$/;

export interface FacetValues {
  /** In the order of the counts, chosen values without hits at the end. */
  of(
    viewer: Viewer,
    facets: readonly CountedFacet[],
    chosenOf?: (item: FacetItem) => readonly string[],
  ): Promise<readonly (readonly FacetValue[])[]>;
  /** What is searched for: by an index or a community that the viewer may not see, nothing is found (R2h). */
  searched(viewer: Viewer, parameters: Parameters, settings: Pick<SearchSettings, "facets">): Promise<Parameters>;
}

/** Parameters that are numbers of indexes, as item search and OpenSearch name them. */
const INDEX_PARAMETERS: readonly string[] = ["iid", "Iid"];
/** No index and no community. */
const NOWHERE = "0";

/** At most one statement for indexes, and one for communities; of what is searched for, one for each parameter. */
export function facetValues({ store, today }: FacetValuesNeeds): FacetValues {
  type Named = ReadonlyMap<string, Names>;

  async function indexes(viewer: Viewer, values: readonly string[]): Promise<Named> {
    const lineages = await store.indexes.lineages(values.filter((value) => NUMBER.test(value)).map(Number));
    const day = today();
    const visible = [...lineages].filter(([, lineage]) => mayBrowseIndex(viewer, lineage, day));
    return new Map(
      visible.map(([id, lineage]) => {
        const path = [...lineage].reverse();
        const en = path.map(({ indexName, indexNameEnglish }) => indexNameEnglish || indexName);
        const ja = path.map(({ indexName, indexNameEnglish }) => indexName || indexNameEnglish);
        return [String(id), { en: en.join(BELOW), ja: ja.join(BELOW) }];
      }),
    );
  }

  async function communities(viewer: Viewer, values: readonly string[]): Promise<Named> {
    const visible = (await store.communities.communitiesOf(values)).filter((each) => maySeeCommunity(viewer, each));
    return new Map(visible.map(({ id, title: { en, ja } }) => [id, { en: en || ja, ja: ja || en }]));
  }

  const NAMING: Readonly<Record<string, (viewer: Viewer, values: readonly string[]) => Promise<Named>>> = {
    [RECORD_FACETS.index]: indexes,
    [RECORD_FACETS.community]: communities,
  };

  return {
    of: (viewer, facets, chosenOf = () => []) =>
      Promise.all(
        facets.map(async ({ item, counts }): Promise<readonly FacetValue[]> => {
          const counted = new Set(counts.map(({ label }) => label));
          const chosen = new Set(chosenOf(item).slice(0, CHOSEN));
          const all = [
            ...counts.map(({ label: value, count }) => ({ value, count })),
            ...[...chosen].filter((value) => !counted.has(value)).map((value) => ({ value, count: 0 })),
          ];
          const naming = NAMING[facetField(item)];
          if (naming === undefined || all.length === 0) return all.map((each) => ({ ...each, names: null }));
          const named = await naming(
            viewer,
            all.map(({ value }) => value),
          );
          return all.flatMap((each): readonly FacetValue[] => {
            const names = named.get(each.value) ?? null;
            if (names !== null) return [{ ...each, names }];
            return chosen.has(each.value) ? [{ value: each.value, count: 0, names }] : [];
          });
        }),
      ),

    async searched(viewer, parameters, { facets }) {
      const places = [
        ...INDEX_PARAMETERS.map((name) => [name, indexes] as const),
        ...facets.flatMap((item) => {
          const naming = NAMING[facetField(item)];
          return naming === undefined ? [] : [[item.name.en, naming] as const];
        }),
      ].filter(([name]) => parameters.has(name));
      const changed = new Map(parameters);
      for (const [name, naming] of places) {
        const values = parameters.get(name) ?? [];
        const visible = await naming(
          viewer,
          values.map((value) => value.trim()),
        );
        changed.set(
          name,
          values.map((value) => (visible.has(value.trim()) ? value : NOWHERE)),
        );
      }
      return changed;
    },
  };
}
/** Between an index and the one below it. */
const BELOW = " › ";

/** Facets as programs read them, by their English names. */
export async function aggregationsFor(
  values: FacetValues,
  viewer: Viewer,
  facets: readonly CountedFacet[],
): Promise<Readonly<Record<string, { readonly buckets: { key: string; doc_count: number }[] }>>> {
  const all = await values.of(viewer, facets);
  return Object.fromEntries(
    facets.map(({ item }, at) => [
      item.name.en,
      { buckets: (all[at] ?? []).map(({ value: key, count }) => ({ key, doc_count: count })) },
    ]),
  );
}
