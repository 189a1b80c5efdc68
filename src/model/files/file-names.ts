// Names of files as people wrote them (R13a, R19a): an item keeps `data/a b.csv` as `data%2Fa%20b.csv`, which is its
// address; people read the path.

/**
 * Invisible characters, and those that reverse the text next to them. The joiners of Arabic, Indic scripts and emoji
 * are allowed.
 */
export const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** Every byte but `A-Za-z0-9_.-~` percent-encoded, as deposits flatten paths. */
const encodePath = (path: string): string =>
  encodeURIComponent(path).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The path or name that was encoded whole; the name itself where it was not. A name in plain ASCII without folder is
 * nobody's encoding.
 */
export function writtenName(name: string): string {
  if (!name.includes("%")) return name;
  try {
    const path = decodeURIComponent(name);
    return /[^\x20-\x2E\x30-\x7E]/.test(path) && encodePath(path) === name ? path : name;
  } catch {
    return name;
  }
}

/** A text with invisible characters written as numbers, so that no two names look alike: `a[U+202E]fdp.exe`. */
export function withUnseenShown(text: string): string {
  return text.replace(UNSEEN, (each) => {
    const number = each.codePointAt(0) ?? 0;
    return `[U+${number.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/**
 * The name of a file as pages and commands show it: its path in the package that was deposited, every character to be
 * seen.
 */
export function shownFileName(name: string): string {
  return withUnseenShown(writtenName(name));
}

/**
 * The folders of a file, from the top, and its own name. A name that begins or ends with a slash, or has an empty or
 * dotted part, is not split.
 */
export function shownPath(name: string): readonly string[] {
  const parts = writtenName(name).split("/");
  const isPath = parts.every((part) => part !== "" && part !== "." && part !== "..");
  return (isPath ? parts : [parts.join("/")]).map(withUnseenShown);
}

/** The name a download gets: without folders, and without characters that mislead. */
export function downloadName(name: string): string {
  const last = writtenName(name).split("/").at(-1) ?? "";
  const plain = last.replace(UNSEEN, "_");
  return plain === "" || plain === "." || plain === ".." ? "file" : plain;
}
