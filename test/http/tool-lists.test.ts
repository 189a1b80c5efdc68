// Lists of tools that are kept (R30): the same answer as without, for each selection, table and way to ask, with the id of whoever asks.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type RepositoryWorld, repositoryWorld } from "../support/repository-world.ts";
import { toolCalls } from "../support/tool-calls.ts";

let world: RepositoryWorld;
beforeAll(async () => {
  world = await repositoryWorld({ env: { SVC_RATE_PER_MINUTE: "0" } });
}, 60_000);
afterAll(() => world.close());

test("S3.7.132 R30: a list that is kept is the list that is made, with the id of whoever asks, and of what was asked", async () => {
  const at = (path: string) => toolCalls(world, path);
  const lists = async (path: string) => {
    const calls = at(path);
    const [first, second] = [await calls.modern(null, "tools/list"), await calls.modern("admin", "tools/list")];
    expect([first.status, second.status]).toEqual([200, 200]);
    const { id: firstId, ...made } = first.message;
    const { id: secondId, ...kept } = second.message;
    expect([firstId, secondId]).toEqual([1, 2]);
    expect(kept).toEqual(made);
    expect(second.headers.get("content-type")).toBe(first.headers.get("content-type") ?? "");
    return (made.result as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name);
  };
  const all = await lists("/mcp");
  const [files, reading, stdio] = [
    await lists("/mcp?toolsets=files"),
    await lists("/mcp?readonly=1"),
    await lists("/mcp?server=stdio"),
  ];
  expect([all.length, stdio.length]).toEqual([36, 12]);
  expect(files).toContain("upload_file");
  expect(files).not.toContain("get_record");
  expect(reading).not.toContain("upload_file");
  const same = at("/mcp");
  const named = await same.modern(null, "tools/list");
  const id = 'a "quoted" id';
  const asked = JSON.parse(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params: META }));
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
  const quoted = await same.send(null, asked, headers);
  expect([quoted.message.id, quoted.message.result]).toEqual([id, named.message.result]);
  // What is wrong in anything else is not hidden by a list that is kept.
  const wrongs = [
    [{ ...asked, params: {} }, headers],
    [asked, { ...headers, "mcp-method": "tools/call" }],
    [{ ...asked, params: { ...META, cursor: 7 } }, headers],
  ] as const;
  for (const [body, sent] of wrongs) {
    const { message } = await same.send(null, body, sent);
    expect(["error" in message, "result" in message]).toEqual([true, false]);
  }
  const revoked = await same.send({ token: "svc_none_0123456789abcdef0123456789abcdef" }, asked, headers);
  expect(revoked.status).toBe(401);
});

const META = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  },
};
