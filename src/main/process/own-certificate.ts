// A certificate that a machine signs for itself, to try TLS with (`arkstone up --tls`; docs/tls.md): RFC 5280 in DER,
// with the few types that it needs, and a key of the curve P-256.
import type { CertificateKeys } from "./certificate.ts";

type OwnCertificateNeeds = {
  /** Host names and IPv4 addresses. */
  readonly names: readonly string[];
  readonly from: Date;
  readonly until: Date;
};

/** Of the algorithms and extensions below, as DER writes them. */
const OID = {
  ecdsaWithSha256: "2a8648ce3d040302",
  commonName: "550403",
  subjectAltName: "551d11",
  keyUsage: "551d0f",
  extendedKeyUsage: "551d25",
  serverAuth: "2b06010505070301",
} as const;

const TAG = { integer: 2, bits: 3, bytes: 4, oid: 6, text: 12, utcTime: 23, time: 24, sequence: 48, set: 49 } as const;
const DIGITAL_SIGNATURE = Buffer.from("0780", "hex");
/** From 2050 on years need four digits (RFC 5280, 4.1.2.5). */
const LAST_SHORT_YEAR = 2049;

export async function ownCertificate({ names, from, until }: OwnCertificateNeeds): Promise<CertificateKeys> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const name = sequence(der(TAG.set, sequence(oid("commonName"), der(TAG.text, Buffer.from(names[0] ?? "localhost")))));
  const signatureType = sequence(oid("ecdsaWithSha256"));
  const serial = Buffer.from(crypto.getRandomValues(new Uint8Array(16)));
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    signatureType,
    name,
    sequence(time(from), time(until)),
    name,
    Buffer.from(await crypto.subtle.exportKey("spki", pair.publicKey)),
    der(0xa3, sequence(...extensions(names))),
  );
  const signature = Buffer.from(await crypto.subtle.sign(algorithm, pair.privateKey, Uint8Array.from(content)));
  const signed = sequence(integer(signature.subarray(0, 32)), integer(signature.subarray(32)));
  const certificate = sequence(content, signatureType, der(TAG.bits, Buffer.of(0), signed));
  const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  return { cert: pem("CERTIFICATE", certificate), key: pem("PRIVATE KEY", key) };
}

function extensions(names: readonly string[]): Buffer[] {
  const isAddress = (name: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(name);
  const alternatives = names.map((name) =>
    isAddress(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name)),
  );
  const extension = (type: keyof typeof OID, value: Buffer): Buffer => sequence(oid(type), der(TAG.bytes, value));
  return [
    extension("subjectAltName", sequence(...alternatives)),
    extension("keyUsage", der(TAG.bits, DIGITAL_SIGNATURE)),
    extension("extendedKeyUsage", sequence(oid("serverAuth"))),
  ];
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(TAG.sequence, ...parts);
const oid = (name: keyof typeof OID): Buffer => der(TAG.oid, Buffer.from(OID[name], "hex"));

/** A positive one, as short as can be. */
function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = first === -1 ? Buffer.of(0) : bytes.subarray(first);
  return der(TAG.integer, (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), short]) : short);
}

function time(moment: Date): Buffer {
  const digits = `${moment
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replaceAll(/\D/g, "")}Z`;
  const isLong = moment.getUTCFullYear() > LAST_SHORT_YEAR;
  return der(isLong ? TAG.time : TAG.utcTime, Buffer.from(isLong ? digits : digits.slice(2)));
}

function pem(type: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").replaceAll(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${type}-----\n${lines}\n-----END ${type}-----\n`;
}
