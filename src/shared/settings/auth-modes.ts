// Which kinds of credential are accepted, and what each needs to start (law, "Authentication" 2; A24).
import { isWebUrl } from "../http/web-url.ts";

export const AUTH_MODES = ["apikey", "oauth2", "oidc"] as const;
/** `apikey`: an API key. `oauth2`: a token this service issued. `oidc`: a JWT of an external authorization server. */
export type AuthMode = (typeof AUTH_MODES)[number];

/** Fewest bytes of the secret that signs our own tokens: HS256 with less is guessable (RFC 7518 3.2). */
const TOKEN_SECRET_MIN_BYTES = 32;

export type AuthSettings = {
  readonly modes: Iterable<AuthMode>;
  readonly tokenSecret: string | null;
  readonly tokenIssuer: string | null;
  readonly oidcIssuer: string | null;
  readonly oidcAudience: string | null;
};

/** Sentences about missing or contradictory settings, each naming its variable; empty when the service may start. */
export function startProblems(settings: AuthSettings): readonly string[] {
  const modes = new Set(settings.modes);
  return [
    ...(modes.size === 0 ? ["SVC_AUTH names no mode: at least one of apikey, oauth2, oidc is needed"] : []),
    ...(modes.has("oauth2") ? tokenProblems(settings) : []),
    ...(modes.has("oidc") ? oidcProblems(settings) : []),
    ...(modes.has("oauth2") && modes.has("oidc") ? issuerProblems(settings) : []),
  ];
}

function tokenProblems({ tokenSecret, tokenIssuer }: AuthSettings): string[] {
  const bytes = new TextEncoder().encode(tokenSecret ?? "").length;
  return [
    ...(bytes < TOKEN_SECRET_MIN_BYTES
      ? [
          `SVC_TOKEN_SECRET (${bytes} bytes) is not allowed: SVC_AUTH holds oauth2, which needs a secret of ${TOKEN_SECRET_MIN_BYTES} bytes or more`,
        ]
      : []),
    ...((tokenIssuer ?? "") === ""
      ? ['SVC_TOKEN_ISSUER="" is not allowed: SVC_AUTH holds oauth2, which needs it']
      : []),
  ];
}

function oidcProblems({ oidcIssuer, oidcAudience }: AuthSettings): string[] {
  const problems: string[] = [];
  if ((oidcIssuer ?? "") === "")
    problems.push('SVC_OIDC_ISSUER="" is not allowed: SVC_AUTH holds oidc, which needs it');
  else if (!isWebUrl(oidcIssuer ?? "")) {
    problems.push(`SVC_OIDC_ISSUER="${oidcIssuer}" is not allowed: an absolute http or https URL is needed`);
  }
  if ((oidcAudience ?? "") === "") {
    problems.push('SVC_OIDC_AUDIENCE="" is not allowed: SVC_AUTH holds oidc, which needs it');
  }
  return problems;
}

/** A token is tried only by the mode it belongs to, and its issuer is what tells. */
function issuerProblems({ tokenIssuer, oidcIssuer }: AuthSettings): string[] {
  return tokenIssuer !== null && tokenIssuer === oidcIssuer
    ? [`SVC_OIDC_ISSUER="${oidcIssuer}" is not allowed: it equals SVC_TOKEN_ISSUER, the issuer of our tokens`]
    : [];
}
