// An item as a RO-Crate bag that can be imported again (R19b): for `arkstone export items`. Bytes are not read here;
// their checksums come from the rows.

import { bagFiles, type TagFile } from "../../formats/bagit/bag-files.ts";
import type { Mapping } from "../../formats/mapping/compile.ts";
import { CRATE_PATH } from "../../formats/ro-crate/terms.ts";
import { crateFileOf, writeRoCrate } from "../../formats/ro-crate/write.ts";
import type { Access, Item, ItemContent, ItemFile } from "../../model/items/item.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import { flattenName } from "./content.ts";

type PackagedFile = { readonly path: string; readonly file: ItemFile };

export type ItemPackage = {
  /** bagit.txt, manifests and the crate. */
  readonly small: readonly TagFile[];
  /** Files to be written below the bag, whose bytes the storage has. */
  readonly payload: readonly PackagedFile[];
};

type PackageAddresses = {
  readonly landingPage: string;
  /** Where the ARK resolves; null where there is none. */
  readonly ark: string | null;
};

/**
 * `mapping`: the one that reads the crate again. The import includes private settings: a package is for the item's
 * owner.
 */
export async function itemPackage(
  item: Pick<Item, "id" | "revision">,
  content: ItemContent,
  { landingPage, ark }: PackageAddresses,
  mapping: Mapping,
): Promise<ItemPackage> {
  const { metadata, access, indexes, settings } = content;
  const paths = pathsOf(content.files);
  const payload = content.files.map((file) => ({ path: paths.get(file.name) ?? file.name, file }));
  const extraction = Object.entries(settings.textExtraction ?? {}).map(([name, on]) => [paths.get(name) ?? name, on]);
  const crate = writeRoCrate(
    {
      metadata,
      files: payload.map(({ path, file }) => ({ ...crateFileOf(withAccessOf(file, access), true), path })),
      pubdate: access.openDate,
      publishStatus: access.record === "public" ? "public" : "private",
      indexes: indexes.map(String),
      landingPage,
      ...(ark === null ? {} : { ark }),
      settings: extraction.length === 0 ? settings : { ...settings, textExtraction: Object.fromEntries(extraction) },
    },
    mapping,
  );
  const bytes = new TextEncoder().encode(`${JSON.stringify(crate, null, 2)}\n`);
  const tags = await bagFiles({
    payload: [
      { path: CRATE_PATH, sizeBytes: bytes.length, sha256: sha256Hex(new TextDecoder().decode(bytes)) },
      ...payload.map(({ path, file }) => ({ path: `data/${path}`, sizeBytes: file.sizeBytes, sha256: file.sha256 })),
    ],
    info: [
      ["Bag-Software-Agent", "Arkstone"],
      ["External-Identifier", ark ?? landingPage],
      ["External-Description", `Item ${item.id}, revision ${item.revision}`],
    ],
  });
  const small = [...tags, { path: CRATE_PATH, bytes }];
  return { small, payload: payload.map(({ path, file }) => ({ path: `data/${path}`, file })) };
}

/**
 * The paths files had before they were flattened (R13a), where that leads back to the same name and nowhere outside.
 */
function pathsOf(files: readonly ItemFile[]): ReadonlyMap<string, string> {
  const taken = new Set(files.map(({ name }) => name));
  const paths = new Map<string, string>();
  for (const { name } of files) {
    const path = nestedPath(name);
    // A file and a folder cannot have one name.
    const clashes = path.split("/").some((_, index, parts) => index > 0 && taken.has(parts.slice(0, index).join("/")));
    paths.set(name, clashes ? name : path);
  }
  return paths;
}

function nestedPath(name: string): string {
  let path: string;
  try {
    path = decodeURIComponent(name);
  } catch {
    return name;
  }
  const isSafe = path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  return isSafe && path.includes("/") && flattenName(path) === name ? path : name;
}

/**
 * A crate states the access of each file, not the access that holds for all: so an import never makes an item more
 * open.
 */
function withAccessOf(file: ItemFile, access: Access): ItemFile {
  if (file.access === "closed") return file;
  if (access.embargoUntil !== null && (file.accessDate ?? "") < access.embargoUntil) {
    return file.access === "login"
      ? { ...file, access: "closed" }
      : { ...file, access: "date", accessDate: access.embargoUntil };
  }
  return access.files === "restricted" ? { ...file, access: "closed" } : file;
}
