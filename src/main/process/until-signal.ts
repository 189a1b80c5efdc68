// What ends a process that serves (A49): a signal, or the end of the process that started it.
import process from "node:process";
import { CHILD_MARK } from "../child-process.ts";

const SAME_SIGNAL_MS = 2000;

/**
 * The first SIGTERM, SIGINT or SIGHUP; for a child of `up` also the end of its parent. A later one ends the process at
 * once, but not one that comes with the first: Ctrl-C reaches the whole group, and the parent passes it on.
 */
export function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | null = null;
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (first !== null && performance.now() - first > SAME_SIGNAL_MS) process.exit(1);
        first ??= performance.now();
        end(signal);
      });
    }
    const parentGone = (): void => end("end of parent");
    const end = (why: string): void => {
      // An open pipe would keep the process alive after everything else has ended.
      if (isChild) process.stdin.off("end", parentGone).destroy();
      resolve(why);
    };
    const isChild = process.env[CHILD_MARK] !== undefined;
    if (isChild) process.stdin.on("end", parentGone).on("error", parentGone).resume();
  });
}
