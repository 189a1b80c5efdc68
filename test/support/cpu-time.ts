// How long the processor worked for this process: a limit on it holds on a busy machine as on a quiet one.
import process from "node:process";

/** Its threads count, too. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
