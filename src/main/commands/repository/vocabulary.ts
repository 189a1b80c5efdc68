// `arkstone vocabulary`: the lists of words the repository knows (R6a).

import { extname } from "node:path";
import {
  entryOfFunder,
  entryOfObject,
  entryOfRor,
  hasFunderColumns,
  hasPlainColumns,
  isRor,
} from "../../../repository/administration/vocabulary-dumps.ts";
import type { VocabularyEntry } from "../../../repository/store/vocabularies.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import { parseJson } from "../../../shared/json/read.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { csvReader } from "../../../shared/text/csv.ts";
import {
  arrayItemReader,
  type JsonObject,
  ndjsonReader,
  type Row,
  type RowReader,
  readRows,
} from "../../../shared/text/text-lines.ts";
import { jsonLine, plural, printable, progressOn } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { openInput } from "../input-file.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { showRecord, showRecords } from "./records.ts";
import { OPERATOR, withRepository } from "./repository-context.ts";

const list = command({
  name: "vocabulary list",
  summary: "List the vocabularies, or the entries of one",
  words: ["[TYPE]"],
  examples: ["arkstone vocabulary list", "arkstone vocabulary list licenses"],
  run: (context, _given, [type]) =>
    withRepository(context, async ({ admin: { vocabularies } }) => {
      if (type === undefined)
        return showRecords(context, await vocabularies.types(), ["type", "entries"], "No vocabulary");
      const entries = await vocabularies.list(type);
      const rows = context.json ? entries : entries.map(({ id, title }) => ({ id, en: title.en, ja: title.ja }));
      showRecords(context, rows, ["id", "en", "ja"], "No entry");
    }),
});

const set = command({
  name: "vocabulary set",
  summary: "Add an entry to a vocabulary, or change one",
  words: ["TYPE", "ID"],
  options: {
    en: { type: "string", value: "TEXT", help: "Its title in English" },
    ja: { type: "string", value: "TEXT", help: "Its title in Japanese" },
    props: { type: "string", value: "JSON", help: 'What else is known of it, such as {"url":"https://example.org/"}' },
  },
  examples: [
    'arkstone vocabulary set licenses house-1 --en "House licence" --ja 館内利用 --props \'{"url":"https://example.org/"}\'',
  ],
  run: (context, given, [type = "", id = ""]) =>
    withRepository(context, async ({ admin: { vocabularies } }) => {
      const known = (await vocabularies.types()).some((each) => each.type === type)
        ? (await vocabularies.list(type)).find((entry) => entry.id === id)
        : undefined;
      const en = given.en ?? known?.title.en ?? given.ja;
      if (en === undefined) throw new UsageError("--en is missing", 'See "arkstone vocabulary set --help"');
      const title = { en, ja: given.ja ?? known?.title.ja ?? en };
      showRecord(
        context,
        await vocabularies.save(OPERATOR, type, id, withoutUndefined({ title, props: propsOf(given.props) })),
      );
    }),
});

function propsOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(`--props must be a JSON object, not ${text.slice(0, 100)}`, "");
  }
}

const remove = command({
  name: "vocabulary remove",
  summary: "Remove an entry that was added here",
  words: ["TYPE", "ID"],
  details:
    "Items that name it keep it as it is written. Entries the program brings along stay; their titles can be changed.",
  examples: ["arkstone vocabulary remove licenses house-1"],
  run: (context, _given, [type = "", id = ""]) =>
    withRepository(context, async ({ admin: { vocabularies } }) => {
      await vocabularies.remove(OPERATOR, type, id);
      context.out(context.json ? jsonLine({ type, id, removed: true }) : `Removed ${id} from ${type}.\n`);
    }),
});

/** Entries of one transaction. */
const LOADED_TOGETHER = 1_000;
const SHOWN_ISSUES = 20;

type EntryReader = (type: string, bytes: AsyncIterable<Uint8Array>) => AsyncIterable<readonly Row<LoadedEntry>[]>;
type LoadedEntry = Omit<VocabularyEntry, "type">;

const FORMATS: Readonly<Record<string, EntryReader>> = {
  ".json": (type, bytes) => objectRows(type, bytes, arrayItemReader()),
  ".ndjson": (type, bytes) => objectRows(type, bytes, ndjsonReader()),
  ".jsonl": (type, bytes) => objectRows(type, bytes, ndjsonReader()),
  ".csv": tableRows,
};
/** What the dump of ROR is read into; plain entries may be, too. */
const OF_ROR: readonly string[] = ["affiliations", "funders"];

