// Starts readers of files (R35): on Bun a separate process, so that a crash in it does not affect the server; on Deno a
// thread, because its permissions do not allow starting a process.
import { spawn } from "node:child_process";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { TextOrder, TextOutcome } from "../repository/store/text-reading.ts";
import { joined } from "../shared/bytes/byte-streams.ts";
import { selfCommand } from "./child-process.ts";
import { type ChildLine, frameHead, READ_TEXTS, type ReaderMessage, type ThreadOrder } from "./text-messages.ts";

const MIB = 1024 * 1024;
const WATCH_MS = 50;

export type TextReaderLimits = { readonly seconds: number; readonly memoryMib: number };

/** What came of an order; `died`: the reader is gone, and why. */
export type TextAnswer = { readonly outcome: TextOutcome } | { readonly died: string };

/** A reader that was started. One order at a time. */
export type StartedReader = {
  /** Settles when it is ready and all bytes were handed over, or the reader is gone. @throws the error of `bytes`. */
  readonly send: (order: TextOrder, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Of the order that was sent last. */
  readonly answer: () => Promise<TextAnswer>;
  readonly end: () => void;
  readonly isGone: () => boolean;
  /** False when the reader could not be started: then the file is not the cause. */
  readonly wasReady: () => boolean;
};

/**
 * Messages of a reader, each handed to the caller that waits for it. After the reader has ended, every answer is its
 * end.
 */
function readerMessages() {
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
    receive(message: TextAnswer | ReaderMessage): void {
      ready.resolve();
      wasReady ||= "ready" in message;
      if ("ready" in message) return;
      if ("died" in message) gone ??= message;
      waiting?.(message);
      waiting = null;
    },
    isGone: () => gone !== null,
    wasReady: () => wasReady,
  };
}

function textProcess({ seconds, memoryMib }: TextReaderLimits): StartedReader {
  const [program, ...args] = selfCommand([READ_TEXTS, String(seconds), String(memoryMib)]);
  // Nothing of the settings is for it, least of all secrets.
  const child = spawn(program, args, { env: {}, stdio: ["pipe", "pipe", "ignore"] });
  const messages = readerMessages();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    // Nothing but our own program writes there.
    for (const line of lines) messages.receive(JSON.parse(line) as ChildLine);
  });
  const died = (why: string): void => messages.receive({ died: why });
  child.once("error", (error) => died(error.message));
  child.once("close", (code, signal) => died(signal === null ? `code ${code}` : signal));
  let wake = (): void => {};
  // A write to a reader that has ended is reported by its end.
  for (const event of ["drain", "close", "error"]) child.stdin.on(event, () => wake());
  child.once("close", () => wake());
  child.unref();

  return {
    async send(order, bytes) {
      await messages.ready;
      child.stdin.write(frameHead(order));
      for await (const piece of bytes) {
        if (messages.isGone()) return;
        if (child.stdin.write(piece)) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    answer: messages.next,
    isGone: messages.isGone,
    wasReady: messages.wasReady,
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

function textThread({ seconds, memoryMib }: TextReaderLimits): StartedReader {
  const worker = new Worker(new URL("./text-worker.ts", import.meta.url), {
    workerData: { seconds },
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  const messages = readerMessages();
  let most = Number.POSITIVE_INFINITY;
  // The heap has its limit; buffers are seen in the whole only.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() <= most) return;
    messages.receive({ died: "memory" });
    void worker.terminate();
  }, WATCH_MS);
  watch.unref();
  worker.on("message", (message: ReaderMessage) => messages.receive(message));
  worker.on("error", (error: unknown) => messages.receive({ died: reasonOf(error) }));
  worker.on("exit", (code: number) => {
    clearInterval(watch);
    messages.receive({ died: `code ${code}` });
  });
  worker.unref();
  return {
    async send(order, bytes) {
      const { buffer } = await joined(bytes);
      await messages.ready;
      most = process.memoryUsage.rss() + memoryMib * MIB;
      // Deno transfers a buffer as it is, but copies an array over it byte by byte.
      worker.postMessage({ order, buffer } satisfies ThreadOrder, [buffer]);
    },
    answer: messages.next,
    isGone: messages.isGone,
    wasReady: messages.wasReady,
    end: () => void worker.terminate(),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : error.message;
}

/** The kind of reader that this runtime can start. */
export const startTextReader = "Deno" in globalThis ? textThread : textProcess;
