// What is asked of a list of requests in words (R37): `q` of list_requests, as conditions on their fields.
import type { Sought } from "../model/sought.ts";

const WORDS_MAX = 20;

export function requestsSought(q: string): Sought {
  const words = q.split(/\s+/u, WORDS_MAX).filter((word) => word !== "");
  return { kind: "any", of: words.map((text) => ({ kind: "contains", field: "words", text })) };
}
