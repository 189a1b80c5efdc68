// The accounts and groups with whom a record is shared, and for what (R2e, R15, R37): they view, preview, edit or
// manage it and its versions. Its owner, accounts that manage it and administrators decide.
import type { Viewer } from "../../auth/account.ts";
import {
  type FieldError,
  invalidRecord,
  permissionDenied,
  RECORD_SENTENCES,
  unknownRecord,
} from "../../model/input/record-refusals.ts";
import { type Grant, type ItemParent, PERMISSIONS, type Permission } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import { isObject, memberOf } from "../../shared/fields.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { mayEditRecord, type RecordsNeeds } from "./record-reading.ts";
import type { RecordWriting } from "./record-writing.ts";

const SUBJECTS = ["user", "role"] as const;
const SHARED_MAX = 1_000;

/** Who has a grant: one grant each. */
export type GrantSubject = Pick<Grant, "subject" | "id">;

const isOf =
  ({ subject, id }: GrantSubject) =>
  (grant: Grant): boolean =>
    grant.subject === subject && grant.id === id;

export interface RecordSharing {
  grants(viewer: Viewer, id: ItemId): Promise<readonly Grant[]>;
  grant(viewer: Viewer, id: ItemId, subject: GrantSubject): Promise<Grant>;
  /**
   * `{grants: [{subject: {type: "user" | "role", id}, permission}]}`: returns those of the body. An earlier grant of
   * the same subject is replaced.
   */
  share(viewer: Viewer, id: ItemId, body: unknown): Promise<readonly Grant[]>;
  /** `{permission}` for a subject that has a grant. */
  changeGrant(viewer: Viewer, id: ItemId, subject: GrantSubject, body: unknown): Promise<Grant>;
  unshare(viewer: Viewer, id: ItemId, subject: GrantSubject): Promise<void>;
}

export const recordSharing = (
  { store, clock }: RecordsNeeds,
  { change }: Pick<RecordWriting, "change">,
): RecordSharing => {
  /** Whom the record may be shared by: nobody else learns with whom. */
  function requireSharing(viewer: Viewer, state: string, parent: ItemParent): void {
    if (may(viewer, "item.share", parent)) return;
    const isKnown = mayEditRecord(viewer, parent) || may(viewer, "item.preview", parent);
    throw state === "draft" && !isKnown ? unknownRecord() : permissionDenied();
  }

  async function grants(viewer: Viewer, id: ItemId): Promise<readonly Grant[]> {
    const found = await store.items.outline(id);
    if (found === null) throw unknownRecord();
    requireSharing(viewer, found.item.state, found.parent);
    return grantsOf(found.parent);
  }

  /** `next`: all grants there are to be. */
  const changeGrants = (
    viewer: Viewer,
    id: ItemId,
    next: (tx: RepositoryWriter, before: readonly Grant[], parent: ItemParent) => Promise<readonly Grant[]>,
  ): Promise<void> =>
    change(viewer, async (tx, now) => {
      const found = await tx.items.lockItem(id);
      if (found === null) throw unknownRecord();
      requireSharing(now, found.item.state, found.parent);
      const all = await next(tx, grantsOf(found.parent), found.parent);
      if (all.length > SHARED_MAX) {
        throw new Refusal("invalid", `A record is shared with ${SHARED_MAX} users and groups at most.`);
      }
      const editors = all.filter(isOfEditor).map((grant) => grant.id);
      const others = all.filter(({ subject, permission }) => subject !== "user" || permission !== "edit");
      await tx.items.share(found.parent.id, editors);
      await tx.items.setGrants(found.parent.id, others);
      const detail = { with: editors, grants: others.map(({ subject, id, permission }) => [subject, id, permission]) };
      await tx.audit(now, clock.now(), [{ action: "item.share", subject: `item:${id}`, detail }]);
    });

  return {
    grants,

    async grant(viewer: Viewer, id: ItemId, subject: GrantSubject): Promise<Grant> {
      return (await grants(viewer, id)).find(isOf(subject)) ?? unknownGrant();
    },
    async share(viewer: Viewer, id: ItemId, body: unknown): Promise<readonly Grant[]> {
      let added: readonly Grant[] = [];
      await changeGrants(viewer, id, async (tx, before, parent) => {
        added = await readGrants(tx, body, parent);
        return [...before.filter((grant) => !added.some(isOf(grant))), ...added];
      });
      return added;
    },
    async changeGrant(viewer: Viewer, id: ItemId, subject: GrantSubject, body: unknown): Promise<Grant> {
      let changed: Grant | null = null;
      await changeGrants(viewer, id, async (_, before) => {
        if (!before.some(isOf(subject))) unknownGrant();
        const next = { ...subject, permission: readPermission(body) };
        changed = next;
        return before.map((grant) => (isOf(subject)(grant) ? next : grant));
      });
      return changed ?? unknownGrant();
    },

    async unshare(viewer: Viewer, id: ItemId, subject: GrantSubject): Promise<void> {
      await changeGrants(viewer, id, async (_, before) => {
        if (!before.some(isOf(subject))) unknownGrant();
        return before.filter((grant) => !isOf(subject)(grant));
      });
    },
  };
};

