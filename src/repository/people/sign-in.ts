// Signing in to the pages of the repository (R33): by a personal token, by a one-time link, at an OpenID provider. No
// passwords.

import { type Account, GUEST, REPOSITORY_SCOPES, type Viewer } from "../../auth/account.ts";
import type { Session, SessionWay } from "../../auth/accounts.ts";
import { agentWords } from "../../auth/agent-words.ts";
import { ended } from "../../auth/credential-text.ts";
import type { OidcPerson, OidcSignIn } from "../../auth/oidc.ts";
import { bareIdentifier } from "../../model/agents/author.ts";
import { formProblem } from "../../model/metadata/identifier-forms.ts";
import { errorMessage } from "../../shared/error-message.ts";
import { codeChallenge, derivedSecret, randomText, sameHash, sha256Hex } from "../../shared/hash/digests.ts";
import type { AccountId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { addMilliseconds, type Instant } from "../../shared/time/instant.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { accountSecretLookup } from "./account-tokens.ts";
import { writeAs } from "./current-viewer.ts";
import { formTokenOf } from "./repository-authentication.ts";

/** How long a session lasts. */
export const SESSION_MS = 12 * 3_600_000;
/** How long a one-time link can be used. */
export const LINK_MS = 15 * 60_000;
/** How long a sign-in at an OpenID provider may take. */
const ATTEMPT_MS = 10 * 60_000;
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** `token` goes into the cookie and is stored nowhere. */
export type NewSession = { readonly token: string; readonly session: Session; readonly account: Account };

/** Why a sign-in was refused, for the log. Holds no secret. */
type RefusedSignIn = { readonly way: "token" | "link" | "oidc"; readonly cause: string };

type SignInNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Null where no provider is set. */
  readonly oidc: {
    readonly provider: OidcSignIn;
    readonly redirectUri: string;
    /** Its subjects are ORCID iDs. */
    readonly isOrcid?: boolean;
    /** Where its pages are. */
    readonly origin?: string;
  } | null;
  readonly note?: (refused: RefusedSignIn) => void;
  /** Makes an account for a person with this verified address, where registration allows it. */
  readonly register?: (tx: RepositoryWriter, mail: string) => Promise<Account | null>;
};

/** How a sign-in at the provider ended. `returnTo`: the page where it began, to try again from there. */
type OidcEnd =
  | { readonly kind: "signed-in"; readonly session: NewSession; readonly returnTo: string }
  /** Somebody who is signed in proved this ORCID iD for their account. */
  | { readonly kind: "orcid"; readonly orcid: string; readonly accountId: AccountId; readonly returnTo: string }
  | { readonly kind: "unknown-account"; readonly returnTo: string }
  | { readonly kind: "failed"; readonly returnTo: string };

export interface SignIn {
  /** Whether people can sign in at a provider. */
  readonly hasProvider: boolean;
  /** Whether that provider is ORCID: its subjects are ORCID iDs. */
  readonly isOrcid: boolean;
  /** Where the pages of the provider are; null without one. */
  readonly providerOrigin: string | null;
  /**
   * A session for a personal token with all scopes; null for any other text. A session has no scopes, so that a token
   * that lacks some cannot become one. The session ends with the token (R6c).
   */
  withToken(text: string, address: string, agent?: string | null): Promise<NewSession | null>;
  /**
   * A link that signs its account in, once, within {@link LINK_MS}. `viewer` requests it. @throws Refusal `not_found`,
   * `invalid`.
   */
  makeLink(viewer: Viewer, accountId: AccountId): Promise<{ readonly token: string; readonly expiresAt: Instant }>;
  /** Uses a one-time link; null when it was used before, has expired, or its account is disabled. */
  withLink(token: string, address: string, agent?: string | null): Promise<NewSession | null>;
  /**
   * The address at the provider; `secret` goes into a cookie of the browser and is stored nowhere else. `proveFor`: the
   * account, signed in already, whose ORCID iD is proved. @throws Refusal `unavailable`.
   */
  beginAtProvider(returnTo: string, proveFor?: AccountId): Promise<{ readonly url: string; readonly secret: string }>;
  /**
   * Takes the provider's answer. `secret`: from the cookie of this browser. It creates an account only where
   * registration allows one.
   */
  endAtProvider(
    sent: { readonly state: string; readonly code: string | null; readonly secret: string | null },
    address: string,
    agent?: string | null,
  ): Promise<OidcEnd>;
  signOut(session: Session): Promise<void>;
}

