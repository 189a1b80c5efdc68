// Counting views and downloads as a part of a process (R39): the list of robots, a key for each day that is kept in
// memory only, and a write every few seconds for as long as something waits.
import { setTimeout } from "node:timers";
import { newVisitorHash } from "../../adapters/unpacking.ts";
import robots from "../../assets/robots.json" with { type: "json" };
import { robotTest, type Usage, usageCounting } from "../../repository/statistics/counting.ts";
import type { Log } from "../../shared/log.ts";
import type { Core } from "../repository/core.ts";

/** What a kill may lose. */
const WRITTEN_AFTER_MS = 5_000;

/** The list is read once a process, when the first counting is made. */
let isRobot: ReturnType<typeof robotTest> | null = null;

export function usageOf({ store, clock, dayOf }: Pick<Core, "store" | "clock" | "dayOf">, log: Log): Usage {
  isRobot ??= robotTest(robots.patterns);
  return usageCounting({
    clock,
    dayOf,
    isRobot,
    countryOf: () => "",
    newHash: newVisitorHash,
    log,
    write: (work) => store.transact((tx) => work(tx.usage)),
    // A process that has nothing else to do ends without waiting for it: `close` writes.
    later: (flush) => void setTimeout(flush, WRITTEN_AFTER_MS).unref(),
  });
}
