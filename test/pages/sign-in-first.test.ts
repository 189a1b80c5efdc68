// Pages that need a session lead to sign-in and back, everywhere alike; the icon; pages of unknown addresses (R32,
// R33).
import { beforeAll, describe, expect, test } from "bun:test";
import { repositoryRoutes } from "../../src/main/repository/serving.ts";
import { csrfIn, type Visitor } from "../support/world/pages.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
const routed = setUpWorld({ repository: true });
let admin: Visitor;
let owner: Visitor;
beforeAll(async () => {
  [admin, owner] = [world.visitor(), world.visitor()];
  await admin.signIn(await world.token(world.admin));
  await owner.signIn(await world.token(world.owner));
});

/** What a page address contains as a placeholder. */
const VALUES: Readonly<Record<string, string>> = {
  id: "1",
  activity_id: "A-20260101-00001",
  field: "creators",
  key: "a.txt",
  format: "json",
  token: "x".repeat(43),
  number: "0",
};

/** GET routes outside the interfaces for programs. */
function pagePaths(): readonly string[] {
  const paths = repositoryRoutes(routed.parts).routes.flatMap(({ method, path }) => (method === "GET" ? [path] : []));
  const programs = /^\/(?:api|sword|oai|mcp|mcp-auth|oauth|\.well-known|metrics|healthz|readyz|opensearch)\b/;
  return [...new Set(paths)].filter((path) => !programs.test(path) && !path.includes("*"));
}

describe("pages that need a session", () => {
  test("R33 each answers a guest 303 to sign-in and back, no other page does, and none answers 401", async () => {
    const paths = pagePaths();
    expect(paths.length).toBeGreaterThan(20);
    const leading: string[] = [];
    for (const pattern of paths) {
      const path = pattern.replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? "1");
      const { status, headers } = await world.visitor().get(`${path}?page=2`);
      expect([pattern, status]).not.toEqual([pattern, 401]);
      const to = headers.get("location") ?? "";
      if (!to.startsWith("/account/login")) continue;
      leading.push(pattern);
      const back = new URL(to, "http://x").searchParams.get("return_to") ?? "";
      expect([pattern, status, back.startsWith(path)]).toEqual([pattern, 303, true]);
    }
    const activity = "/workflow/activity/detail/:activity_id";
    const own = [
      "/access-requests/:request_id",
      ...[
        "/account",
        "/account/close",
        "/account/export",
        "/account/grants",
        "/account/notices",
        "/account/searches",
        "/account/tokens",
        "/authors",
        "/authors/:id/edit",
        "/authors/new",
      ],
      ...["delete", "invitations", "join", "requests", "settings"].map((page) => `/communities/:community/${page}`),
      "/community/new",
      ...["/deposit", "/deposit/:id", "/deposit/:id/discard", "/deposit/:id/files", "/deposit/:id/files/edit"],
      ...["/deposit/:id/import", "/deposit/:id/preview", "/deposit/:id/publish"],
      ...["/deposit/:id/revisions", "/deposit/:id/revisions/:revision"],
      "/me",
      ...["/pages/:slug/edit", "/pages/:slug/revisions"],
      ...["/records/:id/share", "/records/:id/transfer", "/records/:id/withdraw"],
      ...["/requests/:request_id", "/transfers/:transfer_id"],
    ];
    const ofActivity = [
      activity,
      ...["files", "files/:key", "values/:field", "view/:key", "view/:key/content", "view/:key/entry"].map(
        (part) => `${activity}/${part}`,
      ),
    ];
    expect(leading.sort()).toEqual([...own, "/workflow/activities", ...ofActivity]);
  });

  test("R33 the query comes back too, under a mount prefix as well; a token that is not valid is reported", async () => {
    const mounted = await openWorld({ pages: { env: { SVC_ROOT_PATH: "/repo" } } });
    const { status, headers } = await mounted.visitor().get("/repo/authors?name=a+b&page=2");
    const back = encodeURIComponent("/authors?name=a+b&page=2");
    expect([status, headers.get("location")]).toEqual([303, `/repo/account/login?return_to=${back}`]);
    expect((await world.visitor().get("/authors", { authorization: "Bearer svc_no" })).status).toBe(401);
  });
});

describe("every page", () => {
  test("R32 links the icon, which is served", async () => {
    for (const browser of [world.visitor(), admin]) {
      for (const path of ["/", "/index", "/search", "/account/login", "/no/such/page", "/authors/987654"]) {
        const { text, status } = await browser.get(path);
        if (status === 303) continue;
        expect([path, text.includes('<link rel="icon" href="/favicon.ico"')]).toEqual([path, true]);
      }
    }
    const icon = await world.visitor().send("/favicon.ico", {});
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
    expect((await world.visitor().get("/")).headers.get("content-security-policy")).toContain("img-src 'self'");
  });

  test("R33 of an unknown address shows who is signed in, and a form that signs out", async () => {
    for (const [browser, name] of [
      [admin, "admin"],
      [owner, "owner"],
    ] as const) {
      for (const path of ["/no/such/page", "/records/987654", "/no%20such"]) {
        const { status, text } = await browser.get(path, { accept: "text/html" });
        expect([path, status]).toEqual([path, 404]);
        expect([path, text.includes(`<a class="who" href="/account">${name}</a>`)]).toEqual([path, true]);
        expect(csrfIn(text)).not.toBe("");
      }
    }
    const guest = await world.visitor().get("/no/such/page", { accept: "text/html" });
    expect(guest.text).toContain("/account/login");
    expect(guest.text).not.toContain('href="/account"');
  });

  test("R20 links the list of authors for those who may open it, and for nobody else", async () => {
    const hasLink = async (browser: Visitor) => (await browser.get("/")).text.includes('<a href="/authors">');
    expect([await hasLink(admin), await hasLink(owner), await hasLink(world.visitor())]).toEqual([true, false, false]);
    expect([(await admin.get("/authors")).status, (await owner.get("/authors")).status]).toEqual([200, 403]);
  });
});

test("R32 the pages of the interfaces are titled by the repository", async () => {
  for (const path of ["/api/docs", "/api/redoc"]) {
    const { text } = await world.visitor().get(path);
    expect(text).toContain("<title>Test Repository: interfaces</title>");
    expect(text).not.toContain("ARK Identifier Service");
    expect(text).toContain('<link rel="icon" href="../favicon.ico">');
  }
});
