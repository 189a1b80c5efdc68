// The words of one file of any kind (R35). May be ended at any moment: it keeps nothing and touches only the bytes it
// receives. Every reader stops at the limit of characters and reports that it did.
import { detectKind, HEAD_BYTES, isEncryptedOffice } from "../../formats/text/detect.ts";
import { joinedLines, PAGE_END } from "../../formats/text/lines.ts";
import {
  declaredEncoding,
  definesEntities,
  HTML_RULES,
  type MarkupRules,
  markupText,
  XML_RULES,
} from "../../formats/text/markup.ts";
import {
  EPUB_CONTAINER,
  EPUB_ENCRYPTION,
  encryptedParts,
  epubPackagePath,
  epubParts,
  isEncryptedManifest,
  OPEN_DOCUMENT_MANIFEST,
  officeParts,
  type Parts,
} from "../../formats/text/packed.ts";
import { decodeText, keptText } from "../../formats/text/plain.ts";
import { joined } from "../../shared/bytes/byte-streams.ts";
import { most } from "../../shared/limits.ts";
import { ZIP_LIMITS, ZipError, type ZipLimits } from "../../shared/zip/limits.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import { openZip, type ZipArchive } from "../deposit/zip-archive.ts";
import type { TextOrder, TextOutcome } from "../store/text-reading.ts";
import { type PdfPages, PdfProblem, type PdfReading } from "./pdf-reading.ts";

export type ReadTextNeeds = {
  readonly unpacking: Unpacking;
  readonly pdf: () => Promise<PdfReading>;
  readonly elapsedMs: () => number;
  /**
   * A PDF is read no longer than this; what was read by then is kept. Shorter than the time after which the reader is
   * ended.
   */
  readonly softMs: number;
};

const MIB = 1024 * 1024;
/** Much of a document may be pictures, which are not inflated; a part with words is read up to `PART_BYTES`. */
const PACKED_LIMITS: ZipLimits = {
  ...ZIP_LIMITS,
  directoryBytes: 16 * MIB,
  entryBytes: 1024 * MIB,
  totalBytes: 4 * 1024 * MIB,
};
const PART_BYTES = most("textPartBytes");
/** Of documents that list their parts. */
const LISTING_BYTES = 4 * MIB;
/** White space and tags outnumber the words: up to this many times the limit is read before markup is removed. */
const TAKEN_TIMES = 2;

type ExtractedText = { readonly text: string; readonly reason: string };

export async function readText(needs: ReadTextNeeds, order: TextOrder, bytes: Uint8Array): Promise<TextOutcome> {
  try {
    const taken = await take(needs, order, bytes);
    if ("state" in taken) return taken;
    const { text, isCut } = keptText(taken.text, order.characters);
    if (text === "") return { state: "empty", reason: taken.reason, text };
    const isPart = isCut || order.isCut;
    const cut = isPart ? `Only the first ${text.length} characters are kept` : "";
    return { state: "done", reason: taken.reason === "" ? cut : taken.reason, text };
  } catch (error) {
    if (error instanceof PdfProblem) return failed(error.kind, error.message);
    if (!(error instanceof ZipError)) throw error;
    return failed(
      error.kind === "broken" ? "unreadable" : error.kind === "encrypted" ? "encrypted" : "too-large",
      error.message,
    );
  }
}

const failed = (state: TextOutcome["state"], reason: string): TextOutcome => ({ state, reason, text: "" });

async function take(needs: ReadTextNeeds, order: TextOrder, bytes: Uint8Array): Promise<ExtractedText | TextOutcome> {
  const kind = detectKind({ head: bytes.subarray(0, HEAD_BYTES), name: order.name, mediaType: order.mediaType });
  const wanted = order.characters * TAKEN_TIMES;
  switch (kind) {
    case "pdf":
      return await takePdf(needs, bytes, wanted);
    case "zip":
      return await takePacked(needs, bytes, wanted);
    case "office":
      return isEncryptedOffice(bytes)
        ? failed("encrypted", "It opens with a password only")
        : failed("unsupported", "Office documents of before 2007 are not read");
    case "html":
    case "xml":
      return takeMarkup(bytes, kind === "html" ? HTML_RULES : XML_RULES, wanted);
    case "plain":
      return { text: decodeText(bytes), reason: "" };
    default:
      return failed("unsupported", "It is of no format whose words can be read");
  }
}

