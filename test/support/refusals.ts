// The code and detail of a refused call, so that a test can compare both at once.
import { ServiceError, ValidationRefusal } from "../../src/shared/errors.ts";

type Refused = { readonly code: number; readonly detail: Readonly<Record<string, unknown>> };

/** The refusal a call ended with; a call that succeeds, or fails otherwise, fails the test. */
export async function refusalOf(call: () => unknown): Promise<ServiceError> {
  const error = await errorOf(call);
  if (error instanceof ServiceError) return error;
  throw error;
}

export async function validationRefusalOf(call: () => unknown): Promise<ValidationRefusal> {
  const error = await errorOf(call);
  if (error instanceof ValidationRefusal) return error;
  throw error;
}

/**
 * What a call failed with. `expect(…).rejects` waits in a loop of Bun's own, in which messages of threads do not
 * arrive: for a store that a thread writes, this is the way.
 */
export async function errorOf(call: () => unknown): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await call();
  } catch (error) {
    return error;
  }
  throw new Error(`Expected a refusal, got ${JSON.stringify(answer)?.slice(0, 300)}`);
}

/** Code and detail of a refusal. */
export async function refused(call: () => unknown): Promise<Refused> {
  const { code, detail } = await refusalOf(call);
  return { code, detail };
}
