// Names of files in an item: nested paths of a package are flattened (R13a; specification, processing step 9).
import { DocumentError } from "../../shared/document-error.ts";

const UNTOUCHED = /^[A-Za-z0-9_.\-~]$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them.
const CONTROL = /[\u0000-\u001f\u007f]/;
const encoder = new TextEncoder();

/**
 * The name that a payload file receives. `path` is relative to the payload folder: `a/b c.pdf` becomes `a%2Fb%20c.pdf`,
 * every byte but `A-Za-z0-9_.-~` percent-encoded. A file outside of folders keeps its name, unless the name has
 * characters that are not allowed in an item's file names (a bag may contain `a\nb.txt`): then it is encoded too.
 */
export function flattenName(path: string): string {
  if (!path.includes("/") && !CONTROL.test(path)) return path;
  let name = "";
  for (const byte of encoder.encode(path)) {
    const character = String.fromCharCode(byte);
    name += UNTOUCHED.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return name;
}

/**
 * The names of all payload files by their path.
 *
 * @throws DocumentError when two files become one name.
 */
export function flattenNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const path of paths) {
    const name = flattenName(path);
    const owner = owners.get(name);
    if (owner !== undefined) {
      throw new DocumentError(`The files "${owner}" and "${path}" would both be named "${name}"`);
    }
    owners.set(name, path);
    names.set(path, name);
  }
  return names;
}
