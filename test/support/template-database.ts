// A new database on SQLite as a copy of one that this process has migrated and filled before: much cheaper than doing
// it again for each test.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isPostgresUrl, sqlitePath } from "../../db/engine/open.ts";
import { MEMORY } from "../../db/engine/sqlite-handle.ts";

let template: Promise<Uint8Array> | null = null;

async function made(fill: (url: string) => Promise<void>): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "arkstone-template-"));
  try {
    const path = join(folder, "template.db");
    await fill(path);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type FilledDatabase = { readonly url: string; remove(): void };

/**
 * The database at `url`, filled. On PostgreSQL `fill` is called, on SQLite what it made at its first call is copied: it
 * has to be the same at every call. What was asked for in memory is a file until `remove` is called.
 */
export async function filledDatabase(url: string, fill: (url: string) => Promise<void>): Promise<FilledDatabase> {
  if (isPostgresUrl(url)) {
    await fill(url);
    return { url, remove: () => {} };
  }
  template ??= made(fill);
  const folder = url === MEMORY ? mkdtempSync(join(tmpdir(), "arkstone-copy-")) : null;
  const path = folder === null ? sqlitePath(url) : join(folder, "arkstone.db");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await template);
  const remove = (): void => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  };
  return { url: path, remove };
}
