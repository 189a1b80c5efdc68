// Moves names from one Arkstone to another (A51): they are read complete, with their history, and entered there
// unchanged. For operators alone; names that a client imports are created again (minting.ts).
import { type CarriedName, TRANSFER } from "../ark/carried-name.ts";
import { isWithdrawn, takenRefusal } from "../ark/new-name.ts";
import { type ArkRecord, differingMembers, type Organisation, type Shoulder } from "../ark/record.ts";
import type { ArkFilter, ArkReader, ArkWriter, Change, Receipt } from "../ark/store.ts";
import { ancestorKeys, formatArk } from "../ark/syntax.ts";
import { actorOf, OPERATOR } from "../auth/caller.ts";
import { ServiceError } from "../shared/errors.ts";
import type { Clock } from "../shared/time/clock.ts";
import { LongestBlades } from "./backup/blades.ts";
import { historyFindings, type Replay, replay } from "./verify/history.ts";
import { nameFindings } from "./verify/names.ts";
import { receiptFindings } from "./verify/records.ts";

/** Names read at once; their histories are in memory with them. */
const PAGE_ROWS = 250;
const RECEIPT_ROWS = 1_000;
/** How often a page is read again because its names were changed meanwhile. */
const READS_MAX = 20;

// --- out ---

/**
 * Every name a filter finds, by key, with its history, in pages; withdrawn ones too unless the filter names a state.
 */
export async function* carriedPages(
  store: ArkReader,
  filter: Omit<ArkFilter, "reach">,
): AsyncGenerator<readonly CarriedName[]> {
  const whole: ArkFilter = { state: "any", ...filter, reach: { kind: "system" } };
  for (let after = ""; ; ) {
    const page = await store.listArks(whole, after, PAGE_ROWS);
    const last = page.at(-1);
    if (last === undefined) return;
    const settled = await withHistories(store, page);
    // After the names: by then the maker of each name is there.
    const organisations = new Map((await store.organisations()).map(({ id, name }) => [id, name]));
    yield settled.map(({ record: { organisationId, ...record }, history }) => ({
      ark: formatArk(record.key),
      record,
      organisation: organisationId === null ? null : (organisations.get(organisationId) ?? null),
      history,
    }));
    if (page.length < PAGE_ROWS) return;
    after = last.key;
  }
}

/**
 * The receipts of clients, in pages. Those of the service itself speak of items, whose numbers mean others elsewhere.
 */
export async function* carriedReceipts(store: ArkReader): AsyncGenerator<readonly Receipt[]> {
  for (let after = { clientId: "", requestId: "" }; ; ) {
    const page = await store.receiptsAfter(after, RECEIPT_ROWS);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.filter(({ clientId }) => !clientId.startsWith("("));
    if (page.length < RECEIPT_ROWS) return;
    after = last;
  }
}

type CompleteName = { readonly record: ArkRecord; readonly history: CarriedName["history"] };

/** A record and its history belong together when the record was the same before and after the history was read. */
async function withHistories(store: ArkReader, page: readonly ArkRecord[]): Promise<readonly CompleteName[]> {
  const keys = page.map(({ key }) => key);
  const settled = new Map<string, CompleteName>();
  let open: ReadonlyMap<string, ArkRecord> = new Map(page.map((record) => [record.key, record]));
  for (let reads = 0; open.size > 0; reads++) {
    if (reads >= READS_MAX) throw new Error(`Cannot read ${[...open.keys()][0]}: it is changed without a pause`);
    const histories = await store.histories([...open.keys()]);
    const again = await store.arks([...open.keys()]);
    const changed = new Map<string, ArkRecord>();
    for (const [key, record] of open) {
      const now = again.get(key) ?? record;
      if (differingMembers(record, now).length === 0) settled.set(key, { record, history: histories.get(key) ?? [] });
      else changed.set(key, now);
    }
    open = changed;
  }
  return keys.flatMap((key) => settled.get(key) ?? []);
}

// --- in ---

/** What became of one name, by key. `differs`: it is there with other content in these fields, which stays. */
type EntryOutcome =
  | { readonly kind: "entered" }
  | { readonly kind: "there" }
  | { readonly kind: "differs"; readonly fields: readonly string[] }
  | { readonly kind: "bad"; readonly refusal: ServiceError | string };

type Registry = {
  /** By `naan/name`. */
  readonly organisations: ReadonlyMap<string, Organisation>;
  readonly byId: ReadonlyMap<number, Organisation>;
  readonly shoulders: ReadonlyMap<string, Shoulder>;
};

