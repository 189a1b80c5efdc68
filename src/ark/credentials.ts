// Secrets of credentials: made, revoked (A23). The text of a secret leaves this file once, when it is made; kept is its
// hash. Several may be active per credential, each with its own end, so that clients can be moved from one to the next.

import type { Actor, Credential } from "../auth/caller.ts";
import { ended, SECRET_ID_LENGTH, SECRET_RANDOM_BYTES, secretText } from "../auth/credential-text.ts";
import { randomText, sha256Hex } from "../shared/hash/digests.ts";
import type { Clock, Random } from "../shared/time/clock.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { Change, CredentialSecret, SecretKind, Store } from "./store.ts";

/** A secret that was just made. `text` is not kept anywhere. */
type NewSecret = {
  readonly id: string;
  readonly kind: SecretKind;
  readonly text: string;
  readonly expiresAt: Instant | null;
};

type Owner = Pick<Credential, "id" | "clientId">;

type NewSecretIn = { readonly owner: Owner; readonly kind: SecretKind; readonly expiresAt: Instant | null };

export interface Credentials {
  /** Makes one more secret; those there are stay valid. */
  addSecret(actor: Actor, input: NewSecretIn): Promise<NewSecret>;
  /**
   * Ends one secret at once; false when the credential has no such active secret. Tokens already bought with a client
   * secret live on until they expire: disabling the credential is what stops those.
   */
  revokeSecret(actor: Actor, owner: Owner, secretId: string): Promise<boolean>;
}

/** A secret and what is kept of it; both leave the maker once. */
export type MadeSecret = { readonly id: string; readonly text: string; readonly hash: string };

export interface SecretMaker {
  make(): Promise<MadeSecret>;
}

/** Makes secrets of the form `svc_<id>_<random>`. */
export const secretMaker = ({ random }: { readonly random: Random }): SecretMaker => ({
  async make() {
    const secret = {
      id: random.betanumerics(SECRET_ID_LENGTH),
      random: randomText(random.bytes(SECRET_RANDOM_BYTES)),
    };
    return { id: secret.id, text: secretText(secret), hash: sha256Hex(secret.random) };
  },
});

export const credentials = (needs: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}): Credentials => {
  const { store, clock } = needs;
  const maker = secretMaker(needs);

  return {
    async addSecret(actor, { owner, kind, expiresAt }) {
      const { id, text, hash } = await maker.make();
      return await store.transact(async (tx) => {
        const at = clock.now();
        await tx.insertSecret({ id, credentialId: owner.id, kind, hash, createdAt: at, expiresAt, revokedAt: null });
        await tx.record(actor, at, [secretChange("add-secret", owner, kind, id)]);
        return { id, kind, text, expiresAt };
      });
    },

    revokeSecret(actor, owner, secretId) {
      return store.transact(async (tx) => {
        const at = clock.now();
        const secret = (await tx.secretsOf(owner.id)).find(({ id }) => id === secretId);
        if (secret === undefined || !isActive(secret, at)) return false;
        await tx.revokeSecret(secretId, at);
        await tx.record(actor, at, [secretChange("revoke-secret", owner, secret.kind, secretId)]);
        return true;
      });
    },
  };
};

function isActive(secret: CredentialSecret, now: Instant): boolean {
  return !ended(secret.revokedAt, now) && !ended(secret.expiresAt, now);
}

/** The id is public (the log contains it); the secret itself appears nowhere. */
function secretChange(action: string, owner: Owner, kind: SecretKind, secretId: string): Change {
  const fields = [kind === "api_key" ? "api_keys" : "client_secrets"];
  const blank = { beforeUrl: "", afterUrl: "" };
  return { subject: "credential", target: owner.clientId, action, fields, reason: secretId, ...blank };
}
