// Yields to the event loop during long work, so that requests are answered and garbage is collected. The drivers of
// SQLite never wait: a loop over many statements without yields blocks all requests, and keeps about 400 bytes of
// garbage for each name it handles. And work that is waited for no longer than it may take.

/** Work on more text than this takes tens of milliseconds per step: yield between the steps. */
export const LONG_TEXT = 256 * 1024;
/** The same for a longer list of files. */
export const LONG_LIST = 1_000;

/** Deno takes a request in several turns of its loop: coming in, being read, being answered. */
const TURNS = "Deno" in globalThis ? 4 : 1;

const isOver = (left: number, resolve: () => void): void =>
  left === 0 ? resolve() : void setImmediate(() => isOver(left - 1, resolve));

const turns = (): Promise<void> => new Promise((resolve) => isOver(TURNS, resolve));

/** Concurrent tasks wait in line: otherwise a part of each of them would run between two requests. */
let line: Promise<void> = Promise.resolve();

export function yieldToEventLoop(): Promise<void> {
  line = line.then(turns);
  return line;
}

/** How long all that begins in one turn of the loop may run. */
const SHARE_MS = 25;
/** When the first of it began; 0: nothing has begun in this turn. */
let beganAt = 0;

/**
 * For the start of a request or of a piece of an answer: yields when other work of the same turn has already run for
 * long. A hundred requests that arrive together would otherwise be answered one after another before another connection
 * is read.
 */
export function yieldIfBusy(): Promise<void> | null {
  const now = performance.now();
  if (beganAt !== 0) return now - beganAt < SHARE_MS ? null : yieldToEventLoop();
  beganAt = now;
  setImmediate(() => {
    beganAt = 0;
  });
  return null;
}

/** What the work comes to; after `ms` milliseconds what `late` returns, or throws. The work itself goes on. */
export function inTime<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, deadline.then(late)]).finally(() => clearTimeout(timer));
}

// Work that pauses between its parts (R9a): the same work to its end without yielding, or with yields to the event
// loop.

/** What one part may hold the others up for. */
const PART_MS = 10;

export type InParts<Result> = Generator<void, Result>;

/** Does work to its end, giving way to others between its parts. */
export async function inTurns<Result>(work: InParts<Result>, partMs: number = PART_MS): Promise<Result> {
  for (;;) {
    const step = runPart(work, partMs);
    if (step.done) return step.value;
    await yieldToEventLoop();
  }
}

/** As many parts as fit into so long, one at least. */
export function runPart<Result>(work: InParts<Result>, partMs: number = PART_MS): IteratorResult<void, Result> {
  const end = performance.now() + partMs;
  for (;;) {
    const step = work.next();
    if (step.done || performance.now() >= end) return step;
  }
}

/** Does all of it without a pause. */
export function runWithoutYielding<Result>(work: InParts<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
