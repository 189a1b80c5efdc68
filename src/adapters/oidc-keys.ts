// The published keys of the external authorization server, read over HTTP and kept (A24). The address comes from the
// configuration, or from the discovery document of the configured issuer; never from a token.

import { compactVerify, createLocalJWKSet, errors as joseErrors } from "jose";
import { OIDC_ALGORITHMS } from "../auth/claims.ts";
import type { OidcKeys, SignatureVerdict } from "../auth/oidc.ts";
import { errorMessage } from "../shared/error-message.ts";
import { ServiceError } from "../shared/errors.ts";
import { parseJson } from "../shared/json/read.ts";
import { discoveryUrl, endpoint, keysOf, limitedText, requireIssuer, type Send } from "./oidc-documents.ts";

/** Shortest time between two attempts to read the keys, whether they succeed or not. */
export const KEYS_COOLDOWN_MS = 30_000;
/** Keys older than this are read again, in the background. */
export const KEYS_FRESH_MS = 600_000;
/** Keys older than this are no longer trusted: one of them may have been withdrawn meanwhile. */
export const KEYS_TRUSTED_MS = 3_600_000;
const FETCH_TIMEOUT_MS = 5_000;

type OidcKeysNeeds = {
  readonly issuer: string;
  /** Where the keys are; null: found through the issuer's discovery document. */
  readonly jwksUrl: string | null;
  readonly fetch?: Send;
  /** A clock that only moves forward, in milliseconds. */
  readonly nowMs?: () => number;
  /** Called when the keys cannot be read. */
  readonly onFailure?: (reason: string) => void;
};

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Keys of one issuer. Nothing is fetched before the first token that needs it. */
export const oidcKeys = (needs: OidcKeysNeeds): OidcKeys => {
  const nowMs = needs.nowMs ?? (() => performance.now());
  const send: Send = needs.fetch ?? ((url, init) => fetch(url, init));
  let keys: { readonly set: KeySet; readonly readAt: number } | null = null;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | null = null;

  async function readKeys(): Promise<void> {
    try {
      const url = needs.jwksUrl ?? (await discoverJwksUrl(needs.issuer, send));
      keys = { set: createLocalJWKSet(keysOf(await read(url, send))), readAt: nowMs() };
    } catch (error) {
      needs.onFailure?.(errorMessage(error));
    } finally {
      pending = null;
    }
  }

  /** Reads the keys unless that was tried a moment ago; callers that come meanwhile wait for the same answer. */
  async function refresh(): Promise<void> {
    if (pending === null) {
      if (nowMs() - attemptedAt < KEYS_COOLDOWN_MS) return;
      attemptedAt = nowMs();
      pending = readKeys();
    }
    await pending;
  }

  async function trustedKeys(): Promise<KeySet> {
    if (keys === null || nowMs() - keys.readAt > KEYS_TRUSTED_MS) await refresh();
    else if (nowMs() - keys.readAt > KEYS_FRESH_MS) void refresh();
    if (keys === null || nowMs() - keys.readAt > KEYS_TRUSTED_MS) {
      const retrySeconds = Math.max(1, Math.ceil((attemptedAt + KEYS_COOLDOWN_MS - nowMs()) / 1000));
      throw new ServiceError(1901, { waiting_for: "oidc_keys" }, { "retry-after": String(retrySeconds) });
    }
    return keys.set;
  }

  return {
    async verify(token) {
      const known = await trustedKeys();
      const verdict = await verdictOf(token, known);
      if (verdict !== "unknown_key") return verdict;
      await refresh();
      return keys === null || keys.set === known ? verdict : await verdictOf(token, keys.set);
    },
  };
};

async function verdictOf(token: string, keys: KeySet): Promise<SignatureVerdict> {
  try {
    await compactVerify(token, keys, { algorithms: [...OIDC_ALGORITHMS] });
    return "verified";
  } catch (error) {
    return error instanceof joseErrors.JWKSNoMatchingKey ? "unknown_key" : "wrong_signature";
  }
}

async function read(url: string, send: Send): Promise<unknown> {
  const answer = await send(url, {
    redirect: "manual",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`Cannot read ${url}: it answered ${answer.status}`);
  }
  return parseJson(await limitedText(answer, url));
}

async function discoverJwksUrl(issuer: string, send: Send): Promise<string> {
  const url = discoveryUrl(issuer);
  return endpoint(requireIssuer(await read(url, send), issuer, url), "jwks_uri", url);
}
