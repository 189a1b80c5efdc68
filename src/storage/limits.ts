// Limits and refusals of the storage (R7, R7a, R7b).

/** Up to here MD5 is reckoned in the pass that writes; above it by a job (R7b). */
export const MD5_AT_ONCE_BYTES = 16 * 1024 * 1024;
/** Bytes that no row names are left alone for so long (R7a), and uploads in parts that were never ended. */
export const UNNAMED_KEPT_MS = 24 * 3_600_000;
/**
 * Parts of one object at most. A store of the S3 kind may allow 10,000; OpenStack Swift allows 1,000 where nothing else
 * is set.
 */
export const PARTS_MAX = 900;
/** Parts that a client may send, who chooses their size himself: what a store of the S3 kind allows. */
export const CLIENT_PARTS_MAX = 10_000;
/** What a store of the S3 kind allows. */
export const PART_MIN_BYTES = 5 * 1024 * 1024;
export const PART_MAX_BYTES = 5 * 1024 * 1024 * 1024;
/** The longest a presigned address may live. */
export const PRESIGNED_MAX_SECONDS = 7 * 86_400;

/**
 * Why bytes could not be kept or given: more than allowed, not the stated number, no room left, or the store does not
 * answer as it should.
 */
type StorageProblemKind = "too_large" | "wrong_size" | "no_space" | "unavailable" | "refused";

export class StorageProblem extends Error {
  override readonly name = "StorageProblem";
  readonly kind: StorageProblemKind;

  constructor(kind: StorageProblemKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** What every key looks like. Anything else names nothing, and never reaches a path or an address. */
const KEY = /^[A-Za-z0-9]{16,100}$/;

export function isStorageKey(text: string): boolean {
  return KEY.test(text);
}

/**
 * What the names look like that we give: 20 random bytes in a store, the SHA-256 in a folder. A sweep reads nothing
 * else (R7c).
 */
const OWN_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

const JOINED = /^[0-9a-f]{40}$/;

/** A file in a folder under such a key was put together from parts, and is not named by its content. */
export const isJoinedKey = (key: string): boolean => JOINED.test(key);

export function isOwnName(text: string): boolean {
  return OWN_NAME.test(text);
}

/** What a put may bring: at most `maxBytes`, and exactly `sizeBytes` where the size was declared. */
export type PutLimits = { readonly sizeBytes?: number; readonly maxBytes?: number };

/** @throws StorageProblem as soon as there are more bytes than allowed or declared. */
export function checkGrowing(soFarBytes: number, { maxBytes, sizeBytes }: PutLimits): void {
  if (maxBytes !== undefined && soFarBytes > maxBytes) {
    throw new StorageProblem("too_large", `Cannot keep the bytes: there are more than ${maxBytes}`);
  }
  if (sizeBytes !== undefined && soFarBytes > sizeBytes) {
    throw new StorageProblem("wrong_size", `Cannot keep the bytes: there are more than the ${sizeBytes} announced`);
  }
}

/** @throws StorageProblem when the end came before the declared size. */
export function checkEnded(cameBytes: number, { sizeBytes }: PutLimits): void {
  if (sizeBytes === undefined || cameBytes === sizeBytes) return;
  throw new StorageProblem("wrong_size", `Cannot keep the bytes: ${sizeBytes} were announced and ${cameBytes} came`);
}
