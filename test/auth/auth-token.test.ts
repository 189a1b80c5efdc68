import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  claimsProblem,
  headerProblem,
  OIDC_HEADER,
  OIDC_LEEWAY_SECONDS,
  OWN_HEADER,
  oidcScopes,
  oidcSubject,
} from "../../src/auth/claims.ts";
import { readJwt, signHs256, verifyHs256 } from "../../src/auth/jwt.ts";
import { parseTokenRequest } from "../../src/auth/token-request.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { randomText } from "../../src/shared/hash/digests.ts";

const expected = {
  issuer: "https://id.example.org",
  audience: "arkstone",
  nowSeconds: 1000,
  leewaySeconds: OIDC_LEEWAY_SECONDS,
};
const good = { iss: "https://id.example.org", aud: "arkstone", exp: 1100 };

describe("what a token must contain", () => {
  test("A24 issuer, audience and expiry are needed, each as expected", () => {
    expect(claimsProblem(good, expected)).toBeNull();
    expect(claimsProblem({ ...good, aud: ["other", "arkstone"] }, expected)).toBeNull();
    expect(claimsProblem({ ...good, iss: "https://id.example.org/" }, expected)).toBe("issuer");
    expect(claimsProblem({ ...good, iss: undefined }, expected)).toBe("issuer");
    for (const aud of ["other", [], ["other"], undefined, null, { arkstone: 1 }, ["arkstone", 1]]) {
      expect(claimsProblem({ ...good, aud }, expected)).toBe("audience");
    }
    for (const exp of [undefined, null, "1100", Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(claimsProblem({ ...good, exp }, expected)).toBe("no_expiry");
    }
  });

  test("A24 expiry and not-before have 60 seconds of leeway and not one more", () => {
    expect(claimsProblem({ ...good, exp: 941 }, expected)).toBeNull();
    expect(claimsProblem({ ...good, exp: 940 }, expected)).toBe("expired");
    expect(claimsProblem({ ...good, nbf: 1060 }, expected)).toBeNull();
    expect(claimsProblem({ ...good, nbf: 1061 }, expected)).toBe("not_yet_valid");
    expect(claimsProblem({ ...good, nbf: "0" }, expected)).toBe("not_yet_valid");
  });

  test("A24 the algorithms of an external issuer are RS256, ES256 and EdDSA only", () => {
    for (const alg of ["RS256", "ES256", "EdDSA"]) expect(headerProblem({ alg }, OIDC_HEADER)).toBeNull();
    for (const alg of ["none", "None", "HS256", "RS384", "PS256", "ES384", "rs256", "", undefined, ["RS256"]]) {
      expect(headerProblem({ alg }, OIDC_HEADER)).toBe("algorithm");
    }
  });

  test("A24 our own tokens are HS256 and of type JWT, nothing else", () => {
    expect(headerProblem({ alg: "HS256", typ: "JWT" }, OWN_HEADER)).toBeNull();
    expect(headerProblem({ alg: "HS512", typ: "JWT" }, OWN_HEADER)).toBe("algorithm");
    expect(headerProblem({ alg: "HS256" }, OWN_HEADER)).toBe("token_type");
    expect(headerProblem({ alg: "HS256", typ: "JWT", crit: ["exp"] }, OWN_HEADER)).toBe("critical_header");
  });

  test("A24 tokens of another purpose are not access tokens", () => {
    expect(headerProblem({ alg: "RS256", typ: "at+JWT" }, OIDC_HEADER)).toBeNull();
    for (const typ of ["logout+jwt", "dpop+jwt", "secevent+jwt", 1]) {
      expect(headerProblem({ alg: "RS256", typ }, OIDC_HEADER)).toBe("token_type");
    }
  });

  test("A24 the subject is azp, then client_id, then sub", () => {
    expect(oidcSubject({ azp: "a", client_id: "b", sub: "c" })).toBe("a");
    expect(oidcSubject({ client_id: "b", sub: "c" })).toBe("b");
    expect(oidcSubject({ sub: "c" })).toBe("c");
    for (const sub of [undefined, "", 7, "a\u0000b", "a\nb", "\ud800", "x".repeat(256)]) {
      expect(oidcSubject({ sub })).toBeNull();
    }
  });

  test("A21 the scope claim narrows where it holds ark: scopes, as text or as a list", () => {
    expect(oidcScopes({ scope: "openid ark:read ark:unheard-of" })).toEqual(["ark:read", "ark:unheard-of"]);
    expect(oidcScopes({ scope: ["ark:read"] })).toEqual(["ark:read"]);
    expect(oidcScopes({ scope: "openid profile" })).toBeNull();
    expect(oidcScopes({})).toBeNull();
    expect(oidcScopes({ scope: 1 })).toBeUndefined();
    expect(oidcScopes({ scope: ["ark:read", 1] })).toBeUndefined();
  });

  test("A52 scp narrows as scope does, as text or as a list; with both, either counts", () => {
    expect(oidcScopes({ scp: "ark:read ark:mint" })).toEqual(["ark:read", "ark:mint"]);
    expect(oidcScopes({ scp: ["openid", "ark:read"] })).toEqual(["ark:read"]);
    expect(oidcScopes({ scope: "openid", scp: ["ark:read"] })).toEqual(["ark:read"]);
    expect(oidcScopes({ scope: "ark:read", scp: "ark:read ark:mint" })).toEqual(["ark:read", "ark:mint"]);
    expect(oidcScopes({ scope: ["ark:read ark:mint"] })).toEqual(["ark:read", "ark:mint"]);
    expect(oidcScopes({ scp: ["openid", "User.Read"] })).toBeNull();
    expect(oidcScopes({ scp: null })).toBeNull();
    for (const scp of [1, {}, ["ark:read", 1], true]) expect(oidcScopes({ scope: "ark:read", scp })).toBeUndefined();
  });
});

describe("the compact form", () => {
  const secret = new TextEncoder().encode("x".repeat(32));

  test("readJwt() returns what signHs256() signed, and the signature holds for that secret alone", async () => {
    const jwt = readJwt(await signHs256({ sub: "ops", scope: "é" }, secret));
    expect(jwt?.header).toEqual({ alg: "HS256", typ: "JWT" });
    expect(jwt?.claims).toEqual({ sub: "ops", scope: "é" });
    if (jwt === null) throw new TypeError("not read");
    expect(await verifyHs256(jwt, secret)).toBe(true);
    expect(await verifyHs256(jwt, new TextEncoder().encode("y".repeat(32)))).toBe(false);
    expect(await verifyHs256({ ...jwt, signature: new Uint8Array(0) }, secret)).toBe(false);
  });

  test.each([
    "",
    "a.b",
    "a.b.c.d",
    "..",
    `${btoa("[]")}.${btoa("{}")}.a`,
    `${btoa("{}")}.${btoa("null")}.a`,
    "e30.e30=.a",
    "e30.e30\n.a",
  ])("readJwt() finds no token in %j", (text) => {
    expect(readJwt(text)).toBeNull();
  });

  test("readJwt() throws on nothing", () => {
    const part = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9_-]*$/),
      fc.json().map((text) => randomText(new TextEncoder().encode(text))),
    );
    fc.assert(fc.property(part, part, part, (a, b, c) => void readJwt(`${a}.${b}.${c}`)));
    fc.assert(fc.property(fc.string(), (text) => void readJwt(text)));
  });
});

