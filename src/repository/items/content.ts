// What every item must fulfil, whichever interface writes it: names, days and numbers that the tables and the rules
// rely on.

import type { Access, ItemContent, ItemFile } from "../../model/items/item.ts";
import { storedKeys } from "../../model/metadata/duplicate-keys.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { metadataExcess } from "../../model/metadata/metadata-limits.ts";
import { citedLanguage, peopleIn } from "../../model/metadata/reader-language.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import { sortedText } from "../../shared/json/sorted-text.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { isDay } from "../../shared/time/day.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import type { DuplicateKey } from "../store/items.ts";

const FILES_MAX = most("files");
const INDEXES_MAX = most("indexes");
const FILE_NAME_MAX = 1024;
export const METADATA_BYTES_MAX = most("metadataCharacters");

function refuse(problem: string, detail: Readonly<Record<string, unknown>>): never {
  throw new Refusal("invalid", problem, { detail });
}

function twice<T>(values: readonly T[]): T | undefined {
  const seen = new Set<T>();
  return values.find((value) => seen.size === seen.add(value).size);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const CONTROL = /[\u0000-\u001F\u007F]/;

function checkFile(file: ItemFile): void {
  const { name, access, accessDate } = file;
  if (name === "" || name.length > FILE_NAME_MAX || CONTROL.test(name) || !name.isWellFormed()) {
    refuse(
      `Cannot keep a file called ${JSON.stringify(name.slice(0, 200))}: 1 to ${FILE_NAME_MAX} characters without control characters`,
      { file: name.slice(0, 200) },
    );
  }
  if (access === "date" && (accessDate === null || !isDay(accessDate))) {
    refuse(`File "${name}" opens on a day, and "${accessDate ?? ""}" is none`, { file: name, access_date: accessDate });
  }
  if (accessDate !== null && !isDay(accessDate)) {
    refuse(`File "${name}" has the access date "${accessDate}", which is not a day`, {
      file: name,
      access_date: accessDate,
    });
  }
}

function checkAccess({ openDate, embargoUntil }: Access): void {
  if (!isDay(openDate)) refuse(`The open date "${openDate}" is not a day`, { open_date: openDate });
  if (embargoUntil !== null && !isDay(embargoUntil)) {
    refuse(`The embargo ends on "${embargoUntil}", which is not a day`, { embargo: embargoUntil });
  }
}

/**
 * The checks that no interface can bypass. Returns the size of the metadata in bytes. Fields that an item type requires
 * are checked by the interface.
 *
 * @throws Refusal `invalid` naming field and value
 */
export function checkContent(content: ItemContent): number {
  const { files, indexes, access, metadata } = content;
  if (files.length > FILES_MAX)
    refuse(`An item has at most ${FILES_MAX} files, not ${files.length}`, { files: files.length });
  if (indexes.length > INDEXES_MAX)
    refuse(`An item is in at most ${INDEXES_MAX} indexes, not ${indexes.length}`, { indexes: indexes.length });
  for (const file of files) checkFile(file);
  const name = twice(files.map((file) => file.name));
  if (name !== undefined) refuse(`Two files are called "${name}"`, { file: name });
  const index = twice(indexes);
  if (index !== undefined) refuse(`Index ${index} is named twice`, { index });
  checkAccess(access);
  const tooMuch = metadataExcess(metadata);
  if (tooMuch !== null) refuse(`The metadata ${tooMuch}`, {});
  const bytes = encoder.encode(JSON.stringify(metadata)).length;
  if (bytes > METADATA_BYTES_MAX) {
    refuse(`The metadata have ${bytes} bytes, at most ${METADATA_BYTES_MAX} are kept`, { bytes });
  }
  return bytes;
}

/** The keys the item is found by as a duplicate (R18). */
export async function duplicateKeysOf(metadata: Metadata): Promise<readonly DuplicateKey[]> {
  return digests(await inTurns(storedKeys(metadata)));
}

export const digests = (
  texts: readonly { readonly kind: DuplicateKey["kind"]; readonly text: string }[],
): readonly DuplicateKey[] => texts.map(({ kind, text }) => ({ kind, digest: sha256Hex(text) }));

/** Creators in the description of a name; the line has a separate limit. */
const DESCRIBED_CREATORS = 1_000;

/** The creators in a row, each by its name in the language of the title. */
export function creatorsLine(metadata: Metadata): string {
  return peopleIn(metadata.creators, citedLanguage(metadata, undefined), DESCRIBED_CREATORS).join("; ");
}

// Names of files in an item: nested paths of a package are flattened (R13a; specification, processing step 9).

const UNTOUCHED = /^[A-Za-z0-9_.\-~]$/;
const encoder = new TextEncoder();

/**
 * The name that a payload file receives. `path` is relative to the payload folder: `a/b c.pdf` becomes `a%2Fb%20c.pdf`,
 * every byte but `A-Za-z0-9_.-~` percent-encoded. A file outside of folders keeps its name, unless the name has
 * characters that are not allowed in an item's file names (a bag may contain `a\nb.txt`): then it is encoded too.
 */
export function flattenName(path: string): string {
  if (!path.includes("/") && !CONTROL.test(path)) return path;
  let name = "";
  for (const byte of encoder.encode(path)) {
    const character = String.fromCharCode(byte);
    name += UNTOUCHED.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return name;
}

/**
 * The names of all payload files by their path.
 *
 * @throws DocumentError when two files become one name.
 */
export function flattenNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const path of paths) {
    const name = flattenName(path);
    const owner = owners.get(name);
    if (owner !== undefined) {
      throw new DocumentError(`The files "${owner}" and "${path}" would both be named "${name}"`);
    }
    owners.set(name, path);
    names.set(path, name);
  }
  return names;
}

// Whether two contents are equal (R37: saving nothing new makes no revision), in whatever order their members were
// written.

export const isSameContent = (before: ItemContent, now: ItemContent): boolean => sortedText(before) === sortedText(now);

/** The same, whatever files they have. */
export function isSameButFiles({ files: _, ...before }: ItemContent, { files: __, ...now }: ItemContent): boolean {
  return sortedText(before) === sortedText(now);
}
