// Time and randomness as the services need them.
import type { Instant } from "./instant.ts";

export interface Clock {
  /** Now, as UTC ISO text with milliseconds. */
  now(): Instant;
}

export interface Random {
  /** `length` betanumeric characters from the platform's cryptographic generator. */
  betanumerics(length: number): string;
  bytes(length: number): Uint8Array;
}
