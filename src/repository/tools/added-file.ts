// add_file toward a repository elsewhere (R30; specification 3, "Tool servers"): a file of this machine goes there in
// parts as it is read, never whole in memory; a file not larger than one part is sent in the call.
import { concatenated } from "../../shared/bytes/byte-streams.ts";
import { isObject, memberOf } from "../../shared/objects.ts";
import { oneSource } from "./file-bytes.ts";
import { needsFiles, type OpenLocalFile } from "./file-tools.ts";
import { ToolRefusal } from "./outcome.ts";
import { SMALLEST_PART_BYTES } from "./shapes.ts";
import type { StdioCall, StdioHandlers } from "./tool-table.ts";

type Result = Readonly<Record<string, unknown>>;

export type AddedFileNeeds = {
  /** A tool of the repository. */
  readonly call: (name: string, args: Result, table?: "http" | "stdio") => Promise<Result>;
  /** Bytes to an address that a tool named. */
  readonly put: (url: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  readonly localFile: OpenLocalFile;
};

/** Held in memory, one at a time; larger where a file would have too many. */
const PART_BYTES = 16 * 1024 * 1024;

export function addedFile({ call, put, localFile }: AddedFileNeeds): StdioHandlers["add_file"] {
  async function inParts(
    pieces: AsyncIterable<Uint8Array>,
    size: number,
    asked: StdioCall<"add_file">,
  ): Promise<Result> {
    const named = { recid: asked.args.recid, filename: asked.args.key };
    const begun = await call("start_multipart_upload", { ...named, size, part_size: PART_BYTES }, "http");
    try {
      let urls = partUrls(begun);
      const bytes = typeof begun.part_size === "number" ? begun.part_size : PART_BYTES;
      let [sent, first] = [0, 1];
      for await (const part of partsOf(pieces, bytes, size)) {
        const number = Math.floor(sent / bytes) + 1;
        if (number - first >= urls.length) {
          // The addresses of many parts come a page at a time.
          const more = { ...named, size, part_size: bytes, overwrite: false, first_part: number };
          [urls, first] = [partUrls(await call("start_multipart_upload", more, "http")), number];
        }
        await put(urls[number - first] ?? "", part);
        sent += part.length;
        asked.progress(sent, size, named.filename);
      }
      return await call("complete_multipart_upload", named, "http");
    } catch (error) {
      // The first error is reported; the repository deletes an abandoned upload.
      await call("abort_multipart_upload", named, "http").catch(() => undefined);
      throw error;
    }
  }

  return async (asked) => {
    const { recid, key, text, content_base64, source_path } = asked.args;
    const [source, value] = oneSource({ text, content_base64, source_path });
    if (source !== "source_path") return await call("add_file", { recid, key, [source]: value });
    const { pieces, lengthBytes } = await localFile(value);
    const { enabled } = await call("list_files", { recid, draft: true });
    if (enabled !== true) throw needsFiles();
    if (lengthBytes > SMALLEST_PART_BYTES) return await inParts(pieces, lengthBytes, asked);
    const whole: Uint8Array[] = [];
    for await (const part of partsOf(pieces, SMALLEST_PART_BYTES, lengthBytes)) whole.push(part);
    return await call("add_file", { recid, key, content_base64: concatenated(whole).toBase64() });
  };
}

function partUrls({ parts }: Result): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(parts) ? parts : [];
  return listed.map((part) => (isObject(part) ? String(memberOf(part, "url")) : ""));
}

/**
 * Pieces put together to parts of this many bytes, the last one shorter. @throws ToolRefusal if the number of bytes
 * differs from the stated one.
 */
async function* partsOf(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array[] = [];
  let [length, whole] = [0, 0];
  for await (const piece of pieces) {
    whole += piece.length;
    if (whole > size) throw changed();
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + bytes - length);
      waiting.push(taken);
      [at, length] = [at + taken.length, length + taken.length];
      if (length < bytes) continue;
      yield concatenated(waiting);
      [waiting, length] = [[], 0];
    }
  }
  if (whole !== size) throw changed();
  if (length > 0) yield concatenated(waiting);
}

const changed = (): ToolRefusal =>
  new ToolRefusal("invalid", "The file changed while it was read.", "call again when nobody writes to it");
