// The caller of the ARK service, read again inside the transaction that writes (R2g): a credential that was disabled,
// or whose secret was revoked, while a body was received creates and changes no name.

import { type Call, type Caller, narrowed, reachesNaan, reachesShoulder, type Scope } from "../auth/caller.ts";
import { credentialProblem, ended } from "../auth/credential-text.ts";
import { ServiceError } from "../shared/errors.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { ArkRecord, Shoulder } from "./record.ts";
import type { ArkReader, FoundCredential, Reach, Store } from "./store.ts";

export const REALM = 'Bearer realm="ark"';

/** One answer for every token that may not be used (A26). */
export function invalidToken(): ServiceError {
  return new ServiceError(1202, {}, { "www-authenticate": `${REALM}, error="invalid_token"` });
}

/**
 * Throws 1303 when the caller's organisation is not active: then nothing can be read or written. Throws 1301 unless the
 * caller holds one of the scopes; the first one is the one named.
 */
export function requireScope(caller: Caller, anyOf: readonly Scope[]): void {
  if (!caller.organisationActive) throw new ServiceError(1303);
  if (anyOf.some((scope) => caller.scopes.has(scope))) return;
  const [scope = ""] = anyOf;
  const challenge = `${REALM}, error="insufficient_scope", scope="${scope}"`;
  throw new ServiceError(1301, { scope }, { "www-authenticate": challenge });
}

/**
 * The caller a credential makes, with its scopes cut down to what is carried; null: all of them. Whether it is active
 * is not checked.
 */
export function callerOf(
  { credential, organisationActive }: Omit<FoundCredential, "secret">,
  carried: readonly string[] | null,
): Omit<Caller, "proof"> {
  const { clientId, tier, naan, organisationId, shoulder, scopes } = credential;
  return { clientId, tier, naan, organisationId, organisationActive, shoulder, scopes: narrowed(scopes, carried) };
}

/** Reads each credential once, however many of the calls are its. */
export function callers(reader: Pick<ArkReader, "credentialBySecret" | "credentialByClientId">, now: Instant) {
  const read = new Map<string, Promise<FoundCredential | null>>();

  function found({ clientId, proof }: Caller): Promise<FoundCredential | null> {
    const secretId = proof?.secretId ?? null;
    const key = `${secretId ?? ""} ${clientId}`;
    const known = read.get(key);
    if (known !== undefined) return known;
    const asked = secretId === null ? reader.credentialByClientId(clientId) : reader.credentialBySecret(secretId);
    read.set(key, asked);
    return asked;
  }

  /**
   * The call as it is now. What the program itself calls is what it was.
   *
   * @throws ServiceError 1202 for a credential, secret or token that has ended; 1303 and 1301 as `requireScope`.
   */
  return async (call: Call): Promise<Call> => {
    const { caller } = call;
    const { proof, clientId } = caller;
    if (proof === undefined) return call;
    const { credential, secret, organisationActive } = (await found(caller)) ?? {};
    if (credential === undefined || organisationActive === undefined || credential.clientId !== clientId) {
      throw invalidToken();
    }
    if (credentialProblem(credential, now) !== null || ended(proof.endsAt, now)) throw invalidToken();
    if (proof.secretId !== null && (!secret || ended(secret.revokedAt, now) || ended(secret.expiresAt, now))) {
      throw invalidToken();
    }
    const fresh: Caller = { ...callerOf({ credential, organisationActive }, proof.carried), proof };
    if (call.asked !== undefined) requireScope(fresh, call.asked);
    return { ...call, caller: fresh };
  };
}

// How far a caller reaches, asked of the database: a name is within reach when its shoulder's organisation is (A21,
// A22, L11, L44).

/** The caller's reach as the database narrows reads by it. */
export function reachOf(caller: Caller): Reach {
  if (caller.tier === "system") return { kind: "system" };
  if (caller.naan === null) throw new TypeError(`Credential ${caller.clientId} of tier ${caller.tier} has no NAAN`);
  if (caller.tier === "naan") return { kind: "naan", naan: caller.naan };
  if (caller.organisationId === null) throw new TypeError(`Credential ${caller.clientId} has no organisation`);
  return {
    kind: "organisation",
    naan: caller.naan,
    organisationId: caller.organisationId,
    shoulder: caller.shoulder,
  };
}

/** Where a read goes: to the replica when it was asked for (A19). */
export function readerOf(store: Store, call: Call): ArkReader {
  return call.readOnly ? store.replica : store;
}

/** @throws ServiceError 1303 when the caller's organisation was disabled: it may not write. */
export function requireActive(caller: Caller): void {
  if (!caller.organisationActive) throw new ServiceError(1303);
}

/** A question about single records; shoulders are read once for all the records it will be asked about. */
export async function reachTest(
  reader: ArkReader,
  caller: Caller,
  records: Iterable<ArkRecord>,
): Promise<(record: ArkRecord) => boolean> {
  const naans = new Set<string>();
  for (const record of records) if (!reachesNaan(caller, record.naan)) naans.add(record.naan);
  const shoulders = new Map<string, Shoulder>();
  // A caller below the tier of a NAAN reaches names of one NAAN only: other shoulders need not be read.
  const asked = [...naans].filter((naan) => caller.tier === "organisation" && naan === caller.naan);
  if (asked.length > 0) {
    for (const shoulder of await reader.shoulders(asked))
      shoulders.set(`${shoulder.naan}/${shoulder.shoulder}`, shoulder);
  }
  return (record) => {
    if (reachesNaan(caller, record.naan)) return true;
    const shoulder = shoulders.get(`${record.naan}/${record.shoulder}`);
    return shoulder !== undefined && reachesShoulder(caller, shoulder);
  };
}
