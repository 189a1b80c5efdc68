// A fast checksum for large arrays: four independent lanes of 32 bits, 128 bits in all, made for finding damage, not
// for security. Each step is a bijection of its word, so any change within one word is always found; anything else
// escapes once in 2^32 or less.

const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const STRIPE_BYTES = 16;

function step(lane: number, word: number): number {
  const mixed = (lane + Math.imul(word, PRIME_2)) | 0;
  return Math.imul((mixed << 13) | (mixed >>> 19), PRIME_1);
}

function avalanche(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 15), PRIME_2);
  mixed = Math.imul(mixed ^ (mixed >>> 13), PRIME_3);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

export class ChecksumLanes {
  #one = PRIME_1 + PRIME_2;
  #two = PRIME_2;
  #three = 0;
  #four = -PRIME_1;
  #bytes = 0;

  /**
   * Adds bytes. The result depends on the cuts only where a part other than the last is not a multiple of 16 bytes,
   * which is refused. Parts that begin at a multiple of 4 in their buffer are read in place, others are copied.
   */
  add(part: Uint8Array): void {
    if (this.#bytes % STRIPE_BYTES !== 0) throw new RangeError("Cannot add to a checksum after an odd part");
    this.#bytes += part.length;
    const whole = part.length - (part.length % STRIPE_BYTES);
    this.#addWords(wordsOf(part, whole));
    if (whole === part.length) return;
    const rest = new Uint8Array(STRIPE_BYTES);
    rest.set(part.subarray(whole));
    this.#addWords(wordsOf(rest, STRIPE_BYTES));
  }

  #addWords(words: Uint32Array): void {
    let one = this.#one;
    let two = this.#two;
    let three = this.#three;
    let four = this.#four;
    for (let index = 0; index + 3 < words.length; index += 4) {
      one = step(one, words[index] ?? 0);
      two = step(two, words[index + 1] ?? 0);
      three = step(three, words[index + 2] ?? 0);
      four = step(four, words[index + 3] ?? 0);
    }
    this.#one = one;
    this.#two = two;
    this.#three = three;
    this.#four = four;
  }

  /** 32 hexadecimal digits. The number of bytes counts as well, so that zeros at the end are not lost. */
  digest(): string {
    return [this.#one, this.#two, this.#three, this.#four]
      .map((lane) => avalanche(step(lane, this.#bytes)).toString(16).padStart(8, "0"))
      .join("");
  }
}

function wordsOf(part: Uint8Array, bytes: number): Uint32Array {
  if (part.byteOffset % 4 === 0) return new Uint32Array(part.buffer, part.byteOffset, bytes / 4);
  return new Uint32Array(part.slice(0, bytes).buffer);
}
