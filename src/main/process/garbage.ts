// Returns unused memory to the system.

/** Returns it now, where the runtime can be asked: some tens of milliseconds, for work that would let memory grow. */
export function collectGarbage(): void {
  if ("Bun" in globalThis) Bun.gc(true);
}

/** Returns it soon, in the background: no answer waits for it. */
export function collectGarbageSoon(): void {
  if ("Bun" in globalThis) Bun.gc(false);
}

/** Returns everything that the runtime can make again, compiled code included. */
export function shrinkHeap(): void {
  if ("Bun" in globalThis) Bun.shrink();
}
