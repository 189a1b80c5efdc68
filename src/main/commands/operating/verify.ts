// `arkstone verify`: whether every promise about the data holds (docs/disaster-recovery.md).

import { NarrowRole, withInspection } from "../../../../db/operating/verify.ts";
import { systemClock } from "../../../adapters/clock.ts";
import type { Config } from "../../../config.ts";
import type { Inspection } from "../../../operating/inspection.ts";
import type { Finding } from "../../../operating/verify/finding.ts";
import { verify } from "../../../operating/verify-data.ts";
import { writeByteSize } from "../../../shared/bytes/byte-size.ts";
import { notesOnRights } from "../../process/file-rights.ts";
import { jsonLine, plural, printable, progressOn, stepRows } from "../../process/terminal.ts";
import { mintingCheck } from "../../repository/repository-warnings.ts";
import { filesLocation } from "../../storage.ts";
import { type Command, command } from "../command.ts";
import { type Context, databaseRefusal, settingsOf } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";
import { verifyFiles } from "./verify-files.ts";

const verifyCommand = command({
  name: "verify",
  summary: "Look whether everything in the database holds together; list what does not",
  options: {
    database: { type: "string", value: "URL", help: "Of this database instead of that of SVC_DATABASE_URL" },
    files: {
      type: "boolean",
      help: "Read the bytes of every file of the repository too, which takes as long as that takes",
    },
  },
  details: `
Reads every table once, in one moment of the database, while other processes run, and changes nothing: states against dates, withdrawn
names against their history, parts against their bases, shoulders, check characters, receipts, credentials, the feed and the audit, and
the database's own check of its files. Each line of output is one finding: kind, where, what is wrong. The exit code is 1 when there
is any.`,
  examples: [
    "arkstone verify",
    "arkstone verify --json",
    "arkstone verify --files",
    "arkstone verify --database sqlite:copy.db",
  ],
  async run(context, given) {
    const config = settingsOf(context);
    const url = given.database ?? config.databaseUrl;
    const startedAt = performance.now();
    try {
      return await withInspection(url, async (inspection) => {
        const kinds = new Map<string, number>();
        const notes: string[] = [];
        const verified = await verify(inspection, {
          onFinding: (finding) => {
            kinds.set(finding.kind, (kinds.get(finding.kind) ?? 0) + 1);
            context.out(context.json ? jsonLine(finding) : lineOf(finding));
          },
          onNote: (note) => {
            notes.push(note);
            if (!context.json) context.err(`Note: ${note}\n`);
          },
          onProgress: progressSink(context),
        });
        const location = filesLocation(config);
        // Another database belongs to other settings.
        const isRepository = given.database === undefined && (await inspection.hasRepository());
        for (const note of [
          ...notesOnRights(url, isRepository && location.kind === "folder" ? [location.where] : []),
          ...(isRepository ? await mintingNotes(config, inspection) : []),
        ]) {
          notes.push(note);
          if (!context.json) context.err(`Note: ${note}\n`);
        }
        const files = given.files ? await filesOf(context, config, url, kinds) : null;
        const found = [...kinds.values()].reduce((sum, count) => sum + count, 0);
        const seconds = Math.round(performance.now() - startedAt) / 1000;
        if (context.json) {
          context.out(
            jsonLine({
              ...verified,
              ...(files === null ? {} : { files }),
              findings: found,
              kinds: Object.fromEntries(kinds),
              notes,
              seconds,
            }),
          );
        } else {
          const read = `${plural(verified.names, "name")}, ${plural(verified.receipts, "receipt")}, ${plural(verified.changes, "change")}`;
          const result = found === 0 ? "everything holds" : plural(found, "finding");
          const readToo = files === null ? "" : `, ${plural(files.files, "file")} of ${writeByteSize(files.bytes)}`;
          context.err(`${read}${readToo} in ${seconds} s: ${result}.\n`);
        }
        return found === 0 ? 0 : 1;
      });
    } catch (error) {
      if (error instanceof NarrowRole)
        throw new CommandRefusal(
          error.message,
          "Set SVC_DATABASE_URL to a URL of the owner, or name one with --database",
        );
      if (!(error instanceof Interrupted)) throw databaseRefusal({ ...config, databaseUrl: url }, error);
      context.err("Stopped: not everything was checked\n");
      return 130;
    }
  },
});

/** The setting is not in the database; what it names is. */
async function mintingNotes(config: Config, inspection: Inspection): Promise<readonly string[]> {
  const why = await mintingCheck({ config, credentials: inspection, clock: systemClock }).ask();
  return why === null ? [] : [why];
}

async function filesOf(context: Context, config: Config, url: string, kinds: Map<string, number>) {
  const progress = progressSink(context);
  return await verifyFiles(config, url, {
    onFinding: ({ key, name, problem, detail }) => {
      const finding = { kind: "file", key, problem: `${name}: ${problem}: ${detail}` };
      kinds.set(finding.kind, (kinds.get(finding.kind) ?? 0) + 1);
      context.out(context.json ? jsonLine(finding) : lineOf(finding));
    },
    onProgress: (count) => progress("files", count),
  });
}

/** The service lets this name through. */
class Interrupted extends Error {
  override readonly name = "Interrupted";
}

function lineOf({ kind, key, problem }: Record<keyof Finding, string>): string {
  return `${kind}  ${printable(key)}: ${printable(problem)}\n`;
}

function progressSink(context: Context) {
  const progress = progressOn(context);
  let reported = { step: "", rows: 0 };
  return async (step: string, rows: number): Promise<void> => {
    if (step === reported.step && rows - reported.rows < stepRows(context)) return;
    reported = { step, rows };
    if (await context.interrupted()) throw new Interrupted();
    if (rows > 0 || context.isInteractive) progress.step(`${step}: ${plural(rows, "row")}`);
  };
}

export const verifyCommands: readonly Command[] = [verifyCommand];
