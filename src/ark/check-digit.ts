// The Noid check digit algorithm (decision A4; Noid documentation; draft-kunze-ark-42 section 2.4.1).

/** The 29 betanumeric characters in the order of their values: digits and consonants without `l` and `y`. */
export const BETANUMERICS = "0123456789bcdfghjkmnpqrstvwxz";

const VALUE_OF: Uint8Array = (() => {
  const values = new Uint8Array(128);
  for (let value = 0; value < BETANUMERICS.length; value++) values[BETANUMERICS.charCodeAt(value)] = value;
  return values;
})();

/**
 * The check character of `<naan>/<shoulder><blade>`: sum of position (from 1) times value, modulo 29.
 * Any other character, upper case and the slash included, counts 0 but takes a position.
 * Finds every single wrong betanumeric and every swap of neighbours while the text is shorter than 29 characters.
 */
export function checkCharacter(checkZone: string): string {
  let sum = 0;
  for (let index = 0; index < checkZone.length; index++) {
    sum += (index + 1) * (VALUE_OF[checkZone.charCodeAt(index)] ?? 0);
  }
  return BETANUMERICS.charAt(sum % 29);
}

/** True when the last character of `<naan>/<base name>` is the check character of the text before it. Qualifiers must be cut off first. */
export function hasCheckCharacter(naanAndBaseName: string): boolean {
  if (naanAndBaseName.length < 2) return false;
  return naanAndBaseName.endsWith(checkCharacter(naanAndBaseName.slice(0, -1)));
}
