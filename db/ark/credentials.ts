// Credentials, their secrets, and subjects of the OIDC issuer that are not registered (A21, A23, A24).

import type { CredentialSecret, FoundCredential, UnregisteredSubject } from "../../src/ark/store.ts";
import { type Credential, SCOPES, type Scope } from "../../src/auth/caller.ts";
import type { Instant } from "../../src/shared/time/instant.ts";
import { rowsOf, run, type Session, statement } from "../engine/dialect.ts";
import { allRows, flag, rowsAs } from "../engine/record.ts";
import type { CredentialSecretTable, CredentialTable, UnregisteredSubjectTable } from "../engine/schema.ts";

/** A scope that this program does not know gives nobody anything. */
function scopesOf(json: string): readonly Scope[] {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? SCOPES.filter((scope) => parsed.includes(scope)) : [];
}

const CREDENTIAL = rowsAs<CredentialTable, Credential>({
  id: "id",
  clientId: "client_id",
  tier: "tier",
  naan: "naan",
  organisationId: "organisation_id",
  shoulder: "shoulder",
  scopes: { column: "scopes", read: scopesOf, write: JSON.stringify },
  active: flag("active"),
  expiresAt: "expires_at",
});
const SECRET = rowsAs<CredentialSecretTable, CredentialSecret>({
  id: "id",
  credentialId: "credential_id",
  kind: "kind",
  hash: "hash",
  createdAt: "created_at",
  expiresAt: "expires_at",
  revokedAt: "revoked_at",
});
const CREDENTIALS = statement(() => `select ${CREDENTIAL.list} from credential order by client_id`);
const SECRETS_OF = statement(
  () => `select ${SECRET.list} from credential_secret where credential_id = $1 order by created_at, id`,
);

export function readCredentials(session: Session): Promise<readonly Credential[]> {
  return allRows(session, CREDENTIALS, [], CREDENTIAL.read);
}

export function readSecretsOf(session: Session, credentialId: number): Promise<readonly CredentialSecret[]> {
  return allRows(session, SECRETS_OF, [credentialId], SECRET.read);
}

const FOUND = `${CREDENTIAL.names.map((name) => `c.${name}`).join(", ")}, coalesce(o.active, 1) as organisation_active`;
const OF_ORGANISATION = "left join organisation o on o.id = c.organisation_id";
const BY_CLIENT_ID = statement(() => `select ${FOUND} from credential c ${OF_ORGANISATION} where c.client_id = $1`);
const BY_SECRET = statement(
  () => `select ${FOUND}, s.id as secret_id, s.kind, s.hash, s.created_at, s.expires_at as secret_expires_at, s.revoked_at
    from credential_secret s join credential c on c.id = s.credential_id ${OF_ORGANISATION} where s.id = $1`,
);

type FoundRow = { readonly organisation_active: number };
type FoundSecretRow = FoundRow &
  Pick<CredentialSecretTable, "kind" | "hash" | "created_at" | "revoked_at"> & {
    readonly id: number;
    readonly secret_id: string;
    readonly secret_expires_at: string | null;
  };

export async function findByClientId(session: Session, clientId: string): Promise<FoundCredential | null> {
  const [row] = await rowsOf<FoundRow>(session, BY_CLIENT_ID, [clientId]);
  if (row === undefined) return null;
  return { credential: CREDENTIAL.read(row), secret: null, organisationActive: row.organisation_active === 1 };
}

export async function findBySecret(session: Session, secretId: string): Promise<FoundCredential | null> {
  const [row] = await rowsOf<FoundSecretRow>(session, BY_SECRET, [secretId]);
  if (row === undefined) return null;
  const { secret_id: id, id: credential_id, secret_expires_at: expires_at, kind, hash, created_at, revoked_at } = row;
  return {
    credential: CREDENTIAL.read(row),
    secret: SECRET.read({ id, credential_id, kind, hash, created_at, expires_at, revoked_at }),
    organisationActive: row.organisation_active === 1,
  };
}

export async function saveCredential({ db }: Session, credential: Credential): Promise<number> {
  const { id, ...values } = CREDENTIAL.write(credential);
  if (id === 0) {
    return (await db.insertInto("credential").values(values).returning("id").executeTakeFirstOrThrow()).id;
  }
  const saved = await db.updateTable("credential").set(values).where("id", "=", id).returning("id").executeTakeFirst();
  if (saved === undefined) throw new RangeError(`Cannot save credential ${id}: there is none`);
  return saved.id;
}

export async function insertSecret({ db }: Session, secret: CredentialSecret): Promise<void> {
  await db.insertInto("credential_secret").values(SECRET.write(secret)).execute();
}

const REVOKE = statement(
  () => "update credential_secret set revoked_at = $2 where id = $1 and (revoked_at is null or revoked_at > $2)",
);

/** A secret keeps its earliest date of revocation; a date still to come (an overlap) can be moved nearer. */
export async function revokeSecret(session: Session, id: string, at: Instant): Promise<void> {
  await run(session, REVOKE, [id, at]);
}

const SUBJECTS_KEPT = 1_000;
const NOTE = statement(
  () => `insert into unregistered_subject (issuer, subject, last_seen_at, times) values ($1, $2, $3, 1)
    on conflict (issuer, subject) do update
    set last_seen_at = excluded.last_seen_at, times = unregistered_subject.times + 1`,
);
const FORGET = statement(
  () => `delete from unregistered_subject where (issuer, subject) in (
      select issuer, subject from unregistered_subject order by last_seen_at desc, issuer, subject
      limit 1000000 offset ${SUBJECTS_KEPT})`,
);
const SUBJECT = rowsAs<UnregisteredSubjectTable, UnregisteredSubject>({
  issuer: "issuer",
  subject: "subject",
  lastSeenAt: "last_seen_at",
  times: "times",
});
const SUBJECTS = statement(
  () => `select ${SUBJECT.list} from unregistered_subject order by last_seen_at desc, issuer, subject`,
);

/** Keeps the subjects seen last. */
export async function noteSubject(session: Session, issuer: string, subject: string, at: Instant): Promise<void> {
  await run(session, NOTE, [issuer, subject, at]);
  await run(session, FORGET);
}

export function readSubjects(session: Session) {
  return allRows(session, SUBJECTS, [], SUBJECT.read);
}
