// A text as numbered lines, page by page (Q.83): only the lines of the page are cut out of the text.

export type TextLines = {
  /** The number of the first line, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
  readonly page: number;
  readonly pages: number;
  /** Lines of the whole text. */
  readonly count: number;
};

const [TAKE_ALL, NEW_LINE, RETURN] = [Number.POSITIVE_INFINITY, 0x0a, 0x0d];

/** The lines of a page (from 1) of a text; of the last one where there are not as many. */
export function textLines(text: string, asked: number, linesPerPage: number): TextLines {
  const { count } = linesIn(text, TAKE_ALL, 0);
  const pages = Math.max(1, Math.ceil(count / linesPerPage));
  const page = Math.min(Math.max(1, asked), pages);
  const first = (page - 1) * linesPerPage;
  return { first: first + 1, lines: linesIn(text, first, linesPerPage).lines, page, pages, count };
}

/** One pass over the text. What ends with a line end has no empty line after it. */
function linesIn(text: string, first: number, most: number): { readonly lines: string[]; readonly count: number } {
  const lines: string[] = [];
  let [count, start] = [0, 0];
  const take = (end: number): void => {
    if (count >= first && lines.length < most) lines.push(text.slice(start, end));
    count += 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== NEW_LINE && code !== RETURN) continue;
    take(at);
    if (code === RETURN && text.charCodeAt(at + 1) === NEW_LINE) at += 1;
    start = at + 1;
  }
  if (start < text.length) take(text.length);
  return { lines, count };
}
