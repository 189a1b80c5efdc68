// The one procedure that makes names, all rows at once in one transaction, whether minted, registered or imported:
// receipts, reach and status, quota, names, history, in that order (A13, A14, A22, A27; specification 1, "What the
// service does" 2 and 3).

import { type Actor, actorOf, type Call } from "../auth/caller.ts";
import { ServiceError, ValidationRefusal } from "../shared/errors.ts";
import type { Clock, Random } from "../shared/time/clock.ts";
import type { Instant } from "../shared/time/instant.ts";
import { callers } from "./current-caller.ts";
import { COLLISIONS_UNTIL_GROWTH, drawArk, filledFields, isWithdrawn, newRecord, takenRefusal } from "./new-name.ts";
import type { ArkOrigin, ArkRecord, Description, ReceiptKind, Shoulder } from "./record.ts";
import { type RegisteredData, registered } from "./shoulder.ts";
import type { ArkWriter, Change, Receipt } from "./store.ts";
import { type Ark, formatArk } from "./syntax.ts";

type MakingNeeds = { readonly clock: Clock; readonly random: Random };

/** One name somebody wants. `row` is its index in a bulk call, null in a single one. */
export type NameRequest<In> = { readonly call: Call; readonly input: In; readonly row: number | null };
export type NameRequestInput = { readonly request_id?: string | undefined };

export type AssignedName = { readonly record: ArkRecord; readonly replayed: boolean };
export type NameRefusal = ServiceError | ValidationRefusal;
export type Outcome = AssignedName | NameRefusal;

/** A request that may be granted: the content of the new row. */
export type Draft = {
  readonly ark: Ark;
  readonly shoulder: Shoulder;
  readonly published: boolean;
  readonly description: Description;
};

/** What tells the three ways of making names apart. */
export type Recipe<In> = {
  readonly kind: ReceiptKind;
  readonly origin: ArkOrigin;
  /**
   * Whose receipts count where they are not the caller's own: a word in parentheses, as no credential has one. A client
   * can then never send the request_id under which the system asks (R5a).
   */
  readonly issuer?: string;
  /** Counts against the quota (A27). */
  readonly limited: boolean;
  /**
   * A draft or a refusal for each request, in order. Refusals that need no reading come first; nothing is written here.
   */
  readonly plan: (
    tx: ArkWriter,
    known: RegisteredData,
    requests: readonly NameRequest<In>[],
  ) => Promise<readonly (Draft | NameRefusal)[]>;
};

/** One request during the procedure. `outcome` is set once. */
type Entry<In = unknown> = {
  request: NameRequest<In>;
  /** Under whose name the receipt is kept. */
  readonly issuer: string;
  /** Empty where none was sent. */
  readonly requestId: string;
  draft: Draft | null;
  outcome: Outcome | null;
};
type DraftedEntry<In> = Entry<In> & { draft: Draft };

/** What one transaction did, for the counters. */
type Tally = { made: number; replayed: number; collisions: number; bladesGrown: number };

/** One run of the procedure. */
type Work<In> = {
  readonly tx: ArkWriter;
  readonly recipe: Recipe<In>;
  /** All or nothing: the first refusal is thrown and ends the transaction. */
  readonly together: boolean;
  readonly now: Instant;
  readonly random: Random;
  readonly tally: Tally;
};

export function isRefusal(value: object): value is NameRefusal {
  return value instanceof ServiceError || value instanceof ValidationRefusal;
}

/** The value, or the refusal it was answered with. */
export function attempt<T>(decide: () => T): T | NameRefusal {
  try {
    return decide();
  } catch (error) {
    return refusalIn(error);
  }
}

/** The error where it is a refusal; every other one is thrown. */
function refusalIn(error: unknown): NameRefusal {
  if (error instanceof ServiceError || error instanceof ValidationRefusal) return error;
  throw error;
}

/** Refuses one request and names its row (A14); in an all-or-nothing call this ends the transaction. */
function refuse<In>(work: Work<In>, entry: Entry<In>, refusal: NameRefusal): void {
  const { row } = entry.request;
  const placed = refusal instanceof ServiceError && row !== null ? refusal.inRow(row) : refusal;
  if (work.together) throw placed;
  entry.outcome = placed;
}

/** The entries that are still to be written. */
function openDrafts<In>(entries: readonly Entry<In>[]): readonly DraftedEntry<In>[] {
  return entries.filter((entry): entry is DraftedEntry<In> => entry.outcome === null && entry.draft !== null);
}

