// Bulk changes (R47): one change of many items. The check refuses all or nothing; a job then applies the change to each
// item in a separate transaction, with the rights that the account has at that moment. The audit has the request and
// its outcome.
import { type Static, Type } from "@sinclair/typebox";
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import { JOB_STATES, type Job } from "../../jobs/job.ts";
import type { JobContext, JobKinds } from "../../jobs/runner.ts";
import type { Lineage } from "../../model/access/visibility.ts";
import type { Item, ItemOutline, WithParent } from "../../model/items/item.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { MomentShape, manyOf, wordOf } from "../../shared/shapes.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { identityRights, writeAs } from "../people/current-viewer.ts";
import type { AuditEntry } from "../store/audit.ts";
import type { RepositoryStore } from "../store/store.ts";
import { type BulkChange, type BulkRequest, keptChange } from "./bulk-change-input.ts";
import { publishedContent } from "./commit-revision.ts";
import { filedInto, type Placement, placementIn, requireContribution, takenOutOf } from "./index-membership.ts";
import type { Items } from "./items.ts";
import { busyReason, ItemBusy } from "./locking.ts";
import { requireUpdate } from "./publishing.ts";

const BULK_JOB = "bulk_change";
const STARTED = "bulk-change";
const APPLIED = "bulk-change.item";
const ENDED = "bulk-change-end";
const INDEXES_MAX = most("indexes");
/** The scope that the interface asks for, and that the job has. */
const SCOPE = "item:update";
const ID_CHARACTERS = 24;
/** Items between two notes of how far the job is. */
const PROGRESS_EVERY = 25;

/** What a bulk change changes of an item, as answers and the audit have it. */
const PlacementShape = Type.Object({
  indexes: manyOf(Type.Integer()),
  access: Type.Object({ record: Type.String(), files: Type.String() }),
});
type ItemPlacement = Static<typeof PlacementShape>;
const RefusalShape = Type.Object({ status: Type.Integer(), message: Type.String() });
type ShownRefusal = Static<typeof RefusalShape>;
const placement = (description: string) => Type.Union([PlacementShape, Type.Null()], { description });
const ITEM = {
  id: Type.Integer({ description: "Number of the item" }),
  before: placement("Null where the caller may not change the item, and while it waits"),
  after: placement("Null where it is refused, and while it waits"),
  refusal: Type.Union([RefusalShape, Type.Null()]),
};

/** What would become of one item. `after` null: it is refused. `before` null: it is not for the caller to know. */
export const CheckedItemShape = Type.Object(ITEM, { $id: "CheckedItem" });
type CheckedItem = Static<typeof CheckedItemShape>;

const STATES = ["waiting", "changed", "unchanged", "refused"] as const;
const ItemResultShape = Type.Object({ ...ITEM, state: wordOf(STATES) }, { $id: "ItemResult" });
type ItemResult = Static<typeof ItemResultShape>;

const ChangeShape = Type.Unsafe<BulkChange>(
  Type.Object(
    {
      file: Type.Optional(Type.Integer()),
      unfile: Type.Optional(Type.Integer()),
      access: Type.Optional(Type.Object({ record: Type.Optional(Type.String()), files: Type.Optional(Type.String()) })),
    },
    { $id: "BulkChange", description: "The change; a publish status as access" },
  ),
);

export const BulkCheckShape = Type.Object(
  {
    dry_run: Type.Literal(true),
    change: ChangeShape,
    total: Type.Integer(),
    refused: Type.Integer(),
    items: manyOf(CheckedItemShape),
  },
  { $id: "BulkCheck" },
);

export const BulkReportShape = Type.Object(
  {
    id: Type.String(),
    state: wordOf(JOB_STATES),
    created_at: MomentShape,
    change: ChangeShape,
    total: Type.Integer(),
    counts: Type.Object({
      waiting: Type.Integer(),
      changed: Type.Integer(),
      unchanged: Type.Integer(),
      refused: Type.Integer(),
    }),
    items: manyOf(ItemResultShape),
  },
  { $id: "BulkReport" },
);
export type BulkReport = Static<typeof BulkReportShape>;

type BulkNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly items: Pick<Items, "place" | "setAccess" | "today">;
};

export interface BulkChanges {
  /** The outcome for each item, without a change. @throws Refusal `invalid` for an index that does not exist. */
  check(viewer: Viewer, request: BulkRequest): Promise<Static<typeof BulkCheckShape>>;
  /**
   * Enqueues the change. @throws Refusal `conflict` with `detail.items` when one of the items would be refused: then
   * nothing happens.
   */
  start(viewer: Viewer, request: BulkRequest): Promise<BulkReport>;
  /**
   * The request and its results, for the account that started it and for administrators. @throws Refusal `not_found`.
   */
  read(viewer: Viewer, id: string): Promise<BulkReport>;
}

