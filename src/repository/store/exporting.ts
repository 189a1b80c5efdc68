// Writing an item in a format, where that holds up nobody (R9a): very long items are written by a thread, which is
// ended when it takes too long.

import type { ExportedRecord } from "../../formats/exported-record.ts";
import type { CrateMapping } from "../../model/item-types/crate-mapping.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import type { ItemContent, ItemFile } from "../../model/items/item.ts";
import type { AccessRights, Metadata } from "../../model/metadata/metadata.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";

type ExportedItem = {
  readonly metadata: Metadata;
  /** `hashed`: the viewer may read the file, and so know its hash (R2g). */
  readonly files: readonly { readonly file: ItemFile; readonly url: string; readonly hashed: boolean }[];
  readonly landingPage: string;
  readonly ark: string | null;
};

/** An item as programs read it (specification 3, "Item detail response"). */
export type DetailOrder = {
  readonly format: "detail";
  readonly id: ItemId;
  readonly content: ItemContent;
  /** The address of its ARK; null before it has one. */
  readonly ark: string | null;
  /** Whose item it is sees the addresses of people in it; nobody else does (R2g). */
  readonly privileged: boolean;
  /** The newest version of the item's type: all items of a type are shown alike. */
  readonly definition: ItemTypeDefinition;
  readonly mapping: CrateMapping;
  readonly language: string;
  /** Of the repository, without slash at the end. */
  readonly baseUrl: string;
  /** The number of the index in the document; "" for none. */
  readonly index: string;
  /** Blanks that each level is indented by. */
  readonly indent: number;
};

/** Everything a document is made from, in plain values. */
export type ExportOrder =
  | (ExportedItem & { readonly format: "jpcoar"; readonly accessRights: Required<AccessRights> })
  | (ExportedItem & {
      readonly format: "ro-crate";
      readonly pubdate: string;
      /** The mapping by which the crate is written. */
      readonly definition: Json;
    })
  | DetailOrder
  /** A record in a format that is written from it alone; the answer is the document with what was left out, as JSON. */
  | {
      readonly format: "record";
      readonly writer: string;
      readonly record: ExportedRecord;
      readonly options: {
        readonly style: string | null;
        readonly locale: string | null;
        readonly reader: string | null;
      };
    };

export interface Exporting {
  /** @throws DocumentError when writing it takes too long. */
  write(order: ExportOrder): Promise<string>;
}
