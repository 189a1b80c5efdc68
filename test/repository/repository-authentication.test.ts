// Who uses the repository: personal tokens, clients of the token endpoint, sessions, On-Behalf-Of (R6b, R15, R33).

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { authentication, signerOf } from "../../src/ark/authentication.ts";
import { type Account, REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { accountSecretLookup, accountTokens } from "../../src/repository/people/account-tokens.ts";
import { requireScopes, writeAs } from "../../src/repository/people/current-viewer.ts";
import {
  formTokenOf,
  repositoryAuthentication,
  requireSignedIn,
} from "../../src/repository/people/repository-authentication.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { randomText, sha256Hex } from "../../src/shared/hash/digests.ts";
import { Refusal } from "../../src/shared/refusal.ts";
import { anAccount } from "../support/accounts.ts";
import { tokensAlone } from "../support/verbs-alone.ts";

const NOW = "2026-06-01T12:00:00.000Z";
const TOKENS = {
  secret: new TextEncoder().encode("a signing secret of more than forty bytes"),
  issuer: "arkstone",
  ttlSeconds: 600,
};

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Refusal) return error;
  throw new Error(`Expected a refusal, got ${String(error)}`);
}

describe("R6b who uses the repository", () => {
  let store: RepositoryStore;
  const time = { now: NOW };
  const clock = { now: () => time.now };
  const refused: string[] = [];
  let account: Account;

  const tokens = () => tokensAlone(accountTokens({ clock, random: platformRandom() }), { store, clock });
  const people = () =>
    repositoryAuthentication({
      accounts: store.accounts,
      clock,
      signer: signerOf(TOKENS),
      note: ({ cause }) => refused.push(cause),
    });
  const authenticate = (token: string) => people().authenticate(`Bearer ${token}`, "192.0.2.1");
  const made = (kind: "personal" | "oauth", scopes: readonly string[], expiresAt: string | null = null) =>
    tokens().make(REPOSITORY_OPERATOR, { accountId: account.id, kind, name: "for a test", scopes, expiresAt });

  beforeAll(async () => {
    store = await openRepositoryStore({ url: ":memory:" });
    const row = anAccount({ mail: "ada@example.org", eppn: "ada@idp.example.org", name: "Ada" });
    const id = await store.transact((tx) => tx.accounts.saveAccount(row));
    account = { ...row, id: id ?? -1 };
  });
  afterAll(() => store.close());

  const setActive = (active: boolean) => store.transact((tx) => tx.accounts.saveAccount({ ...account, active }));

  test("R6b a personal token acts as its account, with the scopes chosen and its own client", async () => {
    const { client, text } = await made("personal", ["item:read", "deposit:write"]);
    const viewer = await authenticate(text);
    expect([viewer.account?.id, viewer.clientId, viewer.roles, viewer.address]).toEqual([
      account.id,
      client.clientId,
      [3],
      "192.0.2.1",
    ]);
    expect([...(viewer.scopes ?? [])].sort()).toEqual(["deposit:write", "item:read"]);
    expect(() => requireScopes(viewer, ["deposit:write"])).not.toThrow();
    expect(() => requireScopes(viewer, ["deposit:write", "item:create"])).toThrow("item:create");
  });

  test("R6b the text of a token is kept nowhere: only a hash of its random part", async () => {
    const { client, text } = await made("personal", ["item:read"]);
    const [kept] = await store.accounts.secretsOf(client.clientId);
    const random = text.split("_").slice(2).join("_");
    expect(kept?.hash).toBe(sha256Hex(random));
    expect(JSON.stringify(await store.events(`client:${client.clientId}`, 10))).not.toContain(random);
  });

  test("R6b no header is the guest, who is asked to sign in; anything that is not a valid token is refused with one answer", async () => {
    const guest = await people().authenticate(null, "");
    expect(guest.account).toBeNull();
    expect(() => requireSignedIn(guest)).toThrow("needed");
    const { text } = await made("personal", ["item:read"]);
    const client = await made("oauth", ["item:read"]);
    refused.length = 0;
    for (const token of [
      "nonsense",
      `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`,
      `svc_unknown_${"a".repeat(43)}`,
      client.text,
    ]) {
      const refusal = await refusalOf(authenticate(token));
      expect([refusal.kind, refusal.message, refusal.detail.cause]).toEqual([
        "unauthenticated",
        "The access token is not valid",
        "invalid",
      ]);
    }
    expect(refused).toEqual(["malformed", "wrong_secret", "unknown_secret", "wrong_kind"]);
    expect((await refusalOf(people().authenticate("Basic YTpi", ""))).kind).toBe("unauthenticated");
  });

  test("R6b a token that was revoked, has expired or whose account is disabled stops at once", async () => {
    const one = await made("personal", ["item:read"]);
    await tokens().revoke(REPOSITORY_OPERATOR, one.client.clientId);
    expect((await refusalOf(authenticate(one.text))).kind).toBe("unauthenticated");
    const two = await made("personal", ["item:read"], "2026-06-01T13:00:00.000Z");
    expect((await authenticate(two.text)).account?.id).toBe(account.id);
    time.now = "2026-06-01T13:00:00.000Z";
    expect((await refusalOf(authenticate(two.text))).kind).toBe("unauthenticated");
    time.now = NOW;
    await setActive(false);
    expect((await refusalOf(authenticate(two.text))).kind).toBe("unauthenticated");
    await setActive(true);
    expect((await authenticate(two.text)).account?.id).toBe(account.id);
  });

  test("R6b a client of the account gets a token from the one token endpoint, which narrows its scopes, also where something is written, and ends with the account", async () => {
    const { client, text } = await made("oauth", ["deposit:write", "item:read"]);
    const endpoint = authentication({
      store: store.arks,
      accountBySecret: accountSecretLookup({ accounts: store.accounts, clock }),
      clock,
      modes: ["oauth2"],
      tokens: TOKENS,
      oidc: null,
    });
    const ask = (scope: string) =>
      endpoint.issueToken({
        authorization: null,
        contentType: "application/x-www-form-urlencoded",
        body: new URLSearchParams({
          grant_type: "client_credentials",
          client_id: client.clientId,
          client_secret: text,
          ...(scope === "" ? {} : { scope }),
        }).toString(),
      });
    expect((await ask("")).token.scope).toBe("deposit:write item:read");
    const narrow = (await ask("item:read")).token;
    const viewer = await authenticate(narrow.access_token);
    expect([viewer.account?.id, viewer.clientId, [...(viewer.scopes ?? [])]]).toEqual([
      account.id,
      client.clientId,
      ["item:read"],
    ]);
    // The same claims under another header, signed with the same secret.
    const [, claims = ""] = narrow.access_token.split(".");
    const under = (header: object): string => {
      const signed = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${claims}`;
      return `${signed}.${createHmac("sha256", TOKENS.secret).update(signed).digest("base64url")}`;
    };
    expect((await authenticate(under({ alg: "HS256", typ: "JWT" }))).clientId).toBe(client.clientId);
    for (const header of [{ alg: "HS256", typ: "at+jwt" }, { alg: "HS512", typ: "JWT" }, { typ: "JWT" }]) {
      expect((await refusalOf(authenticate(under(header)))).kind).toBe("unauthenticated");
    }
    const critical = { alg: "HS256", typ: "JWT", crit: ["exp"] };
    expect((await refusalOf(authenticate(under(critical)))).kind).toBe("unauthenticated");
    const carried = () => writeAs({ store, clock }, viewer, async (_, now) => [...(now.scopes ?? [])]);
    expect(await carried()).toEqual(["item:read"]);
    const saveScopes = (scopes: readonly string[]) =>
      store.transact((tx) => tx.accounts.saveClient({ ...client, scopes: [...scopes] }));
    await saveScopes(["deposit:write"]);
    expect(await carried()).toEqual([]);
    await saveScopes(client.scopes);
    await expect(ask("item:delete")).rejects.toThrow("not registered");
    await setActive(false);
    expect((await refusalOf(authenticate(narrow.access_token))).kind).toBe("unauthenticated");
    await expect(ask("")).rejects.toThrow("not valid");
    await setActive(true);
    time.now = "2026-06-01T12:10:00.000Z";
    expect((await refusalOf(authenticate(narrow.access_token))).kind).toBe("unauthenticated");
    time.now = NOW;
  });

  test("R15 On-Behalf-Of means an e-mail, a personal access token or an ePPN, and never a disabled account", async () => {
    const { text } = await made("personal", ["item:read"]);
    const find = (value: string) => people().onBehalfOf(value);
    for (const value of ["ADA@example.org", text, "ada@idp.example.org"])
      expect((await find(value))?.id).toBe(account.id);
    for (const value of ["nobody@example.org", "", "svc_x", "1"]) expect(await find(value)).toBeNull();
    await setActive(false);
    for (const value of ["ada@example.org", text, "ada@idp.example.org"]) expect(await find(value)).toBeNull();
    await setActive(true);
  });

  test("R33 a session is valid for its account until its end, and is not narrowed by scopes", async () => {
    const token = randomText(new Uint8Array(32).fill(7));
    const session = {
      hash: sha256Hex(token),
      accountId: account.id,
      csrfHash: "c",
      way: "link" as const,
      clientId: null,
      createdAt: NOW,
      expiresAt: "2026-06-02T00:00:00.000Z",
      lastUsedAt: null,
      agent: null,
    };
    await store.transact((tx) => tx.accounts.insertSession(session));
    const signedIn = await people().session(token, "192.0.2.1");
    expect([signedIn?.viewer.account?.id, signedIn?.viewer.scopes]).toEqual([account.id, null]);
    expect(signedIn?.csrf).toBe(formTokenOf(token));
    expect(signedIn?.csrf).not.toBe(formTokenOf(randomText(new Uint8Array(32).fill(8))));
    for (const other of [null, "", "short", randomText(new Uint8Array(32).fill(8))])
      expect(await people().session(other, "")).toBeNull();
    await setActive(false);
    expect(await people().session(token, "")).toBeNull();
    await setActive(true);
    time.now = "2026-06-02T00:00:00.000Z";
    expect(await people().session(token, "")).toBeNull();
    time.now = NOW;
  });

  test("R6b what is not a sensible token is refused: no name, no scope, a scope that does not exist, an account that does not", async () => {
    const make = (fields: object) =>
      refusalOf(
        tokens().make(REPOSITORY_OPERATOR, {
          accountId: account.id,
          kind: "personal",
          name: "n",
          scopes: ["item:read"],
          expiresAt: null,
          ...fields,
        }),
      );
    expect((await make({ name: " " })).kind).toBe("invalid");
    expect((await make({ scopes: [] })).kind).toBe("invalid");
    expect((await make({ scopes: ["item:everything"] })).message).toContain("item:everything");
    expect((await make({ accountId: 999 })).kind).toBe("not_found");
    expect((await refusalOf(tokens().revoke(REPOSITORY_OPERATOR, "personal-unknown"))).kind).toBe("not_found");
  });
});
