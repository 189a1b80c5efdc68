// What readers of line-based files share: a row with the line it begins on, and UTF-8 text out of chunks of bytes.

/** Characters of one row at most: eleven fields of 10,000 fit; a file without line ends cannot fill the memory. */
export const ROW_MAX = 262_144;

/** One row of a file: what it holds, or why it cannot be read. `line` counts from 1, empty lines too. */
export type Row<T> = { readonly line: number } & ({ readonly value: T } | { readonly wrong: string });

/** A reader that is handed text piece by piece and returns the complete rows. */
export interface RowReader<T> {
  push(text: string): Row<T>[];
  /** The rows that only the end of the file completes. */
  end(): Row<T>[];
}

/** What bytes that are not UTF-8 become: a row that holds it is refused, because its text is not what was meant. */
const REPLACEMENT = "\uFFFD";
export const NOT_UTF8 = "is not valid UTF-8";

export function isBroken(text: string): boolean {
  return text.includes(REPLACEMENT);
}

/**
 * Whether the last line may lack its line end. A file that was cut off ends inside a line: where a value may be any text, the shortened value cannot
 * be distinguished from a whole one.
 */
export type LastLine = "ended" | "any";

export const NO_LINE_END = "has no line end, so the file may be cut off; add a line end if it is complete";

/** Rows of a stream of bytes, in lists as they become complete. A byte order mark is dropped. Holds one row in memory. */
export async function* readRows<T>(
  chunks: AsyncIterable<Uint8Array>,
  reader: RowReader<T>,
  lastLine: LastLine,
): AsyncGenerator<readonly Row<T>[]> {
  const decoder = new TextDecoder("utf-8");
  let isEnded = true;
  const push = (text: string): Row<T>[] => {
    if (text !== "") isEnded = text.endsWith("\n");
    return reader.push(text);
  };
  for await (const chunk of chunks) {
    const rows = push(decoder.decode(chunk, { stream: true }));
    if (rows.length > 0) yield rows;
  }
  const rest = [...push(decoder.decode()), ...reader.end()];
  const last = rest.at(-1);
  if (lastLine === "ended" && !isEnded && last !== undefined)
    rest.splice(-1, 1, { line: last.line, wrong: NO_LINE_END });
  if (rest.length > 0) yield rest;
}
