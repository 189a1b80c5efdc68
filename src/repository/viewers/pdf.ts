// A PDF (Q.100, Q.103): it is rendered by the frame in the browser; here is whether it is one, and the words of its first
// pages where they have been read for the search.
import { PAGE_END } from "../../formats/text/lines.ts";
import { type FileReader, NotShown } from "./reading.ts";

export type PdfContent = {
  readonly sizeBytes: number;
  /** Words of the first pages; none where they were not read. */
  readonly pages: readonly string[];
};

/** The mark may follow other bytes (PDF 32000, implementation notes). */
const MARK_BYTES = 1024;
const MARK = "%PDF-";
const PAGES = 5;
const CHARACTERS = 20_000;

export async function viewPdf({ file, head, words }: FileReader): Promise<PdfContent> {
  if (!new TextDecoder("latin1").decode(head.subarray(0, MARK_BYTES)).includes(MARK))
    throw new NotShown("wrong-content");
  const text = await words(CHARACTERS);
  const pages = text.split(PAGE_END, PAGES).map((page) => page.trim());
  return { sizeBytes: file.sizeBytes, pages: pages.some((page) => page !== "") ? pages : [] };
}
