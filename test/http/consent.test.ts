// A program asks whether it may act for somebody, as browsers see it over HTTP (R30; RFC 6749 section 4.1.1, RFC 9207):
// the way to the page, its content, what is wrong with a request.
import { describe, expect, test } from "bun:test";
import { REPOSITORY_LANGUAGES } from "../../src/repository/pages/languages/index.ts";
import { BACK, STATE, saidIn, where } from "../support/world/consent.ts";
import { BASE, csrfIn } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true, consent: true });

describe("the way there", () => {
  test("S3.7.61 S3.7.62: a visitor who is not signed in signs in, and comes back to the very same request", async () => {
    const browser = world.visitor();
    const first = await browser.get(world.asking());
    expect([first.status, where(first).pathname]).toEqual([303, "/account/login"]);
    const back = where(first).searchParams.get("return_to") ?? "";
    const token = await world.token(await world.person("back", [3]));
    const form = await browser.get(`${where(first).pathname}${where(first).search}`);
    expect(form.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    const entered = await browser.post("/account/login", { csrf: csrfIn(form.text), return_to: back, token });
    expect(Object.fromEntries(where(entered).searchParams)).toEqual(
      Object.fromEntries(new URL(world.asking(), BASE).searchParams),
    );
    expect((await browser.get(`${where(entered).pathname}${where(entered).search}`)).status).toBe(200);
  });

  test("S3.7.62: a long request comes back whole, one beyond the limit is refused before anybody signs in", async () => {
    const browser = world.visitor();
    const most = 4_000 - world.asking({ more: "" }).length;
    const long = await browser.get(world.asking({ more: "s".repeat(most) }));
    const back = where(long).searchParams.get("return_to") ?? "";
    const answer = await browser.signIn(await world.token(world.owner), back);
    expect(saidIn(answer).more).toBe("s".repeat(most));
    const longer = await browser.get(world.asking({ more: "s".repeat(most + 1) }));
    expect([longer.status, longer.headers.get("location")]).toEqual([400, null]);
    // What becomes longer by being written as addresses are.
    const raw = await browser.get(`${world.asking({ state: undefined })}&state=${"'".repeat(1_500)}`);
    expect([raw.status, raw.headers.get("location")]).toEqual([400, null]);
  });

  test("S3.7.67: another account is used by way of signing out and in, back to the same request", async () => {
    const { browser } = await world.signedIn("one of two");
    const page = await browser.get(world.asking());
    expect(page.text).toContain("one of two");
    const [csrf = ""] = [
      ...page.text.matchAll(/action="\/account\/logout"><input type="hidden" name="csrf" value="([^"]+)"/g),
    ].map(([, value]) => value ?? "");
    const returnTo = /name="return_to" value="([^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const out = await browser.post("/account/logout", { csrf, return_to: returnTo });
    expect([out.status, where(out).pathname]).toEqual([303, "/account/login"]);
    const again = new URL(where(out).searchParams.get("return_to") ?? "", BASE);
    expect([...again.searchParams]).toEqual([...new URL(world.asking(), BASE).searchParams]);
  });
});

