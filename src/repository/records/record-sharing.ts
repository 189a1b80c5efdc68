// The accounts and groups with whom a record is shared, and for what (R2e, R15, R37): they view, preview, edit or
// manage it and its versions. Its owner, accounts that manage it and administrators decide.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { permissionDenied, RECORD_SENTENCES, sentRecord, unknownRecord } from "../../model/input/record-refusals.ts";
import { type Grant, type ItemParent, PERMISSIONS, type Permission } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import {
  type Field,
  object,
  oneOf,
  refined,
  type Sent,
  sequenceOf,
  unread,
  type ValueOf,
} from "../../shared/fields.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import { isObject, memberOf } from "../../shared/objects.ts";
import { Refusal } from "../../shared/refusal.ts";
import { manyOf, wordOf } from "../../shared/shapes.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { mayEditRecord, type RecordsNeeds } from "./record-reading.ts";
import type { RecordWriting } from "./record-writing.ts";

const SUBJECTS = ["user", "role"] as const;
const SHARED_MAX = 1_000;

/** Who has a grant: one grant each. */
export type GrantSubject = Pick<Grant, "subject" | "id">;

type ChangedGrant = Sent<ValueOf<typeof CHANGED_GRANT>>;

const isOf =
  ({ subject, id }: GrantSubject) =>
  (grant: Grant): boolean =>
    grant.subject === subject && grant.id === id;

export interface RecordSharing {
  grants(viewer: Viewer, id: ItemId): Promise<readonly Grant[]>;
  grant(viewer: Viewer, id: ItemId, subject: GrantSubject): Promise<Grant>;
  /** Returns the grants of the body. An earlier grant of the same subject is replaced. */
  share(viewer: Viewer, id: ItemId, body: Sent<unknown>): Promise<readonly Grant[]>;
  changeGrant(viewer: Viewer, id: ItemId, subject: GrantSubject, body: ChangedGrant): Promise<Grant>;
  unshare(viewer: Viewer, id: ItemId, subject: GrantSubject): Promise<void>;
}

