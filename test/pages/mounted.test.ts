// The repository below a path of another site, and links to sign in from the command line (A49, R32, R33).

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { jsonLog } from "../../src/adapters/log.ts";
import { readConfig } from "../../src/config.ts";
import { composeRepository } from "../../src/main/repository/serving.ts";
import { openStorage } from "../../src/main/storage.ts";
import { arkstone } from "../support/command-line.ts";
import { csrfIn, type PagesWorld, type Visitor, visitor } from "../support/world/pages.ts";
import { openWorld } from "../support/world.ts";

test("A49 R32 below a mount prefix every link and form keeps it, on refusals too", async () => {
  const world = await openWorld({
    pages: { env: { SVC_ROOT_PATH: "/repo", SVC_BASE_URL: "http://repository.test/repo" } },
  });
  const item = await world.publish({ files: [await world.file("x.txt", "x")] });
  const browser = world.visitor();
  for (const path of [
    "/repo/",
    "/repo/index",
    "/repo/communities",
    `/repo/records/${item.id}`,
    "/repo/records/999",
    "/repo/nowhere",
    "/repo/account/login",
  ]) {
    const { text } = await browser.get(path);
    const links = [...text.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map(([, link]) => link ?? "");
    expect([path, links.length > 2, links.filter((link) => !/^\/repo\/(?!repo)/.test(link))]).toEqual([path, true, []]);
  }
  const page = await browser.get(`/repo/records/${item.id}`);
  expect(page.text).toContain(`href="/repo/records/${item.id}?lang=ja"`);
  expect(page.headers.get("link")).toContain(
    `<http://repository.test/repo/records/${item.id}/files/x.txt>; rel="item"`,
  );
  expect(
    [...(await browser.get("/repo/robots.txt")).text.matchAll(/^Disallow: (.*)/gm)].map(([, path]) => path),
  ).toEqual(["account", "workflow", "api", "sword"].map((path) => `/repo/${path}/`));
  const form = await browser.get("/repo/account/login");
  const entered = await browser.post("/repo/account/login", {
    csrf: csrfIn(form.text),
    return_to: "/index",
    token: await world.token(world.owner),
  });
  expect([entered.status, entered.headers.get("location")]).toEqual([303, "/repo/index"]);
  await allowsBelowPrefix(world, browser);
});

/** A program is asked about, allowed something for the resource below the prefix, and learns who allowed it. */
async function allowsBelowPrefix(world: PagesWorld, browser: Visitor): Promise<void> {
  const kept = { kind: "registered", name: "Desk", uri: null, redirectUris: ["https://desk.example/cb"] } as const;
  const times = { createdAt: world.time.now, usedAt: null };
  await world.store.transact((tx) => tx.grants.saveOauthClient({ ...kept, id: "desk", ...times }));
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: "desk", code_challenge: "c".repeat(43), code_challenge_method: "S256" },
    ...{ resource: "http://repository.test/repo/mcp" },
  });
  const away = await visitor(world.handler).get(`/repo/oauth/authorize?${query}`);
  expect(away.headers.get("location")).toStartWith("/repo/account/login?return_to=%2Foauth%2Fauthorize%3F");
  const { text } = await browser.get(`/repo/oauth/authorize?${query}`);
  const action = /<form method="post" action="(\/repo\/oauth\/authorize[^"]*)"/.exec(text)?.[1] ?? "";
  const allowed = await browser.post(action.replaceAll("&amp;", "&"), { csrf: csrfIn(text), decision: "allow" });
  const back = new URL(allowed.headers.get("location") ?? "");
  expect([back.host, back.searchParams.get("iss")]).toEqual(["desk.example", "http://repository.test/repo"]);
  expect((await browser.get("/repo/account/grants")).text).toContain('action="/repo/account/grants/end"');
}

test("R33 arkstone user login-link prints a link that signs its account in, once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "arkstone-link-"));
  const env = { SVC_DATA_DIR: folder, SVC_BASE_URL: "http://repository.test", SVC_ACCESS_LOG: "off" };
  try {
    expect((await arkstone(env, ["user", "add", "ada@example.org", "--name", "Ada"])).code).toBe(0);
    const made = await arkstone(env, ["user", "login-link", "ada@example.org"]);
    expect(made.code).toBe(0);
    expect(made.out).toMatch(/^http:\/\/repository\.test\/account\/login\/[A-Za-z0-9_-]{43}\n$/);
    expect(made.err).toContain("It works once");
    expect((await arkstone(env, ["user", "login-link", "nobody@example.org"])).code).not.toBe(0);
    expect((await arkstone(env, ["user", "disable", "ada@example.org"])).code).toBe(0);
    expect((await arkstone(env, ["user", "login-link", "ada@example.org"])).code).not.toBe(0);
    expect((await arkstone(env, ["user", "enable", "ada@example.org"])).code).toBe(0);
    const config = readConfig(env);
    const store = await openRepositoryStore({ url: config.databaseUrl });
    const handler = composeRepository({
      config,
      store,
      files: await openStorage(config, "command"),
      log: jsonLog("error", () => {}),
    });
    const browser = visitor(handler);
    const path = new URL(made.out.trim()).pathname;
    const answer = await browser.post(path, { csrf: csrfIn((await browser.get(path)).text) });
    expect(answer.status).toBe(303);
    expect((await browser.get("/")).text).toContain(">Ada</a>");
    await store.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
