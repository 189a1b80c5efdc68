// The audit, as administrators read it (R17): who did what to what, when and from where, newest first.

import type { AuditEntry, AuditFilter, AuditPlace } from "../store/audit.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { RecordOutput } from "./collection.ts";
import type { Page } from "./jobs.ts";
import { limitIn, momentIn, numberIn, type Parameters, readParameters, unknownCursor } from "./list-parameters.ts";

const AUDIT_PARAMETERS = ["account", "client", "action", "subject", "since", "until", "limit", "cursor"] as const;

export type AuditLog = {
  /** @throws Refusal `invalid` */
  readonly list: (sent: URLSearchParams) => Promise<Page>;
};

export const auditLog = ({ store }: { readonly store: Pick<RepositoryStore, "listEvents"> }): AuditLog => ({
  async list(sent) {
    const given = readParameters(sent, AUDIT_PARAMETERS);
    const { entries, next } = await store.listEvents(filterIn(given), cursorIn(given), limitIn(given));
    return { items: entries.map(shown), next: next === null ? null : `${next.at}_${next.id}` };
  },
});

function filterIn(given: Parameters): AuditFilter {
  const { client, action, subject } = given;
  const [account, since, until] = [
    numberIn(given, "account"),
    momentIn(given, "since"),
    momentIn(given, "until"),
  ] as const;
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(account === undefined ? {} : { account }),
    ...(action === undefined ? {} : { action }),
    ...(client === undefined ? {} : { client }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

function cursorIn({ cursor }: Parameters): AuditPlace | null {
  if (cursor === undefined) return null;
  const [, at, id] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)_([1-9]\d{0,14})$/.exec(cursor) ?? [];
  if (at === undefined) throw unknownCursor(cursor);
  return { at, id: Number(id) };
}

const shown = (entry: AuditEntry): RecordOutput => ({
  id: entry.id,
  at: entry.at,
  account: entry.accountId,
  client: entry.clientId,
  address: entry.address,
  action: entry.action,
  subject: entry.subject,
  detail: entry.detail,
});
