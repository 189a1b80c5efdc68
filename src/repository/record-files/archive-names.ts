// The names that files have in an archive of a record (R37): paths that no program which unpacks them takes out of
// their folder, or over each other. Pure.

import { UNSEEN } from "../../model/files/file-names.ts";
import { normalForm, withoutEnd } from "../../shared/text/text.ts";
import type { InParts } from "../../shared/time/event-loop.ts";

/** Characters that some systems do not allow in names of files, or that separate folders there. */
const UNSAFE = /[\\:*?"<>|]/g;

/** What a folder of the archive holds, by folded name: a folder, or null for a file. */
type Folder = {
  readonly names: Map<string, Folder | null>;
  /** Folders whose name a file has already: the name they have instead. */
  readonly renamed: Map<string, { readonly name: string; readonly folder: Folder }>;
  /** The number to try next for a name that is taken, so that many equal names are numbered in linear time. */
  readonly numbers: Map<string, number>;
};

const emptyFolder = (): Folder => ({ names: new Map(), renamed: new Map(), numbers: new Map() });

/** One path for each key, in their order; the same keys give the same paths. Pauses between the keys (R9a). */
export function* archiveNames(keys: readonly string[]): InParts<readonly string[]> {
  const root = emptyFolder();
  const paths: string[] = [];
  for (const key of keys) {
    const parts = key.split("/").map(safePart);
    const path: string[] = [];
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      const child = childFolder(folder, part);
      path.push(child.name);
      folder = child.folder;
    }
    const name = freeName(folder, parts.at(-1) ?? "_");
    folder.names.set(fold(name), null);
    paths.push([...path, name].join("/"));
    yield;
  }
  return paths;
}

/** The folder of this name. Where a file has the name, the folder has another one, the same for everything in it. */
function childFolder(parent: Folder, part: string): { readonly name: string; readonly folder: Folder } {
  const known = parent.names.get(fold(part));
  if (known !== undefined && known !== null) return { name: part, folder: known };
  const renamed = parent.renamed.get(fold(part));
  if (renamed !== undefined) return renamed;
  const child = { name: freeName(parent, part), folder: emptyFolder() };
  parent.names.set(fold(child.name), child.folder);
  if (known === null) parent.renamed.set(fold(part), child);
  return child;
}

/** The name, with a number where it is taken. */
function freeName({ names, numbers }: Folder, part: string): string {
  if (!names.has(fold(part))) return part;
  for (let number = numbers.get(fold(part)) ?? 2; ; number += 1) {
    const name = numbered(part, number);
    if (names.has(fold(name))) continue;
    numbers.set(fold(part), number + 1);
    return name;
  }
}

/** Systems that know no case take these for one name. */
const fold = (path: string): string => normalForm(path, "NFC").toLowerCase();

function safePart(part: string): string {
  const plain = part.toWellFormed().replace(UNSEEN, "_").replace(UNSAFE, "_");
  const safe = withoutEnd(plain, ". ").padEnd(plain.length, "_");
  return safe === "" ? "_" : safe;
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  return `${stem} (${number})${end}`;
}
