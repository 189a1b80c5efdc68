// The tables of the ARK service as Kysely sees them (A8, A11, A13, A23, A27). The DDL is in migrations/.

import type { Generated } from "kysely";
import type { Instant } from "../../src/shared/time/instant.ts";
import type { RepositoryTables } from "./repository-schema.ts";

/** Every name ever assigned; rows are never removed and keys never changed. */
export interface ArkTable {
  ark: string;
  naan: string;
  shoulder: string;
  origin: string;
  organisation_id: number | null;
  state: string;
  url: string;
  title: string;
  type: string;
  identifier: string;
  format: string;
  relation: string;
  source: string;
  commitment: string;
  metadata: string;
  who: string;
  when: string;
  created_at: Instant;
  updated_at: Instant;
  published_at: Instant | null;
  first_published_at: Instant | null;
  tombstoned_at: Instant | null;
  withdrawn_at: Instant | null;
  withdrawn_reason: string | null;
  hold_until: Instant | null;
  hold_reason: string | null;
}

export interface NaanTable {
  naan: string;
  authoritative: number;
  name: string;
  policy: string;
  policy_url: string;
  redirect: string;
  minter: string;
  hold_until: Instant | null;
  hold_reason: string | null;
}

export interface OrganisationTable {
  id: Generated<number>;
  naan: string;
  name: string;
  default_shoulder: string;
  commitment_level: string;
  quota_per_day: number | null;
  active: number;
}

export interface ShoulderTable {
  naan: string;
  shoulder: string;
  organisation_id: number;
  status: string;
  minter: string;
  about: string;
  redirect: string;
  checked: number;
  import_only: number;
  blade_length: number;
  hold_until: Instant | null;
  hold_reason: string | null;
}

export interface CredentialTable {
  id: Generated<number>;
  client_id: string;
  tier: string;
  naan: string | null;
  organisation_id: number | null;
  shoulder: string | null;
  /** JSON list of scope names. */
  scopes: string;
  active: number;
  expires_at: Instant | null;
}

export interface CredentialSecretTable {
  id: string;
  credential_id: number;
  kind: string;
  /** SHA-256 of the random part, in hex. */
  hash: string;
  created_at: Instant;
  expires_at: Instant | null;
  revoked_at: Instant | null;
}

export interface ReceiptTable {
  client_id: string;
  request_id: string;
  kind: string;
  ark: string;
  created_at: Instant;
}

/** History of every change and, in its order, the feed the resolver follows. PostgreSQL has a column `xid` more. */
export interface ArkChangeTable {
  id: Generated<number>;
  at: Instant;
  subject: string;
  target: string;
  action: string;
  before_url: string;
  after_url: string;
  /** JSON list of field names. */
  fields: string;
  by: string;
  reason: string;
}

/** Outlives what it describes: it refers to nothing. */
export interface AuditEventTable {
  id: Generated<number>;
  at: Instant;
  client_id: string;
  tier: string;
  address: string;
  subject: string;
  target: string;
  action: string;
  before_url: string;
  after_url: string;
  fields: string;
  reason: string;
}

interface ServiceTable {
  key: string;
  value: string;
}

export interface UnregisteredSubjectTable {
  issuer: string;
  subject: string;
  last_seen_at: Instant;
  times: number;
}

interface SchemaMigrationTable {
  version: number;
  name: string;
  applied_at: Instant;
}

export interface Database extends RepositoryTables {
  ark: ArkTable;
  naan: NaanTable;
  organisation: OrganisationTable;
  shoulder: ShoulderTable;
  credential: CredentialTable;
  credential_secret: CredentialSecretTable;
  receipt: ReceiptTable;
  ark_change: ArkChangeTable;
  audit_event: AuditEventTable;
  service: ServiceTable;
  unregistered_subject: UnregisteredSubjectTable;
  schema_migration: SchemaMigrationTable;
}
