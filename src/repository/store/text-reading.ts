// Takes words out of one file without blocking the server (R35): in a process or thread that is ended when it takes too
// long or too much. Only bytes and plain values are exchanged with it.
import type { TextState } from "./full-text.ts";

/** Of the reader as a whole: raised when it reads a format better, so that files are read again. */
export const READER_VERSION = 1;

export type TextOrder = {
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** The most characters to return. */
  readonly characters: number;
  /** The bytes are the beginning of the file only. */
  readonly isCut: boolean;
};

/** `reason` also states what is missing of a text that is `done`. */
export type TextOutcome = { readonly state: TextState; readonly reason: string; readonly text: string };

export interface TextReading {
  /**
   * Never fails for what is in the file: that is an outcome.
   *
   * @param bytes Opened once more where a reader died over them, to be sure that it was they.
   * @throws the error of `bytes`, when they fail; the signal's reason; an Error when no reader is available
   */
  read(order: TextOrder, bytes: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<TextOutcome>;
}
