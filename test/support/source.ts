// Reads TypeScript source as far as the layer test needs it: code without comments and strings, and the imports of a
// file.

export type Import = {
  /** As written; null where a dynamic import computes its target, so that nobody can check it. */
  readonly target: string | null;
  readonly typeOnly: boolean;
  /** Loaded when the code gets there. */
  readonly isDynamic: boolean;
  readonly line: number;
};

const REGEX_MAY_FOLLOW = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|await))$/;

/**
 * The same text with comments, regular expressions and (unless kept) the insides of strings blanked out; lines stay
 * where they were.
 */
export function codeOnly(source: string, keepStrings = false): string {
  let code = "";
  let at = 0;
  const templates: number[] = [];
  let depth = 0;
  const blank = (end: number, keep: boolean): void => {
    const part = source.slice(at, end);
    code += keep ? part : part.replace(/[^\n]/g, " ");
    at = end;
  };
  while (at < source.length) {
    const rest = source.slice(at, at + 2);
    const char = rest[0] ?? "";
    if (rest === "//") blank(endOr(source.indexOf("\n", at), source.length), false);
    else if (rest === "/*") blank(endOr(source.indexOf("*/", at) + 2, source.length, 2), false);
    else if (char === '"' || char === "'") blank(quotedEnd(source, at + 1, char), keepStrings);
    else if (char === "`" || (char === "}" && templates.at(-1) === depth)) {
      if (char === "}") templates.pop();
      const end = templateEnd(source, at + 1);
      if (source.slice(end - 2, end) === "${") templates.push(depth);
      blank(end, keepStrings);
    } else if (char === "/" && REGEX_MAY_FOLLOW.test(code.slice(-40).trimEnd())) blank(regexEnd(source, at + 1), false);
    else {
      if (char === "{") depth += 1;
      if (char === "}") depth -= 1;
      code += char;
      at += 1;
    }
  }
  return code;
}

function endOr(found: number, otherwise: number, least = 0): number {
  return found < least ? otherwise : found;
}

function quotedEnd(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === quote || source[at] === "\n") return at + 1;
  }
  return source.length;
}

/** Behind the closing backtick, or behind the next `${`. */
function templateEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "`") return at + 1;
    else if (source[at] === "$" && source[at + 1] === "{") return at + 2;
  }
  return source.length;
}

function regexEnd(source: string, from: number): number {
  let inClass = false;
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "\n" || (char === "/" && !inClass)) return at + 1;
  }
  return source.length;
}

export type Expression = { readonly source: string; readonly flags: string; readonly line: number };

/** Every regular expression that a file writes out. */
export function expressionsOf(source: string): Expression[] {
  const shown = codeOnly(source, true);
  const found: Expression[] = [];
  for (let at = 0; at < source.length; at++) {
    if (source[at] !== "/" || shown[at] === "/") continue;
    if (source[at + 1] === "/") at = endOr(source.indexOf("\n", at), source.length);
    else if (source[at + 1] === "*") at = endOr(source.indexOf("*/", at) + 1, source.length, 1);
    else {
      const end = regexEnd(source, at + 1);
      const flags = /^[a-z]*/.exec(source.slice(end))?.[0] ?? "";
      found.push({ source: source.slice(at + 1, end - 1), flags, line: source.slice(0, at).split("\n").length });
      at = end - 1;
    }
  }
  return found;
}

/** Every import of a file: static, re-exported, for its effects, of types, dynamic, and `import("…")` as a type. */
export function importsOf(source: string): Import[] {
  const code = codeOnly(source, true);
  // Positions inside strings must not look like code: a match counts only where the blanked text shows the keyword.
  const shown = codeOnly(source);
  const found: Import[] = [];
  const lineAt = (index: number): number => code.slice(0, index).split("\n").length;
  const add = (index: number, target: string | null, typeOnly: boolean, isDynamic = false): void => {
    if (shown[index] !== code[index] || shown[index] === " ") return;
    found.push({ target, typeOnly, isDynamic, line: lineAt(index) });
  };
  for (const match of code.matchAll(
    /\b(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s*from\s*)?(["'])([^"'\n]+)\2/g,
  )) {
    const inner = /\{([^}]*)\}/.exec(match[0])?.[1] ?? "";
    const names = inner.split(",").filter((name) => name.trim() !== "");
    const allTypes = names.length > 0 && names.every((name) => name.trim().startsWith("type "));
    add(match.index, match[3] ?? "", match[1] !== undefined || allTypes);
  }
  // A method may be called so as well.
  for (const match of code.matchAll(/(?<!\.)\bimport\s*\(\s*(?:(["'])([^"'\n]+)\1|)/g)) {
    add(match.index, match[2] ?? null, false, true);
  }
  return found;
}
