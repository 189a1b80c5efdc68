// Journals that items of this repository appeared in, by what somebody types (R42, P.141): the index lists those of some
// items that have the words and that the reader may see (index-port.ts: complete). Its labels hold the titles of a
// journal and its identifiers.
import type { Viewer } from "../../../auth/account.ts";
import type { Container } from "../../../model/metadata/metadata.ts";
import { most } from "../../../shared/limits.ts";
import { RECORD_FACETS } from "../detail/record-schema.ts";
import { type Journal, journalIn } from "../document/journal-label.ts";
import { TEXTS } from "../settings/search-schema.ts";
import { hasAll, typedText, wordsCondition } from "./completion.ts";
import type { Finder } from "./finder.ts";

/** Items whose journals are compared, and journals of these. */
const ITEMS = 200;
const JOURNALS = 500;

export type JournalCompletion = (viewer: Viewer, text: string) => Promise<readonly Journal[]>;

/** In the order of how many of the items they have; of one title the journal with identifiers. */
export const journalCompletion =
  (finder: Pick<Finder, "complete">): JournalCompletion =>
  async (viewer, text) => {
    const typed = typedText(text);
    if (typed === null) return [];
    const facet = { field: RECORD_FACETS.journal, size: JOURNALS };
    const question = { words: wordsCondition(TEXTS.sourceTitle, typed), begins: null, limit: ITEMS, facet };
    const [found] = await finder.complete(viewer, [question]);
    const journals = new Map<string, Journal>();
    for (const label of found?.labels ?? []) {
      const journal = journalIn(label);
      if (journal === null || !hasAll(valuesOf(journal), typed)) continue;
      const title = journal.titles[0]?.value ?? "";
      const before = journals.get(title);
      if (title.length > most("completedCharacters") || (before !== undefined && before.ids.length > 0)) continue;
      journals.set(title, before === undefined || journal.ids.length > 0 ? journal : before);
    }
    return [...journals.values()];
  };

const valuesOf = ({ titles }: Pick<Container, "titles">): readonly string[] => titles.map(({ value }) => value);
