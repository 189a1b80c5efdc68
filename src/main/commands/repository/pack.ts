// `arkstone pack`: makes a package of a folder that a repository takes: a bag with RO-Crate or SWORD metadata (R13a,
// R14; specification 2, "Package content rules").

import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { bagFiles } from "../../../formats/bagit/bag-files.ts";
import { writeByteSize } from "../../../shared/bytes/byte-size.ts";
import { streamOf } from "../../../shared/bytes/byte-streams.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import type { Json } from "../../../shared/json/json.ts";
import { parseJson } from "../../../shared/json/read.ts";
import type { ZipPart } from "../../../shared/zip/writing.ts";
import { jsonText, type Progress, plural, progressOn } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import type { Context } from "../context.ts";
import { bytesOf, isThere, verifiedBytes } from "../input-file.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { writeZip } from "../zip-writing.ts";
import { CRATE, crateOf, DESCRIPTION, type DescriptionOptions, SWORD, swordOf } from "./pack-metadata.ts";

/** Files one package may hold, and how deep folders may be nested. */
const FILES_MAX = 60_000;
const DEPTH_MAX = 90;
const METADATA_MAX_BYTES = 16 * 1024 * 1024;
/** What file managers leave behind in folders. */
const LITTER = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);

type Format = "sword-bagit" | "ro-crate";
/** A file of the folder; `path` is relative to it, with forward slashes. */
type FolderFile = { readonly path: string; readonly full: string; readonly sizeBytes: number };
type HashedFile = FolderFile & { readonly sha256: string };

const pack = command({
  name: "pack",
  summary: "Make a package of a folder, ready to be deposited",
  words: ["FOLDER"],
  options: {
    out: {
      type: "string",
      value: "FILE.zip",
      help: "Write it here (default: the folder's name with .zip, in this folder)",
    },
    format: { type: "string", value: "FORMAT", help: "ro-crate (default) or sword-bagit" },
    ...DESCRIPTION,
  },
  details: `
The files become the payload of a bag with SHA-256 checksums. Metadata is taken from ${CRATE} or ${SWORD} in the folder where there is one,
else from the options, of which --title is needed. A folder that is a bag already, such as "arkstone export items" writes, is packed as it is.
Symbolic links are refused: what they lead to may be meant for nobody else.`,
  examples: [
    'arkstone pack survey --title "Survey of tides" --creator "Yamada, Hanako" --license https://creativecommons.org/licenses/by/4.0/',
    "arkstone pack crate --out crate.zip",
  ],
  async run(context, given, [folder = ""]) {
    const format = formatOf(given.format);
    const out = resolve(given.out ?? `${basename(resolve(folder))}.zip`);
    await requireNew(out);
    const files = (await filesBelow(folder)).filter(({ full }) => full !== out);
    if (files.length === 0) throw new CommandRefusal(`There are no files in ${folder}`);
    const progress = progressOn(context);
    const made = files.some(({ path }) => path === "bagit.txt")
      ? { parts: await asItIs(files), format: "bag" }
      : await bagOf(context, progress, files, format, given);
    await writeZip(out, made.parts);
    progress.end();
    const { size } = await stat(out);
    const result = { file: out, format: made.format, files: files.length, size_bytes: size };
    if (context.json) context.out(jsonText(result));
    else context.out(`Packed ${plural(files.length, "file")} into ${out} (${made.format}, ${writeByteSize(size)}).\n`);
    if (!context.json) context.err(`Deposit it with "arkstone deposit ${out} --url URL"\n`);
  },
});

function formatOf(text: string | undefined): Format | null {
  if (text === undefined) return null;
  if (text === "sword-bagit" || text === "ro-crate") return text;
  throw new UsageError(`--format must be ro-crate or sword-bagit, not "${text}"`, "");
}

async function requireNew(out: string): Promise<void> {
  if (await isThere(out))
    throw new CommandRefusal(`${out} exists already and is never written over`, "Name another file with --out");
}