export const bulkChanges = (needs: BulkNeeds): BulkChanges => ({
  async check(viewer, request) {
    const items = await checkAll(needs, viewer, request);
    const refused = items.filter(({ refusal }) => refusal !== null).length;
    return { dry_run: true, change: request.change, total: items.length, refused, items };
  },

  async start(viewer, request) {
    const refused = (await checkAll(needs, viewer, request)).filter(({ refusal }) => refusal !== null);
    if (refused.length > 0) {
      const text = `${refused.length} of ${request.items.length} items cannot be changed: nothing was changed`;
      throw new Refusal("conflict", text, { detail: { items: refused } });
    }
    const id = needs.random.betanumerics(ID_CHARACTERS);
    const detail = { items: request.items, change: request.change };
    await writeAs(needs, viewer, async (tx, now) => {
      const at = needs.clock.now();
      await tx.audit(now, at, [{ action: STARTED, subject: subjectOf(id), detail }]);
      await tx.jobs.enqueue({ kind: BULK_JOB, subject: id }, at);
    });
    return await report(needs, viewer, id);
  },

  read: (viewer, id) => report(needs, viewer, id),
});

async function report({ store }: BulkNeeds, viewer: Viewer, id: string): Promise<BulkReport> {
  const found = await recordOf(store, id);
  const isOwn = found !== null && viewer.account !== null && found.start.accountId === viewer.account.id;
  if (found === null || !(isOwn || isAdministrator(viewer))) {
    throw new Refusal("not_found", `Bulk change ${JSON.stringify(id.slice(0, 100))} does not exist`);
  }
  const [job] = await store.jobs.listJobs({ kind: BULK_JOB, subject: id }, null, 1);
  const items = found.items.map((item) => resultOf(item, found.results.get(item)));
  const counts = { waiting: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { state } of items) counts[state] += 1;
  // Jobs that were done are forgotten after some days.
  const state = job?.state ?? "done";
  const { start, change } = found;
  return { id, state, created_at: start.at, change, total: items.length, counts, items };
}

export function bulkChangeJobs(needs: BulkNeeds): JobKinds {
  return { [BULK_JOB]: { run: (job, context) => applyAll(needs, job, context), maxAttempts: 5, queue: "bulk" } };
}

const subjectOf = (id: string): string => `${STARTED}:${id}`;

function placementOf({ access, indexes }: Placement): ItemPlacement {
  return { indexes, access: { record: access.record, files: access.files } };
}

const isSame = (one: ItemPlacement, other: ItemPlacement): boolean => JSON.stringify(one) === JSON.stringify(other);

/** @throws errors that are not refusals of the item: a database that does not answer, program errors */
function refusalOf(error: unknown): ShownRefusal {
  if (!(error instanceof Refusal) || error.status >= 500) throw error;
  return { status: error.status, message: error.message };
}

type CheckFacts = { readonly change: BulkChange; readonly lineage: Lineage; readonly at: Instant; readonly today: Day };

async function checkAll(needs: BulkNeeds, viewer: Viewer, request: BulkRequest): Promise<readonly CheckedItem[]> {
  const { store, clock, items } = needs;
  const { change } = request;
  const lineage = "file" in change ? await store.indexes.lineage(change.file) : [];
  // To others an index that is not there is one that they may not use.
  if ("file" in change && lineage.length === 0 && isAdministrator(viewer)) {
    throw new Refusal("invalid", `change.file: index ${change.file} does not exist`);
  }
  const outlines = new Map((await store.items.outlines(request.items)).map((each) => [each.item.id, each]));
  const facts = { change, lineage, at: clock.now(), today: items.today() };
  const checked: CheckedItem[] = [];
  for (const id of request.items) checked.push(await checkOne(needs, viewer, outlines.get(id), id, facts));
  return checked;
}

async function checkOne(
  needs: BulkNeeds,
  viewer: Viewer,
  found: WithParent<ItemOutline> | undefined,
  id: ItemId,
  facts: CheckFacts,
): Promise<CheckedItem> {
  let before: ItemPlacement | null = null;
  try {
    if (found === undefined) throw new Refusal("not_found", `Item ${id} does not exist`);
    requireUpdate(found, viewer);
    const content = publishedContent(found.item);
    before = placementOf(content);
    const reason = busyReason(await needs.store.items.claims(id, facts.at), {});
    if (reason !== null) throw new ItemBusy(id, reason);
    return {
      id,
      before,
      after: placementOf(await changedBy(needs, viewer, found.item, content, facts)),
      refusal: null,
    };
  } catch (error) {
    return { id, before, after: null, refusal: refusalOf(error) };
  }
}

