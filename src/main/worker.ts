// `arkstone worker`: the jobs of the repository in a separate process, for where SVC_JOBS=off keeps them out of the one
// that answers (R8a).
import process from "node:process";
import { jsonLog } from "../adapters/log.ts";
import { type Env, readConfig } from "../config.ts";
import { databaseNews } from "./process/role-parts.ts";
import { leave, locationsOf, startFailure } from "./process/role-process.ts";
import { untilSignal } from "./process/until-signal.ts";
import { whenWritable } from "./process/writable-database.ts";
import { jobsOf } from "./repository/repository.ts";
import { openRepositoryWriter, runtimeOf } from "./repository/runtime.ts";
import { openStorage, requireStorage } from "./storage.ts";
import { startWatchdog } from "./watchdog.ts";

/** Runs jobs until a signal ends it; returns the exit code. All its output goes to standard error. */
export async function runWorker(env: Env): Promise<number> {
  const signal = untilSignal();
  try {
    const config = readConfig(env);
    const log = jsonLog(config.logLevel);
    for (const warning of config.warnings) log.warn("settings", { warning });
    const store = await openRepositoryWriter(config, databaseNews(config, log));
    try {
      const files = await openStorage(config, "command");
      await requireStorage(config, files, log);
      const runtime = runtimeOf({ config, store, files, log });
      const runner = jobsOf(runtime);
      const beginning = whenWritable({ store, log, begin: () => runner.start() });
      const problem = await store.arks.writeProblem();
      if (problem !== null) log.error("not_ready", { role: "worker", reasons: [problem] });
      await beginning.start();
      const { database, storage } = locationsOf(config, "repository");
      log.info("working", { role: "worker", database, storage });
      const watchdog = startWatchdog(log);
      const came = await signal;
      watchdog.ending();
      log.info("stopping", { role: "worker", signal: came });
      await beginning.stop();
      await runner.stop();
      runtime.texts.close();
    } finally {
      await store.close();
    }
    log.info("stopped", { role: "worker" });
    return 0;
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    leave(1);
    return 1;
  }
}
