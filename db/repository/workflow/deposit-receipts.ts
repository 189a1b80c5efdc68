// The first answers to Idempotency-Keys (R13): claimed before a deposit is worked on, finished in the transaction that registers it.
import type { DepositReceipt } from "../../../src/repository/store/activities.ts";
import { rowsOf, run, type Session, statement, textList } from "../../engine/dialect.ts";
import type { DepositReceiptTable } from "../../engine/repository-schema.ts";

const COLUMNS = "account_id, idempotency_key, target, package_sha256, status, answer, owner, created_at, expires_at";
const READ = statement(() => `select ${COLUMNS} from deposit_receipt where account_id = $1 and idempotency_key = $2`);
/** One whose work was never finished and whose time is over belongs to whoever comes next. */
const CLAIM = statement(
  () => `insert into deposit_receipt (${COLUMNS}) values ($1, $2, $3, $4, null, null, $5, $6, $7)
    on conflict (account_id, idempotency_key) do update
    set target = excluded.target, package_sha256 = excluded.package_sha256, status = null, answer = null,
      owner = excluded.owner, created_at = excluded.created_at, expires_at = excluded.expires_at
    where deposit_receipt.expires_at <= excluded.created_at returning owner`,
);
const FINISH = statement(
  () => `update deposit_receipt set status = $3, answer = $4, expires_at = $5
    where account_id = $1 and idempotency_key = $2 and owner = $6 returning owner`,
);
const EXTEND = statement(
  () => `update deposit_receipt set expires_at = $4
    where account_id = $1 and idempotency_key = $2 and owner = $3 and status is null`,
);
const RELEASE_OF = statement(
  ({ inList }) => `delete from deposit_receipt where status is null and substr(owner, 1, 32) ${inList("$1")}`,
);
const RELEASE = statement(
  () => `delete from deposit_receipt where account_id = $1 and idempotency_key = $2 and owner = $3 and status is null`,
);
const FORGET = statement(() => "delete from deposit_receipt where expires_at <= $1 returning owner");

function toReceipt(row: DepositReceiptTable): DepositReceipt {
  return {
    accountId: Number(row.account_id),
    key: row.idempotency_key,
    target: row.target,
    packageSha256: row.package_sha256,
    status: row.status,
    answer: row.answer,
    owner: row.owner,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export async function readReceipt(session: Session, accountId: number, key: string): Promise<DepositReceipt | null> {
  const [row] = await rowsOf<DepositReceiptTable>(session, READ, [accountId, key]);
  return row === undefined ? null : toReceipt(row);
}

/** Null when the receipt is now the caller's; otherwise the one that was there first. */
export async function claimReceipt(session: Session, receipt: DepositReceipt): Promise<DepositReceipt | null> {
  const { accountId, key, target, packageSha256, owner, createdAt, expiresAt } = receipt;
  const { rows } = await run(session, CLAIM, [accountId, key, target, packageSha256, owner, createdAt, expiresAt]);
  if (rows.length > 0) return null;
  return await readReceipt(session, accountId, key);
}

export async function finishReceipt(session: Session, receipt: DepositReceipt): Promise<boolean> {
  const { accountId, key, status, answer, expiresAt, owner } = receipt;
  return (await run(session, FINISH, [accountId, key, status, answer, expiresAt, owner])).rows.length > 0;
}

export async function extendReceipt(
  session: Session,
  accountId: number,
  key: string,
  owner: string,
  expiresAt: string,
): Promise<void> {
  await run(session, EXTEND, [accountId, key, owner, expiresAt]);
}

export async function releaseOf(session: Session, processes: readonly string[]): Promise<void> {
  await run(session, RELEASE_OF, [textList(session, processes)]);
}

export async function releaseReceipt(session: Session, accountId: number, key: string, owner: string): Promise<void> {
  await run(session, RELEASE, [accountId, key, owner]);
}

export async function forgetReceipts(session: Session, before: string): Promise<number> {
  return (await run(session, FORGET, [before])).rows.length;
}
