// The message of an error. Anything can be thrown, also values that are not errors.

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
