#!/usr/bin/env bun
// Start here: `arkstone <command>`. The process around the command line: arguments, environment, signals, exit code.
import process from "node:process";
import { runCommandLine } from "./command-line.ts";
import type { Context } from "./commands/context.ts";
import { lowerProcessPriority } from "./process/lower-priority.ts";
import { readTextsFrom } from "./text-child.ts";
import { READ_TEXTS } from "./text-messages.ts";

let hasSignal = false;
let isWatching = false;

/**
 * Long work asks whether it should stop after the step it is in; a command that never asks is ended by the signal as
 * usual.
 */
async function interrupted(): Promise<boolean> {
  if (!isWatching) {
    isWatching = true;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (hasSignal) process.exit(130);
        hasSignal = true;
      });
    }
  }
  // SQLite works without ever waiting: only a turn of the event loop lets a signal through.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return hasSignal;
}

/** A reader that has gone away (`arkstone export | head`) ends the output quietly. */
process.stdout.on("error", (error: Error & { code?: string }) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

async function* standardInput(): AsyncGenerator<Uint8Array> {
  // Without an encoding standard input gives bytes.
  yield* process.stdin as AsyncIterable<Uint8Array>;
}

const context: Omit<Context, "setUp"> = {
  env: process.env,
  json: false,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive: process.stderr.isTTY === true,
  input: { [Symbol.asyncIterator]: () => standardInput() },
  drained: () =>
    process.stdout.writableNeedDrain
      ? new Promise((resolve) => process.stdout.once("drain", () => resolve()))
      : Promise.resolve(),
  interrupted,
  giveWay: lowerProcessPriority,
};

const [word, ...limits] = process.argv.slice(2);
if (word === READ_TEXTS) {
  const [seconds = 0, memoryMib = 0] = limits.map(Number);
  await readTextsFrom(standardInput(), seconds, memoryMib);
} else {
  process.exitCode = await runCommandLine(context, process.argv.slice(2));
}
