// Text and code as numbered lines (Q.83), page by page; of a very long file its beginning.
import { declaredEncoding } from "../../formats/text/markup.ts";
import { decodeText, looksLikeText } from "../../formats/text/plain.ts";
import { type TextLines, textLines } from "../../formats/view/text-lines.ts";
import { most } from "../../shared/limits.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { type FileReader, NotShown, type ViewRequest } from "./reading.ts";

/** `shownBytes`: null where the whole file was read. */
export type TextContent = TextLines & { readonly shownBytes: number | null };

const LINES_PER_PAGE = 500;

export async function viewText({ file, head, read }: FileReader, { page }: ViewRequest): Promise<TextContent> {
  if (!looksLikeText(head)) throw new NotShown("wrong-content");
  const limit = most("viewTextBytes");
  const isWhole = file.sizeBytes <= limit;
  const bytes = await read(0, Math.min(file.sizeBytes, limit));
  await yieldToEventLoop();
  const text = decodeText(bytes, declaredEncoding(head));
  await yieldToEventLoop();
  return { ...textLines(text, page, LINES_PER_PAGE), shownBytes: isWhole ? null : limit };
}
