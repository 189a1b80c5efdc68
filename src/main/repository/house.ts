// What the processes of the repository are made from: its database, and the services over it and its files (R1).
import { openRepositoryStore } from "../../../db/repository/store.ts";
import type { Config } from "../../config.ts";
import type { RepositoryStore } from "../../repository/store/store.ts";
import type { Log } from "../../shared/log.ts";
import { type DatabaseNews, orStartError } from "../role-parts.ts";
import type { OpenedStorage } from "../storage.ts";
import { textBeside } from "../text-process.ts";
import { textReader } from "../text-reader.ts";
import { type CoreParts, coreOf } from "./core.ts";
import type { House } from "./feature.ts";

export type HouseParts = CoreParts & { readonly files: OpenedStorage; readonly log: Log };

export function houseOf({ files, ...parts }: HouseParts): House {
  const { log, config } = parts;
  const limits = { seconds: config.fullTextSeconds, memoryMib: config.fullTextMemoryMib };
  const elapsedMs = (): number => performance.now();
  return { ...coreOf(parts), files, log, texts: textReader({ limits, start: textBeside, log, elapsedMs }) };
}

/** The database of both halves, brought to the newest schema. Throws {@link StartError} when it cannot be had. */
export async function openRepositoryWriter(config: Config, told: DatabaseNews): Promise<RepositoryStore> {
  const { databaseUrl: url, dbPool: poolSize } = config;
  return await orStartError(config, () => openRepositoryStore({ url, poolSize, ...told }));
}
