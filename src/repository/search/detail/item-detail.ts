// One item for programs (specification 3, "Item detail response"; R2a, R2c, R2d, R29): its RO-Crate form and its
// labelled metadata.
import type { Viewer } from "../../../auth/account.ts";
import { mayBrowseIndex } from "../../../model/access/visibility.ts";
import type { Addresses } from "../../../model/items/addresses.ts";
import type { ItemId, RecordId } from "../../../shared/ids.ts";
import { Refusal } from "../../../shared/refusal.ts";
import type { Day } from "../../../shared/time/day.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { ItemTypeReading } from "../../items/item-type-reading.ts";
import type { ReadableItem } from "../../items/item-views.ts";
import { writeInBackground } from "../../items/item-writing.ts";
import type { Items } from "../../items/items.ts";
import type { DetailOrder, Exporting } from "../../store/exporting.ts";
import { writeDetail } from "./detail-writing.ts";

export type ItemDetail = {
  readonly id: ItemId;
  /** The requested number is that of the parent of this item (R2a). */
  readonly byParent: boolean;
  /** Changes with the content of the item: of a published item its revision, of another the counter of its draft. */
  readonly version: string;
  readonly updatedAt: Instant;
  /** JSON. */
  readonly text: string;
};

/** How an answer is written. */
type DetailStyle = Pick<DetailOrder, "language" | "indent">;

type DetailNeeds = {
  readonly items: Pick<Items, "readable" | "today">;
  readonly types: Pick<ItemTypeReading, "newest">;
  readonly addresses: Pick<Addresses, "baseUrl" | "arkUrl">;
  /** Writes answers about very long items. */
  readonly exporting: Exporting;
};

export interface ItemDetails {
  /**
   * Throws not_found, forbidden and gone as reading an item does; not_found also where the item type has no RO-Crate
   * mapping.
   */
  read(viewer: Viewer, id: RecordId, style: DetailStyle): Promise<ItemDetail>;
}

export const itemDetails = ({ items, types, addresses, exporting }: DetailNeeds): ItemDetails => ({
  async read(viewer, id, style) {
    const found = await items.readable(viewer, id);
    const { item, content, draft, byParent, privileged } = found;
    const { definition } = (await types.newest(content.itemType)) ?? {};
    const mapping = definition?.roCrate ?? null;
    if (definition === undefined || mapping === null) {
      throw new Refusal("not_found", `Item type ${content.itemType} has no RO-Crate mapping`);
    }
    const ark = item.ark === null ? null : addresses.arkUrl(item.ark);
    const index = shownIndex(found, viewer, items.today());
    const shown = { id: item.id, content, ark, privileged, index, baseUrl: addresses.baseUrl };
    const order: DetailOrder = { format: "detail", ...shown, definition, mapping, ...style };
    return {
      id: item.id,
      byParent,
      version: draft === null ? `${item.revision}` : `draft-${draft.counter}`,
      updatedAt: draft?.savedAt ?? item.updatedAt,
      text: await writeInBackground(order, content, writeDetail, exporting),
    };
  },
});

/** The first of the item's indexes that the reader may browse; "" where there is none. */
function shownIndex({ facts, privileged, content }: ReadableItem, viewer: Viewer, today: Day): string {
  if (privileged) return String(content.indexes[0] ?? "");
  const [index] = facts.lineages.find((lineage) => mayBrowseIndex(viewer, lineage, today)) ?? [];
  return index === undefined ? "" : String(index.id);
}
