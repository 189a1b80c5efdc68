// What the command line writes: output on stdout, other messages for the user on stderr; tables, and progress of long
// work.

type Write = (text: string) => void;

export type Terminal = {
  /** Output, as text or (with --json) as JSON. */
  readonly out: Write;
  /** Words to the person: warnings, progress, errors. */
  readonly err: Write;
  /** True where stderr is a terminal whose last line can be written over. */
  readonly isInteractive: boolean;
};

/** Progress of long work: one line that changes on a terminal, a plain line for each step elsewhere. */
export type Progress = { step(text: string): void; end(): void };

const REDRAW_MS = 100;
const CLEAR_LINE = "\r\u001B[2K";

export function progressOn(terminal: Terminal, now: () => number = Date.now): Progress {
  let renderedAt = 0;
  let last = "";
  return {
    step(text) {
      last = text;
      if (!terminal.isInteractive) return terminal.err(`${text}\n`);
      if (now() - renderedAt < REDRAW_MS) return;
      renderedAt = now();
      terminal.err(`${CLEAR_LINE}${text}`);
    },
    end() {
      if (terminal.isInteractive && last !== "") terminal.err(`${CLEAR_LINE}${last}\n`);
      last = "";
    },
  };
}

/** Rows of long work between two checks of the signal and the progress: a log needs fewer lines than a terminal. */
export function stepRows(terminal: Terminal): number {
  return terminal.isInteractive ? 20_000 : 250_000;
}

/** Columns side by side, as wide as their widest cell. The last one is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)));
  const lineOf = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join("  ");
  return [head, ...rows].map((cells) => `${lineOf(cells).trimEnd()}\n`).join("");
}

/** Text from elsewhere without anything that moves the cursor or colours the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  return text.replace(/[\u0000-\u001F\u007F-\u009F]/g, (character) => (character === "\n" ? " " : "\uFFFD"));
}

/** A value as a person reads it in a plan or a table. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (typeof value === "string") return printable(value);
  return typeof value === "boolean" ? (value ? "yes" : "no") : printable(JSON.stringify(value));
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** A value as JSON for people, on several lines. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
/** A value as JSON on one line. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;
