// The conformance suite's `authorization` mode against our authorization server (R30; reference 4.4), which listens
// under the address it names itself by.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { claimPort, type Handler, type Server, serve } from "../../src/main/process/serve.ts";
import { consentBrowser } from "../support/consent-browser.ts";
import { eventually } from "../support/eventually.ts";
import { run } from "../support/run.ts";
import { setUpWorld } from "../support/world.ts";

const SUITE = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

describe("R30 the conformance suite on signing in", () => {
  let server: Server;
  let handler: Handler = () => new Response(null, { status: 503 });
  beforeAll(async () => {
    server = serve({ fetch: (request, peer) => handler(request, peer), host: "127.0.0.1", port: 0 });
  });
  const world = setUpWorld(() => ({ repository: { env: { SVC_BASE_URL: server.url } } }));
  beforeAll(() => {
    handler = world.handler;
  });
  afterAll(() => server.stop(0));

  test("S3.7.106: the metadata of the authorization server have what clients of every revision search for", async () => {
    const { code, output } = await run([
      ...[process.execPath, "--bun", SUITE, "authorization", "--url", server.url],
      ...["--scenario", "authorization-server-metadata-endpoint"],
    ]);
    expect([code, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/.test(output) ? "" : output]).toEqual([0, ""]);
  });

  test("S3.7.106: a client that registered gets its code from a person and its token for it, as the suite holds it", async () => {
    const port = await claimPort("127.0.0.1", 0);
    const redirect = `http://127.0.0.1:${port}/callback`;
    const client = { client_name: "Suite", redirect_uris: [redirect], token_endpoint_auth_method: "none" };
    const registered = await fetch(`${server.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(client),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const resource = `${server.url}/mcp`;
    const args = [SUITE, "authorization", "--url", server.url, "--client-id", clientId, "--resource", resource];
    const suite = spawn(process.execPath, ["--bun", ...args, "-p", String(port)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [suite.stdout, suite.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => {
        output += part;
      });
    }
    const ended = new Promise<number | null>((resolve) => suite.on("close", resolve));
    try {
      const address = () => /http\S+\/oauth\/authorize\?\S+/.exec(output)?.[0];
      const asked = await eventually("the suite asks for consent", address, { details: () => output });
      const person = consentBrowser(server.url);
      await person.signIn(world.people.registered.token);
      await fetch(await person.allow(asked));
      expect([await ended, /✗|[1-9]\d* failed/.test(output) ? output : ""]).toEqual([0, ""]);
      expect(output).toContain("authorization-code-grant");
    } finally {
      suite.kill();
    }
  });
});
