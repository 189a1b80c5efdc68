// A turn of the event loop in the middle of long work: requests are answered meanwhile, and garbage is collected. The drivers of SQLite
// never wait, so without it a loop over many statements holds everything up; and a long run that never turns keeps some 400 octets of
// garbage for each name it handles.

/** Work on more text than this takes tens of milliseconds at each step: a turn belongs between them. */
export const LONG_TEXT = 256 * 1024;
/** And so is a longer list of files. */
export const LONG_LIST = 1_000;

/** Deno takes a request in several turns of its loop: coming in, being read, being answered. */
const TURNS = "Deno" in globalThis ? 4 : 1;

const isOver = (left: number, resolve: () => void): void =>
  left === 0 ? resolve() : void setImmediate(() => isOver(left - 1, resolve));

const turns = (): Promise<void> => new Promise((resolve) => isOver(TURNS, resolve));

/** Where a request takes several turns, works that go on beside each other wait in line: otherwise a part of each would lie between two of them. */
let line: Promise<void> = Promise.resolve();

export function turn(): Promise<void> {
  if (TURNS === 1) return turns();
  line = line.then(turns);
  return line;
}
