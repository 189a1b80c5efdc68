// A small ZIP writer for tests that can write wrong things on purpose: every field of both headers and of the end can
// be set.
import { crc32, deflateRawSync } from "node:zlib";

/** Fields of one header; those left out are true. */
type Fields = {
  readonly name?: Uint8Array;
  readonly flags?: number;
  readonly method?: number;
  readonly crc32?: number;
  readonly compressedBytes?: number | bigint;
  readonly sizeBytes?: number | bigint;
  readonly extra?: Uint8Array;
  readonly madeBy?: number;
  readonly attributes?: number;
  readonly disk?: number;
  readonly offset?: number | bigint;
  readonly signature?: number;
};

export type Piece = {
  readonly name: string | Uint8Array;
  readonly bytes?: Uint8Array | string;
  readonly deflate?: boolean;
  /** Packed bytes to write instead of the true ones. */
  readonly packed?: Uint8Array;
  readonly utf8Flag?: boolean;
  /** A data descriptor behind the bytes; sizes and CRC of the local header are then 0. */
  readonly descriptor?: "signed" | "unsigned";
  readonly zip64?: boolean;
  readonly unixMode?: number;
  /** What both headers state instead of the truth, and what one of them states. */
  readonly both?: Fields;
  readonly local?: Fields;
  readonly central?: Fields;
  /** Not listed in the directory. */
  readonly hidden?: boolean;
  /** No local part: the directory points to that of the piece with this index. */
  readonly sharing?: number;
};

export type End = {
  readonly zip64?: boolean;
  readonly comment?: Uint8Array;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  readonly omitEnd?: boolean;
  readonly entries?: number | bigint;
  readonly entriesHere?: number;
  readonly directoryBytes?: number | bigint;
  readonly directoryOffset?: number | bigint;
  readonly disk?: number;
  readonly directoryDisk?: number;
  readonly disks?: number;
  /** Bytes between the last entry and the directory, and behind the directory. */
  readonly gap?: Uint8Array;
  readonly behindDirectory?: Uint8Array;
};

const encoder = new TextEncoder();
export const utf8Bytes = (text: string): Uint8Array => encoder.encode(text);
export const le16 = (value: number): Uint8Array => new Uint8Array([value & 255, (value >>> 8) & 255]);
export const le32 = (value: number): Uint8Array => join(le16(value & 0xffff), le16(value >>> 16));
export function le64(value: number | bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}
export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
/** One block of an extra field. */
export const extra = (id: number, body: Uint8Array): Uint8Array => join(le16(id), le16(body.length), body);
const short = (value: number | bigint): number => (BigInt(value) >= 0xffffffffn ? 0xffffffff : Number(value));

type Written = { readonly fields: Required<Omit<Fields, "signature">>; readonly piece: Piece };

function truth(piece: Piece, offset: number): Written["fields"] & { readonly body: Uint8Array } {
  const bytes = typeof piece.bytes === "string" ? utf8Bytes(piece.bytes) : (piece.bytes ?? new Uint8Array(0));
  const body = piece.packed ?? (piece.deflate === true ? new Uint8Array(deflateRawSync(bytes)) : bytes);
  const name = typeof piece.name === "string" ? utf8Bytes(piece.name) : piece.name;
  const isUtf8 = piece.utf8Flag ?? typeof piece.name === "string";
  return {
    body,
    name,
    flags: (isUtf8 ? 0x800 : 0) | (piece.descriptor === undefined ? 0 : 8),
    method: piece.deflate === true ? 8 : 0,
    crc32: crc32(bytes),
    compressedBytes: body.length,
    sizeBytes: bytes.length,
    extra: new Uint8Array(0),
    madeBy: (3 << 8) | 45,
    attributes: ((piece.unixMode ?? (piece.name.at(-1) === "/" ? 0o40755 : 0o100644)) << 16) >>> 0,
    disk: 0,
    offset,
  };
}

function localPart(piece: Piece, fields: Written["fields"], body: Uint8Array): Uint8Array {
  const zeroed = piece.descriptor === undefined ? {} : { crc32: 0, compressedBytes: 0, sizeBytes: 0 };
  const { signature, ...overrides } = { ...piece.both, ...piece.local };
  const local = { ...fields, ...zeroed, ...overrides };
  const long = piece.zip64 === true && piece.descriptor === undefined;
  const extras = join(
    long ? extra(1, join(le64(local.sizeBytes), le64(local.compressedBytes))) : utf8Bytes(""),
    local.extra,
  );
  const size = (value: number | bigint) => le32(long ? 0xffffffff : short(value));
  return join(
    ...[le32(signature ?? 0x04034b50), le16(45), le16(local.flags), le16(local.method), le16(0), le16(0x21)],
    ...[le32(local.crc32), size(local.compressedBytes), size(local.sizeBytes), le16(local.name.length)],
    ...[le16(extras.length), local.name, extras, body, descriptor(piece, fields)],
  );
}

