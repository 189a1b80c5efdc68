// What the commands for settings of the repository share: one record as lines, JSON files, and options as members of a
// record.

import type { RecordOutput } from "../../../repository/administration/collection.ts";
import { joinedUpTo } from "../../../shared/bytes/byte-streams.ts";
import { parseJson } from "../../../shared/json/read.ts";
import { jsonText, printable, shown } from "../../process/terminal.ts";
import { showRows } from "../ark/registry-output.ts";
import { type Command, command } from "../command.ts";
import type { Context } from "../context.ts";
import { openInput } from "../input-file.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { type RepositoryServices, withRepository } from "./repository-context.ts";

/** Largest JSON file a command reads, in bytes. */
const FILE_MAX_BYTES = 16 * 1024 * 1024;

/** As JSON, or one line for each member. */
export function showRecord(context: Context, record: RecordOutput): void {
  if (context.json) {
    context.out(jsonText(record));
    return;
  }
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  for (const [name, value] of Object.entries(record)) {
    context.out(`${name.replaceAll("_", " ").padEnd(width)}  ${lineOf(value)}\n`);
  }
}

/** Titles in both languages as one text; everything else as it is. */
function readable(record: RecordOutput): RecordOutput {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, titleOf(value) ?? value]));
}

function titleOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("en" in value) || !("ja" in value)) return null;
  return value.en === value.ja ? String(value.en) : `${value.en} / ${value.ja}`;
}

function lineOf(value: unknown): string {
  const title = titleOf(value);
  if (title !== null) return shown(title);
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return shown(value.join(" "));
  return shown(value);
}

/** One JSON value from a file, `-` for standard input. */
export async function readJsonFile(context: Context, path: string): Promise<unknown> {
  const bytes = await joinedUpTo(openInput(context, path), FILE_MAX_BYTES);
  if (bytes === null) throw new CommandRefusal(`Cannot read ${path}: it has more than ${FILE_MAX_BYTES} bytes`);
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new CommandRefusal(
      `Cannot read ${path}: it is not JSON`,
      error instanceof Error ? printable(error.message) : "",
    );
  }
}

/** The command that lists records of one kind. */
export function listCommand(
  name: string,
  summary: string,
  rows: (services: RepositoryServices) => Promise<readonly RecordOutput[]>,
  columns: readonly string[],
  empty: string,
): Command {
  return command({
    name,
    summary,
    examples: [`arkstone ${name}`],
    run: (context) =>
      withRepository(context, async (services) => showRecords(context, await rows(services), columns, empty)),
  });
}

/** Words between commas or spaces. */
export function wordsOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(/[\s,]+/).filter((word) => word !== "");
}

/** A number, or `none` for none; undefined where nothing was given. */
export function numberOrNone(name: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  return text === "none" ? null : numberOption(name, text);
}

export function numberOption(name: string, text: string): number {
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} must be a whole number, not "${text}"`, "");
}

/** A word that names a thing by its number. */
export function idWord(text: string, what: string): number {
  const id = Number(text);
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(id)) return id;
  throw new UsageError(`${what} must be a number, not "${text}"`, "");
}

/** Rows of records, whose members are only known when they are shown. */
export function showRecords(
  context: Context,
  rows: readonly RecordOutput[],
  columns: readonly string[],
  empty: string,
): void {
  showRows<RecordOutput>(context, context.json ? rows : rows.map(readable), columns, empty);
}
