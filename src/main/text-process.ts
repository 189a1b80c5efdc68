// Readers of files beside the server (R35): a process of its own on Bun, which nothing that happens in it can hurt; a thread on Deno, whose
// permissions let nobody start a process.
import { spawn } from "node:child_process";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { TextOrder, TextOutcome } from "../repository/store/text-reading.ts";
import { joined } from "../shared/byte-streams.ts";
import { selfCommand } from "./child-process.ts";
import { type ChildLine, frameHead, READ_TEXTS } from "./text-messages.ts";

export type TextBesideLimits = { readonly seconds: number; readonly memoryMib: number };

/** What came of an order; `died`: the reader is gone, and why. */
export type TextAnswer = { readonly outcome: TextOutcome } | { readonly died: string };

/** A reader that was started. One order at a time. */
export type TextBeside = {
  /** Settles when all bytes were handed over, or the reader is gone. @throws the error of `bytes`. */
  readonly send: (order: TextOrder, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Of the order that was sent last. */
  readonly answer: () => Promise<TextAnswer>;
  readonly end: () => void;
  readonly isGone: () => boolean;
};

/** Answers that come, given to whoever waits for one. Once the reader is gone all are that. */
function answers() {
  let gone: TextAnswer | null = null;
  let waiting: ((answer: TextAnswer) => void) | null = null;
  return {
    next: (): Promise<TextAnswer> =>
      gone === null
        ? new Promise((resolve) => {
            waiting = resolve;
          })
        : Promise.resolve(gone),
    came(answer: TextAnswer): void {
      if ("died" in answer) gone ??= answer;
      waiting?.(answer);
      waiting = null;
    },
    isGone: () => gone !== null,
  };
}

export function textProcess({ seconds, memoryMib }: TextBesideLimits): TextBeside {
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
  // What is written to one that is gone is told by its end.
  child.stdin.on("error", () => {});
  child.unref();

  return {
    async send(order, bytes) {
      child.stdin.write(frameHead(order));
      for await (const piece of bytes) {
        if (told.isGone()) return;
        if (child.stdin.write(piece)) continue;
        await new Promise<void>((resolve) => {
          child.stdin
            .once("drain", resolve)
            .once("close", resolve)
            .once("error", () => resolve());
          child.once("close", () => resolve());
        });
      }
    },
    answer: told.next,
    isGone: told.isGone,
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

export function textThread({ seconds, memoryMib }: TextBesideLimits): TextBeside {
  const worker = new Worker(new URL("./text-worker.ts", import.meta.url), {
    workerData: { seconds },
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  const told = answers();
  worker.on("message", (outcome: TextOutcome) => told.came({ outcome }));
  worker.on("error", (error: unknown) => told.came({ died: reasonOf(error) }));
  worker.on("exit", (code: number) => told.came({ died: `code ${code}` }));
  worker.unref();
  return {
    async send(order, bytes) {
      const all = await joined(bytes);
      worker.postMessage({ order, bytes: all }, [all.buffer]);
    },
    answer: told.next,
    isGone: told.isGone,
    end: () => void worker.terminate(),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : error.message;
}

/** The one that this runtime can have. */
export const textBeside = "Deno" in globalThis ? textThread : textProcess;
