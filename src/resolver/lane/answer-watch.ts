// Counts the answers that the runtime's own HTTP server sends on a connection that was handed on, as they go by (docs/fast-lane.md). It reads what
// that one server writes, no more: an answer of any other kind, and it stops for good.

/** Longer heads are not watched. */
const HEAD_MAX = 16_384;
const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS = /^HTTP\/1\.1 (\d{3}) /;
const LENGTH = /\r\n[Cc]ontent-[Ll]ength: (\d{1,15})\r\n/;
/** An answer that ends with the connection, or in parts. */
const OTHER = /\r\n(?:connection|transfer-encoding|upgrade):/i;

export class AnswerWatch {
  /** Answers that have gone by whole. */
  whole = 0;
  isLost = false;
  /** Octets of a body that are to come. */
  #left = 0;
  #begun: Buffer | null = null;

  read(octets: Buffer): void {
    let seen = octets;
    let at = 0;
    if (this.#begun !== null) {
      seen = Buffer.concat([this.#begun, octets]);
      this.#begun = null;
    }
    while (!this.isLost && at < seen.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, seen.length - at);
        at += taken;
        this.#left -= taken;
        if (this.#left === 0) this.whole += 1;
        continue;
      }
      const end = seen.indexOf(HEAD_END, at);
      if (end === -1) {
        if (seen.length - at > HEAD_MAX) this.isLost = true;
        else this.#begun = seen.subarray(at);
        return;
      }
      this.#readHead(seen.latin1Slice(at, end + 2));
      at = end + HEAD_END.length;
    }
  }

  #readHead(head: string): void {
    const status = Number(STATUS.exec(head)?.[1] ?? 0);
    const length = LENGTH.exec(head);
    const hasNone = status === 204 || status === 304;
    if (status < 200 || OTHER.test(head) || (length === null && !hasNone)) {
      this.isLost = true;
      return;
    }
    this.#left = hasNone ? 0 : Number(length?.[1]);
    if (this.#left === 0) this.whole += 1;
  }
}
