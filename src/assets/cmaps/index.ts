// Adobe's predefined CMaps (PDF 32000 table 118; licence next to this file), packed as PDF.js reads them: without them
// texts of Japanese, Chinese and Korean PDFs that name one are numbers. Those for UTF-8 and UTF-32 are left out, which
// no PDF may name.
import packed from "./cmaps.json" with { type: "json" };

/** By name; each in base64. */
export const CMAPS: Readonly<Record<string, string>> = packed;
