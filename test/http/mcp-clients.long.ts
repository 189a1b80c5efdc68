// The official clients of the protocol against a repository that listens (R30): the one of both eras in either of them,
// and the one before it, which knows the older era alone. They hold results against the schemas of the tools by
// themselves.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";
import { Client, InsufficientScopeError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { METADATA } from "../support/record-calls.ts";
import { run } from "../support/run.ts";
import { setUpWorld } from "../support/world.ts";

const SUITE = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const INFO = { name: "test", version: "1" };
type Args = Readonly<Record<string, unknown>>;

describe("R30 official clients", () => {
  let server: Server;
  const world = setUpWorld({ repository: true });
  beforeAll(() => {
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
  });
  afterAll(async () => {
    await server.stop(0);
  });

  const options = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
  const url = () => new URL(`${server.url}/mcp`);

  async function newest(mode: "legacy" | "auto" | { readonly pin: string }, token: string) {
    const client = new Client(INFO, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url(), options(token)));
    return client;
  }

  async function older(token: string) {
    const client = new OldClient(INFO);
    // Its own types disagree where optional members must be exact.
    await client.connect(new OldTransport(url(), options(token)) as never);
    return client;
  }

  test.each([
    ["of both eras, in the newer", (token: string) => newest({ pin: "2026-07-28" }, token)],
    ["of both eras, in the older", (token: string) => newest("legacy", token)],
    ["of both eras, by itself", (token: string) => newest("auto", token)],
    ["of the older era", older],
  ] as const)("S3.7.100: the client %s lists, calls, reads and receives errors", async (_, open) => {
    const client = await open(world.people.registered.token);
    try {
      expect(client.getServerVersion()?.name).toBe("arkstone");
      expect((await client.listTools()).tools.length).toBe(37);
      const call = async (name: string, args: Args) => await client.callTool({ name, arguments: args });
      const made = (await call("create_record", { metadata: METADATA, publish: true })).structuredContent as {
        id: string;
      };
      // A client that received a schema refuses a result that does not fit it.
      for (const [name, args] of [
        ["get_record", { recid: made.id }],
        ["search_records", { query: "tides" }],
        ["whoami", {}],
        ["list_vocabulary", { vocab_type: "licenses" }],
      ] as const) {
        const { isError, structuredContent } = await call(name, args);
        expect([name, isError ?? false, typeof structuredContent]).toEqual([name, false, "object"]);
      }
      const missed = await call("get_record", { recid: "9999" });
      expect(missed).toMatchObject({ isError: true, structuredContent: { error: { status: 404 } } });
      const { contents } = await client.readResource({ uri: `record://${made.id}` });
      expect(JSON.stringify(contents)).toContain("On tides");
      await expect(client.readResource({ uri: "record://9999" })).rejects.toThrow("Resource not found");
      const { messages } = await client.getPrompt({
        name: "check-a-record-before-publishing",
        arguments: { recid: made.id },
      });
      expect(messages.length).toBe(1);
      await expect(call("no_such_tool", {})).rejects.toThrow("Unknown tool");
    } finally {
      await client.close();
    }
  });

  test("S3.7.101: a token with too little is reported as the step-up it is, in either era", async () => {
    const { token } = await world.token("registered", ["mcp:read"], null);
    const call = { name: "create_record", arguments: { metadata: METADATA } };
    for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
      const client = await newest(mode, token);
      const refused = await client.callTool(call).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(InsufficientScopeError);
      expect(refused).toMatchObject({ requiredScope: "mcp:write" });
      await client.close();
    }
    const old = await older(token);
    await expect(old.callTool(call)).rejects.toThrow(/403|insufficient_scope|The token lacks mcp:write/);
    await old.close();
  });

  test("S3.7.107: scenarios of the conformance suite that need no fixtures pass against the repository itself", async () => {
    const scenarios = ["caching", "http-header-validation", "dns-rebinding-protection", "tools-list"];
    const judged = scenarios.map(async (scenario) => {
      const suite = [process.execPath, "--bun", SUITE, "server", "--url", url().href];
      const { output } = await run([...suite, "--scenario", scenario, "--spec-version", "2026-07-28"]);
      return [scenario, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/.test(output) ? "" : output];
    });
    expect(await Promise.all(judged)).toEqual(scenarios.map((scenario) => [scenario, ""]));
  });

  test("S3.7.97: progress comes while a call goes on, to a caller who asked for it, and only grows", async () => {
    for (const open of [
      () => newest({ pin: "2026-07-28" }, world.people.registered.token),
      () => older(world.people.registered.token),
    ]) {
      const client = await open();
      const reports: { progress: number; total?: number | undefined }[] = [];
      const call = async (name: string, args: Args) =>
        (await client.callTool({ name, arguments: args }, ...progressOf(client, (each) => void reports.push(each))))
          .structuredContent as Record<string, unknown>;
      const { id } = await call("create_record", { metadata: METADATA, files: true });
      expect(reports).toEqual([]);
      const text = "0123456789abcdef".repeat(40_000);
      await call("upload_file", { recid: id, filename: "a.txt", content_text: text });
      await call("download_file", { recid: id, filename: "a.txt", draft: true, max_bytes: 1_000_000 });
      expect(reports.at(-1)).toMatchObject({ progress: text.length, total: text.length });
      expect(reports.map(({ progress }) => progress)).toEqual(
        [...new Set(reports.map(({ progress }) => progress))].sort((one, other) => one - other),
      );
      await call("publish_record", { recid: id });
      reports.length = 0;
      await call("new_version", { recid: id });
      expect(reports.map(({ progress, total }) => [progress, total])).toEqual([
        [1, 2],
        [2, 2],
      ]);
      await client.close();
    }
  });
});

/** The two clients take options of a call in different places. */
function progressOf(
  client: Client | OldClient,
  onprogress: (reports: { progress: number; total?: number | undefined }) => void,
) {
  return (client instanceof Client ? [{ onprogress }] : [undefined, { onprogress }]) as never[];
}
