// The other side of index-thread.ts: does one order after the other. A file that is written into is opened for the
// order alone, so that nothing holds one that is replaced; a file that is filled stays open until it is finished or
// closed.
import type { IndexBatch } from "../../src/repository/search/index/index-port.ts";
import { IndexFile } from "./building.ts";
import { rowsIn } from "./document-row.ts";
import { DocumentRows } from "./document-rows.ts";
import { openWriter } from "./index-database.ts";
import type { IndexMessage, IndexOrder, IndexResult } from "./index-thread.ts";
import { type WrittenBatch, writeBatch } from "./index-writing.ts";
import { termsOf } from "./terms.ts";

type Port = {
  postMessage(result: IndexResult): void;
  on(event: "message", listener: (message: IndexMessage) => void): unknown;
};

export function serveIndexes(port: Port): void {
  const filled = new Map<string, IndexFile>();
  const fileAt = (path: string): IndexFile => {
    const file = filled.get(path);
    if (file === undefined) throw new RangeError("Cannot add to an index that is finished or was abandoned");
    return file;
  };

  async function write({ path, schema, batch, slots }: Extract<IndexOrder, { what: "write" }>): Promise<WrittenBatch> {
    const database = openWriter(path);
    try {
      const rows = new DocumentRows(database, schema, termsOf(schema));
      // Written by index-thread.ts only, as all that is read here.
      return await writeBatch(database, rows, JSON.parse(batch) as IndexBatch, slots);
    } finally {
      database.close();
    }
  }

  async function run(order: IndexOrder): Promise<WrittenBatch | null> {
    if (order.what === "write") return await write(order);
    const { path } = order;
    if (order.what === "create") {
      const { schema, position } = order;
      filled.set(path, IndexFile.open(path, { schema, terms: termsOf(schema) }, position));
    } else if (order.what === "add") await fileAt(path).add(rowsIn(order.rows));
    else if (order.what === "finish") {
      await fileAt(path).finish(order.position);
      filled.delete(path);
    } else {
      await filled.get(path)?.close();
      filled.delete(path);
    }
    return null;
  }

  let last: Promise<unknown> = Promise.resolve();
  port.on("message", ({ id, order }) => {
    last = last
      .then(() => run(order))
      .then(
        (written) => port.postMessage({ id, written }),
        (error: unknown) => port.postMessage({ id, failure: error instanceof Error ? error.message : String(error) }),
      );
  });
}
