// What people see and set about their account (R33): name, language of pages and mails, ORCID iD, and their sessions.

import { type Account, REPOSITORY_SCOPES, type Viewer } from "../../auth/account.ts";
import type { SessionWay } from "../../auth/accounts.ts";
import { type AccountProfile, emptyProfile } from "../../auth/profiles.ts";
import { bareIdentifier } from "../../model/agents/author.ts";
import { formProblem } from "../../model/metadata/identifier-forms.ts";
import { derivedSecret } from "../../shared/hash/digests.ts";
import { Refusal } from "../../shared/refusal.ts";
import { boundedCompatible, normalForm } from "../../shared/text/text.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { freshSetting } from "../store/outgoing.ts";
import type { RepositoryReader, RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { writeAs } from "./current-viewer.ts";

/** Longest name of a person, in characters. */
export const PERSON_NAME_MAX = 200;
/** Sessions that a list shows. */
const SESSIONS_SHOWN = 200;
export const ACCOUNT_LANGUAGES = ["en", "ja"] as const;

type OwnAccountNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "bytes">;
};

export type OwnAccountView = {
  readonly account: Account;
  readonly profile: AccountProfile;
  /** Null: none was chosen. */
  readonly language: string | null;
};

/** A member that is left out stays as it is; an empty text removes it. */
type OwnAccountIn = {
  readonly name?: string | undefined;
  readonly language?: string | undefined;
  readonly orcid?: string | undefined;
};

export type OwnSession = {
  /** Names the session on pages and over the interface; signs nobody in. */
  readonly id: string;
  readonly way: SessionWay | null;
  readonly agent: string | null;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly expiresAt: Instant;
  readonly isCurrent: boolean;
};

export interface OwnAccount {
  read(viewer: Viewer): Promise<OwnAccountView>;
  /** @throws Refusal `invalid` naming the field, `conflict` for an ORCID iD that somebody else proved */
  save(viewer: Viewer, sent: OwnAccountIn): Promise<OwnAccountView>;
  /** The ORCID iD with which the person signed in at ORCID just now. @throws Refusal `conflict` */
  linkOrcid(viewer: Viewer, orcid: string): Promise<void>;
  /** Newest first. */
  sessions(viewer: Viewer): Promise<readonly OwnSession[]>;
  /** @throws Refusal `not_found` for one that is not a session of the viewer */
  endSession(viewer: Viewer, id: string): Promise<void>;
  /** `current`: the session of the request ends, too. */
  endSessions(viewer: Viewer, sent: { readonly current: boolean }): Promise<void>;
}

const sessionId = (hash: string): string => derivedSecret("session", hash).slice(0, 22);

/** @throws Refusal `unauthenticated` for nobody */
export function accountOf({ account }: Viewer): Account {
  if (account === null) throw new Refusal("unauthenticated", "Sign in first");
  return account;
}

/** What an account decides about itself needs a session, or a token that was not narrowed. @throws Refusal `forbidden` */
export function requireWhole({ scopes }: Viewer): void {
  if (scopes === null || REPOSITORY_SCOPES.every((scope) => scopes.has(scope))) return;
  throw new Refusal("forbidden", "This needs an access token that allows everything");
}

