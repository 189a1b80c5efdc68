// The one procedure that makes names, all rows at once in one transaction, whether minted, registered or imported:
// receipts, reach and status, quota, names, history, in that order (A13, A14, A22, A27; law, "What the service does" 2 and 3).

import type { Call } from "../auth/caller.ts";
import {
  attemptOf,
  type DraftedEntry,
  type Entry,
  isRefusal,
  type MakingNeeds,
  type NameRefusal,
  type NameRequest,
  type NameRequestInput,
  type Outcome,
  openDrafts,
  type Recipe,
  refuse,
  type Tally,
  type Work,
} from "./assign-names.types.ts";
import { callers } from "./current-caller.ts";
import { insertNames } from "./insert-names.ts";
import { quotaRefusal, quotaWindowStart } from "./quota.ts";
import { answersOfReceipts, claimReceipts, receiptOf } from "./receipts.ts";
import { type RegisteredData, registered } from "./shoulder-choice.ts";
import type { ArkWriter } from "./store.ts";

/** The outcome of each request, in order. */
export type Batch = { readonly outcomes: readonly Outcome[]; readonly tally: Readonly<Tally> };

/**
 * Assigns the requested names inside the transaction `tx`. With `together` the first refusal is thrown, which rolls back everything;
 * without, each request has its own outcome and a refused one writes nothing.
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
 * Reads the caller of each request again (R2g), refuses requests of callers who may no longer write, and returns the others. The rows of
 * a bulk are one call: its caller is read once for all of them.
 */
async function readCallersAgain<In>(work: Work<In>, entries: readonly Entry<In>[]): Promise<readonly Entry<In>[]> {
  const callNow = callers(work.tx, work.now);
  const answers = new Map<Call, Call | NameRefusal>();
  for (const { request } of entries) {
    if (!answers.has(request.call)) answers.set(request.call, await attemptOf(() => callNow(request.call)));
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

/** Quota and names used of each limited organisation. Their rows stay locked, so that nobody else counts meanwhile (A27). */
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
 * Drafts a name for each request or refuses it. Of several requests with one request_id the first that can be granted leads and the
 * later ones follow it as replays. In an all-or-nothing call only the first one counts.
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

/** Takes the receipts before any name is written; a request whose receipt somebody else took meanwhile is answered as a replay (A13). */
async function claim<In>(work: Work<In>, drafts: readonly DraftedEntry<In>[]): Promise<void> {
  const lost = await claimReceipts(work.tx, work.recipe.kind, work.now, drafts);
  if (lost.length === 0) return;
  const unanswered = await answerReplays(work, lost);
  if (unanswered.length > 0) throw new RangeError("A receipt was taken, yet it is not there");
}
