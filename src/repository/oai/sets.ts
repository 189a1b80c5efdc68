// The sets of the repository (R36): an index that guests may browse and that is harvested, with everything below it,
// and a public community.

import { type IndexNode, ROOT_INDEX } from "../../model/indexes/index-node.ts";
import type { IndexId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { RepositoryReader } from "../store/store.ts";
import { communitySet, type HarvestedIndex, indexSet, isHarvested } from "./guest-view.ts";

export type OaiSet = { readonly spec: string; readonly en: string; readonly ja: string; readonly description: string };

/** Indexes read at once while the tree is walked. */
const INDEXES_AT_ONCE = 2_000;

type SetIndex = HarvestedIndex & Pick<IndexNode, "indexName" | "indexNameEnglish" | "comment">;

/** An index and its ancestors, as far as they are there; a tree that goes round in a circle has no way up. */
function lineageIn(nodes: ReadonlyMap<IndexId, SetIndex>, id: IndexId): readonly SetIndex[] {
  const lineage: SetIndex[] = [];
  const seen = new Set<number>();
  for (let at = id; at !== ROOT_INDEX; ) {
    const node = nodes.get(at);
    if (node === undefined || seen.has(at)) return [];
    seen.add(at);
    lineage.push(node);
    at = node.parent;
  }
  return lineage;
}

async function indexSets({ indexes }: Pick<RepositoryReader, "indexes">, today: Day): Promise<readonly OaiSet[]> {
  const nodes = new Map<number, SetIndex>();
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await indexes.indexesAfter(after, INDEXES_AT_ONCE);
    for (const node of page) nodes.set(node.id, node);
    const last = page.at(-1);
    if (last === undefined || page.length < INDEXES_AT_ONCE) break;
    after = last.id;
  }
  return [...nodes.values()]
    .filter(({ id }) => isHarvested(lineageIn(nodes, id), today))
    .map(({ id, indexName, indexNameEnglish, comment }) => ({
      spec: indexSet(id),
      en: indexNameEnglish,
      ja: indexName,
      description: comment,
    }));
}

/**
 * The two kinds of sets are sets themselves: a set contains the records of the sets below it (OAI-PMH 2.0 section 2.6).
 */
const KINDS: readonly OaiSet[] = [
  { spec: "index", en: "Index tree", ja: "インデックスツリー", description: "" },
  { spec: "community", en: "Communities", ja: "コミュニティ", description: "" },
];

/** All sets in their order: the two kinds, indexes by number, then communities by slug. */
export async function readSets(
  reader: Pick<RepositoryReader, "indexes" | "communities">,
  today: Day,
): Promise<readonly OaiSet[]> {
  const communities = (await reader.communities.communities()).filter(({ visibility }) => visibility === "public");
  return [
    ...KINDS,
    ...(await indexSets(reader, today)),
    ...communities.map(({ slug, title }) => ({ spec: communitySet(slug), ...title, description: "" })),
  ];
}

/** Both languages in the one name that a set has. */
export function setName({ spec, en, ja }: OaiSet): string {
  const names = [...new Set([en.trim(), ja.trim()])].filter((name) => name !== "");
  return names.length === 0 ? spec : names.join(" / ");
}
