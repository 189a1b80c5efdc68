// Reads the answer to one request that was handed on, as it goes by (docs/fast-lane.md): where it ends. It reads what
// the runtime's own HTTP server writes, no more: at an answer of any other kind it is lost for good.

/** Longer heads are not watched. */
const HEAD_MAX = 65_536;
const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");
const STATUS = /^HTTP\/1\.1 (\d{3}) /;
const LENGTH = /\r\n[Cc]ontent-[Ll]ength: (\d{1,15})\r\n/;
const CHUNKED = /\r\ntransfer-encoding: chunked\r\n/i;
const CLOSE = /\r\nconnection: close\r\n/i;
const UPGRADE = /\r\nupgrade:/i;
const CHUNK_SIZE = /^[0-9a-f]{1,12}$/i;

type Part = "head" | "body" | "chunk-size" | "chunk-end" | "last-line" | "whole" | "last";

export class AnswerWatch {
  isLost = false;
  /** The request was HEAD. */
  readonly #isHead: boolean;
  #part: Part = "head";
  /** Bytes of the body, or of a chunk of it, that are to come. */
  #left = 0;
  #isChunked = false;
  #begun: Buffer | null = null;

  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  get isWhole(): boolean {
    return this.#part === "whole" && !this.isLost;
  }

  read(bytes: Buffer): void {
    const seen = this.#begun === null ? bytes : Buffer.concat([this.#begun, bytes]);
    this.#begun = null;
    let at = 0;
    // Behind an answer that ends the connection there is no other.
    while (!this.isLost && this.#part !== "last" && at < seen.length) {
      if (this.#part === "body") {
        const taken = Math.min(this.#left, seen.length - at);
        at += taken;
        this.#left -= taken;
        if (this.#left === 0) this.#part = this.#isChunked ? "chunk-end" : "whole";
        continue;
      }
      const mark = this.#part === "head" ? HEAD_END : LINE_END;
      const end = seen.indexOf(mark, at);
      if (this.#part === "whole" || (end === -1 && seen.length - at > HEAD_MAX)) {
        this.isLost = true;
        return;
      }
      if (end === -1) {
        this.#begun = seen.subarray(at);
        return;
      }
      if (this.#part === "head") this.#readHead(seen.latin1Slice(at, end + 2));
      else this.#readLine(seen.latin1Slice(at, end));
      at = end + mark.length;
    }
  }

  #readLine(line: string): void {
    if (this.#part === "chunk-size") {
      this.isLost = !CHUNK_SIZE.test(line);
      this.#left = Number.parseInt(line, 16);
      this.#part = this.#left === 0 ? "last-line" : "body";
    } else {
      this.isLost = line !== "";
      this.#part = this.#part === "last-line" ? "whole" : "chunk-size";
    }
  }

  #readHead(head: string): void {
    const status = Number(STATUS.exec(head)?.[1] ?? 0);
    if (status >= 100 && status < 200 && status !== 101) return;
    const length = LENGTH.exec(head);
    this.#isChunked = CHUNKED.test(head);
    if (CLOSE.test(head)) {
      this.#part = "last";
      return;
    }
    const hasNone = this.#isHead || status === 204 || status === 304;
    if (status < 200 || UPGRADE.test(head) || (length === null && !this.#isChunked && !hasNone)) {
      this.isLost = true;
      return;
    }
    this.#left = hasNone || this.#isChunked ? 0 : Number(length?.[1]);
    this.#part = hasNone ? "whole" : this.#isChunked ? "chunk-size" : this.#left > 0 ? "body" : "whole";
  }
}
