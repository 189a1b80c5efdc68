// AWS Signature Version 4 for S3: in a header and in the query (presigned). Held against the values AWS published, in
// test/adapters.
import { createHmac } from "node:crypto";
import { sha256Hex } from "../../shared/hash/digests.ts";
import { PRESIGNED_MAX_SECONDS } from "../../storage/limits.ts";

export type S3Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string };

/** Who signs, where and when. */
type Signer = S3Credentials & { readonly region: string };

type SignedRequest = {
  readonly method: string;
  /** As sent in `Host`, with its port where it is not the scheme's own. */
  readonly host: string;
  /** Not encoded, from its first slash. */
  readonly path: string;
  /** Not encoded. */
  readonly query: Readonly<Record<string, string>>;
};

const UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";
const ALGORITHM = "AWS4-HMAC-SHA256";

function hmac(key: string | Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}

/** RFC 3986: everything but the unreserved characters, byte by byte of UTF-8. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

export function encodePath(path: string): string {
  return path.split("/").map(encode).join("/");
}

/** Sorted by name, as the signature needs it; sent in this order too. */
export function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** `20130524T000000Z` */
function amzDate(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d{3}/g, "");
}

function scopeOf(date: string, region: string): string {
  return `${date.slice(0, 8)}/${region}/s3/aws4_request`;
}

function signatureOf(signer: Signer, date: string, canonical: string): string {
  const text = [ALGORITHM, date, scopeOf(date, signer.region), sha256Hex(canonical)].join("\n");
  const day = hmac(`AWS4${signer.secretAccessKey}`, date.slice(0, 8));
  const key = hmac(hmac(hmac(day, signer.region), "s3"), "aws4_request");
  return createHmac("sha256", key).update(text).digest("hex");
}

function canonicalOf(request: SignedRequest, headers: readonly (readonly [string, string])[], payload: string): string {
  return [
    request.method,
    encodePath(request.path),
    encodeQuery(request.query),
    ...headers.map(([name, value]) => `${name}:${value}`),
    "",
    headers.map(([name]) => name).join(";"),
    payload,
  ].join("\n");
}

/**
 * The headers to send: those given (all are signed; names in lower case), the date, the hash of the payload (hex, or
 * `UNSIGNED-PAYLOAD`) and the signature. `host` is signed and left to the sender.
 */
export function signedHeaders(
  signer: Signer,
  request: SignedRequest & { readonly headers: Readonly<Record<string, string>>; readonly payload: string },
  at: Date,
): Readonly<Record<string, string>> {
  const date = amzDate(at);
  const sent = { ...request.headers, "x-amz-content-sha256": request.payload, "x-amz-date": date };
  const signed = Object.entries({ ...sent, host: request.host })
    .map(([name, value]) => [name, value.trim().replace(/ +/g, " ")] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const signature = signatureOf(signer, date, canonicalOf(request, signed, request.payload));
  const names = signed.map(([name]) => name).join(";");
  const credential = `${signer.accessKeyId}/${scopeOf(date, signer.region)}`;
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${credential},SignedHeaders=${names},Signature=${signature}`,
  };
}

/**
 * Path and query of an address that is good by itself until it expires; only the host is signed with it.
 *
 * @throws RangeError for a life of other than 1 second to 7 days.
 */
export function presignedTarget(signer: Signer, request: SignedRequest, expiresSeconds: number, at: Date): string {
  if (!Number.isInteger(expiresSeconds) || expiresSeconds < 1 || expiresSeconds > PRESIGNED_MAX_SECONDS) {
    throw new RangeError(`Cannot presign for ${expiresSeconds} seconds: 1 to ${PRESIGNED_MAX_SECONDS} are possible`);
  }
  const date = amzDate(at);
  const query = {
    ...request.query,
    "X-Amz-Algorithm": ALGORITHM,
    "X-Amz-Credential": `${signer.accessKeyId}/${scopeOf(date, signer.region)}`,
    "X-Amz-Date": date,
    "X-Amz-Expires": String(expiresSeconds),
    "X-Amz-SignedHeaders": "host",
  };
  const canonical = canonicalOf({ ...request, query }, [["host", request.host]], UNSIGNED_PAYLOAD);
  const signature = signatureOf(signer, date, canonical);
  return `${encodePath(request.path)}?${encodeQuery(query)}&X-Amz-Signature=${signature}`;
}
