// Files of this machine that a tool may import (R30): those below one folder, whatever links lead there. The caller is
// a model: a path is taken for what it really names, when it is asked for and again when it is read.
import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { isAbsolute, join, parse, relative, sep } from "node:path";
import { Refusal } from "../shared/refusal.ts";

const REFUSED = "The path leads to no file of the folder that files may be imported from.";
/** What a path names is opened as it is: no link at its end, no pipe that is waited for. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const PIECE_BYTES = 65_536;

type FolderFile = {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  readonly sizeBytes: number;
};

/** One answer for what is outside and what is not there: nothing of the machine is found out by asking. */
const refused = (): Refusal => new Refusal("forbidden", REFUSED);

/**
 * `folder`: SVC_STDIO_IMPORT_DIR; paths are taken from there. `closed`: folders that are the program's own, wherever
 * they lie. Hidden files are nobody's to give away, and where the folder is the whole machine, nothing is offered.
 */
export function importFolder(folder: string, closed: readonly string[] = []) {
  async function find(path: string): Promise<FolderFile> {
    const root = await realpath(folder).catch(() => null);
    if (root === null || root === parse(root).root) throw refused();
    const real = await realpath(isAbsolute(path) ? path : join(root, path)).catch(() => null);
    if (real === null || !isBelow(real, root) || isHidden(relative(root, real))) throw refused();
    for (const each of closed) {
      const own = await realpath(each).catch(() => null);
      // A folder inside it that was set on purpose is another matter.
      if (own !== null && isBelow(real, own) && !isBelow(root, own)) throw refused();
    }
    const found = await lstat(real, { bigint: true }).catch(() => null);
    // Checked again: a folder of the path may have become a link meanwhile.
    if (found?.isFile() !== true || (await realpath(real).catch(() => null)) !== real) throw refused();
    return { path: real, device: found.dev, inode: found.ino, sizeBytes: Number(found.size) };
  }

  async function* read({ path, device, inode }: FolderFile): AsyncGenerator<Uint8Array> {
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => {
      throw refused();
    });
    try {
      const opened = await handle.stat({ bigint: true });
      if (!opened.isFile() || opened.dev !== device || opened.ino !== inode) throw refused();
      for (;;) {
        const { buffer, bytesRead } = await handle.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES, null);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  return async (
    path: string,
  ): Promise<{ readonly pieces: AsyncIterable<Uint8Array>; readonly lengthBytes: number }> => {
    const found = await find(path);
    return { pieces: read(found), lengthBytes: found.sizeBytes };
  };
}

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
const isHidden = (path: string): boolean => path.split(sep).some((part) => part.startsWith("."));
