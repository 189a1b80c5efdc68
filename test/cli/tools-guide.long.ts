// What people copy out of docs/tools.md (R30): its commands against a repository process, and its files of desktop
// programs as those read them.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Ajv } from "ajv";
import { HTTP_TOOLS, STDIO_TOOLS } from "../../src/repository/tools/tool-table.ts";
import { depositInstallation } from "../support/deposit-installation.ts";
import { commandOf } from "../support/processes.ts";
import { run } from "../support/run.ts";
import { stdioClient } from "../support/stdio-client.ts";

const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "tools.md"), "utf8");
const blocksOf = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, block = ""]) => block);

const missing = ["bash", "curl", "sed"].filter((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0);
if (missing.length > 0) console.error(`The commands of docs/tools.md are not run: ${missing.join(", ")} is missing`);

type Desktop = {
  readonly mcpServers: {
    readonly arkstone: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };
  };
};

test("S3.7.133 R30: every call of the guide names a tool, with arguments that it takes, and desktop programs start a command with its options", () => {
  const commands = blocksOf("sh").join("\n");
  const calls = [...commands.matchAll(/^mcp (\w+) '([\s\S]*?)'$/gm)].map(([, name = "", sent = ""]) => ({
    name,
    sent,
  }));
  expect(calls.map(({ name }) => name)).toEqual(["whoami", "create_record", "search_records", "my_records"]);
  for (const { name, sent } of calls) {
    const tool = HTTP_TOOLS.find((each) => each.name === name);
    const validate = new Ajv({ strict: false }).compile(tool?.input ?? { not: {} });
    expect([name, validate(JSON.parse(sent)), validate.errors]).toEqual([name, true, null]);
    const scope = commands
      .slice(0, commands.indexOf(`mcp ${name}`))
      .match(/--scopes (mcp:\w+)/g)
      ?.at(-1);
    const allowed = scope === "--scopes mcp:write" ? [null, "mcp:read", "mcp:write"] : [null, "mcp:read"];
    expect([name, allowed.includes(tool?.scope ?? null)]).toEqual([name, true]);
  }
  const desktops = blocksOf("json").map((block) => (JSON.parse(block) as Desktop).mcpServers.arkstone);
  expect(desktops.map(({ command, args }) => [command, ...args])).toEqual([
    ["arkstone", "mcp"],
    ["arkstone", "mcp", "--url", "https://repo.example.org"],
  ]);
  expect(desktops.map(({ env }) => Object.keys(env))).toEqual([
    ["SVC_DATA_DIR", "SVC_MCP_TOKEN"],
    ["SVC_MCP_TOKEN", "SVC_MCP_TOOLS"],
  ]);
  const named = desktops.flatMap(({ env }) => env.SVC_MCP_TOOLS?.split(",") ?? []);
  expect(named.filter((name) => STDIO_TOOLS.some((tool) => tool.name === name))).toEqual(named);
});

test.skipIf(missing.length > 0)(
  "S3.7.133 R30: every command of the guide of tools does what the guide describes, and desktop programs start what it names",
  async () => {
    const installation = await depositInstallation("tools-guide");
    const base = `http://127.0.0.1:${installation.port}`;
    const auth = { SVC_AUTH: "apikey,oauth2", SVC_TOKEN_SECRET: "0123456789abcdef0123456789abcdef" };
    const server = await installation.start({ env: { SVC_BASE_URL: base, ...auth } });
    try {
      const work = join(installation.folder, "work");
      mkdirSync(work);
      // What an installation has on its path.
      writeFileSync(join(work, "arkstone"), `#!/bin/sh\nexec ${commandOf().join(" ")} "$@"\n`);
      chmodSync(join(work, "arkstone"), 0o755);
      const env = { ...installation.env, ...auth, PATH: `${work}:${process.env.PATH}` };
      const commands = blocksOf("sh").join("\n").replaceAll("ada@example.org", String(installation.setup.admin));
      const script = `set -eu -o pipefail\nBASE=${base}\n${commands}\necho; echo "ISSUED=$TOKEN"`;
      const { code, output } = await run(["bash", "-c", script], { cwd: work, env });
      expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
      const answers = [...output.matchAll(/\{"result":.*?"id":1\}/g)].map(([text]) => JSON.parse(text).result);
      expect(answers.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined, undefined]);
      const [who, made, found, mine] = answers.map(({ structuredContent }) => structuredContent);
      expect([who.scopes, made.status, found.total, mine.total]).toEqual([["mcp:write"], "published", 1, 1]);
      // The token of the automation opens the tools and nothing else.
      const token = /ISSUED=(\S+)/.exec(output)?.[1] ?? "";
      const elsewhere = await fetch(`${base}/api/user/records`, { headers: { authorization: `Bearer ${token}` } });
      expect(elsewhere.status).toBe(401);

      const personal = await installation.setup.client();
      for (const block of blocksOf("json")) {
        const { command, args, env: given } = (JSON.parse(block) as Desktop).mcpServers.arkstone;
        const here: Record<string, string> = { ...env, ...given, SVC_MCP_TOKEN: personal };
        if (given.SVC_DATA_DIR !== undefined) here.SVC_DATA_DIR = installation.dataDir;
        const started = args.map((arg) => arg.replace("https://repo.example.org", base));
        const client = stdioClient([join(work, command), ...started], here);
        await client.initialize();
        const { result } = await client.ask("tools/list");
        const names = result.tools.map(({ name }: { readonly name: string }) => name);
        const wanted = given.SVC_MCP_TOOLS?.split(",") ?? STDIO_TOOLS.map(({ name }) => name);
        expect(names.sort()).toEqual([...wanted].sort());
        expect((await client.call("search_records", { query: "tides" })).structuredContent.total).toBe(1);
        if (given.SVC_MCP_TOOLS !== undefined) {
          const off = await client.ask("tools/call", { name: "create_record", arguments: {} });
          expect(off.error?.message).toBe("Unknown tool: create_record");
        }
        client.endInput();
        expect(await client.ended).toBe(0);
      }
      expect(blocksOf("json")).toHaveLength(2);
    } finally {
      await server.kill("SIGTERM");
      await installation.close();
    }
  },
  120_000,
);
