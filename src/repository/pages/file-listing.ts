// One folder of the files of an item, page by page (R13a, R19a, R40): so that ten thousand files stay readable, each
// part with its own address.
import { type Folder, fileTree, folderAt, type NamedFile, shownPath } from "../../model/files/file-names.ts";
import type { ItemFile } from "../../model/items/item.ts";
import { Refusal } from "../../shared/refusal.ts";

/** Folders and files on one page. */
const LISTING_PAGE = 200;

/** `folder`: names from the top down, as a page shows them; `page` from 1. */
export type FilesPart = { readonly folder: readonly string[]; readonly page: number };

export type FileListing<S> = {
  readonly folder: readonly string[];
  readonly folders: readonly Pick<Folder<unknown>, "name" | "path" | "count" | "sizeBytes">[];
  readonly files: readonly NamedFile<S>[];
  /** Files in this folder and below it. */
  readonly count: number;
  readonly sizeBytes: number;
  readonly page: number;
  readonly pages: number;
};

/** Folders first. Only the entries that the page shows are read in full. */
export function fileListing<T, S>(
  all: readonly T[],
  fileOf: (each: T) => ItemFile,
  { folder, page }: FilesPart,
  shown: (each: T) => S,
): FileListing<S> {
  const sized = all.map((each) => ({ each, sizeBytes: fileOf(each).sizeBytes }));
  const at = folderAt(
    fileTree(sized, ({ each }) => shownPath(fileOf(each).name)),
    folder,
  );
  if (at === null) throw new Refusal("not_found", `There is no folder "${folder.join("/").slice(0, 200)}"`);
  const pages = Math.max(1, Math.ceil((at.folders.length + at.files.length) / LISTING_PAGE));
  if (page > pages) throw new Refusal("not_found", `There are ${pages} pages of files, not ${page}`);
  const from = (page - 1) * LISTING_PAGE;
  const folders = at.folders.slice(from, from + LISTING_PAGE);
  const first = Math.max(0, from - at.folders.length);
  const files = at.files.slice(first, first + LISTING_PAGE - folders.length);
  return {
    folder,
    folders: folders.map(({ name, path, count, sizeBytes }) => ({ name, path, count, sizeBytes })),
    files: files.map(({ name, file }) => ({ name, file: shown(file.each) })),
    count: at.count,
    sizeBytes: at.sizeBytes,
    page,
    pages,
  };
}
