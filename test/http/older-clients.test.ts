// The official client of the older era (SDK 1.x) signs a person in by itself (R30; docs/authorization.md): at /mcp-auth
// it asks for all scopes with its first request, also when its token has ended.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { type Handler, type Server, serve } from "../../src/main/process/serve.ts";
import { consentBrowser } from "../support/consent-browser.ts";
import { METADATA } from "../support/record-calls.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { setUpWorld } from "../support/world.ts";

let server: Server;
let handler: Handler = () => new Response(null, { status: 503 });
beforeAll(async () => {
  server = serve({ fetch: (request, peer) => handler(request, peer), host: "127.0.0.1", port: 0 });
});
const world = setUpWorld(() => ({
  repository: { env: { SVC_BASE_URL: server.url, SVC_MCP_HOSTS: "repo.example.org", SVC_RATE_PER_MINUTE: "0" } },
}));
beforeAll(() => {
  handler = world.handler;
});
afterAll(() => server.stop(0));

const REDIRECT = "http://127.0.0.1:9/callback";

/** What a program keeps, and where it sent the person. */
function program() {
  const kept = new Map<string, unknown>();
  const keep = (name: string) => (value: unknown) => void kept.set(name, value);
  const asked: URL[] = [];
  const provider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "Older", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
    clientInformation: () => kept.get("client"),
    saveClientInformation: keep("client"),
    tokens: () => kept.get("tokens"),
    saveTokens: keep("tokens"),
    redirectToAuthorization: (url: URL) => void asked.push(url),
    saveCodeVerifier: keep("verifier"),
    codeVerifier: () => String(kept.get("verifier")),
    invalidateCredentials: (what: string) => {
      if (what === "all" || what === "tokens") kept.delete("tokens");
    },
    // Its own types disagree where optional members must be exact.
  } as unknown as OAuthClientProvider;
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp-auth`), { authProvider: provider });
  const connect = async () => {
    const client = new Client({ name: "older", version: "1" });
    await client.connect(transport() as never);
    return client;
  };
  return { asked, transport, connect };
}

test("S3.7.414 R30: a client of SDK 1.x signs in at /mcp-auth, writes, and after its token has ended signs in again and writes", async () => {
  const { asked, transport, connect } = program();
  /** The person allows what was asked for last; the scopes are those. */
  const allowed = async (): Promise<string | null> => {
    const last = asked.at(-1);
    if (last === undefined) throw new Error("Nobody was asked");
    const person = consentBrowser(server.url);
    await person.signIn(world.people.registered.token);
    const answer = new URL(await person.allow(last.pathname + last.search));
    await transport().finishAuth(answer.searchParams.get("code") ?? "");
    return last.searchParams.get("scope");
  };
  const write = async (client: Client): Promise<unknown> =>
    (await client.callTool({ name: "create_record", arguments: { metadata: METADATA } })).structuredContent;

  await expect(connect()).rejects.toThrow("Unauthorized");
  const all = "mcp:read mcp:write mcp:curate";
  expect(await allowed()).toBe(all);
  const client = await connect();
  expect(await write(client)).toMatchObject({ status: "draft" });
  // Longer than the refresh token lives.
  world.time.now = new Date(Date.parse(world.time.now) + 31 * 86_400_000).toISOString();
  await expect(client.callTool({ name: "search_records", arguments: {} })).rejects.toThrow("Unauthorized");
  expect([asked.length, await allowed()]).toEqual([2, all]);
  const again = await connect();
  expect(await write(again)).toMatchObject({ status: "draft" });
  await client.close();
  await again.close();
});

test("S3.7.415 R30: the challenge of a token that is not valid names what the call needs, and shows when the token ended", async () => {
  const now = Date.parse(world.time.now);
  const { text: token } = await world.tokens.make(REPOSITORY_OPERATOR, {
    ...{ accountId: world.people.registered.account.id, kind: "personal", name: "Ends", scopes: ["mcp:curate"] },
    expiresAt: new Date(now + 60_000).toISOString(),
  });
  const headerOf = async (entrance: string, sent: string | null, name: string) => {
    const calls = toolCalls(world, entrance);
    const args = { recid: "1", metadata: {} };
    const who = sent === null ? null : { token: sent };
    const { status, headers } = await calls.modern(who, "tools/call", { name, arguments: args }, name);
    return [status, headers.get("www-authenticate")?.replace(/, resource_metadata="[^"]*"/, "")];
  };
  const wrong = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
  const invalid = (scope: string) =>
    `Bearer error="invalid_token", scope="${scope}", error_description="The access token is not valid"`;
  expect(await headerOf("/mcp", wrong, "search_records")).toEqual([401, invalid("mcp:read")]);
  expect(await headerOf("/mcp", wrong, "create_record")).toEqual([401, invalid("mcp:write")]);
  expect(await headerOf("/mcp", wrong, "delete_record")).toEqual([401, invalid("mcp:curate")]);
  expect(await headerOf("/mcp-auth", wrong, "search_records")).toEqual([401, invalid("mcp:read mcp:write mcp:curate")]);
  // Without a token there is no error in it.
  expect(await headerOf("/mcp", null, "create_record")).toEqual([401, 'Bearer scope="mcp:write"']);
  const expected = [401, 'Bearer scope="mcp:read mcp:write mcp:curate"'];
  expect(await headerOf("/mcp-auth", null, "search_records")).toEqual(expected);
  world.time.now = new Date(now + 120_000).toISOString();
  expect(await headerOf("/mcp", token, "create_record")).toEqual([
    401,
    invalid("mcp:write").replace("is not valid", "has ended"),
  ]);
});