function descriptor(piece: Piece, fields: Written["fields"]): Uint8Array {
  if (piece.descriptor === undefined) return utf8Bytes("");
  const size = piece.zip64 === true ? le64 : (value: number | bigint) => le32(short(value));
  const sign = piece.descriptor === "signed" ? le32(0x08074b50) : utf8Bytes("");
  return join(sign, le32(fields.crc32), size(fields.compressedBytes), size(fields.sizeBytes));
}

function centralPart(piece: Piece, fields: Written["fields"]): Uint8Array {
  const { signature, ...overrides } = { ...piece.both, ...piece.central };
  const central = { ...fields, ...overrides };
  const long = piece.zip64 === true;
  const isLong = (value: number | bigint) => long || BigInt(value) >= 0xffffffffn;
  const wide = [central.sizeBytes, central.compressedBytes, central.offset].filter(isLong);
  const extras = join(wide.length > 0 ? extra(1, join(...wide.map(le64))) : utf8Bytes(""), central.extra);
  const size = (value: number | bigint) => le32(isLong(value) ? 0xffffffff : Number(value));
  return join(
    ...[le32(signature ?? 0x02014b50), le16(central.madeBy), le16(45), le16(central.flags), le16(central.method)],
    ...[le16(0), le16(0x21), le32(central.crc32), size(central.compressedBytes), size(central.sizeBytes)],
    ...[le16(central.name.length), le16(extras.length), le16(0), le16(central.disk), le16(0)],
    ...[le32(central.attributes), size(central.offset), central.name, extras],
  );
}

/** A ZIP archive of these pieces. Nothing is checked. */
export function zip(pieces: readonly Piece[], end: End = {}): Uint8Array {
  const before = end.before ?? new Uint8Array(0);
  const parts: Uint8Array[] = [before];
  let at = before.length;
  const offsets: number[] = [];
  const listed: Uint8Array[] = [];
  for (const piece of pieces) {
    const offset = piece.sharing === undefined ? at : (offsets[piece.sharing] ?? 0);
    offsets.push(offset);
    const { body, ...fields } = truth(piece, offset);
    if (piece.sharing === undefined) {
      const local = localPart(piece, fields, body);
      parts.push(local);
      at += local.length;
    }
    if (piece.hidden !== true) listed.push(centralPart(piece, fields));
  }
  const directory = join(...listed);
  const gap = end.gap ?? new Uint8Array(0);
  const behind = end.behindDirectory ?? new Uint8Array(0);
  const tail = endPart(
    end,
    listed.length,
    at + gap.length,
    directory.length,
    at + gap.length + directory.length + behind.length,
  );
  return join(...parts, gap, directory, behind, ...(end.omitEnd === true ? [] : [tail]), end.after ?? utf8Bytes(""));
}

function endPart(end: End, count: number, offset: number, size: number, endOffset: number): Uint8Array {
  const entries = end.entries ?? count;
  const bytes = end.directoryBytes ?? size;
  const start = end.directoryOffset ?? offset;
  const comment = end.comment ?? utf8Bytes("");
  const [disk, directoryDisk] = [end.disk ?? 0, end.directoryDisk ?? 0];
  const long = end.zip64 === true;
  const zip64 = join(
    ...[le32(0x06064b50), le64(44), le16(45), le16(45), le32(disk), le32(directoryDisk)],
    ...[le64(end.entriesHere ?? entries), le64(entries), le64(bytes), le64(start)],
    ...[le32(0x07064b50), le32(0), le64(endOffset), le32(end.disks ?? 1)],
  );
  const count16 = (value: number | bigint) => le16(long ? 0xffff : Number(value));
  const size32 = (value: number | bigint) => le32(long ? 0xffffffff : short(value));
  return join(
    ...(long ? [zip64] : []),
    ...[le32(0x06054b50), le16(disk), le16(directoryDisk), count16(end.entriesHere ?? entries), count16(entries)],
    ...[size32(bytes), size32(start), le16(comment.length), comment],
  );
}
