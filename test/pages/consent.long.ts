// Allowing a program in a real Chromium, without script: signing in on the way, less than was asked for, and on to the
// program's own page, which leads on to another site as programs on a desk do (R30).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { codeChallenge } from "../../src/shared/hash/digests.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { BASE } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const html = (body: string) =>
  new Response(`<!doctype html><title>x</title>${body}`, { headers: { "content-type": "text/html" } });

describe.skipIf(!hasBrowser)("allowing a program in Chromium", () => {
  let server: Server;
  let program: Server;
  let browser: Browser;
  /** What came back to the program. */
  let came: URL | null = null;

  const world = setUpWorld({ pages: true });
  beforeAll(async () => {
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    const fetch = async (request: Request): Promise<Response> => {
      const url = new URL(request.url);
      if (url.pathname === "/done") return html("<p>All is done</p>");
      // Chromium asks every host for its icon.
      if (url.pathname === "/favicon.ico") return new Response(null, { status: 404 });
      came = url;
      return new Response(null, { status: 302, headers: { location: "/done" } });
    };
    program = serve({ fetch, host: "127.0.0.1", port: 0 });
    const times = { createdAt: world.time.now, usedAt: null };
    const kept = {
      id: "desk",
      kind: "registered",
      name: "Desk",
      uri: null,
      redirectUris: ["http://127.0.0.1/cb"],
    } as const;
    await world.store.transact((tx) => tx.grants.saveOauthClient({ ...kept, ...times }));
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server.stop(1000), program.stop(1000)]);
  });

  async function asking(): Promise<string> {
    const query = {
      ...{ response_type: "code", client_id: "desk", redirect_uri: `${program.url}/cb`, resource: `${BASE}/mcp` },
      ...{ code_challenge: codeChallenge("v".repeat(43)), code_challenge_method: "S256" },
      ...{ scope: "mcp:curate", state: "a state" },
    };
    return `${server.url}/oauth/authorize?${new URLSearchParams(query)}`;
  }

  test("S3.7.71 S3.7.81: a person signs in, allows less than is asked for, reaches the program, and ends it again, without any script", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    const viewer = await world.person("reader", [3]);
    await page.goto(await asking());
    await page.fill("#token", await world.token(viewer));
    await page.click("main button");
    expect(page.url()).toBe(await asking());
    await page.uncheck('input[name="scope:mcp:curate"]');
    await page.click('button[value="allow"]');
    expect(page.url()).toBe(`${program.url}/done`);
    expect(came?.searchParams.get("state")).toBe("a state");
    expect(came?.searchParams.get("iss")).toBe(BASE);
    const [grant] = await world.store.grants.grantsOf(viewer.account?.id ?? 0);
    expect(grant?.scopes).toEqual(["mcp:read", "mcp:write"]);
    await page.goto(`${server.url}/account/tokens`);
    await page.click('main a[href="/account/grants"]');
    expect(await page.textContent("main .what")).toBe("Desk");
    await page.click("main .items button");
    expect(await page.textContent("main")).toContain("You have not allowed any program");
    expect(complaints.filter((text) => text.includes("Policy"))).toEqual([]);
    await context.close();
  });

  test("S3.7.71: the policy holds the form to what it names: to the program and back, nowhere else", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${server.url}/account/login`);
    await page.fill("#token", await world.token(world.owner));
    await page.click("main button");
    await page.goto(await asking());
    const other = serve({ fetch: async () => html("<p>Elsewhere</p>"), host: "127.0.0.1", port: 0 });
    try {
      const complaint = page.waitForEvent("console", {
        predicate: (message) => message.text().includes("form-action"),
      });
      await page.evaluate(
        `(() => { const form = document.querySelector("main > form"); form.action = ${JSON.stringify(other.url)}; form.requestSubmit(); })()`,
      );
      expect((await complaint).text()).toContain("violates");
      expect(page.url()).toBe(await asking());
    } finally {
      await other.stop(1000);
      await context.close();
    }
  });
});
