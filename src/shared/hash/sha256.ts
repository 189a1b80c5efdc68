// SHA-256 (FIPS 180-4) of short texts without waiting, for pure functions that name things by their digest. Bytes that are many go to the
// platform's own digest (text-digest.ts), which is faster and waits.

/** The first bits of the fractional parts of the cube roots, and of the square roots, of the first primes. */
const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
};
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUNDS = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));

const BLOCK = 64;
const LENGTH_OCTETS = 8;
const encoder = new TextEncoder();
const words = new Int32Array(BLOCK);

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** 32 bytes in hex, lower case. */
export function sha256Hex(text: string): string {
  const message = encoder.encode(text);
  const padded = new Uint8Array(Math.ceil((message.length + 1 + LENGTH_OCTETS) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  // The length in bits, of which the upper half is zero: texts are short.
  view.setUint32(padded.length - 4, message.length * 8);
  const state = START.slice();
  for (let at = 0; at < padded.length; at += BLOCK) mix(state, view, at);
  let hex = "";
  for (const word of state) hex += (word >>> 0).toString(16).padStart(8, "0");
  return hex;
}

/** Written out, without lists that come and go: every key of every document passes through here. */
function mix(state: Int32Array, view: DataView, from: number): void {
  for (let at = 0; at < 16; at++) words[at] = view.getInt32(from + at * 4);
  for (let at = 16; at < BLOCK; at++) {
    const early = words[at - 15] ?? 0;
    const late = words[at - 2] ?? 0;
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = ((words[at - 16] ?? 0) + small + (words[at - 7] ?? 0) + large) | 0;
  }
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  for (let at = 0; at < BLOCK; at++) {
    const first =
      (h +
        (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
        ((e & f) ^ (~e & g)) +
        (ROUNDS[at] ?? 0) +
        (words[at] ?? 0)) |
      0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = (state[0] ?? 0) + a;
  state[1] = (state[1] ?? 0) + b;
  state[2] = (state[2] ?? 0) + c;
  state[3] = (state[3] ?? 0) + d;
  state[4] = (state[4] ?? 0) + e;
  state[5] = (state[5] ?? 0) + f;
  state[6] = (state[6] ?? 0) + g;
  state[7] = (state[7] ?? 0) + h;
}
