// What others on this machine could read of the service's files, and what its own user could not write: notes of
// `arkstone verify`.
import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isPostgresUrl, sqlitePath } from "../../../db/engine/open.ts";

const OTHERS = 0o077;

/** One sentence for each file or folder that is open to others, or belongs to somebody else than its folder. */
export function notesOnRights(databaseUrl: string, folders: readonly string[]): readonly string[] {
  const files = isPostgresUrl(databaseUrl) ? [] : databaseFiles(sqlitePath(databaseUrl));
  return [
    ...files.flatMap((path) => [...openNote(path, "600"), ...ownerNote(path)]),
    ...folders.flatMap((path) => openNote(path, "700")),
  ];
}

/** Files next to an SQLite file that may hold the same rows. */
function databaseFiles(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-wal.damaged`];
}

function openNote(path: string, wanted: string): readonly string[] {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) === 0) return [];
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  return [`${basename(path)} can be read by other users of this machine (mode ${shown}): chmod ${wanted} ${path}`];
}

/** Restored or copied as root, a file can only be read by the service. */
function ownerNote(path: string): readonly string[] {
  const [file, folder] = [path, dirname(path)].map((each) => statSync(each, { throwIfNoEntry: false })?.uid);
  if (file === undefined || folder === undefined || file === folder) return [];
  return [
    `${basename(path)} belongs to user ${file}, its folder to user ${folder}: the service may not be able to write it`,
  ];
}
