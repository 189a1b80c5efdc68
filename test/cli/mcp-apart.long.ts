// The tool servers apart from the repository (R30): `arkstone mcp --http` next to a repository with SVC_MCP=off, and
// `arkstone mcp --url` on it, as processes.
import { afterAll, expect, test } from "bun:test";
import { httpTools, STDIO_TOOLS } from "../../src/repository/tools/tool-table.ts";
import { firstSetup } from "../support/first-repository.ts";
import { arkstone, commandOf, freePort, startRole, temporaryFolder } from "../support/processes.ts";
import { ENVELOPE, MODERN, stdioClient } from "../support/stdio-client.ts";

const folder = temporaryFolder("mcp-apart");
const env = { SVC_DATA_DIR: folder.path, SVC_MCP: "off" };
afterAll(() => folder.remove());

async function listed(base: string): Promise<{ readonly status: number; readonly tools: number }> {
  const response = await fetch(`${base}/mcp`, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      ...{ "mcp-protocol-version": MODERN, "mcp-method": "tools/list" },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: ENVELOPE } }),
  });
  const body = (await response.json()) as { readonly result?: { readonly tools: readonly unknown[] } };
  return { status: response.status, tools: body.result?.tools.length ?? 0 };
}

test("S3.7.131 R30: arkstone mcp --http serves the tools by itself, where SVC_MCP=off takes them out of the repository, and --url works on it", async () => {
  const token = (await firstSetup(env)) ?? "";
  const [repository, tools] = await Promise.all([
    startRole("repository", env, await freePort()),
    startRole("tools", env, await freePort()),
  ]);
  expect((await listed(repository.base)).status).toBe(404);
  expect(await listed(tools.base)).toEqual({ status: 200, tools: httpTools({ mcpMoreTools: "on" }).length });
  const metadata = await fetch(`${tools.base}/.well-known/oauth-protected-resource/mcp`);
  expect(((await metadata.json()) as { readonly resource: string }).resource).toEndWith("/mcp");
  const challenged = await fetch(`${tools.base}/mcp-auth`, { method: "POST", body: "{}" });
  expect(challenged.headers.get("www-authenticate")).toContain("oauth-protected-resource/mcp-auth");
  for (const [path, status] of [
    ["/healthz", 200],
    ["/readyz", 200],
    ["/metrics", 200],
    ["/api/records", 404],
    ["/records/1", 404],
    ["/sword/service-document", 404],
  ] as const) {
    const answer = await fetch(`${tools.base}${path}`);
    expect([path, answer.status]).toEqual([path, status]);
    const text = await answer.text();
    if (path === "/metrics") expect(text).toContain("arkstone_search_documents");
  }

  const client = stdioClient(commandOf("mcp", "--url", tools.base), { SVC_MCP_TOKEN: token, SVC_DATA_DIR: "/nowhere" });
  const { result } = await client.modern("tools/list");
  expect(result.tools).toHaveLength(STDIO_TOOLS.length);
  const made = await client.modern("tools/call", {
    name: "create_record",
    arguments: { metadata: { title: "Tides" } },
  });
  expect(made.result.structuredContent.status).toBe("draft");
  const ended = tools.kill("SIGTERM");
  expect(await ended).toBe(0);
  const search = await client.modern("tools/call", { name: "search_records", arguments: {} });
  expect(search.result.structuredContent.error).toMatchObject({ status: 503, hint: "try again later" });
  client.endInput();
  expect(await client.ended).toBe(0);
  expect(client.errors()).not.toContain(token);
  // What --url was given is checked before anything else.
  const refused = await arkstone(["mcp", "--url", "http://repo.example.org"], env);
  expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining("it must begin with https://")]);
  expect(await repository.kill("SIGTERM")).toBe(0);
}, 60_000);
