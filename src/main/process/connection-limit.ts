// Keeps a listener from asking for connections that the process has no file left for (docs/security.md). The runtimes
// cannot pause accepting: Bun asks in vain, again and again, on a whole core, and Deno gives the listener up. So the
// listener is closed while there is no room, what is being answered goes on, connections that ask for nothing are
// ended, and the port is listened on again.
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import type { CertificateKeys } from "./certificate.ts";

/** One listener of a runtime. */
export type Listener = {
  readonly port: number;
  /** Takes no new connections; settles when those it has have ended. */
  readonly close: () => Promise<void>;
  /** Ends every connection at once. */
  readonly cut: () => Promise<void>;
  /** Requests that are being answered. */
  readonly pending: () => number;
  /** Greets new connections with another certificate, where it listens with TLS. */
  readonly useCertificate?: (next: CertificateKeys) => void;
};

type AcceptingNeeds = {
  /** @throws Error when the port is not available. `onFailed`: the runtime has given the listener up. */
  readonly open: (port: number, onFailed: () => void) => Listener;
  readonly port: number;
  readonly files: FilesLeft;
  readonly onPause?: ((isPaused: boolean) => void) | undefined;
};

/** Whether files and sockets are nearly used up, and whether there is room again. */
export type FilesLeft = {
  readonly areFew: () => boolean;
  readonly haveRoom: () => boolean;
  /** Whether this number of open connections may take one more file each, of those that are kept back. */
  readonly mayOpen: (connections: number) => boolean;
};

const LOOK_MS = 100;
/** How long connections without a request are left alone once accepting has paused. */
const IDLE_LEFT_MS = 500;

type Accepting = {
  readonly port: number;
  readonly stop: (end: (listeners: readonly Listener[]) => Promise<void>) => Promise<void>;
};

/** Listens until it is stopped. Throws what `open` throws the first time. */
export function keepAccepting({ open, port: wanted, files, onPause = () => {} }: AcceptingNeeds): Accepting {
  const closing = new Set<Listener>();
  let current: Listener | null = null;
  let pausedAt = 0;
  const begin = (port: number): Listener => {
    const made: Listener = open(port, () => pause(made));
    return made;
  };

  function pause(listener: Listener): void {
    if (listener !== current) return;
    current = null;
    pausedAt = performance.now();
    closing.add(listener);
    // What goes wrong while a listener ends has ended it.
    void listener.close().then(
      () => closing.delete(listener),
      () => closing.delete(listener),
    );
    onPause(true);
  }

  function tryAgain(port: number): void {
    if (performance.now() - pausedAt < LOOK_MS) return;
    if (performance.now() - pausedAt > IDLE_LEFT_MS) {
      for (const each of closing) if (each.pending() === 0) void each.cut().catch(() => {});
    }
    if (!files.haveRoom()) return;
    try {
      current = begin(port);
      onPause(false);
    } catch {
      // The next look tries again.
    }
  }

  const first = begin(wanted);
  current = first;
  const timer = setInterval(() => {
    if (current === null) tryAgain(first.port);
    else if (files.areFew()) pause(current);
  }, LOOK_MS);
  timer.unref();
  return {
    port: first.port,
    async stop(end) {
      clearInterval(timer);
      const last = current === null ? [...closing] : [current, ...closing];
      current = null;
      await end(last);
    },
  };
}

/** Left for the database, files and logs when connections have taken the rest. */
const RESERVE_SHARE = 1 / 8;
const RESERVE_MOST = 512;

/** Above it the files that are open are not counted ten times a second: then a listener that fails tells. */
const COUNTED_MOST = 4_096;

/**
 * Asks the system, on Linux; where nothing can be read there is always room. `numbered`: the runtime gives files the
 * numbers that the system has for them. The next file gets the lowest free one, which two calls find, however many are
 * open.
 */
export function filesOfThisProcess(numbered: boolean, limit: number | null = openFilesLimit()): FilesLeft {
  if (limit === null || openFiles() === null) return { areFew: () => false, haveRoom: () => true, mayOpen: () => true };
  const reserve = Math.min(RESERVE_MOST, Math.ceil(limit * RESERVE_SHARE));
  const used = (): number => (numbered ? lowestFree() : openFiles()) ?? limit;
  return {
    areFew: () => (numbered || limit <= COUNTED_MOST) && used() >= limit - reserve,
    haveRoom: () => (openFiles() ?? limit) < limit - 2 * reserve,
    mayOpen: (connections) => used() + 2 * connections < limit - reserve / 2,
  };
}

/** Null where it is not known, also when no file can be opened any more. */
function lowestFree(): number | null {
  try {
    const file = openSync("/dev/null", "r");
    closeSync(file);
    return file;
  } catch {
    return null;
  }
}

function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}

/** How many files and sockets this process may have open; null where the system does not report it. */
export function openFilesLimit(): number | null {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
    return Number.isFinite(limit) ? limit : null;
  } catch {
    return null;
  }
}
