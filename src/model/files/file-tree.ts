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
