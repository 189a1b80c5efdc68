// Memory that nothing uses any more, given back to the system.

/** Has it given back soon, where the runtime lets itself be asked: beside the answering, which never waits for it. */
export function collectGarbage(): void {
  if ("Bun" in globalThis) Bun.gc(false);
}
