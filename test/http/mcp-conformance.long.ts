// The public conformance suite of the protocol against our interface (R30): every server scenario that a revision
// requires, in a separate process, as its authors run it. After gate and handler come the suite's fixtures
// (test/support/mcp-fixtures.ts). No failure is expected: what the suite itself does not count is not served: the
// extension of tasks, and arguments that travel as headers, which none of our tools has.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";
import { eventually } from "../support/eventually.ts";
import { mcpEndpoint } from "../support/mcp-endpoint.ts";
import { calledOff, FIXTURES } from "../support/mcp-fixtures.ts";
import { run } from "../support/run.ts";

const SUITE = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const LINE = /^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gmu;

describe("R30 the conformance suite", () => {
  let endpoint: Awaited<ReturnType<typeof mcpEndpoint>>;
  beforeAll(async () => {
    endpoint = await mcpEndpoint({ tools: new Map(), load: async () => FIXTURES });
  });
  afterAll(async () => {
    await endpoint.stop();
  });

  /** Scenarios by name, and how the run ended: 0 where all that are required passed. */
  async function judged(revision: string) {
    const { code, output } = await run([
      ...[process.execPath, "--bun", SUITE, "server", "--url", endpoint.url],
      ...["--requirements", revision, "--timeout", "20000"],
    ]);
    const [sums = ""] = output.split("=== SUMMARY ===").slice(-1);
    const scenarios = [...sums.matchAll(LINE)].map(
      ([, , name = "", passed, failed]) => [name, +`${passed}`, +`${failed}`] as const,
    );
    const optional = new Set([...output.matchAll(/^ {2}[✓✗] ([\w-]+) \(\w+/gmu)].map(([, name]) => name));
    const required = scenarios.filter(([name]) => !optional.has(name));
    return {
      code,
      required: required.length,
      failed: required.filter(([, , failed]) => failed > 0),
      /** Failing ones that the suite does not count. */
      uncounted: scenarios.flatMap(([name, , failed]) => (failed > 0 && optional.has(name) ? [name] : [])),
      passed: required.reduce((sum, [, passed]) => sum + passed, 0),
    };
  }

  test("S3.7.91: all 37 server scenarios that 2026-07-28 requires pass; of the others only tasks and arguments in headers are not served", async () => {
    const { uncounted, passed, ...required } = await judged("2026-07-28");
    expect(required).toEqual({ code: 0, required: 37, failed: [] });
    expect(passed).toBeGreaterThan(100);
    const unserved = uncounted.filter((name) => !name.startsWith("tasks-"));
    expect(unserved).toEqual(["http-custom-header-server-validation"]);
  });

  test("S3.7.92: all 30 server scenarios that 2025-11-25 requires pass, without sessions", async () => {
    const { uncounted, passed, ...required } = await judged("2025-11-25");
    expect(required).toEqual({ code: 0, required: 30, failed: [] });
    expect(passed).toBeGreaterThan(50);
    expect(uncounted).toEqual([]);
  });

  const ask = (name: string, more: RequestInit & { readonly meta?: object } = {}): Promise<Response> => {
    const { meta, ...init } = more;
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      ...meta,
    };
    const params = { name, arguments: {}, _meta };
    const accept = "application/json, text/event-stream";
    const call = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const headers = { "content-type": "application/json", accept, ...call };
    return fetch(endpoint.url, { method: "POST", headers, body, ...init });
  };

  test("S3.7.98: closing the answer cancels the call, which is notified while it works", async () => {
    const off = new AbortController();
    const answer = ask("wait_until_called_off", { signal: off.signal }).catch((error: unknown) => error);
    await eventually("the call waits", () => calledOff.waiting === 1);
    expect(calledOff.count).toBe(0);
    off.abort();
    await answer;
    await eventually("it is called off", () => calledOff.count === 1);
  });

  test("S3.7.105: events are the answer of one request that has something to tell, and end with it; there is no separate stream", async () => {
    const plain = await ask("test_simple_text");
    expect([plain.status, plain.headers.get("content-type")]).toEqual([200, "application/json"]);
    await plain.body?.cancel();
    const response = await ask("test_tool_with_progress", { meta: { progressToken: "t" } });
    const expected = ["text/event-stream", "no"];
    expect([response.headers.get("content-type"), response.headers.get("x-accel-buffering")]).toEqual(expected);
    const events = (await response.text()).split("\n").filter((line) => line.startsWith("data:"));
    expect(events.length).toBe(4);
    expect(JSON.parse(`${events.at(-1)?.slice(5)}`)).toMatchObject({ id: 1, result: { resultType: "complete" } });
    for (const method of ["GET", "DELETE", "PUT"]) {
      const refused = await fetch(endpoint.url, { method, headers: { accept: "text/event-stream" } });
      await refused.body?.cancel();
      expect([method, refused.status]).toEqual([method, 405]);
    }
  });
});
