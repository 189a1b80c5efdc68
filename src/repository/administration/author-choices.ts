// Choices for authors (R21): schemes of identifiers of persons and of institutions, and languages. Each repository has
// its own lists.

import { LOCAL, schemeKey } from "../../model/agents/author.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { AuthorChoice, AuthorReader, ChoiceKind } from "../store/authors.ts";
import { type AdministrationNeeds, type Collection, change, invalid, missing, type Removing } from "./collection.ts";
import { AUTHOR_CHOICES_MAX, AUTHOR_LANGUAGE, AUTHOR_SCHEME, authorChoiceId, NEW_AUTHOR_SCHEME } from "./records.ts";

const WHAT: Readonly<Record<ChoiceKind, string>> = {
  author: "author scheme",
  institution: "institution scheme",
  language: "language of authors",
};

/** PUT adds what is not there yet, behind the others. */
export const authorSchemeCollection = (needs: AdministrationNeeds, kind: "author" | "institution") =>
  choiceCollection(needs, kind, ({ id, url, form }) => ({ id, url, form }));
export const authorLanguageCollection = (needs: AdministrationNeeds) =>
  choiceCollection(needs, "language", ({ id }) => ({ id }));

function choiceCollection<Shown>(
  needs: AdministrationNeeds,
  kind: ChoiceKind,
  shown: (choice: AuthorChoice) => Shown,
): Collection<Shown> & Removing {
  const ofKind = async (reader: AuthorReader) =>
    (await reader.authorChoices()).filter((choice) => choice.kind === kind);
  const find = (choices: readonly AuthorChoice[], id: string) => choices.find((choice) => choice.id === id);
  return {
    list: async () => (await ofKind(needs.store.authors)).map(shown),
    async read(id) {
      const found = find(await ofKind(needs.store.authors), id);
      if (found === undefined) throw missing(WHAT[kind], id);
      return shown(found);
    },
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, _at, audit) => {
        authorChoiceId.read(id, "id");
        const choices = await ofKind(tx.authors);
        const before = find(choices, id);
        if (before === undefined) refuseNew(choices, kind, id);
        const { url, form } = before ?? NEW_AUTHOR_SCHEME;
        // A language has its name alone.
        const fields = kind === "language" ? AUTHOR_LANGUAGE.read({}, sent) : AUTHOR_SCHEME.read({ url, form }, sent);
        const choice: AuthorChoice = { kind, id, url, form, ...fields };
        await tx.authors.saveAuthorChoice(choice);
        await audit("author-choice-set", `author-choice:${kind}`, { id });
        return shown(choice);
      }),
    remove: (viewer, id) =>
      change(needs, viewer, async (tx, _at, audit) => {
        if (find(await ofKind(tx.authors), id) === undefined) throw missing(WHAT[kind], id);
        if (kind === "author" && id === LOCAL) {
          throw new Refusal("conflict", `Cannot remove "${LOCAL}": it is the repository's own numbering`);
        }
        // Languages in use are not searched for in authors: authors keep them.
        const used = kind === "language" ? null : await tx.authors.authorWithScheme(kind, id);
        if (used !== null) {
          throw new Refusal("conflict", `Cannot remove "${id}": author ${used} has an identifier of this scheme`);
        }
        await tx.authors.removeAuthorChoice(kind, id);
        await audit("author-choice-remove", `author-choice:${kind}`, { id });
      }),
  };
}

function refuseNew(choices: readonly AuthorChoice[], kind: ChoiceKind, id: string): void {
  if (choices.length >= AUTHOR_CHOICES_MAX) throw invalid(`There are at most ${AUTHOR_CHOICES_MAX} of them`);
  const same = choices.find((choice) => schemeKey(choice.id) === schemeKey(id));
  if (same !== undefined) throw new Refusal("conflict", `There is a ${WHAT[kind]} "${same.id}" already`);
}
