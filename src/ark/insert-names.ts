// The writing half of making names: rows, collisions of random names, history (A5, A11, A27).

import { type Actor, actorOf, type Call } from "../auth/caller.ts";
import { type DraftedEntry, isRefusal, refuse, type Work } from "./assign-names.types.ts";
import { COLLISIONS_UNTIL_GROWTH, drawArk, filledFields, newRecord, takenRefusal } from "./new-name.ts";
import { moveReceipts } from "./receipts.ts";
import type { ArkRecord } from "./record.ts";
import type { Shoulder } from "./registered-things.ts";
import type { Change } from "./store.ts";

/** Writes the rows and sets the outcomes. A minted name that was ever assigned is generated again; a requested one is refused. */
export async function insertNames<In>(work: Work<In>, drafts: readonly DraftedEntry<In>[]): Promise<void> {
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
