// SHA-256 (FIPS 180-4) of texts, in hex: short keys for texts of any length (R18), and signatures of what we issue and
// receive again (R36).
import { createHmac, hash } from "node:crypto";

/** The SHA-256 of a text in UTF-8, in lower-case hex (64 characters). */
export const sha256Hex = (text: string): string => hash("sha256", text, "hex");

/** HMAC-SHA-256 of a text under a secret, in lower-case hex (64 characters). */
export const textSignature = (text: string, secret: string): string =>
  createHmac("sha256", secret).update(text).digest("hex");
