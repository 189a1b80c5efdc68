// Files named on the command line as streams of bytes; `-` is standard input.
import { createReadStream, statSync } from "node:fs";
import type { Context } from "./context.ts";
import { CommandRefusal } from "./refusals.ts";

const CHUNK_BYTES = 256 * 1024;

/** @throws CommandRefusal at once when the file cannot be read, not in the middle of the work. */
export function openInput(context: Pick<Context, "input">, path: string): AsyncIterable<Uint8Array> {
  if (path === "-") return context.input;
  try {
    if (statSync(path).isDirectory()) throw new CommandRefusal(`Cannot read ${path}: it is a folder`);
  } catch (error) {
    if (error instanceof CommandRefusal) throw error;
    throw new CommandRefusal(`Cannot read ${path}: ${reasonOf(error)}`);
  }
  return readFrom(path);
}

async function* readFrom(path: string): AsyncGenerator<Uint8Array> {
  try {
    // Without an encoding a stream of a file gives bytes.
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new CommandRefusal(`Cannot read ${path}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "permission denied";
  return error instanceof Error ? error.message : String(error);
}
