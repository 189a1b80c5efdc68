// Whether a process can do its work, as /readyz tells it (A15): all questions are asked together and waited for so long
// and no longer. One that is under way is never asked a second time, however many probes come.
import { inTime } from "../shared/time/event-loop.ts";

export type Check = {
  /** Null, or why not in one sentence. */
  readonly ask: () => Promise<string | null>;
  /** The reason where `ask` throws or is late. */
  readonly silent: string;
  /** How long an answer without a reason counts; 250 ms where it is left out. */
  readonly keptMs?: number;
};

/** A probe gives up after two seconds as a rule: the answer comes before. */
const DEADLINE_MS = 1_500;
/** A proof of writing costs a sync of the disk: probes that come faster share one. */
const KEPT_MS = 250;

export function readiness(checks: readonly Check[], elapsedMs: () => number): () => Promise<readonly string[]> {
  const questions = checks.map((check) => shared(check, elapsedMs));
  return async () => {
    const answers = await Promise.all(questions.map((question) => question()));
    return answers.filter((reason) => reason !== null);
  };
}

function shared({ ask, silent, keptMs = KEPT_MS }: Check, elapsedMs: () => number): () => Promise<string | null> {
  let under: Promise<string | null> | null = null;
  let last: { readonly reason: string | null; readonly at: number } | null = null;
  const askNow = async (): Promise<string | null> => {
    const reason = await ask().catch(() => silent);
    last = { reason, at: elapsedMs() };
    under = null;
    return reason;
  };
  return async () => {
    const counts = last !== null && elapsedMs() - last.at < (last.reason === null ? keptMs : KEPT_MS);
    if (last !== null && counts) return last.reason;
    under ??= askNow();
    return await inTime(under, DEADLINE_MS, () => silent);
  };
}
