// The budget of request rates that several minters of one PostgreSQL share (src/shared/http/rate-limit.ts): one upsert
// for a slice of a minute.
import type { RateBudget, RateSlice } from "../../src/shared/http/rate-limit.ts";
import { rowsOf, run, statement, type Transact } from "./dialect.ts";

const NOW = "extract(epoch from clock_timestamp())";

/** Every expression of `set` sees the row as it was. A minute that is not the row's own begins with nothing taken. */
const LEASE = statement(
  () => `insert into rate_window as w (who, minute, taken, granted)
    values ($1, floor(${NOW} / 60)::bigint, least($2::int, $3::int), least($2::int, $3::int))
    on conflict (who) do update set
      minute = excluded.minute,
      granted = case when w.minute = excluded.minute then greatest(0, least($2::int, $3::int - w.taken)) else excluded.granted end,
      taken = case when w.minute = excluded.minute then greatest(w.taken, least(w.taken + $2::int, $3::int)) else excluded.taken end
    returning granted, taken, minute, ceil((60 - mod(${NOW}, 60)) * 1000)::int as ms_left`,
);
const SWEEP = statement(() => `delete from rate_window where minute < floor(${NOW} / 60)::bigint - 2`);

type Row = { readonly granted: number; readonly taken: number; readonly minute: number; readonly ms_left: number };

/** The budget on PostgreSQL. In transactions, so that it waits for a commit no longer than any other. */
export function rateBudget(transact: Transact): RateBudget {
  return {
    async lease(who, slice, limit): Promise<RateSlice> {
      const [row] = await transact((session) => rowsOf<Row>(session, LEASE, [who, slice, limit]));
      if (row === undefined) throw new RangeError(`No row of the rate window came back for "${who}"`);
      return { granted: row.granted, taken: row.taken, minute: row.minute, msLeft: row.ms_left };
    },
    async sweep() {
      await transact((session) => run(session, SWEEP));
    },
  };
}
