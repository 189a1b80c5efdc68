// Returns memory to the system when a process that did large work has little to do (R9a): caches, and machine code that
// the runtime compiled of a program that is hardly used at the moment. Work goes on as before, at first a little
// slower.
import process from "node:process";

/** How often it is checked whether there is little to do, and much to return. */
const CHECK_MS = 10_000;
/** Share of one processor below which the process has little to do: probes of health, polls of the job queue. */
const IDLE_SHARE = 0.1;
/** Growth since memory was last returned that is worth it. */
const GROWN_BYTES = 32 * 1024 * 1024;
/** Work since then that makes little of compiling the program again. */
const WORKED_MS = 20_000;

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
