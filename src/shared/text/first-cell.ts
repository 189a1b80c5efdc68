// The first cell of a table, read from the beginning of the file (R13a). Nothing is validated here; the readers of tables do that.

/** As many bytes as the probe wants to see; a longer first cell is nobody's mark. */
export const FIRST_CELL_BYTES = 4096;

/**
 * The first cell of a TSV or CSV file, quotes undone. UTF-8, or UTF-16 by its mark. Null when the file is empty.
 */
export function firstCell(head: Uint8Array): string | null {
  const isBig = head[0] === 0xfe && head[1] === 0xff;
  const isLittle = head[0] === 0xff && head[1] === 0xfe;
  const text = new TextDecoder(isBig ? "utf-16be" : isLittle ? "utf-16le" : "utf-8").decode(head);
  if (text === "") return null;
  const quoted = /^"((?:[^"]|"")*)"/.exec(text)?.[1];
  return quoted === undefined ? (/^[^\t,\r\n]*/.exec(text)?.[0] ?? "") : quoted.replaceAll('""', '"');
}