/** Before the number of an account, in the place of a page to return to: a path begins with a slash. */
const PROVE = "orcid:";

/** The values of one sign-in at a provider, derived from the secret in the cookie: the database stores neither. */
const attemptOf = (secret: string) => ({
  state: derivedSecret("state", secret),
  nonce: derivedSecret("nonce", secret),
  verifier: derivedSecret("verifier", secret),
});

/** True for a text that a one-time link may hold. */
export const isLinkToken = (text: string): boolean => SECRET.test(text);

export const signIn = (needs: SignInNeeds): SignIn => ({
  hasProvider: needs.oidc !== null,
  isOrcid: needs.oidc?.isOrcid === true,
  providerOrigin: needs.oidc?.origin ?? null,
  withToken: (text, address, agent) => withToken(needs, text, { address, agent }),
  makeLink: (viewer, accountId) => makeLink(needs, viewer, accountId),
  withLink: (token, address, agent) => withLink(needs, token, { address, agent }),
  beginAtProvider: (returnTo, proveFor) =>
    beginAtProvider(needs, proveFor === undefined ? returnTo : `${PROVE}${proveFor}`),
  endAtProvider: (sent, address, agent) => endAtProvider(needs, sent, { address, agent }),
  async signOut(session) {
    await needs.store.transact((tx) => tx.accounts.deleteSession(session.hash));
  },
});

const newSecret = (needs: Pick<SignInNeeds, "random">): string => randomText(needs.random.bytes(SECRET_BYTES));

const noteRefusal = (needs: SignInNeeds, way: RefusedSignIn["way"], cause: string): null => {
  needs.note?.({ way, cause });
  return null;
};

/** Who signs in; `agent`: the header User-Agent. */
type Browser = { readonly address: string; readonly agent?: string | null | undefined };

/** `clientId`: the client of the token that signs in; null for a person. */
export async function insertSession(
  needs: Pick<SignInNeeds, "clock" | "random">,
  tx: RepositoryWriter,
  account: Account,
  { address, agent = null }: Browser,
  way: SessionWay,
  clientId: string | null = null,
): Promise<NewSession> {
  const at = needs.clock.now();
  const token = newSecret(needs);
  const session: Session = {
    hash: sha256Hex(token),
    accountId: account.id,
    csrfHash: sha256Hex(formTokenOf(token)),
    way,
    clientId,
    createdAt: at,
    expiresAt: addMilliseconds(at, SESSION_MS),
    lastUsedAt: null,
    agent: agentWords(agent),
  };
  await tx.accounts.forgetEnded(at);
  await tx.accounts.insertSession(session);
  const viewer: Viewer = { ...GUEST, account, address };
  await tx.audit(viewer, at, [{ action: "sign-in", subject: `account:${account.id}`, detail: { way } }]);
  return { token, session, account };
}

/** The ORCID iD that the provider states; null where it is another provider. */
function orcidOf({ oidc }: SignInNeeds, { subject }: OidcPerson): string | null {
  if (oidc?.isOrcid !== true || formProblem("orcid", subject) !== null) return null;
  return bareIdentifier(subject).toUpperCase();
}

async function accountFor(needs: SignInNeeds, person: OidcPerson): Promise<Account | null> {
  const orcid = orcidOf(needs, person);
  const owner = orcid === null ? null : await needs.store.profiles.accountOfOrcid(orcid);
  if (owner !== null) {
    const account = await needs.store.accounts.account(owner);
    return account?.active === true ? account : null;
  }
  const byMail = person.mail === null ? null : await needs.store.accounts.accountByMail(person.mail);
  const found = byMail ?? (person.eppn === null ? null : await needs.store.accounts.accountByEppn(person.eppn));
  return found?.active === true ? found : null;
}

/** An account that is there already, active or not, is never made again. */
async function registered({ store, register }: SignInNeeds, { mail }: OidcPerson): Promise<Account | null> {
  if (mail === null || register === undefined) return null;
  return await store.transact((tx) => register(tx, mail));
}

async function withToken(needs: SignInNeeds, text: string, browser: Browser) {
  return await needs.store.transact(async (tx) => {
    const found = await accountSecretLookup({ accounts: tx.accounts, clock: needs.clock })(text.trim(), "personal");
    if ("cause" in found) return noteRefusal(needs, "token", found.cause);
    const { clientId, scopes } = found.client;
    if (!REPOSITORY_SCOPES.every((scope) => scopes.includes(scope)))
      return noteRefusal(needs, "token", "narrow_scopes");
    return await insertSession(needs, tx, found.account, browser, "token", clientId);
  });
}

