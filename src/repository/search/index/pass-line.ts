// Passes over work that run one after the other (R34): all that ask while one runs share the next one.

export class PassLine {
  readonly #pass: () => Promise<void>;
  #line: Promise<unknown> = Promise.resolve();
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(pass: () => Promise<void>) {
    this.#pass = pass;
  }

  /** A pass that begins after this call: one that runs already may have read too early. */
  run(): Promise<void> {
    if (this.#running === null) {
      this.#running = this.between(this.#pass).finally(() => {
        this.#running = null;
      });
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.run();
      });
    return this.#next;
  }

  /** Runs work between two passes. */
  between<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#line.then(work);
    this.#line = done.catch(() => {});
    return done;
  }

  /** Settles when what is in line now has ended. */
  async ended(): Promise<void> {
    await this.#line;
  }
}
