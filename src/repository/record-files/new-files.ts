// What is sent to register files of a draft (R37; reference 1.2): an array of keys with how their bytes will come.
// Pure.

import { Type } from "@sinclair/typebox";
import { faultSentence } from "../../shared/field-faults.ts";
import {
  type Field,
  object,
  oneOf,
  optional,
  orNull,
  refined,
  sequenceOf,
  unread,
  type ValueOf,
  whole,
  withSentence,
  words,
} from "../../shared/fields.ts";
import { canParseUrl } from "../../shared/http/web-url.ts";
import type { Json } from "../../shared/json/json.ts";
import { most } from "../../shared/limits.ts";
import { isObject, memberOf, own } from "../../shared/objects.ts";
import { PART_MAX_BYTES, PART_MIN_BYTES } from "../../storage/limits.ts";
import { keyProblem } from "./entries.ts";
import { FILE_RULE, type FileRule } from "./file-access.ts";
import { FILE_SENTENCES, fileExists, refusedFile } from "./sentences.ts";
import { comparedKey } from "./taken-keys.ts";

type NewTransfer =
  | { readonly type: "L" }
  | { readonly type: "F"; readonly url: string }
  | { readonly type: "M"; readonly parts: number; readonly partBytes: number; readonly fingerprint?: string };

export type NewFile = {
  readonly key: string;
  readonly transfer: NewTransfer;
  readonly metadata: { readonly [member: string]: Json } | null;
  /** Null: as every new file. */
  readonly rule: FileRule | null;
  /** As announced; null where nothing was. */
  readonly sizeBytes: number | null;
};

type Members = { readonly [member: string]: Json };

/** Metadata of a file: any members, of bounded length. */
const FILE_METADATA: Field<Members> = {
  schema: Type.Object({}, { $id: "FileMetadata", additionalProperties: true, description: "Any members" }),
  read(value, path) {
    if (!isObject(value)) throw faultSentence(path, FILE_SENTENCES.mapping);
    const longest = most("fileMetadataCharacters");
    if (JSON.stringify(value).length > longest) throw faultSentence(path, `Longer than maximum length ${longest}.`);
    // The reader of JSON made it.
    return value as Members;
  },
};

/** The body of a change: metadata that it leaves out are removed, an access that it leaves out stays as it is. */
export const DESCRIBED_FILE = refined(
  object(
    { metadata: optional(orNull(FILE_METADATA)), access: optional(FILE_RULE) },
    { others: "ignored", $id: "DescribedFile" },
  ),
  ({ metadata = null, access = null }) => ({ metadata, rule: access }),
);
export type DescribedFile = ValueOf<typeof DESCRIBED_FILE>;

const KEY: Field<string> = {
  schema: Type.String({ maxLength: most("fileKeyCharacters"), description: "A path; in addresses percent-encoded" }),
  read(value, path) {
    const problem = typeof value === "string" ? keyProblem(value) : FILE_SENTENCES.text;
    if (problem !== null || typeof value !== "string") throw faultSentence(path, problem ?? "");
    return value;
  },
};

const integer = (min: number, description: string) =>
  optional(orNull(withSentence(whole(min, undefined, { description }), FILE_SENTENCES.integer)));

const anything: Field<unknown> = { schema: Type.Unknown(), read: (value) => value };

const addressOf = (isAllowed: (url: URL) => boolean): Field<string> => ({
  schema: Type.String({ format: "uri", maxLength: most("nameCharacters"), description: "Administrators only" }),
  read(value, path) {
    const isAddress = typeof value === "string" && value.length <= most("nameCharacters") && canParseUrl(value);
    if (!isAddress) throw faultSentence(path, FILE_SENTENCES.url);
    if (!isAllowed(new URL(value))) throw faultSentence(path.replace(/url$/, "uri"), FILE_SENTENCES.domain);
    return value;
  },
});

