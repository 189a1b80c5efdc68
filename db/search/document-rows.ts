// Documents as rows of an embedded index, inside a transaction of the caller (R34). New dictionary entries, and what
// memory takes over after the commit, are collected in a list of changes.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { IndexSchema, Key, SearchDocument } from "../../src/repository/search/document/document.ts";
import { beginningOf, countedFields } from "./columns.ts";
import { type DocumentRow, type RowMaking, rowMaking } from "./document-row.ts";
import { numberIn, textIn } from "./index-database.ts";
import type { NewText } from "./sort-texts.ts";
import type { Terms } from "./terms.ts";

/** Words of a dictionary that are known without asking the file. */
const KNOWN_KEYS = 30_000;

export type Changes = {
  readonly keys: { readonly number: number; readonly counted: number; readonly key: Key; readonly beginning: number }[];
  /** Numbers of keys that are shown under another label than before. */
  readonly relabelled: number[];
  readonly texts: NewText[];
  /** In order: the row and the terms a slot holds now, or null for none. */
  readonly slots: {
    readonly slot: number;
    readonly now: { readonly row: readonly number[]; readonly terms: string } | null;
  }[];
};

export const noChanges = (): Changes => ({ keys: [], relabelled: [], texts: [], slots: [] });

/** Where documents get their slots from. */
export type Slots = { take(): number };

type PlacedDocument = { readonly document: SearchDocument; readonly slot: number; readonly isKnown: boolean };
type KnownKey = { readonly number: number; readonly label: string };

export class DocumentRows {
  readonly #makeRow: RowMaking;
  readonly #statements: ReturnType<typeof prepareStatements>;
  /** By counted field. */
  readonly #knownKeys: readonly Map<Key, KnownKey>[];

  constructor(database: DatabaseSync, schema: IndexSchema, terms: Terms) {
    this.#makeRow = rowMaking(schema, terms);
    this.#knownKeys = countedFields(schema).map(() => new Map());
    this.#statements = prepareStatements(database);
  }

  /** Forgets what was learned in a transaction that is rolled back. */
  forget(): void {
    for (const known of this.#knownKeys) known.clear();
  }

  /** Slots of the documents of a parent, by their numbers. */
  slotsOf(parent: number): ReadonlyMap<number, number> {
    const rows = this.#statements.ofParent.all(parent);
    return new Map(rows.map((row) => [numberIn(row, "id"), numberIn(row, "slot")]));
  }

  remove(slot: number, changes: Changes | null): void {
    this.#statements.removeWords.run(slot);
    this.#statements.removeDocument.run(slot);
    changes?.slots.push({ slot, now: null });
  }

  /** The documents, each in the slot it has or in a new one, in the order of slots. */
  placed(documents: readonly SearchDocument[], slots: Slots): readonly PlacedDocument[] {
    const all = documents.map((document) => {
      const known = this.#statements.slotOf.get(document.id);
      return {
        document,
        slot: known === undefined ? slots.take() : numberIn(known, "slot"),
        isKnown: known !== undefined,
      };
    });
    return all.sort((one, other) => one.slot - other.slot);
  }

  /** In the order of slots: at a lower one the full text table writes out what it gathers in memory. */
  write({ document, slot, isKnown }: PlacedDocument, changes: Changes): void {
    if (isKnown) this.remove(slot, null);
    this.#insert(this.#makeRow(document), slot, changes);
  }

  /** Writes a document whose number no other has. */
  writeNew(document: DocumentRow, slot: number): void {
    this.#insert(document, slot, null);
  }

  #insert(document: DocumentRow, slot: number, changes: Changes | null): void {
    const row = this.#columnsOf(document, slot, changes);
    const { id, parentId, digest, terms } = document;
    this.#statements.addDocument.run(slot, id, parentId, digest, row.join(","));
    this.#statements.addWords.run(slot, terms);
    changes?.slots.push({ slot, now: { row, terms } });
  }

  /**
   * What memory holds of a document, as plain numbers: slot, number of the item; for each counted field how many keys
   * and which; a number for each sort; how many numbers, and each behind its field.
   */
  #columnsOf({ id, counted, sorts, numbers }: DocumentRow, slot: number, changes: Changes | null): number[] {
    const row = [slot, id];
    for (const [field, keys] of counted.entries()) {
      row.push(keys.length);
      for (const [key, label] of keys) row.push(this.#keyNumber(field, key, label, changes));
    }
    for (const [field, value] of sorts.entries())
      row.push(typeof value === "string" ? this.#textNumber(field, value, changes) : value);
    row.push(numbers.length / 2, ...numbers);
    return row;
  }

  #keyNumber(counted: number, key: Key, label: string, changes: Changes | null): number {
    const known = this.#knownKeys[counted]?.get(key) ?? this.#readKey(counted, key);
    if (known !== null && known.label === label) return known.number;
    if (known !== null) {
      this.#statements.relabel.run(label, known.number);
      changes?.relabelled.push(known.number);
      return this.#know(counted, key, { number: known.number, label });
    }
    const beginning = beginningOf(key);
    const number = Number(this.#statements.addKey.run(counted, key, beginning, label).lastInsertRowid);
    changes?.keys.push({ number, counted, key, beginning });
    return this.#know(counted, key, { number, label });
  }

  #readKey(counted: number, key: Key): KnownKey | null {
    const row = this.#statements.key.get(counted, key);
    if (row === undefined) return null;
    const known = { number: numberIn(row, "number"), label: textIn(row, "label") };
    this.#know(counted, key, known);
    return known;
  }

  #know(counted: number, key: Key, known: KnownKey): number {
    const keys = this.#knownKeys[counted];
    if (keys !== undefined && keys.size >= KNOWN_KEYS) keys.clear();
    keys?.set(key, known);
    return known.number;
  }

  #textNumber(field: number, text: string, changes: Changes | null): number {
    const row = this.#statements.text.get(field, text);
    if (row !== undefined) return numberIn(row, "number");
    const number = Number(this.#statements.addText.run(field, text).lastInsertRowid);
    changes?.texts.push({ number, field, text });
    return number;
  }
}

function prepareStatements(
  database: DatabaseSync,
): Record<
  | "ofParent"
  | "slotOf"
  | "removeWords"
  | "removeDocument"
  | "addDocument"
  | "addWords"
  | "key"
  | "addKey"
  | "relabel"
  | "text"
  | "addText",
  StatementSync
> {
  return {
    ofParent: database.prepare("select id, slot from document where parent = ?"),
    slotOf: database.prepare("select slot from document where id = ?"),
    removeWords: database.prepare("delete from word where rowid = cast(? as integer)"),
    removeDocument: database.prepare("delete from document where slot = ?"),
    // No "or replace": for it SQLite makes a savepoint, and at each of them the full text table writes out what it
    // gathers in memory.
    addDocument: database.prepare("insert into document (slot, id, parent, digest, columns) values (?, ?, ?, ?, ?)"),
    addWords: database.prepare("insert into word (rowid, terms) values (cast(? as integer), ?)"),
    key: database.prepare("select number, label from facet_key where field = ? and key = ?"),
    addKey: database.prepare("insert into facet_key (field, key, beginning, label) values (?, ?, ?, ?)"),
    relabel: database.prepare("update facet_key set label = ? where number = ?"),
    text: database.prepare("select number from sort_text where field = ? and text = ?"),
    addText: database.prepare("insert into sort_text (field, text) values (?, ?)"),
  };
}
