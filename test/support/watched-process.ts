// A process under the watchdog with short limits: `statement` is caught in a statement of SQLite, `hangs` never ends
// after a signal, `serves` does both right. It writes "watched" when it is.
import process from "node:process";
import { CompiledQuery } from "kysely";
import { openDatabase } from "../../db/engine/open.ts";
import { untilSignal } from "../../src/main/process/until-signal.ts";
import { startWatchdog } from "../../src/main/watchdog.ts";

const LIMITS = { everyMs: 100, silent: 20, ending: 15 };
const [, , mode] = process.argv;
const database = await openDatabase({ url: ":memory:" });
const watchdog = startWatchdog({ warn: (event) => process.stderr.write(`${event}\n`) }, LIMITS);
const signal = untilSignal();
// The thread is there when the statement begins.
await new Promise((resolve) => setTimeout(resolve, 1_000));
process.stderr.write("watched\n");
if (mode === "statement") {
  // The line is written before the loop is left alone.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) as n from n";
  await database.writer.executeQuery(CompiledQuery.raw(endless));
}
await signal;
watchdog.ending();
process.stderr.write("stopping\n");
if (mode === "hangs") await new Promise((resolve) => setTimeout(resolve, 600_000));
await database.close();
watchdog.stop();
process.exit(0);
