// `arkstone backup FILE` and `arkstone restore FILE` (docs/disaster-recovery.md; R19b).

import { openStore } from "../../../../db/ark/store.ts";
import { withBackupSource } from "../../../../db/operating/backup.ts";
import { openRestoreTarget } from "../../../../db/operating/restore.ts";
import { FileExists, readBackupFile, writeBackupFile } from "../../../adapters/backup-file.ts";
import { systemClock } from "../../../adapters/clock.ts";
import { type BackupHeader, BackupProblem, type BackupRow, headerOf } from "../../../operating/backup/format.ts";
import type { BackupSource, RestoreProgress } from "../../../operating/backup.ts";
import type { EnteredNames } from "../../../operating/newer-names.ts";
import { RestoreRefusal, type RestoreReport, restore } from "../../../operating/restoring.ts";
import { writeByteSize } from "../../../shared/bytes/byte-size.ts";
import { jsonLine, jsonText, plural, printable, progressOn, stepRows } from "../../process/terminal.ts";
import { filesLocation } from "../../storage.ts";
import { PROGRAM_VERSION } from "../../version.ts";
import { type Command, command } from "../command.ts";
import { type Context, databaseRefusal, settingsOf } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";
import { backUpFiles, type FilesReport, filesLine, Interrupted, putBackFiles, requireFolder } from "./backup-files.ts";
import { newerList } from "./newer-list.ts";

const backup = command({
  name: "backup",
  summary: "Write the whole database into one file that any Arkstone can restore, on SQLite or PostgreSQL",
  words: ["FILE"],
  options: {
    files: {
      type: "string",
      value: "FOLDER",
      help: "Copy the bytes of files into this folder too; files that are there already are skipped",
    },
  },
  details: `
It may run while minters and resolvers run: the file is a snapshot of one moment of the database. It is gzipped text with a checksum, appears whole or
not at all, is readable by its owner alone and never written over. Keep it away from the server, and secret: it holds what credentials
are recognised by. The bytes of files are not in it: it names their storage, and --files copies them.`,
  examples: [
    "arkstone backup /backup/arkstone-2026-11-20.gz",
    "arkstone backup /backup/arkstone-2026-11-20.gz --files /backup/files",
  ],
  async run(context, given, [file = ""]) {
    const config = settingsOf(context);
    const location = filesLocation(config);
    if (given.files !== undefined) requireFolder(config, "backup", given.files);
    const startedAt = performance.now();
    try {
      return await withBackupSource(config.databaseUrl, async (source) => {
        const header = { ...headerOf(source, PROGRAM_VERSION, systemClock.now()), files: { where: location.where } };
        const written = await writeBackupFile(file, header, pagesOf(context, source));
        const seconds = Math.round(performance.now() - startedAt) / 1000;
        const names = source.tables.find(({ table }) => table === "ark")?.rows ?? 0;
        const summary = { file, created_at: header.created_at, schema: header.schema, names, ...written, seconds };
        if (!context.json) {
          const size = writeByteSize(written.bytes);
          context.out(`${file}: ${plural(names, "name")}, ${plural(written.rows, "row")}, ${size} in ${seconds} s.\n`);
        }
        // After the rows: every file they name is there then.
        const files = given.files === undefined ? null : await backUpFiles(context, config, given.files);
        if (context.json) context.out(jsonLine({ ...summary, files: { ...location, copied_to: files } }));
        else if (files !== null) context.out(filesLine(files));
        else if (filesIn(source) > 0) context.out(leftOut(location));
        return files === null || files.missing === 0 ? 0 : 1;
      });
    } catch (error) {
      if (error instanceof Interrupted) return interrupted(context, error.message || "there is no new file");
      if (error instanceof FileExists)
        throw new CommandRefusal(`${error.message} and is never written over`, "Name another file");
      throw isOfFile(error)
        ? new CommandRefusal(`Cannot write ${file}: ${error.message}`)
        : databaseRefusal(config, error);
    }
  },
});

/** Rows of files, of all revisions. */
function filesIn({ tables }: Pick<BackupHeader, "tables">): number {
  return tables.find(({ table }) => table === "file_set_entry")?.rows ?? 0;
}

function leftOut({ kind, where }: ReturnType<typeof filesLocation>): string {
  const how = kind === "folder" ? "--files FOLDER copies them" : "copy the bucket with its own tools";
  return `The bytes of files are not in it: they are in the ${kind} ${where} (${how}).\n`;
}

/** True for a system error about a file; the error of a full disk names none. */
function isOfFile(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return "path" in error || ("syscall" in error && (error.syscall === "write" || error.syscall === "fsync"));
}

function interrupted(context: Context, reached: string): number {
  context.err(`Stopped: ${reached}\n`);
  return 130;
}

async function* pagesOf(context: Context, source: BackupSource): AsyncGenerator<readonly BackupRow[]> {
  const progress = progressOn(context);
  let rows = 0;
  let reportedRows = 0;
  const total = source.tables.reduce((sum, table) => sum + table.rows, 0);
  for (const table of source.tables) {
    for await (const page of source.rows(table)) {
      yield page;
      rows += page.length;
      if (rows - reportedRows < stepRows(context)) continue;
      reportedRows = rows;
      if (await context.interrupted()) throw new Interrupted();
      progress.step(`${rows.toLocaleString("en-US")} of ${plural(total, "row")} (${table.table})`);
    }
  }
  progress.end();
}

