// The answer about one item (specification 3, "Item detail response"; R29), pure: the same in the server, for items of
// ordinary length, and in the thread that long ones are handed to.
import type { DetailOrder } from "../../store/exporting.ts";
import { formOf, itemCrate } from "./item-crate.ts";
import { labelledMetadata } from "./labelled-metadata.ts";

/** As JSON. */
export function writeDetail(order: DetailOrder): string {
  const { content, definition, language, index, indent } = order;
  const document = {
    index,
    rocrate: itemCrate(order, order),
    metadata: {
      ...labelledMetadata(formOf(order, definition), definition, language),
      hasRequestmailAddress: (content.settings.requestMail ?? []).length > 0,
    },
  };
  return JSON.stringify(document, null, indent);
}
