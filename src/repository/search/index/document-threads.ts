// Documents made by several threads, each of which reads the database itself (R34): a build of an index hands them pages
// of parents, and takes what they make in the order of parents, so that the index is the same as if one had made it.
import type { ParentId } from "../../../shared/ids.ts";
import type { Day } from "../../../shared/time/day.ts";
import type { SearchSettings } from "../settings/settings.ts";
import type { DocumentForm, PreparedDocuments } from "./index-port.ts";

export interface DocumentThread {
  /**
   * Begins to make the documents of these parents, behind what was asked before. In slices, of which the next one is
   * made while one is read.
   */
  make(parents: readonly ParentId[], today: Day): AsyncIterable<PreparedDocuments>;
  close(): Promise<void>;
}

export type DocumentThreads = {
  readonly count: number;
  /** Parents of one page, which one thread reads. */
  readonly parentsAtOnce: number;
  /** Pages of parents before threads are started: a smaller repository is read before they have. */
  readonly pagesBefore: number;
  start(settings: SearchSettings, form: DocumentForm): DocumentThread;
};

/** Pages that are begun ahead, for each thread: it is at work while what it made before is waited for. */
const PAGES_AHEAD = 2;

export async function* madeInOrder(
  threads: readonly DocumentThread[],
  pages: AsyncIterator<readonly ParentId[]>,
  today: () => Day,
): AsyncGenerator<PreparedDocuments> {
  const begun: AsyncIterable<PreparedDocuments>[] = [];
  for (let next = 0; ; ) {
    while (begun.length < threads.length * PAGES_AHEAD) {
      const page = await pages.next();
      const thread = threads[next % threads.length];
      if (page.done === true || thread === undefined) break;
      begun.push(thread.make(page.value, today()));
      next += 1;
    }
    const first = begun.shift();
    if (first === undefined) return;
    yield* first;
  }
}
