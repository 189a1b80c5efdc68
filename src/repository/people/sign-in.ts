// Signing in to the pages of the repository (R33): by a personal token, by a one-time link, at an OpenID provider. No passwords.

import { type Account, GUEST, REPOSITORY_SCOPES, type Viewer } from "../../auth/account.ts";
import type { Session, SessionWay } from "../../auth/accounts.ts";
import type { OidcPerson, OidcSignIn } from "../../auth/oidc-sign-in.ts";
import { ended } from "../../auth/secret.ts";
import type { Clock, Random } from "../../shared/clock.ts";
import { errorMessage } from "../../shared/error-message.ts";
import { addMilliseconds, type Instant } from "../../shared/instant.ts";
import { codeChallenge } from "../../shared/pkce.ts";
import { Refusal } from "../../shared/refusal.ts";
import { derivedSecret, randomText, sameHash, secretHash } from "../../shared/secret-hash.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { accountSecretLookup } from "./account-tokens.ts";
import { writeAs } from "./current-viewer.ts";
import { formTokenOf } from "./repository-authentication.ts";

/** How long a session lasts. */
export const SESSION_MS = 12 * 3_600_000;
/** How long a one-time link can be used. */
export const LINK_MS = 15 * 60_000;
/** How long the way to an OpenID provider and back may take. */
const ATTEMPT_MS = 10 * 60_000;
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** `token` goes into the cookie and is kept nowhere. */
export type NewSession = { readonly token: string; readonly session: Session; readonly account: Account };

/** Why somebody was not signed in; for the log. Holds no secret. */
type RefusedSignIn = { readonly way: "token" | "link" | "oidc"; readonly cause: string };

type SignInNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Null where no provider is set. */
  readonly oidc: { readonly provider: OidcSignIn; readonly redirectUri: string } | null;
  readonly note?: (refused: RefusedSignIn) => void;
};

/** How the way over the provider ended. Where it is known from where it began, whoever was not signed in tries again from there. */
type OidcEnd =
  | { readonly kind: "signed-in"; readonly session: NewSession; readonly returnTo: string }
  | { readonly kind: "unknown-account"; readonly returnTo: string }
  | { readonly kind: "failed"; readonly returnTo: string };

export interface SignIn {
  /** Whether people can sign in at a provider. */
  readonly hasProvider: boolean;
  /**
   * A session for whoever pastes a personal token that allows everything; null for any other text. A session is not narrowed by scopes,
   * so a token that is may not become one. It ends with the token (R6c).
   */
  withToken(text: string, address: string): Promise<NewSession | null>;
  /** A link that signs its account in, once, within {@link LINK_MS}. The viewer is whoever asks for it. Throws not_found, invalid. */
  makeLink(viewer: Viewer, accountId: number): Promise<{ readonly token: string; readonly expiresAt: Instant }>;
  /** Uses a one-time link up; null when it was used, has ended, or its account is disabled. */
  withLink(token: string, address: string): Promise<NewSession | null>;
  /** The way to the provider; `secret` goes into a cookie of the browser, and is kept nowhere else. Throws unavailable. */
  beginAtProvider(returnTo: string): Promise<{ readonly url: string; readonly secret: string }>;
  /** What comes back from the provider. `secret`: what the cookie of this browser says. No account is ever made here. */
  endAtProvider(
    sent: { readonly state: string; readonly code: string | null; readonly secret: string | null },
    address: string,
  ): Promise<OidcEnd>;
  signOut(session: Session): Promise<void>;
}

/** One way to a provider and back: all of it is made from the secret in the cookie, so that a copy of the database holds none of it. */
async function attemptOf(secret: string) {
  const [state, nonce, verifier] = await Promise.all([
    derivedSecret("state", secret),
    derivedSecret("nonce", secret),
    derivedSecret("verifier", secret),
  ]);
  return { state, nonce, verifier };
}

/** True for a text that a one-time link may hold. */
export const isLinkToken = (text: string): boolean => SECRET.test(text);