describe("the content of the page", () => {
  test("S3.7.63 S3.7.64 S3.7.65 S3.7.68: program, where the answer goes, scopes in words, and that a stranger chose the name", async () => {
    const { browser } = await world.signedIn("reader");
    const { text } = await browser.get(world.asking({ scope: "mcp:write" }));
    expect(text).toContain("<bdi>Library &lt;Helper&gt;</bdi>");
    expect(text).not.toContain("\u202E");
    expect(text).toContain("<code>client.example</code>");
    expect(text).toContain("it chose its name itself");
    expect(text).toContain("publish, make new versions");
    expect(text).not.toContain('name="scope:mcp:curate"');
    expect(text).not.toMatch(/<script(?! type="module" src="\/static\/)/);
    const own = await browser.get(world.asking({ client_id: "own" }));
    expect(own.text).not.toContain("it chose its name itself");
    expect(own.text).toContain("has not used it for 30 days");
    const japanese = await browser.get(`${world.asking({ scope: "mcp:curate" })}&lang=ja`);
    expect(japanese.text).toContain("プログラムが 30 日間使わなくなるまで");
    expect(japanese.text).toContain("このプログラムにアカウントの利用を許可しますか");
    expect(japanese.text).toContain("公開済みレコードの取り下げ");
  });

  test("S3.7.81: in every language every control has a name, one heading is above all, nothing needs a script or a wide screen", async () => {
    const { browser } = await world.signedIn("plain");
    const requests = [
      world.asking(),
      world.asking({ client_id: "own", scope: "mcp:curate" }),
      world.asking({ state: undefined }),
    ];
    const pages = [...requests, "/oauth/authorize?client_id=nobody", "/account/grants"].flatMap((path) =>
      REPOSITORY_LANGUAGES.map((lang) => [lang, `${path}${path.includes("?") ? "&" : "?"}lang=${lang}`] as const),
    );
    for (const [lang, path] of pages) {
      const { text } = await browser.get(path);
      const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
      expect([path, count(new RegExp(`<html[^>]* lang="${lang}"`, "g"))]).toEqual([path, 1]);
      expect([path, count(/<h1\b/g), count(/<main\b/g), count(/<title>[^<]+<\/title>/g)]).toEqual([path, 1, 1, 1]);
      expect(text).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
      expect([
        path,
        count(/<script(?! type="module" src="\/static\/)/g),
        count(/ on\w+="/g),
        count(/ style="/g),
      ]).toEqual([path, 0, 0, 0]);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids).toEqual([...new Set(ids)]);
      const labelled = text.replace(/<label\b(?![^>]* for=)[^>]*>[\s\S]*?<\/label>/g, "");
      const bare = [...labelled.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)]
        .map(([control]) => control)
        .filter((control) => !/type="hidden"|aria-label="[^"]/.test(control))
        .filter((control) => !text.includes(`<label for="${/ id="([^"]+)"/.exec(control)?.[1] ?? "?"}"`));
      expect([path, bare]).toEqual([path, []]);
      expect([path, [...text.matchAll(/<button\b[^>]*>\s*<\/button>/g)]]).toEqual([path, []]);
    }
  });

  test("S3.7.63: an answer to a program on this device is shown with a warning", async () => {
    const { browser } = await world.signedIn("device");
    const desk = await browser.get(world.asking({ client_id: "desktop", redirect_uri: "http://127.0.0.1:6274/cb" }));
    expect(desk.text).toContain("a program on this device (<code>127.0.0.1:6274</code>)");
    expect(desk.text).toContain("any program that runs here could be the one that asks");
    const nameless = await browser.get(world.asking({ client_id: "nameless" }));
    expect(nameless.text).toContain("A program without a name");
    expect(nameless.text).not.toContain("on this device");
  });

  test("S3.7.64: administrators see how far their own rights reach", async () => {
    const { browser } = await world.signedIn("chief", [1]);
    expect((await browser.get(world.asking())).text).toContain("You are an administrator");
    expect((await browser.get(world.asking({ scope: "mcp:read" }))).text).not.toContain("You are an administrator");
  });

  test("S3.7.70 S3.7.71: headers: no frame, no cache, no referrer, and a policy that names where the form leads", async () => {
    const { browser } = await world.signedIn("headers");
    const { headers } = await browser.get(world.asking());
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("form-action 'self' https://client.example https:");
    const desk = await browser.get(world.asking({ client_id: "desktop", redirect_uri: "http://127.0.0.1:6274/cb" }));
    expect(desk.headers.get("content-security-policy")).toContain("form-action 'self' http://127.0.0.1:6274 https:;");
  });
});

describe("what is wrong with a request", () => {
  test.each([
    ["no client", { client_id: undefined }],
    ["an unknown client", { client_id: "nobody" }],
    ["another redirect_uri", { redirect_uri: "https://evil.example/back" }],
    ["a longer redirect_uri", { redirect_uri: `${BACK}/more` }],
    ["a redirect_uri of script", { redirect_uri: "javascript:alert(1)" }],
  ])("S3.7.73: %s is a page with 400, for guests as well, and nobody is sent anywhere", async (_, changes) => {
    const answer = await world.visitor().get(world.asking(changes));
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.text).not.toMatch(/(?:href|action)="(?:https:\/\/evil|javascript)/);
  });

  test.each([
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["no challenge", { code_challenge: undefined }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["an unknown scope", { scope: "item:read" }, "invalid_scope"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
  ])("S3.7.74: %s goes to the redirect_uri with error, description, state and iss", async (_, changes, error) => {
    const answer = await world.visitor().get(world.asking(changes));
    expect([answer.status, where(answer).origin]).toEqual([302, "https://client.example"]);
    expect(saidIn(answer)).toMatchObject({ error, state: STATE, iss: BASE });
    expect(saidIn(answer).error_description).toMatch(/^[\x20-\x7E]+$/);
  });

  test("S3.7.75: prompt none asks nobody; login has the person sign in again, once", async () => {
    const guest = await world.visitor().get(world.asking({ prompt: "none" }));
    expect(saidIn(guest)).toMatchObject({ error: "login_required", state: STATE, iss: BASE });
    const { browser } = await world.signedIn("prompted");
    const silent = await browser.get(world.asking({ prompt: "none" }));
    expect([silent.status, saidIn(silent).error]).toEqual([302, "consent_required"]);
    expect(saidIn(await browser.get(world.asking({ prompt: "none login" }))).error).toBe("invalid_request");
    expect((await browser.get(world.asking({ prompt: "consent" }))).text).toContain('value="allow"');
    const again = await browser.get(world.asking({ prompt: "login" }));
    expect(again.text).not.toContain('value="allow"');
    const fields = { csrf: csrfIn(again.text), return_to: world.asking({ prompt: undefined }) };
    expect(again.text).toContain(`name="return_to" value="${fields.return_to.replaceAll("&", "&amp;")}"`);
    const out = await browser.post("/account/logout", fields);
    expect(where(out).pathname).toBe("/account/login");
    const next = await world.visitor().get(world.asking({ prompt: "login consent" }));
    expect(where(next).searchParams.get("return_to")).toBe(world.asking({ prompt: "consent" }));
  });
});