async function makeLink(needs: SignInNeeds, viewer: Viewer, accountId: AccountId) {
  const token = newSecret(needs);
  const hash = sha256Hex(token);
  return await writeAs(needs, viewer, async (tx) => {
    const account = await tx.accounts.account(accountId);
    if (account === null) throw new Refusal("not_found", `Account ${accountId} does not exist`);
    if (!account.active) throw new Refusal("invalid", `Account ${accountId} is disabled`);
    const at = needs.clock.now();
    const expiresAt = addMilliseconds(at, LINK_MS);
    await tx.accounts.insertLoginLink({ hash, accountId, expiresAt }, at);
    await tx.audit(viewer, at, [{ action: "login-link", subject: `account:${accountId}`, detail: { expiresAt } }]);
    return { token, expiresAt };
  });
}

async function withLink(needs: SignInNeeds, token: string, browser: Browser) {
  if (!isLinkToken(token)) return noteRefusal(needs, "link", "malformed");
  const hash = sha256Hex(token);
  return await needs.store.transact(async (tx) => {
    const id = await tx.accounts.useLoginLink(hash, needs.clock.now());
    const account = id === null ? null : await tx.accounts.account(id);
    if (account === null || !account.active)
      return noteRefusal(needs, "link", id === null ? "used_or_ended" : "disabled_account");
    return await insertSession(needs, tx, account, browser, "link");
  });
}

async function beginAtProvider(needs: SignInNeeds, returnTo: string) {
  if (needs.oidc === null) throw new Refusal("not_found", "No OpenID provider is set");
  const secret = newSecret(needs);
  const { state, nonce, verifier } = attemptOf(secret);
  const { redirectUri, provider } = needs.oidc;
  const start = { state, nonce, challenge: codeChallenge(verifier), redirectUri };
  let url: string;
  try {
    url = await provider.authorizationUrl(start);
  } catch (error) {
    noteRefusal(needs, "oidc", errorMessage(error));
    throw new Refusal("unavailable", "The OpenID provider does not answer", {
      headers: { "retry-after": "30" },
    });
  }
  const at = needs.clock.now();
  await needs.store.transact(async (tx) => {
    await tx.accounts.forgetEnded(at);
    await tx.accounts.insertLoginAttempt({ state, returnTo, expiresAt: addMilliseconds(at, ATTEMPT_MS) });
  });
  return { url, secret };
}

async function endAtProvider(
  needs: SignInNeeds,
  sent: { readonly state: string; readonly code: string | null; readonly secret: string | null },
  browser: Browser,
): Promise<OidcEnd> {
  const own = sent.secret === null || !SECRET.test(sent.secret) ? null : attemptOf(sent.secret);
  if (needs.oidc === null || own === null || !sameHash(sent.state, own.state)) {
    noteRefusal(needs, "oidc", "another_browser");
    return { kind: "failed", returnTo: "/" };
  }
  const { code } = sent;
  const attempt = await needs.store.transact((tx) => tx.accounts.takeLoginAttempt(sent.state, needs.clock.now()));
  if (attempt === null || code === null || ended(attempt.expiresAt, needs.clock.now())) {
    noteRefusal(needs, "oidc", attempt === null ? "unknown_state" : "refused_by_provider");
    return { kind: "failed", returnTo: attempt?.returnTo ?? "/" };
  }
  const { returnTo } = attempt;
  let person: OidcPerson;
  try {
    const { nonce, verifier } = own;
    person = await needs.oidc.provider.person({ code, nonce, verifier, redirectUri: needs.oidc.redirectUri });
  } catch (error) {
    noteRefusal(needs, "oidc", errorMessage(error));
    return { kind: "failed", returnTo };
  }
  if (returnTo.startsWith(PROVE)) {
    const orcid = orcidOf(needs, person);
    if (orcid === null) return { kind: "failed", returnTo: "/account" };
    return { kind: "orcid", orcid, accountId: Number(returnTo.slice(PROVE.length)), returnTo: "/account" };
  }
  const account = (await accountFor(needs, person)) ?? (await registered(needs, person));
  if (account === null) {
    noteRefusal(needs, "oidc", "unknown_account");
    return { kind: "unknown-account", returnTo };
  }
  const session = await needs.store.transact((tx) => insertSession(needs, tx, account, browser, "oidc"));
  return { kind: "signed-in", session, returnTo };
}
