// A thread that makes search documents out of the database, which it opens itself (R34): started by
// document-threads.ts. One slice is sent at a time, and the next one is made meanwhile.
import { parentPort, workerData } from "node:worker_threads";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { rowMaking, rowsText } from "../../db/search/document-row.ts";
import { termsOf } from "../../db/search/terms.ts";
import type { SearchDocument } from "../repository/search/document/document.ts";
import { DocumentsReader } from "../repository/search/document/document-reading.ts";
import type { DocumentForm, PreparedDocuments } from "../repository/search/index/index-port.ts";
import { searchSchema } from "../repository/search/settings/search-schema.ts";
import type { SearchSettings } from "../repository/search/settings/settings.ts";
import { errorMessage } from "../shared/error-message.ts";
import type { ParentId } from "../shared/ids.ts";
import type { Day } from "../shared/time/day.ts";
import { lowerPriority } from "./process/lower-priority.ts";

export type DocumentWork = { readonly url: string; readonly settings: SearchSettings; readonly form: DocumentForm };

export type DocumentOrder =
  /** `parents`: numbers as JSON. */
  | { readonly what: "make"; readonly id: number; readonly parents: string; readonly today: Day }
  /** The slice that was sent last is taken. */
  | { readonly what: "goOn"; readonly id: number };

export type DocumentAnswer =
  | { readonly id: number; readonly prepared: PreparedDocuments; readonly isLast: boolean }
  | { readonly id: number; readonly failure: string };

type Port = {
  postMessage(answer: DocumentAnswer): void;
  on(event: "message", listener: (order: DocumentOrder) => void): unknown;
};

async function preparation({
  settings,
  form,
}: DocumentWork): Promise<(documents: readonly SearchDocument[]) => string> {
  const schema = searchSchema(settings);
  if (form === "rows") {
    const makeRow = rowMaking(schema, termsOf(schema));
    return (documents) => rowsText(documents.map(makeRow));
  }
  const { preparedLines } = await import("../adapters/typesense/collections.ts");
  return (documents) => JSON.stringify(documents.map((document) => preparedLines(schema, document)));
}

async function open(work: DocumentWork) {
  const prepare = await preparation(work);
  const store = await openRepositoryStore({ url: work.url, mustExist: true, poolSize: 1 });
  let day: Day = "";
  const read = new DocumentsReader(store, work.settings, () => day).inOnePass();
  return {
    async *slices(parents: readonly ParentId[], today: Day): AsyncGenerator<PreparedDocuments> {
      day = today;
      for await (const { documents } of read(parents)) yield { text: prepare(documents), documents: documents.length };
    },
  };
}

const NOTHING: PreparedDocuments = { text: "[]", documents: 0 };

function serve(port: Port, work: DocumentWork): void {
  const opened = open(work);
  const taken = new Map<number, () => void>();
  async function make({ id, parents, today }: Extract<DocumentOrder, { what: "make" }>): Promise<void> {
    const { slices } = await opened;
    let last: PreparedDocuments | null = null;
    let isTaken: Promise<void> = Promise.resolve();
    // Written by document-threads.ts only.
    for await (const prepared of slices(JSON.parse(parents) as readonly ParentId[], today)) {
      if (last !== null) {
        await isTaken;
        isTaken = new Promise((resolve) => taken.set(id, resolve));
        port.postMessage({ id, prepared: last, isLast: false });
      }
      last = prepared;
    }
    await isTaken;
    taken.delete(id);
    port.postMessage({ id, prepared: last ?? NOTHING, isLast: true });
  }
  let line: Promise<void> = Promise.resolve();
  port.on("message", (order) => {
    if (order.what === "goOn") taken.get(order.id)?.();
    else
      line = line
        .then(() => make(order))
        .catch((error: unknown) => port.postMessage({ id: order.id, failure: errorMessage(error) }));
  });
}

// Requests come first.
lowerPriority();
// Given by document-threads.ts only.
if (parentPort !== null) serve(parentPort, workerData as DocumentWork);
