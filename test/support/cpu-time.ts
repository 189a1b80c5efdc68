// How long the processor worked for this process: a limit on it holds on a busy machine as on a quiet one.
// It is given in milliseconds of the machine on which the limits were set, so that it holds on a slower machine, too.
import process from "node:process";
import { onReferenceMachine } from "./calibration.ts";

/** Its threads count, too. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return onReferenceMachine((user + system) / 1000);
}
