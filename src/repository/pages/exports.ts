// An item in the formats its landing page offers (R19a): JPCOAR XML and RO-Crate, of what the viewer may read.

import type { Viewer } from "../../auth/account.ts";
import type { Json } from "../../shared/json/json.ts";
import { Refusal } from "../../shared/refusal.ts";
import { writtenAside } from "../items/item-writing.ts";
import { STATUS_RIGHTS } from "../model/embargo.ts";
import { publicMetadata } from "../model/public-metadata.ts";
import { isPrivileged } from "../model/visibility.ts";
import type { ExportOrder } from "../store/exporting.ts";
import { exportWriter } from "./export-writing.ts";
import type { ShowingNeeds } from "./needs.ts";
import type { ShownRecord } from "./record.ts";

type Export = { readonly text: string; readonly mediaType: string; readonly fileName: string };

/** Formats a landing page links to, in this order. */
export const EXPORT_FORMATS = [
  {
    id: "jpcoar",
    name: "JPCOAR XML",
    mediaType: "application/xml",
    profile: "https://github.com/JPCOAR/schema/blob/master/2.0/",
  },
  {
    id: "ro-crate",
    name: "RO-Crate (JSON-LD)",
    mediaType: "application/ld+json",
    profile: "https://w3id.org/ro/crate",
  },
] as const;
type ItemOrder = Exclude<ExportOrder, { readonly format: "detail" }>;
type ExportFormat = (typeof EXPORT_FORMATS)[number]["id"];

const ANSWERS: Readonly<Record<ExportFormat, (id: number) => Omit<Export, "text">>> = {
  jpcoar: (id) => ({ mediaType: "application/xml; charset=utf-8", fileName: `${id}.xml` }),
  "ro-crate": (id) => ({ mediaType: "application/ld+json", fileName: `${id}-ro-crate-metadata.json` }),
};

/** The mapping by which items are written as crates, as the repository keeps it (R14). */
const CRATE_MAPPING = "ro-crate-default";

export interface ExportShowing {
  /** Throws not_found for a format there is none of, and as reading the record does. */
  export(viewer: Viewer, id: number, format: string): Promise<Export>;
}

export const exportShowing = (
  { store, addresses, exporting }: ShowingNeeds,
  record: (viewer: Viewer, id: number) => Promise<ShownRecord>,
): ExportShowing => {
  let kept: { readonly text: string; readonly definition: Json } | null = null;
  const writeHere = exportWriter();

  async function crateMapping(): Promise<Json> {
    const stored = (await store.settings.mappings()).find(({ name, deleted }) => name === CRATE_MAPPING && !deleted);
    const definition = stored?.definition ?? {};
    const text = JSON.stringify(definition);
    if (kept?.text !== text) kept = { text, definition };
    return kept.definition;
  }

  async function orderOf(
    viewer: Viewer,
    format: ExportFormat,
    { readable, files, cited }: ShownRecord,
  ): Promise<ItemOrder> {
    const { content, facts } = readable;
    const item = {
      // Whose item it is gets all of it; everybody else no e-mail address, and no hash of a file he may not read (R2g).
      metadata: isPrivileged(viewer, facts) ? content.metadata : publicMetadata(content.metadata),
      files: files.map(({ file, path, readable: may }) => ({ file, url: `${addresses.baseUrl}${path}`, hashed: may })),
      landingPage: cited.landingPage,
      ark: cited.ark,
    };
    if (format === "jpcoar") return { format, ...item, accessRights: STATUS_RIGHTS[readable.accessStatus] };
    return { format, ...item, pubdate: content.access.openDate, definition: await crateMapping() };
  }

  return {
    async export(viewer, id, format) {
      const known = EXPORT_FORMATS.find((each) => each.id === format);
      if (known === undefined) {
        const formats = EXPORT_FORMATS.map((each) => each.id).join(", ");
        throw new Refusal("not_found", `There is no format "${format.slice(0, 100)}"; there are ${formats}`);
      }
      const shown = await record(viewer, id);
      const order = await orderOf(viewer, known.id, shown);
      const text = await writtenAside(order, order, writeHere, exporting);
      return { text, ...ANSWERS[known.id](shown.readable.item.id) };
    },
  };
};
