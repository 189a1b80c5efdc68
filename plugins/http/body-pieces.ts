// The body of a request as it comes, for what may be large (R13, R37): only the time that is spent waiting for the client counts.
import { inTime } from "../../src/shared/time/deadline.ts";
import { smallPieces } from "./small-pieces.ts";

export type SlowLimits = {
  /** Seconds without a byte of the body; the whole body may take this long plus its time at the lowest rate (SVC_CLIENT_SECONDS). */
  readonly clientSeconds: number;
  /** Slower than this nobody sends who means it: a place is not held with single bytes (SVC_LEAST_UPLOAD_RATE). */
  readonly leastBytesPerSecond: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

type BodyRefusals = { readonly tooSlow: () => never; readonly brokenOff: (cause: unknown) => never };

/** A body that stops for too long, comes too slowly or in tiny pieces, or whose client has left, ends with what `refusing` throws. */
export async function* bodyPieces(
  request: Request,
  { clientSeconds, leastBytesPerSecond, now }: SlowLimits,
  { tooSlow, brokenOff }: BodyRefusals,
): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  let isDone = false;
  let [received, waitedMs] = [0, 0];
  const areLargeEnough = smallPieces();
  try {
    for (;;) {
      const leftSeconds = clientSeconds + received / leastBytesPerSecond - waitedMs / 1000;
      const began = now();
      const waitMs = Math.max(0, Math.min(clientSeconds, leftSeconds)) * 1000;
      const { done, value } = await inTime(reader.read().catch(brokenOff), waitMs, tooSlow);
      waitedMs += Math.max(0, now() - began);
      received += value?.length ?? 0;
      if (done) {
        isDone = true;
        return;
      }
      yield value;
      if (!(await areLargeEnough(value.length))) tooSlow();
    }
  } finally {
    // What is refused is not read to its end.
    if (!isDone) await reader.cancel().catch(() => {});
  }
}