/** The outcome of each request, in order. */
export type Batch = { readonly outcomes: readonly Outcome[]; readonly tally: Readonly<Tally> };

/**
 * Assigns the requested names inside the transaction `tx`. With `together` the first refusal is thrown, which rolls
 * back everything; without, each request has its own outcome and a refused one writes nothing.
 */
export async function makeNames<In extends NameRequestInput>(
  needs: MakingNeeds,
  tx: ArkWriter,
  recipe: Recipe<In>,
  requests: readonly NameRequest<In>[],
  together: boolean,
): Promise<Batch> {
  const tally: Tally = { made: 0, replayed: 0, collisions: 0, bladesGrown: 0 };
  const work: Work<In> = { tx, recipe, together, now: needs.clock.now(), random: needs.random, tally };
  const entries = requests.map((request): Entry<In> => {
    const issuer = recipe.issuer ?? request.call.caller.clientId;
    // As the database keeps texts: otherwise a receipt would not be found again under its own id.
    return { request, issuer, requestId: (request.input.request_id ?? "").toWellFormed(), draft: null, outcome: null };
  });
  const open = await readCallersAgain(work, entries);
  const fresh = await answerReplays(work, open);
  if (fresh.length > 0) await grant(work, fresh);
  const outcomes = entries.map(({ outcome }) => outcomeOf(outcome));
  for (const outcome of outcomes) {
    if (isRefusal(outcome)) continue;
    if (outcome.replayed) tally.replayed++;
    else tally.made++;
  }
  return { outcomes, tally };
}

/**
 * Reads the caller of each request again (R2g), refuses requests of callers who may no longer write, and returns the
 * others. The rows of a bulk are one call: its caller is read once for all of them.
 */
async function readCallersAgain<In>(work: Work<In>, entries: readonly Entry<In>[]): Promise<readonly Entry<In>[]> {
  const callNow = callers(work.tx, work.now);
  const answers = new Map<Call, Call | NameRefusal>();
  for (const { request } of entries) {
    if (!answers.has(request.call)) answers.set(request.call, await callNow(request.call).catch(refusalIn));
  }
  return entries.filter((entry) => {
    const call = answers.get(entry.request.call);
    if (call === undefined) throw new RangeError("A call was left without an answer");
    if (isRefusal(call)) refuse(work, entry, call);
    else if (call !== entry.request.call) entry.request = { ...entry.request, call };
    return !isRefusal(call);
  });
}

/** All steps after the first check of the receipts. */
async function grant<In>(work: Work<In>, entries: readonly Entry<In>[]): Promise<void> {
  const known = await readRegistered(work.tx, entries);
  const quotas = await lockQuotas(work, known, entries);
  // Nobody else writes for a locked organisation: receipts found now are all there are.
  const fresh = quotas.size > 0 ? await answerReplays(work, entries) : entries;
  const followers = await draftNames(work, known, fresh);
  chargeQuotas(work, quotas, openDrafts(fresh));
  await claim(work, openDrafts(fresh));
  await insertNames(work, openDrafts(fresh));
  for (const [follower, leader] of followers) {
    const outcome = outcomeOf(leader.outcome);
    follower.outcome = isRefusal(outcome) ? outcome : { record: outcome.record, replayed: true };
  }
}

function outcomeOf(outcome: Outcome | null): Outcome {
  if (outcome === null) throw new RangeError("A request was left without an outcome");
  return outcome;
}

/** Answers the requests whose receipt exists, and returns the others. */
async function answerReplays<In>(work: Work<In>, entries: readonly Entry<In>[]): Promise<readonly Entry<In>[]> {
  const answers = await answersOfReceipts(work.tx, work.recipe.kind, entries);
  if (answers.size === 0) return entries;
  for (const [entry, answer] of answers) {
    if (isRefusal(answer)) refuse(work, entry, answer);
    else entry.outcome = answer;
  }
  return entries.filter((entry) => entry.outcome === null);
}

async function readRegistered<In>(tx: ArkWriter, entries: readonly Entry<In>[]): Promise<RegisteredData> {
  const naans = new Set(entries.map(({ request }) => request.call.caller.naan));
  const own = [...naans].filter((naan) => naan !== null);
  // A caller without a NAAN may name any shoulder there is.
  const found = await tx.registered(own.length < naans.size ? undefined : own);
  return registered(found.naans, found.organisations, found.shoulders);
}

