// The text of PDFs by PDF.js (src/repository/full-text/pdf-reading.ts), without fonts, pictures, scripts or anything
// from outside: what it would fetch are the CMaps it is given. Damaged files are read as far as they go.
import { getDocument } from "unpdf/pdfjs";
import { PdfProblem, type PdfReading } from "../repository/full-text/pdf-reading.ts";
import { errorMessage } from "../shared/error-message.ts";
import { most } from "../shared/limits.ts";

/** Pages of one document that are read. */
const PAGES_MOST = most("textPages");

type PdfNeeds = {
  /** Adobe's predefined CMaps by name, packed, in base64. */
  readonly cmaps: Readonly<Record<string, string>>;
};

export function pdfText({ cmaps }: PdfNeeds): PdfReading {
  /** PDF.js makes one for each document. */
  class Given {
    async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
      const name = filename.replace(/\.bcmap$/, "");
      const packed = kind === "cMapUrl" && Object.hasOwn(cmaps, name) ? cmaps[name] : undefined;
      if (packed === undefined) throw new Error(`${filename} is not at hand`);
      return Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    }
  }

  return {
    async open(bytes) {
      const task = getDocument({
        data: bytes,
        BinaryDataFactory: Given,
        cMapUrl: "cmaps/",
        cMapPacked: true,
        useWorkerFetch: false,
        useSystemFonts: false,
        disableFontFace: true,
        useWasm: false,
        enableXfa: false,
        stopAtErrors: false,
        verbosity: 0,
      });
      try {
        const document = await task.promise;
        const count = Math.min(document.numPages, PAGES_MOST);
        return { count: document.numPages, pieces: piecesOf(document, count), close: () => task.destroy() };
      } catch (error) {
        await task.destroy();
        throw problemOf(error);
      }
    },
  };
}

type Document = Awaited<ReturnType<typeof getDocument>["promise"]>;

type Piece = { readonly page: number; readonly text: string };

async function* piecesOf(document: Document, count: number): AsyncGenerator<Piece> {
  let broken: unknown = null;
  let hasText = false;
  for (let page = 1; page <= count; page++) {
    try {
      for await (const text of pageText(document, page)) {
        hasText ||= text !== "";
        yield { page, text };
      }
    } catch (error) {
      broken ??= error;
      yield { page, text: "" };
    }
  }
  if (broken !== null && !hasText) throw problemOf(broken);
}

async function* pageText(document: Document, number: number): AsyncGenerator<string> {
  const page = await document.getPage(number);
  try {
    const reader = page.streamTextContent().getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value.items
          .map((item: object) =>
            "str" in item && "hasEOL" in item ? `${item.str}${item.hasEOL === true ? "\n" : ""}` : "",
          )
          .join("");
      }
    } finally {
      await reader.cancel();
    }
  } finally {
    page.cleanup();
  }
}

/** PDF.js tells its errors by name. */
function problemOf(error: unknown): PdfProblem {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") return new PdfProblem("encrypted", "It opens with a password only");
  return new PdfProblem("unreadable", `It is a broken PDF: ${errorMessage(error)}`);
}
