// What uploads in parts have in common, wherever the parts lie (port MultipartStorage; R7, R7b).
import { createHash } from "node:crypto";
import { CLIENT_PARTS_MAX, PART_MAX_BYTES, PART_MIN_BYTES } from "../storage/limits.ts";
import type { Completion, MultipartUpload, UploadedPart } from "../storage/storage.ts";

type PartSizes = Pick<MultipartUpload, "sizeBytes" | "partBytes">;

/** An empty file has one part, which is empty. */
export const partCount = ({ sizeBytes, partBytes }: PartSizes): number => Math.max(1, Math.ceil(sizeBytes / partBytes));

/** How many bytes a part must have. */
export function partSize({ sizeBytes, partBytes }: PartSizes, number: number): number {
  const count = partCount({ sizeBytes, partBytes });
  return number < count ? partBytes : sizeBytes - (count - 1) * partBytes;
}

/** @throws RangeError */
export function checkParts(sizeBytes: number, partBytes: number): void {
  const whole = Number.isSafeInteger(sizeBytes) && sizeBytes >= 0 && Number.isSafeInteger(partBytes) && partBytes >= 1;
  if (!whole) throw new RangeError(`Cannot upload ${sizeBytes} bytes in parts of ${partBytes}`);
  const count = partCount({ sizeBytes, partBytes });
  if (count > CLIENT_PARTS_MAX) {
    throw new RangeError(`Cannot upload in ${count} parts: ${CLIENT_PARTS_MAX} are possible`);
  }
  if (partBytes > PART_MAX_BYTES || (count > 1 && partBytes < PART_MIN_BYTES)) {
    throw new RangeError(
      `Cannot upload in parts of ${partBytes} bytes: ${PART_MIN_BYTES} to ${PART_MAX_BYTES} are possible`,
    );
  }
}

/** Parts that are missing or have another size than they must; null when all are there. */
export function lackingParts(upload: PartSizes, parts: readonly Omit<UploadedPart, "etag">[]): Completion | null {
  const sizes = new Map(parts.map(({ number, sizeBytes }) => [number, sizeBytes]));
  const [missing, wrongSize]: [number[], number[]] = [[], []];
  for (let number = 1; number <= partCount(upload); number += 1) {
    const size = sizes.get(number);
    if (size === undefined) missing.push(number);
    else if (size !== partSize(upload, number)) wrongSize.push(number);
  }
  return missing.length === 0 && wrongSize.length === 0 ? null : { completed: false, missing, wrongSize };
}

const MD5 = /^[0-9a-f]{32}$/;

/** MD5 of the MD5s of the parts, in hex; null where one of them is none. */
export function compositeOf(md5s: readonly string[]): string | null {
  if (!md5s.every((md5) => MD5.test(md5))) return null;
  return createHash("md5")
    .update(Buffer.from(md5s.join(""), "hex"))
    .digest("hex");
}
