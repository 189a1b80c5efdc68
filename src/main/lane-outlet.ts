// One direction of a connection: octets go out at once where the system takes them, and wait in order where it does not (docs/fast-lane.md).
// Whoever writes looks at `isFull` and stops reading what it writes from, so that little more than one read of octets ever waits.

/** What is needed of a socket of the runtime. Fewer octets are taken than given where the other side does not read. */
export type Sink = { readonly write: (octets: Uint8Array, from: number, length: number) => number };

export class Outlet {
  readonly #sink: Sink;
  readonly #finish: () => void;
  readonly #waiting: Uint8Array[] = [];
  #isEnding = false;
  #isOver = false;

  /** `finish` is called once, when all is sent and nothing more will come. */
  constructor(sink: Sink, finish: () => void) {
    this.#sink = sink;
    this.#finish = finish;
  }

  get isFull(): boolean {
    return this.#waiting.length > 0;
  }

  /** `isLent`: the octets are overwritten afterwards, so what has to wait is copied. */
  write(octets: Uint8Array, from: number, to: number, isLent: boolean): void {
    if (this.#isOver) return;
    const sent = this.isFull ? 0 : this.#send(octets, from, to - from);
    if (sent === to - from) return;
    this.#waiting.push(isLent ? octets.slice(from + sent, to) : octets.subarray(from + sent, to));
  }

  /** The system takes octets again. */
  drain(): void {
    if (this.#isOver) return;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const sent = this.#send(first, 0, first.length);
      if (sent < first.length) {
        this.#waiting[0] = first.subarray(sent);
        return;
      }
      this.#waiting.shift();
    }
    if (this.#isEnding) this.#over();
  }

  /** Nothing more will be written. */
  end(): void {
    this.#isEnding = true;
    if (!this.#isOver && !this.isFull) this.#over();
  }

  /** The socket is gone, and what waited with it. */
  drop(): void {
    this.#isOver = true;
    this.#waiting.length = 0;
  }

  #send(octets: Uint8Array, from: number, length: number): number {
    return Math.max(0, this.#sink.write(octets, from, length));
  }

  #over(): void {
    this.#isOver = true;
    this.#finish();
  }
}
