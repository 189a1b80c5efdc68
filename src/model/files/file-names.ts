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

// The files of an item as folders (R19a), from the paths they had in their package.

/** Nested folders are shown to this depth; deeper ones stay in the names of their files. */
export const FOLDER_DEPTH = 8;

export type NamedFile<T> = { readonly name: string; readonly file: T };

export type Folder<T> = {
  readonly name: string;
  /** Names of the folders from the top down to this one. */
  readonly path: readonly string[];
  readonly folders: readonly Folder<T>[];
  readonly files: readonly NamedFile<T>[];
  /** Of everything below it. */
  readonly count: number;
  readonly sizeBytes: number;
};

type FolderBuilder<T> = {
  readonly path: readonly string[];
  readonly folders: Map<string, FolderBuilder<T>>;
  readonly files: NamedFile<T>[];
};

const emptyFolder = <T>(path: readonly string[]): FolderBuilder<T> => ({ path, folders: new Map(), files: [] });

function finishFolder<T extends { readonly sizeBytes: number }>({ path, folders, files }: FolderBuilder<T>): Folder<T> {
  const below = [...folders.values()].map((folder) => finishFolder(folder));
  return {
    name: path.at(-1) ?? "",
    path,
    folders: below,
    files,
    count: below.reduce((sum, { count }) => sum + count, files.length),
    sizeBytes:
      below.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) +
      files.reduce((sum, { file }) => sum + file.sizeBytes, 0),
  };
}

/** Folders and files in the order in which the item has them. */
export function fileTree<T extends { readonly sizeBytes: number }>(
  files: readonly T[],
  pathOf: (file: T) => readonly string[],
): Folder<T> {
  const top = emptyFolder<T>([]);
  for (const file of files) {
    const path = pathOf(file);
    const folders = path.slice(0, Math.min(path.length - 1, FOLDER_DEPTH));
    let at = top;
    for (const name of folders) {
      const next = at.folders.get(name) ?? emptyFolder<T>([...at.path, name]);
      at.folders.set(name, next);
      at = next;
    }
    at.files.push({ name: path.slice(folders.length).join("/"), file });
  }
  return finishFolder(top);
}

/** The folder at a path; null where it does not exist. */
export function folderAt<T>(tree: Folder<T>, path: readonly string[]): Folder<T> | null {
  let at: Folder<T> | undefined = tree;
  for (const name of path) at = at?.folders.find((folder) => folder.name === name);
  return at ?? null;
}
