// The floor of the deposit bench: streams a form to the disk while hashing, then reads, inflates and hashes every entry
// of the archive in it. No rule is held, nothing is kept; the archive is believed. Runs on Bun and on Deno. Arguments:
// port, folder.
import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";

const [port = "0", folder = "."] = process.argv.slice(2);
const READ_BYTES = 256 * 1024;
/** `\r\n--bench-of-deposits--\r\n` behind the file. */
const TAIL_BYTES = 25;

async function receive(request: Request, path: string): Promise<number> {
  const file = await open(path, "w");
  const hash = createHash("sha256");
  let size = 0;
  let head: Buffer | null = Buffer.alloc(0);
  if (request.body === null) throw new TypeError("No body");
  for await (const chunk of request.body) {
    let bytes: Uint8Array = chunk;
    if (head !== null) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) continue;
      bytes = head.subarray(end + 4);
      head = null;
    }
    hash.update(bytes);
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
    size += bytes.length;
  }
  hash.digest("hex");
  await file.close();
  return size - TAIL_BYTES;
}

async function readAll(path: string, size: number): Promise<number> {
  const file = await open(path, "r");
  const read = async (offset: number, length: number): Promise<Buffer> => {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, offset);
    return bytes;
  };
  const tail = await read(size - 98, 98);
  const is64 = tail.readUInt32LE(0) === 0x06064b50;
  const bytes = is64 ? Number(tail.readBigUInt64LE(40)) : tail.readUInt32LE(76 + 12);
  const at = is64 ? Number(tail.readBigUInt64LE(48)) : tail.readUInt32LE(76 + 16);
  const directory = await read(at, bytes);
  let total = 0;
  for (let next = 0; next < directory.length; ) {
    const extraAt = next + 46 + directory.readUInt16LE(next + 28);
    let field = extraAt + 4;
    const wide = (value: number): number => {
      if (value !== 0xffffffff) return value;
      field += 8;
      return Number(directory.readBigUInt64LE(field - 8));
    };
    wide(directory.readUInt32LE(next + 24));
    const packed = wide(directory.readUInt32LE(next + 20));
    const offset = wide(directory.readUInt32LE(next + 42));
    const local = await read(offset, 30);
    const start = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let done = 0; done < packed; done += READ_BYTES)
        yield await read(start + done, Math.min(READ_BYTES, packed - done));
    }
    const hash = createHash("sha256");
    const stream: AsyncIterable<Uint8Array> =
      directory.readUInt16LE(next + 10) === 0
        ? pieces()
        : pipeline(
            Readable.from(pieces(), { objectMode: false }),
            createInflateRaw({ chunkSize: 64 * 1024 }),
            () => {},
          );
    for await (const piece of stream) {
      hash.update(piece);
      total += piece.length;
    }
    hash.digest("hex");
    next = extraAt + directory.readUInt16LE(next + 30) + directory.readUInt16LE(next + 32);
  }
  await file.close();
  return total;
}

let count = 0;
async function answer(request: Request): Promise<Response> {
  if (request.method === "GET") return new Response("ready");
  const path = join(folder, `bare-${count++}`);
  try {
    return Response.json({ payloadBytes: await readAll(path, await receive(request, path)) });
  } finally {
    await rm(path, { force: true });
  }
}

type DenoServe = { serve(options: { port: number; hostname: string }, handler: typeof answer): unknown };
if ("Deno" in globalThis) {
  // The little of Deno this file uses.
  (globalThis as unknown as { Deno: DenoServe }).Deno.serve({ port: Number(port), hostname: "127.0.0.1" }, answer);
} else {
  Bun.serve({
    port: Number(port),
    hostname: "127.0.0.1",
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: 240,
    fetch: answer,
  });
}
