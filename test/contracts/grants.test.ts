// What a store promises of grants (R30): one of many uses of a code or refresh token wins, what has ended stays so, a
// write waits for the end of a grant.

import { beforeAll, describe, expect, test } from "bun:test";
import { writeAs } from "../../src/repository/people/current-viewer.ts";
import { repositoryAuthentication } from "../../src/repository/people/repository-authentication.ts";
import { signIn } from "../../src/repository/people/sign-in.ts";
import { onEachDatabase } from "../support/databases.ts";
import { type AuthorizationWorld, authorizationOf, MCP } from "../support/world/authorization.ts";
import { setUpWorld } from "../support/world.ts";

const AT_ONCE = 50;

describe("R30 grants", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: true, database });
    let at: AuthorizationWorld;
    beforeAll(() => {
      at = authorizationOf(world);
    });

    const people = () =>
      repositoryAuthentication({
        accounts: world.store.accounts,
        grants: world.store.grants,
        clock: world.clock,
        signer: null,
      });
    const grantOf = async (clientId: string) => {
      const grants = await world.store.grants.grantsOf(world.people.registered.account.id);
      return grants.find((each) => each.clientId === clientId)?.id ?? "";
    };

    test("S3.7.24 of fifty uses at once of a code one wins, and the grant ends, for two hold it", async () => {
      const clientId = await at.register();
      const code = await at.code("registered", clientId);
      const id = await grantOf(clientId);
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => at.exchange(clientId, code)));
      const won = answers.filter(({ status }) => status === 200);
      const expected = [1, AT_ONCE - 1];
      expect([won.length, answers.filter(({ json }) => json.error === "invalid_grant").length]).toEqual(expected);
      expect((await world.store.grants.grant(id))?.endedAt).not.toBeNull();
      const actions = (await world.store.events(`grant:${id}`, 100)).map(({ action }) => action);
      expect(actions).toEqual(["grant-end", "grant-reuse", "grant-use", "grant-make"]);
      const bearer = `Bearer ${won[0]?.json.access_token}`;
      await expect(people().authenticate(bearer, "", MCP)).rejects.toMatchObject({ kind: "unauthenticated" });
    });

    test("S3.7.24 of fifty uses at once of a refresh token one wins, and the grant ends", async () => {
      const { clientId, refresh } = await at.tokens("registered");
      const id = await grantOf(clientId);
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => at.refresh(clientId, refresh)));
      const won = answers.filter(({ status }) => status === 200);
      const expected = [1, AT_ONCE - 1];
      expect([won.length, answers.filter(({ json }) => json.error === "invalid_grant").length]).toEqual(expected);
      expect((await at.refresh(clientId, String(won[0]?.json.refresh_token))).json.error).toBe("invalid_grant");
      const actions = (await world.store.events(`grant:${id}`, 100)).map(({ action }) => action);
      expect(actions).toEqual(["grant-end", "grant-reuse", "grant-refresh", "grant-use", "grant-make"]);
    });

    // A client that is known by its document has no row in the database, which would put what is allowed to it in
    // order.
    test.each(["registered", "document"] as const)(
      "S3.7.14 many consents at once for a client, %s, are one grant",
      async (kind) => {
        const clientId = await at.register();
        const read = await at.asking.readAuthorization(await at.query(clientId, { scope: "mcp:curate" }));
        if (read.kind !== "ask") throw new Error(read.kind);
        const id = kind === "document" ? "https://many.example/client.json" : clientId;
        const ask = { ...read.ask, client: { ...read.ask.client, kind, id } };
        const viewer = await world.viewer("registered");
        const scopes = ["mcp:read", "mcp:write", "mcp:curate"] as const;
        const all = [...scopes, ...scopes, ...scopes, ...scopes].map((scope) => at.asking.allow(viewer, ask, [scope]));
        const codes = (await Promise.all(all)).map((location) => new URL(location).searchParams.get("code"));
        expect(new Set(codes).size).toBe(all.length);
        const grants = await world.store.grants.grantsOf(world.people.registered.account.id);
        const own = grants.filter((each) => each.clientId === id);
        expect(own.map((each) => each.scopes)).toEqual([[...scopes]]);
      },
    );

    test("S3.7.26 what was allowed in the session of a token ends with that token", async () => {
      const { clientId: tokenId, token } = await world.token("registered", undefined, null);
      const clientId = await at.register();
      const read = await at.asking.readAuthorization(await at.query(clientId));
      if (read.kind !== "ask") throw new Error(read.kind);
      const { store, clock, random } = world;
      const session = await signIn({ store, clock, random, oidc: null }).withToken(token, "");
      const signedIn = await people().session(session?.token ?? "", "");
      if (signedIn === null) throw new Error("nobody signed in");
      const location = new URL(await at.asking.allow(signedIn.viewer, read.ask, ["mcp:write"]));
      const { json } = await at.exchange(clientId, location.searchParams.get("code") ?? "");
      const bearer = `Bearer ${json.access_token}`;
      expect((await people().authenticate(bearer, "", MCP)).account?.id).toBe(world.people.registered.account.id);
      const id = await grantOf(clientId);
      await world.revoke(tokenId);
      await expect(people().authenticate(bearer, "", MCP)).rejects.toMatchObject({ kind: "unauthenticated" });
      expect((await at.refresh(clientId, String(json.refresh_token))).json.error).toBe("invalid_grant");
      expect((await store.events(`grant:${id}`, 1))[0]).toMatchObject({
        action: "grant-end",
        detail: { by: "origin" },
      });
    });

    test("S3.7.27 a grant that ended between the gate and the write stops the write", async () => {
      const { clientId, access } = await at.tokens("registered");
      const viewer = await people().authenticate(`Bearer ${access}`, "192.0.2.1", MCP);
      expect([[...(viewer.scopes ?? [])], viewer.clientId]).toEqual([
        ["mcp:read", "mcp:write"],
        await grantOf(clientId),
      ]);
      const { store, clock } = world;
      const write = (asked: readonly string[]) =>
        writeAs({ store, clock }, { ...viewer, asked }, async (_tx, now) => now.account?.id);
      expect(await write(["mcp:write"])).toBe(world.people.registered.account.id);
      await expect(write(["mcp:curate"])).rejects.toMatchObject({ kind: "forbidden" });
      await at.asking.endGrant(await world.viewer("registered"), viewer.clientId);
      await expect(write(["mcp:write"])).rejects.toMatchObject({ kind: "unauthenticated" });
    });

    test("S3.7.29 the database itself keeps a grant ended and a secret used", async () => {
      const { clientId, refresh } = await at.tokens("registered");
      const id = await grantOf(clientId);
      const secret = /^svc_([0-9a-z]+)_/.exec(refresh)?.[1] ?? "";
      expect((await at.refresh(clientId, refresh)).status).toBe(200);
      const { store } = world;
      const again = store.transact((tx) => tx.grants.useGrantSecret(secret, world.time.now));
      expect(await again).toBe(false);
      await at.asking.endGrant(await world.viewer("registered"), id);
      const ended = await store.grants.grant(id);
      if (ended === null) throw new Error("the grant is gone");
      await expect(store.transact((tx) => tx.grants.saveGrant({ ...ended, endedAt: null }))).rejects.toThrow();
      expect((await store.grants.grant(id))?.endedAt).toBe(ended.endedAt);
    });
  });
});
