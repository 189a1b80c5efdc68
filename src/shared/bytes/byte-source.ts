// Bytes that can be read anywhere: a file, an object in a store, a buffer. What a ZIP reader needs and nothing more (R13).

/** Random access to bytes whose number is known and does not change while they are read. */
export type ByteSource = {
  /** How many bytes there are. */
  readonly size: number;
  /**
   * The bytes from `offset` on: `length` of them, or fewer where the source ends. The array belongs to the caller.
   * `into`: memory that may be used for them where it is long enough; then the array is a view of it.
   * The caller keeps `offset` and `length` within the source and `length` small enough for memory.
   */
  read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
};
