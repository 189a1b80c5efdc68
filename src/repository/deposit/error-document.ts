// The SWORD error document (specification, "Error document" and "Deposit error types"; R13c).

import type { Json } from "../../shared/json/json.ts";
import type { SwordErrorType } from "./messages.ts";
import { SWORD_CONTEXT, swordTime } from "./sword-terms.ts";

/** The document as JSON. `log` is never output. `at` in milliseconds since 1970. */
export function errorDocument(type: SwordErrorType, error: string, at: number): { readonly [key: string]: Json } {
  return {
    "@context": SWORD_CONTEXT,
    "@type": type,
    error,
    timestamp: swordTime(at),
  };
}
