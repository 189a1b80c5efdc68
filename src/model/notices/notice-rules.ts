// Notices (R45): which events cause them, and what people choose about them. Pure.
import type { AccountId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";

/** The job that sends what is to be sent; each notice makes it due. */
export const OUTGOING_JOB = "outgoing";

/** Kinds of notices; people choose for each of them. */
export const NOTICE_KINDS = [
  "submitted",
  "returned",
  "accepted",
  "declined",
  "invited",
  "asked-to-join",
  "access-requested",
  "shared",
  "embargo-ends",
  "withdrawn",
  "job-finished",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** When an account receives a notice. */
export const NOTICE_CHOICES = ["at-once", "digest", "never"] as const;
export type NoticeChoice = (typeof NOTICE_CHOICES)[number];

export const isNoticeKind = (text: string): text is NoticeKind => NOTICE_KINDS.some((kind) => kind === text);

/** What happened. Its receivers are found when it is sent on: who decides, owns or shares may change until then. */
export type Notice = {
  readonly kind: NoticeKind;
  /** `request:UUID`, `access-request:UUID`, `activity:ID`, `item:ID`, `transfer:UUID`, `bulk-change:ID`. */
  readonly about: string;
  /** Who did it, and receives no notice of it; null: the repository itself. */
  readonly by: AccountId | null;
  /** The one receiver, where the event names one; null: those the kind means. */
  readonly to: AccountId | null;
};

/** Events by the kind of notice they cause. */
const KIND_OF: Readonly<Record<string, NoticeKind>> = {
  "request-submit": "submitted",
  "request-accept": "accepted",
  "request-decline": "declined",
  "request-invite": "invited",
  "request-join": "asked-to-join",
  "activity-submit": "submitted",
  "activity-approve": "accepted",
  "activity-throw-out": "returned",
  "item.delete": "withdrawn",
  "bulk-change-end": "job-finished",
};

/** An event of the audit. */
type AuditedEvent = {
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

/** The notices that events of one account cause. */
export function noticesOf(by: AccountId | null, events: readonly AuditedEvent[]): readonly Notice[] {
  return events.flatMap(({ action, subject, detail }): readonly Notice[] => {
    if (action === "item.share") return newlyShared(detail).map((to) => ({ kind: "shared", about: subject, by, to }));
    const transfer = TRANSFERS.find((each) => action === each.action);
    if (transfer !== undefined) {
      const to = accountIn(detail[transfer.to]);
      return to === null ? [] : [{ kind: transfer.kind, about: `transfer:${detail.transfer}`, by, to }];
    }
    const access = Object.hasOwn(ACCESS_KINDS, action) ? ACCESS_KINDS[action] : undefined;
    if (access !== undefined) return [{ kind: access, about: `access-request:${detail.request}`, by, to: null }];
    const kind = Object.hasOwn(KIND_OF, action) ? KIND_OF[action] : undefined;
    return kind === undefined ? [] : [{ kind, about: subject, by, to: null }];
  });
}

/** Requests for closed files; guests receive a mail instead. */
const ACCESS_KINDS: Readonly<Record<string, NoticeKind>> = {
  "item.request-access": "access-requested",
  "item.accept-access": "accepted",
  "item.decline-access": "declined",
  "item.end-access": "declined",
};

/** Offers of a record: the receiver and the giver learn of each other's step. */
const TRANSFERS = [
  { action: "item.offer-transfer", kind: "shared", to: "receiver" },
  { action: "item.accept-transfer", kind: "accepted", to: "giver" },
  { action: "item.decline-transfer", kind: "declined", to: "giver" },
] as const;

const accountIn = (value: unknown): AccountId | null => (typeof value === "number" ? value : null);

/** Accounts that have a right to the record since this event. */
function newlyShared({ added }: AuditedEvent["detail"]): readonly AccountId[] {
  return Array.isArray(added) ? added.filter((id): id is AccountId => typeof id === "number") : [];
}

/** The entry of the outbox that is a notice. */
export const noticeEntry = (notice: Notice, at: Instant) => ({
  channel: "notice" as const,
  subject: [notice.kind, notice.about, ...(notice.to === null ? [] : [notice.to])].join(" "),
  accountId: null,
  payload: notice,
  state: "waiting" as const,
  runAt: at,
});

/** Only what was written here is read. */
export const noticeIn = ({ payload }: { readonly payload: unknown }): Notice => payload as Notice;

/** What an account has chosen for a kind. */
export function choiceOf(
  setting: { readonly choices: Readonly<Record<string, string>> } | null,
  kind: NoticeKind,
): NoticeChoice {
  const chosen = setting?.choices[kind];
  return NOTICE_CHOICES.find((choice) => choice === chosen) ?? "at-once";
}
