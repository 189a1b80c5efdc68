// Writing an item in a format, where that holds up nobody (R9a): very long items are written by a thread, which is ended when it takes too long.
import type { ItemFile } from "../model/item.ts";
import type { AccessRights, Metadata } from "../model/metadata.ts";
import type { Json } from "../../shared/json/json.ts";

type ExportedItem = {
  readonly metadata: Metadata;
  /** `hashed`: whoever asks may read the file, and so know its hash (R2g). */
  readonly files: readonly { readonly file: ItemFile; readonly url: string; readonly hashed: boolean }[];
  readonly landingPage: string;
  readonly ark: string | null;
};

/** Everything a document is made from, in plain values. */
export type ExportOrder =
  | (ExportedItem & { readonly format: "jpcoar"; readonly accessRights: Required<AccessRights> })
  | (ExportedItem & {
      readonly format: "ro-crate";
      readonly pubdate: string;
      /** The mapping by which the crate is written. */
      readonly definition: Json;
    });

export interface Exporting {
  /** @throws DocumentError when writing it takes too long. */
  write(order: ExportOrder): Promise<string>;
}
