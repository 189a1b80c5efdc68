// Small faults that a change of source text can make, each at one place: what `test/mutate.ts` tries tests with.
import { codeOnly } from "./source.ts";

type FaultKind =
  | "condition negated"
  | "refusal removed"
  | "and/or swapped"
  | "comparison changed"
  | "limit dropped"
  | "first instead of all"
  | "some/every swapped"
  | "selection dropped"
  | "constant swapped"
  | "last of a list dropped";

export type Fault = {
  readonly kind: FaultKind;
  /** Where it begins, from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The whole file with the fault. */
  readonly text: string;
};

type Change = { readonly kind: FaultKind; readonly from: number; readonly to: number; readonly after: string };
type Swap = readonly [kind: FaultKind, pattern: RegExp, after: (found: string) => string];

const swapped = (pairs: Readonly<Record<string, string>>) => (found: string) => pairs[found] ?? found;

/** Faults that one expression finds. */
const SWAPS: readonly Swap[] = [
  ["and/or swapped", / (?:&&|\|\|) /g, swapped({ " && ": " || ", " || ": " && " })],
  [
    "comparison changed",
    / (?:===|!==|<|<=|>|>=) /g,
    swapped({ " === ": " !== ", " !== ": " === ", " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > " }),
  ],
  ["some/every swapped", /\.(?:some|every)\(/g, swapped({ ".some(": ".every(", ".every(": ".some(" })],
  ["first instead of all", /\.(?:map|flatMap|some|every|includes|filter)\(/g, (found) => `.slice(0, 1)${found}`],
  ["constant swapped", /(?<![\w.])(?:true|false)(?!\w)/g, swapped({ true: "false", false: "true" })],
  ["constant swapped", /(?<![\w.$"])\d[\d_]*(?![\w.])/g, (found) => String(Number(found.replaceAll("_", "")) + 1)],
];

/** Every fault of a file, in the order of the text. A fault may be no valid program, or change nothing that runs. */
export function faultsOf(source: string): readonly Fault[] {
  const code = codeOnly(source);
  const changes = [
    ...SWAPS.flatMap(([kind, pattern, after]) =>
      [...code.matchAll(pattern)].map(({ 0: found, index }) =>
        changed(kind, index, index + found.length, after(found)),
      ),
    ),
    ...conditions(code, source),
    ...calls(code, source),
    ...loops(code, source),
    ...wordLists(source, code),
  ];
  return changes.sort((one, other) => one.from - other.from).map((change) => faultAt(source, change));
}

const changed = (kind: FaultKind, from: number, to: number, after: string): Change => ({ kind, from, to, after });

/** `if (…)`: negated; where a refusal or an early end follows, also never true. */
function conditions(code: string, source: string): Change[] {
  return [...code.matchAll(/\bif \(/g)].flatMap(({ 0: found, index }) => {
    const from = index + found.length;
    const to = closing(code, from);
    const isEarlyEnd = /^\)\s*(?:\{\s*)?(?:throw|return)\b/.test(code.slice(to, to + 80));
    return [
      changed("condition negated", from, to, `!(${source.slice(from, to)})`),
      ...(isEarlyEnd ? [changed("refusal removed", from, to, "false")] : []),
    ];
  });
}

/** `.slice(…)` and `Math.min(…)` without the limit, `.filter(…)` without the selection. */
function calls(code: string, source: string): Change[] {
  return [...code.matchAll(/\.(?:slice|filter)\(|\bMath\.min\(/g)].flatMap(({ 0: found, index }) => {
    const from = index + found.length;
    const to = closing(code, from);
    if (found === ".slice(") return [changed("limit dropped", index, to + 1, "")];
    if (found === ".filter(") return [changed("selection dropped", index, to + 1, "")];
    const comma = code.indexOf(", ", from);
    return comma < 0 || comma > to ? [] : [changed("limit dropped", index, to + 1, `(${source.slice(from, comma)})`)];
  });
}

function loops(code: string, source: string): Change[] {
  return [...code.matchAll(/\bfor \(const [^;()]+? of /g)].map(({ 0: found, index }) => {
    const from = index + found.length;
    const to = closing(code, from);
    return changed("first instead of all", from, to, `[...${source.slice(from, to)}].slice(0, 1)`);
  });
}

/** `["a", "b"]` without its last word. */
function wordLists(source: string, code: string): Change[] {
  return [...source.matchAll(/\[(?:"[^"\n]*",\s*)+"[^"\n]*"(?=,?\s*\])/g)]
    .filter(({ index }) => code[index] === "[")
    .map(({ 0: found, index }) => {
      const after = found.slice(0, found.lastIndexOf(",", found.lastIndexOf('"', found.length - 2)));
      return changed("last of a list dropped", index, index + found.length, after);
    });
}

/** Where the bracket closes that was opened before `from`. */
function closing(code: string, from: number): number {
  let depth = 1;
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "(") depth += 1;
    if (code[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}

function faultAt(source: string, { kind, from, to, after }: Change): Fault {
  return {
    ...{ kind, after, before: source.slice(from, to) },
    line: source.slice(0, from).split("\n").length,
    text: source.slice(0, from) + after + source.slice(to),
  };
}
