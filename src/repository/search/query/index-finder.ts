// The one way to find items (R1, R34): a question with the viewer's keys goes to the index, and each hit is checked in
// the database before anybody sees it, so that what was hidden is hidden at once, whatever is still in the index.
import type { Viewer } from "../../../auth/account.ts";
import { mayPreview, mayReadRecord } from "../../../model/access/visibility.ts";
import type { IndexOutline } from "../../../model/indexes/index-node.ts";
import type { ItemOutline, WithParent } from "../../../model/items/item.ts";
import type { IndexId } from "../../../shared/ids.ts";
import { Refusal } from "../../../shared/refusal.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { type Day, dayIn } from "../../../shared/time/day.ts";
import { factsIn, latestReadable, publishedVersions } from "../../items/access-facts.ts";
import type { RepositoryReader } from "../../store/store.ts";
import { NEWEST, RECORD_FACETS } from "../detail/record-schema.ts";
import { accessCounts, asksForAccess, withAccessOn } from "../document/access-keys.ts";
import { FIELDS, type IndexSchema, type Key, VISIBLE_BEFORE } from "../document/document.ts";
import { admitting, indexesAsked, keyOf, numberKey, SHARED_PREFIX } from "../document/keys.ts";
import { looksIntoTree, touchedBy, type UnfollowedChanges } from "../index/followed-index.ts";
import type { ActiveIndex, Follower } from "../index/index-follower.ts";
import {
  type CompletionQuery,
  type Condition,
  type IndexAnswer,
  type IndexQuery,
  IndexUnavailable,
  type Place,
  type RankedWord,
  type Ranking,
  SCORE,
} from "../index/index-port.ts";
import { KEYS } from "../settings/search-schema.ts";
import type { SearchSettings } from "../settings/settings.ts";
import { type CursorPlace, printCursor, readCursor } from "./cursor.ts";
import { looksIntoFiles, READER_PREFIX, readableClasses, withReaders } from "./file-classes.ts";
import type { Completions, Finder, ItemQuery, SearchPage } from "./finder.ts";

export type FindingNeeds = {
  readonly store: Pick<RepositoryReader, "items" | "indexes">;
  readonly follower: Pick<Follower, "answering" | "unfollowed" | "settled" | "doubt">;
  readonly clock: Clock;
  readonly timeZone: string;
  /** Called with the duration of each query of the index, for metrics. */
  readonly noteQuery?: (kind: QueryKind, ms: number) => void;
  readonly elapsedMs?: () => number;
};

/**
 * How deep a question looks: the first pages by their number, or after a cursor, or only to count; or for completion.
 */
export const QUERY_KINDS = ["page", "cursor", "count", "each", "completion"] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

/** Hits that are reached by the number of a page, and of one page (R10). */
const WINDOW = 10_000;
/** Keys of a field that are known of an index: of days and rules there are few (visibility-keys.ts). */
const KEYS_KNOWN = 50_000;
/** Hits that the database is asked about before they count, while a change is not followed that may touch them. */
const VERIFIED = 500;
/** How often a page is filled up where hits were hidden since: each time twice as many are asked for. */
const REFILLS = 8;
/** Lineages that are kept for one state of the tree. */
const LINEAGES_KEPT = 10_000;

type Hit = WithParent<ItemOutline>;
type Question = Pick<ItemQuery, "where" | "chosen" | "sort" | "standing" | "ranking" | "isRough">;

/** A question as it is put to an index for a viewer. */
type PreparedQuestion = Pick<IndexQuery, "where" | "chosen" | "sort" | "ranking"> & {
  readonly to: ActiveIndex;
  readonly viewer: Viewer;
  readonly today: Day;
  readonly standings: ReadonlySet<string>;
  readonly fingerprint: string;
};

const STANDINGS: Readonly<Record<NonNullable<ItemQuery["standing"]>, readonly string[]>> = {
  latest: ["latest"],
  all: ["latest", "old"],
  "latest-and-drafts": ["latest", "draft"],
  drafts: ["draft"],
  newest: [NEWEST],
  everything: ["latest", "old", "draft"],
};
/** The standings a version may have by now: only the index knows which one is the newest. */
const SHOWN: Readonly<Record<string, readonly string[]>> = { ...STANDINGS, newest: STANDINGS.everything };

