// The texts of files as they were read (R35): one for each content, however many files and items have it.

import type { ItemContent, ItemFile } from "../../model/items/item.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

/**
 * The job that reads the files of an item; its subject is the item's number. Enqueued with every revision that brings
 * files.
 */
export const FULL_TEXT_JOB = "full_text";

/**
 * How it went. `done`: there are words. `empty`: there are none, such as in a scan. `unreadable`: broken, or its reader
 * fell over it. `too-large`: the file, what it inflates to, or the memory that it takes. `unsupported`: no format with
 * words.
 */
export const TEXT_STATES = [
  "done",
  "empty",
  "unreadable",
  "too-large",
  "timed-out",
  "encrypted",
  "unsupported",
] as const;
export type TextState = (typeof TEXT_STATES)[number];

/** States that other settings or another reader may change; the others are what the file is. */
export const RETRIED_STATES: readonly TextState[] = ["unreadable", "too-large", "timed-out"];

export type TextMark = {
  readonly sha256: string;
  readonly state: TextState;
  /** For people; "" for none. */
  readonly reason: string;
  /** How many are kept. */
  readonly characters: number;
  /** The version of the reader; what an older one read is read again. */
  readonly reader: number;
  readonly at: Instant;
};

export type FileText = Omit<TextMark, "characters"> & {
  /** "" unless it is `done`. */
  readonly text: string;
};

/** A file that an item names now, and what it is called there. */
type TextFile = Pick<ItemFile, "name" | "storageKey" | "sha256" | "sizeBytes" | "mediaType"> & {
  readonly itemId: ItemId;
};

export interface FullTextReader {
  /**
   * The texts of these contents by SHA-256, at most `characters` of each. Without those that were not read yet or have
   * no words. Request files of `readFiles` only: what an item keeps out of the index may have been read for another.
   */
  fileTexts(sha256s: readonly string[], characters: number): Promise<ReadonlyMap<string, string>>;
  /** How these contents were read; those that were not yet are left out. */
  textMarks(sha256s: readonly string[]): Promise<ReadonlyMap<string, TextMark>>;
  /** Contents in one of these states, by SHA-256 behind `after`, each with a file that has it, where one does. */
  listTexts(
    states: readonly TextState[],
    after: string,
    limit: number,
  ): Promise<readonly (TextMark & { readonly file: string | null; readonly itemId: ItemId | null })[]>;
  countTexts(): Promise<readonly { readonly state: TextState; readonly count: number }[]>;
  /**
   * Of at most `limit` contents after `after`, in order, those that were never read, or by an older reader than this.
   * `last`: null after the last of all.
   */
  lackingTexts(
    after: string,
    reader: number,
    limit: number,
  ): Promise<{ readonly sha256s: readonly string[]; readonly last: string | null }>;
  /** The files of published items that have these contents and are to be read. */
  textFiles(sha256s: readonly string[]): Promise<readonly TextFile[]>;
}

export interface FullTextWriter extends FullTextReader {
  /**
   * Keeps a text in place of the one before; items that name the content are in the feed of changes by it. False where
   * no file has it any more.
   */
  saveText(text: FileText): Promise<boolean>;
  /** Has contents in these states (or this one alone) read again. Returns how many. */
  retryTexts(states: readonly TextState[], sha256: string | null): Promise<number>;
  /**
   * Deletes texts of contents that no file has, of at most `limit` after `after`. Returns the last one checked: null
   * after the last of all.
   */
  dropStrayTexts(after: string, limit: number): Promise<string | null>;
}

/**
 * The files whose words are to be found: all but those that the item keeps out, and those whose content has no hash
 * yet.
 */
export function readFiles({ files, settings }: Pick<ItemContent, "files" | "settings">): readonly ItemFile[] {
  const { textExtraction } = settings;
  const hashed = files.some(({ sha256 }) => sha256 === "") ? files.filter(({ sha256 }) => sha256 !== "") : files;
  if (textExtraction === undefined) return hashed;
  return hashed.filter(({ name }) => !Object.hasOwn(textExtraction, name) || textExtraction[name] !== false);
}
