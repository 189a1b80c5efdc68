// An item as a document (R19a, R38): the same functions in the server, for items of ordinary length, and in the thread
// that long ones are handed to.
import { jpcoarFileOf, writeJpcoar } from "../../formats/jpcoar/write.ts";
import { compileMapping, type Mapping } from "../../formats/mapping/compile.ts";
import { crateFileOf, writeRoCrate } from "../../formats/ro-crate/write.ts";
import type { ExportOrder } from "../store/exporting.ts";
import { writeRecord } from "./formats.ts";

type Crate = Extract<ExportOrder, { readonly format: "ro-crate" }>;

export type DocumentOrder = Exclude<ExportOrder, { readonly format: "detail" }>;

/** Writes documents. A mapping is compiled once, as long as the caller keeps its definition. */
export function documentWriter(): (order: DocumentOrder) => string {
  const compiled = new WeakMap<object, Mapping>();

  function mappingOf({ definition }: Crate): Mapping {
    if (typeof definition !== "object" || definition === null) return compileMapping(definition);
    const known = compiled.get(definition) ?? compileMapping(definition);
    compiled.set(definition, known);
    return known;
  }

  function crate(order: Crate): string {
    const { metadata, files, pubdate, landingPage, ark } = order;
    const written = writeRoCrate(
      {
        metadata,
        // The crate has no files next to it: each file has its address.
        files: files.map(({ file, url, hashed }) => ({ ...crateFileOf(file, hashed), url })),
        pubdate,
        landingPage,
        ...(ark === null ? {} : { ark }),
      },
      mappingOf(order),
    );
    return `${JSON.stringify(written, null, 2)}\n`;
  }

  return (order) => {
    if (order.format === "ro-crate") return crate(order);
    // What was left out is reported separately.
    if (order.format === "record") return JSON.stringify(writeRecord(order.writer, order.record, order.options));
    const { metadata, files, landingPage, ark, accessRights } = order;
    const own = files.map(({ file, url }) => jpcoarFileOf(file, url));
    return writeJpcoar({ metadata, files: own, landingPage, ark, accessRights }).xml;
  };
}
