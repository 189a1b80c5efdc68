// Steps 3 to 5 of a deposit: its size, the file part, and the bytes on the disk of the work folder, hashed while they
// come (R13, R13b).

import { streamOf } from "../../shared/bytes/byte-streams.ts";
import {
  MultipartError,
  multipartBoundary,
  multipartEvents,
  type PartHead,
  parseContentDisposition,
  parseHeaderValue,
} from "../../shared/multipart/parser.ts";
import { Refusal } from "../../shared/refusal.ts";
import { normalForm } from "../../shared/text/text.ts";
import { StorageProblem } from "../../storage/limits.ts";
import type { FinishedUpload, IncomingFiles } from "../../storage/storage.ts";
import { orStorageAway } from "../../storage/unavailable.ts";
import { SwordError, swordRefusals } from "./messages.ts";
import type { UploadCall } from "./request.ts";

export type ReceivingNeeds = {
  readonly incoming: IncomingFiles;
  /** SVC_MAX_UPLOAD_BYTES. */
  readonly maxUploadBytes: number;
  /** SVC_SWORD_RAW_BODY: a body that is the ZIP itself is taken too. */
  readonly rawBody: boolean;
  /** Called with every piece of a body, also of bodies that are refused in the end. */
  readonly onBytes?: (bytes: number) => void;
};

/** A package on the disk of the work folder. The owner of this value discards it. */
export type ReceivedPackage = FinishedUpload & {
  /** As the client calls it. */
  readonly name: string;
  readonly discard: () => Promise<void>;
};

const ZIP_TYPE = "application/zip";
/** Free disk space kept in addition to what a deposit takes. */
const SPARE_BYTES = 64 * 1024 * 1024;
/** The package itself, and its files once they are unpacked. */
const ROOM_FACTOR = 2;
const RETRY_SECONDS = "60";
/** Longest name of a package, in characters. */
const NAME_MAX = 1_000;

/**
 * Takes the body in. Nothing of a refused one stays behind.
 *
 * @throws SwordError messages 5, 3, 4, 8, 9, 6 in the order of the specification, behind 5 ByReferenceNotAllowed,
 * ContentMalformed;
 *   Refusal `unavailable` when the disk has no room.
 */
export async function receive(needs: ReceivingNeeds, { headers, body }: UploadCall): Promise<ReceivedPackage> {
  const { maxUploadBytes, onBytes } = needs;
  const disposition = parseContentDisposition(headers.contentDisposition);
  const declared = declaredLength(headers.contentLength);
  if (declared !== null && declared > maxUploadBytes) throw swordRefusals.tooLarge(declared, maxUploadBytes);
  if (disposition?.byReference === true) {
    throw new SwordError("ByReferenceNotAllowed", "By-reference deposit is not supported.");
  }
  // Without a body the readers report what is missing.
  const chunks = counted(body ?? streamOf(), maxUploadBytes, onBytes);
  const filename = disposition?.type === "attachment" ? disposition.filename : null;
  const named = filename === null || filename === "" || filename.length > NAME_MAX ? null : filename;
  const boundary = multipartBoundary(headers.contentType);
  const source =
    boundary === null
      ? rawBody(needs, headers.contentType, named, chunks)
      : depositedFile({ chunks, boundary, filename: named });
  await requireRoom(needs.incoming, declared ?? 0);
  return await written(needs.incoming, source, named);
}

function declaredLength(text: string | null): number | null {
  if (text === null || !/^\d{1,15}$/.test(text.trim())) return null;
  return Number(text.trim());
}

/**
 * A body that is the ZIP itself, as standard SWORD clients send it. Any other content type is message 6, before step 4
 * (R13).
 */
function rawBody(
  needs: ReceivingNeeds,
  contentType: string | null,
  filename: string | null,
  chunks: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const { value } = parseHeaderValue(contentType ?? "");
  if (value !== ZIP_TYPE || !needs.rawBody) throw swordRefusals.contentType(contentType ?? "");
  if (filename === null) throw swordRefusals.noFilename();
  return chunks;
}

/** @throws SwordError message 5 as soon as more bytes came than allowed, whatever the declared length */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onBytes: ReceivingNeeds["onBytes"],
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    onBytes?.(chunk.length);
    if (bytes > maxBytes) throw swordRefusals.tooLarge(bytes, maxBytes);
    yield chunk;
  }
}

