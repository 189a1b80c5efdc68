// Lists of tools that are kept (R30): the same answer as without, for each selection, table and way to ask, with the id
// of the caller's request.
import { expect, test } from "bun:test";
import { keptLists } from "../../plugins/repository/mcp/mcp.ts";
import { HTTP_TOOLS, MORE_TOOLS, STDIO_TOOLS } from "../../src/repository/tools/tool-table.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: { env: { SVC_RATE_PER_MINUTE: "0" } } });

test("S3.7.132 R30: a list that is kept is the list that is made, with the id of the caller's request, and of what was asked", async () => {
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
  expect([all.length, stdio.length]).toEqual([HTTP_TOOLS.length + MORE_TOOLS.length, STDIO_TOOLS.length]);
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

test("S3.7.132 a list is made once for each way to ask, and what has more than a result is made each time", async () => {
  const lists = keptLists();
  let made = 0;
  const ask = async (
    id: unknown,
    { path = "/mcp", method = "tools/list", accept = "a", status = 200, ...more } = {},
  ) => {
    const request = new Request(`http://repo.example.org${path}`, { headers: { accept } });
    const response = await lists.answer(request, { jsonrpc: "2.0", id, method, params: {} }, async () => {
      made += 1;
      return Response.json({ jsonrpc: "2.0", id, result: { made }, ...more }, { status, headers: JSON_ALONE });
    });
    const { result, id: answered } = (await response.json()) as { readonly result: unknown; readonly id: unknown };
    expect([response.status, answered]).toEqual([status, id]);
    return (result as { readonly made: number }).made;
  };
  for (const id of [1, "two", 0, -3]) expect(await ask(id)).toBe(1);
  expect([await ask(1, { path: "/mcp?readonly=1" }), await ask(2, { path: "/mcp?readonly=1" })]).toEqual([2, 2]);
  expect([await ask(1, { accept: "b" }), await ask("x", { accept: "b" }), await ask(9)]).toEqual([3, 3, 1]);
  const others = [{ method: "tools/call" }, { accept: "c", error: {} }, { accept: "d", status: 400 }];
  for (const [at, other] of others.entries())
    expect([await ask(1, other), await ask(1, other)]).toEqual([4 + 2 * at, 5 + 2 * at]);
  for (const id of [1.5, null, [1]]) expect(await ask(id)).toBe(made);
  expect([made, await ask(7)]).toEqual([12, 1]);
});

test("R30 the instructions name the tools that are shown, and no others", async () => {
  const named = async (path: string) => {
    const { message } = await toolCalls(world, path).modern(null, "server/discover");
    const { instructions } = message.result as { readonly instructions: string };
    return ["list_vocabulary", "upload_file", "get_record", "request_action"].filter((name) =>
      instructions.includes(name),
    );
  };
  expect(await named("/mcp")).toEqual(["list_vocabulary", "upload_file", "get_record", "request_action"]);
  expect(await named("/mcp?toolsets=vocabularies,curation")).toEqual(["list_vocabulary", "request_action"]);
  expect(await named("/mcp?readonly=1")).toEqual(["list_vocabulary", "get_record"]);
});

const JSON_ALONE = { "content-type": "application/json" };
const META = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  },
};