export const recordSharing = (
  { store, clock }: RecordsNeeds,
  { change }: Pick<RecordWriting, "change">,
): RecordSharing => {
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
      const known = grantsOf(found.parent)
        .filter(isOfUser)
        .map((grant) => grant.id);
      const added = all.filter(isOfUser).flatMap((grant) => (known.includes(grant.id) ? [] : [grant.id]));
      const detail = {
        added,
        with: editors,
        grants: others.map(({ subject, id, permission }) => [subject, id, permission]),
      };
      await tx.audit(now, clock.now(), [{ action: "item.share", subject: `item:${id}`, detail }]);
    });

  return {
    grants,

    async grant(viewer: Viewer, id: ItemId, subject: GrantSubject): Promise<Grant> {
      return (await grants(viewer, id)).find(isOf(subject)) ?? unknownGrant();
    },
    async share(viewer: Viewer, id: ItemId, body: Sent<unknown>): Promise<readonly Grant[]> {
      let added: readonly Grant[] = [];
      await changeGrants(viewer, id, async (tx, before, parent) => {
        added = await readGrants(tx, body(), parent);
        return [...before.filter((grant) => !added.some(isOf(grant))), ...added];
      });
      return added;
    },
    async changeGrant(viewer: Viewer, id: ItemId, subject: GrantSubject, body: ChangedGrant): Promise<Grant> {
      let changed: Grant | null = null;
      await changeGrants(viewer, id, async (_, before) => {
        if (!before.some(isOf(subject))) unknownGrant();
        const next = { ...subject, permission: body().permission };
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

/** Whom the record may be shared by: nobody else learns with whom. @throws Refusal not_found, forbidden */
export function requireSharing(viewer: Viewer, state: string, parent: ItemParent): void {
  if (may(viewer, "item.share", parent)) return;
  const isKnown = mayEditRecord(viewer, parent) || may(viewer, "item.preview", parent);
  throw state === "draft" && !isKnown ? unknownRecord() : permissionDenied();
}

function unknownGrant(): never {
  throw new Refusal("not_found", RECORD_SENTENCES.notFound);
}

const isOfUser = ({ subject }: Grant): boolean => subject === "user";

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

const PERMISSION = oneOf(PERMISSIONS, { description: "view, preview (drafts too), edit or manage (sharing too)" });

/** Another right for those who have one. */
export const CHANGED_GRANT = object({ permission: PERMISSION }, { others: "ignored", $id: "ChangedGrant" });

const SUBJECT_ID: Field<number> = {
  schema: Type.Union([Type.String(), Type.Integer()], { description: "Number of the user or group" }),
  read: (value, path) => subjectId(value) ?? unknownSubject(path),
};

function unknownSubject(path: string, kind: Grant["subject"] = "user"): never {
  throw faultSentence(path, `There is no such ${kind === "role" ? "group" : "user"} to share with.`);
}

/** `isThere`: whether a record can be shared with it. */
const grantsWith = (isThere: (subject: GrantSubject) => boolean) => {
  const subject = refined(object({ type: oneOf(SUBJECTS), id: SUBJECT_ID }, { others: "ignored" }), (sent, path) => {
    const named = { subject: sent.type, id: sent.id };
    return isThere(named) ? named : unknownSubject(`${path}.id`, sent.type);
  });
  const grants = sequenceOf(object({ subject, permission: PERMISSION }, { others: "ignored" }), SHARED_MAX);
  const filled = refined(grants, (all, path) => {
    if (all.length === 0) throw faultSentence(path, "Not a valid list.");
    return all;
  });
  return object({ grants: filled }, { others: "ignored", $id: "NewGrants" });
};

export const NEW_GRANTS = unread(grantsWith(() => true));

async function readGrants(tx: RepositoryWriter, sent: unknown, { owner }: ItemParent): Promise<readonly Grant[]> {
  const known = new Set<string>();
  for (const named of subjectsIn(sent)) if (await isThere(tx, named, owner)) known.add(keyOf(named));
  const { grants } = sentRecord(
    grantsWith((named) => known.has(keyOf(named))),
    sent,
  )();
  return [...new Map(grants.map(({ subject, permission }) => [keyOf(subject), { ...subject, permission }])).values()];
}

const keyOf = ({ subject, id }: GrantSubject): string => `${subject} ${id}`;

/** The users and groups that a body names, as far as it can be read. */
function subjectsIn(sent: unknown): readonly GrantSubject[] {
  const grants = isObject(sent) ? memberOf(sent, "grants") : undefined;
  return (Array.isArray(grants) ? grants : []).slice(0, SHARED_MAX).flatMap((grant: unknown) => {
    const named = isObject(grant) ? memberOf(grant, "subject") : undefined;
    const [type, id] = isObject(named) ? [memberOf(named, "type"), subjectId(memberOf(named, "id"))] : [];
    const subject = SUBJECTS.find((each) => each === type);
    return subject === undefined || id === null || id === undefined ? [] : [{ subject, id }];
  });
}

async function isThere(tx: RepositoryWriter, { subject, id }: GrantSubject, owner: AccountId): Promise<boolean> {
  if (subject === "role") return await tx.accounts.hasGroup(id);
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
export const GrantShape = Type.Object(
  {
    id: Type.String({ description: "Number of the user; of a group `role:` and its number" }),
    subject: Type.Object({ type: wordOf(SUBJECTS), id: Type.String() }),
    permission: wordOf(PERMISSIONS),
    origin: Type.Null(),
    links: Type.Object({ self: Type.String() }),
  },
  { $id: "Grant" },
);

export const GrantListShape = Type.Object(
  { hits: Type.Object({ total: Type.Integer(), hits: manyOf(GrantShape) }) },
  { $id: "GrantList" },
);

export function grantListJson(
  record: ItemId,
  grants: readonly Grant[],
  baseUrl: string,
): Static<typeof GrantListShape> {
  const hits = grants.map((grant) => grantJson(record, grant, baseUrl));
  return { hits: { total: hits.length, hits } };
}

export function grantJson(
  record: ItemId,
  { subject, id, permission }: Grant,
  baseUrl: string,
): Static<typeof GrantShape> {
  const under = subject === "user" ? "users" : "groups";
  return {
    id: subject === "user" ? String(id) : `${GROUP_PREFIX}${id}`,
    subject: { type: subject, id: String(id) },
    permission,
    origin: null,
    links: { self: `${baseUrl}/api/records/${record}/access/${under}/${id}` },
  };
}
