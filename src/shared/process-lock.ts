// A lock that lives as long as the process that holds it, however that ends (R7a, R13): by it a process knows which others are there.

export type ProcessLock = { readonly release: () => Promise<void> };

/** Takes the lock a file stands for, made where it is missing. Null when another process has it, or nobody can say. */
export type HoldLock = (path: string) => Promise<ProcessLock | null>;
