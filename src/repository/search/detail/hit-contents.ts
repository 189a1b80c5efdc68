// The contents of hits, read after they were found readable (R34): each at the checked revision, for a later one may be
// hidden.

import { sizeSlices } from "../../../model/files/size-slices.ts";
import type { Item, ItemContent, ItemOutline, WithParent } from "../../../model/items/item.ts";
import { EMPTY_METADATA } from "../../../model/metadata/metadata.ts";
import { yieldToEventLoop } from "../../../shared/time/event-loop.ts";
import type { ItemReader } from "../../store/items.ts";
import type { SearchPage } from "../query/find.ts";

export type HitContent = WithParent<ItemOutline> & { readonly content: ItemContent };

/** Hits that are read at once. */
const READ_AT_ONCE = 25;

/** An item as long as this is worth letting others go first. */
const LONG_BYTES = 256 * 1024;

/** All of them, in their order. */
export async function* hitContents(
  items: Pick<ItemReader, "items" | "revision" | "sizes">,
  hits: SearchPage["items"],
): AsyncGenerator<HitContent> {
  for (let start = 0; start < hits.length; start += READ_AT_ONCE) {
    if (start > 0) await yieldToEventLoop();
    const some = hits.slice(start, start + READ_AT_ONCE);
    const sizes = await items.sizes(some.map(({ item }) => item.id));
    const bytesOf = new Map(sizes.map(({ item, bytes }) => [item, bytes]));
    const sized = some.map((hit) => ({ hit, bytes: bytesOf.get(hit.item.id) ?? 0 }));
    for (const [at, slice] of [...sizeSlices(sized)].entries()) {
      if (at > 0) await yieldToEventLoop();
      const read = new Map((await items.items(slice.map(({ hit }) => hit.item.id))).map((item) => [item.id, item]));
      // Reading a very long item and writing it are two parts of the work.
      if (slice.some(({ bytes }) => bytes > LONG_BYTES)) await yieldToEventLoop();
      for (const { hit } of slice) yield { ...hit, content: await contentOf(items, hit.item, read.get(hit.item.id)) };
    }
  }
}

async function contentOf(
  items: Pick<ItemReader, "revision">,
  hit: ItemOutline,
  read: Item | undefined,
): Promise<ItemContent> {
  const isSame = read !== undefined && read.revision === hit.revision && read.state === hit.state;
  const content = isSame ? read.content : (await items.revision(hit.id, hit.revision))?.content;
  return content ?? nothingOf(hit);
}

/** An item whose words were destroyed since it was found. */
function nothingOf({ content }: ItemOutline): ItemContent {
  const access = content?.access ?? NOBODY;
  return { itemType: 0, itemTypeVersion: 0, metadata: EMPTY_METADATA, access, indexes: [], settings: {}, files: [] };
}
const NOBODY: ItemContent["access"] = {
  ...{ record: "restricted", openDate: "9999-12-31", files: "restricted", embargoUntil: null, embargoReason: "" },
};
