// The outbox at work (R41, R45): notices become mails to their receivers, mails are sent, each once. Before the end of
// a message is sent, its entry is `handed`: after a kill it is known which one may have arrived, and none is sent twice.
import { GUEST } from "../../auth/account.ts";
import { type Job, retryDelayMs } from "../../jobs/job.ts";
import type { JobContext, JobKinds } from "../../jobs/runner.ts";
import {
  choiceOf,
  type Notice,
  type NoticeKind,
  noticeEntry,
  noticeIn,
  OUTGOING_JOB,
} from "../../model/notices/notice-rules.ts";
import { errorMessage } from "../../shared/error-message.ts";
import { randomText, sha256Hex, textSignature } from "../../shared/hash/digests.ts";
import type { AccountId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { type Day, dayStart } from "../../shared/time/day.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import { accountViewer } from "../people/current-viewer.ts";
import { freshSetting, type NoticeSetting, type OutgoingEntry } from "../store/outgoing.ts";
import type { RepositoryStore } from "../store/store.ts";
import { ACCESS_STEPS, type AccessStep, accessMail } from "./access-mail.ts";
import { type Alert, alertIn, composedAlert, readableContent } from "./alerts.ts";
import { mailOf, type NoticeLine } from "./mail-writing.ts";
import { type Mail, type Mailer, MailRefused, MailServerAway, MailUncertain } from "./mailer.ts";
import { noticeFacts, receiversOf } from "./notice-receivers.ts";
import { noticeTexts } from "./notice-texts.ts";
import { registrationMail } from "./registration-mail.ts";

export type SendingNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "bytes">;
  /** Null: mail is off (SVC_SMTP_URL), and notices end unsent. */
  readonly mailer: (() => Mailer) | null;
  readonly dayOf: (at: Instant) => Day;
  readonly timeZone: string;
  readonly repositoryName: string;
  /** Without slash at the end. */
  readonly baseUrl: string;
  /** Of accounts that have not chosen one. */
  readonly language: string;
  /** Domain of placeholder addresses: nothing is sent there. */
  readonly placeholderDomain: string;
  readonly log: Log;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Digests are sent at this hour of the repository's day. */
const DIGEST_HOUR = 7;
/** Notices in one digest; the others are in the next one. */
const DIGEST_MOST = 100;
/** Entries of one run; the next run sends the others. */
const RUN_MOST = 500;
const AT_ONCE = 20;
/** Tries of one mail: with growing waits about half a day. */
const TRIES_MOST = 20;
/** What could not be sent for so long, as after a backup was restored, is dropped. */
const OLDEST_MS = 7 * DAY_MS;
/** Entries that have ended are kept so long: no embargo causes two notices. */
const KEPT_MS = 30 * DAY_MS;
const EMBARGO_DAYS = 7;
const EMBARGOES_AT_ONCE = 200;

/** Where a guest confirms a request for closed files. */
export const CONFIRM_PATH = "/access-requests/confirm";
export const REGISTER_PATH = "/account/register";
export const CHOOSE_PATH = "/account/notices";
export const STOP_PATH = "/account/notices/stop";
/** What the link to end messages of a kind is signed over. */
export const stopSignature = ({ accountId, stopKey }: Pick<NoticeSetting, "accountId" | "stopKey">, kind: NoticeKind) =>
  textSignature(`${accountId} ${kind}`, stopKey);

export const noticeJobs = (needs: SendingNeeds): JobKinds => ({
  [OUTGOING_JOB]: { maxAttempts: null, everyMs: MINUTE_MS, queue: OUTGOING_JOB, run: (_, job) => sendDue(needs, job) },
  notice_day: { maxAttempts: 5, everyMs: DAY_MS / 4, run: (_: Job, { signal }) => noticeEmbargoes(needs, signal) },
});

/** Everything that is due, at most `RUN_MOST` entries. */
async function sendDue(needs: SendingNeeds, { signal }: JobContext): Promise<void> {
  const { store, clock, log } = needs;
  await store.transact(async (tx) => {
    const at = clock.now();
    // This job runs once at a time: such an entry was begun by a process that has ended.
    for (const entry of await tx.outgoing.dueOutgoing("handed", at, RUN_MOST)) {
      const error = "The process ended while the message was being sent: it may have arrived";
      await tx.outgoing.settleOutgoing(entry.id, { from: "handed", to: "uncertain", at, error });
      log.warn("mail.uncertain", { entry: entry.id });
    }
    await tx.outgoing.forgetOutgoing(addMilliseconds(at, -KEPT_MS), RUN_MOST);
  });
  const mailer = needs.mailer?.() ?? null;
  try {
    for (let done = 0; done < RUN_MOST; ) {
      const entries = await store.transact((tx) => tx.outgoing.dueOutgoing("waiting", clock.now(), AT_ONCE));
      for (const entry of entries) {
        signal.throwIfAborted();
        const [registration, access, alert] = [registrationIn(entry), accessIn(entry), alertIn(entry)];
        if (access !== null) await sendAccess(needs, mailer, entry, access);
        else if (registration !== null) await sendRegistration(needs, mailer, entry, registration);
        else if (alert !== null) await sendAlert(needs, mailer, entry, alert);
        else if (entry.channel === "notice") await spread(needs, entry);
        else await sendOne(needs, mailer, [entry], false);
        await yieldToEventLoop();
      }
      // What became mails by this is due at once.
      if (entries.length === 0) break;
      done += entries.length;
    }
    for (let digests = 0; digests < RUN_MOST; digests += 1) {
      signal.throwIfAborted();
      const entries = await dueDigest(needs);
      if (entries.length === 0) break;
      await sendOne(needs, mailer, entries, true);
    }
  } catch (error) {
    if (!(error instanceof MailServerAway)) throw error;
    log.warn("mail.server_away", { error: errorMessage(error) });
  } finally {
    mailer?.close();
  }
}

async function dueDigest({ store, clock }: SendingNeeds): Promise<readonly OutgoingEntry[]> {
  return await store.transact(async (tx) => {
    const [first] = await tx.outgoing.dueOutgoing("digest", clock.now(), 1);
    if (first === undefined || first.accountId === null) return [];
    return await tx.outgoing.digestOf(first.accountId, DIGEST_MOST);
  });
}

/** A notice becomes a mail to each of its receivers, in one transaction. */
async function spread(needs: SendingNeeds, entry: OutgoingEntry): Promise<void> {
  const { store, clock } = needs;
  const notice = noticeIn(entry);
  const receivers = needs.mailer === null ? [] : await receiversOf(store, notice);
  await store.transact(async (tx) => {
    const at = clock.now();
    const to = receivers.length === 0 ? "dropped" : "sent";
    if (!(await tx.outgoing.settleOutgoing(entry.id, { from: "waiting", to, at }))) return;
    for (const accountId of receivers) {
      const setting = await tx.outgoing.noticeSetting(accountId);
      const choice = choiceOf(setting, notice.kind);
      if (choice === "never") continue;
      const mail = { channel: "mail", subject: entry.subject, accountId, payload: notice } as const;
      const added =
        choice === "digest"
          ? { ...mail, state: "digest" as const, runAt: digestTime(needs, at) }
          : { ...mail, state: "waiting" as const, runAt: at };
      await tx.outgoing.addOutgoing([added], at);
    }
  });
}

/** The next time at which digests are sent. */
function digestTime({ timeZone }: SendingNeeds, at: Instant): Instant {
  const today = addMilliseconds(dayStart(timeZone, at), DIGEST_HOUR * HOUR_MS);
  return today > at ? today : addMilliseconds(dayStart(timeZone, addMilliseconds(at, DAY_MS)), DIGEST_HOUR * HOUR_MS);
}

/** One message about entries of one account, which go on together. */
async function sendOne(
  needs: SendingNeeds,
  mailer: Mailer | null,
  entries: readonly OutgoingEntry[],
  isDigest: boolean,
): Promise<void> {
  const { store, clock } = needs;
  const from = isDigest ? "digest" : "waiting";
  const message = mailer === null ? null : await composed(needs, entries, isDigest);
  const included = new Set(message?.included);
  /** All or none of those that the message speaks of. */
  const settle = (ids: readonly number[], step: Parameters<typeof settleAll>[2]): Promise<boolean> =>
    settleAll(store, ids, step);
  const silent = entries.filter(({ id }) => !included.has(id)).map(({ id }) => id);
  await settle(silent, { from, to: "dropped", at: clock.now() });
  if (mailer === null || message === null) return;
  await deliver(
    needs,
    mailer,
    message.mail,
    entries.filter(({ id }) => included.has(id)),
    from,
  );
}

/** Sends a message once, and settles all entries that it speaks of. */
async function deliver(
  needs: SendingNeeds,
  mailer: Mailer,
  mail: Mail,
  entries: readonly OutgoingEntry[],
  from: "waiting" | "digest",
): Promise<void> {
  const { store, clock } = needs;
  const ids = entries.map(({ id }) => id);
  try {
    await mailer.send(mail, () => settleAll(store, ids, { from, to: "handed", at: clock.now() }));
    await settleAll(store, ids, { from: "handed", to: "sent", at: clock.now() });
  } catch (error) {
    await settleFailure(needs, entries, from, error);
    if (error instanceof MailServerAway) throw error;
  }
}

/** The link to register that an entry sends; null for every other entry. */
function registrationIn({ payload }: OutgoingEntry): number | null {
  const { registration } = payload as { readonly registration?: unknown };
  return typeof registration === "number" ? registration : null;
}

/** Each try has a new secret: of a mail that was not sent nothing is left. */
async function sendRegistration(
  needs: SendingNeeds,
  mailer: Mailer | null,
  entry: OutgoingEntry,
  registrationId: number,
): Promise<void> {
  const { store, clock, random, baseUrl, repositoryName } = needs;
  const at = clock.now();
  const token = randomText(random.bytes(32));
  const found = mailer === null ? null : await store.profiles.registration(registrationId);
  const isOpen =
    found !== null && (await store.transact((tx) => tx.profiles.setRegistrationHash(found.id, sha256Hex(token), at)));
  if (mailer === null || found === null || !isOpen) {
    await settleAll(store, [entry.id], { from: "waiting", to: "dropped", at });
    return;
  }
  const isKnown = (await store.accounts.accountByMail(found.mail)) !== null;
  const url = isKnown ? `${baseUrl}/account/login` : `${baseUrl}${REGISTER_PATH}/${token}`;
  const text = registrationMail(isKnown ? "known" : found.kind, url, found.language ?? needs.language, repositoryName);
  const messageId = `<registration-${found.id}-${entry.attempts}-${Date.parse(found.createdAt)}@${new URL(baseUrl).hostname}>`;
  await deliver(needs, mailer, { ...text, to: found.mail, messageId, stopUrl: null }, [entry], "waiting");
}

/** Items that the message does not name are no longer reported: the next alert may have them. */
async function sendAlert(
  needs: SendingNeeds,
  mailer: Mailer | null,
  entry: OutgoingEntry,
  alert: Alert,
): Promise<void> {
  const { store, clock } = needs;
  const at = clock.now();
  const isOld = entry.createdAt < addMilliseconds(at, -OLDEST_MS);
  const settingOf = async (account: AccountId): Promise<NoticeSetting> =>
    (await store.outgoing.noticeSetting(account)) ?? (await newSetting(needs, account));
  const today = needs.dayOf(at);
  const message = mailer === null || isOld ? null : await composedAlert({ ...needs, today, settingOf }, entry, alert);
  const named = new Set(message?.items);
  const left = alert.items.filter((id) => !named.has(id));
  if (left.length > 0) {
    await store.transact(async (tx) => {
      await tx.savedSearches.removeReportedItems(alert.savedSearch, left);
      if (message === null) await tx.outgoing.settleOutgoing(entry.id, { from: "waiting", to: "dropped", at });
      else
        await tx.outgoing.addOutgoing(
          [{ ...entry, payload: { ...alert, items: message.items }, state: "waiting" }],
          at,
        );
    });
  }
  if (mailer !== null && message !== null) await deliver(needs, mailer, message.mail, [entry], "waiting");
}

type AccessEntry = { readonly id: string; readonly step: AccessStep };

/** The mail to a guest who asks for closed files; null for every other entry. */
function accessIn({ payload }: OutgoingEntry): AccessEntry | null {
  const { accessRequest: id, step: named } = payload as { readonly accessRequest?: unknown; readonly step?: unknown };
  const step = ACCESS_STEPS.find((each) => each === named);
  return typeof id === "string" && step !== undefined ? { id, step } : null;
}

/** In which state of the request a mail is still true. */
const ACCESS_STATES = { confirm: "created", accepted: "accepted", declined: "declined", ended: "expired" } as const;

/** Each try has a new secret, as that of a registration. */
async function sendAccess(
  needs: SendingNeeds,
  mailer: Mailer | null,
  entry: OutgoingEntry,
  { id, step }: AccessEntry,
): Promise<void> {
  const { store, clock, random, baseUrl, repositoryName } = needs;
  const token = randomText(random.bytes(32));
  const found = mailer === null ? null : await store.accessRequests.accessRequest(id);
  const isTrue = found?.status === ACCESS_STATES[step] && found.revokedAt === null;
  const isReady =
    isTrue &&
    (await store.transact(async (tx) => {
      if (step === "confirm") return await tx.accessRequests.setAccessRequestHash(id, sha256Hex(token));
      return step === "accepted" ? await tx.accessLinks.setLinkHash(id, sha256Hex(token)) : true;
    }));
  if (mailer === null || found === null || !isReady) {
    await settleAll(store, [entry.id], { from: "waiting", to: "dropped", at: clock.now() });
    return;
  }
  const record = `${baseUrl}/records/${found.item}`;
  const url =
    step === "confirm"
      ? `${baseUrl}${CONFIRM_PATH}/${token}`
      : step === "accepted"
        ? `${record}?token=${token}`
        : record;
  // A record that the guest may not read any more is named by its address.
  const isRead = (await readableContent(store, GUEST, found.item, needs.dayOf(clock.now()))) !== null;
  const shown = { url, title: isRead ? found.title : record, answer: found.answer, until: found.endsOn ?? "" };
  const text = accessMail(step, shown, found.language, repositoryName);
  const messageId = `<access-${found.id}-${step}-${entry.attempts}@${new URL(baseUrl).hostname}>`;
  await deliver(needs, mailer, { ...text, to: found.mail, messageId, stopUrl: null }, [entry], "waiting");
}

type Step = { readonly from: OutgoingEntry["state"]; readonly to: OutgoingEntry["state"]; readonly at: Instant };

/** False, with nothing changed, when one of them is not in the state it was to leave. */
async function settleAll(store: RepositoryStore, ids: readonly number[], step: Step & { error?: string }) {
  try {
    await store.transact(async (tx) => {
      for (const id of ids) if (!(await tx.outgoing.settleOutgoing(id, step))) throw new ElsewhereSettled();
    });
    return true;
  } catch (error) {
    if (error instanceof ElsewhereSettled) return false;
    throw error;
  }
}

class ElsewhereSettled extends Error {
  override readonly name = "ElsewhereSettled";
}

async function settleFailure(
  { store, clock, log }: SendingNeeds,
  entries: readonly OutgoingEntry[],
  from: "waiting" | "digest",
  failure: unknown,
): Promise<void> {
  const at = clock.now();
  const error = errorMessage(failure).slice(0, 500);
  log.warn("mail.not_sent", { entries: entries.length, error });
  const isAway = failure instanceof MailServerAway;
  await store.transact(async (tx) => {
    for (const entry of entries) {
      const { id, attempts } = entry;
      // While no message can be sent, tries of none are counted.
      const tries = isAway ? attempts : attempts + 1;
      const isOver = failure instanceof MailRefused || tries >= TRIES_MOST;
      const after = failure instanceof MailUncertain ? "uncertain" : isOver ? "failed" : from;
      // A newer entry about the same that waits takes its place.
      const to = after === from && (await tx.outgoing.hasOtherPending(entry)) ? "dropped" : after;
      const runAt = addMilliseconds(at, isAway ? MINUTE_MS : retryDelayMs(id, tries));
      for (const left of ["handed", from] as const) {
        if (await tx.outgoing.settleOutgoing(id, { from: left, to, at, error, attempts: tries, runAt })) break;
      }
    }
  });
}

/** What is sent to the account of these entries now; null when nothing is left to send. */
async function composed(needs: SendingNeeds, entries: readonly OutgoingEntry[], isDigest: boolean) {
  const { store, clock, repositoryName, baseUrl } = needs;
  const at = clock.now();
  const accountId = entries[0]?.accountId ?? null;
  const viewer = accountId === null ? null : await accountViewer(store, accountId);
  const address = viewer?.account?.mail ?? null;
  if (accountId === null || viewer === null || address === null) return null;
  if (address.endsWith(`@${needs.placeholderDomain}`)) return null;
  const setting = (await store.outgoing.noticeSetting(accountId)) ?? (await newSetting(needs, accountId));
  const lines: { readonly entry: OutgoingEntry; readonly line: NoticeLine }[] = [];
  for (const entry of entries) {
    const notice: Notice = noticeIn(entry);
    if (entry.createdAt < addMilliseconds(at, -OLDEST_MS) || choiceOf(setting, notice.kind) === "never") continue;
    const facts = await noticeFacts({ reader: store, today: needs.dayOf(at) }, viewer, notice);
    if (facts !== null) lines.push({ entry, line: { kind: notice.kind, facts } });
  }
  const [first, ...others] = lines;
  if (first === undefined) return null;
  const stopPath = (kind: NoticeKind): string =>
    `${STOP_PATH}?${new URLSearchParams({ account: String(accountId), kind, signature: stopSignature(setting, kind) })}`;
  const texts = noticeTexts(setting.language ?? needs.language);
  const settings = { repositoryName, baseUrl, choosePath: CHOOSE_PATH, stopPath };
  const text = mailOf([first.line, ...others.map(({ line }) => line)], isDigest, texts, settings);
  const kinds = new Set(lines.map(({ line }) => line.kind));
  const mail = {
    ...text,
    to: address,
    messageId: `<notice-${first.entry.id}-${Date.parse(first.entry.createdAt)}@${new URL(baseUrl).hostname}>`,
    stopUrl: kinds.size === 1 ? baseUrl + stopPath(first.line.kind) : null,
  };
  return { mail, included: lines.map(({ entry }) => entry.id) };
}

async function newSetting({ store, random }: SendingNeeds, accountId: AccountId): Promise<NoticeSetting> {
  return await store.transact(async (tx) => {
    const known = await tx.outgoing.noticeSetting(accountId);
    if (known !== null) return known;
    const fresh = freshSetting(accountId, random);
    await tx.outgoing.saveNoticeSetting(fresh);
    return fresh;
  });
}

/** One notice to the owner of each item whose embargo ends within a week. */
async function noticeEmbargoes(needs: SendingNeeds, signal: AbortSignal): Promise<void> {
  const { store, clock, dayOf } = needs;
  const now = clock.now();
  const [today, day] = [dayOf(now), dayOf(addMilliseconds(now, EMBARGO_DAYS * DAY_MS))];
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const ids = await store.items.embargoEnded(day, after, EMBARGOES_AT_ONCE);
    await store.transact(async (tx) => {
      for (const id of ids) {
        const until = (await tx.items.outline(id))?.item.content?.access.embargoUntil ?? null;
        if (until === null || until <= today) continue;
        const entry = noticeEntry({ kind: "embargo-ends", about: `item:${id}`, by: null, to: null }, now);
        const subject = `${entry.subject} ${until}`;
        if (!(await tx.outgoing.hasOutgoing("notice", subject)))
          await tx.outgoing.addOutgoing([{ ...entry, subject }], now);
      }
    });
    const last = ids.at(-1);
    if (last === undefined || ids.length < EMBARGOES_AT_ONCE) return;
    after = last;
    await yieldToEventLoop();
  }
}
