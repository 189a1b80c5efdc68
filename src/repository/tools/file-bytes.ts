// Bytes of files as tools send and give them (R30; specification 3, "Limits"; reference 1.2, upload_file and
// download_file): inside JSON, as base64 or text.

import { UNSEEN } from "../../model/files/file-names.ts";
import { concatenated, streamOf } from "../../shared/bytes/byte-streams.ts";
import type { Storage } from "../../storage/storage.ts";
import type { GivenFile } from "../record-files/listing.ts";
import { ToolRefusal } from "./outcome.ts";
import { GIVEN_BYTES, INLINE_BYTES } from "./shapes.ts";

/** Bytes of a pending upload into a draft. */
export type GivenBytes = { readonly pieces: AsyncIterable<Uint8Array>; readonly lengthBytes: number };

/** Characters at most of a number of bytes as base64. */
const BASE64_MAX = Math.ceil(INLINE_BYTES / 3) * 4;

/** The argument that is set. @throws ToolRefusal unless exactly one of these is. */
export function oneSource<Name extends string>(args: Readonly<Record<Name, string | null>>): readonly [Name, string] {
  const given = Object.entries<string | null>(args).filter((entry): entry is [Name, string] => entry[1] !== null);
  // A blank one next to one with a value counts as omitted.
  const [source, ...others] = given.length > 1 ? given.filter(([, value]) => value !== "") : given;
  if (source !== undefined && others.length === 0) return source;
  throw new ToolRefusal(
    "invalid",
    `Give exactly one of ${Object.keys(args).join(", ")}.`,
    "an empty file is a text of no characters",
  );
}

/** Bytes of an argument. @throws ToolRefusal for text that is not base64, and for too many bytes for a call. */
export function bytesOf(name: string, value: string): GivenBytes {
  const bytes = name === "content_base64" ? decoded(value) : new TextEncoder().encode(value);
  if (bytes.length > INLINE_BYTES) throw tooLarge();
  return { pieces: streamOf(bytes), lengthBytes: bytes.length };
}

const tooLarge = (): ToolRefusal =>
  new ToolRefusal(
    "too_large",
    `The file is larger than ${INLINE_BYTES} bytes.`,
    "start_multipart_upload takes larger ones",
  );

function decoded(base64: string): Uint8Array {
  if (base64.length > BASE64_MAX) throw tooLarge();
  const bytes = strictly(base64);
  if (bytes !== null) return bytes;
  throw new ToolRefusal(
    "invalid",
    "content_base64 is not base64.",
    "standard alphabet, padded, without line breaks; content_text takes text as it is",
    [{ field: "content_base64", messages: ["Not valid base64."] }],
  );
}

/** Without the white space that the platform lets pass. */
function strictly(base64: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.fromBase64(base64, { lastChunkHandling: "strict" });
    return Math.ceil(bytes.length / 3) * 4 === base64.length ? bytes : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A part of a file as it is given: to where it reaches, and as text where it is UTF-8. */
export type GivenPart = { readonly bytes: Uint8Array; readonly text: string | null };

/** @param isLast the file ends with it; else it may end inside of a character, which is then left to the next part. */
export function partOf(bytes: Uint8Array, isLast: boolean): GivenPart {
  const whole = isLast ? bytes : bytes.subarray(0, bytes.length - unfinished(bytes));
  const text = textOf(whole);
  if (text === null || whole.length === 0) return { bytes, text: textOf(bytes) };
  // Invisible characters become escapes in addition to those of JSON: a long part of them would block the event loop.
  const isHeavy = whole.length > GIVEN_BYTES && JSON.stringify(text).search(UNSEEN) !== -1;
  return { bytes: whole, text: isHeavy ? null : text };
}

/** Bytes at the end that begin a character of UTF-8 and do not end it. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** Null for bytes that are not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Bytes of a file from `start` to `end`. */
export async function readPart(
  storage: Pick<Storage, "read">,
  { storageKey, sizeBytes }: GivenFile,
  { start, end }: { readonly start: number; readonly end: number },
  tell: (done: number) => void,
): Promise<Uint8Array> {
  if (end <= start) return new Uint8Array();
  const whole = start === 0 && end === sizeBytes;
  const read = await storage.read(storageKey, whole ? undefined : { first: start, last: end - 1 });
  if (read === null) throw new ToolRefusal("unavailable", "The file cannot be read at the moment.", "try again later");
  const pieces: Uint8Array[] = [];
  let done = 0;
  for await (const piece of read.stream) {
    pieces.push(piece);
    done += piece.length;
    tell(done);
  }
  return concatenated(pieces);
}