async function* objectRows(
  type: string,
  bytes: AsyncIterable<Uint8Array>,
  reader: RowReader<JsonObject>,
): AsyncGenerator<readonly Row<LoadedEntry>[]> {
  const read = (value: JsonObject): LoadedEntry =>
    type === "affiliations" || (OF_ROR.includes(type) && isRor(value)) ? entryOfRor(value) : entryOfObject(type, value);
  for await (const rows of readRows(bytes, reader, "any")) {
    yield rows.map((row) => ("wrong" in row ? row : entryIn(row.line, () => read(row.value))));
  }
}

async function* tableRows(type: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Row<LoadedEntry>[]> {
  let columns: readonly string[] | null = null;
  let read: (cells: ReadonlyMap<string, string>) => LoadedEntry = entryOfFunder;
  for await (const rows of readRows(bytes, csvReader(), "ended")) {
    yield rows.flatMap((row): Row<LoadedEntry>[] => {
      if ("wrong" in row) return [row];
      if (columns !== null) {
        const named = columns;
        const cells = new Map(named.map((column, at) => [column, row.value[at] ?? ""]));
        return [entryIn(row.line, () => read(cells))];
      }
      columns = row.value.map((column) => column.trim().toLowerCase());
      if (type === "funders" && hasFunderColumns(columns)) return [];
      read = (cells) => entryOfObject(type, Object.fromEntries(cells));
      if (hasPlainColumns(columns)) return [];
      throw new CommandRefusal(`There are no columns for an id and a name: ${columns.join(", ").slice(0, 200)}`);
    });
  }
}

function entryIn(line: number, read: () => LoadedEntry): Row<LoadedEntry> {
  try {
    return { line, value: read() };
  } catch (error) {
    return { line, wrong: errorMessage(error) };
  }
}

const load = command({
  name: "vocabulary load",
  summary:
    "Load a vocabulary from a file: organisations of ROR, funders of Crossref, subjects, awards, your own entries",
  words: ["TYPE", "FILE"],
  details: `
Into affiliations and funders goes the dump of ROR: .json (one array), or .ndjson and .jsonl with one of its records a line; funders also from the funder
registry (.csv with uri and primary_name_display, or id and name). Into subjects, awards and every other vocabulary go plain entries: an id, a title (title,
subject or name; en and ja for both languages), and what else is known, such as scheme, url, number, acronym, funder. The file is read as a stream. Entries
that are there already are changed, the others added; what cannot be read is reported and left out. After an interruption, run the command again.`,
  examples: [
    "arkstone vocabulary load affiliations v2.0-ror-data.json",
    "arkstone vocabulary load funders funderNames.csv",
    "arkstone vocabulary load subjects ndc.csv",
    "arkstone vocabulary load awards kaken.jsonl",
  ],
  async run(context, _given, [type = "", file = ""]) {
    const read = FORMATS[extname(file).toLowerCase()];
    if (read === undefined)
      throw new UsageError(
        `${file} ends with none of ${Object.keys(FORMATS).join(", ")}`,
        'See "arkstone vocabulary load --help"',
      );
    return await withRepository(context, async ({ admin: { vocabularies } }) => {
      const progress = progressOn(context);
      let [loaded, bad]: [number, number] = [0, 0];
      let batch: LoadedEntry[] = [];
      const write = async (): Promise<void> => {
        if (batch.length === 0) return;
        await vocabularies.load(OPERATOR, type, batch);
        loaded += batch.length;
        batch = [];
        progress.step(`${loaded} entries`);
      };
      for await (const rows of read(type, openInput(context, file))) {
        for (const row of rows) {
          if ("wrong" in row) {
            bad += 1;
            if (bad <= SHOWN_ISSUES) context.err(`${row.line}: ${printable(row.wrong)}\n`);
          } else batch.push(row.value);
          if (batch.length >= LOADED_TOGETHER) await write();
        }
      }
      await write();
      progress.end();
      context.out(
        context.json
          ? jsonLine({ type, loaded, bad })
          : `${plural(loaded, "entry", "entries")} of ${type} loaded${bad === 0 ? "" : `, ${bad} left out`}.\n`,
      );
      return loaded === 0 && bad > 0 ? 1 : 0;
    });
  },
});

export const vocabularyCommands: readonly Command[] = [list, set, remove, load];
