// Packs what the frame of the PDF viewer loads (Q.100): PDF.js, its worker, the standard fonts and the decoders of
// JBIG2 and JPEG 2000, out of the package. The result, src/assets/pdf-frame-files.json, is not in git: it is written with the
// interface descriptions, and is in the one binary. Character maps are in src/assets/cmaps.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";

const PACKAGE = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
const PACKED_PDF_FRAME = new URL("../../assets/pdf-frame-files.json", import.meta.url);

/**
 * Neither scripts of PDFs nor a worker for drawing is among them, nor decoders in JavaScript: every browser that runs
 * PDF.js runs WebAssembly.
 */
const FILES: Readonly<Record<string, { readonly folder: string; readonly names: RegExp }>> = {
  code: { folder: "legacy/build", names: /^pdf(?:\.worker)?\.min\.mjs$/ },
  fonts: { folder: "standard_fonts", names: /\.(?:pfb|ttf)$/ },
  wasm: { folder: "wasm", names: /^(?:jbig2|openjpeg)\.wasm$/ },
};

/** In base64, gzip: a third of the size in the binary and on the way. */
function packed(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(FILES).flatMap(([name, { folder, names }]) =>
      readdirSync(join(PACKAGE, folder))
        .filter((file) => names.test(file))
        .sort()
        .map((file) => [
          `${name}/${file}`,
          gzipSync(readFileSync(join(PACKAGE, folder, file)), { level: 9 }).toString("base64"),
        ]),
    ),
  );
}

const versionOf = (): string => JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")).version;

/** Writes the file where there is none, or one of another version: packing takes a second. */
export function packPdfFrame(): void {
  const version = versionOf();
  const before = statSync(PACKED_PDF_FRAME, { throwIfNoEntry: false }) && readFileSync(PACKED_PDF_FRAME, "utf8");
  if (before?.startsWith(`{"version":${JSON.stringify(version)},`) === true) return;
  // As a whole, for other processes may read it meanwhile.
  const unfinished = new URL(`${PACKED_PDF_FRAME.href}.${process.pid}`);
  writeFileSync(unfinished, JSON.stringify({ version, files: packed() }));
  try {
    renameSync(unfinished, PACKED_PDF_FRAME);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
