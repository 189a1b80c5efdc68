// Inspects embedded indexes that other processes have open (R34; `arkstone search status` and `verify`): only committed
// data is read, and nothing is written.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { IndexSchema } from "../../src/repository/search/document/document.ts";
import type { SearchIndex } from "../../src/repository/search/index/index-port.ts";
import type { FeedPosition } from "../../src/shared/feed.ts";
import type { HoldLock } from "../../src/shared/process-lock.ts";
import { numberIn, readPosition, textIn } from "./index-database.ts";

const FILE = /^(\d{1,3})-(\d{1,9})\.sqlite$/;
const BUSY_TIMEOUT_MS = 5_000;

export type InspectedIndex = Pick<SearchIndex, "digests"> & {
  readonly path: string;
  /** A process has it open now. */
  readonly isInUse: boolean;
  /** Whole, and of the schema that is asked about: what counts. */
  readonly isCurrent: boolean;
  readonly documents: number;
  /** Null while it is being built. */
  readonly position: () => FeedPosition | null;
  readonly sizeBytes: number;
  readonly close: () => void;
};

/** The indexes of a data folder; other files, and those deleted meanwhile, are left out. */
export async function inspectIndexes(
  folder: string,
  hold: HoldLock,
  schema: IndexSchema,
): Promise<readonly InspectedIndex[]> {
  const names = await readdir(folder).catch(() => []);
  const inspected: InspectedIndex[] = [];
  for (const name of names.sort()) {
    const place = FILE.exec(name)?.[1];
    if (place === undefined) continue;
    const path = join(folder, name);
    const lock = await hold(join(folder, `${place}.lock`));
    await lock?.release();
    try {
      inspected.push(inspect(path, lock === null, schema, (await stat(path)).size));
    } catch {
      // Being made, being removed, or no index at all.
    }
  }
  return inspected;
}

function inspect(path: string, isInUse: boolean, schema: IndexSchema, sizeBytes: number): InspectedIndex {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const meta = database.prepare("select schema, is_whole from meta").get();
    const isWhole = numberIn(meta, "is_whole") === 1;
    const page = database.prepare("select id, parent, digest from document where id > ? order by id limit ?");
    return {
      path,
      isInUse,
      isCurrent: isWhole && textIn(meta, "schema") === JSON.stringify(schema),
      documents: numberIn(database.prepare("select count(*) as n from document").get(), "n"),
      position: () => (isWhole ? readPosition(database) : null),
      sizeBytes,
      digests: async (after, limit) =>
        page.all(after, limit).map((row) => ({
          id: numberIn(row, "id"),
          parentId: numberIn(row, "parent"),
          digest: textIn(row, "digest"),
        })),
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
