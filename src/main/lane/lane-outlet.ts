// One direction of a connection: bytes go out at once where the system takes them, and wait in order where it does not
// (docs/fast-lane.md). The writer checks `isFull` and then stops reading its source, so that little more than the bytes
// of one read ever wait.

/** What is needed of a socket of the runtime. */
type Sink = {
  /** Accepts only a part of the bytes when the other side does not read. */
  write(bytes: Uint8Array, from: number, length: number): number;
  /** All is written, and nothing more will come. */
  end(): void;
};

export class Outlet {
  readonly #sink: Sink;
  /** Null while nothing has had to wait: most connections never come to that, and thousands may be idle. */
  #waiting: Uint8Array[] | null = null;
  #isEnding = false;
  #isOver = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get isFull(): boolean {
    return this.#waiting !== null && this.#waiting.length > 0;
  }

  /** `isLent`: the bytes are overwritten afterwards, so what has to wait is copied. */
  write(bytes: Uint8Array, from: number, to: number, isLent: boolean): void {
    if (this.#isOver) return;
    const sent = this.isFull ? 0 : this.#send(bytes, from, to - from);
    if (sent === to - from) return;
    this.#waiting ??= [];
    this.#waiting.push(isLent ? bytes.slice(from + sent, to) : bytes.subarray(from + sent, to));
  }

  /** The system takes bytes again, or perhaps does. Returns true if it has taken any of those that wait. */
  drain(): boolean {
    if (this.#isOver) return false;
    const waiting = this.#waiting ?? [];
    let hasMoved = false;
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const sent = this.#send(first, 0, first.length);
      hasMoved ||= sent > 0;
      if (sent < first.length) {
        waiting[0] = first.subarray(sent);
        return hasMoved;
      }
      waiting.shift();
    }
    if (this.#isEnding) this.#over();
    return hasMoved;
  }

  /** Nothing more will be written. */
  end(): void {
    this.#isEnding = true;
    if (!this.#isOver && !this.isFull) this.#over();
  }

  /** Nothing more will be written, and all is out. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The socket is gone, and what waited with it. */
  drop(): void {
    this.#isOver = true;
    this.#waiting = null;
  }

  #send(bytes: Uint8Array, from: number, length: number): number {
    return Math.max(0, this.#sink.write(bytes, from, length));
  }

  #over(): void {
    this.#isOver = true;
    this.#sink.end();
  }
}
