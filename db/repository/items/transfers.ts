// The queries of offers to hand a record over (src/repository/store/transfers.ts; R15).
import type { Transfer, TransferReader, TransferWriter } from "../../../src/repository/store/transfers.ts";
import type { AccountId } from "../../../src/shared/ids.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, oneRow, rowsAs } from "../../engine/record.ts";
import type { RecordTransferTable } from "../../engine/repository-schema.ts";

const TRANSFER = rowsAs<RecordTransferTable, Transfer>({
  id: "id",
  item: "item_id",
  parent: "parent_id",
  status: "status",
  title: "title",
  message: "message",
  giver: "account_id",
  receiver: "receiver_account",
  createdAt: "created_at",
  updatedAt: "updated_at",
});

const ONE = statement(() => `select ${TRANSFER.list} from record_transfer where id = $1`);
const LOCKED = statement(
  ({ forNoKeyUpdate }) => `select ${TRANSFER.list} from record_transfer where id = $1 ${forNoKeyUpdate}`,
);
const OF_PARENT = statement(
  () => `select ${TRANSFER.list} from record_transfer where parent_id = $1 order by created_at desc, id limit $2`,
);
const openOf = (column: "account_id" | "receiver_account") =>
  statement(
    () => `select ${TRANSFER.list} from record_transfer where ${column} = $1 and status = 'submitted'
      order by created_at desc, id limit $2`,
  );
const RECEIVED = openOf("receiver_account");
const OFFERED = openOf("account_id");
const WAITING = statement(
  () => "select count(*) as waiting from record_transfer where receiver_account = $1 and status = 'submitted'",
);
const END = statement(() => "update record_transfer set status = $2, updated_at = $3 where id = $1");

export const transferReader = (session: Session): TransferReader => ({
  transfer: (id) => oneRow(session, ONE, [id], TRANSFER.read),
  transfersOf: (parent, limit) => allRows(session, OF_PARENT, [parent, limit], TRANSFER.read),
  countWaiting: (account) => countWaiting(session, account),
  openTransfers: async (account, limit) => [
    ...(await allRows(session, RECEIVED, [account, limit], TRANSFER.read)),
    ...(await allRows(session, OFFERED, [account, limit], TRANSFER.read)),
  ],
});

async function countWaiting(session: Session, account: AccountId): Promise<number> {
  const [row] = await rowsOf<{ waiting: number }>(session, WAITING, [account]);
  return Number(row?.waiting ?? 0);
}

export const transferWriter = (session: Session): TransferWriter => ({
  ...transferReader(session),
  lockTransfer: (id) => oneRow(session, LOCKED, [id], TRANSFER.read),
  async insertTransfer(transfer) {
    const made = await session.db
      .insertInto("record_transfer")
      .values(TRANSFER.write(transfer))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    return made.length > 0;
  },
  async endTransfer(id, status, at) {
    await run(session, END, [id, status, at]);
  },
});
