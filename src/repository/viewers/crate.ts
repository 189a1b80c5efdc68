// An RO-Crate as a tree (Q.108): its metadata document among the files of an item or in an archive, with links to the
// files that it describes.
import { type CrateTree, crateTree } from "../../formats/view/crate-tree.ts";
import { writtenName } from "../../model/files/file-names.ts";
import type { Json } from "../../shared/json/json.ts";
import { JsonTooDeep, JsonTooMuch, parseJson } from "../../shared/json/read.ts";
import { type FileReader, NotShown } from "./reading.ts";

/** A file of the item by its path below the repository's address, or an entry of the archive by its number. */
export type CrateLink = { readonly path: string } | { readonly entry: number };
export type CrateContent = {
  readonly tree: CrateTree;
  /** The files by their paths in the crate. */
  readonly links: ReadonlyMap<string, CrateLink>;
};

export async function viewCrate({ file, whole, siblings }: FileReader): Promise<CrateContent> {
  const bytes = await whole("crate");
  const name = writtenName(file.name);
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  const files = (await siblings()).map(({ file: each, path }) => [writtenName(each.name), { path }] as const);
  const inside = files.filter(([path]) => path.startsWith(folder));
  return crateOf(bytes, new Map(inside.map(([path, link]) => [path.slice(folder.length), link])));
}

/** @throws NotShown for what is not the metadata of a crate */
export function crateOf(bytes: Uint8Array, links: ReadonlyMap<string, CrateLink>): CrateContent {
  const tree = crateTree(documentIn(bytes));
  if (tree === null) throw new NotShown("wrong-content");
  return { tree, links };
}

function documentIn(bytes: Uint8Array): Json {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json; // JSON.parse makes nothing else
  } catch (error) {
    if (error instanceof JsonTooDeep || error instanceof JsonTooMuch) throw new NotShown("too-complex");
    if (error instanceof SyntaxError || error instanceof TypeError) throw new NotShown("wrong-content");
    throw error;
  }
}
