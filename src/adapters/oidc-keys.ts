// The published keys of the external authorization server, read over HTTP and kept (A24).
// The address comes from the configuration, or from the discovery document of the configured issuer; never from a token.
import { compactVerify, createLocalJWKSet, type JSONWebKeySet, errors as joseErrors } from "jose";
import { OIDC_ALGORITHMS } from "../auth/claims.ts";
import { ServiceError } from "../shared/errors.ts";
import { parseJson } from "../shared/json/text.ts";
import { isWebUrl } from "../shared/web-url.ts";
import type { OidcKeys, SignatureVerdict } from "../auth/oidc-keys.ts";

/** Shortest time between two attempts to read the keys, whether they succeed or not. */
export const KEYS_COOLDOWN_MS = 30_000;
/** Keys older than this are read again, in the background. */
export const KEYS_FRESH_MS = 600_000;
/** Keys older than this are no longer trusted: one of them may have been withdrawn meanwhile. */
export const KEYS_TRUSTED_MS = 3_600_000;
const FETCH_TIMEOUT_MS = 5_000;
const DOCUMENT_MAX_BYTES = 1_048_576;

export type OidcKeysNeeds = {
  readonly issuer: string;
  /** Where the keys are; null: found through the issuer's discovery document. */
  readonly jwksUrl: string | null;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** A clock that only moves forward, in milliseconds. */
  readonly nowMs?: () => number;
  /** Told when the keys cannot be read. */
  readonly onFailure?: (reason: string) => void;
};

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Keys of one issuer. Nothing is fetched before the first token that needs it. */
export const oidcKeys = (needs: OidcKeysNeeds): OidcKeys => {
  const nowMs = needs.nowMs ?? (() => performance.now());
  const read = documentReader(needs.fetch ?? ((url, init) => fetch(url, init)));
  let keys: { readonly set: KeySet; readonly readAt: number } | null = null;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | null = null;

  async function readKeys(): Promise<void> {
    try {
      const url = needs.jwksUrl ?? (await discoverJwksUrl(needs.issuer, read));
      keys = { set: createLocalJWKSet(asKeySet(await read(url))), readAt: nowMs() };
    } catch (error) {
      needs.onFailure?.(error instanceof Error ? error.message : String(error));
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

type ReadDocument = (url: string) => Promise<unknown>;

/** Reads one JSON document: no redirects, limited in time and size. */
function documentReader(send: (url: string, init: RequestInit) => Promise<Response>): ReadDocument {
  return async (url) => {
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
  };
}

async function limitedText(answer: Response, url: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.byteLength;
    if (length > DOCUMENT_MAX_BYTES)
      throw new Error(`Cannot read ${url}: it is larger than ${DOCUMENT_MAX_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The `jwks_uri` of the discovery document, which must speak of the same issuer (OpenID Connect Discovery 1.0, 4.3). */
async function discoverJwksUrl(issuer: string, read: ReadDocument): Promise<string> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = await read(url);
  if (!isObject(document) || document.issuer !== issuer) {
    throw new Error(`Cannot use ${url}: its issuer is not "${issuer}"`);
  }
  const jwksUrl = document.jwks_uri;
  if (typeof jwksUrl !== "string" || !isWebUrl(jwksUrl)) throw new Error(`Cannot use ${url}: no jwks_uri`);
  return jwksUrl;
}

function asKeySet(document: unknown): JSONWebKeySet {
  if (!isObject(document) || !Array.isArray(document.keys)) throw new Error("The key set has no member keys");
  // jose looks at every key again before it uses one; keys of kinds it does not know match no token.
  return { keys: document.keys.filter(isObject) as JSONWebKeySet["keys"] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
