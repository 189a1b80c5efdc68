// The answer about one item (specification 3, "Item detail response"; R29), pure: the same in the server, for items of
// ordinary length, and in the thread that long ones are handed to.
import { Type } from "@sinclair/typebox";
import type { DetailOrder } from "../../store/exporting.ts";
import { formOf, itemCrate } from "./item-crate.ts";
import { labelledMetadata } from "./labelled-metadata.ts";

const Entity = Type.Object({ "@id": Type.String() }, { additionalProperties: true });

/** An item in its RO-Crate form. */
export const CrateShape = Type.Object(
  {
    "@context": Type.String({ description: "The context of RO-Crate 1.1" }),
    "@graph": Type.Array(Entity, {
      description:
        "Root, descriptor, a Dataset for each tab, section and subsection that has values, files, the landing page. Keys that the mapping of the item type gives are always lists",
    }),
  },
  { $id: "Crate" },
);

/** One item. */
export const DetailShape = Type.Object(
  {
    index: Type.String({ description: "Id of the first index of the item that the caller may browse; empty: none" }),
    rocrate: CrateShape,
    metadata: Type.Object(
      { "Item Type": Type.String(), hasRequestmailAddress: Type.Boolean() },
      {
        additionalProperties: Type.Array(Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })])),
        description: "Every group of the item's form with a value, under its label, as a list",
      },
    ),
  },
  { $id: "ItemDetail" },
);

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
