// What the processes of the repository are made from: its database, and the services over it and its files (R1).
import { openRepositoryStore } from "../../../db/repository/store.ts";
import type { Config } from "../../config.ts";
import type { Usage } from "../../repository/statistics/counting.ts";
import type { RepositoryStore } from "../../repository/store/store.ts";
import type { Log } from "../../shared/log.ts";
import { type DatabaseNews, orStartError } from "../process/role-parts.ts";
import { usageOf } from "../process/usage.ts";
import { type Search, searchOf } from "../search.ts";
import type { OpenedStorage } from "../storage.ts";
import { startTextReader } from "../text-process.ts";
import { FileTextReader } from "../text-reader.ts";
import { type CoreParts, coreOf } from "./core.ts";
import type { Runtime } from "./feature.ts";

export type RuntimeParts = CoreParts & {
  readonly files: OpenedStorage;
  readonly log: Log;
  /** Closed by its caller. */
  readonly search?: Search;
  /** Closed by its caller. */
  readonly usage?: Usage;
};

export function runtimeOf({ files, ...parts }: RuntimeParts): Runtime {
  const { log, config } = parts;
  const core = coreOf(parts);
  const search = parts.search ?? searchOf({ config, store: parts.store, clock: core.clock, log });
  const limits = { seconds: config.fullTextSeconds, memoryMib: config.fullTextMemoryMib };
  const elapsedMs = (): number => performance.now();
  const texts = new FileTextReader({ limits, start: startTextReader, log, elapsedMs });
  const usage = parts.usage ?? usageOf(core, log, config.geoipFile);
  return { ...core, files, log, texts, search, usage, finder: search.finder };
}

/** The database of both halves, brought to the newest schema. @throws StartError when it cannot be opened. */
export async function openRepositoryWriter(config: Config, news: DatabaseNews): Promise<RepositoryStore> {
  const { databaseUrl: url, dbPool: poolSize } = config;
  return await orStartError(config, () => openRepositoryStore({ url, poolSize, ...news }));
}
