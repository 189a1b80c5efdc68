// A turn of the event loop in the middle of long work: requests are answered meanwhile, and garbage is collected. The drivers of SQLite
// never wait, so without it a loop over many statements holds everything up; and a long run that never turns keeps some 400 bytes of
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

/** Works that run at the same time wait in line: otherwise a part of each of them would lie between two requests. */
let line: Promise<void> = Promise.resolve();

export function turn(): Promise<void> {
  line = line.then(turns);
  return line;
}

/** How long all that begins in one turn of the loop may run. */
const SHARE_MS = 25;
/** When the first of it began; 0: nothing has begun in this turn. */
let beganAt = 0;

/**
 * For the start of a request or of a piece of an answer: where others of the same turn have run for long already, it waits for a turn. A hundred
 * requests that arrive together would otherwise be answered one after another before any other connection is read.
 */
export function turnIfBusy(): Promise<void> | null {
  const now = performance.now();
  if (beganAt !== 0) return now - beganAt < SHARE_MS ? null : turn();
  beganAt = now;
  setImmediate(() => {
    beganAt = 0;
  });
  return null;
}
