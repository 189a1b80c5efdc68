// A sound or a film with its captions (Q.124 to Q.127): files of the same item with its name and the end `.vtt`.
import { type MediaKind, mediaKindOf } from "../../formats/view/media-kind.ts";
import { CAPTION_BYTES, type Cue, captionFiles, readCaptions } from "../../formats/view/web-vtt.ts";
import { most } from "../../shared/limits.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { type FileReader, NotShown } from "./reading.ts";

export type Track = {
  /** Name of the file as it is stored. */
  readonly name: string;
  /** Language by its name; null where it states none. */
  readonly lang: string | null;
  /** The first captions, as a transcript. */
  readonly cues: readonly Cue[];
  /** There are more. */
  readonly isCut: boolean;
};

export type PlayerContent = Pick<MediaKind, "mediaType"> & {
  readonly family: "sound" | "film";
  readonly tracks: readonly Track[];
};

/** Plays what browsers play. Captions that are not WebVTT are left out. */
export async function viewPlayer({ file, head, readOther, siblings }: FileReader): Promise<PlayerContent> {
  const kind = mediaKindOf(head);
  if (kind === null || kind.family === "picture") throw new NotShown("wrong-content");
  if (!kind.plays) throw new NotShown("unsupported");
  const others = (await siblings()).map((each) => each.file);
  const named = new Map(others.map((each) => [each.name, each]));
  const tracks: Track[] = [];
  for (const { name, lang } of captionFiles(file.name, [...named.keys()])) {
    const found = named.get(name);
    if (found === undefined || tracks.length === most("viewTracks")) break;
    if (found.sizeBytes > CAPTION_BYTES) continue;
    await yieldToEventLoop();
    const captions = readCaptions(await readOther(found, 0, found.sizeBytes));
    if (captions === null || captions.cues.length === 0) continue;
    const cues = captions.cues.slice(0, most("viewCues"));
    tracks.push({ name, lang, cues, isCut: captions.isCut || cues.length < captions.cues.length });
  }
  return { family: kind.family, mediaType: kind.mediaType, tracks };
}
