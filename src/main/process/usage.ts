// Counting views and downloads as a part of a process (R39): the list of robots, a key for each day that is kept in
// memory only, and a write every few seconds for as long as something waits.
import { setTimeout } from "node:timers";
import { countriesOf } from "../../adapters/countries.ts";
import { newVisitorHash } from "../../adapters/unpacking.ts";
import robots from "../../assets/robots.json" with { type: "json" };
import { ConfigError } from "../../config.ts";
import { robotTest, type Usage, usageCounting } from "../../repository/statistics/counting.ts";
import { errorMessage } from "../../shared/error-message.ts";
import type { Log } from "../../shared/log.ts";
import type { Core } from "../repository/core.ts";

/** What a kill may lose. */
const WRITTEN_AFTER_MS = 5_000;

/** The list is read once a process, when the first counting is made. */
let isRobot: ReturnType<typeof robotTest> | null = null;

/** `geoipFile`: null where countries are not counted. @throws ConfigError for a file that has none */
export function usageOf(
  { store, clock, dayOf }: Pick<Core, "store" | "clock" | "dayOf">,
  log: Log,
  geoipFile: string | null = null,
): Usage {
  isRobot ??= robotTest(robots.patterns);
  return usageCounting({
    clock,
    dayOf,
    isRobot,
    countryOf: geoipFile === null ? () => "" : countriesIn(geoipFile),
    newHash: newVisitorHash,
    log,
    write: (work) => store.transact((tx) => work(tx.usage)),
    // A process that has nothing else to do ends without waiting for it: `close` writes.
    later: (flush) => void setTimeout(flush, WRITTEN_AFTER_MS).unref(),
  });
}

function countriesIn(path: string): (address: string) => string {
  try {
    return countriesOf(path);
  } catch (error) {
    throw new ConfigError([`SVC_GEOIP_FILE="${path}" is not a database of countries: ${errorMessage(error)}`]);
  }
}
