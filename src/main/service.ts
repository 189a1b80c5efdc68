// What both roles share when they are put together.
import { setTimeout as sleep } from "node:timers/promises";
import { readerRefusal } from "../../db/migrate.ts";
import { openStore } from "../../db/store.ts";
import type { Handler } from "../../plugins/frame.ts";
import { maskSecrets } from "../adapters/log.ts";
import type { Config } from "../config.ts";
import type { Store } from "../ports/store.ts";

/** A role, ready to be put behind a listener. */
export type Service = {
  readonly handler: Handler;
  /** What must run beside the listener; begun before the first request. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** More threads that answer on the same port, where the role has any. */
  readonly threads?: ServiceThreads | undefined;
};

export type ServiceThreads = {
  /** Settles when all listen. @throws ListenError when one cannot. */
  readonly listen: (port: number) => Promise<void>;
  readonly stop: (graceMs: number) => Promise<void>;
};

const PING_MS = 2000;

/** What keeps a role from starting and the operator can mend, in one line. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** The writing database, brought to the newest schema. Throws {@link StartError} when it cannot be had. */
export async function openWriter(config: Config, warn: (warning: string) => void): Promise<Store> {
  try {
    return await openStore({
      url: config.databaseUrl,
      poolSize: config.dbPool,
      checked: warn,
      ...(config.replicaUrl === null ? {} : { replicaUrl: config.replicaUrl }),
    });
  } catch (error) {
    const why = error instanceof Error && error.message !== "" ? error.message : String(error);
    throw new StartError(`Cannot open the database ${maskSecrets(config.databaseUrl)}: ${why}`, { cause: error });
  }
}

/** A resolver does not start on a database that a later version has changed, nor on a damaged file. Throws {@link StartError}; one that is silent is waited for later. */
export async function requireReadable(config: Config, warn: (warning: string) => void): Promise<void> {
  const asked = readerRefusal(config.replicaUrl ?? config.databaseUrl, warn);
  const refusal = await Promise.race([asked, sleep(PING_MS, null, { ref: false })]);
  if (refusal !== null) throw new StartError(refusal);
}

/** True when the question is answered, and in time. */
export async function within(ask: () => Promise<unknown>, ms: number = PING_MS): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([
      ask().then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
