// Memory that nothing uses any more, given back to the system.

/** Has it given back at once, where the runtime lets itself be asked: some tens of milliseconds, for work that would let memory grow. */
export function collectGarbage(): void {
  if ("Bun" in globalThis) Bun.gc(true);
}

/** Has it given back soon: beside the answering, which never waits for it. */
export function collectGarbageSoon(): void {
  if ("Bun" in globalThis) Bun.gc(false);
}
