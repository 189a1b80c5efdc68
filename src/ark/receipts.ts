// Receipts: one per credential (or kind of system call, R5a) and request_id, so that sending a request again gives the same name (law, "What the service does" 3; A13).

import { ServiceError } from "../shared/errors.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { DraftedEntry, Entry, Outcome } from "./assign-names.types.ts";
import { isWithdrawn } from "./new-name.ts";
import type { ReceiptKind } from "./record.ts";
import type { ArkWriter, Receipt } from "./store.ts";
import { formatArk } from "./syntax.ts";

/** The receipt of a request as one text: length of the issuer, issuer and request_id. */
export function receiptOf({ issuer, requestId }: Entry): string {
  return `${issuer.length}:${issuer}:${requestId}`;
}

/** The answers of those requests whose receipt exists: the record as it now is, 1507 for another kind of call, 1506 for a withdrawn name. */
export async function answersOfReceipts<In>(
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
export async function claimReceipts<In>(
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
export async function moveReceipts<In>(
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
