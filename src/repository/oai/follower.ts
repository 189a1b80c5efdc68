// The follower of the repository for harvesters (R36): what was changed is marked, page by page, with the position in
// the feed after it; what is marked is dated. Every process may do a step of it: the process that dates locks the row
// of the state, so that the work is done once, and a kill at any point leaves what was not done marked.

import type { FeedPosition } from "../../shared/feed.ts";
import { randomText } from "../../shared/hash/digests.ts";
import type { IndexId, ParentId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { Random } from "../../shared/time/clock.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { ItemChange } from "../store/changes.ts";
import type { HarvestState, Second } from "../store/harvest.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { type DatingNeeds, renew } from "./dating.ts";
import { secondOf } from "./seconds.ts";

export type FollowerNeeds = DatingNeeds & { readonly random: Random; readonly log: Pick<Log, "info"> };

/** Changes read at once, parents marked at once, and parents dated in one transaction. */
const CHANGES_AT_ONCE = 1_000;
const MARKED_AT_ONCE = 2_000;
const DATED_AT_ONCE = 200;
const SECRET_BYTES = 32;

export interface Follower {
  /** A step of the work; false when there was nothing to do. Steps of one process run one after the other. */
  step(): Promise<boolean>;
  /** Steps until there is nothing left to do, or for about so long. */
  catchUp(milliseconds: number): Promise<void>;
  /**
   * Marks everything, so that every record is held against what guests see. Records keep their dates where nothing
   * differs.
   */
  rebuild(): Promise<void>;
  /**
   * Checks these parents at once; `again`: a harvester received, or is about to receive, something other than the
   * records.
   */
  look(parentIds: readonly ParentId[], again: boolean): Promise<void>;
  /** The row of the state, made where there is none. */
  state(): Promise<HarvestState>;
  /** Closes a second: no record will be dated in it, or before it. Returns that second. */
  close(): Promise<Second>;
}

type Batch = { readonly ids: readonly ParentId[]; readonly content: boolean };

export class HarvestFollower implements Follower {
  readonly #needs: FollowerNeeds;
  readonly #store: FollowerNeeds["store"];
  readonly #clock: FollowerNeeds["clock"];
  readonly #random: FollowerNeeds["random"];
  readonly #log: FollowerNeeds["log"];
  readonly #dayOf: FollowerNeeds["dayOf"];
  readonly #harvest: FollowerNeeds["store"]["harvest"];
  readonly #changes: FollowerNeeds["store"]["changes"];
  #working: Promise<unknown> = Promise.resolve();
  /** The feed as it was when there was nothing left to do. */
  #quietHead: string | null = null;

  constructor(needs: FollowerNeeds) {
    this.#needs = needs;
    this.#store = needs.store;
    this.#clock = needs.clock;
    this.#random = needs.random;
    this.#log = needs.log;
    this.#dayOf = needs.dayOf;
    this.#harvest = this.#store.harvest;
    this.#changes = this.#store.changes;
  }

  step(): Promise<boolean> {
    return this.#inTurn(() => this.#work());
  }

  async catchUp(milliseconds: number): Promise<void> {
    const from = performance.now();
    while ((await this.step()) && performance.now() - from < milliseconds) await yieldToEventLoop();
  }

  rebuild(): Promise<void> {
    return this.#inTurn(async () => {
      await this.state();
      await this.#mark(this.#everything(), false, async () => {});
    });
  }

  async look(parentIds: readonly ParentId[], again: boolean): Promise<void> {
    await this.#store.transact((tx) => tx.harvest.mark(parentIds, { content: false, again }));
    await renew(
      this.#needs,
      parentIds.map((parentId) => ({ parentId, content: false, again })),
    );
  }

  async state(): Promise<HarvestState> {
    const known = await this.#harvest.state();
    if (known !== null) return known;
    const first = { closed: secondOf(this.#clock.now()), secret: randomText(this.#random.bytes(SECRET_BYTES)) };
    await this.#store.transact((tx) => tx.harvest.begin(first));
    const made = await this.#harvest.state();
    if (made === null) throw new RangeError("The list of harvested records could not be begun");
    return made;
  }

  async close(): Promise<Second> {
    const { closed } = await this.state();
    const second = secondOf(this.#clock.now());
    if (second <= closed) return closed;
    await this.#store.transact((tx) => tx.harvest.close(second));
    return second;
  }

  /** Marks batch by batch; the last one together with what is true when all are marked. */
  async #mark(batches: AsyncIterable<Batch>, again: boolean, end: (tx: RepositoryWriter) => Promise<void>) {
    let last: Batch | null = null;
    for await (const batch of batches) {
      const before = last;
      last = batch;
      if (before === null) continue;
      await this.#store.transact((tx) => tx.harvest.mark(before.ids, { content: before.content, again }));
      await yieldToEventLoop();
    }
    await this.#store.transact(async (tx) => {
      if (last !== null) await tx.harvest.mark(last.ids, { content: last.content, again });
      await end(tx);
    });
  }

  async *#pages(
    next: (after: number) => Promise<{ ids: readonly ParentId[]; last: number | null }>,
    content: boolean,
  ): AsyncGenerator<Batch> {
    for (let after = 0; ; ) {
      const { ids, last } = await next(after);
      if (ids.length > 0) yield { ids, content };
      if (last === null) return;
      after = last;
    }
  }

  #everything(): AsyncGenerator<Batch> {
    return this.#pages(async (after) => {
      const ids = await this.#harvest.parentsAfter(after, MARKED_AT_ONCE);
      return { ids, last: ids.length < MARKED_AT_ONCE ? null : (ids.at(-1) ?? null) };
    }, true);
  }

  async *#below(roots: readonly IndexId[]): AsyncGenerator<Batch> {
    const seen = new Set<number>();
    for (const root of roots) {
      if (seen.has(root)) continue;
      for (const index of await this.#harvest.indexesBelow(root)) {
        if (seen.has(index)) continue;
        seen.add(index);
        yield* this.#pages((after) => this.#harvest.parentsFiledIn(index, after, MARKED_AT_ONCE), false);
      }
    }
  }

  async *#touchedBy(page: readonly ItemChange[]): AsyncGenerator<Batch> {
    const of = (subject: ItemChange["subject"]): readonly number[] => [
      ...new Set(page.filter((change) => change.subject === subject).map(({ target }) => Number(target))),
    ];
    const parents = of("parent");
    if (parents.length > 0) yield { ids: parents, content: true };
    yield* this.#below(of("index"));
  }

  /**
   * Everything is checked. In a database that was restored every record gets a new date: harvesters may have seen what
   * does not exist any more.
   */
  async #beginAgain(before: HarvestState, why: string): Promise<void> {
    const [position, today] = [await this.#changes.position(), this.#dayOf(this.#clock.now())];
    const isRestored = before.position !== null && historyOf(before.position) !== historyOf(position);
    this.#log.info("oai_rebuilt", { why, redated: isRestored });
    await this.#mark(this.#everything(), isRestored, async (tx) => {
      await tx.harvest.lock();
      await tx.harvest.moveTo(position);
      await tx.harvest.setDay(today);
    });
  }

  /** True when something was taken in. */
  async #takeIn(before: HarvestState): Promise<boolean> {
    const { position } = before;
    if (position === null) {
      await this.#beginAgain(before, "It is the first time");
      return true;
    }
    const page = await this.#changes.changes(position, CHANGES_AT_ONCE);
    if (page.behind !== undefined) return false;
    if (page.position.epoch !== position.epoch) {
      await this.#beginAgain(before, page.lost ?? "The history of the database is another one");
      return true;
    }
    if (page.changes.length === 0) return false;
    await this.#mark(this.#touchedBy(page.changes), false, async (tx) => {
      // Another process may have gone on from here meanwhile.
      const now = await tx.harvest.lock();
      if (now.position?.horizon === position.horizon) await tx.harvest.moveTo(page.position);
    });
    return page.more === true || page.changes.some(({ subject }) => subject !== "begin");
  }

  /** What a new day opens (R2d). True when there was one. */
  async #takeDay(before: HarvestState): Promise<boolean> {
    const today = this.#dayOf(this.#clock.now());
    if (before.day === today) return false;
    const [since, until] = before.day < today ? [before.day, today] : [today, before.day];
    await this.#mark(this.#opened(since, until), false, async (tx) => {
      await tx.harvest.lock();
      await tx.harvest.setDay(today);
    });
    return true;
  }

  async *#opened(since: string, until: string): AsyncGenerator<Batch> {
    yield* this.#pages((after) => this.#harvest.parentsOpened(since, until, after, MARKED_AT_ONCE), false);
    yield* this.#below(await this.#harvest.indexesOpened(since, until));
  }

  async #work(): Promise<boolean> {
    const head = await this.#changes.head();
    const before = await this.state();
    const isQuiet = this.#quietHead === head && before.day === this.#dayOf(this.#clock.now());
    const took = !isQuiet && ((await this.#takeIn(before)) || (await this.#takeDay(before)));
    const due = await this.#harvest.due(DATED_AT_ONCE);
    await renew(this.#needs, due);
    if (took || due.length > 0) return true;
    this.#quietHead = head;
    if (before.ready) return false;
    await this.#store.transact(async (tx) => {
      await tx.harvest.lock();
      if ((await tx.harvest.due(1)).length === 0) await tx.harvest.setReady(true);
    });
    this.#log.info("oai_ready", { ...(await this.#harvest.counts()) });
    return true;
  }

  /** Tasks run one after the other. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#working.then(task, task);
    this.#working = done.catch(() => {});
    return done;
  }
}

/** Of an epoch what names the history, without the server it is on. */
const historyOf = ({ epoch }: FeedPosition): string => epoch.split(".")[0] ?? "";
