// Sizes in bytes as people write and read them: `16777216`, `16 MiB`, `16GB` are read, `16 MiB` is written.

const UNITS = [
  ["B", 1],
  ["KiB", 1024],
  ["MiB", 1024 ** 2],
  ["GiB", 1024 ** 3],
  ["TiB", 1024 ** 4],
] as const;
const DECIMAL: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };
const FACTORS: ReadonlyMap<string, number> = new Map([
  ...UNITS.map(([unit, factor]) => [unit.toLowerCase(), factor] as const),
  ...Object.entries(DECIMAL),
  ["byte", 1],
  ["bytes", 1],
]);

/** How a size is written, for messages. */
export const BYTE_SIZE_RULE = 'such as "16 MiB", 16GB or 16777216';

/** The bytes that a text names; null where it names none. A number without a unit counts `bare` bytes each. */
export function readByteSize(text: string, bare = 1): number | null {
  const [, number, unit] = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]{1,5})?$/i.exec(text.trim()) ?? [];
  const factor = unit === undefined ? bare : FACTORS.get(unit.toLowerCase());
  if (number === undefined || factor === undefined) return null;
  const bytes = Number(number) * factor;
  if (bytes > Number.MAX_SAFE_INTEGER) return null;
  // A part of a unit may be no whole number of bytes; a part of a byte is none at all.
  return number.includes(".") && factor === 1 ? null : Math.round(bytes);
}

/** A size in the largest unit of which it is at least one, with at most one decimal. `format` writes the number. */
export function writeByteSize(bytes: number, format: (value: number) => string = String): string {
  const [unit, factor] = UNITS.findLast(([, each]) => bytes >= each) ?? UNITS[0];
  return `${format(Math.round((bytes / factor) * 10) / 10)} ${unit}`;
}

/**
 * The same without rounding, so that it is read back as what it was: in the largest unit that needs at most one
 * decimal.
 */
export function exactByteSize(bytes: number): string {
  const [unit, factor] = UNITS.findLast(([, each]) => bytes >= each && (bytes * 10) % each === 0) ?? UNITS[0];
  return `${bytes / factor} ${unit}`;
}
