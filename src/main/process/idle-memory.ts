// Returns memory to the system (R9a). When a process that did large work has little to do: caches, and machine code that
// the runtime compiled of a program that is hardly used at the moment; work goes on as before, at first a little slower.
// While it works: garbage, which the runtime collects only when the heap is a multiple of what was in use.
import process from "node:process";

/** How often it is checked whether there is little to do, and much to return. */
const CHECK_MS = 10_000;
/** Share of one processor below which the process has little to do: probes of health, polls of the job queue. */
const IDLE_SHARE = 0.1;
/** Growth since memory was last returned that is worth it. */
const GROWN_BYTES = 32 * 1024 * 1024;
/** Work since then that makes little of compiling the program again. */
const WORKED_MS = 20_000;

/** How often it is checked whether memory has grown, and growth since it was last collected that is garbage for the most part. */
const GROWTH_CHECK_MS = 1_000;
const GARBAGE_BYTES = 160 * 1024 * 1024;

/** Figures of the process. */
type Process = { readonly cpuMs: () => number; readonly residentBytes: () => number };

const THIS_PROCESS: Process = {
  cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  residentBytes: () => process.memoryUsage.rss(),
};

/** Calls `release` when memory has grown and the process is idle. Returns what ends it; it keeps no process alive. */
export function releaseWhenIdle(release: () => void, { cpuMs, residentBytes } = THIS_PROCESS, checkMs = CHECK_MS) {
  let [checkedAt, releasedAt, least] = [cpuMs(), cpuMs(), residentBytes()];
  let isReleased = false;
  const timer = setInterval(() => {
    const now = cpuMs();
    const resident = residentBytes();
    // What is left after a release is in use: of a repository that has grown, for example.
    least = isReleased ? resident : Math.min(least, resident);
    const isIdle = now - checkedAt < IDLE_SHARE * checkMs;
    isReleased = isIdle && now - releasedAt > WORKED_MS && resident > least + GROWN_BYTES;
    checkedAt = now;
    if (!isReleased) return;
    releasedAt = now;
    release();
  }, checkMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Calls `collect` when memory has grown by {@link GARBAGE_BYTES} since the last time. What is there at the check after
 * that is in use. Returns what ends it; it keeps no process alive.
 */
export function collectWhenGrown(
  collect: () => void,
  { residentBytes }: Pick<Process, "residentBytes"> = THIS_PROCESS,
  checkMs = GROWTH_CHECK_MS,
): () => void {
  let least = residentBytes();
  let isCollected = false;
  const timer = setInterval(() => {
    const resident = residentBytes();
    least = isCollected ? resident : Math.min(least, resident);
    isCollected = resident > least + GARBAGE_BYTES;
    if (isCollected) collect();
  }, checkMs);
  timer.unref();
  return () => clearInterval(timer);
}
