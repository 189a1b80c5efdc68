// The audit, as administrators read it (R17): who did what to what, when and from where, newest first.

import { type Static, Type } from "@sinclair/typebox";
import type { Sent } from "../../shared/fields.ts";
import { MomentShape, membersOf } from "../../shared/shapes.ts";
import type { AuditEntry, AuditPlace } from "../store/audit.ts";
import type { RepositoryStore } from "../store/store.ts";
import { listQuery, moment, number, pageShape, text } from "./list-parameters.ts";

const AuditShape = Type.Object(
  {
    id: Type.Integer(),
    at: MomentShape,
    account: Type.Union([Type.Integer(), Type.Null()], { description: "Null: the program itself, or a guest" }),
    client: Type.String({ description: "client_id of the token; empty for sessions, `(operator)` for commands" }),
    address: Type.String(),
    action: Type.String({ examples: ["item.publish"] }),
    subject: Type.String({ examples: ["item:12"] }),
    detail: membersOf(Type.Unknown()),
  },
  { $id: "AuditEntry" },
);
export const AuditPage = pageShape(AuditShape, "AuditPage");

export const AUDIT_QUERY = listQuery(
  {
    account: number(Number.MAX_SAFE_INTEGER, "Done by this account: its number"),
    client: text("Done with this client_id"),
    action: text("This action only"),
    subject: text("Done to this only, such as `item:12`"),
    since: moment("At or after this day or moment"),
    until: moment("Before this day or moment"),
  },
  placeOf,
);

export type AuditLog = {
  /** @throws Refusal `invalid` */
  readonly list: (sent: Sent<ReturnType<typeof AUDIT_QUERY.read>>) => Promise<Static<typeof AuditPage>>;
};

export const auditLog = ({ store }: { readonly store: Pick<RepositoryStore, "listEvents"> }): AuditLog => ({
  async list(sent) {
    const { filter, limit, place } = sent();
    const { entries, next } = await store.listEvents(filter, place, limit);
    return { items: entries.map(shown), next: next === null ? null : `${next.at}_${next.id}` };
  },
});

function placeOf(cursor: string): AuditPlace | null {
  const [, at, id] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)_([1-9]\d{0,14})$/.exec(cursor) ?? [];
  return at === undefined ? null : { at, id: Number(id) };
}

const shown = (entry: AuditEntry): Static<typeof AuditShape> => ({
  id: entry.id,
  at: entry.at,
  account: entry.accountId,
  client: entry.clientId,
  address: entry.address,
  action: entry.action,
  subject: entry.subject,
  detail: entry.detail,
});