export class IndexFinder implements Finder {
  readonly #store: FindingNeeds["store"];
  readonly #follower: FindingNeeds["follower"];
  readonly #clock: FindingNeeds["clock"];
  readonly #timeZone: FindingNeeds["timeZone"];
  readonly #noteQuery: NonNullable<FindingNeeds["noteQuery"]>;
  readonly #elapsedMs: () => number;
  readonly #lineages: LineageReader;

  constructor(needs: FindingNeeds) {
    this.#store = needs.store;
    this.#follower = needs.follower;
    this.#clock = needs.clock;
    this.#timeZone = needs.timeZone;
    this.#noteQuery = needs.noteQuery ?? (() => {});
    this.#elapsedMs = needs.elapsedMs ?? (() => performance.now());
    this.#lineages = lineageReading(this.#store);
  }

  async settings(): Promise<SearchSettings> {
    return (await unlessAway(this.#follower, () => opened(this.#follower))).settings;
  }

  async ranks(): Promise<boolean> {
    return (await unlessAway(this.#follower, () => opened(this.#follower))).index.ranks;
  }

  async find(viewer: Viewer, { page, facets, mayWait = true, ...question }: ItemQuery): Promise<SearchPage> {
    checkWindow(page);
    return await unlessAway(this.#follower, async () => {
      const unfollowed = await this.#unfollowedBy(viewer, question, mayWait);
      const all = await this.#prepared(viewer, question);
      const { schema } = all.to;
      const counted = facets
        .filter(({ field }) => schema.facets.includes(field))
        .map(({ field, size }) => ({ field, size: field === RECORD_FACETS.access ? KEYS_KNOWN : size }));
      const after = "cursor" in page ? cursorOf(page.cursor, all) : null;
      const offset = "cursor" in page ? 0 : "offset" in page ? page.offset : (page.number - 1) * page.size;
      const rest: Rest = { after: after?.place ?? null, offset, limit: 0, facets: counted };
      const one = await this.#certain(weighed(all, after?.weights ?? null), unfollowed, rest.after);
      const kind = page.size === 0 ? "count" : "cursor" in page ? "cursor" : "page";
      const { answer, items, hidden, next } = await this.#filled(kind, one, page.size, rest);
      const byField = new Map(counted.map(({ field }, at) => [field, answer.facets[at] ?? []]));
      const access = byField.get(RECORD_FACETS.access);
      if (access !== undefined) byField.set(RECORD_FACETS.access, [...accessCounts(access, one.today)]);
      return {
        total: answer.total - hidden,
        items,
        facets: facets.map(({ field }) => byField.get(field) ?? []),
        next: next === null ? null : printCursor(one.fingerprint, next),
        ...(page.size > 0 || answer.weights === undefined ? {} : { weights: answer.weights }),
      } satisfies SearchPage;
    });
  }

  wordsOf(field: string, prefix: string, after: string, limit: number): Promise<readonly string[] | null> {
    return unlessAway(this.#follower, async () => {
      const { index, schema } = await opened(this.#follower);
      return schema.texts.includes(field) ? await index.wordsOf(field, prefix, after, limit) : [];
    });
  }

  /** What is typed is not part of the question that is checked against changes: that one may have no beginnings. */
  complete(viewer: Viewer, questions: readonly Omit<CompletionQuery, "where">[]): Promise<readonly Completions[]> {
    return unlessAway(this.#follower, async () => {
      const seen: Question = { where: EVERYTHING, chosen: null, sort: [] };
      const unfollowed = await this.#unfollowedBy(viewer, seen, true);
      const one = await this.#certain(await this.#prepared(viewer, seen), unfollowed, null);
      const begun = this.#elapsedMs();
      const answers = await Promise.all(questions.map((each) => one.to.index.complete({ ...each, where: one.where })));
      this.#noteQuery("completion", this.#elapsedMs() - begun);
      const ids = [...new Set(answers.flatMap((answer) => answer.ids))];
      const shown = new Map(
        (
          await this.#shown(
            one,
            ids.map((id) => ({ sort: [], id })),
          )
        ).map((hit) => [hit.item.id, hit]),
      );
      return answers.map(({ ids: found, labels }) => ({ items: found.flatMap((id) => shown.get(id) ?? []), labels }));
    });
  }

  async *each(
    viewer: Viewer,
    question: Omit<ItemQuery, "page" | "facets">,
    size: number,
  ): AsyncGenerator<SearchPage["items"]> {
    await unlessAway(this.#follower, () => this.#unfollowedBy(viewer, question, true));
    for (let after: CursorPlace | null = null; ; ) {
      const rest: Rest = { after: after?.place ?? null, offset: 0, limit: 0, facets: [] };
      const { items, next }: FilledPage = await unlessAway(this.#follower, async () => {
        const one = weighed(await this.#prepared(viewer, question), after?.weights ?? null);
        return await this.#filled("each", one, Math.min(Math.max(size, 1), WINDOW), rest);
      });
      if (items.length > 0) yield items;
      if (next === null) return;
      after = next;
    }
  }

  async #prepared(viewer: Viewer, question: Question): Promise<PreparedQuestion> {
    const to = this.#follower.answering();
    const today = dayIn(this.#timeZone, this.#clock.now());
    const { standing = "latest" } = question;
    const [where, chosen] = await this.#forReaders(to, viewer, today, await accessOn(to, today, question));
    const admits = await this.#admittingIn(to, viewer, today);
    const admitted = admits(FIELDS.visibility);
    const inStanding = standingIn(STANDINGS[standing], admits(FIELDS.newer));
    const visible = admitted === null ? [inStanding] : [inStanding, admitted];
    const words = to.index.ranks ? (question.ranking ?? []) : [];
    const ranking: Ranking | undefined =
      words.length === 0
        ? undefined
        : {
            words: await this.#rankedForReaders(to, viewer, today, words),
            among: { kind: "and", of: visible },
            weights: null,
            isRough: question.isRough === true,
          };
    return {
      to,
      viewer,
      today,
      chosen,
      sort: ranking === undefined ? question.sort : [BY_SCORE, ...question.sort],
      ...(ranking === undefined ? {} : { ranking }),
      where: { kind: "and", of: [where, ...visible] },
      standings: new Set(SHOWN[standing]),
      fingerprint: fingerprintOf(question),
    };
  }

  /**
   * What admits the viewer, by the field that contains the ways of being admitted; null: the viewer sees everything.
   */
  async #admittingIn({ index }: ActiveIndex, viewer: Viewer, today: Day) {
    const known = await index.keysOf(FIELDS.visibility, SHARED_PREFIX, KEYS_KNOWN);
    const named = await this.#lineages(indexesAsked(known));
    return (field: typeof FIELDS.visibility | typeof FIELDS.newer): Condition | null =>
      admitting(viewer, today, known, (id) => named.get(id) ?? [], field);
  }

  /** The words of a ranking, as this index has them and this viewer may know them. */
  async #rankedForReaders(
    to: ActiveIndex,
    viewer: Viewer,
    today: Day,
    words: readonly RankedWord[],
  ): Promise<readonly RankedWord[]> {
    const classes = await to.index.keysOf(FIELDS.fileClasses, READER_PREFIX, KEYS_KNOWN);
    const readable = readableClasses(viewer, today, classes);
    const known = (of: Condition): Condition => withReaders(inSchema(of, to.schema), viewer, readable);
    return words.map((word) => ({ ...word, places: word.places.map((place) => ({ ...place, of: known(place.of) })) }));
  }

