// Turns of the event loop in the middle of long work (R9a): works and requests that come together let others in
// between.
import { expect, test } from "bun:test";
import { yieldIfBusy, yieldToEventLoop } from "../../src/shared/time/event-loop.ts";

/** Runs the works together, and returns how many parts ran in the fullest turn of the loop. */
async function mostInOneTurn(works: number, run: (part: () => void) => Promise<void>): Promise<number> {
  let [parts, most, isOver] = [0, 0, false];
  const look = (): void => {
    [parts, most] = [0, Math.max(most, parts)];
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await Promise.all(Array.from({ length: works }, () => run(() => void parts++)));
  isOver = true;
  return Math.max(most, parts);
}

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test("R9a yieldToEventLoop() runs one part a turn, however many works go on at the same time", async () => {
  const most = await mostInOneTurn(50, async (part) => {
    for (let at = 0; at < 5; at++) {
      await yieldToEventLoop();
      part();
    }
  });
  // The end of one turn and the start of the next may fall between two looks.
  expect(most).toBeLessThanOrEqual(2);
});

test("R9a yieldIfBusy() lets long starts begin a few at a time, and short ones together", async () => {
  const start = (ms: number) => async (part: () => void) => {
    const busy = yieldIfBusy();
    if (busy !== null) await busy;
    part();
    work(ms);
  };
  expect(await mostInOneTurn(30, start(10))).toBeLessThanOrEqual(6);
  expect(await mostInOneTurn(30, start(0))).toBe(30);
});
