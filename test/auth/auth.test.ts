import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Credential, DEFAULT_SCOPES, narrowed, SCOPES, scopeParts, unregistered } from "../../src/auth/caller.ts";
import {
  credentialProblem,
  parseSecret,
  readBasic,
  readBearer,
  secretProblem,
  secretText,
} from "../../src/auth/credential-text.ts";
import { type AuthSettings, startProblems } from "../../src/shared/settings/setting-parsers.ts";

const NOW = "2026-06-01T12:00:00.000Z";
const RANDOM = "AbC-_0123456789abcdefghijklmnopqrstuvwxyzAB";

describe("secrets as text", () => {
  test("A23 a secret is svc_, its id and 43 characters of base64url, which may hold underscores", () => {
    expect(parseSecret(`svc_x9k2_${RANDOM}`)).toEqual({ id: "x9k2", random: RANDOM });
    expect(parseSecret(`svc_x9k2_${"_".repeat(43)}`)).toEqual({ id: "x9k2", random: "_".repeat(43) });
  });

  test.each([
    "",
    "svc_",
    `SVC_x9k2_${RANDOM}`,
    `svc__${RANDOM}`,
    `svc_X9_${RANDOM}`,
    `svc_x9k2_${RANDOM}A`,
    `svc_x9k2_${RANDOM.slice(1)}`,
    `svc_x9k2_${RANDOM.slice(1)}=`,
    `svc_x9k2_${RANDOM}\n`,
    ` svc_x9k2_${RANDOM}`,
    `svc_${"a".repeat(33)}_${RANDOM}`,
  ])("A23 %j is not a secret", (text) => {
    expect(parseSecret(text)).toBeNull();
  });

  test("A23 what secretText() writes parseSecret() reads", () => {
    const characters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];
    const random = fc
      .array(fc.constantFrom(...characters), { minLength: 43, maxLength: 43 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-z]{1,32}$/), random, (id, text) => {
        expect(parseSecret(secretText({ id, random: text }))).toEqual({ id, random: text });
      }),
    );
  });
});

describe("whether a secret may be used", () => {
  const kept = { kind: "api_key", expiresAt: null, revokedAt: null };
  const later = "2026-06-01T12:00:00.001Z";

  test("A23 a secret counts for its own kind, until the instant it expires or is revoked", () => {
    expect(secretProblem(kept, "api_key", true, NOW)).toBeNull();
    expect(secretProblem({ ...kept, expiresAt: later, revokedAt: later }, "api_key", true, NOW)).toBeNull();
    expect(secretProblem({ ...kept, expiresAt: NOW }, "api_key", true, NOW)).toBe("expired_secret");
    expect(secretProblem({ ...kept, revokedAt: NOW }, "api_key", true, NOW)).toBe("revoked_secret");
    expect(secretProblem(kept, "client_secret", true, NOW)).toBe("wrong_kind");
    expect(secretProblem(kept, "api_key", false, NOW)).toBe("wrong_secret");
    expect(secretProblem(null, "api_key", false, NOW)).toBe("unknown_secret");
  });

  test("A21 a credential that is disabled or has expired is not accepted", () => {
    const scope = { naan: null, organisationId: null, shoulder: null };
    const life = { active: true, expiresAt: null };
    const credential: Credential = { id: 1, clientId: "ops", tier: "system", ...scope, scopes: [], ...life };
    expect(credentialProblem(credential, NOW)).toBeNull();
    expect(credentialProblem({ ...credential, expiresAt: later }, NOW)).toBeNull();
    expect(credentialProblem({ ...credential, expiresAt: NOW }, NOW)).toBe("expired_credential");
    expect(credentialProblem({ ...credential, active: false }, NOW)).toBe("disabled_credential");
  });
});

