// Loaded into a resolver before its program (`--preload`): the other threads start and never serve. The 30 seconds they
// have are shortened.
import { createRequire } from "node:module";

// The module itself: what an import gives is not always what others import later.
const threads: typeof import("node:worker_threads") = createRequire(import.meta.url)("node:worker_threads");
const Real = threads.Worker;
const realTimeout = globalThis.setTimeout;

threads.Worker = class extends Real {
  constructor(file: string | URL) {
    if (String(file).endsWith("/resolver-worker.ts")) super("setInterval(() => {}, 1000)", { eval: true });
    else super(file);
  }
};

const shortened = (work: () => void, ms?: number): unknown => realTimeout(work, ms === 30_000 ? 300 : ms);
Object.assign(globalThis, { setTimeout: shortened });
