// Registration (R33; SVC_REGISTRATION): people ask for a link with an address of a domain that may, or are invited by an
// administrator. The link comes by mail, works once and ends; its secret is made while the mail is written, and only its
// hash is kept. Only the mailbox of an address learns whether it has an account.

import { type Account, GUEST, ROLES, type RoleId, type Viewer } from "../../auth/account.ts";
import { isInDomains, normalMail } from "../../auth/mail-address.ts";
import type { Registration } from "../../auth/profiles.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import { freshSetting } from "../store/outgoing.ts";
import type { RepositoryReader, RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { writeAs } from "./current-viewer.ts";
import { readLanguage, readName, requireWhole } from "./own-account.ts";
import { insertSession, isLinkToken, type NewSession } from "./sign-in.ts";

/** `domains` with `*.` in front: also below it. */
export type RegistrationMode =
  | { readonly kind: "off" }
  | { readonly kind: "invitation" }
  | { readonly kind: "domains"; readonly domains: readonly string[] };

const HOUR_MS = 3_600_000;
const REGISTRATION_MS = 24 * HOUR_MS;
const INVITATION_MS = 14 * 24 * HOUR_MS;
/** Links that one address may be sent in a day. */
const LINKS_A_DAY = 3;

type RegistrationNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly mode: RegistrationMode;
};

type AskIn = { readonly mail: string; readonly name: string; readonly language: string };
type InvitationIn = {
  readonly mail: string;
  readonly name?: string | undefined;
  readonly roles?: readonly RoleId[] | undefined;
  readonly language?: string | undefined;
};
type Browser = { readonly address: string; readonly agent: string | null };

export interface Registering {
  readonly mode: RegistrationMode;
  /**
   * Asks for a link. Nothing tells whether the address has an account, or was sent too many links.
   *
   * @throws Refusal `invalid` naming the field
   */
  ask(sent: AskIn): Promise<void>;
  /** By an administrator. @throws Refusal `forbidden`, `invalid`, `conflict` for an address that has an account */
  invite(viewer: Viewer, sent: InvitationIn): Promise<{ readonly mail: string; readonly expiresAt: Instant }>;
  /** What a link is for; null where it may not be used (any more). */
  read(token: string): Promise<Pick<Registration, "mail" | "name"> | null>;
  /** Uses a link: makes the account and signs it in. @throws Refusal `not_found`, `invalid` */
  confirm(token: string, name: string, browser: Browser): Promise<NewSession>;
  /** The account of a person whom a provider vouches for, where registration allows one; null otherwise. */
  fromProvider(tx: RepositoryWriter, mail: string): Promise<Account | null>;
}

/** The entry of the outbox by which the link is sent; its mail is written when it is sent. */
const registrationEntry = (id: number, at: Instant) => ({
  channel: "notice" as const,
  subject: `registration:${id}`,
  accountId: null,
  payload: { registration: id },
  state: "waiting" as const,
  runAt: at,
});

const wrong = (field: string, sentence: string): Refusal => new Refusal("invalid", sentence, { detail: { field } });
const noSuchLink = (): Refusal =>
  new Refusal("not_found", "This link was used already, or its time has ended: ask for a new one");

/** @throws Refusal `invalid` */
function readMail(written: string): string {
  const mail = normalMail(written);
  if (mail !== null) return mail;
  throw wrong("mail", `"${written.trim().slice(0, 100)}" is not a mail address`);
}

