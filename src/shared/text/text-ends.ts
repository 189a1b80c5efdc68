// The end of a text cut off in one pass: an expression of the form `X+$` begins again at every X of a text that goes on behind.

/** The text without the characters at its end that are among these. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
