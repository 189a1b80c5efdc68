// The thread that asks a server for /healthz every 50 ms while others are at it (R9a), and an idle sibling in the same
// moments. What the machine itself kept both from is left out: how long the server's first thread was ready and was not
// let run, and how long the sibling took. Nor does a server hold its thread longer than that thread worked or waited
// for a disk: what is left are waits for threads of the runtime that the machine held back in their turn, those of a
// full collection for instance.
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort } from "node:worker_threads";

export type WatchOrder = { readonly port: number; readonly pid: number; readonly siblingPort: number };
/** The longest that /healthz took since the last question, as it was and without what the machine did. */
export type Worst = { readonly wallMs: number; readonly ownMs: number; readonly asked: number };

const EVERY_MS = 50;
const ASK = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** One connection that is kept, and opened again when it ends. */
function asker(port: number): () => Promise<number> {
  let socket: Socket | null = null;
  const open = (): Socket => {
    const made = connect(port, "127.0.0.1");
    made.setNoDelay(true);
    made.on("close", () => {
      if (socket === made) socket = null;
    });
    made.on("error", () => made.destroy());
    return made;
  };
  return () => {
    socket ??= open();
    const asked = socket;
    const began = performance.now();
    return new Promise((resolve) => {
      const done = (): void => {
        asked.off("data", done);
        asked.off("close", done);
        resolve(performance.now() - began);
      };
      asked.once("data", done);
      asked.once("close", done);
      asked.write(ASK);
    });
  };
}

type ThreadTime = { readonly workedMs: number; readonly heldBackMs: number };

/**
 * How long the first thread of a process worked, and was ready without being let run. Null where the system does not
 * report it.
 */
function threadTime(pid: number): ThreadTime | null {
  try {
    const [worked, heldBack] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
    return { workedMs: Number(worked) / 1e6, heldBackMs: Number(heldBack) / 1e6 };
  } catch {
    return null;
  }
}

const SAMPLED_EVERY_MS = 5;

/**
 * Counts how long the first thread of a process waits for a disk (state D), as far as samples tell, until it is
 * stopped.
 */
function diskWait(pid: number): () => number {
  let waitedMs = 0;
  let last = performance.now();
  const sampling = setInterval(() => {
    const now = performance.now();
    if (stateOf(pid) === "D") waitedMs += now - last;
    last = now;
  }, SAMPLED_EVERY_MS);
  return () => {
    clearInterval(sampling);
    return waitedMs;
  };
}

function stateOf(pid: number): string | undefined {
  try {
    return /\) ([A-Z]) /.exec(readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

type Waited = { readonly ms: number; readonly siblingMs: number; readonly diskMs: number };

/** Of the time until an answer, what was the server's own. */
function ownOf({ ms, siblingMs, diskMs }: Waited, before: ThreadTime | null, after: ThreadTime | null): number {
  if (before === null || after === null) return ms - siblingMs;
  const heldBackMs = after.heldBackMs - before.heldBackMs;
  return Math.min(ms - heldBackMs - siblingMs, after.workedMs - before.workedMs + diskMs);
}

async function watch({ port, pid, siblingPort }: WatchOrder): Promise<void> {
  const [askServer, askSibling] = [asker(port), asker(siblingPort)];
  let [wallMs, ownMs, asked, isWanted] = [0, 0, 0, false];
  // Answered when the question that is under way has its answer: it may have waited all the while.
  parentPort?.on("message", () => {
    isWanted = true;
  });
  for (;;) {
    const before = threadTime(pid);
    const waitedForDisk = diskWait(pid);
    const server = askServer().then((ms) => ({ ms, diskMs: waitedForDisk(), after: threadTime(pid) }));
    const [{ ms, diskMs, after }, siblingMs] = await Promise.all([server, askSibling()]);
    wallMs = Math.max(wallMs, ms);
    ownMs = Math.max(ownMs, ownOf({ ms, siblingMs, diskMs }, before, after));
    asked += 1;
    if (isWanted) {
      parentPort?.postMessage({ wallMs, ownMs, asked } satisfies Worst);
      [wallMs, ownMs, asked, isWanted] = [0, 0, 0, false];
    }
    await sleep(EVERY_MS);
  }
}

parentPort?.once("message", (order: WatchOrder) => void watch(order));
