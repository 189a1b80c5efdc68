// A picture as its page shows it (Q.120 to Q.122): what it is and how large, by its own bytes.
import { mediaKindOf } from "../../formats/view/media-kind.ts";
import { type PictureSize, pictureSize, SIZE_BYTES } from "../../formats/view/picture-size.ts";
import type { ItemFile } from "../../model/items/item.ts";
import { most } from "../../shared/limits.ts";
import { type FileReader, NotShown, type ViewRequest } from "./reading.ts";

export type PictureContent = {
  readonly mediaType: string;
  /** Null: it states none, as drawings. */
  readonly size: PictureSize | null;
  /** What it shows, as its depositor described it; null where they did not. */
  readonly description: string | null;
  /** In its own size instead of that of the page. */
  readonly isFull: boolean;
};

/** Shows a picture that browsers show, unless it is too large for them. */
export async function viewPicture({ file, head, read }: FileReader, { part }: ViewRequest): Promise<PictureContent> {
  const kind = mediaKindOf(head);
  if (kind === null || kind.family !== "picture") throw new NotShown("wrong-content");
  if (!kind.plays) throw new NotShown("unsupported");
  const limit = most("viewPictureBytes");
  if (file.sizeBytes > limit) throw new NotShown("too-large", limit);
  const size = await sizeOf(kind.mediaType, head, file.sizeBytes, read);
  // What has no size that is read is not shown: how much memory it takes is not known.
  if (size === null && kind.mediaType !== "image/svg+xml") throw new NotShown("wrong-content");
  if (size !== null && size.width * size.height > most("viewPicturePixels")) throw new NotShown("too-many-pixels");
  return { mediaType: kind.mediaType, size, description: describedPicture(file), isFull: part === "full" };
}

/** The size by the first bytes; where these are not enough, by more of them. */
export async function sizeOf(
  mediaType: string,
  head: Uint8Array,
  sizeBytes: number,
  read: FileReader["read"],
): Promise<PictureSize | null> {
  const size = pictureSize(mediaType, head);
  if (size !== "more") return size;
  if (sizeBytes <= head.length) return null;
  const longer = pictureSize(mediaType, await read(0, Math.min(sizeBytes, SIZE_BYTES)));
  return longer === "more" ? null : longer;
}

/** What a file shows in words: its description, else its label where that is not its name. */
export function describedPicture({
  name,
  label,
  metadata,
}: Pick<ItemFile, "name" | "label" | "metadata">): string | null {
  const description = metadata?.description;
  if (typeof description === "string" && description.trim() !== "") return description.trim();
  return label === undefined || label.trim() === "" || label === name ? null : label;
}
