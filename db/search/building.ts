// An index file that is filled in the background (port IndexBuilding; R34). It becomes the index in one step, when all
// of it is durable. What was committed before that step stays in the file, with the parent up to which it was filled:
// the next process goes on there.
import type { DatabaseSync } from "node:sqlite";
import type { FeedPosition } from "../../src/shared/feed.ts";
import { yieldToEventLoop } from "../../src/shared/time/event-loop.ts";
import type { DocumentRow } from "./document-row.ts";
import { DocumentRows } from "./document-rows.ts";
import { createForBuilding, makeWhole, numberIn, reopenForBuilding } from "./index-database.ts";
import type { IndexMaking } from "./opened-index.ts";

const PART_MS = 10;
/** Documents of one transaction. */
const DOCUMENTS_AT_ONCE = 4_000;
/** Characters of their words, where documents are long. */
const CHARACTERS_AT_ONCE = 16 * 1024 * 1024;
/** Pages of the full text table that are merged between two turns. */
const PAGES_MERGED_AT_ONCE = 1_000;

export class IndexFile {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #rows: DocumentRows;
  #next: number;
  #filledTo = -1;
  #documents = 0;
  #characters = 0;
  #isClosed = false;

  private constructor(path: string, database: DatabaseSync, { schema, terms }: Pick<IndexMaking, "schema" | "terms">) {
    this.path = path;
    this.#database = database;
    this.#rows = new DocumentRows(database, schema, terms);
    this.#next = numberIn(database.prepare("select coalesce(max(slot), 0) as slot from document").get(), "slot") + 1;
    this.#database.exec("begin");
  }

  /** `position`: where the feed is before anything is read. Null: goes on with a file that was begun. */
  static open(path: string, making: Pick<IndexMaking, "schema" | "terms">, position: FeedPosition | null): IndexFile {
    const database = position === null ? reopenForBuilding(path) : createForBuilding(path, making.schema, position);
    return new IndexFile(path, database, making);
  }

  /** All documents of their parents, which come in order. */
  async add(documents: readonly DocumentRow[]): Promise<void> {
    let until = performance.now() + PART_MS;
    for (const document of documents) {
      if (this.#isClosed) throw new RangeError("Cannot add to an index that is finished or was abandoned");
      this.#rows.writeNew(document, this.#next);
      this.#next += 1;
      this.#documents += 1;
      this.#characters += document.terms.length;
      if (performance.now() < until) continue;
      await yieldToEventLoop();
      until = performance.now() + PART_MS;
    }
    this.#filledTo = documents.at(-1)?.parentId ?? this.#filledTo;
    const isFull = this.#documents >= DOCUMENTS_AT_ONCE || this.#characters >= CHARACTERS_AT_ONCE;
    if (!isFull || this.#isClosed) return;
    this.#commit();
    this.#database.exec("begin");
    await yieldToEventLoop();
  }

  /** From here on it counts. */
  async finish(position: FeedPosition): Promise<void> {
    if (this.#isClosed) throw new RangeError("Cannot finish an index that is finished or was abandoned");
    this.#commit();
    await this.#merge();
    this.#isClosed = true;
    this.#database.close();
    await makeWhole(this.path, position);
  }

  /** What was added is kept. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#commit();
    this.#database.close();
  }

  #commit(): void {
    this.#database.prepare("update meta set filled_to = max(filled_to, ?)").run(this.#filledTo);
    this.#database.exec("commit");
    [this.#documents, this.#characters] = [0, 0];
  }

  /** All pieces of the full text table as one: words are then found in one place. */
  async #merge(): Promise<void> {
    const merge = this.#database.prepare("insert into word (word, rank) values ('merge', cast(? as integer))");
    const changes = this.#database.prepare("select total_changes() as changes");
    const countChanges = (): unknown => changes.get()?.changes;
    merge.run(-PAGES_MERGED_AT_ONCE);
    for (let before = countChanges(); ; ) {
      await yieldToEventLoop();
      merge.run(PAGES_MERGED_AT_ONCE);
      const now = countChanges();
      if (typeof now !== "number" || typeof before !== "number" || now - before < 2) return;
      before = now;
    }
  }
}
