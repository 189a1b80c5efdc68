// The bytes of a picture, sound or film for the page that shows it (Q.120, Q.126): under the media type that they have,
// whatever their name and their depositor state; captions as this program writes them.
import { mediaKindOf } from "../../formats/view/media-kind.ts";
import { CAPTION_BYTES, readCaptions, writeCaptions } from "../../formats/view/web-vtt.ts";
import { bareMediaType, UNKNOWN_MEDIA_TYPE } from "../../shared/http/media-types.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Storage } from "../../storage/storage.ts";
import { headOf, readBytes, type ViewedFile } from "./reading.ts";

const PDF = "application/pdf";

/**
 * The media type under which a page loads the file: that of its bytes for media, PDF where that is stored. Everything
 * else is bytes: a depositor could call it a script or a style, and pages may load those from here.
 */
export async function mediaTypeByBytes(storage: Pick<Storage, "read">, file: ViewedFile): Promise<string> {
  if (bareMediaType(file.mediaType) === PDF) return PDF;
  const head = await headOf(storage, file);
  return mediaKindOf(head)?.mediaType ?? UNKNOWN_MEDIA_TYPE;
}

/** The captions of a file as WebVTT, written again. @throws Refusal `not_found` for what is not WebVTT */
export async function captionsOf(storage: Pick<Storage, "read">, file: ViewedFile): Promise<string> {
  const captions =
    file.sizeBytes > CAPTION_BYTES ? null : readCaptions(await readBytes(storage, file, 0, file.sizeBytes));
  if (captions === null) throw new Refusal("not_found", "The file has no captions that are read here");
  return writeCaptions(captions);
}
