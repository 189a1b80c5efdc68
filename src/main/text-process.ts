// Readers of files beside the server (R35): a process of its own on Bun, which nothing that happens in it can hurt; a thread on Deno, whose
// permissions let nobody start a process.
import { spawn } from "node:child_process";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { TextOrder, TextOutcome } from "../repository/store/text-reading.ts";
import { joined } from "../shared/bytes/byte-streams.ts";
import { selfCommand } from "./child-process.ts";
import { type ChildLine, frameHead, READ_TEXTS, type TextTold, type ThreadOrder } from "./text-messages.ts";

const MIB = 1024 * 1024;
const WATCH_MS = 50;

export type TextBesideLimits = { readonly seconds: number; readonly memoryMib: number };

/** What came of an order; `died`: the reader is gone, and why. */
export type TextAnswer = { readonly outcome: TextOutcome } | { readonly died: string };

/** A reader that was started. One order at a time. */
export type TextBeside = {
  /** Settles when it is ready and all bytes were handed over, or the reader is gone. @throws the error of `bytes`. */
  readonly send: (order: TextOrder, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Of the order that was sent last. */
  readonly answer: () => Promise<TextAnswer>;
  readonly end: () => void;
  readonly isGone: () => boolean;
  /** False for one that could not even be started: that says nothing about a file. */
  readonly wasReady: () => boolean;
};

/** What comes, given to whoever waits for it. Once the reader is gone it is ready for nothing, and all answers are that. */
function answers() {
  const ready = Promise.withResolvers<void>();
  let gone: TextAnswer | null = null;
  let wasReady = false;
  let waiting: ((answer: TextAnswer) => void) | null = null;
  return {
    ready: ready.promise,
    next: (): Promise<TextAnswer> =>
      gone === null
        ? new Promise((resolve) => {
            waiting = resolve;
          })
        : Promise.resolve(gone),
    came(told: TextAnswer | TextTold): void {
      ready.resolve();
      wasReady ||= "ready" in told;
      if ("ready" in told) return;
      if ("died" in told) gone ??= told;
      waiting?.(told);
      waiting = null;
    },
    isGone: () => gone !== null,
    wasReady: () => wasReady,
  };
}

function textProcess({ seconds, memoryMib }: TextBesideLimits): TextBeside {
  const [program, ...args] = selfCommand([READ_TEXTS, String(seconds), String(memoryMib)]);
  // Nothing of the settings is for it, least of all secrets.
  const child = spawn(program, args, { env: {}, stdio: ["pipe", "pipe", "ignore"] });
  const told = answers();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    // Nothing but our own program writes there.
    for (const line of lines) told.came(JSON.parse(line) as ChildLine);
  });
  const died = (why: string): void => told.came({ died: why });
  child.once("error", (error) => died(error.message));
  child.once("close", (code, signal) => died(signal === null ? `code ${code}` : signal));
  let wake = (): void => {};
  // What is written to one that is gone is told by its end.
  for (const event of ["drain", "close", "error"]) child.stdin.on(event, () => wake());
  child.once("close", () => wake());
  child.unref();

  return {
    async send(order, bytes) {
      await told.ready;
      child.stdin.write(frameHead(order));
      for await (const piece of bytes) {
        if (told.isGone()) return;
        if (child.stdin.write(piece)) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    answer: told.next,
    isGone: told.isGone,
    wasReady: told.wasReady,
    end() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      try {
        process.kill(child.pid, "SIGKILL");
      } catch {
        // It ended between the question and the signal.
      }
    },
  };
}

function textThread({ seconds, memoryMib }: TextBesideLimits): TextBeside {
  const worker = new Worker(new URL("./text-worker.ts", import.meta.url), {
    workerData: { seconds },
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  const told = answers();
  let most = Number.POSITIVE_INFINITY;
  // The heap has its limit; buffers are seen in the whole only.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() <= most) return;
    told.came({ died: "memory" });
    void worker.terminate();
  }, WATCH_MS);
  watch.unref();
  worker.on("message", (message: TextTold) => told.came(message));
  worker.on("error", (error: unknown) => told.came({ died: reasonOf(error) }));
  worker.on("exit", (code: number) => {
    clearInterval(watch);
    told.came({ died: `code ${code}` });
  });
  worker.unref();
  return {
    async send(order, bytes) {
      const { buffer } = await joined(bytes);
      await told.ready;
      most = process.memoryUsage.rss() + memoryMib * MIB;
      // Deno hands over a buffer as it is; an array upon it, octet by octet.
      worker.postMessage({ order, buffer } satisfies ThreadOrder, [buffer]);
    },
    answer: told.next,
    isGone: told.isGone,
    wasReady: told.wasReady,
    end: () => void worker.terminate(),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : error.message;
}

/** The one that this runtime can have. */
export const textBeside = "Deno" in globalThis ? textThread : textProcess;
