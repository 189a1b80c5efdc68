// `arkstone author import` and `export`: the author database out of files and into them (R6a).
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import type { Author } from "../../../model/agents/author.ts";
import { authorAnswer } from "../../../repository/authors/author-answers.ts";
import { authorOfRow, placeOf, rowOfAuthor, type TableSchemes } from "../../../repository/authors/author-table.ts";
import { type AuthorImport, type AuthorIssue, importAuthors } from "../../../repository/authors/importing.ts";
import { authorOfOrcid, isOrcidRecord } from "../../../repository/authors/orcid-record.ts";
import type { AuthorReader } from "../../../repository/store/authors.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import { parseJson } from "../../../shared/json/read.ts";
import { isObject } from "../../../shared/objects.ts";
import { csvLine, csvReader, guardedCell, unguardedCell } from "../../../shared/text/csv.ts";
import { ndjsonReader, type Row, readRows } from "../../../shared/text/text-lines.ts";
import { jsonLine, plural, printable, progressOn } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { bytesOf } from "../input-file.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { withRepository } from "./repository-context.ts";

const SHOWN_ISSUES = 50;
/** A record of one person. */
const ORCID_BYTES_MAX = 20_000_000;
const PAGE = 500;

const schemesOf = async (reader: AuthorReader): Promise<TableSchemes> => {
  const choices = await reader.authorChoices();
  const of = (kind: string) => choices.filter((each) => each.kind === kind).map(({ id }) => id);
  return { authors: of("author"), institutions: of("institution") };
};

/** Records as the interface takes them; a column that means nothing is refused before the first row. */
async function* csvRows(file: string, schemes: TableSchemes): AsyncGenerator<readonly Row<unknown>[]> {
  let columns: readonly string[] | null = null;
  for await (const rows of readRows(bytesOf(file), csvReader(), "ended")) {
    yield rows.flatMap((row): Row<unknown>[] => {
      if ("wrong" in row) return [row];
      if (columns === null) {
        columns = row.value.map((column) => column.trim());
        const unknown = columns.filter((column) => placeOf(column, schemes) === null);
        if (unknown.length > 0)
          throw new CommandRefusal(
            `Columns that mean nothing here: ${unknown.map(printable).join(", ")}`,
            'See "arkstone author import --help"',
          );
        return [];
      }
      const { line } = row;
      if (row.value.length > columns.length)
        return [{ line, wrong: `has ${row.value.length} fields, the first line has ${columns.length}` }];
      const cells = new Map(columns.map((column, at) => [column, unguardedCell(row.value[at] ?? "")]));
      return [{ line, value: authorOfRow(cells, schemes) }];
    });
  }
}

async function* ndjsonRows(file: string, schemes: TableSchemes): AsyncGenerator<readonly Row<unknown>[]> {
  for await (const rows of readRows(bytesOf(file), ndjsonReader(), "any")) {
    yield rows.map((row) => ("wrong" in row ? row : { line: row.line, value: recordOf(row.value, schemes) }));
  }
}

/** A record of our interface, the object that contains one, or a public record of ORCID. */
function recordOf(value: unknown, schemes: TableSchemes): unknown {
  if (isOrcidRecord(value)) return authorOfOrcid(value, schemes);
  return isObject(value) && isObject(value.author) ? value.author : value;
}

