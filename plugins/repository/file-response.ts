// A file of the storage as an answer (R19a): the decision is src/model/files/file-serving.ts, the bytes come piece by
// piece.

import { shownFileName } from "../../src/model/files/file-names.ts";
import { type FileToServe, fileAnswer } from "../../src/model/files/file-serving.ts";
import { byteStream } from "../../src/shared/bytes/byte-streams.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { orStorageAway } from "../../src/storage/unavailable.ts";
import { contextOf } from "../http/request-context.ts";

type ServedFile = FileToServe & { readonly storageKey: string };

/**
 * Answers GET and HEAD of a file that the caller may read. `asAttachment`: a download was asked for.
 *
 * @throws Error when the storage has no such bytes, or not as many: a row names what is lost, which is nobody's wrong
 * request.
 *   Refusal `unavailable` when the storage is away.
 */
export async function fileResponse(
  request: Request,
  file: ServedFile,
  storage: Pick<Storage, "read">,
  { asAttachment = false } = {},
): Promise<Response> {
  const { headers: asked, method } = request;
  // Of what was uploaded in parts no hash is known yet; its key is no other content's either.
  const tag = file.sha256 === "" ? file.storageKey : file.sha256;
  const { status, headers, send } = fileAnswer(
    { ...file, sha256: tag },
    {
      method,
      range: asked.get("range"),
      ifRange: asked.get("if-range"),
      ifNoneMatch: asked.get("if-none-match"),
      asAttachment,
    },
  );
  const init = { status, headers: new Headers(headers.map(([name, value]) => [name, value])) };
  // The address may have the secret of a link.
  if (request.url.includes("token=")) init.headers.set("referrer-policy", "no-referrer");
  if (method === "HEAD" && status === 200) contextOf(request).headLength = file.sizeBytes;
  if (send === null) return new Response(null, init);
  const read = await storage.read(file.storageKey, send, request.signal).catch((error: unknown) => {
    throw orStorageAway(error);
  });
  if (read === null || read.sizeBytes !== file.sizeBytes) {
    throw new Error(
      `The bytes of "${shownFileName(file.name)}" are ${read === null ? "not in the storage" : "not as many as they were"}`,
    );
  }
  return new Response(byteStream(read.stream), init);
}
