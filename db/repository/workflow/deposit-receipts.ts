// The first answers to Idempotency-Keys (R13): claimed before a deposit is worked on, finished in the transaction that
// registers it.
import type { ActivityWriter, DepositReceipt } from "../../../src/repository/store/activities.ts";
import type { AccountId } from "../../../src/shared/ids.ts";
import { run, type Session, statement, textList } from "../../engine/dialect.ts";
import { oneRow, rowsAs } from "../../engine/record.ts";
import type { DepositReceiptTable } from "../../engine/repository-schema.ts";

const RECEIPT = rowsAs<DepositReceiptTable, DepositReceipt>({
  accountId: "account_id",
  key: "idempotency_key",
  target: "target",
  packageSha256: "package_sha256",
  status: "status",
  answer: "answer",
  owner: "owner",
  createdAt: "created_at",
  expiresAt: "expires_at",
});
const READ = statement(
  () => `select ${RECEIPT.list} from deposit_receipt where account_id = $1 and idempotency_key = $2`,
);
/** A receipt whose work never finished and whose time is over belongs to the next request. */
const CLAIM = statement(
  () => `insert into deposit_receipt (${RECEIPT.list}) values ($1, $2, $3, $4, null, null, $5, $6, $7)
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
    where account_id = $1 and idempotency_key = $2 and owner = $3 and status is null returning owner`,
);
const RELEASE_OF = statement(
  ({ inList }) => `delete from deposit_receipt where status is null and substr(owner, 1, 32) ${inList("$1")}`,
);
const RELEASE = statement(
  () => `delete from deposit_receipt where account_id = $1 and idempotency_key = $2 and owner = $3 and status is null`,
);
const FORGET = statement(() => "delete from deposit_receipt where expires_at <= $1 returning owner");

export function readReceipt(session: Session, accountId: AccountId, key: string): Promise<DepositReceipt | null> {
  return oneRow(session, READ, [accountId, key], RECEIPT.read);
}

export function receiptWriter(session: Session) {
  return {
    async claimDepositReceipt({ accountId, key, target, packageSha256, owner, createdAt, expiresAt }) {
      const { rows } = await run(session, CLAIM, [accountId, key, target, packageSha256, owner, createdAt, expiresAt]);
      return rows.length > 0 ? null : await readReceipt(session, accountId, key);
    },
    async finishDepositReceipt({ accountId, key, status, answer, expiresAt, owner }) {
      return (await run(session, FINISH, [accountId, key, status, answer, expiresAt, owner])).rows.length > 0;
    },
    async extendDepositReceipt(accountId, key, owner, expiresAt) {
      return (await run(session, EXTEND, [accountId, key, owner, expiresAt])).rows.length > 0;
    },
    async releaseDepositReceipt(accountId, key, owner) {
      await run(session, RELEASE, [accountId, key, owner]);
    },
    async releaseReceiptsOf(processes) {
      await run(session, RELEASE_OF, [textList(session, processes)]);
    },
    forgetDepositReceipts: async (before) => (await run(session, FORGET, [before])).rows.length,
  } satisfies Partial<ActivityWriter>;
}
