// Files of this machine that a tool may import (R30): those below one folder, whatever links lead there. The caller is a model: a path is taken for what
// it really names.
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { Refusal } from "../shared/refusal.ts";

const REFUSED = "The path leads to no file of the folder that files may be imported from.";

/** `folder`: SVC_STDIO_IMPORT_DIR; paths are taken from there. */
export function importFolder(folder: string) {
  return async (
    path: string,
  ): Promise<{ readonly pieces: AsyncIterable<Uint8Array>; readonly lengthBytes: number }> => {
    const root = await realpath(folder);
    const real = await realpath(isAbsolute(path) ? path : join(root, path)).catch(() => null);
    // One answer for what is outside and what is not there: nothing of the machine is found out by asking.
    if (real === null || !real.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new Refusal("forbidden", REFUSED);
    const found = await stat(real);
    if (!found.isFile()) throw new Refusal("forbidden", REFUSED);
    return { pieces: piecesOf(real), lengthBytes: found.size };
  };
}

/** Opened when its first piece is asked for: nothing is left open where nobody asks, and an error reaches whoever reads. */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}
