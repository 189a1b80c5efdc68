// A new index file that is filled in the background (port IndexBuilding; R34). It becomes the index in one step, when
// all of it is durable; after a kill before that step the old index answers, and the next start removes the unfinished
// file.
import type { DatabaseSync } from "node:sqlite";
import type { SearchDocument } from "../../src/repository/search/document/document.ts";
import type { FeedPosition } from "../../src/shared/feed.ts";
import { yieldToEventLoop } from "../../src/shared/time/event-loop.ts";
import { DocumentRows } from "./document-rows.ts";
import { createForBuilding, makeWhole } from "./index-database.ts";
import type { IndexMaking } from "./opened-index.ts";

const PART_MS = 10;
/**
 * Documents of one transaction. At its end their words are sorted and written without yielding: a tenth of a second.
 */
const DOCUMENTS_AT_ONCE = 4_000;
/** Characters of their words, where documents are long. */
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;
/** Pages of the full text table that are merged between two turns. */
const PAGES_MERGED_AT_ONCE = 200;

export class IndexFile {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #rows: DocumentRows;
  #next = 1;
  #documents = 0;
  #characters = 0;
  #isClosed = false;

  constructor(path: string, { schema, terms }: Pick<IndexMaking, "schema" | "terms">) {
    this.path = path;
    this.#database = createForBuilding(path, schema);
    this.#rows = new DocumentRows(this.#database, schema, terms);
    this.#database.exec("begin");
  }

  async add(documents: readonly SearchDocument[]): Promise<void> {
    let until = performance.now() + PART_MS;
    for (const document of documents) {
      if (this.#isClosed) throw new RangeError("Cannot add to an index that is finished or was abandoned");
      this.#rows.writeNew(document, this.#next);
      this.#next += 1;
      this.#documents += 1;
      for (const words of Object.values(document.texts)) this.#characters += words.length;
      const isFull = this.#documents >= DOCUMENTS_AT_ONCE || this.#characters >= CHARACTERS_AT_ONCE;
      if (isFull) {
        await yieldToEventLoop();
        if (!this.#isClosed) this.#database.exec("commit; begin");
        [this.#documents, this.#characters] = [0, 0];
      }
      if (!isFull && performance.now() < until) continue;
      await yieldToEventLoop();
      until = performance.now() + PART_MS;
    }
  }

  /** From here on it counts. */
  async finish(position: FeedPosition): Promise<void> {
    if (this.#isClosed) throw new RangeError("Cannot finish an index that is finished or was abandoned");
    this.#database.exec("commit");
    await this.#merge();
    await this.close();
    await makeWhole(this.path, position);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#database.close();
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
