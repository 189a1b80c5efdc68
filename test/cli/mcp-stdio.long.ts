// `arkstone mcp` as clients start it (R30; specification 3, "Tool servers"): a process that speaks the protocol of both
// eras on its standard input and output and nothing else there, refuses what is not a message, and ends with its input
// or by a signal.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstSetup } from "../support/first-repository.ts";
import { commandOf, temporaryFolder } from "../support/processes.ts";
import { MODERN, stdioClient } from "../support/stdio-client.ts";

const folder = temporaryFolder("mcp-stdio");
const LINE_BYTES = 33 * 1024 * 1024;
let env: Readonly<Record<string, string>> = { SVC_DATA_DIR: folder.path };
beforeAll(async () => {
  env = { ...env, SVC_MCP_TOKEN: (await firstSetup(env)) ?? "" };
});
afterAll(() => folder.remove());

const start = (more: Readonly<Record<string, string>> = {}) => stdioClient(commandOf("mcp"), { ...env, ...more });
const RECORD = {
  resource_type: { id: "dataset" },
  title: "Records of tides",
  publication_date: "2026-05-01",
  creators: [{ person_or_org: { type: "organizational", name: "Harbour Office" } }],
};

test("S3.7.121 R30: with initialize; nothing but the protocol on standard output, the log on standard error, the end of the input ends it after the last answer", async () => {
  const client = start();
  const { result: opened } = await client.initialize();
  expect([opened.protocolVersion, opened.serverInfo.name]).toEqual(["2025-11-25", "arkstone"]);
  const { result: listed } = await client.ask("tools/list");
  expect(listed.tools).toHaveLength(12);
  const made = await client.call("create_record", { metadata: RECORD, publish: true });
  expect([made.isError, made.structuredContent?.status]).toEqual([undefined, "published"]);
  const read = client.call("get_record", { recid: made.structuredContent.recid });
  client.endInput();
  expect((await read).structuredContent.title).toBe(RECORD.title);
  expect(await client.ended).toBe(0);
  expect(client.left()).toEqual({ messages: [], out: "" });
  const log = client.errors().trim().split("\n");
  for (const line of log) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) });
  expect(client.errors()).toMatch(
    /"event":"tool_called","account":\d+,"client":"[^"]+","tool":"create_record","status":200,/,
  );
  expect(client.errors()).not.toContain(env.SVC_MCP_TOKEN ?? "");
  expect(client.errors()).not.toContain("tides");
}, 60_000);

test("S3.7.122 R30: without initialize, by the newest revision; SIGTERM ends it with exit code 0", async () => {
  const client = start();
  const { result: listed } = await client.modern("tools/list");
  expect([listed.resultType, listed.tools.length]).toEqual(["complete", 12]);
  const { result: about } = await client.modern("server/discover");
  expect(about.supportedVersions).toContain(MODERN);
  const { result } = await client.modern("tools/call", { name: "search_records", arguments: { query: "tides" } });
  expect(result.structuredContent.total).toBe(1);
  client.kill("SIGTERM");
  expect(await client.ended).toBe(0);
  expect(client.left()).toEqual({ messages: [], out: "" });
}, 60_000);

test("S3.7.135 R30: a data folder that is new is enough; the first message may be of either era, and the end of the input ends it with nothing left to send", async () => {
  for (const era of ["modern", "with initialize"] as const) {
    const client = start({ SVC_DATA_DIR: join(folder.path, era.replace(" ", "-")), SVC_MCP_TOKEN: "" });
    if (era === "with initialize") await client.initialize();
    const ask = era === "modern" ? client.modern : client.ask;
    const { result } = await ask("tools/list");
    expect([era, result.tools.length]).toEqual([era, 12]);
    for (const query of ["tides", ""]) {
      const answer = await ask("tools/call", { name: "search_records", arguments: { query } });
      expect(answer.result.structuredContent.total).toBe(0);
    }
    client.endInput();
    expect(await client.ended).toBe(0);
    expect(client.left()).toEqual({ messages: [], out: "" });
  }
}, 60_000);

test("S3.7.123 R30: lines that are not messages, or are too long, are answered as JSON-RPC requires, and the next one is read", async () => {
  const client = start({ SVC_MCP_TOKEN: "svc_none_0123456789abcdef0123456789abcdef" });
  const refused = () => client.next(({ id }) => id === null);
  client.write("\n   \r\n");
  for (const line of [
    "no json",
    '{"jsonrpc":"2.0",',
    '"\ud800"'.replace("\ud800", "\\ud800"),
    new Uint8Array([0xff]),
  ]) {
    client.write(line);
    client.write("\n");
    expect((await refused()).error?.code).toBe(line === '"\\ud800"' ? -32_600 : -32_700);
  }
  client.write(`${"[".repeat(100_000)}\n`);
  expect((await refused()).error?.code).toBe(-32_700);
  client.write('[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n');
  expect((await refused()).error?.code).toBe(-32_600);
  client.write('{"id":"mine","method":"ping"}\n');
  expect((await client.next(({ id }) => id === "mine")).error?.code).toBe(-32_600);
  client.write(new Uint8Array(LINE_BYTES + 1).fill(0x20));
  client.write("\n");
  expect((await refused()).error).toMatchObject({
    code: -32_600,
    message: expect.stringContaining(String(LINE_BYTES)),
  });
  expect((await client.ask("ping")).result).toEqual({});
  // A token that is not good is reported by each call, not by silence.
  const found = await client.call("search_records");
  expect(found.structuredContent.error).toMatchObject({ status: 401, hint: expect.stringContaining("SVC_MCP_TOKEN") });
  expect((await client.ask("tools/call", { name: "whoami" })).error).toMatchObject({ message: "Unknown tool: whoami" });
  client.kill("SIGTERM");
  expect(await client.ended).toBe(0);
  expect(client.left()).toEqual({ messages: [], out: "" });
}, 60_000);

test("S3.7.124 R30: what keeps it from its database is one line that names the setting, and exit code 1", async () => {
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  const [client, wrong] = [start({ SVC_DATA_DIR: file }), start({ SVC_MCP: "perhaps" })];
  expect(await Promise.all([client.ended, wrong.ended])).toEqual([1, 1]);
  expect(client.errors()).toMatch(/^Cannot open the database .*SVC_DATA_DIR\n$/);
  expect(wrong.errors()).toMatch(/^SVC_MCP="perhaps" .*\n$/);
}, 60_000);
