// What an error says. Anything can be thrown, and some of it is no error.

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