async function filesBelow(folder: string): Promise<readonly FolderFile[]> {
  const found: FolderFile[] = [];
  const waiting: { readonly path: string; readonly depth: number }[] = [{ path: "", depth: 0 }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const full = join(folder, at.path);
    const entries = await readdir(full, { withFileTypes: true }).catch((error: unknown) => {
      throw new CommandRefusal(`Cannot read ${full}: ${errorMessage(error)}`);
    });
    for (const entry of entries) {
      const path = at.path === "" ? entry.name : `${at.path}/${entry.name}`;
      if (LITTER.has(entry.name)) continue;
      if (entry.isDirectory()) {
        if (at.depth >= DEPTH_MAX) throw new CommandRefusal(`${path} lies deeper than ${DEPTH_MAX} folders`);
        waiting.push({ path, depth: at.depth + 1 });
      } else if (entry.isFile()) {
        const { size } = await stat(join(folder, path));
        found.push({ path, full: resolve(folder, path), sizeBytes: size });
      } else
        throw new CommandRefusal(`${path} is neither a file nor a folder`, "Take it out, or put a copy in its place");
      if (found.length > FILES_MAX) throw new CommandRefusal(`There are more than ${FILES_MAX} files in ${folder}`);
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function asItIs(files: readonly FolderFile[]): Promise<readonly ZipPart[]> {
  return files.map(({ path, full, sizeBytes }) => ({ path, sizeBytes, open: () => bytesOf(full) }));
}

async function hashed(
  context: Context,
  progress: Progress,
  files: readonly FolderFile[],
): Promise<readonly HashedFile[]> {
  const done: HashedFile[] = [];
  if (!context.isInteractive) progress.step(`Reading ${plural(files.length, "file")}`);
  for (const file of files) {
    const hash = createHash("sha256");
    for await (const piece of bytesOf(file.full)) hash.update(piece);
    done.push({ ...file, sha256: hash.digest("hex") });
    if (context.isInteractive) progress.step(`Reading ${done.length} of ${plural(files.length, "file")}`);
  }
  return done;
}

/** The bytes again, which must be those that were hashed: else the bag would be refused where it is sent. */
function unchanged({ full, path, sha256 }: HashedFile): AsyncIterable<Uint8Array> {
  const changed = (): CommandRefusal => new CommandRefusal(`${path} changed while it was packed`, "Pack it again");
  return verifiedBytes(bytesOf(full), sha256, changed);
}

async function bagOf(
  context: Context,
  progress: Progress,
  all: readonly FolderFile[],
  asked: Format | null,
  described: DescriptionOptions,
): Promise<{ readonly parts: readonly ZipPart[]; readonly format: Format }> {
  const own = await ownMetadata(all);
  if (own !== null && asked !== null && own.format !== asked) {
    throw new CommandRefusal(
      `The folder holds ${own.path}, which is ${own.format} metadata, not ${asked}`,
      "Leave --format out",
    );
  }
  const options = Object.keys(DESCRIPTION).filter((name) => Reflect.get(described, name) !== undefined);
  if (own !== null && options.length > 0) {
    throw new CommandRefusal(
      `--${options[0]} is already specified by ${own.path} in the folder`,
      `Change ${own.path} instead`,
    );
  }
  const format = own?.format ?? asked ?? "ro-crate";
  const files = await hashed(
    context,
    progress,
    all.filter(({ path }) => path !== own?.path),
  );
  const metadata = own?.bytes ?? encoded(format === "ro-crate" ? crateOf(described, files) : swordOf(described));
  const payload = files.map((file) => ({ ...file, path: `data/${file.path}` }));
  const crate = { path: `data/${CRATE}`, bytes: metadata };
  const sword = { path: `metadata/${SWORD}`, bytes: metadata };
  const isCrate = format === "ro-crate";
  const crateEntry = { path: crate.path, sizeBytes: metadata.length, sha256: sha256Of(metadata) };
  const tags = await bagFiles({
    payload: [...(isCrate ? [crateEntry] : []), ...payload],
    tags: isCrate ? [] : [sword],
    info: [["Bag-Software-Agent", "Arkstone"]],
  });
  const small = [...tags, isCrate ? crate : sword].map(
    ({ path, bytes }): ZipPart => ({ path, sizeBytes: bytes.length, open: () => streamOf(bytes) }),
  );
  const large = payload.map((file): ZipPart => ({ ...file, open: () => unchanged(file) }));
  return { parts: [...small, ...large], format };
}

const encoded = (value: Json): Uint8Array => new TextEncoder().encode(jsonText(value));
const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

type MetadataFile = { readonly path: string; readonly format: Format; readonly bytes: Uint8Array };

async function ownMetadata(files: readonly FolderFile[]): Promise<MetadataFile | null> {
  const candidates: readonly (readonly [string, Format])[] = [
    [CRATE, "ro-crate"],
    [SWORD, "sword-bagit"],
    [`metadata/${SWORD}`, "sword-bagit"],
  ];
  const found = candidates.flatMap(([path, format]) => {
    const file = files.find((each) => each.path === path);
    return file === undefined ? [] : [{ file, format }];
  });
  const [first, second] = found;
  if (first === undefined) return null;
  if (second !== undefined) {
    throw new CommandRefusal(
      `The folder holds both ${first.file.path} and ${second.file.path}`,
      "Take one of them out",
    );
  }
  const { path, full, sizeBytes } = first.file;
  if (sizeBytes > METADATA_MAX_BYTES) throw new CommandRefusal(`${path} has more than ${METADATA_MAX_BYTES} bytes`);
  const bytes = new Uint8Array(await readFile(full));
  try {
    parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new CommandRefusal(`${path} is not JSON`);
  }
  return { path, format: first.format, bytes };
}

export const packCommands: readonly Command[] = [pack];
