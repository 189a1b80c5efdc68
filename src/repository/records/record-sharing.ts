// With whom a record is shared (R2e, R15): accounts that read and edit it and its versions, and do not delete it. Its owner and administrators say so.
import type { Viewer } from "../../auth/account.ts";
import { isObject, memberOf } from "../../shared/fields.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { ItemParent } from "../model/item.ts";
import { may } from "../model/policy.ts";
import {
  type FieldError,
  invalidRecord,
  permissionDenied,
  RECORD_SENTENCES,
  unknownRecord,
} from "../model/record-refusals.ts";
import type { RepositoryWriter } from "../store/store.ts";
import type { RecordsNeeds } from "./record-needs.ts";
import { mayEditRecord } from "./record-reading.ts";
import type { recordWriting } from "./record-writing.ts";

/** The one permission that can be given: reading and editing. */
const PERMISSION = "edit";
const SHARED_MAX = 1_000;

export const recordSharing = (
  { store, clock }: RecordsNeeds,
  { change }: Pick<ReturnType<typeof recordWriting>, "change">,
) => {
  /** Whom the record may be shared by: nobody else learns with whom. */
  function requireSharing(viewer: Viewer, state: string, parent: ItemParent): void {
    if (may(viewer, "item.share", parent)) return;
    throw state === "draft" && !mayEditRecord(viewer, parent) ? unknownRecord() : permissionDenied();
  }

  async function shared(viewer: Viewer, id: number): Promise<readonly number[]> {
    const found = await store.items.outline(id);
    if (found === null) throw unknownRecord();
    requireSharing(viewer, found.item.state, found.parent);
    return found.parent.shared;
  }

  const changeShares = (
    viewer: Viewer,
    id: number,
    next: (tx: RepositoryWriter, parent: ItemParent) => Promise<readonly number[]>,
  ): Promise<readonly number[]> =>
    change(viewer, async (tx, now) => {
      const found = await tx.items.lockItem(id);
      if (found === null) throw unknownRecord();
      requireSharing(now, found.item.state, found.parent);
      const accounts = [...new Set(await next(tx, found.parent))].sort((a, b) => a - b);
      if (accounts.length > SHARED_MAX) {
        throw new Refusal("invalid", `A record is shared with ${SHARED_MAX} accounts at most.`);
      }
      await tx.items.share(found.parent.id, accounts);
      await tx.audit(now, clock.now(), [{ action: "item.share", subject: `item:${id}`, detail: { with: accounts } }]);
      return accounts;
    });

  return {
    shared,
    /** `{grants: [{subject: {type: "user", id}, permission: "edit"}]}`: gives back those that were added. */
    async share(viewer: Viewer, id: number, body: unknown): Promise<readonly number[]> {
      let added: readonly number[] = [];
      await changeShares(viewer, id, async (tx, parent) => {
        added = await readGrants(tx, body, parent);
        return [...parent.shared, ...added];
      });
      return added;
    },

    async unshare(viewer: Viewer, id: number, account: number): Promise<void> {
      await changeShares(viewer, id, async (_, { shared: before }) => {
        if (!before.includes(account)) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
        return before.filter((each) => each !== account);
      });
    },
  };
};

async function readGrants(tx: RepositoryWriter, body: unknown, { owner }: ItemParent): Promise<readonly number[]> {
  const grants = isObject(body) ? memberOf(body, "grants") : undefined;
  if (grants === undefined) throw invalidRecord([{ field: "grants", messages: [RECORD_SENTENCES.missing] }]);
  if (!Array.isArray(grants) || grants.length === 0 || grants.length > SHARED_MAX) {
    throw invalidRecord([{ field: "grants", messages: ["Not a valid list."] }]);
  }
  const errors: FieldError[] = [];
  const accounts: number[] = [];
  for (const [at, grant] of grants.entries()) {
    const wrong = (field: string, message: string) =>
      errors.push({ field: `grants.${at}.${field}`, messages: [message] });
    const subject = isObject(grant) ? memberOf(grant, "subject") : undefined;
    const [type, id] = isObject(subject) ? [memberOf(subject, "type"), memberOf(subject, "id")] : [];
    const permission = isObject(grant) ? memberOf(grant, "permission") : undefined;
    if (type !== "user") wrong("subject.type", "Must be one of: user.");
    if (permission !== PERMISSION) wrong("permission", `Must be one of: ${PERMISSION}.`);
    const account = accountId(id);
    const known = account === null || account === owner ? null : await tx.accounts.account(account);
    if (known === null || !known.active) wrong("subject.id", "There is no such user to share with.");
    else accounts.push(known.id);
  }
  if (errors.length > 0) throw invalidRecord(errors);
  return accounts;
}

/** The number of an account as a text or number; null for anything else. */
export function accountId(value: unknown): number | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** One grant as the interface writes it. */
export function grantJson(record: number, account: number, baseUrl: string) {
  const subject = { type: "user", id: String(account) };
  return {
    id: String(account),
    subject,
    permission: PERMISSION,
    origin: null,
    links: { self: `${baseUrl}/api/records/${record}/access/users/${account}` },
  };
}
