// Authentication without a store: credentials in memory that a test changes as an operator would between two requests,
// which the services do not allow; and a clock that does not move.

import { type AuthenticationNeeds, authentication, type RefusedAttempt } from "../../../src/ark/authentication.ts";
import type { CredentialSecret, SecretKind } from "../../../src/ark/store.ts";
import type { Credential } from "../../../src/auth/caller.ts";
import { sha256Hex } from "../../../src/shared/hash/digests.ts";

export const NOW = "2026-06-01T12:00:00.000Z";
export const TOKEN_SECRET = new TextEncoder().encode("a signing secret of more than forty bytes");

const OPS: Credential = {
  id: 1,
  clientId: "ops",
  tier: "organisation",
  naan: "99999",
  organisationId: 7,
  shoulder: null,
  scopes: ["ark:mint", "ark:read", "ark:update"],
  active: true,
  expiresAt: null,
};

/** A secret whose random part is one character 43 times over. */
export const secretOf = (id: string, character: string): string => `svc_${id}_${character.repeat(43)}`;

export const KEY = secretOf("key1", "k");
export const CLIENT_SECRET = secretOf("sec1", "s");

/**
 * One credential `ops` with an API key and a client secret. Everything can be changed afterwards, as an operator would
 * between two requests; `refused` holds what was logged.
 */
export async function authWorld(needs: Partial<Omit<AuthenticationNeeds, "store" | "clock" | "log">> = {}) {
  const world = {
    now: NOW,
    credentials: new Map<string, Credential>([["ops", OPS]]),
    secrets: new Map<string, CredentialSecret>(),
    organisationActive: true,
    unregistered: [] as string[],
    refused: [] as RefusedAttempt[],
  };
  const found = (credential: Credential | undefined, secret: CredentialSecret | null) =>
    credential === undefined ? null : { credential, secret, organisationActive: world.organisationActive };
  const store: AuthenticationNeeds["store"] = {
    async credentialBySecret(id) {
      const secret = world.secrets.get(id) ?? null;
      return found(
        [...world.credentials.values()].find((each) => each.id === secret?.credentialId),
        secret,
      );
    },
    async credentialByClientId(clientId) {
      return found(world.credentials.get(clientId), null);
    },
    async noteUnregisteredSubject(issuer, subject) {
      world.unregistered.push(`${issuer} ${subject}`);
    },
  };
  const addSecret = async (text: string, kind: SecretKind, credentialId = 1): Promise<void> => {
    const [, id = "", random = ""] = text.split("_");
    const hash = sha256Hex(random);
    world.secrets.set(id, { id, credentialId, kind, hash, createdAt: NOW, expiresAt: null, revokedAt: null });
  };
  await addSecret(KEY, "api_key");
  await addSecret(CLIENT_SECRET, "client_secret");
  const auth = authentication({
    modes: ["apikey", "oauth2"],
    tokens: { secret: TOKEN_SECRET, issuer: "https://ark.example.org", ttlSeconds: 3600 },
    oidc: null,
    ...needs,
    store,
    clock: { now: () => world.now },
    log: (attempt) => world.refused.push(attempt),
  });
  const change = (fields: Partial<Credential>): void => {
    world.credentials.set("ops", { ...(world.credentials.get("ops") ?? OPS), ...fields });
  };
  const changeSecret = (id: string, fields: Partial<CredentialSecret>): void => {
    const secret = world.secrets.get(id);
    if (secret !== undefined) world.secrets.set(id, { ...secret, ...fields });
  };
  return { world, auth, addSecret, change, changeSecret };
}

/** Seconds since 1970 of an instant, as claims are written. */
export const seconds = (instant: string): number => Math.floor(Date.parse(instant) / 1000);
