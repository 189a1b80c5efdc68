// Vocabularies: the lists of words the repository knows, entry by entry (R6a).

import type { Viewer } from "../../auth/account.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { VocabularyEntry } from "../store/vocabularies.ts";
import { type AdministrationNeeds, change, invalid, missing } from "./collection.ts";
import {
  NEW_VOCABULARY_ENTRY,
  VOCABULARY_ENTRY,
  VOCABULARY_LOADED_MAX,
  VOCABULARY_MAX,
  vocabularyIdOf,
  vocabularyType,
} from "./records.ts";

export type Vocabularies = {
  readonly types: () => Promise<readonly { readonly type: string; readonly entries: number }[]>;
  /** @throws Refusal `not_found` */
  readonly list: (type: string) => Promise<readonly VocabularyEntry[]>;
  readonly read: (type: string, id: string) => Promise<VocabularyEntry>;
  /** Adds an entry behind the others, or changes the one that is there. */
  readonly save: (viewer: Viewer, type: string, id: string, sent: unknown) => Promise<VocabularyEntry>;
  /** Adds or changes many entries, all of them or none: those of a public dump. @throws Refusal `invalid` */
  readonly load: (viewer: Viewer, type: string, entries: readonly Omit<VocabularyEntry, "type">[]) => Promise<void>;
  /** @throws Refusal `conflict` for an entry the program brings along: it would be there again after the next start */
  readonly remove: (viewer: Viewer, type: string, id: string) => Promise<void>;
};

export function vocabularies(
  needs: AdministrationNeeds & { readonly isShipped: (type: string, id: string) => boolean },
): Vocabularies {
  const { communities } = needs.store;
  return {
    async types() {
      const types = await communities.vocabularyTypes();
      return await Promise.all(types.map(async (type) => ({ type, entries: await communities.countVocabulary(type) })));
    },
    async list(type) {
      const entries = await communities.vocabulary(type, VOCABULARY_MAX);
      if (entries.length === 0) throw missing("vocabulary", type);
      return entries;
    },
    async read(type, id) {
      const found = await communities.vocabularyEntry(type, id);
      if (found === null) throw missing(`entry in the vocabulary ${type}:`, id);
      return found;
    },
    save: (viewer, type, id, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        vocabularyType.read(type, "type");
        vocabularyIdOf(type).read(id, "id");
        const before = await tx.communities.vocabularyEntry(type, id);
        if (before === null && (await tx.communities.countVocabulary(type)) >= VOCABULARY_MAX) {
          throw invalid(`A vocabulary has at most ${VOCABULARY_MAX} entries`);
        }
        const parts = before === null ? NEW_VOCABULARY_ENTRY : { title: before.title, props: before.props };
        const entry: VocabularyEntry = { type, id, ...VOCABULARY_ENTRY.read(parts, sent) };
        await tx.communities.putVocabulary([entry], at);
        await audit("vocabulary-set", `vocabulary:${type}`, { id });
        return entry;
      }),
    load: (viewer, type, entries) =>
      change(needs, viewer, async (tx, at, audit) => {
        vocabularyType.read(type, "type");
        if ((await tx.communities.countVocabulary(type)) + entries.length > VOCABULARY_LOADED_MAX) {
          throw invalid(`A vocabulary that is loaded has at most ${VOCABULARY_LOADED_MAX} entries`);
        }
        // One id twice in a dump: the last one holds.
        const once = new Map(entries.map((entry) => [entry.id, { type, ...entry }]));
        await tx.communities.putVocabulary([...once.values()], at);
        await audit("vocabulary-load", `vocabulary:${type}`, { entries: once.size });
      }),
    remove: (viewer, type, id) =>
      change(needs, viewer, async (tx, _at, audit) => {
        if (needs.isShipped(type, id)) {
          const text = `Cannot remove "${id}" from ${type}: the program brings it along; change its title instead`;
          throw new Refusal("conflict", text);
        }
        if (!(await tx.communities.removeVocabularyEntry(type, id))) {
          throw missing(`entry in the vocabulary ${type}:`, id);
        }
        await audit("vocabulary-remove", `vocabulary:${type}`, { id });
      }),
  };
}
