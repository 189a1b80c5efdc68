// Keys of files at the interface of records (R37; reference 2.4): a path as people write it. An item keeps a path with
// folders as deposits flatten it (R13a), so that every interface has the same name for a file.

import { writtenName } from "../../model/files/file-names.ts";
import { most } from "../../shared/limits.ts";
import { flattenName } from "../items/content.ts";

const KEY_MAX = most("fileKeyCharacters");
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** The key of a file that an item keeps under this name. */
export const keyOf = (name: string): string => writtenName(name);

/** The name an item keeps a new file under. */
export const nameOf = (key: string): string => flattenName(key);

/** The names under which an item may keep the file of a key. */
export const namesOf = (key: string): readonly string[] => [...new Set([flattenName(key), key])];

/** What is wrong with the key of a new file; null where nothing is. */
export function keyProblem(key: string): string | null {
  if (key === "") return "A file needs a key.";
  if (key.length > KEY_MAX || nameOf(key).length > KEY_MAX) return `Longer than maximum length ${KEY_MAX}.`;
  if (!key.isWellFormed() || CONTROL.test(key)) return "A key has no control characters.";
  if (key.split("/").some((part) => part === "" || part === "." || part === "..")) {
    return 'No part of a key is empty, "." or "..".';
  }
  // It would be read as another path.
  return keyOf(nameOf(key)) === key ? null : "A key is not a percent-encoded path.";
}
