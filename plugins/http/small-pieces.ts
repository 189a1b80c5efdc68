// Bodies that come in many small pieces: reading them yields to the event loop, and one of nothing but tiny pieces is ended (R9a).

import { LIMITS } from "../../src/shared/limits.ts";
import { yieldToEventLoop } from "../../src/shared/time/event-loop-turn.ts";

/** A network packet holds more: only chunked encoding makes smaller pieces, and the runtime joins those that arrive during a turn. */
const SMALL_BYTES = 1024;
/** What a tiny piece has at most, on average over a body. */
const TINY_BYTES = 16;

/** For one body: called with the bytes of each piece; false when the body must be ended. */
export function smallPieces(): (bytes: number) => Promise<boolean> {
  let [pieces, received] = [0, 0];
  return async (bytes) => {
    pieces += 1;
    received += bytes;
    if (bytes < SMALL_BYTES) await yieldToEventLoop();
    return pieces <= LIMITS.tinyPieces.most || received >= pieces * TINY_BYTES;
  };
}