/** What the change makes of a published item, as `place` and `setAccess` will. */
async function changedBy(
  { store }: BulkNeeds,
  viewer: Viewer,
  item: Pick<Item, "id" | "revision">,
  before: Placement,
  { change, lineage, today }: CheckFacts,
): Promise<Placement> {
  if ("access" in change) return { ...before, access: { ...before.access, ...change.access } };
  const indexes = ("file" in change ? filedInto(change.file) : takenOutOf(change.unfile))(before.indexes);
  if (indexes.length === before.indexes.length) return before;
  if ("file" in change) requireContribution(viewer, change.file, lineage);
  if (indexes.length > INDEXES_MAX) {
    throw new Refusal("invalid", `An item is in at most ${INDEXES_MAX} indexes, not ${indexes.length}`);
  }
  return await placementIn(store, item, before, { indexes, today });
}

type BulkRecord = {
  readonly start: AuditEntry;
  readonly items: readonly ItemId[];
  readonly change: BulkChange;
  /** By item; the newest entry counts. */
  readonly results: ReadonlyMap<number, AuditEntry["detail"]>;
};

/** Reads what the audit has of a bulk change: one entry when it began and one for each item. */
async function recordOf(store: Pick<RepositoryStore, "events">, id: string): Promise<BulkRecord | null> {
  if (id.length !== ID_CHARACTERS) return null;
  const entries = (await store.events(subjectOf(id), most("bulkItems") + 2)).toReversed();
  const start = entries.find(({ action }) => action === STARTED);
  if (start === undefined) return null;
  const { items } = start.detail;
  const results = entries.filter(({ action }) => action === APPLIED).map(({ detail }) => [Number(detail.item), detail]);
  return {
    start,
    items: Array.isArray(items) ? items.map(Number) : [],
    change: keptChange.read(start.detail.change, "change"),
    // Pairs of a number and what was written for it.
    results: new Map(results as [number, AuditEntry["detail"]][]),
  };
}

function resultOf(id: ItemId, detail: AuditEntry["detail"] | undefined): ItemResult {
  if (detail === undefined) return { id, state: "waiting", before: null, after: null, refusal: null };
  // Written by `applyOne` alone.
  const { before = null, after = null, refusal = null } = detail as Partial<CheckedItem>;
  if (before === null || after === null) return { id, state: "refused", before, after, refusal };
  return { id, state: isSame(before, after) ? "unchanged" : "changed", before, after, refusal };
}

async function applyAll(needs: BulkNeeds, { subject }: Job, { signal, progress }: JobContext): Promise<void> {
  const { store } = needs;
  const found = await recordOf(store, subject);
  const account = found?.start.accountId ?? null;
  const identity = account === null ? null : await store.accounts.identity(account);
  if (found === null || identity === null) return;
  const { clientId, address } = found.start;
  const scopes = new Set([SCOPE]);
  const viewer: Viewer = { ...identityRights(identity), clientId, address, scopes, asked: [SCOPE] };
  const left = found.items.filter((id) => !found.results.has(id));
  for (const [at, id] of left.entries()) {
    signal.throwIfAborted();
    await applyOne(needs, viewer, { subject: subjectOf(subject), id, change: found.change });
    if ((at + 1) % PROGRESS_EVERY === 0) await progress(`${found.items.length - left.length + at + 1} items`);
  }
  const ended = { action: ENDED, subject: subjectOf(subject), detail: {} };
  await store.transact((tx) => tx.audit(viewer, needs.clock.now(), [ended]));
}

type OneItem = { readonly subject: string; readonly id: ItemId; readonly change: BulkChange };

/** The change and the entry about it are one transaction. */
async function applyOne(needs: BulkNeeds, viewer: Viewer, { subject, id, change }: OneItem): Promise<void> {
  const { store, clock, items } = needs;
  try {
    await writeAs(needs, viewer, async (tx, now) => {
      const content = (await tx.items.outline(id))?.item.content ?? null;
      const { item } =
        "access" in change
          ? await items.setAccess(tx, now, id, change.access)
          : await items.place(tx, now, id, "file" in change ? filedInto(change.file) : takenOutOf(change.unfile));
      const before = content === null ? null : placementOf(content);
      const after = item.content === null ? null : placementOf(item.content);
      await tx.audit(now, clock.now(), [{ action: APPLIED, subject, detail: { item: id, before, after } }]);
    });
  } catch (error) {
    const refusal = shownToday(refusalOf(error));
    const detail = { item: id, refusal };
    await store.transact((tx) => tx.audit(viewer, clock.now(), [{ action: APPLIED, subject, detail }]));
  }
}

/** Nobody sends a token while the job runs: what is refused as unauthenticated is refused to the account. */
function shownToday({ status, message }: ShownRefusal): ShownRefusal {
  if (status !== 401) return { status, message };
  return { status: 403, message: "The account is disabled" };
}
