// What signing in leaves behind (R33): one-time links, sessions, and the first half of an OIDC code flow. Secrets are kept as hashes only.
import type { AccountWriter, LoginAttempt, Session as LoginSession, SessionWay } from "../../src/auth/accounts.ts";
import { type Session, statement } from "../engine/dialect.ts";
import { oneRow, rowsAs } from "../engine/record.ts";
import type { LoginAttemptTable, LoginSessionTable } from "../engine/repository-schema.ts";

const WAYS: readonly SessionWay[] = ["token", "link", "oidc"];
export const SESSION = rowsAs<LoginSessionTable, LoginSession>({
  hash: "hash",
  accountId: "account_id",
  csrfHash: "csrf",
  createdAt: "created_at",
  expiresAt: "expires_at",
  way: { column: "way", read: (way: string | null) => WAYS.find((each) => each === way) ?? null, write: (way) => way },
  clientId: "client_id",
});
export const SESSION_BY_HASH = statement(() => `select ${SESSION.list} from login_session where hash = $1`);
const ATTEMPT = rowsAs<LoginAttemptTable, LoginAttempt>({
  state: "state",
  returnTo: "return_to",
  expiresAt: "expires_at",
});
const USE = statement(
  () => `update login_link set used_at = $2 where hash = $1 and used_at is null and expires_at > $2
    returning account_id`,
);
const TAKE = statement(() => `delete from login_attempt where state = $1 returning ${ATTEMPT.list}`);

export function signInWriter(session: Session) {
  const { db } = session;
  return {
    async insertSession(made) {
      await db.insertInto("login_session").values(SESSION.write(made)).execute();
    },
    async deleteSession(hash) {
      await db.deleteFrom("login_session").where("hash", "=", hash).execute();
    },
    async deleteSessionsOf(accountId) {
      await db.deleteFrom("login_session").where("account_id", "=", accountId).execute();
    },
    async deleteSessionsWith(clientId) {
      await db.deleteFrom("login_session").where("client_id", "=", clientId).execute();
    },
    async insertLoginLink({ hash, accountId, expiresAt }, at) {
      const link = { hash, account_id: accountId, created_at: at, expires_at: expiresAt, used_at: null };
      await db.insertInto("login_link").values(link).execute();
    },
    /** Only one of two who come at once gets it. */
    useLoginLink: (hash, at) => oneRow(session, USE, [hash, at], (row: { account_id: number }) => row.account_id),
    async insertLoginAttempt(attempt) {
      await db
        .insertInto("login_attempt")
        .values({ ...ATTEMPT.write(attempt), verifier: "", nonce: "" })
        .execute();
    },
    async takeLoginAttempt(state, at) {
      const attempt = await oneRow(session, TAKE, [state], ATTEMPT.read);
      return attempt === null || attempt.expiresAt <= at ? null : attempt;
    },
    async forgetEnded(at) {
      await db.deleteFrom("login_session").where("expires_at", "<=", at).execute();
      await db.deleteFrom("login_link").where("expires_at", "<=", at).execute();
      await db.deleteFrom("login_attempt").where("expires_at", "<=", at).execute();
    },
  } satisfies Partial<AccountWriter>;
}
