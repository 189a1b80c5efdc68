// The search index follows the repository (R34): it is built from the database where it is not there, is another's or lost its place in the feed of
// changes, and follows that feed otherwise. What is applied is always read anew, so that applying twice is applying once: a kill at any point
// loses nothing, for the place in the feed is written with what came before it.

import type { Clock } from "../../shared/clock.ts";
import { type Day, dayIn } from "../../shared/day.ts";
import { inTime } from "../../shared/deadline.ts";
import { errorMessage } from "../../shared/error-message.ts";
import { turn } from "../../shared/event-loop-turn.ts";
import type { FeedPosition } from "../../shared/feed.ts";
import type { Log } from "../../shared/log.ts";
import type { ChangeReader, ItemChange } from "../store/changes.ts";
import { FIELDS, type IndexSchema } from "./document.ts";
import { type DocumentReader, type DocumentReading, type DocumentSlice, documentReading } from "./document-reading.ts";
import { READER_PREFIX } from "./file-classes.ts";
import { type Condition, IndexUnavailable, type OpenIndex, type SearchIndex } from "./index-port.ts";
import { searchSchema } from "./search-schema.ts";
import { type SearchSettings, searchSettingsFrom } from "./settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "./shipped-settings.ts";
import type { Unfollowed } from "./unfollowed.ts";
import { SHARED_PREFIX, withReachedDay } from "./visibility-keys.ts";

export type FollowerNeeds = {
  readonly store: DocumentReader & { readonly changes: ChangeReader };
  readonly open: OpenIndex;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly log: Log;
  /** How long a question waits for what was committed before it, where it waits at all. */
  readonly waitMs: number;
  /** An index that processes share is written by one of them at a time; null: this process has its own. */
  readonly lease?: Lease | null;
  readonly pollMs?: number;
  /** A clock that only moves forward. */
  readonly elapsedMs?: () => number;
};

export interface Lease {
  /** Whether this process writes, for a while from now on. */
  held(): Promise<boolean>;
  release(): Promise<void>;
}

/** An index, and what its documents are made by. */
export type Answering = {
  readonly index: SearchIndex;
  readonly schema: IndexSchema;
  readonly settings: SearchSettings;
};

export type FollowerFigures = {
  readonly state: "starting" | "building" | "following";
  /** Documents put into an index that is being built. */
  readonly built: number;
  /** Since when something is not applied that was committed; 0: nothing waits. */
  readonly lagMs: number;
  /** Indexes of which the items are still to be made anew. */
  readonly queue: number;
  /** Why the index cannot be followed or built now; null: it can. */
  readonly trouble: string | null;
};

export interface Follower {
  /** Opens the index and begins to follow; the first build goes on beside. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** What answers now. Throws `IndexUnavailable` before the first is built. */
  answering(): Answering;
  /** What was committed before this call and is not in the index. */
  unfollowed(): Promise<Unfollowed>;
  /**
   * Waits, for a limited time, until what was committed before this call is in the index. After one call waited in vain no other waits for the same,
   * nor for anything while the index follows a large change.
   */
  settled(): Promise<void>;
  /** Builds the index again while the old one answers. Rejects where it was not built; it is tried again all the same. */
  rebuild(progress?: (built: number) => void): Promise<void>;
  /** The index was found damaged or away: it is looked at at once. */
  doubt(): void;
  figures(): FollowerFigures;
}

const POLL_MS = 250;
/** How often whoever waits for a shared index looks how far it is. */
const SHARED_LOOK_MS = 50;
/** Changes of the feed that are read at once, parents that are made anew at once, and read for a build. */
const CHANGES = 1_000;
/** Changes that are known one by one while the index has not followed them; where there are more, any document may be wrong. */
const UNFOLLOWED = 5_000;
const PARENTS = 100;
const BUILT_PARENTS = 500;
/** Fields whose keys name days, and how those keys begin. */
const WITH_DAYS = [
  [FIELDS.visibility, SHARED_PREFIX],
  [FIELDS.fileClasses, READER_PREFIX],
] as const;
const KEYS = 50_000;
const KEYS_AT_ONCE = 200;
/** After a build that failed. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** Errors that are known to be in the log until it works again. */
const REPORTED_MAX = 20;

