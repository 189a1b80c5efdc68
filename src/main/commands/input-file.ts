// Files named on the command line as streams of bytes; `-` is standard input.

import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { access } from "node:fs/promises";
import { errorMessage } from "../../shared/error-message.ts";
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
    yield* bytesOf(path);
  } catch (error) {
    throw new CommandRefusal(`Cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** Without an encoding a stream of a file gives bytes. */
export function bytesOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>;
}

/** The bytes as they come; at their end `refusal` is thrown when they were others than those of that SHA-256. */
export async function* verifiedBytes(
  pieces: AsyncIterable<Uint8Array>,
  sha256: string,
  refusal: () => Error,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest("hex") !== sha256) throw refusal();
}

export function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "permission denied";
  return errorMessage(error);
}
