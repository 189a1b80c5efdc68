// A name as received, together with its normal form, so that a suffix can be passed on exactly as it was sent (A1, A1a,
// A31b, A32).

/** `name` is the normal form of `received`; `positions[i]` is the place of the character `name[i]` in `received`. */
export type ReceivedName = {
  readonly received: string;
  readonly name: string;
  readonly positions: readonly number[];
};

const SLASH = 47;
const DOT = 46;
const PERCENT = 37;
/** What browsers make of a pasted dash (A1a). */
export const HAS_ENCODED_DASH = /%(?:E2%80%9[0-5]|E2%88%92|EF%BC%8D|C2%AD)/i;
const ENCODED_DASH = new RegExp(HAS_ENCODED_DASH, "iy");

function isHyphen(code: number): boolean {
  return code === 0x2d || code === 0xad || (code >= 0x2010 && code <= 0x2015) || code === 0x2212 || code === 0xff0d;
}

function encodedDashLength(text: string, index: number): number {
  ENCODED_DASH.lastIndex = index;
  return ENCODED_DASH.exec(text)?.[0].length ?? 0;
}

/**
 * The normal form of a name and qualifier (steps of A1) with the way back to what was received.
 * Percent-encoding must be whole; whether the characters are within the grammar is not checked.
 */
export function readName(received: string, withoutEncodedDashes = false): ReceivedName {
  const positions: number[] = [];
  let name = "";
  let afterStructural = true;
  const keep = (character: string, position: number): void => {
    name += character;
    positions.push(position);
  };
  for (let index = 0; index < received.length; index++) {
    const code = received.charCodeAt(index);
    if (code === PERCENT) {
      const dash = withoutEncodedDashes ? encodedDashLength(received, index) : 0;
      if (dash > 0) {
        index += dash - 1;
        continue;
      }
      keep("%", index);
      keep(received.charAt(index + 1).toUpperCase(), index + 1);
      keep(received.charAt(index + 2).toUpperCase(), index + 2);
      index += 2;
      afterStructural = false;
    } else if (isHyphen(code)) {
    } else if (code === SLASH || code === DOT) {
      if (!afterStructural) keep(received.charAt(index), index);
      afterStructural = true;
    } else {
      keep(received.charAt(index), index);
      afterStructural = false;
    }
  }
  if (afterStructural && name !== "") name = name.slice(0, -1);
  return { received, name, positions };
}

/**
 * The text after the first `length` characters of the normal form, where a `/` or `.` follows: that character, then the
 * rest exactly as received, hyphens and leading dots of a segment too; a run of slashes there counts as one. Structural
 * characters and hyphens that end the request are not a suffix (A32).
 */
export function tailAfter(text: ReceivedName, length: number): string {
  const boundary = text.positions[length];
  if (boundary === undefined || length >= text.name.length) return "";
  let rest = boundary;
  if (text.received.charCodeAt(boundary) === SLASH) {
    while (text.received.charCodeAt(rest + 1) === SLASH) rest += 1;
  }
  return text.received.slice(rest);
}

/** The text after the first `length` characters of the normal form, as received, with hyphens. */
export function restAfter(text: ReceivedName, length: number): string {
  if (length === 0) return text.received;
  const last = text.positions[length - 1];
  return last === undefined ? "" : text.received.slice(last + 1);
}
