// Restoring a backup into an empty database (docs/disaster-recovery.md): check the whole file, mark the database, then
// one transaction: every row, longer blades, names of a newer list, a new feed epoch.

import { actorOf, OPERATOR } from "../auth/caller.ts";
import type { Clock } from "../shared/time/clock.ts";
import type { Instant } from "../shared/time/instant.ts";
import { BLADE_MAX, LongestBlades } from "./backup/blades.ts";
import type { BackupHeader, BackupTable } from "./backup/format.ts";
import type { BackupPart, RestoreProgress, RestoreTarget, RestoreWriter } from "./backup.ts";
import { type EnteredNames, enterNewerNames, type NewerList } from "./newer-names.ts";

type RestoreNeeds = {
  /** Opened only once the file has been found whole. */
  readonly open: () => Promise<RestoreTarget>;
  readonly clock: Clock;
  /** The backup from its beginning, as often as it is asked for. */
  readonly read: () => AsyncIterable<BackupPart>;
  /** Names of a newer list, from its beginning; null where none was given. */
  readonly newer: (() => AsyncIterable<NewerList>) | null;
  readonly onProgress: (progress: RestoreProgress) => void | Promise<void>;
};

type RaisedBlade = { readonly shoulder: string; readonly from: number; readonly to: number };

export type RestoreReport = {
  readonly header: BackupHeader;
  readonly rows: number;
  /** What was done between these two moments is not known to the restored database. */
  readonly unknownFrom: Instant;
  readonly unknownTo: Instant;
  readonly blades: readonly RaisedBlade[];
  /** Null where no newer list was given: then the number of unknown names is not known. */
  readonly newer: EnteredNames | null;
};

/** A database that cannot take this backup. Nothing was written. */
export class RestoreRefusal extends Error {
  override readonly name = "RestoreRefusal";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const EMPTY_HINT =
  "Restore into an empty one: on SQLite move the file away, on PostgreSQL create a new database and name it with --database";

/**
 * Fills the target with the backup. Nothing is written before the whole file was read and its checksum found right.
 *
 * @throws RestoreRefusal when the target is not empty or the schemas do not fit; BackupProblem for a file that cannot
 * be used.
 */
export async function restore(needs: RestoreNeeds): Promise<RestoreReport> {
  const header = await checkedHeader(needs);
  const target = await needs.open();
  try {
    await requireEmpty(target, header);
    await target.prepare(header.schema, `the backup of ${header.created_at}`);
    return await target.transact((tx) => fill(needs, tx, header));
  } finally {
    await target.close();
  }
}

async function fill(needs: RestoreNeeds, tx: RestoreWriter, header: BackupHeader): Promise<RestoreReport> {
  const now = needs.clock.now();
  const { rows, longest } = await load(needs, tx, header);
  await tx.loaded();
  const blades = await raiseBlades(tx, longest, header, now);
  const context = { header, now, progress: needs.onProgress };
  const newer = needs.newer === null ? null : await enterNewerNames(tx, needs.newer(), context);
  await tx.settle();
  return { header, rows, unknownFrom: header.created_at, unknownTo: now, blades, newer };
}

function rowsIn(header: BackupHeader): number {
  return header.tables.reduce((sum, { rows }) => sum + rows, 0);
}

async function checkedHeader(needs: RestoreNeeds): Promise<BackupHeader> {
  let header: BackupHeader | null = null;
  let rows = 0;
  for await (const part of needs.read()) {
    if ("header" in part) header = part.header;
    else if (header !== null) {
      rows += part.rows.length;
      await needs.onProgress({ step: "checking", table: part.table.table, rows, of: rowsIn(header) });
    }
  }
  if (header === null) throw new RangeError("A backup was read that has no header");
  return header;
}

async function requireEmpty(target: RestoreTarget, header: BackupHeader): Promise<void> {
  const { schema, newest, filled } = await target.contents();
  if (header.schema > newest) {
    const message = `The backup has schema ${header.schema}, this program knows schemas up to ${newest}`;
    throw new RestoreRefusal(message, "Restore it with a newer program");
  }
  if (filled.length > 0) {
    const held = filled.map(({ table, rows }) => `${rows.toLocaleString("en-US")} of ${table}`).join(", ");
    throw new RestoreRefusal(`The database is not empty: it holds rows (${held})`, EMPTY_HINT);
  }
  if (schema !== 0 && schema !== header.schema) {
    const message = `The backup has schema ${header.schema}, the empty database has schema ${schema}`;
    throw new RestoreRefusal(
      message,
      "Restore into a database without tables: the newer schema is brought in afterwards",
    );
  }
}

async function load(needs: RestoreNeeds, tx: RestoreWriter, header: BackupHeader) {
  const longest = new LongestBlades();
  let rows = 0;
  for await (const part of needs.read()) {
    if ("header" in part) {
      if (JSON.stringify(part.header) !== JSON.stringify(header))
        throw new Error("The backup was changed while it was read");
      continue;
    }
    await tx.load(part.table, part.rows);
    if (part.table.table === "ark") seeBlades(longest, part);
    rows += part.rows.length;
    await needs.onProgress({ step: "restoring", table: part.table.table, rows, of: rowsIn(header) });
  }
  return { rows, longest };
}

function seeBlades(
  longest: LongestBlades,
  part: { readonly table: BackupTable; readonly rows: readonly (readonly unknown[])[] },
) {
  const [key, naan, shoulder] = ["ark", "naan", "shoulder"].map((name) => part.table.columns.indexOf(name));
  for (const row of part.rows) {
    longest.see(String(row[key ?? -1]), String(row[naan ?? -1]), String(row[shoulder ?? -1]));
  }
}

/** No later mint can equal a name that was handed out after the backup: it is one character longer. */
async function raiseBlades(
  tx: RestoreWriter,
  longest: LongestBlades,
  header: BackupHeader,
  now: Instant,
): Promise<readonly RaisedBlade[]> {
  const raised: RaisedBlade[] = [];
  for (const { naan, shoulder, bladeLength } of await tx.shoulders()) {
    const to = Math.min(BLADE_MAX, Math.max(bladeLength, longest.of(naan, shoulder)) + 1);
    await tx.growBlade(naan, shoulder, to);
    raised.push({ shoulder: `${naan}/${shoulder}`, from: bladeLength, to });
  }
  const blank = { beforeUrl: "", afterUrl: "", reason: `RestoreReport from the backup of ${header.created_at}` };
  const changes = raised.map(
    ({ shoulder }) =>
      ({ ...blank, subject: "shoulder", target: shoulder, action: "restore", fields: ["blade_length"] }) as const,
  );
  await tx.record(actorOf(OPERATOR), now, changes);
  return raised;
}