/** Enters names that do not exist yet, with all they were; keys are each named once. A bad one writes nothing. */
export async function enterCarried(
  tx: ArkWriter,
  clock: Clock,
  names: readonly CarriedName[],
): Promise<ReadonlyMap<string, EntryOutcome>> {
  const outcomes = new Map<string, EntryOutcome>();
  const registry = await readRegistry(tx);
  const fresh = new Map<string, { readonly record: ArkRecord; readonly name: CarriedName }>();
  const stored = await tx.arks(names.map(({ record }) => record.key));
  for (const name of names) {
    const there = stored.get(name.record.key);
    const record = recordIn(registry, name);
    if (typeof record === "string") outcomes.set(name.record.key, { kind: "bad", refusal: record });
    else if (there === undefined) fresh.set(record.key, { record, name });
    else outcomes.set(record.key, compare(record, there));
  }
  const fit = await fitting(tx, registry, fresh, outcomes);
  const inserted = await tx.insertArks(fit.map(({ record }) => record));
  // On PostgreSQL another process may have made one since it was looked up.
  const late = await tx.arks(fit.flatMap(({ record: { key } }) => (inserted.has(key) ? [] : [key])));
  for (const { record } of fit) {
    const there = late.get(record.key);
    outcomes.set(record.key, there === undefined ? { kind: "entered" } : compare(record, there));
  }
  const entered = fit.filter(({ record }) => inserted.has(record.key));
  await tx.recordCarried(new Map(entered.map(({ record, name }) => [record.key, name.history])));
  const changes = entered.map(({ record }) => transferOf(record));
  await tx.record(actorOf(OPERATOR), clock.now(), changes);
  await growBlades(tx, registry, entered);
  return outcomes;
}

async function readRegistry(tx: ArkReader): Promise<Registry> {
  const organisations = await tx.organisations();
  const shoulders = await tx.shoulders();
  return {
    organisations: new Map(
      organisations.map((organisation) => [`${organisation.naan}/${organisation.name}`, organisation]),
    ),
    byId: new Map(organisations.map((organisation) => [organisation.id, organisation])),
    shoulders: new Map(shoulders.map((shoulder) => [`${shoulder.naan}/${shoulder.shoulder}`, shoulder])),
  };
}

/** The row as it is entered here; a text names the organisation that is missing. */
function recordIn(registry: Registry, { record, organisation }: CarriedName): ArkRecord | string {
  if (organisation === null) return { ...record, organisationId: null };
  const found = registry.organisations.get(`${record.naan}/${organisation}`);
  if (found !== undefined) return { ...record, organisationId: found.id };
  return `there is no organisation ${JSON.stringify(organisation)} in NAAN ${record.naan}`;
}

/** Of a name that is there: the same, another one, or a withdrawn one that must not come back. */
function compare(record: ArkRecord, there: ArkRecord): EntryOutcome {
  if (isWithdrawn(there) && !isWithdrawn(record)) return { kind: "bad", refusal: takenRefusal(there) };
  const fields = differingMembers(record, there);
  return fields.length === 0 ? { kind: "there" } : { kind: "differs", fields };
}

type Fresh = { readonly record: ArkRecord; readonly name: CarriedName };

/** Those that break no rule of `arkstone verify`, alone and together with the names above and below them. */
async function fitting(
  tx: ArkWriter,
  registry: Registry,
  fresh: ReadonlyMap<string, Fresh>,
  outcomes: Map<string, EntryOutcome>,
): Promise<readonly Fresh[]> {
  const keysAbove = new Set([...fresh.keys()].flatMap(ancestorKeys));
  // Locked, so that no name above a part is deleted while it is entered (A11: 1502).
  const above = await tx.lockArks([...keysAbove]);
  const hanging = await withLivingParts(tx, fresh);
  const fit = new Map<string, Fresh>();
  // In the order of keys a name comes before its parts: below a name that is left out, a part finds it missing.
  for (const key of [...fresh.keys()].sort()) {
    const each = fresh.get(key);
    if (each === undefined) continue;
    const refusal =
      problemOf(each, registry) ??
      problemAbove(each.record, (upper) => fit.get(upper)?.record ?? above.get(upper)) ??
      (hanging.has(key) ? new ServiceError(1502, { ark: each.name.ark }) : null);
    if (refusal === null) fit.set(key, each);
    else outcomes.set(key, { kind: "bad", refusal });
  }
  return [...fit.values()];
}

