// Dating records (R36): the guests' view of some parents is compared with their record, and where it differs the record
// receives the present date. All of it is read once, in the transaction that decides; content that is too long to be
// read there together with the others is left to the next one.

import { sizeSlices } from "../../model/files/size-slices.ts";
import type { Item, ItemContent } from "../../model/items/item.ts";
import { publicMetadata } from "../../model/metadata/public-metadata.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import type { ParentId } from "../../shared/ids.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { Due, HarvestedParent, HarvestRecord, HarvestState, PublishedVersion, Second } from "../store/harvest.ts";
import type { RepositoryReader, RepositoryStore } from "../store/store.ts";
import { type GuestView, guestView, looksAlike } from "./guest-view.ts";
import { earlierOf, laterBy, laterOf, secondOf } from "./seconds.ts";

export type DatingNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  /** The day of a moment in the repository's time zone. */
  readonly dayOf: (at: Instant) => Day;
};

/** More are dated in the thread that writes, where there is one: those who ask others do not wait for its statements. */
const FEW = 16;
/** Digests are made for so long without a pause. */
const TURN_MS = 1;

/** A digest of a version's content at a revision. */
type Digest = { readonly revision: number; readonly content: string };

/** Files and metadata as guests are shown them: no address of people, nothing that only the repository knows. */
function digestOf({ metadata, files }: Pick<ItemContent, "metadata" | "files">): string {
  const shown = files.map(({ storageKey: _, md5: _md5, groups: _groups, ...file }) => file);
  return sha256Hex(JSON.stringify([publicMetadata(metadata), shown]));
}

/** `before`: what guests would see where they see nothing, had nothing been deleted. */
export type ParentView = {
  readonly parent: HarvestedParent;
  readonly view: GuestView | null;
  readonly before: GuestView | null;
};

/** What guests see of these parents now, in three statements however many they are. */
export async function viewsOf(
  reader: Pick<RepositoryReader, "harvest" | "indexes">,
  parentIds: readonly ParentId[],
  today: Day,
): Promise<ReadonlyMap<number, ParentView>> {
  const parents = await reader.harvest.parents(parentIds);
  const indexes = new Set(parents.flatMap(({ versions }) => versions.flatMap((version) => version.indexes)));
  const lineages = await reader.indexes.lineages([...indexes]);
  return new Map(
    parents.map((parent) => {
      const view = guestView(parent, lineages, today);
      const before = view === null ? guestView(parent, lineages, today, "deleted") : null;
      return [parent.id, { parent, view, before }];
    }),
  );
}

/** The contents of these versions, one after the other; read as far as the caller iterates. */
export async function* contentsOf(
  { items }: Pick<RepositoryReader, "items">,
  versions: readonly PublishedVersion[],
): AsyncGenerator<Item, void, undefined> {
  for (const slice of sizeSlices(versions)) {
    yield* await items.items(slice.map(({ id }) => id));
    await yieldToEventLoop();
  }
}

/** Digests of the versions that have to be compared, as many as may be read together. */
async function readDigests(
  tx: RepositoryReader,
  due: readonly Due[],
  records: ReadonlyMap<ParentId, HarvestRecord>,
  seen: ReadonlyMap<number, ParentView>,
): Promise<Map<number, Digest>> {
  const wanted = due.flatMap(({ parentId, content }) => {
    const view = seen.get(parentId)?.view ?? null;
    return view !== null && (content || !isKnown(records.get(parentId), view)) ? [view.version] : [];
  });
  const digests = new Map<number, Digest>();
  const [slice = []] = sizeSlices(wanted);
  let turnedAt = performance.now();
  for (const { id, revision, metadata, files } of await tx.items.contents(slice.map(({ id }) => id))) {
    if (performance.now() - turnedAt > TURN_MS) {
      await yieldToEventLoop();
      turnedAt = performance.now();
    }
    digests.set(id, { revision, content: digestOf({ metadata, files }) });
  }
  return digests;
}

