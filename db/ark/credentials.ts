// Credentials, their secrets, and subjects of the OIDC issuer that are not registered (A21, A23, A24).

import type { CredentialSecret, FoundCredential, SecretKind } from "../../src/ark/store.ts";
import { type Credential, SCOPES, type Scope, type Tier } from "../../src/auth/caller.ts";
import { rowsOf, run, type Session, statement } from "../engine/dialect.ts";
import type { CredentialSecretTable, CredentialTable } from "../engine/schema.ts";

type CredentialRow = Omit<CredentialTable, "id"> & { readonly id: number };

/** A scope that this program does not know gives nobody anything. */
function readScopes(json: string): readonly Scope[] {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? SCOPES.filter((scope) => parsed.includes(scope)) : [];
}

function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    clientId: row.client_id,
    // The table's check allows no other values.
    tier: row.tier as Tier,
    naan: row.naan,
    organisationId: row.organisation_id,
    shoulder: row.shoulder,
    scopes: readScopes(row.scopes),
    active: row.active === 1,
    expiresAt: row.expires_at,
  };
}

function toSecret(row: CredentialSecretTable): CredentialSecret {
  return {
    id: row.id,
    credentialId: row.credential_id,
    // The table's check allows no other values.
    kind: row.kind as SecretKind,
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

const CREDENTIAL = ["id", "client_id", "tier", "naan", "organisation_id", "shoulder", "scopes", "active", "expires_at"];
const SECRET = "id, credential_id, kind, hash, created_at, expires_at, revoked_at";
const CREDENTIALS = statement(() => `select ${CREDENTIAL.join(", ")} from credential order by client_id`);
const SECRETS_OF = statement(
  () => `select ${SECRET} from credential_secret where credential_id = $1 order by created_at, id`,
);

export async function readCredentials(session: Session): Promise<readonly Credential[]> {
  return (await rowsOf<CredentialRow>(session, CREDENTIALS)).map(toCredential);
}

export async function readSecretsOf(session: Session, credentialId: number): Promise<readonly CredentialSecret[]> {
  return (await rowsOf<CredentialSecretTable>(session, SECRETS_OF, [credentialId])).map(toSecret);
}

const FOUND = `${CREDENTIAL.map((name) => `c.${name}`).join(", ")}, coalesce(o.active, 1) as organisation_active`;
const OF_ORGANISATION = "left join organisation o on o.id = c.organisation_id";
const BY_CLIENT_ID = statement(() => `select ${FOUND} from credential c ${OF_ORGANISATION} where c.client_id = $1`);
const BY_SECRET = statement(
  () => `select ${FOUND}, s.id as secret_id, s.kind, s.hash, s.created_at, s.expires_at as secret_expires_at, s.revoked_at
    from credential_secret s join credential c on c.id = s.credential_id ${OF_ORGANISATION} where s.id = $1`,
);

type FoundRow = CredentialRow & { readonly organisation_active: number };
type FoundSecretRow = FoundRow &
  Pick<CredentialSecretTable, "kind" | "hash" | "created_at" | "revoked_at"> & {
    readonly secret_id: string;
    readonly secret_expires_at: string | null;
  };

export async function findByClientId(session: Session, clientId: string): Promise<FoundCredential | null> {
  const [row] = await rowsOf<FoundRow>(session, BY_CLIENT_ID, [clientId]);
  if (row === undefined) return null;
  return { credential: toCredential(row), secret: null, organisationActive: row.organisation_active === 1 };
}

export async function findBySecret(session: Session, secretId: string): Promise<FoundCredential | null> {
  const [row] = await rowsOf<FoundSecretRow>(session, BY_SECRET, [secretId]);
  if (row === undefined) return null;
  const { secret_id: id, id: credential_id, secret_expires_at: expires_at, kind, hash, created_at, revoked_at } = row;
  return {
    credential: toCredential(row),
    secret: toSecret({ id, credential_id, kind, hash, created_at, expires_at, revoked_at }),
    organisationActive: row.organisation_active === 1,
  };
}

export async function saveCredential({ db }: Session, credential: Credential): Promise<number> {
  const values = {
    client_id: credential.clientId,
    tier: credential.tier,
    naan: credential.naan,
    organisation_id: credential.organisationId,
    shoulder: credential.shoulder,
    scopes: JSON.stringify(credential.scopes),
    active: credential.active ? 1 : 0,
    expires_at: credential.expiresAt,
  };
  if (credential.id === 0) {
    return (await db.insertInto("credential").values(values).returning("id").executeTakeFirstOrThrow()).id;
  }
  const saved = await db
    .updateTable("credential")
    .set(values)
    .where("id", "=", credential.id)
    .returning("id")
    .executeTakeFirst();
  if (saved === undefined) throw new RangeError(`Cannot save credential ${credential.id}: there is none`);
  return saved.id;
}

export async function insertSecret({ db }: Session, secret: CredentialSecret): Promise<void> {
  await db
    .insertInto("credential_secret")
    .values({
      id: secret.id,
      credential_id: secret.credentialId,
      kind: secret.kind,
      hash: secret.hash,
      created_at: secret.createdAt,
      expires_at: secret.expiresAt,
      revoked_at: secret.revokedAt,
    })
    .execute();
}

const REVOKE = statement(
  () => "update credential_secret set revoked_at = $2 where id = $1 and (revoked_at is null or revoked_at > $2)",
);

/** A secret keeps its earliest date of revocation; a date still to come (an overlap) can be moved nearer. */
export async function revokeSecret(session: Session, id: string, at: string): Promise<void> {
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
const SUBJECTS = statement(
  () =>
    "select issuer, subject, last_seen_at, times from unregistered_subject order by last_seen_at desc, issuer, subject",
);

/** Keeps the subjects seen last. */
export async function noteSubject(session: Session, issuer: string, subject: string, at: string): Promise<void> {
  await run(session, NOTE, [issuer, subject, at]);
  await run(session, FORGET);
}

export async function readSubjects(session: Session) {
  type Row = { issuer: string; subject: string; last_seen_at: string; times: number };
  const rows = await rowsOf<Row>(session, SUBJECTS);
  return rows.map((row) => ({
    issuer: row.issuer,
    subject: row.subject,
    lastSeenAt: row.last_seen_at,
    times: row.times,
  }));
}