/** By which a client recognises the file when it goes on with the upload; it is compared by clients alone. */
const FINGERPRINT = optional(
  orNull(
    withSentence(
      words(most("fileFingerprintCharacters"), { description: "By which the client recognises the file again" }),
      FILE_SENTENCES.text,
    ),
  ),
);

/** How the bytes come: in one body, in parts, or fetched from an address. */
function transferOf(isAllowed: (url: URL) => boolean): Field<NewTransfer> {
  const least = -Number.MAX_SAFE_INTEGER;
  const kinds = {
    L: refined(object({ type: optional(oneOf(["L"])) }), (): NewTransfer => ({ type: "L" })),
    F: refined(object({ type: oneOf(["F"]), url: addressOf(isAllowed) }), (sent): NewTransfer => sent),
    M: refined(
      object({
        type: oneOf(["M"]),
        parts: integer(least, "Number of parts"),
        part_size: integer(least, `Bytes of every part but the last, at least ${PART_MIN_BYTES}`),
        fingerprint: FINGERPRINT,
      }),
      ({ parts, part_size: size, fingerprint }): NewTransfer => ({
        ...{ type: "M", parts: parts ?? 0, partBytes: size ?? 0 },
        ...(typeof fingerprint === "string" ? { fingerprint } : {}),
      }),
    ),
  };
  return {
    schema: Type.Union(
      Object.values(kinds).map(({ schema }) => schema),
      { $id: "NewTransfer", description: "L: one body; M: in parts; F: fetched from an address" },
    ),
    read(value, path) {
      if (!isObject(value)) throw faultSentence("transfer", FILE_SENTENCES.transfer);
      const type = memberOf(value, "type") ?? "L";
      const kind = typeof type === "string" ? own<Field<NewTransfer>>(kinds, type) : undefined;
      if (kind !== undefined) return kind.read(value, path);
      throw faultSentence(`${path}.type`, `Unsupported value: ${JSON.stringify(type).slice(0, 100)}`);
    },
  };
}

/** @param isAllowed whether files are fetched from an address */
export function newFilesOf(isAllowed: (url: URL) => boolean): Field<readonly NewFile[]> {
  const file = object(
    {
      key: KEY,
      size: integer(0, "Bytes; needed for parts"),
      metadata: optional(orNull(FILE_METADATA)),
      transfer: optional(transferOf(isAllowed)),
      // Members of an answer that may be sent back.
      checksum: optional(anything),
      access: optional(FILE_RULE),
      storage_class: optional(anything),
    },
    { $id: "NewFile" },
  );
  const files = sequenceOf(file, most("files"));
  return {
    schema: { ...files.schema, minItems: 1 },
    read(value, path) {
      if (!Array.isArray(value)) throw faultSentence("0._schema", FILE_SENTENCES.list);
      if (value.length === 0) throw faultSentence("_schema", FILE_SENTENCES.nothingSent);
      if (value.length > most("files")) throw refusedFile(`A record has at most ${most("files")} files.`);
      return files.read(value, path).map(({ key, size = null, metadata = null, transfer = { type: "L" }, access }) => {
        return { key, transfer, metadata, rule: access ?? null, sizeBytes: size };
      });
    },
  };
}

/** The files that a client registers; they are read once it is known that it may. */
export const NEW_FILES = unread(newFilesOf(() => true));

/** @throws Refusal for a key that is repeated, and for parts that are not the file */
export function checkNewFiles(files: readonly NewFile[]): void {
  const seen = new Set<string>();
  for (const { key } of files) {
    if (seen.has(comparedKey(key))) throw fileExists(key);
    seen.add(comparedKey(key));
  }
  for (const { transfer, sizeBytes } of files) if (transfer.type === "M") checkParts(transfer, sizeBytes);
}

/** Whether a file is to be fetched from an address, whatever else the body holds. */
export const namesFetch = (body: unknown): boolean =>
  Array.isArray(body) &&
  body.some((each: unknown) => isObject(each) && isObject(each.transfer) && each.transfer.type === "F");

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