/** Whether the record was made of this version in this revision. */
function isKnown(record: HarvestRecord | undefined, { version }: GuestView): boolean {
  return record?.state === "shown" && record.itemId === version.id && record.revision === version.revision;
}

/** The result for one record. `later`: its content was not read, or is of another revision; it is checked once more. */
type Verdict = { readonly save: HarvestRecord } | "unchanged" | "later";

function recordOf(
  parent: HarvestedParent,
  { version, accessStatus, sets }: GuestView,
  datestamp: Second,
): HarvestRecord {
  const { id: parentId, number } = parent;
  const { id: itemId, revision, ark } = version;
  return { parentId, number, datestamp, state: "shown", itemId, revision, ark, accessStatus, content: "", sets };
}

function judge(
  { content, again }: Due,
  record: HarvestRecord | undefined,
  seen: ParentView | undefined,
  digests: ReadonlyMap<number, Digest>,
  datestamp: Second,
): Verdict {
  if (seen === undefined) return "unchanged";
  const { view, before } = seen;
  if (view === null) {
    if (record !== undefined) {
      return record.state === "shown" || again ? { save: { ...record, state: "deleted", datestamp } } : "unchanged";
    }
    // Published and deleted before this check: it was visible. An item that never was visible must not have a record.
    return before === null ? "unchanged" : { save: { ...recordOf(seen.parent, before, datestamp), state: "deleted" } };
  }
  const { id, revision } = view.version;
  const wasShown = record?.state === "shown" ? record : undefined;
  const isRead = content || !isKnown(record, view);
  const digest = digests.get(id);
  if (isRead && digest?.revision !== revision) return "later";
  const now: HarvestRecord = {
    ...recordOf(seen.parent, view, datestamp),
    content: (isRead ? digest?.content : wasShown?.content) ?? "",
  };
  if (again || wasShown === undefined || !looksAlike(wasShown, view) || wasShown.content !== now.content)
    return { save: now };
  // A revision in which guests see nothing new.
  return wasShown.revision === revision ? "unchanged" : { save: { ...now, datestamp: wasShown.datestamp } };
}

/** The date of what is written now: behind every second that is closed. */
const dateOf = ({ closed }: Pick<HarvestState, "closed">, now: Instant): Second => {
  return laterOf(laterBy(closed, 1), secondOf(now));
};

/** Nobody has seen the first list: its records are as old as what they show. */
function dateAtFirst(datestamp: Second, view: GuestView | null): Second {
  return view === null ? datestamp : earlierOf(secondOf(view.version.updatedAt), datestamp);
}

/** Checks these parents and removes them from the list of due ones. Returns how many records were dated. */
export async function renew(needs: DatingNeeds, due: readonly Due[]): Promise<number> {
  if (due.length === 0) return 0;
  const { store, clock, dayOf } = needs;
  const size = due.length > FEW ? "large" : undefined;
  return await store.transact(async (tx) => {
    const state = await tx.harvest.lock();
    const taken = await tx.harvest.takeDue(due.map(({ parentId }) => parentId));
    const ids = taken.map(({ parentId }) => parentId);
    const [now, records] = [clock.now(), await tx.harvest.records(ids)];
    const seen = await viewsOf(tx, ids, dayOf(now));
    const digests = await readDigests(tx, taken, records, seen);
    const date = dateOf(state, now);
    const saved: HarvestRecord[] = [];
    const later: Due[] = [];
    for (const each of taken) {
      const { parentId } = each;
      const found = seen.get(parentId);
      const datestamp = state.ready ? date : dateAtFirst(date, found?.view ?? found?.before ?? null);
      const verdict = judge(each, records.get(parentId), found, digests, datestamp);
      if (verdict === "later") later.push(each);
      else if (verdict !== "unchanged") saved.push(verdict.save);
    }
    for (const why of Map.groupBy(later, ({ content, again }) => `${content} ${again}`).values()) {
      const [{ content, again } = { content: true, again: false }] = why;
      await tx.harvest.mark(
        why.map(({ parentId }) => parentId),
        { content, again },
      );
    }
    await tx.harvest.save(saved);
    return saved.length;
  }, size);
}
