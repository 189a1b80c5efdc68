// The program has one version, that of package.json, wherever it states one (R32). The interface of names has the
// version that its specification fixes (L70).
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Handler } from "../../plugins/http/frame.ts";
import { generateDocuments } from "../../src/main/openapi/openapi.ts";
import { USER_AGENT } from "../../src/main/version.ts";
import { arkstone } from "../support/command-line.ts";
import { commandOf, temporaryFolder } from "../support/processes.ts";
import { stdioClient } from "../support/stdio-client.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const project: { version: string } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const ARK_INTERFACE = "0.0.8";
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "9" } },
};

const folder = temporaryFolder("version");
const names = setUpWorld({ names: true });
const repository = setUpWorld({ served: { setUp: true } });
afterAll(() => folder.remove());

async function answerOf(handler: Handler, path: string, init: RequestInit = {}) {
  const response = await handler(new Request(`http://localhost${path}`, init), { addressOf: () => "127.0.0.1" });
  return [response.status, await response.json()];
}

describe("the version of the program", () => {
  test("is a version of three numbers", () => {
    expect(project.version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  });

  test("is the one of --version, as a line and as JSON", async () => {
    expect((await arkstone({}, ["--version"])).out).toStartWith(`arkstone ${project.version} (commit `);
    expect(JSON.parse((await arkstone({}, ["--version", "--json"])).out).version).toBe(project.version);
  });

  test("A15 is returned by /healthz of every role", async () => {
    const roles = {
      minter: names.minter(),
      resolver: (await openWorld({ resolver: true })).handler,
      repository: repository.handler,
    };
    for (const [role, handler] of Object.entries(roles)) {
      const answer = await answerOf(handler, "/healthz");
      expect([role, ...answer]).toEqual([role, 200, { ok: true, version: project.version }]);
    }
  });

  test("L70 is that of the repository's interface description; the interface of names keeps its own", async () => {
    const documents = Object.entries(await generateDocuments());
    expect(documents.map(([name, text]) => [name, JSON.parse(text).info.version])).toEqual([
      ["openapi-minter.json", ARK_INTERFACE],
      ["openapi-resolver.json", ARK_INTERFACE],
      ["openapi.json", ARK_INTERFACE],
      ["openapi-repository.json", project.version],
      ["openapi-programs.json", project.version],
    ]);
  });

  test("R30 is that of the tool servers, over HTTP and over standard input", async () => {
    const response = await repository.handler(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(INITIALIZE),
      }),
      { addressOf: () => "127.0.0.1" },
    );
    const line = /\{.*\}/.exec(await response.text())?.[0] ?? "{}";
    expect([response.status, JSON.parse(line).result?.serverInfo]).toEqual([
      200,
      { name: "arkstone", title: "Arkstone", version: project.version },
    ]);
    const client = stdioClient(commandOf("mcp"), { SVC_DATA_DIR: join(folder.path, "data") });
    const { result } = await client.initialize();
    expect(result.serverInfo.version).toBe(project.version);
    client.endInput();
    expect(await client.ended).toBe(0);
  }, 60_000);

  test("is that of the user agent, which all callers of other servers take from one place", () => {
    expect(USER_AGENT).toBe(`Arkstone/${project.version}`);
    const sources = ["src", "plugins", "db"].flatMap((top) =>
      readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => [join(top, path), readFileSync(join(ROOT, top, path), "utf8")] as const),
    );
    const withPattern = (pattern: RegExp) => sources.filter(([, text]) => pattern.test(text)).map(([path]) => path);
    expect(withPattern(/`Arkstone\/|"Arkstone\/\d/)).toEqual(["src/main/version.ts"]);
    expect(withPattern(/\buserAgent: USER_AGENT\b/).sort()).toEqual([
      "src/main/repository/authorization.ts",
      "src/main/repository/doi-sources.ts",
      "src/main/repository/record-files.ts",
    ]);
    expect(withPattern(/package\.json" with/)).toEqual(["src/main/version.ts"]);
  });
});