/**
 * Quota and names used of each limited organisation. Their rows stay locked, so that nobody else counts meanwhile
 * (A27).
 */
type Quotas = ReadonlyMap<number, { readonly quota: number; used: number }>;

async function lockQuotas<In>(work: Work<In>, known: RegisteredData, entries: readonly Entry<In>[]): Promise<Quotas> {
  const quotas = new Map<number, { readonly quota: number; used: number }>();
  if (!work.recipe.limited) return quotas;
  const limited = new Set<number>();
  for (const { request } of entries) {
    const id = request.call.caller.organisationId;
    if (id !== null && typeof known.organisations.get(id)?.quotaPerDay === "number") limited.add(id);
  }
  if (limited.size === 0) return quotas;
  const locked = await work.tx.lockOrganisations([...limited].sort((a, b) => a - b));
  for (const { id, quotaPerDay } of locked.values()) {
    if (quotaPerDay === null) continue;
    quotas.set(id, { quota: quotaPerDay, used: await work.tx.madeSince(id, quotaWindowStart(work.now)) });
  }
  return quotas;
}

/**
 * Drafts a name for each request or refuses it. Of several requests with one request_id the first that can be granted
 * leads and the later ones follow it as replays. In an all-or-nothing call only the first one counts.
 */
async function draftNames<In>(
  work: Work<In>,
  known: RegisteredData,
  entries: readonly Entry<In>[],
): Promise<ReadonlyMap<Entry<In>, Entry<In>>> {
  const followers = new Map<Entry<In>, Entry<In>>();
  const asked = work.together ? firstOfEachReceipt(entries) : entries;
  const plans = await work.recipe.plan(
    work.tx,
    known,
    asked.map((entry) => entry.request),
  );
  const planOf = new Map(asked.map((entry, index) => [entry, plans[index]]));
  const leaders = new Map<string, Entry<In>>();
  for (const entry of entries) {
    const leader = entry.requestId === "" ? undefined : leaders.get(receiptOf(entry));
    if (leader !== undefined) {
      followers.set(entry, leader);
      continue;
    }
    const plan = planOf.get(entry);
    if (plan === undefined) throw new RangeError("A request was left without a plan");
    if (isRefusal(plan)) {
      refuse(work, entry, plan);
      continue;
    }
    entry.draft = plan;
    if (entry.requestId !== "") leaders.set(receiptOf(entry), entry);
  }
  return followers;
}

function firstOfEachReceipt<In>(entries: readonly Entry<In>[]): readonly Entry<In>[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    if (entry.requestId === "") return true;
    const before = seen.size;
    return seen.add(receiptOf(entry)).size > before;
  });
}

/** Refuses what exceeds the quota (1601): the call as a whole, or the requests that come too late. */
function chargeQuotas<In>(work: Work<In>, quotas: Quotas, drafts: readonly DraftedEntry<In>[]): void {
  for (const entry of drafts) {
    const count = quotas.get(entry.request.call.caller.organisationId ?? -1);
    if (count === undefined) continue;
    const refusal = quotaRefusal(count.quota, count.used, work.together ? drafts.length : 1);
    if (work.together) {
      // One call has one caller: what holds for its first row holds for all of them, and is about none.
      if (refusal !== null) throw refusal;
      return;
    }
    if (refusal === null) count.used++;
    else refuse(work, entry, refusal);
  }
}

/**
 * Takes the receipts before any name is written; a request whose receipt somebody else took meanwhile is answered as a
 * replay (A13).
 */
async function claim<In>(work: Work<In>, drafts: readonly DraftedEntry<In>[]): Promise<void> {
  const lost = await claimReceipts(work.tx, work.recipe.kind, work.now, drafts);
  if (lost.length === 0) return;
  const unanswered = await answerReplays(work, lost);
  if (unanswered.length > 0) throw new RangeError("A receipt was taken, yet it is not there");
}

// The daily quota of an organisation (A27, A28 code 1601): names newly made in the last 24 hours, rolling.

const WINDOW_MS = 24 * 60 * 60 * 1000;
/** The window rolls: an hour later part of it has moved on. When enough has, only the next try can tell. */
const RETRY_AFTER_SECONDS = 3600;

/** Names made since this moment count. */
export function quotaWindowStart(now: Instant): Instant {
  return new Date(Date.parse(now) - WINDOW_MS).toISOString();
}

