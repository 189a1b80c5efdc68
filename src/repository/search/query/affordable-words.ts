// Which of many words are asked for where the work must not grow with the repository.

/** Documents that have one of the words asked for, all words together. */
const DOCUMENTS = 20_000;

/** In their order, without those that more documents have than are read. `having`: how many have it, about. */
export function affordable<Word extends { readonly having: number }>(words: readonly Word[]): readonly Word[] {
  let left = DOCUMENTS;
  return words.filter(({ having }) => {
    if (having > left) return false;
    left -= having;
    return true;
  });
}
