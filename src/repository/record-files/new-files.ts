// What is sent to register files of a draft (R37; reference 1.2): an array of keys with how their bytes will come.
// Pure.

import { type FieldError, invalidRecord, RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import { canParseUrl } from "../../shared/http/web-url.ts";
import type { Json } from "../../shared/json/json.ts";
import { most } from "../../shared/limits.ts";
import { PART_MAX_BYTES, PART_MIN_BYTES } from "../../storage/limits.ts";
import { keyProblem } from "./entries.ts";
import { FILE_SENTENCES, fileExists, refusedFile } from "./sentences.ts";

type NewTransfer =
  | { readonly type: "L" }
  | { readonly type: "F"; readonly url: string }
  | { readonly type: "M"; readonly parts: number; readonly partBytes: number };

export type NewFile = {
  readonly key: string;
  readonly transfer: NewTransfer;
  readonly metadata: { readonly [member: string]: Json } | null;
  /** As announced; null where nothing was. */
  readonly sizeBytes: number | null;
};

type Members = { readonly [member: string]: Json };

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** The reader of JSON made it. */
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const KNOWN: ReadonlySet<string> = new Set([
  ...["key", "transfer", "metadata", "size", "checksum", "access", "storage_class"],
]);
const OF_TRANSFER: Readonly<Record<string, readonly string[]>> = {
  L: ["type"],
  F: ["type", "url"],
  M: ["type", "parts", "part_size"],
};

/**
 * @param isAllowed whether files are fetched from an address.
 * @throws Refusal that names every field, or the one sentence about a transfer
 */
export function readNewFiles(body: unknown, isAllowed: (url: URL) => boolean): readonly NewFile[] {
  if (!Array.isArray(body)) throw invalidRecord([{ field: "0._schema", messages: [FILE_SENTENCES.list] }]);
  if (body.length === 0) throw invalidRecord([{ field: "_schema", messages: [FILE_SENTENCES.nothingSent] }]);
  if (body.length > most("files")) throw refusedFile(`A record has at most ${most("files")} files.`);
  const errors: FieldError[] = [];
  const files = body.flatMap((each: unknown, index) => readOne(each, index, errors, isAllowed));
  if (errors.length > 0) throw invalidRecord(errors.slice(0, ERRORS_TOLD));
  const seen = new Set<string>();
  for (const { key } of files) {
    if (seen.has(key)) throw fileExists(key);
    seen.add(key);
  }
  for (const { transfer, sizeBytes } of files) if (transfer.type === "M") checkParts(transfer, sizeBytes);
  return files;
}

const ERRORS_TOLD = 100;

/** Whether a file is to be fetched from an address, whatever else the body holds. */
export const namesFetch = (body: unknown): boolean =>
  Array.isArray(body) &&
  body.some((each: unknown) => isMembers(each) && isMembers(each.transfer) && each.transfer.type === "F");

function readOne(
  sent: unknown,
  index: number,
  errors: FieldError[],
  isAllowed: (url: URL) => boolean,
): readonly NewFile[] {
  const wrong = (field: string, message: string): void => void errors.push({ field, messages: [message] });
  const at = (member: string): string => `${index}.${member}`;
  if (!isMembers(sent)) {
    wrong(at("_schema"), FILE_SENTENCES.list);
    return [];
  }
  for (const member of Object.keys(sent)) {
    if (!KNOWN.has(member)) wrong(at(member.slice(0, 100)), FILE_SENTENCES.unknown);
  }
  const { key, size = null } = sent;
  if (key === undefined) wrong(at("key"), RECORD_SENTENCES.missing);
  else if (typeof key !== "string") wrong(at("key"), FILE_SENTENCES.text);
  else {
    const problem = keyProblem(key);
    if (problem !== null) wrong(at("key"), problem);
  }
  if (size !== null && !(isWhole(size) && size >= 0)) wrong(at("size"), FILE_SENTENCES.integer);
  const metadata = readFileMetadata(sent.metadata, at("metadata"), wrong);
  const transfer = readTransfer(sent.transfer, at, wrong, isAllowed);
  if (typeof key !== "string" || transfer === null) return [];
  return [{ key, transfer, metadata, sizeBytes: isWhole(size) ? size : null }];
}

type FaultReporter = (field: string, message: string) => void;

/** Metadata of a file: any members, of bounded length. */
export function readFileMetadata(sent: unknown, field: string, wrong: FaultReporter): Members | null {
  if (sent === undefined || sent === null) return null;
  if (!isMembers(sent)) {
    wrong(field, FILE_SENTENCES.mapping);
    return null;
  }
  const longest = most("fileMetadataCharacters");
  if (JSON.stringify(sent).length > longest) wrong(field, `Longer than maximum length ${longest}.`);
  return sent;
}

function readTransfer(
  sent: Json | undefined,
  at: (member: string) => string,
  wrong: FaultReporter,
  isAllowed: (url: URL) => boolean,
): NewTransfer | null {
  if (sent === undefined) return { type: "L" };
  if (!isMembers(sent)) {
    wrong("transfer", FILE_SENTENCES.transfer);
    return null;
  }
  const { type = "L" } = sent;
  const known = typeof type === "string" && Object.hasOwn(OF_TRANSFER, type) ? OF_TRANSFER[type] : undefined;
  if (known === undefined) {
    wrong(at("transfer.type"), `Unsupported value: ${JSON.stringify(type).slice(0, 100)}`);
    return null;
  }
  for (const member of Object.keys(sent)) {
    if (!known.includes(member)) wrong(at(`transfer.${member.slice(0, 100)}`), FILE_SENTENCES.unknown);
  }
  if (type === "F") return readFetch(sent.url, at, wrong, isAllowed);
  if (type === "L") return { type };
  const { parts = 0, part_size: partBytes = 0 } = sent;
  for (const [member, value] of Object.entries({ parts, part_size: partBytes })) {
    if (value !== null && !isWhole(value)) wrong(at(`transfer.${member}`), FILE_SENTENCES.integer);
  }
  return { type: "M", parts: isWhole(parts) ? parts : 0, partBytes: isWhole(partBytes) ? partBytes : 0 };
}

function readFetch(
  url: Json | undefined,
  at: (member: string) => string,
  wrong: FaultReporter,
  isAllowed: (url: URL) => boolean,
): NewTransfer | null {
  if (url === undefined) wrong(at("transfer.url"), RECORD_SENTENCES.missing);
  else if (typeof url !== "string" || url.length > most("nameCharacters") || !canParseUrl(url)) {
    wrong(at("transfer.url"), FILE_SENTENCES.url);
  } else if (!isAllowed(new URL(url))) wrong(at("transfer.uri"), FILE_SENTENCES.domain);
  else return { type: "F", url };
  return null;
}

/** Every part but the last has one size; together they are the file. */
function checkParts({ parts, partBytes }: Extract<NewTransfer, { type: "M" }>, sizeBytes: number | null): void {
  if (parts < 1) throw refusedFile(FILE_SENTENCES.noParts);
  if (sizeBytes === null || sizeBytes < 1) throw refusedFile(FILE_SENTENCES.noSize);
  if (partBytes < 1) throw refusedFile(FILE_SENTENCES.noPartSize);
  if (parts > most("fileParts")) throw refusedFile(`A file has at most ${most("fileParts")} parts, not ${parts}.`);
  if (parts > 1 && partBytes < PART_MIN_BYTES) {
    throw refusedFile(`Every part but the last has at least ${PART_MIN_BYTES} bytes, not ${partBytes}.`);
  }
  if (partBytes > PART_MAX_BYTES) throw refusedFile(`A part has at most ${PART_MAX_BYTES} bytes, not ${partBytes}.`);
  const needed = Math.ceil(sizeBytes / partBytes);
  if (needed === parts) return;
  throw refusedFile(`A file of ${sizeBytes} bytes has ${needed} parts of ${partBytes} bytes, not ${parts}.`);
}