export const ownAccount = (needs: OwnAccountNeeds): OwnAccount => {
  const { store, clock, random } = needs;

  async function viewOf(reader: Pick<RepositoryReader, "profiles" | "outgoing" | "accounts">, account: Account) {
    const [profile, setting] = [
      await reader.profiles.profile(account.id),
      await reader.outgoing.noticeSetting(account.id),
    ];
    return { account, profile: profile ?? emptyProfile(account.id), language: setting?.language ?? null };
  }

  const currentHash = ({ proof }: Viewer): string | null => (proof?.kind === "session" ? proof.hash : null);

  async function saveIn(tx: RepositoryWriter, account: Account, sent: ReadMembers): Promise<OwnAccountView> {
    const at = clock.now();
    const before = await viewOf(tx, account);
    const after = { ...account, name: sent.name ?? account.name, updatedAt: at };
    if (sent.name !== undefined) await tx.accounts.saveAccount(after);
    const { language, orcid } = sent;
    if (language !== undefined) {
      const setting = (await tx.outgoing.noticeSetting(account.id)) ?? freshSetting(account.id, random);
      await tx.outgoing.saveNoticeSetting({ ...setting, language });
    }
    // Saving a form again does not turn what ORCID stated into something typed.
    if (orcid !== undefined && orcid !== before.profile.orcid) {
      const source = orcid === null ? null : ("typed" as const);
      const changed = { ...before.profile, orcid, orcidSource: source, orcidAt: orcid === null ? null : at };
      await tx.profiles.saveProfile(changed);
    }
    return await viewOf(tx, after);
  }

  return {
    async read(viewer) {
      return await viewOf(store, accountOf(viewer));
    },

    async save(viewer, sent) {
      requireWhole(viewer);
      const read = readMembers(sent);
      return await writeAs(needs, viewer, async (tx, now) => {
        requireWhole(now);
        const account = accountOf(now);
        const view = await saveIn(tx, account, read);
        const changed = Object.entries(read).flatMap(([name, value]) => (value === undefined ? [] : [name]));
        const event = { action: "account-own", subject: `account:${account.id}`, detail: { changed } };
        await tx.audit(now, clock.now(), [event]);
        return view;
      });
    },

    async linkOrcid(viewer, orcid) {
      requireOrcid(orcid);
      await writeAs(needs, viewer, async (tx, now) => {
        const account = accountOf(now);
        const at = clock.now();
        const before = (await tx.profiles.profile(account.id)) ?? emptyProfile(account.id);
        const linked = { ...before, orcid, orcidSource: "provider", orcidAt: at } as const;
        if (!(await tx.profiles.saveProfile(linked))) {
          throw new Refusal("conflict", `Another account is linked to the ORCID iD ${orcid}`, {
            detail: { field: "orcid" },
          });
        }
        await tx.audit(now, at, [{ action: "account-orcid", subject: `account:${account.id}`, detail: { orcid } }]);
      });
    },

    async sessions(viewer) {
      const current = currentHash(viewer);
      const found = await store.profiles.sessionsOf(accountOf(viewer).id, clock.now(), SESSIONS_SHOWN);
      return found.map(({ hash, way, agent, createdAt, lastUsedAt, expiresAt }) => ({
        id: sessionId(hash),
        way,
        agent,
        createdAt,
        lastUsedAt: lastUsedAt ?? createdAt,
        expiresAt,
        isCurrent: hash === current,
      }));
    },

    async endSession(viewer, id) {
      requireWhole(viewer);
      await writeAs(needs, viewer, async (tx, now) => {
        requireWhole(now);
        const account = accountOf(now);
        const all = await tx.profiles.sessionsOf(account.id, clock.now(), SESSIONS_SHOWN);
        const found = all.find(({ hash }) => sessionId(hash) === id);
        if (found === undefined) throw new Refusal("not_found", `You have no session "${id.slice(0, 100)}"`);
        await tx.accounts.deleteSession(found.hash);
        await noteEnd(tx, now, 1);
      });
    },

    async endSessions(viewer, { current }) {
      requireWhole(viewer);
      await writeAs(needs, viewer, async (tx, now) => {
        requireWhole(now);
        const account = accountOf(now);
        const own = currentHash(now);
        const kept = current || own === null ? null : await tx.accounts.session(own);
        await tx.accounts.deleteSessionsOf(account.id);
        if (kept !== null) await tx.accounts.insertSession(kept);
        await noteEnd(tx, now, "all");
      });
    },
  };

  async function noteEnd(tx: RepositoryWriter, viewer: Viewer, sessions: number | "all"): Promise<void> {
    const event = { action: "sessions-end", subject: `account:${accountOf(viewer).id}`, detail: { sessions } };
    await tx.audit(viewer, clock.now(), [event]);
  }
};

type ReadMembers = { readonly name?: string; readonly language?: string | null; readonly orcid?: string | null };

/** @throws Refusal `invalid` naming the field */
function readMembers({ name, language, orcid }: OwnAccountIn): ReadMembers {
  return {
    ...(name === undefined ? {} : { name: readName(name) }),
    ...(language === undefined ? {} : { language: readLanguage(language) }),
    ...(orcid === undefined ? {} : { orcid: orcid.trim() === "" ? null : requireOrcid(orcid) }),
  };
}

const wrong = (field: string, sentence: string): Refusal => new Refusal("invalid", sentence, { detail: { field } });

/** A name of a person as it is stored: one line, in one normal form. @throws Refusal `invalid` */
export function readName(name: string): string {
  const text = normalForm(name, "NFC").trim();
  if (text !== "" && [...text].length <= PERSON_NAME_MAX && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.isWellFormed())
    return text;
  throw wrong("name", `The name must have 1 to ${PERSON_NAME_MAX} characters, on one line`);
}

export function readLanguage(language: string): string | null {
  if (language === "") return null;
  if (ACCOUNT_LANGUAGES.some((known) => known === language)) return language;
  throw wrong("language", `The language "${language.slice(0, 40)}" is not one of ${ACCOUNT_LANGUAGES.join(", ")}`);
}

/** The ORCID iD in four groups. @throws Refusal `invalid` for one whose check character is wrong */
function requireOrcid(orcid: string): string {
  const bare = bareIdentifier(boundedCompatible(orcid, 100).slice(0, 100)).toUpperCase();
  if (formProblem("orcid", bare) === null) return bare;
  throw wrong("orcid", `The ORCID iD "${orcid.trim().slice(0, 60)}" is not valid: check its digits`);
}