export const registration = (needs: RegistrationNeeds): Registering => {
  const { store, clock, random, mode } = needs;

  async function insert(
    tx: RepositoryWriter,
    { mail, name, language }: AskIn,
    more: Pick<Registration, "kind" | "roles" | "invitedBy">,
  ): Promise<Instant> {
    const at = clock.now();
    const expiresAt = addMilliseconds(at, more.kind === "invitation" ? INVITATION_MS : REGISTRATION_MS);
    await tx.profiles.forgetRegistrations(addMilliseconds(at, -REGISTRATION_MS));
    const link = { mail, name, language: language === "" ? null : language, createdAt: at, expiresAt };
    const id = await tx.profiles.insertRegistration({ ...more, ...link });
    await tx.outgoing.addOutgoing([registrationEntry(id, at)], at);
    await tx.outgoing.hastenOutgoing(at);
    return expiresAt;
  }

  /** An invitation gives no more than its maker could give now; the operator of the machine has no account. */
  async function isVouchedFor(reader: Pick<RepositoryReader, "accounts">, { kind, invitedBy }: Registration) {
    if (kind !== "invitation" || invitedBy === null) return true;
    const maker = await reader.accounts.account(invitedBy);
    return maker?.active === true && maker.roles.includes(ROLES.systemAdministrator);
  }

  async function makeAccount(tx: RepositoryWriter, { mail, roles, language }: Registration, name: string) {
    const at = clock.now();
    const made = { id: 0, mail, eppn: null, name, roles, active: true, createdAt: at, updatedAt: at };
    const id = await tx.accounts.saveAccount(made);
    if (id === null) return null;
    if (language !== null) await tx.outgoing.saveNoticeSetting({ ...freshSetting(id, random), language });
    await tx.profiles.forgetRegistrationsOf(mail);
    const account: Account = { ...made, id };
    await tx.audit({ ...GUEST, account }, at, [
      { action: "account-register", subject: `account:${id}`, detail: { roles } },
    ]);
    return account;
  }

  return {
    mode,

    async ask(sent) {
      if (mode.kind !== "domains") throw new Refusal("not_found", "There is no such page");
      const [mail, name] = [readMail(sent.mail), readName(sent.name)];
      const language = readLanguage(sent.language) ?? "";
      if (!isInDomains(mail, mode.domains)) {
        throw wrong("mail", `Only addresses of these domains may register: ${mode.domains.join(", ")}`);
      }
      await store.transact(async (tx) => {
        const since = addMilliseconds(clock.now(), -REGISTRATION_MS);
        if ((await tx.profiles.countRegistrations(mail, since)) >= LINKS_A_DAY) return;
        await insert(
          tx,
          { mail, name, language },
          { kind: "registration", roles: [ROLES.registered], invitedBy: null },
        );
      });
    },

    async invite(viewer, { mail: written, name = "", roles = [ROLES.registered], language = "" }) {
      if (mode.kind === "off") throw new Refusal("conflict", "Nobody can be invited: SVC_REGISTRATION is off");
      requireWhole(viewer);
      if (!viewer.roles.includes(ROLES.systemAdministrator)) refuseInvitation();
      const mail = readMail(written);
      const read = { mail, name: name.trim() === "" ? "" : readName(name), language: readLanguage(language) ?? "" };
      return await writeAs(needs, viewer, async (tx, now) => {
        if (!now.roles.includes(ROLES.systemAdministrator)) refuseInvitation();
        if ((await tx.accounts.accountByMail(mail)) !== null) {
          throw new Refusal("conflict", `Another account has ${mail} already`);
        }
        const expiresAt = await insert(tx, read, { kind: "invitation", roles, invitedBy: now.account?.id ?? null });
        await tx.audit(now, clock.now(), [{ action: "user-invite", subject: "registration", detail: { roles } }]);
        return { mail, expiresAt };
      });
    },

    async read(token) {
      const found = isLinkToken(token) ? await store.profiles.registrationByHash(sha256Hex(token)) : null;
      if (found === null || found.usedAt !== null || found.expiresAt <= clock.now()) return null;
      return (await isVouchedFor(store, found)) ? found : null;
    },

    async confirm(token, name, { address, agent }) {
      if (!isLinkToken(token)) throw noSuchLink();
      const chosen = readName(name);
      return await store.transact(async (tx) => {
        const used = await tx.profiles.useRegistration(sha256Hex(token), clock.now());
        if (used === null) throw noSuchLink();
        if (used.invitedBy !== null) await tx.accounts.hold(used.invitedBy, null);
        if (!(await isVouchedFor(tx, used))) throw noSuchLink();
        const account = await makeAccount(tx, used, chosen);
        // An account was made with this address since.
        if (account === null) throw noSuchLink();
        return await insertSession(needs, tx, account, { address, agent }, "link");
      });
    },

    async fromProvider(tx, written) {
      const mail = normalMail(written);
      if (mail === null || mode.kind !== "domains" || !isInDomains(mail, mode.domains)) return null;
      const at = clock.now();
      const link = { id: 0, kind: "registration", mail, language: null, roles: [ROLES.registered] } as const;
      const times = { invitedBy: null, hash: null, createdAt: at, expiresAt: at, usedAt: at };
      return await makeAccount(tx, { ...link, ...times, name: "" }, mail.slice(0, mail.lastIndexOf("@")));
    },
  };
};

function refuseInvitation(): never {
  throw new Refusal("forbidden", "Permission denied: only system administrators may do this");
}