/** The withdrawn ones with living names below them here, which would hang in the air (A11). */
async function withLivingParts(tx: ArkWriter, fresh: ReadonlyMap<string, Fresh>): Promise<ReadonlySet<string>> {
  const gone = [...fresh.values()].flatMap(({ record }) => (isWithdrawn(record) ? [record.key] : []));
  const hanging = new Set<string>();
  if ((await tx.partsBelow(gone, 1)).length === 0) return hanging;
  for (const key of gone) if ((await tx.partsBelow([key], 1)).length > 0) hanging.add(key);
  return hanging;
}

function problemOf({ record, name }: Fresh, { shoulders, byId }: Registry): ServiceError | string | null {
  if (!shoulders.has(`${record.naan}/${record.shoulder}`)) {
    return new ServiceError(1013, {}, {}, `The shoulder ${record.naan}/${record.shoulder} is not registered`);
  }
  const [unfit] = nameFindings(record, { shoulders, organisations: byId });
  if (unfit !== undefined) return unfit.problem;
  const replayed = name.history.reduce<Replay | null>((before, step) => replay(before, step), null);
  const [fault] = historyFindings(record, replayed);
  return fault === undefined ? null : fault.problem;
}

function problemAbove(record: ArkRecord, find: (key: string) => ArkRecord | undefined): ServiceError | string | null {
  const ancestors = ancestorKeys(record.key).flatMap((key) => find(key) ?? []);
  const gone = isWithdrawn(record) ? undefined : ancestors.find(isWithdrawn);
  if (gone !== undefined) return new ServiceError(1014, { ark: formatArk(gone.key) });
  return record.origin === "registered" && ancestors.length === 0
    ? "the name it was registered below is not there"
    : null;
}

function transferOf(record: ArkRecord): Change {
  return {
    subject: "ark",
    target: record.key,
    action: TRANSFER,
    beforeUrl: record.url,
    afterUrl: record.url,
    fields: [],
    reason: "Came with its history from the export of another service",
  };
}

/** Enters receipts whose names are there, the ones of each client together; returns the outcome of each, in order. */
export async function enterReceipts(tx: ArkWriter, receipts: readonly Receipt[]): Promise<readonly EntryOutcome[]> {
  const records = await tx.arks([...new Set(receipts.map(({ key }) => key))]);
  const outcomes = new Map<Receipt, EntryOutcome>();
  const fit: Receipt[] = [];
  for (const receipt of receipts) {
    const [unfit] = receiptFindings({ ...receipt, origin: records.get(receipt.key)?.origin ?? null });
    if (unfit === undefined) fit.push(receipt);
    else outcomes.set(receipt, { kind: "bad", refusal: `the receipt ${unfit.key}: ${unfit.problem}` });
  }
  const byClient = Map.groupBy(fit, ({ clientId }) => clientId);
  for (const clientId of [...byClient.keys()].sort()) {
    const ofClient = byClient.get(clientId) ?? [];
    const first = new Map(ofClient.map((receipt) => [receipt.requestId, receipt]));
    const taken = await tx.claimReceipts([...first.values()]);
    const stored = await tx.receipts(clientId, [...first.keys()]);
    for (const receipt of ofClient) {
      const there = stored.get(receipt.requestId);
      const isSame = there?.key === receipt.key && there.kind === receipt.kind;
      const isNew = isSame && taken.has(receipt.requestId) && first.get(receipt.requestId) === receipt;
      if (isSame) outcomes.set(receipt, { kind: isNew ? "entered" : "there" });
      else outcomes.set(receipt, { kind: "bad", refusal: receiptTaken(receipt, there?.key ?? "") });
    }
  }
  return receipts.flatMap((receipt) => outcomes.get(receipt) ?? []);
}

function receiptTaken({ clientId, requestId }: Receipt, key: string): ServiceError {
  return new ServiceError(1507, {}, {}, `The request_id ${requestId} of ${clientId} belongs to ${formatArk(key)}`);
}

/** A shoulder goes on with blades as long as the longest it brought (A5). */
async function growBlades(tx: ArkWriter, { shoulders }: Registry, entered: readonly Fresh[]): Promise<void> {
  const longest = new LongestBlades();
  for (const { record } of entered) {
    if (record.origin === "minted") longest.see(record.key, record.naan, record.shoulder);
  }
  for (const { naan, shoulder, bladeLength } of shoulders.values()) {
    const length = longest.of(naan, shoulder);
    if (length > bladeLength) await tx.growBlade(naan, shoulder, length);
  }
}
