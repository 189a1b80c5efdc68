// Reads the words of a file in the current thread (R35): what the reader process and the reader thread do with an
// order.
import { unpacking } from "../adapters/unpacking.ts";
import type { PdfReading } from "../repository/full-text/pdf-reading.ts";
import { type ReadTextNeeds, readText } from "../repository/full-text/read-text.ts";
import type { TextOrder, TextOutcome } from "../repository/store/text-reading.ts";
import { errorMessage } from "../shared/error-message.ts";

/** Of the time that a file has; the rest is for what was read of it. */
const SOFT_SHARE = 0.8;

/** Loaded with the first PDF: it takes longer than most files. */
async function pdfReading(): Promise<PdfReading> {
  const [{ pdfText }, { CMAPS }] = await Promise.all([
    import("../adapters/pdf-text.ts"),
    import("../assets/cmaps/index.ts"),
  ]);
  return pdfText({ cmaps: CMAPS });
}

export function textHere(seconds: number): (order: TextOrder, bytes: Uint8Array) => Promise<TextOutcome> {
  const needs: ReadTextNeeds = {
    unpacking: unpacking(),
    pdf: pdfReading,
    elapsedMs: () => performance.now(),
    softMs: seconds * 1000 * SOFT_SHARE,
  };
  return async (order, bytes) => {
    try {
      return await readText(needs, order, bytes);
    } catch (error) {
      // The runtime reports texts and buffers above its limits as a RangeError. Any other error is caused by this file
      // as well.
      const state = error instanceof RangeError ? "too-large" : "unreadable";
      return { state, reason: `Its reader gave up: ${errorMessage(error)}`, text: "" };
    }
  };
}