async function requireRoom(incoming: IncomingFiles, declaredBytes: number): Promise<void> {
  const free = await incoming.freeBytes();
  const needed = declaredBytes * ROOM_FACTOR + SPARE_BYTES;
  if (free === null || free >= needed) return;
  throw noRoom(undefined, `: ${needed} bytes of free space are needed, ${free} are there`);
}

function noRoom(cause?: unknown, numbers = ""): Refusal {
  const refusal = new Refusal("unavailable", `Not enough disk space for this deposit at the moment${numbers}`, {
    headers: { "retry-after": RETRY_SECONDS },
  });
  refusal.cause = cause;
  return refusal;
}

async function written(
  incoming: IncomingFiles,
  source: AsyncIterable<Uint8Array>,
  name: string | null,
): Promise<ReceivedPackage> {
  const file = await incoming.create();
  try {
    for await (const bytes of source) await file.write(bytes);
    const hashes = await file.finish();
    return { path: file.path, ...hashes, name: name ?? "", discard: () => file.discard() };
  } catch (error) {
    await file.discard();
    throw roomOr(error);
  }
}

/** A full disk, or a storage that is away, is nothing the client can mend: 503, to come back later. */
export function roomOr(error: unknown): unknown {
  return error instanceof StorageProblem && error.kind === "no_space" ? noRoom(error) : orStorageAway(error);
}

// Steps 4 and 5 of a deposit for the body of a request (specification, processing of POST /sword/service-document): the
// `file` part of the form, found while the body streams in. Messages 3, 4, 6, 8, 9.

type DepositForm = {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Of the form, see multipartBoundary. */
  readonly boundary: string;
  /**
   * File name of the request's Content-Disposition; null when that is missing, no attachment or names none (message 8).
   */
  readonly filename: string | null;
};

const FIELD = "file";

/**
 * The bytes of the package, as they come. Other parts are read and dropped. No byte is returned before the head of the
 * part was checked, so a sink receives no byte of a file that is refused by its name or type.
 *
 * @throws SwordError messages 3, 4, 8, 9, 6 in this order; ContentMalformed for a form that is broken or has two files.
 */
export async function* depositedFile({ chunks, boundary, filename }: DepositForm): AsyncGenerator<Uint8Array> {
  let isFile = false;
  let found = false;
  let isEmpty = true;
  const seen = (async function* () {
    for await (const chunk of chunks) {
      isEmpty &&= chunk.length === 0;
      yield chunk;
    }
  })();
  try {
    for await (const event of multipartEvents(seen, boundary)) {
      if (event.kind === "part") {
        isFile = event.head.name === FIELD && event.head.filename !== null;
        if (!isFile) continue;
        if (found) throw new SwordError("ContentMalformed", 'The request body has more than one part named "file"');
        checkHead(event.head, filename);
        found = true;
      } else if (event.kind === "bytes" && isFile) {
        yield event.bytes;
      }
    }
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    // An empty form has no parts, and so no file.
    if (isEmpty) throw swordRefusals.noFilePart();
    throw new SwordError("ContentMalformed", error.message, null, { cause: error });
  }
  if (!found) throw swordRefusals.noFilePart();
}

function checkHead(head: PartHead, filename: string | null): void {
  if (head.filename === "") throw swordRefusals.noSelectedFile();
  if (filename === null) throw swordRefusals.noFilename();
  const named = head.filename === null ? null : normalForm(head.filename, "NFC");
  if (named !== normalForm(filename, "NFC")) throw swordRefusals.fileNotInBody(filename);
  const type = head.contentType ?? "";
  if (type.split(";")[0]?.trim().toLowerCase() !== ZIP_TYPE) throw swordRefusals.contentType(type);
}

// Keeps the memory of long uploads low (R13): bytes that went to the disk leave garbage behind, which a runtime with
// plenty of memory around it would let grow.

/** Bytes written between two collections. A collection costs some 40 ms of CPU. */
const COLLECT_EVERY_BYTES = 128 * 1024 * 1024;

/** The same work folder; `collect` is called now and then while much is written to it, over all files together. */
export function collectingFiles(incoming: IncomingFiles, collect: () => void): IncomingFiles {
  let since = 0;
  return {
    freeBytes: () => incoming.freeBytes(),
    async create() {
      const file = await incoming.create();
      return {
        path: file.path,
        async write(chunk) {
          await file.write(chunk);
          since += chunk.length;
          if (since < COLLECT_EVERY_BYTES) return;
          since = 0;
          collect();
        },
        finish: () => file.finish(),
        discard: () => file.discard(),
      };
    },
  };
}
