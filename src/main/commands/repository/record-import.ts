// `arkstone record import`: works described in files of other formats become drafts of records (R38).
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Viewer } from "../../../auth/account.ts";
import { IMPORT_FORMATS, type ImportFormat, readImport } from "../../../formats/import/read.ts";
import { missingToPublish } from "../../../formats/record/record.ts";
import { mainTitle } from "../../../model/metadata/metadata.ts";
import { identityRights } from "../../../repository/people/current-viewer.ts";
import { DocumentError } from "../../../shared/document-error.ts";
import { most } from "../../../shared/limits.ts";
import { isRefusal } from "../../../shared/refusal.ts";
import { jsonLine, plural, printable, progressOn } from "../../process/terminal.ts";
import { recordsOf } from "../../repository/record-core.ts";
import { command } from "../command.ts";
import type { Context } from "../context.ts";
import { bytesOf } from "../input-file.ts";
import { UsageError } from "../refusals.ts";
import { namedAccount, OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";

/** By the end of a file's name. */
const ENDINGS: Readonly<Record<string, ImportFormat>> = {
  ".bib": "bibtex",
  ".bibtex": "bibtex",
  ".jsonld": "jsonld",
  ".ris": "ris",
};

export const recordImportCommand = command({
  name: "record import",
  summary: "Make drafts of records from files in other formats",
  words: ["FILE..."],
  options: {
    user: { type: "string", value: "USER", help: "Whose the drafts are: e-mail, ePPN or id of an account" },
    format: { type: "string", value: "FORMAT", help: `${IMPORT_FORMATS.join(", ")}; left out: as the file is named` },
    "dry-run": { type: "boolean", help: "Read and tell, write nothing" },
  },
  details: `
Files that end in .bib are BibTeX, in .jsonld JSON-LD; for others name the format. A file of BibTeX or CSL-JSON may describe many works, each of
which becomes a separate draft. What a draft has no place for is reported with file and line, and so is what a draft
needs before it can be published. A file that cannot be read is reported and the others are still read: the exit code is 1 then.`,
  examples: [
    "arkstone record import library.bib --user ada@example.org --dry-run",
    "arkstone record import works.json --format csl --user ada@example.org",
  ],
  run: (context, given, files) => {
    const { user } = given;
    const isDry = given["dry-run"] === true;
    if (user === undefined && !isDry) throw new UsageError("--user must name whose the drafts are", "");
    const works = (file: string) => worksOf(file, given.format);
    return withRepository(context, async (services) => {
      const viewer = user === undefined ? OPERATOR : await personOf(services, user);
      const records = recordsOf(services);
      const progress = progressOn(context);
      const counts = { imported: 0, failed: 0 };
      for (const file of files) {
        try {
          for (const work of await works(file)) {
            if (await context.interrupted()) return 130;
            const where = `${file}:${work.line}`;
            if (isDry)
              tell(context, where, null, work, "metadata" in work ? missingToPublish(work.metadata, null) : []);
            else {
              const { view } = await records.importWork(viewer, work);
              tell(context, where, view.item.id, { ...work, metadata: view.content.metadata }, view.errors ?? []);
            }
            counts.imported += 1;
            if (context.isInteractive) progress.step(`${plural(counts.imported, "work")} read`);
          }
        } catch (error) {
          if (!(error instanceof DocumentError || isRefusal(error) || isFileFault(error))) throw error;
          counts.failed += 1;
          context.err(`${file}: ${printable(error instanceof Error ? error.message : String(error))}\n`);
        }
      }
      progress.end();
      const done = isDry
        ? `Read ${plural(counts.imported, "work")}; nothing was written`
        : `Made ${plural(counts.imported, "draft")}`;
      const failed = counts.failed === 0 ? "" : `; ${plural(counts.failed, "file")} could not be read to the end`;
      context.out(context.json ? jsonLine(counts) : `${done}${failed}.\n`);
      return counts.failed === 0 ? 0 : 1;
    });
  },
});

/** The account as which the drafts are made: they are its own. */
async function personOf(services: RepositoryServices, name: string): Promise<Viewer> {
  const { id } = await namedAccount(services, name);
  const identity = await services.store.accounts.identity(id);
  return identity === null ? OPERATOR : { ...OPERATOR, ...identityRights(identity) };
}

type ImportedWork = { readonly metadata?: Parameters<typeof mainTitle>[0]; readonly lost: readonly string[] };
type Faults = readonly { readonly field: string; readonly messages: readonly string[] }[];

function tell(context: Context, where: string, id: number | null, work: ImportedWork, errors: Faults): void {
  const title = work.metadata === undefined ? "" : mainTitle(work.metadata);
  if (context.json) {
    context.out(jsonLine({ file: where, id, title, lost: work.lost, errors }));
    return;
  }
  context.out(`${where}  ${id === null ? "" : `draft ${id}  `}${printable(title)}\n`);
  for (const lost of work.lost) context.err(`${where}: not taken: ${printable(lost)}\n`);
  for (const { field, messages } of errors) context.err(`${where}: ${printable(`${field}: ${messages.join(" ")}`)}\n`);
}

async function worksOf(file: string, named: string | undefined) {
  const format =
    IMPORT_FORMATS.find((each) => each === named) ??
    (named === undefined ? ENDINGS[extname(file).toLowerCase()] : undefined);
  if (format === undefined) {
    throw new DocumentError(`Its format is not known: name one of ${IMPORT_FORMATS.join(", ")} with --format`);
  }
  const { size } = await stat(file);
  if (size > most("documentBytes"))
    throw new DocumentError(`It has ${size} bytes, ${most("documentBytes")} are read at most`);
  const pieces: Uint8Array[] = [];
  for await (const piece of bytesOf(file)) pieces.push(piece);
  return readImport(
    format,
    new Uint8Array(await new Blob(pieces.map((piece) => Uint8Array.from(piece))).arrayBuffer()),
  );
}

const isFileFault = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code));
