// `arkstone grant`: what operators see and end of what people allowed programs (R30).
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { anAccount } from "../support/accounts.ts";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";
import { NOW } from "../support/seed.ts";

const folder = temporaryFolder("grants-cli");
afterAll(() => folder.remove());
const env = { SVC_DATA_DIR: folder.path, SVC_BASE_URL: "https://repo.example.org" };
const run = async (...args: readonly string[]) => {
  const { code, out, err } = await arkstone(env, args);
  return { code, err, json: code === 0 ? JSON.parse(out) : null };
};

test("S3.7.28 operators register clients, list what people allowed and end it", async () => {
  const refused = await arkstone(env, [
    "grant",
    "client",
    "add",
    "Desk",
    "--redirect-uri",
    "http://desk.example.org/cb",
  ]);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining("redirect_uris[0] must be an https address"),
  ]);
  expect((await arkstone(env, ["grant", "client", "add", "Desk"])).code).toBe(2);
  const uris = "https://desk.example.org/cb,http://localhost/cb";
  const added = await run("grant", "client", "add", "Desk", "--redirect-uri", uris, "--json");
  expect(added.json).toEqual({
    client_id: expect.stringMatching(/^client-[0-9a-z]{20}$/),
    name: "Desk",
    redirect_uris: ["https://desk.example.org/cb", "http://localhost/cb"],
  });
  const clientId: string = added.json.client_id;
  expect((await run("grant", "client", "list", "--json")).json).toMatchObject([{ client_id: clientId, name: "Desk" }]);
  expect((await arkstone(env, ["grant", "list"])).err).toContain("Nobody allowed a program anything yet");

  const store = await openRepositoryStore({ url: `sqlite:${join(folder.path, "arkstone.db")}` });
  try {
    await store.transact(async (tx) => {
      const accountId = (await tx.accounts.saveAccount(anAccount({ mail: "ada@example.org", name: "Ada" }))) ?? 0;
      const grant = {
        id: "grant-a",
        accountId,
        clientId,
        clientName: "Desk\u001b[31m",
        resource: "https://repo.example.org/mcp",
      };
      const times = { madeWith: null, createdAt: NOW, lastUsedAt: null, endedAt: null };
      await tx.grants.insertGrant({ ...grant, ...times, scopes: ["mcp:read"] });
    });
    const shown = await arkstone(env, ["grant", "list"]);
    expect(shown.out).toContain("grant-a");
    expect(shown.out).not.toContain("\u001b");
    for (const args of [
      ["grant", "list", "--json"],
      ["grant", "list", "ada@example.org", "--json"],
    ]) {
      expect((await run(...args)).json).toMatchObject([
        { grant: "grant-a", client_id: clientId, scopes: ["mcp:read"] },
      ]);
    }
    expect((await arkstone(env, ["grant", "list", "nobody@example.org"])).code).toBe(1);
    expect((await run("grant", "end", "grant-a", "--json")).json).toEqual({ grant: "grant-a", ended: true });
    expect((await store.events("grant:grant-a", 1))[0]).toMatchObject({
      action: "grant-end",
      detail: { by: "operator" },
    });
    const again = await arkstone(env, ["grant", "end", "grant-a"]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('There is no grant "grant-a"')]);
    expect((await run("grant", "list", "--json")).json).toEqual([]);

    // The same among the tokens.
    await store.transact(async (tx) => {
      const [account] = await tx.accounts.listAccounts(0, 1);
      const other = { id: "grant-b", accountId: account?.id ?? 0, clientId, clientName: "Desk", resource: "https://x" };
      const times = { madeWith: null, createdAt: NOW, lastUsedAt: null, endedAt: null };
      await tx.grants.insertGrant({ ...other, ...times, scopes: ["mcp:read", "mcp:write"] });
    });
    expect((await run("token", "list", "ada@example.org", "--json")).json).toMatchObject([
      { client_id: "grant-b", kind: "grant", name: "Desk", scopes: ["mcp:read", "mcp:write"] },
    ]);
    expect((await run("token", "revoke", "grant-b", "--json")).json).toEqual({ client_id: "grant-b", revoked: true });
    expect((await run("token", "list", "--json")).json).toEqual([]);
    expect((await arkstone(env, ["token", "revoke", "grant-b"])).code).toBe(1);

    // More than are read at once.
    const ids = Array.from({ length: 501 }, (_, at) => `many-${String(at).padStart(3, "0")}`);
    await store.transact(async (tx) => {
      const [account] = await tx.accounts.listAccounts(0, 1);
      const of = { accountId: account?.id ?? 0, clientId, clientName: "Desk" };
      const times = { madeWith: null, createdAt: NOW, lastUsedAt: null, endedAt: null };
      for (const id of ids) {
        await tx.grants.insertGrant({ id, resource: `https://x/${id}`, ...of, ...times, scopes: ["mcp:read"] });
      }
    });
    const all: readonly { readonly grant: string }[] = (await run("grant", "list", "--json")).json;
    expect(all.map(({ grant }) => grant)).toEqual(ids);
  } finally {
    await store.close();
  }
});
