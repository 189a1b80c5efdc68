// How long the processor worked for this process: a limit on it holds on a busy machine as on a quiet one.
// It is given in milliseconds of the machine on which the limits were set, so that it holds on a slower machine, too.
import { readFileSync } from "node:fs";
import process from "node:process";
import { onReferenceMachine } from "./calibration.ts";

/** Its threads count, too. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return onReferenceMachine((user + system) / 1000);
}

/** The unit of /proc/PID/stat. */
const TICK_MS = 10;

/** Of another process since its start, its threads included. Null where the system does not report it. */
export function processCpuMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return onReferenceMachine((Number(fields[11]) + Number(fields[12])) * TICK_MS);
  } catch {
    return null;
  }
}
