// Two authors who are one person (R6a) are merged. The items, numbers and id of one author lead to the survivor for
// ever.
import type { Viewer } from "../../auth/account.ts";
import { type Author, type AuthorContent, isAlive, LOCAL, schemeKey } from "../../model/agents/author.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { invalidAt } from "./author-body.ts";
import { enqueuePropagation } from "./propagation.ts";

/** What an author is asked for: a number or a UUID. */
type Identifier = number | string;

/**
 * Both, locked in the order of their numbers, so that two merges never wait for each other.
 *
 * @throws Refusal `not_found`, `invalid`
 */
export async function lockBoth(
  tx: RepositoryWriter,
  taken: Identifier,
  into: Identifier,
): Promise<{ readonly author: Author; readonly survivor: Author }> {
  const [one, other] = [await tx.authors.author(taken), await tx.authors.author(into)];
  if (one === null || other === null) throw new Refusal("not_found", "Specified author does not exist.");
  if (one.id === other.id) throw invalidAt("into", "An author is not merged into himself.");
  const locked = new Map<number, Author>();
  for (const id of [one.id, other.id].sort((a, b) => a - b)) {
    const author = await tx.authors.lockAuthor(id);
    if (author === null || !isAlive(author)) throw new Refusal("not_found", "Specified author does not exist.");
    locked.set(id, author);
  }
  const [author, survivor] = [locked.get(one.id), locked.get(other.id)];
  if (author === undefined || survivor === undefined) throw new RangeError("Both authors were locked");
  return { author, survivor };
}

/**
 * The survivor's record after the merge: its own content, and identifiers of schemes in which it had none. Own numbers
 * stay with the record.
 */
function mergedContent(survivor: AuthorContent, taken: AuthorContent): AuthorContent {
  const had = new Set(survivor.authorIdInfo.map(({ idType }) => schemeKey(idType)));
  const added = taken.authorIdInfo.filter(({ idType }) => idType !== LOCAL && !had.has(schemeKey(idType)));
  return added.length === 0 ? survivor : { ...survivor, authorIdInfo: [...survivor.authorIdInfo, ...added] };
}

/** Both authors are locked, and the viewer may change both. Returns the number of the survivor. */
export async function takeIn(
  tx: RepositoryWriter,
  viewer: Viewer,
  { author, survivor }: { readonly author: Author; readonly survivor: Author },
  communities: readonly string[],
  clock: Clock,
): Promise<number> {
  const at = clock.now();
  const content = mergedContent(survivor.content, author.content);
  if (content !== survivor.content) {
    await tx.authors.saveAuthor(survivor, { content, communities, at });
    await enqueuePropagation(tx, survivor, content, false, at);
  }
  await tx.authors.mergeAuthor(author, survivor.id, at);
  await enqueuePropagation(tx, author, content, false, at);
  await tx.audit(viewer, at, [
    { action: "author.merge", subject: `author:${author.id}`, detail: { into: survivor.id } },
    { action: "author.update", subject: `author:${survivor.id}`, detail: { took_in: author.id } },
  ]);
  return survivor.id;
}
