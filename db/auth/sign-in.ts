// What signing in leaves behind (R33): one-time links, sessions, and the first half of an OIDC code flow. Secrets are kept as hashes only.
import type { LoginAttempt, LoginLink, Session as LoginSession, SessionWay } from "../../src/auth/accounts.ts";
import { rowsOf, run, type Session, statement } from "../engine/dialect.ts";

export const SESSION_NAMES = ["hash", "account_id", "csrf", "created_at", "expires_at", "way", "client_id"];
const SESSION = statement(() => `select ${SESSION_NAMES.join(", ")} from login_session where hash = $1`);
const WAYS: readonly SessionWay[] = ["token", "link", "oidc"];
export type SessionRow = {
  hash: string;
  account_id: number;
  csrf: string;
  created_at: string;
  expires_at: string;
  way: string | null;
  client_id: string | null;
};

export async function readSession(session: Session, hash: string): Promise<LoginSession | null> {
  const [row] = await rowsOf<SessionRow>(session, SESSION, [hash]);
  return row === undefined ? null : toSession(row);
}

export function toSession(row: SessionRow): LoginSession {
  return {
    hash: row.hash,
    accountId: Number(row.account_id),
    csrf: row.csrf,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    way: WAYS.find((way) => way === row.way) ?? null,
    clientId: row.client_id,
  };
}

export async function insertSession({ db }: Session, made: LoginSession): Promise<void> {
  await db
    .insertInto("login_session")
    .values({
      hash: made.hash,
      account_id: made.accountId,
      csrf: made.csrf,
      created_at: made.createdAt,
      expires_at: made.expiresAt,
      way: made.way,
      client_id: made.clientId,
    })
    .execute();
}

export async function deleteSession({ db }: Session, hash: string): Promise<void> {
  await db.deleteFrom("login_session").where("hash", "=", hash).execute();
}

export async function deleteSessionsOf({ db }: Session, accountId: number): Promise<void> {
  await db.deleteFrom("login_session").where("account_id", "=", accountId).execute();
}

export async function deleteSessionsWith({ db }: Session, clientId: string): Promise<void> {
  await db.deleteFrom("login_session").where("client_id", "=", clientId).execute();
}

export async function insertLink({ db }: Session, link: LoginLink, at: string): Promise<void> {
  await db
    .insertInto("login_link")
    .values({
      hash: link.hash,
      account_id: link.accountId,
      created_at: at,
      expires_at: link.expiresAt,
      used_at: null,
    })
    .execute();
}

const USE = statement(
  () => `update login_link set used_at = $2 where hash = $1 and used_at is null and expires_at > $2
    returning account_id`,
);

/** Only one of two who come at once gets it. */
export async function useLink(session: Session, hash: string, at: string): Promise<number | null> {
  const { rows } = await run<{ account_id: number }>(session, USE, [hash, at]);
  const [row] = rows;
  return row === undefined ? null : Number(row.account_id);
}

export async function insertAttempt({ db }: Session, attempt: LoginAttempt): Promise<void> {
  await db
    .insertInto("login_attempt")
    .values({
      state: attempt.state,
      verifier: attempt.verifier,
      nonce: attempt.nonce,
      return_to: attempt.returnTo,
      expires_at: attempt.expiresAt,
    })
    .execute();
}

const TAKE = statement(
  () => "delete from login_attempt where state = $1 returning state, verifier, nonce, return_to, expires_at",
);
type AttemptRow = { state: string; verifier: string; nonce: string; return_to: string; expires_at: string };

export async function takeAttempt(session: Session, state: string, at: string): Promise<LoginAttempt | null> {
  const { rows } = await run<AttemptRow>(session, TAKE, [state]);
  const [row] = rows;
  if (row === undefined || row.expires_at <= at) return null;
  return {
    state: row.state,
    verifier: row.verifier,
    nonce: row.nonce,
    returnTo: row.return_to,
    expiresAt: row.expires_at,
  };
}

export async function forgetEnded({ db }: Session, at: string): Promise<void> {
  await db.deleteFrom("login_session").where("expires_at", "<=", at).execute();
  await db.deleteFrom("login_link").where("expires_at", "<=", at).execute();
  await db.deleteFrom("login_attempt").where("expires_at", "<=", at).execute();
}
