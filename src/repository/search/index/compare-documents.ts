// Whether a search index matches the database (R34; `arkstone search verify`): each document is made again and compared
// by its digest. What changes meanwhile does not count: differences are checked again when the index has had time to
// follow.
import type { ItemId, ParentId } from "../../../shared/ids.ts";
import type { ItemReader } from "../../store/items.ts";
import type { DocumentReading } from "../document/document-reading.ts";
import type { SearchIndex } from "./index-port.ts";

/**
 * `missing`: in the database alone; `left over`: in the index alone; `other`: what the index holds is made of something
 * else.
 */
export type Difference = {
  readonly item: ItemId;
  /** Null where the database has no such item. */
  readonly parent: ParentId | null;
  readonly kind: "missing" | "left over" | "other";
};

export type VerifyNeeds = {
  readonly items: Pick<ItemReader, "itemsAfter">;
  readonly reading: DocumentReading;
  readonly index: Pick<SearchIndex, "digests">;
};

/** Items that are checked together. */
const PAGE = 500;

/** Differences page by page, with the last item of the page; Infinity: everything was checked. */
export async function* differences({
  items,
  reading,
  index,
}: VerifyNeeds): AsyncGenerator<{ readonly found: readonly Difference[]; readonly upTo: number }> {
  for (let after = -1; Number.isFinite(after); ) {
    const there = await items.itemsAfter(after, PAGE);
    const upTo = there.length < PAGE ? Number.POSITIVE_INFINITY : (there.at(-1)?.item ?? Number.POSITIVE_INFINITY);
    const held = await heldBetween(index, after, upTo);
    const wanted = new Map<number, string>();
    for await (const { documents } of reading.slices([...new Set(there.map(({ parent }) => parent))])) {
      for (const { id, digest } of documents) if (id > after && id <= upTo) wanted.set(id, digest);
    }
    const parents = new Map(there.map(({ item, parent }) => [item, parent] as const));
    yield { found: compare(wanted, held, parents), upTo };
    after = upTo;
  }
}

/** Those of the differences that are still there: each item is checked again. */
export async function remaining(
  { reading, index }: Omit<VerifyNeeds, "items">,
  found: readonly Difference[],
): Promise<readonly Difference[]> {
  const left: Difference[] = [];
  for (const { item, parent } of found) {
    const [held] = await index.digests(item - 1, 1);
    const own = held?.id === item ? held : undefined;
    const parents = [...new Set([parent, own?.parentId ?? null])].filter((id) => id !== null);
    const document = (await reading.of(parents)).find(({ id }) => id === item);
    const wanted = new Map(document === undefined ? [] : [[item, document.digest] as const]);
    const has = new Map(own === undefined ? [] : [[item, own.digest] as const]);
    left.push(...compare(wanted, has, new Map(parent === null ? [] : [[item, parent] as const])));
  }
  return left;
}

async function heldBetween(
  index: Pick<SearchIndex, "digests">,
  after: ItemId,
  upTo: number,
): Promise<ReadonlyMap<number, string>> {
  const held = new Map<number, string>();
  for (let from = after; ; ) {
    const page = await index.digests(from, PAGE);
    for (const { id, digest } of page) if (id <= upTo) held.set(id, digest);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || last.id >= upTo) return held;
    from = last.id;
  }
}

function compare(
  wanted: ReadonlyMap<number, string>,
  held: ReadonlyMap<number, string>,
  parents: ReadonlyMap<ItemId, ParentId>,
): readonly Difference[] {
  const all = [...new Set([...wanted.keys(), ...held.keys()])].sort((a, b) => a - b);
  return all.flatMap((item): readonly Difference[] => {
    const [want, have] = [wanted.get(item), held.get(item)];
    if (want === have) return [];
    const kind = have === undefined ? "missing" : want === undefined ? "left over" : "other";
    return [{ item, parent: parents.get(item) ?? null, kind }];
  });
}
