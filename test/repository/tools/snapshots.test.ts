// What models see of the tool servers, whole (R30; reference 5): both lists of tools, and of each tool a result and a
// refusal, held against the files in snapshots/. To change one on purpose, write them again: ARKSTONE_WRITE=1 bun test
// test/repository/tools/snapshots.test.ts
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { toolList } from "../../../src/repository/tools/tool-server.ts";
import { type HTTP_TOOLS, httpTools, STDIO_TOOLS } from "../../../src/repository/tools/tool-table.ts";
import { METADATA } from "../../support/record-calls.ts";
import { stdioTools } from "../../support/stdio-tools.ts";
import { type ToolReply, toolCalls } from "../../support/tool-calls.ts";
import type { Who } from "../../support/world/repository.ts";
import { setUpWorld } from "../../support/world.ts";

const SERVED = httpTools({ mcpMoreTools: "on" });
const FOLDER = join(import.meta.dirname, "snapshots");

/** Compared with what was written down, as JSON. */
function holds(name: string, value: unknown): void {
  const file = join(FOLDER, `${name}.json`);
  const now = JSON.parse(JSON.stringify(value));
  if (process.env.ARKSTONE_WRITE === "1") writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
  expect(now).toEqual(JSON.parse(readFileSync(file, "utf8")));
}

/**
 * What differs from run to run: ids, moments and signatures, each by its number in the order of its first appearance.
 */
function steadied(value: unknown): unknown {
  const seen = new Map<string, string>();
  const named = (kind: string) => (text: string) => {
    const known =
      seen.get(text) ?? `<${kind} ${[...seen.values()].filter((each) => each.startsWith(`<${kind}`)).length + 1}>`;
    seen.set(text, known);
    return known;
  };
  const text = JSON.stringify(value)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named("uuid"))
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+]00:00)/g, () => "<time>")
    .replace(/(?<=ark:\/?\d{5}\/)[0-9a-z]+/g, named("ark"))
    .replace(/(?<=personal-)[0-9a-z]{16}/g, named("client"))
    .replace(/(?<=[?&/=])[A-Za-z0-9_~-]{32,}/g, () => "<signature>");
  return JSON.parse(text);
}

type Seen = Record<string, { readonly result: unknown; readonly refusal: string }>;
type CallTool = (who: Who, name: string, args: Readonly<Record<string, unknown>>) => Promise<ToolReply>;

/**
 * Calls tools one after the other and keeps what each stated first: of a refusal its text, of a result its members,
 * which are its text too.
 */
function watching(call: CallTool, definitions: typeof HTTP_TOOLS) {
  const [seen, schemas]: [Seen, Ajv] = [{}, new Ajv()];
  return {
    seen,
    async run(who: Who, name: string, args: Readonly<Record<string, unknown>> = {}) {
      const { isError, structuredContent, content } = await call(who, name, args);
      expect([name, isError, content.length, JSON.parse(content[0]?.text ?? "")]).toEqual([
        ...[name, undefined, 1, structuredContent],
      ]);
      if (seen[name] === undefined) {
        const tool = definitions.find((each) => each.name === name);
        const check = schemas.compile(tool?.output ?? false);
        const refused = await call("system", name, { ...args, nonsense: 1 });
        expect([name, check(structuredContent), check.errors, check(refused.structuredContent)]).toEqual([
          ...[name, true, null, true],
        ]);
        seen[name] = { result: structuredContent, refusal: refused.content[0]?.text ?? "" };
      }
      return structuredContent;
    },
  };
}

