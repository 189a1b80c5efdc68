// NAANs, organisations and shoulders: the registered things names live under (A6, A21, A31b).

import type { CommitmentLevel } from "../../src/ark/record.ts";
import type { Naan, Organisation, Shoulder, ShoulderStatus } from "../../src/ark/registered-things.ts";
import { rowsOf, run, type Session, statement, textList } from "../engine/dialect.ts";
import type { NaanTable, OrganisationTable, ShoulderTable } from "../engine/schema.ts";

type OrganisationRow = Omit<OrganisationTable, "id"> & { readonly id: number };

function toNaan(row: NaanTable): Naan {
  return {
    naan: row.naan,
    authoritative: row.authoritative === 1,
    name: row.name,
    policy: row.policy,
    policyUrl: row.policy_url,
    redirect: row.redirect,
    minter: row.minter,
    holdUntil: row.hold_until,
    holdReason: row.hold_reason,
  };
}

function toOrganisation(row: OrganisationRow): Organisation {
  return {
    id: row.id,
    naan: row.naan,
    name: row.name,
    defaultShoulder: row.default_shoulder,
    // Written by saveOrganisation only.
    commitmentLevel: row.commitment_level as CommitmentLevel,
    quotaPerDay: row.quota_per_day,
    active: row.active === 1,
  };
}

function toShoulder(row: ShoulderTable): Shoulder {
  return {
    naan: row.naan,
    shoulder: row.shoulder,
    organisationId: row.organisation_id,
    // The table's check allows no other values.
    status: row.status as ShoulderStatus,
    minter: row.minter,
    about: row.about,
    redirect: row.redirect,
    checked: row.checked === 1,
    importOnly: row.import_only === 1,
    bladeLength: row.blade_length,
    holdUntil: row.hold_until,
    holdReason: row.hold_reason,
  };
}

const NAAN = "naan, authoritative, name, policy, policy_url, redirect, minter, hold_until, hold_reason";
const ORGANISATION = "id, naan, name, default_shoulder, commitment_level, quota_per_day, active";
const SHOULDER = `naan, shoulder, organisation_id, status, minter, about, redirect, checked, import_only, blade_length,
  hold_until, hold_reason`;
const NAANS = statement(() => `select ${NAAN} from naan order by naan`);
const ORGANISATIONS = statement(() => `select ${ORGANISATION} from organisation order by naan, name`);
const SHOULDERS = statement(() => `select ${SHOULDER} from shoulder order by naan, shoulder`);
const SHOULDERS_OF = statement(
  (words) => `select ${SHOULDER} from shoulder where naan ${words.inList("$1")} order by naan, shoulder`,
);
// Row locks that let the foreign keys of shoulders and credentials through.
const LOCK_ORGANISATIONS = statement(
  (words) => `select ${ORGANISATION} from organisation
    where id in (select cast(value as bigint) from ${words.listTable("$1")}) order by id ${words.forNoKeyUpdate}`,
);

export async function readNaans(session: Session): Promise<readonly Naan[]> {
  return (await rowsOf<NaanTable>(session, NAANS)).map(toNaan);
}

export async function readOrganisations(session: Session): Promise<readonly Organisation[]> {
  return (await rowsOf<OrganisationRow>(session, ORGANISATIONS)).map(toOrganisation);
}

export async function readShoulders(session: Session, naans?: readonly string[]): Promise<readonly Shoulder[]> {
  const rows =
    naans === undefined
      ? await rowsOf<ShoulderTable>(session, SHOULDERS)
      : await rowsOf<ShoulderTable>(session, SHOULDERS_OF, [textList(session, naans)]);
  return rows.map(toShoulder);
}

export async function lockOrganisations(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Organisation>> {
  const rows = await rowsOf<OrganisationRow>(session, LOCK_ORGANISATIONS, [textList(session, ids.map(String))]);
  return new Map(rows.map((row) => [row.id, toOrganisation(row)]));
}

/** The values that differ from the row that is there: a role that may change some columns only must not name the others. */
function differing<Values extends object>(row: object, values: Values): Partial<Values> | null {
  const known = new Map<string, unknown>(Object.entries(row));
  const entries = Object.entries(values).filter(([column, value]) => known.get(column) !== value);
  // Some of the columns of `values`, with their values.
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Partial<Values>);
}

export async function saveNaan({ db }: Session, naan: Naan): Promise<void> {
  const values = {
    authoritative: naan.authoritative ? 1 : 0,
    name: naan.name,
    policy: naan.policy,
    policy_url: naan.policyUrl,
    redirect: naan.redirect,
    minter: naan.minter,
    hold_until: naan.holdUntil,
    hold_reason: naan.holdReason,
  };
  const row = await db.selectFrom("naan").selectAll().where("naan", "=", naan.naan).executeTakeFirst();
  if (row !== undefined) {
    const changed = differing(row, values);
    if (changed !== null) await db.updateTable("naan").set(changed).where("naan", "=", naan.naan).execute();
    return;
  }
  await db
    .insertInto("naan")
    .values({ naan: naan.naan, ...values })
    .onConflict((conflict) => conflict.column("naan").doUpdateSet(values))
    .execute();
}

export async function saveOrganisation({ db }: Session, organisation: Organisation): Promise<number> {
  const values = {
    naan: organisation.naan,
    name: organisation.name,
    default_shoulder: organisation.defaultShoulder,
    commitment_level: organisation.commitmentLevel,
    quota_per_day: organisation.quotaPerDay,
    active: organisation.active ? 1 : 0,
  };
  if (organisation.id === 0) {
    return (await db.insertInto("organisation").values(values).returning("id").executeTakeFirstOrThrow()).id;
  }
  const saved = await db
    .updateTable("organisation")
    .set(values)
    .where("id", "=", organisation.id)
    .returning("id")
    .executeTakeFirst();
  if (saved === undefined) throw new RangeError(`Cannot save organisation ${organisation.id}: there is none`);
  return saved.id;
}

export async function saveShoulder(session: Session, shoulder: Shoulder): Promise<void> {
  const { db } = session;
  const values = {
    organisation_id: shoulder.organisationId,
    status: shoulder.status,
    minter: shoulder.minter,
    about: shoulder.about,
    redirect: shoulder.redirect,
    checked: shoulder.checked ? 1 : 0,
    import_only: shoulder.importOnly ? 1 : 0,
    hold_until: shoulder.holdUntil,
    hold_reason: shoulder.holdReason,
  };
  const { naan, shoulder: name, bladeLength } = shoulder;
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