describe("the Authorization header", () => {
  test("L65 a Bearer token is read whatever the case of the scheme", () => {
    for (const header of ["Bearer abc.d-e_f~+/==", "bearer abc.d-e_f~+/==", "  BEARER   abc.d-e_f~+/==  "]) {
      expect(readBearer(header)).toEqual({ kind: "bearer", token: "abc.d-e_f~+/==" });
    }
  });

  test("A26 no header, another scheme and a scheme alone are not tokens", () => {
    for (const header of [null, "", "Basic b3BzOng=", "Bearer", "Bearer   ", "Bearerabc", ":"]) {
      expect(readBearer(header)).toEqual({ kind: "none" });
    }
  });

  test("A26 a token that cannot be one is malformed: two tokens, foreign characters, endless text", () => {
    for (const header of ["Bearer a, Bearer b", "Bearer a b", "Bearer é", "Bearer =", `Bearer ${"a".repeat(16_385)}`]) {
      expect(readBearer(header)).toEqual({ kind: "malformed" });
    }
  });

  test("L49 Basic credentials are form-encoded before they are joined (RFC 6749 2.3.1)", () => {
    expect(readBasic(`Basic ${btoa("a%3Ab+c:s%25%C3%A9:t")}`)).toEqual({
      kind: "basic",
      clientId: "a:b c",
      clientSecret: "s%é:t",
    });
    expect(readBasic(`basic ${btoa("ops:")}`)).toEqual({ kind: "basic", clientId: "ops", clientSecret: "" });
  });

  test("L49 Basic credentials that cannot be read are malformed", () => {
    for (const text of ["", "!", "a===", btoa("no colon"), btoa("a:%"), btoa("a:%zz"), btoa("a:%ff"), btoa("\xff:a")]) {
      expect(readBasic(`Basic ${text}`)).toEqual({ kind: "malformed" });
    }
    expect(readBasic("Bearer abc")).toEqual({ kind: "none" });
    expect(readBasic(null)).toEqual({ kind: "none" });
  });

  test("reading any header throws nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom("Basic ", "Bearer ", ""), (text, scheme) => {
        readBasic(scheme + text);
        readBearer(scheme + text);
      }),
    );
  });
});

describe("scopes", () => {
  test("A21 a token only ever narrows the registered scopes", () => {
    expect([...narrowed(["ark:mint", "ark:read"], ["ark:read", "ark:purge"])]).toEqual(["ark:read"]);
    expect([...narrowed(["ark:mint", "ark:read"], null)]).toEqual(["ark:mint", "ark:read"]);
    expect([...narrowed(["ark:mint"], [])]).toEqual([]);
    fc.assert(
      fc.property(
        fc.subarray([...SCOPES]),
        fc.array(fc.oneof(fc.constantFrom(...SCOPES), fc.string())),
        (registered, carried) => {
          for (const scope of narrowed(registered, carried)) {
            expect(registered).toContain(scope);
            expect(carried).toContain(scope);
          }
        },
      ),
    );
  });

  test("L68 A21 routine writers hold neither tombstone nor delete nor purge", () => {
    expect([...DEFAULT_SCOPES]).toEqual(["ark:mint", "ark:read", "ark:update", "ark:publish"]);
    expect(SCOPES).toContain("ark:tombstone");
  });

  test("scopes asked for are distinguished from those registered, known or not", () => {
    expect(scopeParts("  ark:mint  ark:read ark:mint")).toEqual(["ark:mint", "ark:read"]);
    const expected = ["ark:read", "openid", "ark:MINT"];
    expect(unregistered(["ark:mint"], ["ark:mint", "ark:read", "openid", "ark:MINT"])).toEqual(expected);
  });
});

describe("what the modes need to start", () => {
  const settings: AuthSettings = {
    modes: ["apikey", "oauth2", "oidc"],
    tokenSecret: "x".repeat(32),
    tokenIssuer: "arkstone",
    oidcIssuer: "https://id.example.org/realms/a",
    oidcAudience: "arkstone",
  };

  test("A24 complete settings start, and apikey alone needs no setting", () => {
    expect(startProblems(settings)).toEqual([]);
    const bare = { tokenSecret: null, tokenIssuer: null, oidcIssuer: null, oidcAudience: null };
    expect(startProblems({ ...bare, modes: ["apikey"] })).toEqual([]);
    expect(startProblems({ ...bare, modes: ["oauth2", "oidc"] })).toHaveLength(4);
  });

  test.each([
    ["SVC_AUTH", { modes: [] }],
    ["SVC_TOKEN_SECRET", { tokenSecret: null }],
    ["SVC_TOKEN_SECRET", { tokenSecret: "x".repeat(31) }],
    ["SVC_TOKEN_ISSUER", { tokenIssuer: "" }],
    ["SVC_OIDC_ISSUER", { oidcIssuer: null }],
    ["SVC_OIDC_ISSUER", { oidcIssuer: "id.example.org" }],
    ["SVC_OIDC_ISSUER", { oidcIssuer: "https://id.example.org", tokenIssuer: "https://id.example.org" }],
    ["SVC_OIDC_AUDIENCE", { oidcAudience: "" }],
  ] as const)("A24 the start is refused with the name of the variable: %s %j", (variable, wrong) => {
    const problems = startProblems({ ...settings, ...wrong });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(variable);
  });

  test("A24 a refusal never repeats the secret", () => {
    expect(startProblems({ ...settings, tokenSecret: "hunter2" }).join()).not.toContain("hunter2");
  });
});
