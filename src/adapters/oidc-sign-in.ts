// Signing in at an OpenID provider by the code flow with PKCE (R33; OpenID Connect Core 1.0 section 3.1, RFC 7636). The
// provider is the one that is configured: everything else about it comes from its discovery document, and its tokens
// are verified against its published keys.
import { createLocalJWKSet, jwtVerify } from "jose";
import { OIDC_ALGORITHMS } from "../auth/claims.ts";
import type { OidcPerson, OidcReturn, OidcSignIn, OidcStart } from "../auth/oidc.ts";
import { parseJson } from "../shared/json/read.ts";
import { isObject } from "../shared/objects.ts";
import { discoveryUrl, endpoint, keysOf, limitedText, requireIssuer, type Send } from "./oidc-documents.ts";

type OidcSignInNeeds = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch?: Send;
  /** A clock that only moves forward, in milliseconds. */
  readonly nowMs?: () => number;
  /** The time of day, against which tokens are held. */
  readonly now: () => Date;
};

/** Discovery document and keys are read again after this. */
const PROVIDER_FRESH_MS = 600_000;
const FETCH_TIMEOUT_MS = 10_000;
const LEEWAY_SECONDS = 60;
const SCOPE = "openid email profile";

type Members = Readonly<Record<string, unknown>>;
type Provider = {
  readonly authorization: string;
  readonly token: string;
  readonly userInfo: string | null;
  readonly keys: ReturnType<typeof createLocalJWKSet>;
  /** The secret goes into the form where the provider does not take it in a header. */
  readonly secretInForm: boolean;
  readonly readAt: number;
};

export class OidcProvider implements OidcSignIn {
  readonly #needs: OidcSignInNeeds;
  readonly #issuer: OidcSignInNeeds["issuer"];
  readonly #clientId: OidcSignInNeeds["clientId"];
  readonly #clientSecret: OidcSignInNeeds["clientSecret"];
  readonly #send: Send;
  readonly #nowMs: NonNullable<OidcSignInNeeds["nowMs"]>;
  #known: Provider | null = null;

  constructor(needs: OidcSignInNeeds) {
    this.#needs = needs;
    this.#issuer = needs.issuer;
    this.#clientId = needs.clientId;
    this.#clientSecret = needs.clientSecret;
    this.#send = this.#needs.fetch ?? ((url, init) => fetch(url, init));
    this.#nowMs = this.#needs.nowMs ?? (() => performance.now());
  }

  async authorizationUrl({ state, nonce, challenge, redirectUri }: OidcStart): Promise<string> {
    const url = new URL((await this.#provider()).authorization);
    const members = {
      response_type: "code",
      client_id: this.#clientId,
      redirect_uri: redirectUri,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
    return url.href;
  }

  async person(returned: OidcReturn): Promise<OidcPerson> {
    const at = await this.#provider();
    const { id_token: idToken, access_token: accessToken } = await this.#tokens(at, returned);
    if (typeof idToken !== "string") throw new Error("The provider sent no id token");
    const claims = await this.#verified(at, idToken, returned.nonce);
    const person = personOf(claims);
    if (person.mail !== null || person.eppn !== null || at.userInfo === null || typeof accessToken !== "string") {
      return person;
    }
    const more = await this.#json(at.userInfo, { headers: { authorization: `Bearer ${accessToken}` } });
    if (more.sub !== person.subject) throw new Error("The provider's user info is about somebody else");
    return personOf(more);
  }

  async #json(url: string, init: RequestInit = {}): Promise<Members> {
    const answer = await this.#send(url, {
      redirect: "manual",
      ...init,
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    const text = await limitedText(answer, url);
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${errorCode(text)}`);
    const value = parseJson(text);
    if (!isObject(value)) throw new Error(`${url} answered no JSON object`);
    return value;
  }

  async #provider(): Promise<Provider> {
    if (this.#known !== null && this.#nowMs() - this.#known.readAt < PROVIDER_FRESH_MS) return this.#known;
    const url = discoveryUrl(this.#issuer);
    const document = requireIssuer(await this.#json(url), this.#issuer, url);
    const keySet = await this.#json(endpoint(document, "jwks_uri", url));
    const methods = document.token_endpoint_auth_methods_supported;
    this.#known = {
      authorization: endpoint(document, "authorization_endpoint", url),
      token: endpoint(document, "token_endpoint", url),
      userInfo: document.userinfo_endpoint === undefined ? null : endpoint(document, "userinfo_endpoint", url),
      keys: createLocalJWKSet(keysOf(keySet)),
      // Without the member, client_secret_basic is what the provider takes (Discovery 1.0 section 3).
      secretInForm: Array.isArray(methods) && !methods.includes("client_secret_basic"),
      readAt: this.#nowMs(),
    };
    return this.#known;
  }

  async #tokens(at: Provider, { code, verifier, redirectUri }: OidcReturn): Promise<Members> {
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...(at.secretInForm ? { client_id: this.#clientId, client_secret: this.#clientSecret } : {}),
    });
    // Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1).
    const basic = btoa(`${encodeURIComponent(this.#clientId)}:${encodeURIComponent(this.#clientSecret)}`);
    return await this.#json(at.token, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
        ...(at.secretInForm ? {} : { authorization: `Basic ${basic}` }),
      },
      body: body.toString(),
    });
  }

  /** The claims of the token about the person, once signature, issuer, audience, times and nonce are right. */
  async #verified(at: Provider, idToken: string, nonce: string): Promise<Members> {
    const { payload } = await jwtVerify(idToken, at.keys, {
      algorithms: [...OIDC_ALGORITHMS],
      issuer: this.#issuer,
      audience: this.#clientId,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: this.#needs.now(),
      requiredClaims: ["sub", "exp", "iat", "nonce"],
    });
    if (payload.nonce !== nonce) throw new Error("The id token's nonce is not ours");
    const isForSeveral = Array.isArray(payload.aud) && payload.aud.length > 1;
    if ((isForSeveral || payload.azp !== undefined) && payload.azp !== this.#clientId) {
      throw new Error("The id token was made for another client");
    }
    return payload;
  }
}

/** An address counts only when the provider states that it has verified it. */
function personOf(claims: Members): OidcPerson {
  const eppn = claims.eduperson_principal_name ?? claims.eduPersonPrincipalName;
  return {
    subject: String(claims.sub),
    mail: typeof claims.email === "string" && claims.email_verified === true ? claims.email.toLowerCase() : null,
    eppn: typeof eppn === "string" && eppn !== "" ? eppn : null,
  };
}

/** The `error` of an OAuth answer, for the log; nothing else of another server's answer. */
function errorCode(text: string): string {
  try {
    const value = parseJson(text);
    return isObject(value) && typeof value.error === "string" ? value.error.slice(0, 100) : "no error code";
  } catch {
    return "no error code";
  }
}
