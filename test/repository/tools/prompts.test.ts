// Prompts of the tool server as data (R30): whatever they tell a model to call is served where they are offered.
import { describe, expect, test } from "bun:test";
import { PROMPTS, promptText } from "../../../src/repository/tools/prompts.ts";
import { SUGGESTIONS } from "../../../src/repository/tools/suggestions.ts";
import { gate } from "../../../src/repository/tools/tool-server.ts";
import { HTTP_TOOLS, STDIO_TOOLS } from "../../../src/repository/tools/tool-table.ts";

const ALL = new Set([...HTTP_TOOLS, ...STDIO_TOOLS].map(({ name }) => name));

describe("R30 prompts", () => {
  test.each([
    ["HTTP", HTTP_TOOLS, 3],
    ["stdio", STDIO_TOOLS, 2],
  ] as const)("S3.7.95: every tool that a prompt over %s names is served there", (_, tools, count) => {
    const served = new Set(tools.map(({ name }) => name));
    const offered = PROMPTS.filter(({ needs }) => needs.every((name) => served.has(name)));
    expect(offered.length).toBe(count);
    for (const prompt of offered) {
      const given = Object.fromEntries(prompt.arguments.map(({ name }) => [name, "x"]));
      const text = promptText(prompt, given, (name) => served.has(name));
      const named = [...text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([word]) => word).filter((word) => ALL.has(word));
      expect(named.length).toBeGreaterThan(4);
      expect(named.filter((name) => !served.has(name))).toEqual([]);
      expect(prompt.needs.filter((name) => !named.includes(name))).toEqual([]);
    }
  });

  test("S3.7.96: what is offered is found by tools that only read", () => {
    for (const { tool } of Object.values(SUGGESTIONS)) {
      expect(HTTP_TOOLS.find(({ name }) => name === tool)?.annotations.readOnlyHint).toBe(true);
    }
  });

  test("S3.7.94: an address is gated as the tool it is on, in a batch too", () => {
    const tools = new Map(HTTP_TOOLS.map((tool) => [tool.name, { ...tool, scope: "mcp:curate" as const }]));
    const read = (uri: string) => ({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } });
    const needed = { pass: false, status: 401, scope: "mcp:curate" } as const;
    expect(gate(read("record://1"), tools, null)).toMatchObject(needed);
    expect(gate([{ method: "ping" }, read("vocabulary://licenses")], tools, null)).toMatchObject(needed);
    expect(gate(read("record://1"), tools, new Set(["mcp:read"]))).toMatchObject({ ...needed, status: 403 });
    expect(gate(read("record://1"), tools, new Set(["mcp:curate"]))).toEqual({ pass: true });
    expect(gate(read("other://1"), tools, null)).toEqual({ pass: true });
  });
});