function takeMarkup(bytes: Uint8Array, rules: MarkupRules, wanted: number): ExtractedText {
  const source = decodeText(bytes, declaredEncoding(bytes));
  const reason = !rules.isHtml && definesEntities(source) ? "Entities that it defines itself are left out" : "";
  return { text: markupText(source, rules, wanted), reason };
}

async function takePdf(
  { pdf, elapsedMs, softMs }: ReadTextNeeds,
  bytes: Uint8Array,
  wanted: number,
): Promise<ExtractedText> {
  const began = elapsedMs();
  const pages = await (await pdf()).open(bytes);
  try {
    return await takePages(pages, wanted, () => elapsedMs() - began > softMs);
  } finally {
    await pages.close();
  }
}

/** A page that cannot be read is left out; the others are. */
async function takePages(pages: PdfPages, wanted: number, isLate: () => boolean): Promise<ExtractedText> {
  const texts: string[] = [];
  let [length, last, reason] = [0, 0, ""];
  for await (const { page, text } of pages.pieces) {
    // What begins a page ends those before it, also those that have no text.
    if (page !== last) texts.push(PAGE_END.repeat(Math.max(0, page - Math.max(last, 1))), "\n");
    last = page;
    texts.push(text);
    length += text.length;
    if (length >= wanted) break;
    if (isLate()) {
      reason = `It was read in time up to page ${page} of ${pages.count}`;
      break;
    }
  }
  return { text: joinedLines(texts.join("")), reason };
}

async function takePacked(
  { unpacking }: ReadTextNeeds,
  bytes: Uint8Array,
  wanted: number,
): Promise<ExtractedText | TextOutcome> {
  const source = {
    size: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
  const archive = await openZip(source, unpacking, PACKED_LIMITS);
  const parts = await partsOf(archive);
  if (parts === null) return failed("unsupported", "It is an archive, not a document");
  if (parts === "encrypted") return failed("encrypted", "It opens with a password only");
  const texts: string[] = [];
  let length = 0;
  for (const path of parts.paths) {
    const source = await partText(archive, path, PART_BYTES);
    if (source === null) continue;
    const text = markupText(source, parts.rules, wanted - length);
    texts.push(text, "\n");
    length += text.length;
    if (length >= wanted) break;
  }
  return { text: texts.join(""), reason: "" };
}

async function partsOf(archive: ZipArchive): Promise<Parts | "encrypted" | null> {
  const container = await partText(archive, EPUB_CONTAINER, LISTING_BYTES);
  if (container !== null) return await epubPartsOf(archive, container);
  const parts = officeParts(archive.entries.map(({ path }) => path));
  const manifest = await partText(archive, OPEN_DOCUMENT_MANIFEST, LISTING_BYTES);
  return manifest !== null && isEncryptedManifest(manifest) ? "encrypted" : parts;
}

async function epubPartsOf(archive: ZipArchive, container: string): Promise<Parts | "encrypted" | null> {
  const path = epubPackagePath(container);
  const listing = path === null ? null : await partText(archive, path, LISTING_BYTES);
  if (path === null || listing === null) return null;
  const parts = epubParts(listing, path);
  const locked = encryptedParts((await partText(archive, EPUB_ENCRYPTION, LISTING_BYTES)) ?? "");
  const paths = parts.paths.filter((each) => !locked.has(each));
  return paths.length === 0 && parts.paths.length > 0 ? "encrypted" : { ...parts, paths };
}

/** The beginning of a part as text; null where there is no such part. */
async function partText(archive: ZipArchive, path: string, mostBytes: number): Promise<string | null> {
  const entry = archive.find(path);
  if (entry === null) return null;
  const isWhole = entry.sizeBytes <= mostBytes;
  const bytes = isWhole ? await joined(archive.readEntry(entry)) : await archive.readHead(entry, mostBytes);
  return decodeText(bytes, declaredEncoding(bytes));
}