const NOTHING: Unfollowed = { kind: "nothing" };

/** The items of an index and of all below it, of which some are done. */
type Subtree = { readonly root: number; indexes: number[] | null; after: number };

/** `isHere`: an index that another process built is not what is asked for. */
type BuildOptions = { readonly progress?: (built: number) => void; readonly isHere?: boolean };

type Current = {
  readonly index: SearchIndex;
  readonly schema: IndexSchema;
  /** Names and labels in them may change without another index. */
  settings: SearchSettings;
  readonly reading: DocumentReading;
  /** The feed as far as it was read, which the index is told where no subtree waits; null: it has to be built. */
  read: FeedPosition | null;
  readonly subtrees: Subtree[];
  /** The day up to which no document names a day that is reached. */
  tidied: Day | null;
};

export function following(needs: FollowerNeeds): Follower {
  const { store, open, clock, timeZone, log, waitMs, lease = null, pollMs = POLL_MS } = needs;
  const elapsedMs = needs.elapsedMs ?? (() => performance.now());
  const today = (): Day => dayIn(timeZone, clock.now());
  let current: Current | null = null;
  /** What every commit before it is applied of. */
  let applied: string | null = null;
  let behindSince: number | null = null;
  let building: Promise<void> | null = null;
  /** Something asks for a build that none which began later has finished. */
  let isBuildDue = false;
  let built = 0;
  let retryAt = 0;
  let retryMs = FIRST_RETRY_MS;
  let lastRequest = "";
  /** The last build failed. */
  let isUnbuilt = false;
  let trouble: string | null = null;
  const reported = new Set<string>();
  let stopped = false;
  let timesCaughtUp = 0;
  /** A question has waited for this in vain; `isLarge`: and the others need not try. */
  let vain: { readonly head: string; readonly isLarge: boolean } | null = null;
  /** Parents whose documents are being replaced. */
  let replacing = 0;
  let lastRead: { readonly of: string; readonly unfollowed: Promise<Unfollowed> } | null = null;
  /** This process wrote the shared index last, as far as it knows. */
  let wrote = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Passes stand in line, and so does putting a new index in the place of the old one. */
  let line: Promise<unknown> = Promise.resolve();
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function inLine<T>(work: () => Promise<T>): Promise<T> {
    const done = line.then(work);
    line = done.catch(() => {});
    return done;
  }

  /** A pass that begins after this call: one that runs already may have looked too early. */
  function pass(): Promise<void> {
    if (running === null) {
      running = inLine(onePass).finally(() => {
        running = null;
      });
      return running;
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        return pass();
      });
    return next;
  }

  async function onePass(): Promise<void> {
    if (current === null || current.read === null || stopped) return;
    const head = await store.changes.head();
    if (head === applied && current.subtrees.length === 0 && current.tidied === today()) return;
    if (head !== applied) behindSince ??= elapsedMs();
    if (!(await isWriter(current))) {
      current.tidied = today();
      if (await isSharedIndexAt(current)) caughtUp(head);
      return;
    }
    while (await readOn(current)) await turn();
    if (current.read !== null && current.subtrees.length === 0) caughtUp(head);
  }

  /** Where somebody else wrote before, what he wrote is where to go on from. */
  async function isWriter(to: Current): Promise<boolean> {
    if (lease === null) return true;
    const isHeld = await lease.held();
    if (isHeld && !wrote) {
      to.read = await to.index.position();
      if (building === null && (await to.index.removeLeftovers?.()) === true) isBuildDue = true;
    }
    wrote = isHeld;
    return wrote;
  }

  function caughtUp(head: string): void {
    applied = head;
    timesCaughtUp += 1;
    behindSince = null;
    vain = null;
  }

  /** A page of the feed, or else some of a subtree; false where nothing is left to do. */
  async function readOn(to: Current): Promise<boolean> {
    if (to.read === null || stopped) return false;
    const page = await store.changes.changes(to.read, CHANGES);
    const request = page.changes.findLast(({ subject }) => subject === "rebuild");
    // A row may be seen twice.
    if (request !== undefined && request.id !== lastRequest) {
      lastRequest = request.id;
      isBuildDue = true;
    }
    if (page.lost !== undefined || page.position.epoch !== to.read.epoch) {
      log.warn("search_index_lost", { reason: page.lost ?? "another history of the database" });
      to.read = null;
      return false;
    }
    if (page.changes.length > 0) await applyPage(to, page.changes, page.position);
    else to.read = page.position;
    if (page.changes.some(({ subject }) => subject === "settings")) await lookAtSettings();
    if (isBuildDue) beginBuilding();
    if (page.more === true) return true;
    return (await doSome(to)) || (await doReached(to));
  }

  async function applyPage(to: Current, changes: readonly ItemChange[], position: FeedPosition): Promise<void> {
    const parents = [
      ...new Set(changes.filter(({ subject }) => subject === "parent").map(({ target }) => Number(target))),
    ];
    for (const { subject, target } of changes) {
      const root = Number(target);
      // One that was begun may have passed what is meant now.
      const waits = to.subtrees.some((each) => each.root === root && each.indexes === null);
      if (subject === "index" && !waits) to.subtrees.push({ root, indexes: null, after: -1 });
    }
    await replace(to, parents, to.subtrees.length === 0 ? position : null);
    to.read = position;
  }

  /** What is read after the changes were read is at least as new as they are. `position`: up to which the index is right then; null: as before. */
  async function replace(to: Current, parents: readonly number[], position: FeedPosition | null): Promise<void> {
    replacing = parents.length;
    // An index of this process keeps its place before a request for a build until it is built: a process that is killed reads the request again.
    const isKept = lease === null && (isBuildDue || building !== null);
    const told = isKept ? null : position;
    let last: DocumentSlice | null = null;
    for (let from = 0; from < parents.length; from += PARENTS) {
      for await (const slice of to.reading.slices(parents.slice(from, from + PARENTS))) {
        if (last !== null) await to.index.apply({ ...last, position: null });
        last = slice;
      }
    }
    if (last !== null || told !== null)
      await to.index.apply({ ...(last ?? { parents: [], documents: [] }), position: told });
    replacing = 0;
  }

  /** The next items of the subtree that waits longest; true where something is left. */
  async function doSome(to: Current): Promise<boolean> {
    const [subtree] = to.subtrees;
    if (subtree === undefined || to.read === null) return false;
    // The index itself even where it is deleted: what still lies in it is seen by others now.
    subtree.indexes ??= [
      ...new Set([subtree.root, ...(await store.indexes.outlineFrom(subtree.root)).map(({ id }) => id)]),
    ];
    const [index] = subtree.indexes;
    const placed = index === undefined ? [] : await store.items.placedIn(index, subtree.after, PARENTS);
    const last = placed.at(-1);
    const isLast = last === undefined || placed.length < PARENTS;
    const isDone = isLast && subtree.indexes.length <= 1;
    const parents = [...new Set(placed.map(({ parent }) => parent))];
    await replace(to, parents, isDone && to.subtrees.length === 1 ? to.read : null);
    // Only now: until then its documents are not what they should be.
    if (isLast) subtree.indexes.shift();
    subtree.after = isLast ? -1 : last.item;
    if (isDone) to.subtrees.shift();
    return to.subtrees.length > 0;
  }

  /**
   * Documents that name a day which has come since they were made are found as they should be, and made anew all the same, some at a time: so that
   * the keys an index has stay few however long it follows. True where some may be left.
   */
  async function doReached(to: Current): Promise<boolean> {
    const day = today();
    if (to.tidied === day || to.read === null) return false;
    for (const [field, prefix] of WITH_DAYS) {
      const reached = withReachedDay(await to.index.keysOf(field, prefix, KEYS), day).slice(0, KEYS_AT_ONCE);
      if (reached.length === 0) continue;
      const where: Condition = { kind: "key", field, anyOf: reached };
      const asked = { where, chosen: null, sort: [], after: null, offset: 0, limit: PARENTS, facets: [] };
      const ids = (await to.index.query(asked)).hits.map(({ id }) => id);
      const parents = (await store.items.outlines(ids)).map(({ parent }) => parent.id);
      await replace(to, [...new Set(parents)], to.subtrees.length === 0 ? to.read : null);
      // What the database does not know is a change that is still to come.
      if (parents.length > 0) return true;
    }
    to.tidied = day;
    return false;
  }

  async function isSharedIndexAt({ index }: Current): Promise<boolean> {
    const position = await index.position();
    if (position === null) return false;
    const page = await store.changes.changes(position, 1);
    return page.lost === undefined && page.position.epoch === position.epoch && page.changes.length === 0;
  }

  // --- building

  async function settingsNow(): Promise<SearchSettings> {
    return searchSettingsFrom(await store.settings.searchSettings(), SHIPPED_SEARCH_SETTINGS);
  }

  async function opened(settings: SearchSettings): Promise<Current> {
    const schema = searchSchema(settings);
    const index = await open(schema);
    return {
      index,
      schema,
      settings,
      reading: documentReading(store, settings, today),
      read: null,
      subtrees: [],
      tidied: null,
    };
  }

  /** Facets and fields may be named otherwise, at once; where documents come to be others they are made anew first. */
  async function lookAtSettings(): Promise<void> {
    if (current === null) return;
    const settings = await settingsNow();
    const schema = searchSchema(settings);
    if (schema.version === current.schema.version) current.settings = settings;
    else isBuildDue = true;
  }

  function beginBuilding(given: BuildOptions = {}): void {
    if (building !== null || stopped || elapsedMs() < retryAt) return;
    isBuildDue = false;
    building = build(given)
      .then(() => {
        retryMs = FIRST_RETRY_MS;
        isUnbuilt = false;
      })
      .catch((error: unknown) => {
        isBuildDue = true;
        isUnbuilt = true;
        retryAt = elapsedMs() + retryMs;
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
        report("error", "search_index_not_built", error);
        throw error;
      })
      .finally(() => {
        building = null;
      });
    // Whoever waits for the build receives the error as well.
    building.catch(() => {});
  }

  async function build({ progress = () => {}, isHere = false }: BuildOptions): Promise<void> {
    const before = current;
    const settings = await settingsNow();
    const isSame = before !== null && searchSchema(settings).version === before.schema.version;
    const made = isSame ? before : await opened(settings);
    try {
      if (lease === null || (await lease.held())) await fill(made, progress);
      else if (isHere) throw new IndexUnavailable("Another process writes the search index");
      else await takeOver(made);
    } catch (error) {
      if (!isSame) await made.index.close();
      throw error;
    }
    if (!isSame) await before?.index.close();
    void pass().catch(told);
  }

  /** Another process builds what both answer from. */
  async function takeOver(made: Current): Promise<void> {
    const position = await made.index.position();
    if (position === null) throw new IndexUnavailable("Another process builds the search index");
    await inLine(async () => {
      current = { ...made, read: position, subtrees: [] };
      applied = null;
    });
  }

  async function fill(made: Current, progress: (built: number) => void): Promise<void> {
    const position = await store.changes.position();
    const aside = await made.index.build();
    built = 0;
    try {
      const read = made.reading.inOnePass();
      for (let after = -1; ; ) {
        if (stopped) throw new IndexUnavailable("Cannot build the search index: the process ends");
        const parents = await store.items.parentsAfter(after, BUILT_PARENTS);
        const last = parents.at(-1);
        if (last === undefined) break;
        for await (const { documents } of read(parents)) {
          await aside.add(documents);
          built += documents.length;
          progress(built);
          if (lease !== null && !(await lease.held()))
            throw new IndexUnavailable("Another process builds the search index");
        }
        after = last;
      }
      await inLine(async () => {
        await aside.finish(position);
        current = { ...made, read: position, subtrees: [] };
        applied = null;
        wrote = true;
      });
      log.info("search_index_built", { documents: built });
    } catch (error) {
      // What cannot be removed now is removed before the next build.
      await aside.abandon().catch(told);
      throw error;
    }
  }

  /** `roots`: of what waits although the feed was read past it. */
  async function unfollowedFrom(position: FeedPosition, roots: readonly number[]): Promise<Unfollowed> {
    const [parents, indexes] = [new Set<number>(), new Set(roots)];
    for (let [after, read] = [position, 0]; ; ) {
      const page = await store.changes.changes(after, UNFOLLOWED - read);
      if (page.lost !== undefined || page.position.epoch !== position.epoch) return { kind: "everything" };
      for (const { subject, target } of page.changes) {
        if (subject === "parent") parents.add(Number(target));
        else if (subject === "index") indexes.add(Number(target));
      }
      read += page.changes.length;
      if (page.more !== true) return { kind: "some", parents: [...parents], indexes: [...indexes] };
      if (read >= UNFOLLOWED) return { kind: "everything" };
      after = page.position;
    }
  }

  // --- the loop

  /** Once for each state: polling meets the same error four times a second. */
  function report(level: "warn" | "error", event: string, error: unknown): void {
    trouble = errorMessage(error);
    const state = `${event} ${trouble.replace(/\d+/g, "#")}`;
    if (reported.has(state)) return;
    if (reported.size >= REPORTED_MAX) reported.clear();
    reported.add(state);
    log[level](event, { error: trouble });
  }

  function reportRecovery(): void {
    if (trouble === null || isUnbuilt) return;
    trouble = null;
    reported.clear();
    log.info("search_index_follows");
  }

  const told = (error: unknown): void => report("warn", "search_index_behind", error);

  async function look(): Promise<void> {
    if (current === null) {
      const made = await opened(await settingsNow());
      try {
        made.read = await made.index.position();
      } catch (error) {
        // One that is away may hold everything: it is asked again, and not made anew.
        await made.index.close();
        throw error;
      }
      current = made;
    }
    await pass();
    // Found damaged, lost, or another one's: a new one is made aside.
    const isMissing = current.read === null || (await current.index.position()) === null;
    if (isMissing) current.read = null;
    if (isMissing || isBuildDue) beginBuilding();
    reportRecovery();
  }

  async function tick(): Promise<void> {
    try {
      await look();
    } catch (error) {
      told(error);
    }
    if (!stopped) timer = setTimeout(() => void tick(), pollMs);
  }

  return {
    async start() {
      stopped = false;
      await tick();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await building?.catch(() => {});
      await line;
      await lease?.release();
      await current?.index.close();
      current = null;
    },
    answering() {
      if (current === null) throw new IndexUnavailable("The search index is not open");
      return current;
    },
    async unfollowed() {
      const from = current;
      if (from === null) return NOTHING;
      const head = await store.changes.head();
      if (head === applied && from.subtrees.length === 0) return NOTHING;
      const roots = from.subtrees.map(({ root }) => root);
      const { read } = from;
      const position = read !== null && (lease === null || wrote) ? read : await from.index.position();
      if (position === null) return { kind: "everything" };
      // Many questions are asked while the index follows one change.
      const of = JSON.stringify([head, position, roots]);
      if (lastRead?.of !== of) {
        const unfollowed = unfollowedFrom(position, roots);
        lastRead = { of, unfollowed };
        unfollowed.catch(() => {
          lastRead = null;
        });
      }
      return await lastRead.unfollowed;
    },
    async settled() {
      const known = current;
      if (known === null) return;
      const head = await store.changes.head();
      if (head === applied && known.subtrees.length === 0) return;
      if (vain !== null && (vain.isLarge || vain.head === head)) return;
      const before = timesCaughtUp;
      let isLate = false;
      const wait = async (): Promise<void> => {
        if (building !== null && known.read === null) await building.catch(() => {});
        await pass();
        // Where another process writes, it is he who has to come to it.
        while (lease !== null && !wrote && timesCaughtUp === before && !isLate && !stopped) {
          await new Promise((resolve) => void setTimeout(resolve, SHARED_LOOK_MS));
          await pass();
        }
      };
      await inTime(wait().catch(told), waitMs, () => {
        isLate = true;
        vain = { head, isLarge: known.subtrees.length > 0 || replacing >= PARENTS };
      });
    },
    async rebuild(progress) {
      await building?.catch(() => {});
      retryAt = 0;
      beginBuilding({ ...(progress === undefined ? {} : { progress }), isHere: true });
      await building;
    },
    doubt: () => void look().catch(told),
    figures: () => ({
      state: building !== null ? "building" : (current?.read ?? null) === null ? "starting" : "following",
      built,
      lagMs: behindSince === null ? 0 : elapsedMs() - behindSince,
      queue: current?.subtrees.length ?? 0,
      trouble,
    }),
  };
}