  /** Words of files are searched for where the viewer may read them. */
  async #forReaders(
    { index, schema }: ActiveIndex,
    viewer: Viewer,
    today: Day,
    { where, chosen }: Question,
  ): Promise<readonly [Condition, Condition | null]> {
    const [known, chosenKnown] = [inSchema(where, schema), chosen === null ? null : inSchema(chosen, schema)];
    if (!looksIntoFiles(known) && (chosenKnown === null || !looksIntoFiles(chosenKnown))) return [known, chosenKnown];
    const classes = readableClasses(viewer, today, await index.keysOf(FIELDS.fileClasses, READER_PREFIX, KEYS_KNOWN));
    const read = (condition: Condition): Condition => withReaders(condition, viewer, classes);
    return [read(known), chosenKnown === null ? null : read(chosenKnown)];
  }

  async #query(kind: QueryKind, one: PreparedQuestion, rest: Rest): Promise<IndexAnswer> {
    const { to, where, chosen, sort, ranking } = one;
    const begun = this.#elapsedMs();
    const answer = await to.index.query({
      ...{ where, chosen, sort },
      ...(ranking === undefined ? {} : { ranking }),
      ...rest,
    });
    this.#noteQuery(kind, this.#elapsedMs() - begun);
    return answer;
  }

  /**
   * Those of the hits that the viewer may see now. One question for the items, and one for the tree where it has
   * changed.
   */
  async #shown({ viewer, today, standings }: PreparedQuestion, places: readonly Place[]): Promise<readonly Hit[]> {
    if (places.length === 0) return [];
    const outlines = await this.#store.items.outlines(places.map(({ id }) => id));
    const old = outlines.filter((hit) => standingOf(hit) === "old");
    // For viewers that may not see a newer version an older one is the latest.
    const versions = await publishedVersions(this.#store.items, [...new Set(old.map(({ parent }) => parent.id))]);
    const all = [...outlines, ...[...versions.values()].flat()];
    const named = await this.#lineages([...new Set(all.flatMap(({ item }) => item.content?.indexes ?? []))]);
    const lineageOf = (id: IndexId): readonly IndexOutline[] => named.get(id) ?? [];
    const latest = new Map(
      [...versions].map(([parent, of]) => [parent, latestReadable(of, viewer, today, lineageOf)] as const),
    );
    return outlines.flatMap((hit) => {
      const { item, parent } = hit;
      const isLatest = standingOf(hit) === "latest" || latest.get(parent.id) === item.id;
      const standing = item.state === "published" && isLatest ? "latest" : standingOf(hit);
      if (!standings.has(standing)) return [];
      const facts = factsIn(hit, lineageOf);
      const isSeen = item.state === "draft" ? mayPreview(viewer, facts) : mayReadRecord(viewer, facts, today);
      if (!isSeen) return [];
      return [item.state === "published" ? { parent, item: { ...item, isLatest } } : hit];
    });
  }

  /** What the index has not followed when the question is answered. Only a question that it could touch waits. */
  async #unfollowedBy(viewer: Viewer, question: Question, mayWait: boolean): Promise<UnfollowedChanges> {
    const before = await this.#follower.unfollowed();
    if (before.kind === "nothing" || !mayWait || !(await this.#couldTouch(before, viewer, question))) return before;
    await this.#follower.settled();
    return await this.#follower.unfollowed();
  }

  /**
   * A change of items may make any of them a hit. One of the tree makes others see what is there: what is public but
   * for the tree, so that no question is answered later because of what is hidden from everybody.
   */
  async #couldTouch(unfollowed: UnfollowedChanges, viewer: Viewer, question: Question): Promise<boolean> {
    if (unfollowed.kind !== "some" || unfollowed.parents.length > 0 || unfollowed.indexes.length === 0) return true;
    const touched = touchedBy(unfollowed);
    if (touched === null || looksIntoTree(question.where)) return true;
    const to = this.#follower.answering();
    const today = dayIn(this.#timeZone, this.#clock.now());
    const [where] = await this.#forReaders(to, viewer, today, await accessOn(to, today, question));
    const shared = await to.index.keysOf(FIELDS.visibility, SHARED_PREFIX, KEYS_KNOWN);
    const isPublic: Condition = { kind: "key", field: FIELDS.visibility, anyOf: shared };
    const query = { where: { kind: "and", of: [where, touched, isPublic] }, chosen: null, sort: [] } as const;
    const { total } = await to.index.query({ ...query, after: null, offset: 0, limit: 0, facets: [] });
    return total > 0;
  }

  /**
   * The question over what is certain: documents that no change touches which the index has not followed, and of the
   * others the first by the sort that the viewer may see now, by the database. Total, facets, pages and cursors include
   * nothing else (R34, R2h).
   */
  async #certain(one: PreparedQuestion, unfollowed: UnfollowedChanges, after: Place | null): Promise<PreparedQuestion> {
    const touched = touchedBy(unfollowed);
    if (touched === null) return one;
    const { where, sort, to, ranking } = one;
    const uncertain: IndexQuery = {
      where: { kind: "and", of: [where, touched] },
      chosen: null,
      sort,
      ...(ranking === undefined ? {} : { ranking }),
      after: null,
      offset: 0,
      limit: VERIFIED,
      facets: [],
    };
    const { hits } = await to.index.query(uncertain);
    const further =
      after === null || hits.length < VERIFIED ? [] : (await to.index.query({ ...uncertain, after })).hits;
    const places = new Map([...hits, ...further].map((place) => [place.id, place]));
    const visible = await this.#shown(one, [...places.values()]);
    const anyOf = visible.map(({ item }) => numberKey(item.id));
    const seen: Condition = { kind: "key", field: KEYS.number, anyOf };
    const certain: Condition = { kind: "or", of: [{ kind: "not", of: touched }, seen] };
    return {
      ...one,
      where: { kind: "and", of: [where, certain] },
      ...(ranking === undefined
        ? {}
        : { ranking: { ...ranking, among: { kind: "and", of: [ranking.among, certain] } } }),
    };
  }

  /** Hits from here on, at most `size`, and how many were left out because they were hidden since. */
  async #filled(kind: QueryKind, one: PreparedQuestion, size: number, rest: Rest): Promise<FilledPage> {
    // One more than is shown: so it is known whether another page follows.
    let limit = size === 0 ? 0 : size + 1;
    const answer = await this.#query(kind, one, { ...rest, limit });
    const further = weighed(one, answer.weights ?? null);
    const weights = further.ranking?.weights ?? null;
    const items: Hit[] = [];
    let { hits } = answer;
    let hidden = 0;
    let last: Place | null = null;
    for (let round = 0; ; round += 1) {
      const visible = new Map((await this.#shown(one, hits)).map((hit) => [hit.item.id, hit]));
      const left = [...hits];
      while (items.length < size && left.length > 0) {
        last = left.shift() ?? last;
        const hit = visible.get(last?.id ?? 0);
        if (hit === undefined) hidden += 1;
        else items.push(hit);
      }
      const isMore = left.some(({ id }) => visible.has(id)) || hits.length === limit;
      if (items.length === size || !isMore || last === null || round === REFILLS) {
        return { answer, items, hidden, next: isMore && last !== null ? { place: last, weights } : null };
      }
      limit = Math.min(limit * 2, WINDOW);
      ({ hits } = await this.#query(kind, further, { after: last, offset: 0, limit, facets: [] }));
    }
  }
}

/** How open items are is decided on this day. */
async function accessOn<Q extends Pick<Question, "where" | "chosen">>(
  { index }: ActiveIndex,
  today: Day,
  question: Q,
): Promise<Q> {
  const { where, chosen } = question;
  if (!asksForAccess(where) && !asksForAccess(chosen)) return question;
  const known = await index.keysOf(RECORD_FACETS.access, "", KEYS_KNOWN);
  const decided = (condition: Condition): Condition => withAccessOn(condition, known, today);
  return { ...question, where: decided(where), chosen: chosen === null ? null : decided(chosen) };
}

/** `newer`: the viewer may see a version that was published after it; null: always. */
function standingIn(standings: readonly Key[], newer: Condition | null): Condition {
  const within: Condition = { kind: "key", field: FIELDS.standing, anyOf: standings };
  if (newer === null || !standings.includes("latest") || standings.includes("old")) return within;
  const before: Condition = { kind: "key", field: FIELDS.standing, anyOf: [VISIBLE_BEFORE] };
  const latest: Condition = { kind: "and", of: [before, { kind: "not", of: newer }] };
  return { kind: "or", of: [within, latest] };
}

type Rest = Pick<IndexQuery, "after" | "offset" | "limit" | "facets">;
type FilledPage = {
  readonly answer: IndexAnswer;
  readonly items: readonly Hit[];
  readonly hidden: number;
  readonly next: CursorPlace | null;
};

const BY_SCORE = { field: SCORE, descending: true } as const;

/** With the weights that words had in an earlier answer. */
function weighed(one: PreparedQuestion, weights: readonly number[] | null): PreparedQuestion {
  const { ranking } = one;
  return ranking === undefined || weights === null ? one : { ...one, ranking: { ...ranking, weights } };
}

function cursorOf(cursor: string, { fingerprint, sort, ranking, to: { schema } }: PreparedQuestion): CursorPlace {
  return readCursor(cursor, fingerprint, { sorts: sort, schema, words: ranking?.words.length ?? 0 });
}

function standingOf({ item, parent }: Hit): string {
  if (item.state !== "published") return item.state;
  return parent.latest === item.id ? "latest" : "old";
}

export function checkWindow(page: ItemQuery["page"]): void {
  const { size } = page;
  const isWhole = Number.isSafeInteger(size) && size >= 0;
  if (!isWhole || size > WINDOW) throw new Refusal("invalid", `Cannot show ${size} hits at once: ${WINDOW} at most`);
  if ("cursor" in page || "offset" in page) return;
  const { number } = page;
  if (!Number.isSafeInteger(number) || number < 1)
    throw new Refusal("invalid", `Cannot show page ${number}: pages count from 1`);
  if (number * size > WINDOW) {
    throw new Refusal(
      "invalid",
      `Cannot show page ${number} of ${size} hits: pages reach to hit ${WINDOW}, a cursor leads further`,
    );
  }
}

/** What the settings of another index know, this one does not: nothing is found by it. */
function inSchema(condition: Condition, schema: IndexSchema): Condition {
  switch (condition.kind) {
    case "and":
    case "or":
      return { kind: condition.kind, of: condition.of.map((each) => inSchema(each, schema)) };
    case "not":
      return { kind: "not", of: inSchema(condition.of, schema) };
    case "token":
    case "prefix":
      return schema.texts.includes(condition.field) ? condition : NOTHING;
    case "key":
      return schema.keys.includes(condition.field) ? condition : NOTHING;
    case "range":
      return schema.numbers.includes(condition.field) ? condition : NOTHING;
  }
}

const NOTHING: Condition = { kind: "or", of: [] };
const EVERYTHING: Condition = { kind: "and", of: [] };

/** A cursor continues the question that it came from. */
const FINGERPRINT_DIGITS = 12;
function fingerprintOf({ where, chosen, sort, standing = "latest", ranking = [] }: Question): Key {
  const parts = [where, chosen, sort, standing, ...(ranking.length === 0 ? [] : [ranking])];
  return keyOf(JSON.stringify(parts)).slice(0, FINGERPRINT_DIGITS);
}

/** An index that is not available is a refusal; one that replaced another meanwhile is searched once more. */
async function unlessAway<T>(follower: Pick<Follower, "doubt">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    follower.doubt();
  }
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    throw new Refusal("unavailable", "Searching is not possible at this moment", {
      headers: { "Retry-After": "5" },
      cause: error,
    });
  }
}

/** The first caller waits for the index to be opened. */
async function opened(follower: Pick<Follower, "answering" | "settled">): Promise<ActiveIndex> {
  try {
    return follower.answering();
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    await follower.settled();
    return follower.answering();
  }
}

type LineageReader = (ids: readonly IndexId[]) => Promise<ReadonlyMap<IndexId, readonly IndexOutline[]>>;

/** Indexes and what is above them, read again where the tree has changed. */
function lineageReading({ indexes }: Pick<RepositoryReader, "indexes">): LineageReader {
  let known: { readonly revision: number; readonly lineages: Map<number, readonly IndexOutline[]> } | null = null;
  return async (ids) => {
    if (ids.length === 0) return new Map();
    const revision = await indexes.treeRevision();
    if (known?.revision !== revision || known.lineages.size > LINEAGES_KEPT) known = { revision, lineages: new Map() };
    const { lineages } = known;
    const unknown = ids.filter((id) => !lineages.has(id));
    if (unknown.length > 0) {
      const found = await indexes.lineages(unknown);
      // Read after the revision: at least as new as that.
      for (const id of unknown) lineages.set(id, found.get(id) ?? []);
    }
    return lineages;
  };
}
