// Slots for files that are received at once, a limited number (R7a, R9a); an interrupted or too long body is refused in
// the words of this interface.
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { StorageProblem } from "../../storage/limits.ts";
import { orStorageAway } from "../../storage/unavailable.ts";
import { FILE_SENTENCES, tooLargeFile } from "./sentences.ts";

export type FileBody = {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** As the request declares it; null: it does not. */
  readonly lengthBytes: number | null;
};

/** Counts those of one server together. */
export type Receiver = <T>(work: () => Promise<T>, wrongSize?: string) => Promise<T>;

const BUSY = new Refusal("unavailable", "Too many files are being received at the moment", {
  headers: { "retry-after": "10" },
});

export function receiver(): Receiver {
  let receiving = 0;
  return async (work, wrongSize = FILE_SENTENCES.failed) => {
    if (receiving >= most("uploadsAtOnce")) throw BUSY;
    receiving += 1;
    try {
      return await work();
    } catch (error) {
      throw orFailed(error, wrongSize);
    } finally {
      receiving -= 1;
    }
  };
}

/**
 * The error that ends an upload, in the words of this interface: too few or too many bytes, or an interruption, are to
 * be sent again.
 */
function orFailed(error: unknown, wrongSize: string): unknown {
  if (error instanceof Refusal) return error;
  if (!(error instanceof StorageProblem)) return error;
  if (error.kind === "too_large") return tooLargeFile();
  if (error.kind === "wrong_size") return new Refusal("invalid", wrongSize, { cause: error });
  if (error.kind === "no_space") {
    return new Refusal("unavailable", "Not enough disk space for this file at the moment", {
      headers: { "retry-after": "60" },
      cause: error,
    });
  }
  return orStorageAway(error);
}
