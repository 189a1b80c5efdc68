// A small form that is sent in parts because a file may be among its fields: all of it is read into memory, within a
// limit.
import { concatenated } from "../../../src/shared/bytes/byte-streams.ts";
import { MultipartError, multipartBoundary, multipartEvents } from "../../../src/shared/multipart/parser.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { bodyPieces, type SlowLimits } from "../../http/request-body.ts";

export type SmallForm = {
  /** Of a repeated name the first counts. */
  readonly fields: ReadonlyMap<string, string>;
  /** The file that was chosen; null: none. */
  readonly file: { readonly name: string; readonly bytes: Uint8Array } | null;
};

/** @throws Refusal `invalid` for what is not such a form, `too_large` for more bytes */
export async function readSmallForm(request: Request, slow: SlowLimits, most: number): Promise<SmallForm> {
  const boundary = multipartBoundary(request.headers.get("content-type"));
  if (boundary === null || request.body === null) throw new Refusal("invalid", "The form was not sent in parts");
  const tooLarge = new Refusal("too_large", `The form has more than ${most} bytes`);
  if (Number(request.headers.get("content-length") ?? "0") > most) throw tooLarge;
  const refused = (): never => {
    throw new Refusal("invalid", "The form broke off, or came too slowly");
  };
  const parts: { readonly name: string; readonly filename: string | null; readonly pieces: Uint8Array[] }[] = [];
  let received = 0;
  try {
    for await (const event of multipartEvents(
      bodyPieces(request, slow, { tooSlow: refused, brokenOff: refused }),
      boundary,
    )) {
      if (event.kind === "part") parts.push({ name: event.head.name ?? "", filename: event.head.filename, pieces: [] });
      if (event.kind !== "bytes") continue;
      received += event.bytes.length;
      if (received > most) throw tooLarge;
      // The bytes are a view into what was received.
      parts.at(-1)?.pieces.push(event.bytes.slice());
    }
  } catch (error) {
    throw error instanceof MultipartError ? new Refusal("invalid", error.message, { cause: error }) : error;
  }
  const fields = new Map<string, string>();
  let file: SmallForm["file"] = null;
  for (const { name, filename, pieces } of parts) {
    const bytes = concatenated(pieces);
    if (filename === null && !fields.has(name)) fields.set(name, new TextDecoder().decode(bytes));
    else if (filename !== null && filename !== "") file ??= { name: filename, bytes };
  }
  return { fields, file };
}
