// What failed in parallel with other tests is run once more alone, after everything else has ended: a machine too busy
// for one moment fails no change, a fault does. Only a few files may need it, and it is never silent.
import type { FailedFile } from "./runner-output.ts";

export type Failure = FailedFile & { readonly runner: string };

/** Where more files fail the cause is not chance. */
const MOST_FILES = 3;

type SecondRun = {
  /** How many failures count as passed. */
  readonly excused: number;
  readonly messages: readonly string[];
};

/** @param passesAlone runs one file, with nothing in parallel. */
export async function runAgain(
  failures: readonly Failure[],
  passesAlone: (failure: Failure) => Promise<boolean>,
): Promise<SecondRun> {
  if (failures.length > MOST_FILES) {
    return { excused: 0, messages: [`${failures.length} files failed: none is run again, ${MOST_FILES} would be`] };
  }
  const messages: string[] = [];
  let excused = 0;
  for (const failure of failures) {
    const { path, runner, tests, output } = failure;
    if (await passesAlone(failure)) {
      excused += tests.length;
      messages.push(
        output,
        ...tests.map((name) => `failed in parallel and passed alone: ${path} on ${runner}, ${name}`),
      );
    } else messages.push(`failed again alone: ${path} on ${runner}`);
  }
  return { excused, messages };
}
