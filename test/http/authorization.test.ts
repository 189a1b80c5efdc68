// The authorization server over HTTP (R30; RFC 6749, 7009, 7591, 7636, 8414, 8707, 9207): from a client that registers to a tool that it calls, and back.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { authorizationWorld, type AuthorizationWorld, MCP, REDIRECT } from "../support/authorization-world.ts";
import { type RepositoryWorld, repositoryWorld } from "../support/repository-world.ts";
import { toolCalls } from "../support/tool-calls.ts";

describe("R30 the authorization server", () => {
  let world: RepositoryWorld;
  let at: AuthorizationWorld;
  let calls: ReturnType<typeof toolCalls>;
  beforeAll(async () => {
    world = await repositoryWorld();
    at = authorizationWorld(world);
    calls = toolCalls(world);
  });
  afterAll(async () => {
    await world.close();
  });

  test("S3.7.1 a client registers, a person allows it, and its token calls tools as the person", async () => {
    const registered = await world.ask(null, "POST", "/oauth/register", {
      body: JSON.stringify({ redirect_uris: [REDIRECT], client_name: "Reader" }),
    });
    expect([registered.status, registered.json]).toEqual([
      201,
      {
        client_id: expect.stringMatching(/^client-[0-9a-z]{20}$/),
        client_id_issued_at: expect.any(Number),
        client_name: "Reader",
        redirect_uris: [REDIRECT],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        scope: "mcp:read mcp:write mcp:curate",
      },
    ]);
    const clientId = String(registered.json.client_id);
    const answer = await at.exchange(clientId, await at.code("registered", clientId), { resource: MCP });
    expect([answer.status, answer.headers.get("cache-control"), answer.json]).toEqual([
      200,
      "no-store",
      {
        access_token: expect.stringMatching(/^svc_access/),
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: expect.stringMatching(/^svc_refresh/),
        scope: "mcp:read mcp:write",
      },
    ]);
    const token = String(answer.json.access_token);
    const { structuredContent } = await calls.call({ token }, "whoami");
    expect(JSON.stringify(structuredContent)).toContain("registered@example.org");
    const made = await calls.call({ token }, "create_record", { metadata: { title: "By a program" } });
    expect(made.structuredContent.title).toBe("By a program");
    const refused = await calls.modern(
      { token },
      "tools/call",
      { name: "delete_record", arguments: { recid: "1" } },
      "delete_record",
    );
    expect(refused.status).toBe(403);
  });
});