function unknownGrant(): never {
  throw new Refusal("not_found", RECORD_SENTENCES.notFound);
}

/** Accounts that edit; who manages does that too. */
const isOfEditor = ({ subject, permission }: Grant): boolean =>
  subject === "user" && (permission === "edit" || permission === "manage");

/** All grants of a record, users before groups. */
function grantsOf({ shared, grants = [] }: ItemParent): readonly Grant[] {
  const users = new Map<number, Permission>(shared.map((id) => [id, "edit"]));
  for (const { subject, id, permission } of grants) if (subject === "user") users.set(id, permission);
  return [
    ...[...users].map(([id, permission]): Grant => ({ subject: "user", id, permission })),
    ...grants.filter(({ subject }) => subject === "role"),
  ].sort((one, other) => Number(one.subject === "role") - Number(other.subject === "role") || one.id - other.id);
}

const permissionIn = (value: unknown): Permission | undefined => PERMISSIONS.find((each) => each === value);
const ONE_PERMISSION = `Must be one of: ${PERMISSIONS.join(", ")}.`;

function readPermission(body: unknown): Permission {
  const sent = isObject(body) ? memberOf(body, "permission") : undefined;
  const permission = permissionIn(sent);
  if (permission !== undefined) return permission;
  throw invalidRecord([
    { field: "permission", messages: [sent === undefined ? RECORD_SENTENCES.missing : ONE_PERMISSION] },
  ]);
}

async function readGrants(tx: RepositoryWriter, body: unknown, { owner }: ItemParent): Promise<readonly Grant[]> {
  const grants = isObject(body) ? memberOf(body, "grants") : undefined;
  if (grants === undefined) throw invalidRecord([{ field: "grants", messages: [RECORD_SENTENCES.missing] }]);
  if (!Array.isArray(grants) || grants.length === 0 || grants.length > SHARED_MAX) {
    throw invalidRecord([{ field: "grants", messages: ["Not a valid list."] }]);
  }
  const errors: FieldError[] = [];
  const read = new Map<string, Grant>();
  for (const [at, grant] of grants.entries()) {
    const wrong = (field: string, message: string) =>
      errors.push({ field: `grants.${at}.${field}`, messages: [message] });
    const subject = isObject(grant) ? memberOf(grant, "subject") : undefined;
    const [type, id] = isObject(subject) ? [memberOf(subject, "type"), memberOf(subject, "id")] : [];
    const kind = SUBJECTS.find((each) => each === type);
    if (kind === undefined) wrong("subject.type", `Must be one of: ${SUBJECTS.join(", ")}.`);
    const permission = permissionIn(isObject(grant) ? memberOf(grant, "permission") : undefined);
    if (permission === undefined) wrong("permission", ONE_PERMISSION);
    const number = subjectId(id);
    if (number === null || kind === undefined || !(await isThere(tx, kind, number, owner))) {
      wrong("subject.id", `There is no such ${kind === "role" ? "group" : "user"} to share with.`);
    } else if (permission !== undefined) read.set(`${kind} ${number}`, { subject: kind, id: number, permission });
  }
  if (errors.length > 0) throw invalidRecord(errors);
  return [...read.values()];
}

async function isThere(tx: RepositoryWriter, kind: Grant["subject"], id: number, owner: AccountId): Promise<boolean> {
  if (kind === "role") return await tx.accounts.hasGroup(id);
  return id !== owner && (await tx.accounts.account(id))?.active === true;
}

/** The number of an account or a group as a text or number; null for anything else. */
export function subjectId(value: unknown): number | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** A grant by the name it has among all grants of a record; null for what names none. */
export function grantNamed(name: string): GrantSubject | null {
  const isGroup = name.startsWith(GROUP_PREFIX);
  const id = subjectId(isGroup ? name.slice(GROUP_PREFIX.length) : name);
  return id === null ? null : { subject: isGroup ? "role" : "user", id };
}

const GROUP_PREFIX = "role:";

/** One grant as the interface writes it. */
export function grantJson(record: ItemId, { subject, id, permission }: Grant, baseUrl: string) {
  const under = subject === "user" ? "users" : "groups";
  return {
    id: subject === "user" ? String(id) : `${GROUP_PREFIX}${id}`,
    subject: { type: subject, id: String(id) },
    permission,
    origin: null,
    links: { self: `${baseUrl}/api/records/${record}/access/${under}/${id}` },
  };
}
