// What both roles share when they are put together.
import type { FrameNeeds, Handler } from "../../plugins/frame.ts";
import type { Config } from "../config.ts";
import type { Log } from "../ports/log.ts";

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

export function frameSettings(config: Config, log: Log) {
  return {
    rootPath: config.rootPath,
    allowedHosts: config.allowedHosts,
    trustedProxies: config.trustedProxies,
    accessLog: config.accessLog,
    log,
    elapsedMs: () => performance.now(),
  } satisfies Partial<FrameNeeds>;
}

/** How every thread of a role listens. */
export function listenOptions(config: Config) {
  return { host: config.host, bodyLimitBytes: config.bodyLimitBytes };
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
