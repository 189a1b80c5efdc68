// One item for programs (specification 3, "Item detail response"; R2a, R2c, R2d, R29): its RO-Crate form and its labelled metadata.
import type { Viewer } from "../../auth/account.ts";
import type { Instant } from "../../shared/instant.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { ItemTypeReading } from "../items/item-type-reading.ts";
import type { Items } from "../items/items.ts";
import type { Readable } from "../items/reading.ts";
import type { Addresses } from "../model/addresses.ts";
import { mayBrowseIndex } from "../model/visibility.ts";
import { formOf, itemCrate } from "./item-crate.ts";
import { labelledMetadata } from "./labelled-metadata.ts";

export type ItemDetail = {
  readonly id: number;
  /** The number asked for ties versions together and stands for this item (R2a). */
  readonly byParent: boolean;
  /** Changes with what the item says: of a published item its revision, of another the counter of its draft. */
  readonly version: string;
  readonly updatedAt: Instant;
  readonly document: JsonObject;
};

export type DetailNeeds = {
  readonly items: Pick<Items, "readable" | "today">;
  readonly types: Pick<ItemTypeReading, "newest">;
  readonly addresses: Addresses;
};

export interface ItemDetails {
  /** Throws not_found, forbidden and gone as reading an item does; not_found also where the item type has no RO-Crate mapping. */
  read(viewer: Viewer, id: number, language: string): Promise<ItemDetail>;
}

export const itemDetails = ({ items, types, addresses }: DetailNeeds): ItemDetails => ({
  async read(viewer, id, language) {
    const found = await items.readable(viewer, id);
    const { item, content, draft, byParent } = found;
    const type = await types.newest(content.itemType);
    const mapping = type?.definition.roCrate ?? null;
    if (type === null || mapping === null) {
      throw new Refusal("not_found", `Item type ${content.itemType} has no RO-Crate mapping`);
    }
    const { definition } = type;
    const shown = { id: item.id, ark: item.ark, content, privileged: found.privileged };
    const { requestMail = [] } = content.settings;
    return {
      id: item.id,
      byParent,
      version: draft === null ? `${item.revision}` : `draft-${draft.counter}`,
      updatedAt: draft?.savedAt ?? item.updatedAt,
      document: {
        index: shownIndex(found, viewer, items.today()),
        rocrate: itemCrate({ addresses, definition, mapping, language }, shown),
        metadata: {
          ...labelledMetadata(formOf(shown, definition), definition, language),
          hasRequestmailAddress: requestMail.length > 0,
        },
      },
    };
  },
});

/** The first of the item's indexes that the reader may browse; "" where there is none. */
function shownIndex({ facts, privileged, content }: Readable, viewer: Viewer, today: string): string {
  if (privileged) return String(content.indexes[0] ?? "");
  const [index] = facts.lineages.find((lineage) => mayBrowseIndex(viewer, lineage, today)) ?? [];
  return index === undefined ? "" : String(index.id);
}
