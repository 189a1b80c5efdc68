// `arkstone mcp --url` (R30; specification 3, "Tool servers"): the twelve tools over a repository elsewhere, their
// arguments, results and errors as here; and the errors of servers that are away, refuse the token, lead elsewhere,
// send too much or are our none.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DistantProblem, RemoteToolServer, toolAddress } from "../../src/adapters/distant-tools.ts";
import { importFolder } from "../../src/adapters/import-folder.ts";
import { GUEST, REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { readConfig } from "../../src/config.ts";
import { openDistantTools } from "../../src/main/mcp/mcp-distant.ts";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { addedFile } from "../../src/repository/tools/added-file.ts";
import type { OpenLocalFile } from "../../src/repository/tools/file-tools.ts";
import type { ToolServer } from "../../src/repository/tools/tool-server.ts";
import { STDIO_TOOLS } from "../../src/repository/tools/tool-table.ts";
import { streamOf } from "../../src/shared/bytes/byte-streams.ts";
import { freePort, temporaryFolder } from "../support/processes.ts";
import { quietLog } from "../support/quiet-log.ts";
import type { ToolReply } from "../support/tool-calls.ts";
import { setUpWorld } from "../support/world.ts";

const folder = temporaryFolder("distant");
const imports = join(folder.path, "in");
const PART = 16 * 1024 * 1024;
let server: Server;
const port = await freePort();
const world = setUpWorld({ repository: { env: { SVC_BASE_URL: `http://127.0.0.1:${port}` } } });

beforeAll(async () => {
  mkdirSync(imports);
  server = serve({ fetch: world.handler, host: "127.0.0.1", port });
});
afterAll(async () => {
  await server.stop(0);
  folder.remove();
});

const config = (token: string | null) =>
  readConfig({ SVC_STDIO_IMPORT_DIR: imports, ...(token === null ? {} : { SVC_MCP_TOKEN: token }) });
const opened = (token: string | null = world.people.admin.token): Promise<ToolServer> =>
  openDistantTools(config(token), new URL(`${server.url}/mcp`), quietLog).then(({ tools }) => tools);
const progressed: number[] = [];
async function call(tools: ToolServer, name: string, args: object): Promise<ToolReply> {
  const result = await tools.call(name, args, { viewer: GUEST, progress: (done) => void progressed.push(done) });
  if (result === null) throw new Error(`There is no ${name}`);
  return result;
}
const METADATA = {
  resource_type: { id: "dataset" },
  title: "Records of tides",
  publication_date: "2026-05-01",
  creators: [{ person_or_org: { type: "organizational", name: "Harbour Office" } }],
};

test("S3.7.126 R30: all twelve tools do there what they do here: create with access, files, replacement, versions, removal and return", async () => {
  const tools = await opened();
  expect(tools.list(() => true).map(({ name }) => name)).toEqual(STDIO_TOOLS.map(({ name }) => name));
  const did = async (name: string, args: object) => {
    const result = await call(tools, name, args);
    expect([name, result.isError, result.content[0]?.text]).toEqual([name, undefined, expect.any(String)]);
    return result.structuredContent;
  };
  const access = { record: "restricted", files: "restricted" };
  const { recid } = await did("create_record", { metadata: METADATA, access, files_enabled: true });
  expect((await did("get_record", { recid, draft: true })).access).toMatchObject(access);
  expect(await did("add_file", { recid, key: "a.txt", text: "words" })).toMatchObject({ key: "a.txt", size: 5 });
  await did("add_file", { recid, key: "b.txt", content_base64: btoa("more") });
  await did("delete_file", { recid, key: "b.txt" });
  expect((await did("list_files", { recid })).files).toMatchObject([{ key: "a.txt", status: "completed" }]);
  expect((await did("publish_record", { recid })).status).toBe("published");
  // A replacement whole: what is left out is gone.
  const changed = { ...METADATA, title: "Records of tides, corrected", description: "More" };
  await did("update_record", { recid, metadata: changed });
  await did("update_record", { recid, metadata: METADATA });
  expect((await did("get_record", { recid })).metadata.description).toBeUndefined();
  expect((await did("search_records", { query: "tides" })).total).toBe(1);
  const next = await did("new_version", { recid, metadata: { ...METADATA, version: "2" } });
  expect(next.version).toMatchObject({ index: 2, label: "2" });
  await did("delete_draft", { recid: next.id });
  expect((await did("delete_record", { recid })).done).toBe(false);
  await did("delete_record", { recid, confirm: true });
  expect((await call(tools, "get_record", { recid })).structuredContent.error).toMatchObject({
    status: 410,
    code: "deleted",
  });
  expect((await did("restore_record", { recid })).status).toBe("published");
}, 60_000);

test("S3.7.127 R30: a file of this machine goes there in parts as it is read; paths lead nowhere else, and what fails leaves no upload behind", async () => {
  const tools = await opened();
  const size = 2 * PART + 5;
  writeFileSync(join(imports, "large.bin"), "");
  truncateSync(join(imports, "large.bin"), size);
  writeFileSync(join(imports, "small.txt"), "small");
  const made = await call(tools, "create_record", { metadata: METADATA, files_enabled: true });
  const { recid } = made.structuredContent;
  const large = await call(tools, "add_file", { recid, key: "large.bin", source_path: "large.bin" });
  expect(large.structuredContent).toMatchObject({ recid, key: "large.bin", size, status: "completed" });
  expect(progressed).toEqual([PART, 2 * PART, size]);
  const small = await call(tools, "add_file", { recid, key: "small.txt", source_path: "small.txt" });
  expect(small.structuredContent).toMatchObject({ size: 5, status: "completed" });
  const both = await call(tools, "add_file", { recid, key: "x", source_path: "small.txt", text: "x" });
  expect(both.structuredContent.error).toMatchObject({ status: 400, message: expect.stringContaining("exactly one") });
  const outside = await call(tools, "add_file", { recid, key: "x", source_path: "/etc/hostname" });
  expect(outside.structuredContent.error).toMatchObject({ status: 403 });
  const closed = await call(tools, "create_record", { metadata: METADATA });
  const without = { recid: closed.structuredContent.recid, key: "x", source_path: "small.txt" };
  expect((await call(tools, "add_file", without)).structuredContent.error.message).toBe(
    "Files support must be enabled.",
  );
  // What is written to while it is read is given up; so is an upload whose parts are refused.
  const growing: OpenLocalFile = async () => ({ pieces: streamOf(new Uint8Array(size)), lengthBytes: size + 1 });
  const gone = async (): Promise<void> => {
    throw new DistantProblem(503, "A part was refused", "try again later");
  };
  const { token } = await world.token("admin", ["mcp:write"], null);
  const distant = new RemoteToolServer({ url: new URL(`${server.url}/mcp`), token, version: "0" });
  const add = (localFile: OpenLocalFile, put: typeof distant.put) => {
    const ask = async (name: string, args: object, table?: "http" | "stdio") =>
      (await distant.call(name, args, table))?.structuredContent ?? {};
    const args = { recid, key: "again.bin", text: null, content_base64: null, source_path: "large.bin" };
    return addedFile({ call: ask, put, localFile })({ viewer: GUEST, progress: () => {}, args });
  };
  await expect(add(growing, (url, bytes) => distant.put(url, bytes))).rejects.toThrow(
    "The file changed while it was read.",
  );
  await expect(add(importFolder(imports), gone)).rejects.toThrow("A part was refused");
  const { files } = (await call(tools, "list_files", { recid })).structuredContent;
  expect(files.map(({ key }: { readonly key: string }) => key).sort()).toEqual(["large.bin", "small.txt"]);
}, 60_000);

test("S3.7.128 R30: errors from there are reported with status, fields and hint; wrong arguments do not travel; scopes are refused as here", async () => {
  const tools = await opened();
  const none = await call(tools, "get_record", { recid: "999999" });
  expect(none.structuredContent.error).toMatchObject({ status: 404, hint: expect.stringContaining("search_records") });
  const half = await call(tools, "create_record", { metadata: { title: "Half" }, publish: true });
  const { error } = half.structuredContent;
  expect([half.isError, error.status, error.hint]).toEqual([true, 400, expect.stringContaining("update_record")]);
  expect(error.errors).toContainEqual({ field: "metadata.resource_type", messages: [expect.any(String)] });
  const wrong = await call(tools, "get_record", { recid: "1", drafts: true });
  expect(wrong.structuredContent.error.errors[0]).toMatchObject({ field: "drafts" });
  const guest = await opened(null);
  expect((await call(guest, "create_record", { metadata: METADATA })).structuredContent.error).toMatchObject({
    ...{ status: 401, hint: "set SVC_MCP_TOKEN to a token with mcp:write" },
  });
  const { token } = await world.token("admin", ["mcp:read"], null);
  const reader = await opened(token);
  expect((await call(reader, "create_record", { metadata: METADATA })).structuredContent.error).toMatchObject({
    ...{ status: 403, message: "The token lacks mcp:write." },
  });
});

describe("S3.7.129 R30: one clear line reports why it does not start", () => {
  /** A server that always answers so. */
  async function against(fetch: (request: Request) => Response | Promise<Response>, token: string | null = null) {
    const other = serve({ fetch, host: "127.0.0.1", port: 0 });
    try {
      const opening = openDistantTools(config(token), new URL(`${other.url}/mcp`), quietLog);
      return await opening.then(
        () => "opened",
        (error: unknown) => (error instanceof Error ? error.message : ""),
      );
    } finally {
      await other.stop(0);
    }
  }

  test("S3.7.129 a repository that is away is waited for, at the start and by each call", async () => {
    const port = await freePort();
    const lines: string[] = [];
    const log = { ...quietLog, warn: (event: string) => void lines.push(event) };
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    const { tools } = await openDistantTools(config(null), url, log, 1_200);
    expect([lines, tools.list(() => true).length]).toEqual([["repository_away"], 12]);
    const answer = await call(tools, "search_records", {});
    expect(answer.structuredContent.error).toMatchObject({ status: 503, hint: "try again later" });
    expect(answer.structuredContent.error.message).toContain("cannot be reached");
    const waiting = call(tools, "search_records", {});
    const back = serve({ fetch: world.handler, host: "127.0.0.1", port });
    try {
      expect((await waiting).structuredContent.records).toBeArray();
    } finally {
      await back.stop(0);
    }
    // The same from a front.
    const front = serve({ fetch: () => new Response("Bad gateway", { status: 502 }), host: "127.0.0.1", port: 0 });
    try {
      const behind = await openDistantTools(config(null), new URL(`${front.url}/mcp`), log, 0);
      expect((await call(behind.tools, "search_records", {})).structuredContent.error).toMatchObject({
        ...{ status: 503, message: expect.stringContaining("is not ready (status 502)") },
      });
    } finally {
      await front.stop(0);
    }
  });

  test("S3.7.129 a token that has ended is reported to have ended, at the start and by each call", async () => {
    const { text: token } = await world.tokens.make(REPOSITORY_OPERATOR, {
      ...{ accountId: world.people.admin.account.id, kind: "personal", name: "Ends", scopes: ["mcp:read"] },
      expiresAt: new Date(Date.parse(world.time.now) + 60_000).toISOString(),
    });
    const tools = await opened(token);
    expect((await call(tools, "search_records", {})).isError).toBeUndefined();
    world.time.now = new Date(Date.parse(world.time.now) + 120_000).toISOString();
    expect((await call(tools, "search_records", {})).structuredContent.error).toMatchObject({
      ...{ status: 401, message: `The token of SVC_MCP_TOKEN has ended at ${server.url}/mcp.` },
    });
    await expect(opened(token)).rejects.toThrow(/has ended at .+: make another one there/);
  });

  test("S3.7.129 a wrong token, a redirect, no tools, the tools of others, too much", async () => {
    const secret = "svc_none_0123456789abcdef0123456789abcdef";
    const wrong = await opened(secret).then(String, (error: unknown) => String(error));
    expect(wrong).toContain(`The token of SVC_MCP_TOKEN is not valid at ${server.url}/mcp: make another one there`);
    expect(wrong).not.toContain(secret);
    let seen = 0;
    const elsewhere = () => {
      seen += 1;
      return new Response(null, { status: 307, headers: { location: `${server.url}/mcp` } });
    };
    expect(await against(elsewhere, secret)).toContain("redirects elsewhere, which is not followed");
    expect(seen).toBe(1);
    expect(await against(() => new Response("<html>", { status: 404 }))).toContain("Found no tool server of Arkstone");
    expect(await against(() => new Response("<html>"))).toContain("Found no tool server of Arkstone");
    const others = { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "whoami" }] } };
    expect(await against(() => Response.json(others))).toContain("Found no tool server of Arkstone");
    const flood = () => new Response("x".repeat(33 * 1024 * 1024));
    expect(await against(flood)).toContain("answers with more than 33554432 bytes");
    const headers = { "content-type": "application/json" };
    const off = await fetch(`${server.url}/mcp?server=other`, { method: "POST", headers, body: "{}" });
    expect(off.status).toBe(400);
    expect(await off.text()).toContain("there are http, stdio");
  }, 60_000);

  test("S3.7.129 what happens later is reported by the call: a limit of rates, a server that is gone", async () => {
    const busy = serve({
      fetch: () => new Response(null, { status: 429, headers: { "retry-after": "7" } }),
      ...{ host: "127.0.0.1", port: 0 },
    });
    const distant = new RemoteToolServer({ url: new URL(`${busy.url}/mcp`), token: null, version: "0" });
    await expect(distant.call("get_record", {})).rejects.toMatchObject({ status: 429, hint: "wait 7 seconds" });
    await busy.stop(0);
    await expect(distant.call("get_record", {})).rejects.toMatchObject({ status: 503 });
  });
});

test("S3.7.130 R30: --url takes https, and http on this machine alone; of a base the tools are at /mcp", () => {
  const read = (given: string): string => String(toolAddress(given));
  expect(read("https://repo.example.org")).toBe("https://repo.example.org/mcp");
  expect(read("https://repo.example.org/library/")).toBe("https://repo.example.org/library/mcp");
  expect(read("https://repo.example.org/mcp-auth")).toBe("https://repo.example.org/mcp-auth");
  for (const here of ["http://localhost:8002", "http://127.0.0.1:8002", "http://[::1]:8002"]) {
    expect(read(here)).toBe(`${here}/mcp`);
  }
  for (const wrong of [
    "http://repo.example.org",
    "http://127.0.0.1.example.org",
    "ftp://localhost",
    "repo.example.org",
  ]) {
    expect([wrong, typeof toolAddress(wrong)]).toEqual([wrong, "string"]);
  }
  expect(read("https://me:secret@repo.example.org")).toContain("SVC_MCP_TOKEN");
  expect(read("https://repo.example.org/mcp?x=1")).toContain("neither ? nor #");
});
