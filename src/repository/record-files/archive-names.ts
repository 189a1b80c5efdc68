// The names that files have in an archive of a record (R37): paths that no program which unpacks them takes out of their folder, or over each other. Pure.
import { normalForm } from "../../shared/normal-form.ts";
import { withoutEnd } from "../../shared/text-ends.ts";
import { UNSEEN } from "../model/file-names.ts";

/** Characters that are no part of a file's name on some system, or that stand for folders there. */
const UNSAFE = /[\\:*?"<>|]/g;

/** One path for each key, in their order; the same keys give the same paths. */
export function archiveNames(keys: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  const folders = new Set<string>();
  return keys.map((key) => {
    const parts = key.split("/").map(safePart);
    for (let number = 1; ; number += 1) {
      const path = (number === 1 ? parts : numbered(parts, number)).join("/");
      const above = foldersOf(path);
      const free =
        !taken.has(fold(path)) && !folders.has(fold(path)) && above.every((folder) => !taken.has(fold(folder)));
      if (!free) continue;
      taken.add(fold(path));
      for (const folder of above) folders.add(fold(folder));
      return path;
    }
  });
}

/** Systems that know no case take these for one name. */
const fold = (path: string): string => normalForm(path, "NFC").toLowerCase();

function safePart(part: string): string {
  const plain = part.toWellFormed().replace(UNSEEN, "_").replace(UNSAFE, "_");
  const safe = withoutEnd(plain, ". ").padEnd(plain.length, "_");
  return safe === "" ? "_" : safe;
}

function numbered(parts: readonly string[], number: number): readonly string[] {
  const name = parts.at(-1) ?? "_";
  const dot = name.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  return [...parts.slice(0, -1), `${stem} (${number})${end}`];
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
