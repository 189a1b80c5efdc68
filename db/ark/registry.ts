// NAANs, organisations and shoulders: the registered things names live under (A6, A21, A31b).

import type { Naan, Organisation, RegisteredThings, Shoulder } from "../../src/ark/record.ts";
import { rowsOf, run, type Session, statement, textList, type Words } from "../engine/dialect.ts";
import { allRows, flag, rowsAs, rowsIn } from "../engine/record.ts";
import type { NaanTable, OrganisationTable, ShoulderTable } from "../engine/schema.ts";

const NAAN = rowsAs<NaanTable, Naan>({
  naan: "naan",
  authoritative: flag("authoritative"),
  name: "name",
  policy: "policy",
  policyUrl: "policy_url",
  redirect: "redirect",
  minter: "minter",
  holdUntil: "hold_until",
  holdReason: "hold_reason",
});
const ORGANISATION = rowsAs<OrganisationTable, Organisation>({
  id: "id",
  naan: "naan",
  name: "name",
  defaultShoulder: "default_shoulder",
  commitmentLevel: "commitment_level",
  quotaPerDay: "quota_per_day",
  active: flag("active"),
});
const SHOULDER = rowsAs<ShoulderTable, Shoulder>({
  naan: "naan",
  shoulder: "shoulder",
  organisationId: "organisation_id",
  status: "status",
  minter: "minter",
  about: "about",
  redirect: "redirect",
  checked: flag("checked"),
  importOnly: flag("import_only"),
  bladeLength: "blade_length",
  holdUntil: "hold_until",
  holdReason: "hold_reason",
});
const NAMED = {
  naans: `select ${NAAN.list} from naan order by naan`,
  organisations: `select ${ORGANISATION.list} from organisation order by naan, name`,
};
const NAANS = statement(() => NAMED.naans);
const ORGANISATIONS = statement(() => NAMED.organisations);
const SHOULDERS = statement(() => `select ${SHOULDER.list} from shoulder order by naan, shoulder`);
const SHOULDERS_OF = statement(
  (words) => `select ${SHOULDER.list} from shoulder where naan ${words.inList("$1")} order by naan, shoulder`,
);
// Row locks that let the foreign keys of shoulders and credentials through.
const LOCK_ORGANISATIONS = statement(
  (words) => `select ${ORGANISATION.list} from organisation
    where id in (select cast(value as bigint) from ${words.listTable("$1")}) order by id ${words.forNoKeyUpdate}`,
);

const registeredWith = (shoulders: (words: Words) => string) =>
  statement(
    (words) => `select ${words.jsonRows(NAAN.names, NAMED.naans)} as naans,
      ${words.jsonRows(ORGANISATION.names, NAMED.organisations)} as organisations,
      ${words.jsonRows(SHOULDER.names, `select ${SHOULDER.list} from shoulder ${shoulders(words)} order by naan, shoulder`)} as shoulders`,
  );
const REGISTERED = registeredWith(() => "");
const REGISTERED_OF = registeredWith((words) => `where naan ${words.inList("$1")}`);

/** All of them by one question. */
export async function readRegistered(session: Session, naans?: readonly string[]): Promise<RegisteredThings> {
  type Row = { readonly [Name in keyof RegisteredThings]: string };
  const [row] =
    naans === undefined
      ? await rowsOf<Row>(session, REGISTERED)
      : await rowsOf<Row>(session, REGISTERED_OF, [textList(session, naans)]);
  if (row === undefined) throw new RangeError("A question about registered things was left without an answer");
  return {
    naans: rowsIn<object>(NAAN.names, row.naans).map(NAAN.read),
    organisations: rowsIn<object>(ORGANISATION.names, row.organisations).map(ORGANISATION.read),
    shoulders: rowsIn<object>(SHOULDER.names, row.shoulders).map(SHOULDER.read),
  };
}

export function readNaans(session: Session): Promise<readonly Naan[]> {
  return allRows(session, NAANS, [], NAAN.read);
}

export function readOrganisations(session: Session): Promise<readonly Organisation[]> {
  return allRows(session, ORGANISATIONS, [], ORGANISATION.read);
}

export function readShoulders(session: Session, naans?: readonly string[]): Promise<readonly Shoulder[]> {
  if (naans === undefined) return allRows(session, SHOULDERS, [], SHOULDER.read);
  return allRows(session, SHOULDERS_OF, [textList(session, naans)], SHOULDER.read);
}

export async function lockOrganisations(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Organisation>> {
  const locked = await allRows(session, LOCK_ORGANISATIONS, [textList(session, ids.map(String))], ORGANISATION.read);
  return new Map(locked.map((organisation) => [organisation.id, organisation]));
}

/**
 * The values that differ from the row that is there: a role that may change some columns only must not name the others.
 */
function differing<Values extends object>(row: object, values: Values): Partial<Values> | null {
  const known = new Map<string, unknown>(Object.entries(row));
  const entries = Object.entries(values).filter(([column, value]) => known.get(column) !== value);
  // Some of the columns of `values`, with their values.
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Partial<Values>);
}

export async function saveNaan({ db }: Session, naan: Naan): Promise<void> {
  const { naan: number, ...values } = NAAN.write(naan);
  const row = await db.selectFrom("naan").selectAll().where("naan", "=", number).executeTakeFirst();
  if (row !== undefined) {
    const changed = differing(row, values);
    if (changed !== null) await db.updateTable("naan").set(changed).where("naan", "=", number).execute();
    return;
  }
  await db
    .insertInto("naan")
    .values({ naan: number, ...values })
    .onConflict((conflict) => conflict.column("naan").doUpdateSet(values))
    .execute();
}

export async function saveOrganisation({ db }: Session, organisation: Organisation): Promise<number> {
  const { id, ...values } = ORGANISATION.write(organisation);
  if (id === 0) {
    return (await db.insertInto("organisation").values(values).returning("id").executeTakeFirstOrThrow()).id;
  }
  const saved = await db
    .updateTable("organisation")
    .set(values)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  if (saved === undefined) throw new RangeError(`Cannot save organisation ${id}: there is none`);
  return saved.id;
}

export async function saveShoulder(session: Session, shoulder: Shoulder): Promise<void> {
  const { db } = session;
  const { naan, shoulder: name, blade_length: bladeLength, ...values } = SHOULDER.write(shoulder);
  const row = await db
    .selectFrom("shoulder")
    .selectAll()
    .where("naan", "=", naan)
    .where("shoulder", "=", name)
    .executeTakeFirst();
  if (row !== undefined) {
    const changed = differing(row, values);
    const update = db.updateTable("shoulder").where("naan", "=", naan).where("shoulder", "=", name);
    if (changed !== null) await update.set(changed).execute();
    await growBlade(session, naan, name, bladeLength);
    return;
  }
  await db
    .insertInto("shoulder")
    .values({ naan, shoulder: name, blade_length: bladeLength, ...values })
    .onConflict((conflict) =>
      conflict.columns(["naan", "shoulder"]).doUpdateSet((expression) => ({
        ...values,
        blade_length: expression
          .case()
          .when("shoulder.blade_length", "<", bladeLength)
          .then(bladeLength)
          .else(expression.ref("shoulder.blade_length"))
          .end(),
      })),
    )
    .execute();
}

const GROW = statement(
  () => "update shoulder set blade_length = $3 where naan = $1 and shoulder = $2 and blade_length < $3",
);

export async function growBlade(session: Session, naan: string, shoulder: string, bladeLength: number): Promise<void> {
  await run(session, GROW, [naan, shoulder, bladeLength]);
}