describe("the token request", () => {
  const form = "application/x-www-form-urlencoded";
  const basic = `Basic ${btoa("ops:secret")}`;
  const request = (body: string, authorization: string | null = null, contentType: string | null = form) =>
    parseTokenRequest({ authorization, contentType, body });
  const refusalOf = (act: () => unknown): ServiceError => {
    try {
      act();
    } catch (error) {
      if (error instanceof ServiceError) return error;
    }
    throw new TypeError("Expected a refusal");
  };

  test("L21 L49 client credentials are in the form or in the header", () => {
    const client = { clientId: "ops", clientSecret: "secret" };
    const body = "grant_type=client_credentials&client_id=ops&client_secret=secret&scope=ark%3Amint+ark%3Aread";
    expect(request(body)).toEqual({ client, scopes: ["ark:mint", "ark:read"], resources: [] });
    expect(request("grant_type=client_credentials", basic)).toEqual({ client, scopes: [], resources: [] });
    expect(request("grant_type=client_credentials&client_id=ops", basic).client).toEqual(client);
    expect(request(body, null, "Application/X-WWW-Form-Urlencoded; charset=UTF-8").client).toEqual(client);
  });

  test("L21 parameters without a value count as left out", () => {
    expect(request("grant_type=client_credentials&client_id=&client_secret=&scope=").client).toBeNull();
    expect(request("grant_type=client_credentials&client_secret=&scope=", basic).scopes).toEqual([]);
    expect(refusalOf(() => request("grant_type=&client_id=ops")).code).toBe(1106);
  });

  test.each([
    ["", form],
    ["client_id=ops&client_secret=secret", form],
    ["grant_type=client_credentials&grant_type=client_credentials", form],
    ["grant_type=client_credentials&scope=ark:mint&scope=ark:read", form],
    ["grant_type=client_credentials&client_id=ops&client_id=ops", form],
    ["grant_type=client_credentials", null],
    ["grant_type=client_credentials", "application/json"],
    ["grant_type=client_credentials", "application/x-www-form-urlencodedx"],
  ])("A25 %j as %j is malformed (1106)", (body, contentType) => {
    expect(refusalOf(() => request(body, basic, contentType)).code).toBe(1106);
  });

  test("A25 credentials in the header and in the body at once are malformed (1106)", () => {
    expect(refusalOf(() => request("grant_type=client_credentials&client_secret=secret", basic)).code).toBe(1106);
    expect(refusalOf(() => request("grant_type=client_credentials&client_id=other", basic)).code).toBe(1106);
  });

  test("A25 another grant type is 1204", () => {
    expect(refusalOf(() => request("grant_type=password", basic)).code).toBe(1204);
    expect(refusalOf(() => request("grant_type=Client_Credentials", basic)).code).toBe(1204);
  });

  test("parameters that are not ours may repeat where their extension allows it", () => {
    expect(request("grant_type=client_credentials&resource=a&resource=b", basic).client).not.toBeNull();
  });
});
