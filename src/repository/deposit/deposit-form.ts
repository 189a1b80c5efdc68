// Steps 4 and 5 of a deposit for the body of a request (specification, processing of POST /sword/service-document): the `file` part of
// the form, found while the body streams in. Messages 3, 4, 6, 8, 9.

import { MultipartError, multipartEvents, type PartHead } from "../../shared/multipart/parser.ts";
import { normalForm } from "../../shared/text/text.ts";
import { SwordError, swordRefusals } from "./messages.ts";

type DepositForm = {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Of the form, see multipartBoundary. */
  readonly boundary: string;
  /** File name of the request's Content-Disposition; null when that is missing, no attachment or names none (message 8). */
  readonly filename: string | null;
};

const FIELD = "file";
const ZIP_TYPE = "application/zip";

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
