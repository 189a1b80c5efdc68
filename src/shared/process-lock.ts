// A lock that lives as long as the process that holds it, however that ends (R7a, R13): by it a process knows which
// others are there.

export type ProcessLock = { readonly release: () => Promise<void> };

/** Takes the lock that a file represents, created if missing. Null when another process has it, or that is unknown. */
export type HoldLock = (path: string) => Promise<ProcessLock | null>;