/** The refusal of `requested` more names when `used` were made in the window; null when they fit. */
export function quotaRefusal(quota: number, used: number, requested: number): ServiceError | null {
  if (used + requested <= quota) return null;
  return new ServiceError(1601, { quota, used, requested }, { "Retry-After": String(RETRY_AFTER_SECONDS) });
}

// Receipts: one per credential (or kind of system call, R5a) and request_id, so that sending a request again gives the
// same name (specification 1, "What the service does" 3; A13).

/** The receipt of a request as one text: length of the issuer, issuer and request_id. */
function receiptOf({ issuer, requestId }: Entry): string {
  return `${issuer.length}:${issuer}:${requestId}`;
}

/**
 * The answers of those requests whose receipt exists: the record as it now is, 1507 for another kind of call, 1506 for
 * a withdrawn name.
 */
async function answersOfReceipts<In>(
  tx: ArkWriter,
  kind: ReceiptKind,
  entries: readonly Entry<In>[],
): Promise<ReadonlyMap<Entry<In>, Outcome>> {
  const found = new Map<Entry<In>, Receipt>();
  for (const [clientId, ofClient] of byClient(entries)) {
    const receipts = await tx.receipts(clientId, [...new Set(ofClient.map((entry) => entry.requestId))]);
    if (receipts.size === 0) continue;
    for (const entry of ofClient) {
      const receipt = receipts.get(entry.requestId);
      if (receipt !== undefined) found.set(entry, receipt);
    }
  }
  const answers = new Map<Entry<In>, Outcome>();
  if (found.size === 0) return answers;
  const records = await tx.arks([...new Set(Array.from(found.values(), (receipt) => receipt.key))]);
  for (const [entry, receipt] of found) {
    const record = records.get(receipt.key);
    if (record === undefined) throw new RangeError(`The receipt of ${formatArk(receipt.key)} has no row`);
    const detail = { request_id: receipt.requestId, ark: formatArk(receipt.key) };
    if (receipt.kind !== kind) answers.set(entry, new ServiceError(1507, { ...detail, kind: receipt.kind }));
    else if (isWithdrawn(record)) answers.set(entry, new ServiceError(1506, detail));
    else answers.set(entry, { record, replayed: true });
  }
  return answers;
}

/**
 * Claims the receipts of the requests that have a request_id; returns those that another transaction claimed first.
 * Credentials are taken in order of their ids, so that two transactions cannot wait for each other.
 */
async function claimReceipts<In>(
  tx: ArkWriter,
  kind: ReceiptKind,
  now: Instant,
  drafts: readonly DraftedEntry<In>[],
): Promise<readonly DraftedEntry<In>[]> {
  const lost: DraftedEntry<In>[] = [];
  const clients = [...byClient(drafts)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, ofClient] of clients) {
    const won = await tx.claimReceipts(ofClient.map((entry) => toReceipt(entry, kind, now)));
    if (won.size < ofClient.length) for (const entry of ofClient) if (!won.has(entry.requestId)) lost.push(entry);
  }
  return lost;
}

/** Points claimed receipts at the names that were generated instead. */
async function moveReceipts<In>(
  tx: ArkWriter,
  kind: ReceiptKind,
  now: Instant,
  drafts: readonly DraftedEntry<In>[],
): Promise<void> {
  const receipts = drafts.filter((entry) => entry.requestId !== "").map((entry) => toReceipt(entry, kind, now));
  if (receipts.length > 0) await tx.moveReceipts(receipts);
}

function toReceipt<In>(entry: DraftedEntry<In>, kind: ReceiptKind, createdAt: Instant): Receipt {
  return { clientId: entry.issuer, requestId: entry.requestId, kind, key: entry.draft.ark.key, createdAt };
}

/** Entries that carry a request_id, by whose receipts they are. */
function byClient<E extends Entry>(entries: readonly E[]): ReadonlyMap<string, E[]> {
  const clients = new Map<string, E[]>();
  for (const entry of entries) {
    if (entry.requestId === "") continue;
    const ofClient = clients.get(entry.issuer);
    if (ofClient === undefined) clients.set(entry.issuer, [entry]);
    else ofClient.push(entry);
  }
  return clients;
}

// The writing half of making names: rows, collisions of random names, history (A5, A11, A27).

/**
 * Writes the rows and sets the outcomes. A minted name that was ever assigned is generated again; a requested one is
 * refused.
 */
