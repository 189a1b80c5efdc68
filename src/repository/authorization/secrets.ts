// Codes and tokens of grants (R30): opaque, kept as hashes, their text leaves here once.
import { grantSecretId, SECRET_ID_LENGTH, SECRET_RANDOM_BYTES, secretText } from "../../auth/credential-text.ts";
import { randomText, sha256Hex } from "../../shared/hash/digests.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import type { Grant, GrantSecret } from "../store/grants.ts";
import type { RepositoryWriter } from "../store/store.ts";
import type { AuthorizationAsk } from "./ask.ts";
import { ACCESS_MS, CODE_MS, GRANT_SECRETS_MAX, REFRESH_MS } from "./lifetimes.ts";

type SecretsNeeds = { readonly clock: Clock; readonly random: Random };

const LIFETIMES: Readonly<Record<GrantSecret["kind"], number>> = {
  code: CODE_MS,
  access: ACCESS_MS,
  refresh: REFRESH_MS,
};

type NewSecret = Pick<GrantSecret, "grantId" | "kind" | "scopes"> &
  Partial<Pick<GrantSecret, "redirectUri" | "challenge">>;

async function insert(
  tx: RepositoryWriter,
  { clock, random }: SecretsNeeds,
  { grantId, kind, scopes, redirectUri = null, challenge = null }: NewSecret,
): Promise<string> {
  const secret = {
    id: grantSecretId(kind, random.betanumerics(SECRET_ID_LENGTH)),
    random: randomText(random.bytes(SECRET_RANDOM_BYTES)),
  };
  const at = clock.now();
  await tx.grants.insertGrantSecret({
    id: secret.id,
    grantId,
    kind,
    scopes,
    redirectUri,
    challenge,
    hash: sha256Hex(secret.random),
    createdAt: at,
    expiresAt: addMilliseconds(at, LIFETIMES[kind]),
    usedAt: null,
  });
  return secretText(secret);
}

/** A code for what was asked, to be exchanged once within a minute. */
export async function issueCode(
  tx: RepositoryWriter,
  needs: SecretsNeeds,
  { grant, ask, scopes }: { readonly grant: Grant; readonly ask: AuthorizationAsk; readonly scopes: readonly string[] },
): Promise<string> {
  await requireRoom(tx, grant);
  const redirectUri = ask.redirectSent ? ask.redirectUri : null;
  return await insert(tx, needs, {
    grantId: grant.id,
    kind: "code",
    scopes,
    redirectUri,
    challenge: ask.codeChallenge,
  });
}

/** An access token with `scopes`, and the refresh token behind it, which keeps all that were allowed (RFC 6749 6). */
export async function issueTokens(
  tx: RepositoryWriter,
  needs: SecretsNeeds,
  grant: Grant,
  { scopes, kept }: { readonly scopes: readonly string[]; readonly kept: readonly string[] },
): Promise<{ readonly access: string; readonly refresh: string }> {
  await requireRoom(tx, grant);
  const access = await insert(tx, needs, { grantId: grant.id, kind: "access", scopes });
  const refresh = await insert(tx, needs, { grantId: grant.id, kind: "refresh", scopes: kept });
  return { access, refresh };
}

async function requireRoom(tx: RepositoryWriter, { id }: Grant): Promise<void> {
  if ((await tx.grants.countGrantSecrets(id)) + 2 <= GRANT_SECRETS_MAX) return;
  throw new Refusal(
    "too_many",
    "This client has been given too many tokens lately: ask the person to end it and allow it again",
  );
}