const restoreCommand = command({
  name: "restore",
  summary: "Fill an empty database with a backup",
  words: ["FILE"],
  options: {
    database: { type: "string", value: "URL", help: "Into this database instead of that of SVC_DATABASE_URL" },
    files: {
      type: "string",
      value: "FOLDER",
      help: "Put back the bytes of files from the folder that `backup --files` copied them to",
    },
    "newer-names": {
      type: "string",
      value: "LIST",
      help: "Names handed out after the backup: an export (CSV, NDJSON) or one ARK a line; unknown ones are entered as withdrawn",
    },
  },
  details: `
The file is read and its checksum compared before anything is written; the database must hold no rows. Everything is one transaction: a
restore that is cut off leaves a database that services refuse and this command takes again. Every shoulder gets a blade one character
longer than any it has used, so that no later mint equals a name handed out after the backup, and resolvers load everything again. What
was done after the backup is lost: --newer-names keeps at least the names from being handed out again. Files are put back before the
rows; what is there already is left as it is.`,
  examples: [
    "arkstone restore /backup/arkstone-2026-11-20.gz",
    "arkstone restore /backup/arkstone-2026-11-20.gz --files /backup/files",
    "arkstone restore backup.gz --database postgres://minter@db/arkstone --newer-names export.ndjson",
  ],
  async run(context, given, [file = ""]) {
    const config = settingsOf(context);
    const url = given.database ?? config.databaseUrl;
    const listFile = given["newer-names"];
    const startedAt = performance.now();
    const header = await firstPart(file);
    if (given.files !== undefined) requireFolder(config, "restore", given.files);
    const newer = listFile === undefined ? null : await newerList(context, listFile, header.created_at);
    const open = () =>
      openRestoreTarget(url).catch((error: unknown) => {
        throw databaseRefusal({ ...config, databaseUrl: url }, error);
      });
    try {
      const files = given.files === undefined ? null : await putBackFiles(context, config, given.files);
      const read = () => readBackupFile(file);
      const restored = await restore({ open, clock: systemClock, read, newer, onProgress: progressSink(context) });
      // Brings in what a newer program has changed, and shows that services take the database.
      await (await openStore({ url, poolSize: 1 })).close();
      tell(context, restored, Math.round(performance.now() - startedAt) / 1000, files);
      return files === null || files.missing === 0 ? 0 : 1;
    } catch (error) {
      if (error instanceof Interrupted) {
        const usual = "nothing was restored; services refuse the database until a restore has ended";
        return interrupted(context, error.message || usual);
      }
      throw refusalOf(file, error);
    }
  },
});

async function firstPart(file: string) {
  try {
    for await (const part of readBackupFile(file)) if ("header" in part) return part.header;
  } catch (error) {
    throw refusalOf(file, error);
  }
  throw new CommandRefusal(`${file} is not a backup of Arkstone`);
}

function refusalOf(file: string, error: unknown): unknown {
  if (error instanceof BackupProblem) return new CommandRefusal(`${file} ${error.message}`, "Take another backup");
  if (error instanceof RestoreRefusal) return new CommandRefusal(error.message, error.hint);
  if (isOfFile(error)) return new CommandRefusal(`Cannot read ${file}: ${error.message}`);
  return error;
}

function progressSink(context: Context) {
  const progress = progressOn(context);
  let reported = { step: "", rows: 0 };
  return async ({ step, table, rows, of }: RestoreProgress): Promise<void> => {
    if (step === reported.step && rows - reported.rows < stepRows(context)) return;
    if (step !== reported.step) progress.end();
    reported = { step, rows };
    if (await context.interrupted()) throw new Interrupted();
    if (rows < stepRows(context)) return;
    const title = { checking: "Checked", restoring: "Restored", entering: "Looked up" }[step];
    progress.step(`${title} ${rows.toLocaleString("en-US")} of ${plural(of, "row")} (${table})`);
  };
}

function tell(context: Context, restored: RestoreReport, seconds: number, files: FilesReport | null): void {
  const { header, rows, unknownFrom, unknownTo, blades, newer } = restored;
  if (context.json) {
    const summary = {
      backup_of: header.created_at,
      rows,
      unknown: { from: unknownFrom, to: unknownTo, names: newer?.unknown ?? null },
      blades,
      newer_names: newer && { ...newer, leftOut: undefined, left_out: newer.leftOut },
      files: { where: header.files?.where ?? null, put_back: files },
      seconds,
    };
    context.out(jsonText(summary));
    return;
  }
  context.out(`RestoreReport the backup of ${header.created_at}: ${plural(rows, "row")} in ${seconds} s.\n`);
  if (files !== null) context.out(filesLine(files));
  else if (filesIn(header) > 0 && header.files !== undefined) {
    context.out(
      `The bytes of files were in ${printable(header.files.where)}: check with arkstone verify --files that they are there.\n`,
    );
  }
  context.out(`Unknown is everything done from ${unknownFrom} to ${unknownTo}: ${unknownNames(newer)}\n`);
  for (const { shoulder, from, to } of blades) context.out(`Blade of ${shoulder}: ${from} -> ${to} characters.\n`);
  if (newer === null) return;
  context.out(`Entered as withdrawn: ${plural(newer.withdrawn, "name")}.\n`);
  if (newer.reserved > 0) {
    context.out(`Entered as reserved, for living names hang below them: ${plural(newer.reserved, "name")}.\n`);
  }
  if (newer.leftOut > 0) {
    context.err(`Not entered: ${plural(newer.leftOut, "name")}. See "Names that were left out" in the guide.\n`);
    for (const line of newer.examples) context.err(`  ${printable(line)}\n`);
  }
}

function unknownNames(newer: EnteredNames | null): string {
  if (newer === null) return "how many names is not known, for no newer list was given (--newer-names).";
  return `${plural(newer.unknown, "name")} of the ${newer.listed.toLocaleString("en-US")} in the newer list.`;
}

export const backupCommands: readonly Command[] = [backup, restoreCommand];
