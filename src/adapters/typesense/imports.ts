// Documents and the words of their keys as lines of imports (R34): in portions that one request takes.
import type { IndexSchema, SearchDocument } from "../../repository/search/document/document.ts";
import { documentLine, labelLines, labelsOf } from "./collections.ts";
import { orUnavailable, type TypesenseServer } from "./server.ts";

/** Lines and characters of one import; imports at once while an index is built. */
const IMPORT_LINES = 500;
const IMPORT_CHARACTERS = 8_000_000;
const IMPORTS_AT_ONCE = 3;

/** Lines in portions that one import takes. */
async function importPortions(server: TypesenseServer, collection: string, lines: Iterable<string>): Promise<void> {
  let portion: string[] = [];
  let characters = 0;
  const send = async (): Promise<void> => {
    await orUnavailable(server.importLines(collection, portion));
    portion = [];
    characters = 0;
  };
  for (const line of lines) {
    if (portion.length > 0 && (portion.length >= IMPORT_LINES || characters + line.length > IMPORT_CHARACTERS)) {
      await send();
    }
    portion.push(line);
    characters += line.length;
  }
  await send();
}

export async function importDocuments(
  server: TypesenseServer,
  collection: string,
  schema: IndexSchema,
  documents: readonly SearchDocument[],
  written: number,
): Promise<void> {
  // Labels first: a key is never there without its words.
  await importPortions(server, labelsOf(collection), new Set(documents.flatMap(labelLines)));
  // One after the other: documents may be large.
  function* lines(): Generator<string> {
    for (const document of documents) yield documentLine(schema, document, written);
  }
  await importPortions(server, collection, lines());
}

/**
 * Lines for several collections in full portions, some of which are sent at once. The first import that fails fails
 * every later call.
 */
export class ParallelImports {
  readonly #server: TypesenseServer;
  readonly #portions = new Map<string, { lines: string[]; characters: number }>();
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;

  constructor(server: TypesenseServer) {
    this.#server = server;
  }

  async add(collection: string, line: string): Promise<void> {
    const portion = this.#portions.get(collection) ?? { lines: [], characters: 0 };
    this.#portions.set(collection, portion);
    portion.lines.push(line);
    portion.characters += line.length;
    if (portion.lines.length >= IMPORT_LINES || portion.characters >= IMPORT_CHARACTERS) await this.#send(collection);
  }

  async finish(): Promise<void> {
    for (const collection of [...this.#portions.keys()]) await this.#send(collection);
    await Promise.all(this.#running);
    this.#requireSuccess();
  }

  /** Waits for what was sent, whatever becomes of it. */
  async settle(): Promise<void> {
    this.#portions.clear();
    await Promise.all(this.#running);
  }

  #requireSuccess(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  async #send(collection: string): Promise<void> {
    const { lines } = this.#portions.get(collection) ?? { lines: [] };
    this.#portions.delete(collection);
    while (this.#running.size >= IMPORTS_AT_ONCE) await Promise.race(this.#running);
    this.#requireSuccess();
    const work = orUnavailable(this.#server.importLines(collection, lines))
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }
}