describe("R30 what models see", () => {
  let stdio: ReturnType<typeof stdioTools>;
  const world = setUpWorld({ repository: { env: { SVC_FILE_FETCH_DOMAINS: "data.example.org" } }, tools: true });
  beforeAll(() => {
    stdio = stdioTools(world, world.folder);
  });
  afterAll(async () => {
    await stdio.close();
  });

  test("R30 the lists of both servers are those that were written down, each under its budget of tokens", async () => {
    const http = toolList(SERVED, []).list(() => true);
    const { message } = await world.calls.modern(null, "tools/list");
    expect((message.result as { tools: unknown }).tools).toEqual(JSON.parse(JSON.stringify(http)));
    holds("http-list", http);
    holds(
      "stdio-list",
      toolList(STDIO_TOOLS, []).list(() => true),
    );
    // Four characters a token is more than byte pair encodings of models make of it (o200k_base: 3% fewer).
    expect(JSON.stringify(http).length / 4).toBeLessThan(12_000);
  });

  test("R30 a result and a refusal of each tool over HTTP fit its output schema and are those that were written down", async () => {
    const { run, seen } = watching(world.calls.call, SERVED);
    const { id: recid } = await run("registered", "create_record", { metadata: METADATA, files: true });
    await run("registered", "upload_file", { recid, filename: "tides.csv", content_text: "day,height\n1,2\n" });
    const large = { recid, filename: "large.bin" };
    const { parts } = await run("registered", "start_multipart_upload", { ...large, size: 4 });
    const { pathname, search } = new URL(parts[0].url);
    expect((await world.ask(null, "PUT", pathname + search, { body: "abcd" })).status).toBe(200);
    await run("registered", "complete_multipart_upload", large);
    await run("registered", "delete_file", large);
    await run("registered", "start_multipart_upload", { ...large, size: 4 });
    await run("registered", "abort_multipart_upload", large);
    await run("registered", "list_files", { recid, draft: true });
    await run("registered", "publish_record", { recid });
    await run(null, "get_record", { recid });
    await run(null, "download_file", { recid, filename: "tides.csv" });
    await run(null, "export_record", { recid, fmt: "bibtex" });
    await run(null, "search_records", { query: "tides" });
    await run("registered", "my_records");
    await run("registered", "update_record", { recid, metadata: { publisher: "Harbour Office" } });
    await run(null, "list_versions", { recid });
    await run("registered", "list_revisions", { recid });
    const { id: next } = await run("registered", "new_version", { recid, publication_date: "2026-05-01" });
    await run("registered", "delete_draft", { recid: next });
    const { id: fetched } = await run("system", "create_record", { metadata: METADATA, files: true });
    const url = "https://data.example.org/tides.csv";
    await run("system", "upload_file_from_url", { recid: fetched, filename: "tides.csv", url });
    await run(null, "list_vocabulary_types");
    await run(null, "list_vocabulary", { vocab_type: "removalreasons", size: 2 });
    await run("manager", "create_community", { slug: "tides", title: "Tides" });
    await run(null, "search_communities", { query: "tides" });
    await run(null, "get_community", { community: "tides" });
    const draft = (await run("other", "create_record", { metadata: METADATA })).id;
    await run("other", "submit_to_community", { recid: draft, community: "tides", comment: "Please" });
    const { requests } = await run("manager", "list_requests", { status: "submitted" });
    const request_id = requests[0].id;
    await run("manager", "comment_on_request", { request_id, comment: "Fine" });
    await run("manager", "request_action", { request_id, action: "accept", comment: "Welcome" });
    await run("other", "get_request", { request_id, timeline: true });
    await run(null, "list_community_records", { community: "tides" });
    await run(null, "record_statistics", { recid });
    await run(null, "similar_records", { recid });
    await run("registered", "add_to_community", { recid, community: "tides" });
    const second = (await run("other", "create_record", { metadata: METADATA })).id;
    const { request: own } = await run("other", "submit_to_community", { recid: second, community: "tides" });
    await run("other", "cancel_submission", { request_id: own.id });
    await run("system", "delete_record", { recid, confirm: true, reason_id: "test-record" });
    await run("system", "restore_record", { recid });
    await run("registered", "whoami");
    expect(Object.keys(seen).sort()).toEqual(SERVED.map(({ name }) => name).sort());
    holds("http-results", steadied(seen));
  });

  test("R30 a result and a refusal of each of the 12 tools over stdio, too", async () => {
    const { run, seen } = watching(stdio.call, STDIO_TOOLS);
    const { id: recid } = await run("registered", "create_record", { metadata: METADATA, files_enabled: true });
    await run("registered", "add_file", { recid, key: "tides.csv", text: "day,height\n1,2\n" });
    await run("registered", "add_file", { recid, key: "more.csv", text: "x" });
    await run("registered", "delete_file", { recid, key: "more.csv" });
    await run("registered", "list_files", { recid });
    await run("registered", "publish_record", { recid });
    await run("registered", "get_record", { recid });
    await run("registered", "update_record", { recid, metadata: { ...METADATA, publisher: "Harbour Office" } });
    await run("registered", "search_records", { query: `id:${recid}` });
    const { id: next } = await run("registered", "new_version", { recid });
    await run("registered", "delete_draft", { recid: next });
    await run("system", "delete_record", { recid, confirm: true });
    await run("system", "restore_record", { recid });
    expect(Object.keys(seen).sort()).toEqual(STDIO_TOOLS.map(({ name }) => name).sort());
    holds("stdio-results", steadied(seen));
  });

  test("R30 SVC_MCP_TOOLS serves some tools only: the others are neither listed nor there, and ask for no token", async () => {
    const calls = toolCalls(world.under({ SVC_MCP_TOOLS: "search_records,get_record" }));
    const { message } = await calls.modern(null, "tools/list");
    expect((message.result as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      ...["search_records", "get_record"],
    ]);
    const { status, message: other } = await calls.modern(
      null,
      "tools/call",
      { name: "create_record", arguments: {} },
      "create_record",
    );
    expect([status, other.error]).toMatchObject([200, { code: -32602, message: "Unknown tool: create_record" }]);
    const plain = await toolCalls(world.under({ SVC_MCP_MORE_TOOLS: "off" })).modern(null, "tools/list");
    const names = (plain.message.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect([names.length, names.includes("record_statistics")]).toEqual([33, false]);
    expect(() => world.under({ SVC_MCP_TOOLS: "get_record,serch_records" })).toThrow(
      'SVC_MCP_TOOLS="serch_records" is not allowed: did you mean search_records?',
    );
  });
});
