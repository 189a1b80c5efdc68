// Offers to hand a record over to another account (R15).
import type { AccountId, ItemId, ParentId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

export const TRANSFER_STATUSES = ["submitted", "accepted", "declined", "cancelled"] as const;
type TransferStatus = (typeof TRANSFER_STATUSES)[number];

export type Transfer = {
  /** UUID. */
  readonly id: string;
  readonly item: ItemId;
  readonly parent: ParentId;
  readonly status: TransferStatus;
  /** That of the record when it was offered. */
  readonly title: string;
  readonly message: string;
  readonly giver: AccountId;
  readonly receiver: AccountId;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export interface TransferReader {
  transfer(id: string): Promise<Transfer | null>;
  /** Newest first. */
  transfersOf(parent: ParentId, limit: number): Promise<readonly Transfer[]>;
  /** Those that wait for the account, and those that it offered and that wait; newest first, each at most `limit`. */
  openTransfers(account: AccountId, limit: number): Promise<readonly Transfer[]>;
  /** How many wait for the account. */
  countWaiting(account: AccountId): Promise<number>;
}

export interface TransferWriter extends TransferReader {
  /** The transfer, locked after its record. */
  lockTransfer(id: string): Promise<Transfer | null>;
  /** False where the record is being offered already. */
  insertTransfer(transfer: Transfer): Promise<boolean>;
  endTransfer(id: string, status: TransferStatus, at: Instant): Promise<void>;
}
