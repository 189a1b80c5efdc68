// From the text of a secret to the credential behind it (A23). Used for API keys and, at the token endpoint, for client secrets.
import { credentialProblem, parseSecret, secretProblem } from "../auth/secret.ts";
import { sameHash, secretHash } from "../shared/hash/secret-hash.ts";
import type { Clock } from "../shared/time/clock.ts";
import type { FoundCredential, SecretKind, Store } from "./store.ts";

/** Why an attempt failed, for the log. `who` is a secret's id, a client_id or a subject, as far as it is known for certain; else empty. */
export type SecretRefusal = { readonly cause: string; readonly who: string };

/** Compared against where a secret is unknown, so that this takes as long as where it is known. */
const NO_HASH = "0".repeat(64);

/** Finds the credential whose secret may be used now as `kind`, or states why there is none. */
export const secretLookup =
  ({ store, clock }: { readonly store: Pick<Store, "credentialBySecret">; readonly clock: Clock }) =>
  async (text: string, kind: SecretKind): Promise<FoundCredential | SecretRefusal> => {
    const secret = parseSecret(text);
    if (secret === null) return { cause: "malformed", who: "" };
    const [found, hash] = await Promise.all([store.credentialBySecret(secret.id), secretHash(secret.random)]);
    const matches = sameHash(found?.secret?.hash ?? NO_HASH, hash);
    const now = clock.now();
    const cause = secretProblem(found?.secret ?? null, kind, matches, now);
    if (cause !== null || found === null) return { cause: cause ?? "unknown_secret", who: secret.id };
    const problem = credentialProblem(found.credential, now);
    return problem === null ? found : { cause: problem, who: found.credential.clientId };
  };
