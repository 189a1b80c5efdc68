// Which authors are likely one person (R6a, R21a): those with one identifier, and those with one name who share an
// affiliation or a co-author. Linear in the authors: who has the same name is brought together by the index of names,
// and compared by what is shared, never each with each.
import type { Author } from "../../model/agents/author.ts";
import { authorKeys, isAlive } from "../../model/agents/author.ts";
import type { AuthorId } from "../../shared/ids.ts";
import type { AuthorReader, SharedKey } from "../store/authors.ts";

export type Likeness = {
  /** The lower number first. */
  readonly one: Author;
  readonly other: Author;
  readonly reasons: readonly Reason[];
};
type Reason =
  | { readonly kind: "identifier"; readonly value: string }
  | { readonly kind: "name and affiliation"; readonly value: string }
  | { readonly kind: "name and co-author"; readonly value: string };

/** Keys read at once, and authors compared per key: a key shared by more authors does not identify anybody. */
const PAGE = 5_000;
const ALIKE_MAX = 200;
/** Authors read at once. */
const READ = 500;

/** Pairs, identifiers first; each pair once for identifiers and once for names. Ends behind `limit` pairs. */
export async function* likelyPairs(reader: AuthorReader, limit: number): AsyncGenerator<Likeness> {
  let left = limit;
  for (const kind of ["identifier", "full"] as const) {
    const reported = new Set<string>();
    for await (const groups of groupsOf(reader, kind)) {
      const pairs = kind === "identifier" ? sameIdentifier(groups) : await sameName(reader, groups);
      const fresh = pairs.filter(({ one, other }) => !reported.has(`${one} ${other}`));
      for (const { one, other } of fresh) reported.add(`${one} ${other}`);
      for (const likeness of await named(reader, fresh.slice(0, left))) {
        yield likeness;
        left -= 1;
        if (left === 0) return;
      }
    }
  }
}

type Group = { readonly key: string; readonly ids: readonly AuthorId[] };
type Pair = { readonly one: number; readonly other: number; readonly reasons: readonly Reason[] };

/** Authors that share a key, page by page; a key is never split between pages. */
async function* groupsOf(reader: AuthorReader, kind: "identifier" | "full"): AsyncGenerator<readonly Group[]> {
  for (let after = ""; ; ) {
    const rows: readonly SharedKey[] = await reader.sharedKeys(kind, after, PAGE, ALIKE_MAX);
    const groups = new Map<string, number[]>();
    for (const { key, authorId } of rows) {
      const ids = groups.get(key);
      if (ids === undefined) groups.set(key, [authorId]);
      else ids.push(authorId);
    }
    if (groups.size === 0) return;
    after = [...groups.keys()].at(-1) ?? after;
    yield [...groups].map(([key, ids]) => ({ key, ids }));
  }
}

function* pairsIn(ids: readonly AuthorId[]): Generator<readonly [number, number]> {
  const sorted = [...ids].sort((a, b) => a - b);
  for (const [at, one] of sorted.entries()) for (const other of sorted.slice(at + 1)) yield [one, other];
}

const sameIdentifier = (groups: readonly Group[]): readonly Pair[] =>
  groups.flatMap(({ key, ids }) =>
    [...pairsIn(ids)].map(([one, other]) => ({ one, other, reasons: [{ kind: "identifier", value: key }] as const })),
  );

async function sameName(reader: AuthorReader, groups: readonly Group[]): Promise<readonly Pair[]> {
  const all = [...new Set(groups.flatMap(({ ids }) => ids))];
  const affiliations = new Map<number, readonly string[]>();
  const coauthors = new Map<number, readonly number[]>();
  for (let at = 0; at < all.length; at += READ) {
    const ids = all.slice(at, at + READ);
    for (const { id, content } of await reader.authors(ids)) {
      affiliations.set(
        id,
        authorKeys(content).flatMap(({ kind, key }) => (kind === "affiliation" ? [key] : [])),
      );
    }
    for (const [id, others] of await reader.coauthors(ids)) coauthors.set(id, others);
  }
  return groups.flatMap((group) => [
    ...sharing(group, "name and affiliation", (id) => affiliations.get(id) ?? []),
    ...sharing(group, "name and co-author", (id) => coauthors.get(id) ?? []),
  ]);
}

/** Pairs of a group that have something in common, each with the first thing. */
function sharing(
  { ids }: Group,
  kind: "name and affiliation" | "name and co-author",
  thingsOf: (id: AuthorId) => readonly (string | number)[],
): readonly Pair[] {
  const having = Map.groupBy(
    ids.flatMap((id) => [...new Set(thingsOf(id))].map((thing) => ({ id, thing }))),
    ({ thing }) => thing,
  );
  const pairs = new Map<string, Pair>();
  for (const [thing, holders] of having) {
    for (const [one, other] of pairsIn(holders.map(({ id }) => id))) {
      const key = `${one} ${other}`;
      if (!pairs.has(key)) pairs.set(key, { one, other, reasons: [{ kind, value: String(thing) }] });
    }
  }
  return [...pairs.values()];
}

/** With the records of both; who is gone meanwhile is left out. Reasons of one pair come together. */
async function named(reader: AuthorReader, pairs: readonly Pair[]): Promise<readonly Likeness[]> {
  const ids = [...new Set(pairs.flatMap(({ one, other }) => [one, other]))];
  const authors = new Map<number, Author>();
  for (let at = 0; at < ids.length; at += READ) {
    for (const author of await reader.authors(ids.slice(at, at + READ))) {
      if (isAlive(author)) authors.set(author.id, author);
    }
  }
  const together = Map.groupBy(pairs, ({ one, other }) => `${one} ${other}`);
  return [...together.values()].flatMap((same) => {
    const [first] = same;
    const [one, other] = [authors.get(first?.one ?? 0), authors.get(first?.other ?? 0)];
    return one === undefined || other === undefined
      ? []
      : [{ one, other, reasons: once(same.flatMap(({ reasons }) => reasons)) }];
  });
}

/** A name is two keys, in either order: what is shared under both is one reason. */
const once = (reasons: readonly Reason[]): readonly Reason[] => [
  ...new Map(reasons.map((reason) => [`${reason.kind} ${reason.value}`, reason])).values(),
];