export const signIn = (needs: SignInNeeds): SignIn => {
  const { store, clock, random, oidc } = needs;
  const newSecret = (): string => randomText(random.bytes(SECRET_BYTES));
  const refused = (way: RefusedSignIn["way"], cause: string): null => {
    needs.note?.({ way, cause });
    return null;
  };

  /** `clientId`: whose token it is that signs in; null for a person. */
  async function sessionIn(
    tx: RepositoryWriter,
    account: Account,
    address: string,
    way: SessionWay,
    clientId: string | null = null,
  ): Promise<NewSession> {
    const at = clock.now();
    const token = newSecret();
    const session: Session = {
      hash: await secretHash(token),
      accountId: account.id,
      csrfHash: await secretHash(await formTokenOf(token)),
      way,
      clientId,
      createdAt: at,
      expiresAt: addMilliseconds(at, SESSION_MS),
    };
    await tx.accounts.forgetEnded(at);
    await tx.accounts.insertSession(session);
    const viewer: Viewer = { ...GUEST, account, address };
    await tx.audit(viewer, at, [{ action: "sign-in", subject: `account:${account.id}`, detail: { way } }]);
    return { token, session, account };
  }

  async function accountOf(person: OidcPerson): Promise<Account | null> {
    const byMail = person.mail === null ? null : await store.accounts.accountByMail(person.mail);
    const found = byMail ?? (person.eppn === null ? null : await store.accounts.accountByEppn(person.eppn));
    return found?.active === true ? found : null;
  }

  return {
    hasProvider: oidc !== null,

    async withToken(text, address) {
      return await store.transact(async (tx) => {
        const found = await accountSecretLookup({ accounts: tx.accounts, clock })(text.trim(), "personal");
        if ("cause" in found) return refused("token", found.cause);
        const { clientId, scopes } = found.client;
        if (!REPOSITORY_SCOPES.every((scope) => scopes.includes(scope))) return refused("token", "narrow_scopes");
        return await sessionIn(tx, found.account, address, "token", clientId);
      });
    },

    async makeLink(viewer, accountId) {
      const token = newSecret();
      const hash = await secretHash(token);
      return await writeAs(needs, viewer, async (tx) => {
        const account = await tx.accounts.account(accountId);
        if (account === null) throw new Refusal("not_found", `There is no account ${accountId}`);
        if (!account.active) throw new Refusal("invalid", `Account ${accountId} is disabled`);
        const at = clock.now();
        const expiresAt = addMilliseconds(at, LINK_MS);
        await tx.accounts.insertLoginLink({ hash, accountId, expiresAt }, at);
        await tx.audit(viewer, at, [{ action: "login-link", subject: `account:${accountId}`, detail: { expiresAt } }]);
        return { token, expiresAt };
      });
    },

    async withLink(token, address) {
      if (!isLinkToken(token)) return refused("link", "malformed");
      const hash = await secretHash(token);
      return await store.transact(async (tx) => {
        const id = await tx.accounts.useLoginLink(hash, clock.now());
        const account = id === null ? null : await tx.accounts.account(id);
        if (account === null || !account.active)
          return refused("link", id === null ? "used_or_ended" : "disabled_account");
        return await sessionIn(tx, account, address, "link");
      });
    },

    async beginAtProvider(returnTo) {
      if (oidc === null) throw new Refusal("not_found", "No OpenID provider is set");
      const secret = newSecret();
      const { state, nonce, verifier } = await attemptOf(secret);
      const { redirectUri, provider } = oidc;
      const start = { state, nonce, challenge: await codeChallenge(verifier), redirectUri };
      let url: string;
      try {
        url = await provider.authorizationUrl(start);
      } catch (error) {
        refused("oidc", errorMessage(error));
        throw new Refusal("unavailable", "The OpenID provider does not answer", {
          headers: { "retry-after": "30" },
        });
      }
      const at = clock.now();
      await store.transact(async (tx) => {
        await tx.accounts.forgetEnded(at);
        await tx.accounts.insertLoginAttempt({ state, returnTo, expiresAt: addMilliseconds(at, ATTEMPT_MS) });
      });
      return { url, secret };
    },

    async endAtProvider(sent, address) {
      const own = sent.secret === null || !SECRET.test(sent.secret) ? null : await attemptOf(sent.secret);
      if (oidc === null || own === null || !sameHash(sent.state, own.state)) {
        refused("oidc", "another_browser");
        return { kind: "failed", returnTo: "/" };
      }
      const { code } = sent;
      const attempt = await store.transact((tx) => tx.accounts.takeLoginAttempt(sent.state, clock.now()));
      if (attempt === null || code === null || ended(attempt.expiresAt, clock.now())) {
        refused("oidc", attempt === null ? "unknown_state" : "refused_by_provider");
        return { kind: "failed", returnTo: attempt?.returnTo ?? "/" };
      }
      const { returnTo } = attempt;
      let person: OidcPerson;
      try {
        const { nonce, verifier } = own;
        person = await oidc.provider.person({ code, nonce, verifier, redirectUri: oidc.redirectUri });
      } catch (error) {
        refused("oidc", errorMessage(error));
        return { kind: "failed", returnTo };
      }
      const account = await accountOf(person);
      if (account === null) {
        refused("oidc", "unknown_account");
        return { kind: "unknown-account", returnTo };
      }
      const session = await store.transact((tx) => sessionIn(tx, account, address, "oidc"));
      return { kind: "signed-in", session, returnTo };
    },

    async signOut(session) {
      await store.transact((tx) => tx.accounts.deleteSession(session.hash));
    },
  };
};
