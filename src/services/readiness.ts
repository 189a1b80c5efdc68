// Whether a process can do its work, as /readyz tells it (A15): all questions are asked together and waited for so long and no longer. One
// that is under way is never asked a second time, however many probes come.

/** `ask` gives null, or why not in one sentence; where it throws or is late, `silent` is the reason. */
export type Check = { readonly ask: () => Promise<string | null>; readonly silent: string };

/** A probe gives up after two seconds as a rule: the answer comes before. */
const DEADLINE_MS = 1_500;
/** A proof of writing costs a sync of the disk: probes that come faster share one. */
const KEPT_MS = 250;

export function readiness(checks: readonly Check[], elapsedMs: () => number): () => Promise<readonly string[]> {
  const questions = checks.map(shared);
  let answers: Promise<readonly string[]> | null = null;
  let askedAt = 0;
  return async () => {
    if (answers === null || elapsedMs() - askedAt > KEPT_MS) {
      askedAt = elapsedMs();
      answers = Promise.all(questions.map((question) => question())).then((said) =>
        said.filter((reason) => reason !== null),
      );
    }
    return await answers;
  };
}

function shared({ ask, silent }: Check): () => Promise<string | null> {
  let under: Promise<string | null> | null = null;
  return async () => {
    under ??= ask()
      .catch(() => silent)
      .finally(() => {
        under = null;
      });
    return await within(under, silent);
  };
}

async function within(question: Promise<string | null>, silent: string): Promise<string | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(silent), DEADLINE_MS);
  });
  try {
    return await Promise.race([question, late]);
  } finally {
    clearTimeout(timer);
  }
}