async function insertNames<In>(work: Work<In>, drafts: readonly DraftedEntry<In>[]): Promise<void> {
  const bladeLengths = new Map<Shoulder, number>();
  let pending = drafts;
  for (let tries = 1; pending.length > 0; tries++) {
    const taken = await insertOnce(work, pending);
    if (taken.length === 0) break;
    if (work.recipe.kind !== "mint") {
      await refuseTaken(work, taken);
      break;
    }
    work.tally.collisions += taken.length;
    if (tries % COLLISIONS_UNTIL_GROWTH === 0) await growBlades(work, taken, bladeLengths);
    for (const entry of taken) {
      const { shoulder } = entry.draft;
      const bladeLength = bladeLengths.get(shoulder) ?? shoulder.bladeLength;
      entry.draft = { ...entry.draft, ark: drawArk(work.random, shoulder, bladeLength) };
    }
    await moveReceipts(work.tx, work.recipe.kind, work.now, taken);
    pending = taken;
  }
  await sign(work, drafts);
}

/** Returns the entries whose key is taken, by a row of the table or by another request of this run. */
async function insertOnce<In>(
  work: Work<In>,
  pending: readonly DraftedEntry<In>[],
): Promise<readonly DraftedEntry<In>[]> {
  const rows = new Map<string, { readonly entry: DraftedEntry<In>; readonly record: ArkRecord }>();
  const taken: DraftedEntry<In>[] = [];
  const { origin } = work.recipe;
  for (const entry of pending) {
    const { ark, shoulder, published, description } = entry.draft;
    if (rows.has(ark.key)) {
      taken.push(entry);
      continue;
    }
    const { organisationId } = entry.request.call.caller;
    const name = { ark, shoulder: shoulder.shoulder, origin, organisationId, published, description };
    rows.set(ark.key, { entry, record: newRecord(name, work.now) });
  }
  const inserted = await work.tx.insertArks(Array.from(rows.values(), ({ record }) => record));
  for (const { entry, record } of rows.values()) {
    if (inserted.has(record.key)) entry.outcome = { record, replayed: false };
    else taken.push(entry);
  }
  return taken;
}

async function refuseTaken<In>(work: Work<In>, taken: readonly DraftedEntry<In>[]): Promise<void> {
  const records = await work.tx.arks(taken.map((entry) => entry.draft.ark.key));
  for (const entry of taken) {
    const record = records.get(entry.draft.ark.key);
    if (record === undefined) throw new RangeError(`The name ${entry.draft.ark.key} is taken, yet it has no row`);
    refuse(work, entry, takenRefusal(record));
  }
}

/** Lengthens the blades of the shoulders that ran out of luck, for this run and in their rows. */
async function growBlades<In>(
  work: Work<In>,
  taken: readonly DraftedEntry<In>[],
  bladeLengths: Map<Shoulder, number>,
): Promise<void> {
  for (const shoulder of new Set(taken.map((entry) => entry.draft.shoulder))) {
    const bladeLength = (bladeLengths.get(shoulder) ?? shoulder.bladeLength) + 1;
    bladeLengths.set(shoulder, bladeLength);
    await work.tx.growBlade(shoulder.naan, shoulder.shoulder, bladeLength);
    work.tally.bladesGrown++;
  }
}

/** History, feed and audit of what was made, one signature for each caller. */
async function sign<In>(work: Work<In>, entries: readonly DraftedEntry<In>[]): Promise<void> {
  const signed = new Map<string, { readonly actor: Actor; readonly changes: Change[] }>();
  const byCall = new Map<Call, Change[]>();
  for (const { request, outcome } of entries) {
    if (outcome === null || isRefusal(outcome) || outcome.replayed) continue;
    const changes = byCall.get(request.call) ?? changesOf(signed, actorOf(request.call));
    // The rows of a bulk are one call.
    if (!byCall.has(request.call)) byCall.set(request.call, changes);
    changes.push(firstChange(work.recipe.kind, outcome.record));
  }
  for (const { actor, changes } of signed.values()) await work.tx.record(actor, work.now, changes);
}

/** Where the changes go that this one signs. */
function changesOf(signed: Map<string, { readonly actor: Actor; readonly changes: Change[] }>, actor: Actor): Change[] {
  const signature = `${actor.clientId.length}:${actor.clientId}:${actor.address}`;
  const group = signed.get(signature) ?? { actor, changes: [] };
  signed.set(signature, group);
  return group.changes;
}

function firstChange(action: string, record: ArkRecord): Change {
  return {
    subject: "ark",
    target: record.key,
    action,
    beforeUrl: "",
    afterUrl: record.url,
    fields: filledFields(record),
    reason: "",
  };
}
