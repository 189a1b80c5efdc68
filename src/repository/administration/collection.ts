// The settings of one kind as the administration offers them, over the interface and on the command line (R17).

import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { ROLES, type Viewer } from "../../auth/account.ts";
import { may } from "../../model/rights/policy.ts";
import { changed, type Field, type Fields, type FieldValues, type ValueOf } from "../../shared/fields.ts";
import type { AccountId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { IgnoredShape, withoutLimits } from "../../shared/shapes.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";

/** A record as GET shows it; what PUT takes is a part of it. */
export type RecordOutput = { readonly [member: string]: unknown };

/** `Listed`: how lists show a record. */
export type Collection<Shown = RecordOutput, Listed = Shown> = {
  readonly list: () => Promise<readonly Listed[]>;
  /** @throws Refusal `not_found` */
  readonly read: (id: string) => Promise<Shown>;
  /** Changes what is sent. @throws Refusal `forbidden`, `not_found`, `invalid`, `conflict` */
  readonly update: (viewer: Viewer, id: string, sent: unknown) => Promise<Shown>;
};
/** Where records are made here. */
export type Creating<Shown = RecordOutput> = {
  /** @throws Refusal `forbidden`, `invalid`, `conflict` */
  readonly create: (viewer: Viewer, sent: unknown) => Promise<Shown>;
};
export type Removing = { readonly remove: (viewer: Viewer, id: string) => Promise<void> };

/** JSON that is checked elsewhere is of any shape. */
type ShownField<T> = object extends T ? unknown : T;

/** A kind of record, declared once: what can be set of it, and what only the repository sets (`own`). */
export function recordKind<F extends Fields, O extends TProperties>(name: string, fields: F, own: O) {
  const schemas = Object.fromEntries(Object.entries(fields).map(([member, { schema }]) => [member, schema]));
  const shown = Object.fromEntries(Object.entries(schemas).map(([member, schema]) => [member, withoutLimits(schema)]));
  const ignored = Object.keys(own);
  const ofRepository = Type.Optional(IgnoredShape);
  return {
    name,
    /** As answers show it. */
    shape: Type.Unsafe<Static<TObject<O>> & { readonly [K in keyof F]: ShownField<ValueOf<F[K]>> }>(
      Type.Object({ ...own, ...shown }, { $id: name }),
    ),
    /** What may be sent. A member that is left out stays, or is that of a new record: `read` finds what is wrong. */
    body: {
      schema: Type.Object(
        {
          ...Object.fromEntries(ignored.map((member) => [member, ofRepository])),
          ...Object.fromEntries(Object.entries(schemas).map(([member, schema]) => [member, Type.Optional(schema)])),
        },
        { $id: `${name}Input`, additionalProperties: false },
      ),
      read: (sent) => sent,
    } satisfies Field<unknown>,
    /** What a record becomes: what is sent over what it has. @throws FieldFault */
    read: (before: { readonly [K in keyof F]?: unknown }, sent: unknown): FieldValues<F> =>
      changed(fields, before, sent, ignored),
  };
}
type Kind = { readonly shape: TSchema };
export type CollectionOf<K extends Kind, Listed = Static<K["shape"]>> = Collection<Static<K["shape"]>, Listed>;
export type CreatingOf<K extends Kind> = Creating<Static<K["shape"]>>;
export type ReadRecord<Kind extends { readonly read: (...given: never[]) => unknown }> = ReturnType<Kind["read"]>;

export type AdministrationNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
};

/** Settings are a system administrator's (R17), by a token that allows everything (R6b). @throws Refusal `forbidden` */
export function requireSystemAdministrator(viewer: Viewer): void {
  if (may(viewer, "settings.change", null)) return;
  const why = viewer.roles.includes(ROLES.systemAdministrator)
    ? "this needs an access token that allows everything"
    : "only system administrators may do this";
  throw new Refusal("forbidden", `Permission denied: ${why}`);
}

export function missing(what: string, id: string | number): Refusal {
  return new Refusal("not_found", `There is no ${what} ${JSON.stringify(id).slice(0, 200)}`);
}

export function invalid(message: string): Refusal {
  return new Refusal("invalid", message);
}

/** A text that is not a number is the id of no entry. */
export function numberOf(id: string, what: string): number {
  const number = Number(id);
  if (/^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(number)) return number;
  throw missing(what, id);
}

/** Writes a line of the audit in the administrator's name. */
export type Audit = (action: string, subject: string, detail?: Readonly<Record<string, unknown>>) => Promise<void>;

/** One change by an administrator, with its line in the audit. */
export function change<T>(
  needs: AdministrationNeeds,
  viewer: Viewer,
  work: (tx: RepositoryWriter, at: Instant, audit: Audit, viewer: Viewer) => Promise<T>,
): Promise<T> {
  const { clock } = needs;
  requireSystemAdministrator(viewer);
  return writeAs(needs, viewer, async (tx, now) => {
    requireSystemAdministrator(now);
    const at = clock.now();
    // Each change reads before it writes. This lock keeps two of them apart, and what they name in place: indexes do
    // not go meanwhile.
    await tx.indexes.lockTree();
    const audit: Audit = (action, subject, detail = {}) => tx.audit(now, at, [{ action, subject, detail }]);
    return await work(tx, at, audit, now);
  });
}

/**
 * `before`: the index stored so far; null counts for one that was deleted since (R16a).
 *
 * @throws Refusal `invalid` unless a live index has this id
 */
export async function requireIndex(
  tx: RepositoryWriter,
  id: number | null,
  member: string,
  before: number | null = null,
): Promise<void> {
  if (id === null || id === before || (await tx.indexes.lineage(id)).length > 0) return;
  throw invalid(`${member}: index ${id} does not exist`);
}

export async function requireAccounts(tx: RepositoryWriter, ids: readonly AccountId[], member: string): Promise<void> {
  const known = new Set((await tx.accounts.accounts(ids)).map(({ id }) => id));
  const stray = ids.find((id) => !known.has(id));
  if (stray !== undefined) throw invalid(`${member}: account ${stray} does not exist`);
}

export async function requireItemType(tx: RepositoryWriter, id: number, member: string) {
  const stored = await tx.settings.itemType(id);
  if (stored === null || stored.deleted) throw invalid(`${member}: item type ${id} does not exist`);
  return stored;
}
