// An item in the formats its landing page offers (R19a): JPCOAR XML and RO-Crate, of what the viewer may read.
import { STATUS_RIGHTS } from "../../domain/items/embargo.ts";
import type { Viewer } from "../../domain/repository/account.ts";
import { RepositoryRefusal } from "../../domain/repository/refusal.ts";
import { jpcoarFileOf, writeJpcoar } from "../../formats/jpcoar/write.ts";
import { compileMapping, type Mapping } from "../../formats/mapping/compile.ts";
import { crateFileOf, writeRoCrate } from "../../formats/ro-crate/write.ts";
import type { ShowingNeeds } from "./needs.ts";
import type { ShownRecord } from "./record.ts";

export type Export = { readonly text: string; readonly mediaType: string; readonly fileName: string };

type Writer = (shown: ShownRecord) => Promise<Export>;

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
export type ExportFormat = (typeof EXPORT_FORMATS)[number]["id"];

/** The mapping by which items are written as crates, as the repository keeps it (R14). */
const CRATE_MAPPING = "ro-crate-default";

export const exportShowing = (
  { store, baseUrl }: ShowingNeeds,
  record: (viewer: Viewer, id: number) => Promise<ShownRecord>,
) => {
  let compiled: { readonly text: string; readonly mapping: Mapping } | null = null;

  async function crateMapping(): Promise<Mapping> {
    const stored = (await store.settings.mappings()).find(({ name, deleted }) => name === CRATE_MAPPING && !deleted);
    const text = stored === undefined ? "{}" : JSON.stringify(stored.definition);
    if (compiled?.text !== text) compiled = { text, mapping: compileMapping(stored?.definition ?? {}) };
    return compiled.mapping;
  }

  const writers: Readonly<Record<ExportFormat, Writer>> = {
    async jpcoar({ readable, files, cited }) {
      const { xml } = writeJpcoar({
        metadata: readable.content.metadata,
        files: files.map(({ file, path }) => jpcoarFileOf(file, `${baseUrl}${path}`)),
        landingPage: cited.landingPage,
        ark: cited.ark,
        accessRights: STATUS_RIGHTS[readable.accessStatus],
      });
      return { text: xml, mediaType: "application/xml; charset=utf-8", fileName: `${readable.item.id}.xml` };
    },
    async "ro-crate"({ readable, files, cited }) {
      const { content, item } = readable;
      const crate = writeRoCrate(
        {
          metadata: content.metadata,
          // The crate stands alone: each file says where it is to be had.
          files: files.map(({ file, path }) => ({ ...crateFileOf(file), url: `${baseUrl}${path}` })),
          pubdate: content.access.openDate,
          landingPage: cited.landingPage,
          ...(cited.ark === null ? {} : { ark: cited.ark }),
        },
        await crateMapping(),
      );
      const fileName = `${item.id}-ro-crate-metadata.json`;
      return { text: `${JSON.stringify(crate, null, 2)}\n`, mediaType: "application/ld+json", fileName };
    },
  };

  return {
    /** Throws not_found for a format there is none of, and as reading the record does. */
    async export(viewer: Viewer, id: number, format: string): Promise<Export> {
      const known = EXPORT_FORMATS.find((each) => each.id === format);
      if (known === undefined) {
        const formats = EXPORT_FORMATS.map((each) => each.id).join(", ");
        throw new RepositoryRefusal("not_found", `There is no format "${format.slice(0, 100)}"; there are ${formats}`);
      }
      return await writers[known.id](await record(viewer, id));
    },
  };
};
