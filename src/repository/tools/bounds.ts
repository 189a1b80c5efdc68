// How much one result of a tool holds (R30; reference 5.5): every value in it is whole or absent, and `truncated` names
// what is absent, so that nobody takes a part of a text for the text and writes it back. Pure.
import { isObject } from "../../shared/fields.ts";

type Result = Readonly<Record<string, unknown>>;

/**
 * Characters of JSON: of one value, of one result, of a list with all its entries, and of one entry of a list that is
 * too long.
 */
export const VALUE_CHARACTERS = 30_000;
const RESULT_CHARACTERS = 100_000;
const LIST_CHARACTERS = 200_000;
const ENTRY_CHARACTERS = 2_000;
/**
 * Objects inside each other whose members are measured one by one; an object with more members than this is one value.
 */
const DEPTH = 3;
const MEMBERS = 100;

/** Members that every result has: they are short, and clients need them. */
const KEPT: ReadonlySet<string> = new Set(["id", "recid", "status", "revision_id", "untrusted"]);

type Unit = { readonly path: readonly string[]; readonly size: number };

/** `list`: the member of the result that lists entries; each of them is bounded by itself. */
export function bounded(result: Result, list: string | null, hint: string): Result {
  const entries = list === null ? undefined : result[list];
  if (list === null || !Array.isArray(entries)) {
    const cut = withoutLong(result, RESULT_CHARACTERS);
    return "truncated" in cut ? { ...cut, truncated_hint: hint } : cut;
  }
  const sizes = entries.map(sizeOf);
  const isLong = sizes.reduce((sum, size) => sum + size, 0) > LIST_CHARACTERS;
  const share = Math.max(ENTRY_CHARACTERS, Math.floor(LIST_CHARACTERS / Math.max(1, entries.length)));
  const shown = entries.map((entry: unknown) =>
    isObject(entry) ? withoutLong(entry, isLong ? share : RESULT_CHARACTERS) : entry,
  );
  const isCut = shown.some((entry) => isObject(entry) && "truncated" in entry);
  return { ...result, [list]: shown, ...(isCut ? { truncated_hint: hint } : {}) };
}

/** Paths of the values that a result leaves out where it is bounded. */
export function longPaths(result: Result): readonly string[] {
  const { truncated } = withoutLong(result, RESULT_CHARACTERS);
  return Array.isArray(truncated) ? truncated.map(String) : [];
}

/** Without the values that are too long by themselves, then without the longest until the rest fits. */
function withoutLong(result: Result, most: number): Result {
  const units = unitsOf(result, [], DEPTH);
  let size = units.reduce((sum, unit) => sum + unit.size, 0);
  const absent: Unit[] = [];
  for (const unit of units.toSorted((one, other) => other.size - one.size)) {
    if (unit.size <= VALUE_CHARACTERS && size <= most) break;
    absent.push(unit);
    size -= unit.size;
  }
  if (absent.length === 0) return result;
  const paths = absent.map(({ path }) => path.join(".")).sort();
  return { ...without(result, "", new Set(paths)), truncated: paths };
}

function unitsOf(from: Result, path: readonly string[], depth: number): readonly Unit[] {
  return Object.entries(from).flatMap(([name, value]): readonly Unit[] => {
    if (path.length === 0 && KEPT.has(name)) return [];
    const inner = [...path, name];
    if (depth > 1 && isObject(value) && Object.keys(value).length <= MEMBERS) return unitsOf(value, inner, depth - 1);
    return [{ path: inner, size: name.length + sizeOf(value) }];
  });
}

function without(from: Result, before: string, paths: ReadonlySet<string>): Result {
  return Object.fromEntries(
    Object.entries(from)
      .filter(([name]) => !paths.has(before + name))
      .map(([name, value]) => {
        const inner = `${before}${name}.`;
        const isOver = isObject(value) && [...paths].some((path) => path.startsWith(inner));
        return [name, isOver ? without(value, inner, paths) : value];
      }),
  );
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
