// Headers of the PROXY protocol as text in latin-1, for tests.

type BinaryParts = {
  readonly command?: number;
  readonly family?: number;
  /** Of the client; that of the server is made of zeros. */
  readonly address?: readonly number[];
  /** What follows addresses and ports. */
  readonly values?: string;
  /** The stated length, where it is not that of what follows. */
  readonly length?: number;
};

/** Version 2; with a stated length and no address it has no addresses at all. */
export function binaryHeader({ command = 0x21, family = 0x11, address, values = "", length }: BinaryParts): string {
  const own = address ?? (length === undefined ? [192, 0, 2, 7] : []);
  const addresses = own.length === 0 ? [] : [...own, ...own.map(() => 0), 0x12, 0x34, 0x01, 0xbb];
  const body = String.fromCharCode(...addresses) + values;
  const stated = length ?? body.length;
  return `\r\n\r\n\0\r\nQUIT\n${String.fromCharCode(command, family, stated >> 8, stated & 255)}${body}`;
}

/** What a client sends after its header. */
export const REST = "GET /ark:99999/b1a HTTP/1.1\r\nHost: a\r\n\r\n";
