// The indexes that somebody may file into (R2e, R2h, R24), by name and in the order of the tree, for forms. The tree is
// read again when it has changed.
import type { Viewer } from "../../auth/account.ts";
import { type IndexGate, mayBrowseIndex } from "../../model/access/visibility.ts";
import { type IndexNode, ROOT_INDEX } from "../../model/indexes/index-node.ts";
import { may } from "../../model/rights/policy.ts";
import type { IndexId } from "../../shared/ids.ts";
import { normalForm } from "../../shared/text/text.ts";
import type { Day } from "../../shared/time/day.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { RepositoryReader } from "../store/store.ts";

/** `name`: the names from the top of the tree, as far as the viewer may know them. */
type IndexChoice = { readonly id: IndexId; readonly name: { readonly en: string; readonly ja: string } };

type Node = IndexGate & Pick<IndexNode, "indexName" | "indexNameEnglish">;
type Tree = { readonly revision: number; readonly nodes: ReadonlyMap<IndexId, Node>; readonly order: readonly Node[] };

/** Indexes that a form offers at once; of more it offers the chosen ones and a search. */
const OFFERED = 60;
const PAGE_INDEXES = 1_000;
/** Indexes that are checked between two pauses. */
const AT_ONCE = 2_000;

/** `fixed`: chosen ones that the viewer knows and may not file into. */
export type IndexChoices = {
  readonly choices: readonly IndexChoice[];
  readonly fixed: readonly IndexChoice[];
  readonly hasMore: boolean;
};

export interface FilingChoices {
  /** The chosen ones where the viewer may file, and what was sought, or if there are few all. */
  choices(viewer: Viewer, chosen: readonly IndexId[], sought: string): Promise<IndexChoices>;
}

export const filingChoices = (needs: {
  readonly store: Pick<RepositoryReader, "indexes">;
  readonly today: () => Day;
}): FilingChoices => {
  let kept: Tree | null = null;

  async function currentTree(): Promise<Tree> {
    const revision = await needs.store.indexes.treeRevision();
    if (kept?.revision !== revision) kept = await readTree(needs.store, revision);
    return kept;
  }

  return {
    async choices(viewer, chosen, sought) {
      const { nodes, order } = await currentTree();
      const words = folded(sought.trim());
      const found: Node[] = [];
      for (const [at, node] of order.entries()) {
        if (at % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop();
        if (chosen.includes(node.id) || (words !== "" && !isNamed(node, words))) continue;
        if (may(viewer, "item.file", lineageIn(nodes, node))) found.push(node);
        if (found.length > OFFERED) break;
      }
      const hasMore = found.length > OFFERED;
      const own = chosen.flatMap((id) => nodes.get(id) ?? []);
      const today = needs.today();
      const mayFile = (node: Node): boolean => may(viewer, "item.file", lineageIn(nodes, node));
      const offered = hasMore && words === "" ? [] : found.slice(0, OFFERED);
      const fixed = own.filter((node) => !mayFile(node) && mayBrowseIndex(viewer, lineageIn(nodes, node), today));
      const named = (all: readonly Node[]) => all.map((node) => choiceOf(nodes, node, viewer, today));
      return { choices: named([...own.filter(mayFile), ...offered]), fixed: named(fixed), hasMore };
    },
  };
};

const folded = (text: string): string => normalForm(text, "NFKC").toLowerCase();
const isNamed = ({ indexName, indexNameEnglish }: Node, words: string): boolean =>
  folded(indexName).includes(words) || folded(indexNameEnglish).includes(words);

/** An index and those above it. A circle ends after as many steps as there are indexes. */
function lineageIn(nodes: Tree["nodes"], node: Node): readonly Node[] {
  const lineage: Node[] = [];
  let at: Node | undefined = node;
  for (; at !== undefined && lineage.length <= nodes.size; at = nodes.get(at.parent)) lineage.push(at);
  return lineage;
}

const BETWEEN = " › ";

function choiceOf(nodes: Tree["nodes"], node: Node, viewer: Viewer, today: Day): IndexChoice {
  const [, ...above] = lineageIn(nodes, node);
  const known = above.filter((each) => {
    const lineage = lineageIn(nodes, each);
    return mayBrowseIndex(viewer, lineage, today) || may(viewer, "item.file", lineage);
  });
  const way = [...known.reverse(), node];
  return {
    id: node.id,
    name: {
      en: way.map((each) => each.indexNameEnglish || each.indexName).join(BETWEEN),
      ja: way.map((each) => each.indexName || each.indexNameEnglish).join(BETWEEN),
    },
  };
}

async function readTree({ indexes }: Pick<RepositoryReader, "indexes">, revision: number): Promise<Tree> {
  const nodes = new Map<IndexId, Node>();
  const children = new Map<IndexId, Node[]>();
  for (let after: IndexId = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await indexes.indexesAfter(after, PAGE_INDEXES);
    for (const node of page) {
      const kept = nodeOf(node);
      nodes.set(node.id, kept);
      const siblings = children.get(node.parent) ?? [];
      siblings.push(kept);
      children.set(node.parent, siblings);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_INDEXES) break;
    after = last.id;
  }
  return { revision, nodes, order: inOrder(children) };
}

/** What choices are made from: a node has much more. */
const nodeOf = (node: IndexNode): Node => ({
  ...{ id: node.id, parent: node.parent, position: node.position, publicState: node.publicState },
  ...{ publicDate: node.publicDate, browsingRole: node.browsingRole, browsingGroup: node.browsingGroup },
  ...{ contributeRole: node.contributeRole, contributeGroup: node.contributeGroup },
  ...{ indexName: node.indexName, indexNameEnglish: node.indexNameEnglish },
});

/** Each index before those below it, siblings by their position. */
function inOrder(children: ReadonlyMap<IndexId, Node[]>): readonly Node[] {
  const order: Node[] = [];
  const siblingsOf = (id: IndexId): Node[] =>
    (children.get(id) ?? []).sort((one, other) => other.position - one.position || other.id - one.id);
  const waiting = siblingsOf(ROOT_INDEX);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    order.push(node);
    for (const each of siblingsOf(node.id)) waiting.push(each);
  }
  return order;
}
