// The messages of the interface of files (R37; reference 1.1, 1.2), word for word as clients of existing record
// repositories know them.
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";

export const FILE_SENTENCES = {
  failed: "The file upload transfer failed, please try again.",
  locked: "Bucket is locked for modifications.",
  removeFirst: "Please remove all files first.",
  notEnabled: "Files support must be enabled.",
  noFiles: "The record has no files.",
  nothingSent: "No files to upload.",
  stillThere: "You must first delete all files to set the record to be metadata-only.",
  tooLarge: "File size limit exceeded.",
  noParts: "Multipart file transfer requires parts.",
  noSize: "Multipart file transfer requires file size.",
  noPartSize: "Multipart file transfer to local storage requires part_size.",
  partSize: "Size of this part must be equal to part_size sent in multipart initialization.",
  partNumber: "Part number is higher than total parts sent in multipart initialization.",
  useParts: "Can not set content for multipart file, use the parts instead.",
  partsElsewhere: "The parts of this file are sent to the addresses in its links.",
  domain: "Domain not allowed",
  url: "Not a valid URL.",
  transfer: "Transfer metadata must be a dictionary.",
  mapping: "Not a valid mapping type.",
  /** Ours: a hash that the sender computed before (RFC 9530). */
  digest: "The bytes are not those that Content-Digest was made from: send them again.",
  unreadableDigest: "Content-Digest cannot be read: write sha-256=:BASE64:, with colons around it.",
  list: "Invalid input type.",
  integer: "Not a valid integer.",
  text: "Not a valid string.",
  truth: "Not a valid boolean.",
  unknown: "Unknown field.",
} as const;

export const refusedFile = (sentence: string): Refusal => new Refusal("invalid", sentence);

export const fileExists = (key: string): Refusal => refusedFile(`File with key ${key} already exists.`);

export const noSuchFile = (record: ItemId, key: string): Refusal =>
  new Refusal("not_found", `Record '${record}' has no file '${key}'.`);

/** Files of what is published change with a new version only (R2b). */
export const lockedFiles = (): Refusal => new Refusal("forbidden", FILE_SENTENCES.locked);

/** Of an import, where the sentence is all that is wrong. */
export const refusedImport = (sentence: string): Refusal =>
  new Refusal("invalid", sentence, { detail: { errors: [{ field: "files", messages: [sentence] }] } });

export const tooLargeFile = (): Refusal => new Refusal("too_large", FILE_SENTENCES.tooLarge);