async function* orcidRow(file: string, schemes: TableSchemes): AsyncGenerator<readonly Row<unknown>[]> {
  if (statSync(file).size > ORCID_BYTES_MAX)
    throw new CommandRefusal(`${file} is larger than a record of one person can be`);
  let value: unknown;
  try {
    value = parseJson(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandRefusal(`${file} is not JSON: ${errorMessage(error)}`);
  }
  if (!isOrcidRecord(value))
    throw new CommandRefusal(`${file} is not a public record of ORCID: it has no orcid-identifier`);
  yield [{ line: 1, value: authorOfOrcid(value, schemes) }];
}

const READERS = { ".csv": csvRows, ".ndjson": ndjsonRows, ".jsonl": ndjsonRows, ".json": orcidRow } as const;

function readerOf(file: string) {
  const end = extname(file).toLowerCase();
  if (Object.hasOwn(READERS, end)) return READERS[end as keyof typeof READERS];
  throw new UsageError(
    `${file} ends with none of ${Object.keys(READERS).join(", ")}`,
    'See "arkstone author import --help"',
  );
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch (error) {
    throw new CommandRefusal(`Cannot read ${file}: ${errorMessage(error)}`);
  }
  return hash.digest("hex");
}

const importFile = command({
  name: "author import",
  summary: "Import authors from a CSV or NDJSON file, or from a public record of ORCID",
  words: ["FILE"],
  options: {
    "dry-run": { type: "boolean", help: "Check every row and write nothing" },
    "skip-bad": { type: "boolean", help: "Leave bad rows out instead of stopping before their batch" },
  },
  details: `
NDJSON has one record of the interface a line ("arkstone author export" writes it), or one public record of ORCID. A JSON file is one public record of
ORCID. CSV begins with a line of columns: family_name, given_name, language, email, a column for each scheme (ORCID, LOCAL, ...), affiliation,
affiliation_language, affiliation_from, affiliation_to, affiliation_ROR, ..., communities (short names, with commas). Further ones are numbered:
family_name2, affiliation2, affiliation2_ROR.
Numbers of the scheme LOCAL are kept where they are nobody's. 500 rows are one transaction; a run that was cut off goes on when the same file is
imported again.`,
  examples: [
    "arkstone author import authors.csv --dry-run",
    "arkstone author import authors.ndjson",
    "arkstone author import 0000-0002-1825-0097.json",
  ],
  async run(context, given, [file = ""]) {
    const reader = readerOf(file);
    const digest = await digestOf(file);
    return await withRepository(context, async ({ store, clock, random }) => {
      const progress = progressOn(context);
      let shown = 0;
      const tell = (issues: readonly AuthorIssue[]): void => {
        for (const { line, reason } of issues) {
          shown += 1;
          if (shown <= SHOWN_ISSUES) context.err(`line ${line}: ${printable(reason)}\n`);
        }
      };
      const result = await importAuthors({ store, clock, random }, reader(file, await schemesOf(store.authors)), {
        file: digest,
        dryRun: given["dry-run"] === true,
        skipBad: given["skip-bad"] === true,
        onIssues: tell,
        onProgress: ({ created, line }) => progress.step(`${plural(created, "author")}, line ${line}`),
        isInterrupted: context.interrupted,
      });
      progress.end();
      if (shown > SHOWN_ISSUES) context.err(`... and ${shown - SHOWN_ISSUES} more\n`);
      context.out(context.json ? jsonLine(result) : summaryOf(result, given["dry-run"] === true));
      return result.end === "done" && (result.bad === 0 || given["skip-bad"] === true) ? 0 : 1;
    });
  },
});

function summaryOf({ created, bad, line, end }: AuthorImport, dryRun: boolean): string {
  const done = dryRun ? `${plural(created, "author")} would be imported` : `${plural(created, "author")} imported`;
  const left = bad === 0 ? "" : `, ${plural(bad, "row")} bad`;
  const next = {
    done: "",
    "bad-rows": `; stopped behind line ${line}: nothing of the next batch was written`,
    interrupted: `; stopped behind line ${line}: the same command goes on`,
  };
  return `${done}${left}${next[end]}.\n`;
}

async function* everyAuthor(reader: AuthorReader): AsyncGenerator<Author> {
  for (let after = 0; ; ) {
    const page = await reader.authorsAfter(after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

const exportFile = command({
  name: "author export",
  summary: "Write all authors to standard output, as NDJSON or as CSV",
  options: {
    csv: {
      type: "boolean",
      help: "A table, without what a table cannot hold: what is hidden, further names and periods of an affiliation",
    },
  },
  details: `
"arkstone author import" reads both. Deleted authors, and those who were taken in by others, are not among them.`,
  examples: ["arkstone author export > authors.ndjson", "arkstone author export --csv > authors.csv"],
  run: (context, { csv }) =>
    withRepository(context, async ({ store }) => {
      if (csv !== true) {
        for await (const author of everyAuthor(store.authors)) context.out(jsonLine(authorAnswer(author)));
        return;
      }
      // Read twice: which columns there are is known behind the last author.
      const columns = new Set<string>(["LOCAL", "family_name", "given_name", "language"]);
      for await (const { content, communities } of everyAuthor(store.authors)) {
        for (const column of rowOfAuthor(content, communities).keys()) columns.add(column);
      }
      const sorted = [...columns];
      context.out(csvLine(sorted));
      for await (const { content, communities } of everyAuthor(store.authors)) {
        const cells = rowOfAuthor(content, communities);
        context.out(csvLine(sorted.map((column) => guardedCell(cells.get(column) ?? ""))));
      }
    }),
});

export const authorFileCommands: readonly Command[] = [importFile, exportFile];
