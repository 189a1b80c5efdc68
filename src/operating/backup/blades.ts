// How long the blades of a shoulder have become: a restore goes one further (A5; docs/disaster-recovery.md).
import { BETANUMERICS } from "../../ark/syntax.ts";

/** What the table of shoulders takes. */
export const BLADE_MAX = 200;

const LOOKS_MINTED = new RegExp(`^[${BETANUMERICS}]{2,}$`);

/**
 * The length of the blade of a name: the text between its shoulder and the check character. Null where no mint of that
 * shoulder could have made it (parts, names with other characters). Names that were minted elsewhere and imported
 * count: they look alike.
 */
export function bladeLengthOf(name: string, shoulder: string): number | null {
  if (!name.startsWith(shoulder)) return null;
  const rest = name.slice(shoulder.length);
  return LOOKS_MINTED.test(rest) ? rest.length - 1 : null;
}

/** The longest blade of each shoulder, by `naan/shoulder`. */
export class LongestBlades {
  readonly #lengths = new Map<string, number>();

  see(key: string, naan: string, shoulder: string): void {
    const length = bladeLengthOf(key.slice(naan.length + 1), shoulder);
    const path = `${naan}/${shoulder}`;
    if (length !== null && length > (this.#lengths.get(path) ?? 0)) this.#lengths.set(path, length);
  }

  of(naan: string, shoulder: string): number {
    return this.#lengths.get(`${naan}/${shoulder}`) ?? 0;
  }
}
