// Every page of the repository in a real Chromium: WCAG 2.2 AA by axe, two languages, a phone and a desktop, no
// scrolling sideways, no squeezed text, no complaint of the content policy; and hostile files that may not run (R19a,
// R33, R16).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import type { Metadata } from "../../src/model/metadata/metadata.ts";
import { flattenName } from "../../src/repository/items/content.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { anAgent } from "../support/world/authors.ts";
import { TODAY, titled } from "../support/world/items.ts";
import { BASE } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

type AxeResult = {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
};

/** Where screenshots are kept for people to view; empty: none are made. */
const SHOTS = process.env.PAGES_SHOTS ?? "";
const SQUEEZED = `[...document.querySelectorAll("td")]
  .filter((cell) => cell.innerText.trim().length > 12 && cell.clientWidth > 0 && cell.clientWidth < 72)
  .map((cell) => cell.innerText.slice(0, 80))`;
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } } as const;

const TITLE =
  "Persistent names for things that change: a study of identifiers in research repositories over twenty years";
const ABSTRACT =
  "We followed two thousand names through migrations, mergers and renamings. Most of what broke was not technical.\n\nThe second part gives advice.";
const en = (value: string) => ({ value, lang: "en" });
const ja = (value: string) => ({ value, lang: "ja" });
const abstract = { kind: "Abstract", html: false } as const;
const RICH: Partial<Metadata> = {
  titles: [
    { ...en(TITLE), kind: "main" },
    { ...ja("変わりゆくものの永続的な名前：研究リポジトリにおける識別子の二十年"), kind: "main" },
    { ...en("What stays when everything moves"), kind: "subtitle" },
  ],
  creators: [
    anAgent({
      kind: "personal",
      names: [
        { family: "Lovelace", given: "Ada", lang: "en" },
        { full: "ラブレス, エイダ", lang: "ja" },
      ],
      ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097" }],
      affiliations: [
        { names: [en("Institute for Long Things")], ids: [{ scheme: "ROR", value: "https://ror.org/04tqzzr44" }] },
      ],
    }),
    anAgent({ kind: "organizational", names: [{ full: "国立情報学研究所", lang: "ja" }] }),
  ],
  contributors: [{ ...anAgent({ kind: "personal", names: [{ full: "Hopper, Grace" }] }), role: "DataManager" }],
  descriptions: [
    { ...en(ABSTRACT), ...abstract },
    {
      ...ja("二千の名前を、移行や統合、改称を通じて追跡した。失われた名前の多くは、技術が原因ではなかった。"),
      ...abstract,
    },
  ],
  subjects: [{ text: en("identifiers"), scheme: "LCSH" }, { text: ja("永続性") }],
  rights: [
    {
      id: "cc-by-4.0",
      text: [en("Creative Commons Attribution 4.0")],
      uri: "https://creativecommons.org/licenses/by/4.0/",
    },
  ],
  publishers: [{ names: [en("Journal of Slow Studies Press")] }],
  containers: [
    {
      titles: [en("Journal of Slow Studies")],
      ids: [{ scheme: "ISSN", value: "1234-5679" }],
      volume: "12",
      issue: "3",
      pageStart: "1",
      pageEnd: "25",
      place: "flat",
    },
  ],
  dates: [
    { date: "2024-02-01", type: "Accepted" },
    { date: "2023", type: "Created" },
  ],
  languages: ["eng", "jpn"],
  identifiers: [{ scheme: "DOI", value: `10.5555/a-very-long-identifier-${"without-any-space-".repeat(4)}at-all` }],
  relations: [
    {
      type: "isSupplementedBy",
      ident: { scheme: "DOI", value: "https://doi.org/10.5555/12345678" },
      titles: [en("The data behind the study")],
    },
  ],
  funding: [
    {
      funder: { names: [en("Japan Society for the Promotion of Science")], ids: [] },
      award: { number: "JP20K00001", titles: [] },
    },
  ],
  conferences: [
    {
      names: [en("Names 2024")],
      sequence: "7",
      sponsors: [],
      venues: [{ value: "Hall B" }],
      places: [{ value: "Kyoto" }],
      country: "JPN",
    },
  ],
  publicationDate: "2024-05-06",
};

function never(): never {
  throw new Error("This cannot be");
}

describe.skipIf(!hasBrowser)("the pages in Chromium", () => {
  let server: Server;
  let browser: Browser | null = null;
  let axe = "";
  const paths: Record<string, string> = {};
  const OPEN = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" } as const;

  const world = setUpWorld({ pages: true });
  beforeAll(async () => {
    const bulletins = { indexName: "紀要", indexNameEnglish: "Bulletins", comment: "Everything we print ourselves." };
    await world.index({ id: 20, ...bulletins, displayFormat: "2", rssStatus: true });
    for (let id = 21; id <= 24; id += 1)
      await world.index({ id, parent: 20, indexName: `第${id}巻`, indexNameEnglish: `Volume ${id}` });
    await world.index({ id: 30, parent: 21, indexNameEnglish: "Special issue", indexName: "特集号" });
    const files = [
      await world.file("lovelace-2024-persistent-names-for-things-that-change-final-version-2.pdf", "%PDF-1.4", {
        mediaType: "application/pdf",
        license: "cc-by-4.0",
        label: "Full text",
      }),
      await world.file("interviews.zip", "PK".repeat(900_000), { mediaType: "application/zip", access: "login" }),
      await world.file("later.csv", "a,b", { mediaType: "text/csv", access: "date", accessDate: "2099-04-01" }),
      await world.file("names.txt", "closed", { access: "closed" }),
    ];
    const item = await world.publish({ metadata: titled("", RICH), files, indexes: [20, 30] });
    if (item.content === null) throw new Error("It has content");
    await world.items.newVersion(world.owner, item.id, {
      content: { ...item.content, metadata: { ...item.content.metadata, versionLabel: "2" } },
    });
    const kept = await world.publish({ access: { ...OPEN, record: "restricted" } });
    const gone = await world.publish({ metadata: titled("Thing that went") });
    await world.items.remove(world.admin, gone.id, { reason: "duplicate", note: "See the other one" });
    const embargoed = await world.publish({
      metadata: titled("Later", { accessRights: { label: "open access" } }),
      access: { ...OPEN, embargoUntil: "2099-01-01" },
      files,
    });
    const one = await world.file("one", "x");
    const named = (name: string) => ({ ...one, name: flattenName(name) });
    const hostile = ["a\u202Efdp.exe", `${"長い名前".repeat(60)}.txt`, "<b>bold</b>.txt", "a  b   c.txt"];
    const deep = Array.from({ length: 196 }, (_, at) => named(`data/year ${2000 + (at % 5)}/潮位_${at}.csv`));
    const creators = Array.from({ length: 30 }, (_, at) => ({
      ...(RICH.creators?.[at % 2] ?? never()),
      names: [
        { family: "山田", given: `花子${at}`, lang: "ja" },
        { family: "Yamada", given: `Hanako ${at}`, lang: "en" },
      ],
    }));
    const long = await world.publish({
      metadata: titled("", { ...RICH, creators }),
      files: [...hostile.map(named), ...deep],
    });
    const huge = await world.publish({
      metadata: titled("", { ...RICH, creators: Array.from({ length: 8 }, () => creators).flat() }),
      files: Array.from({ length: 450 }, (_, at) => named(`run ${at % 2}/a/${at}.csv`)),
    });
    for (let i = 0; i < 22; i += 1) await world.publish({ indexes: [20] });
    const waiting = await world.pending({ indexes: [], metadata: titled("Waiting for somebody") });
    const other = await world.pending({ indexes: [1] });
    Object.assign(paths, {
      front: "/",
      record: `/records/${item.id}`,
      embargoed: `/records/${embargoed.id}`,
      restricted: `/records/${kept.id}`,
      gone: `/records/${gone.id}`,
      long: `/records/${long.id}`,
      huge: `/records/${huge.id}`,
      files: `/records/${huge.id}/files`,
      folder: `/records/${huge.id}/files?folder=run%201%2Fa&page=2`,
      values: `/records/${huge.id}/values/creators?page=2`,
      missing: "/records/999999",
      indexes: "/index",
      index: "/index/20",
      search: "/search",
      persons: "/authors",
      personForm: "/authors/new",
      searched: "/search?q=a+OR+の+OR+record&Language=jpn&Subject=x&title=",
      unfound: "/search?q=nonesuch",
      login: "/account/login",
      link: `/account/login/${"A".repeat(43)}`,
      activities: "/workflow/activities?status=all",
      activity: `/workflow/activity/detail/${waiting.id}`,
      second: `/workflow/activity/detail/${other.id}`,
      draft: `/records/${waiting.itemId}`,
      tokens: "/account/tokens",
      consent: await consentPath(),
      grants: "/account/grants",
    });
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server.stop(1000);
  });

  /** A program that asks the administrator for everything, and another one that they allowed something. */
  async function consentPath(): Promise<string> {
    const kept = { uri: null, kind: "registered", redirectUris: ["http://127.0.0.1/cb"], usedAt: null } as const;
    const resource = `${BASE}/mcp`;
    await world.store.transact(async (tx) => {
      const name = "A helper with a name as long as names of helpers are made by those who like to be exact";
      await tx.grants.saveOauthClient({ ...kept, id: "asking", name, createdAt: world.time.now });
      const { now } = world.time;
      const client = { clientId: "https://helper.example/oauth/client.json", clientName: "図書館の助手" };
      const times = { createdAt: now, lastUsedAt: now, endedAt: null };
      const rights = { resource, scopes: ["mcp:read", "mcp:write"], madeWith: null };
      await tx.grants.insertGrant({
        id: "granted",
        accountId: world.admin.account?.id ?? 0,
        ...client,
        ...rights,
        ...times,
      });
    });
    const query = {
      ...{ response_type: "code", client_id: "asking", redirect_uri: "http://127.0.0.1:6274/cb", resource },
      ...{ code_challenge: "c".repeat(43), code_challenge_method: "S256", scope: "mcp:curate", state: "s".repeat(200) },
    };
    return `/oauth/authorize?${new URLSearchParams(query)}`;
  }

  async function visit(lang: string, size: keyof typeof SIZES, scheme: "light" | "dark" = "light") {
    // The policy keeps every script out, axe too: only for it the policy is disabled, after violations were collected.
    const context = await browser?.newContext({
      locale: lang,
      viewport: SIZES[size],
      bypassCSP: true,
      colorScheme: scheme,
    });
    const page = await context?.newPage();
    if (context === undefined || page === undefined) throw new TypeError("The browser did not start");
    return { context, page };
  }

  const ALL_RULES = '["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]';
  const COLOURS = '{type:"rule",values:["color-contrast","link-in-text-block"]}';

  async function findings(page: Page, rules = ALL_RULES): Promise<string[]> {
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    await page.evaluate(axe);
    const run = `axe.run(document,{runOnly:${rules}})`;
    const { violations } = (await page.evaluate(run)) as AxeResult;
    const sideways: boolean = await page.evaluate(
      "document.documentElement.scrollWidth > document.documentElement.clientWidth",
    );
    // Cells of a table that hold words and are narrower than a word is long.
    const squeezed: readonly string[] = await page.evaluate(SQUEEZED);
    return [
      ...squeezed.map((text) => `squeezed: ${text}`),
      ...violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`)),
      ...(sideways ? ["it scrolls sideways"] : []),
    ];
  }

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${server.url}/account/login`);
    await page.fill("#token", await world.token(world.admin));
    await page.click("main button");
    await page.waitForURL(/\/account\/tokens$|\/$/);
  }

  async function look(page: Page, name: string, shot: string, rules?: string): Promise<string[]> {
    await page.goto(`${server.url}${paths[name]}`);
    if (SHOTS !== "") await page.screenshot({ path: join(SHOTS, `${shot}-${name}.png`), fullPage: true });
    return (await findings(page, rules)).map((finding) => `${name}: ${finding}`);
  }

  const GUEST_PAGES = `front record embargoed restricted gone long huge files folder values missing indexes index search
    searched unfound login link`.split(/\s+/);
  const OWN_PAGES = `front record draft restricted activities activity second tokens consent grants persons
    personForm`.split(/\s+/);

  /** Made of what the others are made of, only of more: once is enough, in the first of the looks. */
  const LARGE = ["long", "huge", "files", "folder", "values"];

  /** On these there is every coloured element: in dark mode they are enough. */
  const BOTH_COLOURS = "front record gone search searched login activities activity tokens consent".split(" ");

  async function lookAtAll(lang: string, size: keyof typeof SIZES, scheme: "light" | "dark"): Promise<string[]> {
    const { context, page } = await visit(lang, size, scheme);
    const found: string[] = [];
    const shot = `${lang}-${size}-${scheme}`;
    // In the dark only the colours are others.
    const rules = scheme === "dark" ? COLOURS : ALL_RULES;
    const isWhole = inSlowRing || lang === "en";
    const isShown = (each: string) =>
      isWhole || (scheme === "light" ? !LARGE.includes(each) : BOTH_COLOURS.includes(each));
    for (const name of GUEST_PAGES.filter(isShown)) found.push(...(await look(page, name, shot, rules)));
    await signIn(page);
    for (const name of OWN_PAGES.filter((each) => scheme === "light" || isShown(each)))
      found.push(...(await look(page, name, `${shot}-in`, rules)));
    await context.close();
    return found;
  }

  test.each([
    ["en", "phone", "light"],
    ["ja", "desktop", "light"],
    ["ja", "phone", "dark"],
  ] as const)(
    "R19a axe finds nothing on any page, in %s on a %s in %s colours, and nothing scrolls sideways",
    async (lang, size, scheme) => {
      expect(await lookAtAll(lang, size, scheme)).toEqual([]);
    },
    300_000,
  );

  test("axe would find something, and the check for scrolling too", async () => {
    const { context, page } = await visit("en", "phone");
    await page.setContent(
      '<html lang="en"><title>x</title><main><h1>x</h1><input><p style="width:900px">wide</p><table><tr><td style="display:block;width:20px;overflow-wrap:anywhere">word after word</table></main></html>',
    );
    const found = await findings(page);
    await context.close();
    expect(found.some((finding) => finding.startsWith("label:"))).toBe(true);
    expect(found).toContain("it scrolls sideways");
    expect(found.filter((finding) => finding.startsWith("squeezed:"))).toHaveLength(1);
  });

  test("R16 R33 a person signs in, makes a token, approves an activity and signs out, without any script", async () => {
    const context = await browser?.newContext({ javaScriptEnabled: false, viewport: SIZES.phone });
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    const { id, itemId } = await world.pending({ indexes: [], metadata: titled("By hand") });
    await page.goto(`${server.url}/workflow/activity/detail/${id}`);
    await page.fill("#token", await world.token(world.admin));
    await page.click("main button");
    expect(page.url()).toBe(`${server.url}/workflow/activity/detail/${id}`);
    await page.fill("#index", "1");
    await page.fill("#comment", "Seen");
    await page.click('button:text-is("Approve")');
    expect(await page.textContent(".badge")).toBe("Finished");
    expect((await world.store.items.item(itemId))?.state).toBe("published");
    await page.goto(`${server.url}/account/tokens`);
    await page.fill("#name", "From a browser");
    await page.check('input[name="scope:item:read"]');
    await page.click("main form:has(#name) button");
    expect(await page.textContent(".secret")).toMatch(/^svc_/);
    await page.click("header form[method=post] button");
    expect(await page.textContent("header")).toContain("Sign in");
    await context?.close();
  });

  test("R40 what is folded opens without script, and is there in print", async () => {
    const context = await browser?.newContext({ javaScriptEnabled: false, viewport: SIZES.phone, locale: "ja" });
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    await page.goto(`${server.url}${paths.long}`);
    const last = page.getByText("山田 花子28", { exact: true });
    const deepest = page.getByText("潮位_195.csv", { exact: true });
    expect([await last.isVisible(), await deepest.isVisible()]).toEqual([false, false]);
    await page.click('summary:has-text("ほか 20 件を表示")');
    await page.click('summary:has-text("data")');
    await page.click('summary:has-text("year 2000")');
    await page.click("details.folder[open] details.folder[open] > details.rest > summary");
    expect([await last.isVisible(), await deepest.isVisible()]).toEqual([true, true]);
    await page.goto(`${server.url}${paths.long}`);
    expect(await deepest.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect([await last.isVisible(), await deepest.isVisible()]).toEqual([true, true]);
    await context?.close();
  });

  test("R40 items are found and narrowed down by keyboard alone, without script; in print there are only the hits", async () => {
    const context = await browser?.newContext({ javaScriptEnabled: false, viewport: SIZES.desktop, locale: "en" });
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    /** Tab by Tab to the first place that is this one. */
    const reach = async (selector: string): Promise<void> => {
      for (let steps = 0; steps < 100; steps += 1) {
        await page.keyboard.press("Tab");
        if ((await page.locator(`${selector}:focus`).count()) > 0) return;
      }
      throw new RangeError(`No Tab leads to ${selector}`);
    };
    const enter = async (): Promise<void> => {
      await Promise.all([page.waitForEvent("domcontentloaded"), page.keyboard.press("Enter")]);
    };
    await page.goto(`${server.url}/search`);
    await page.keyboard.press("Tab");
    expect(await page.locator(".skip:focus").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.locator("main input[name=q]:focus").count()).toBe(1);
    await page.keyboard.type("persistent");
    await enter();
    expect(new URL(page.url()).searchParams.get("q")).toBe("persistent");
    expect(await page.locator(".items .what").count()).toBeGreaterThan(0);
    await reach(".facets input[type=checkbox]");
    const name = (await page.locator(":focus").getAttribute("name")) ?? "";
    await page.keyboard.press("Space");
    await reach(".facets > button");
    await enter();
    expect(new URL(page.url()).searchParams.getAll(name)).toHaveLength(1);
    await reach(".chips a");
    await enter();
    expect(new URL(page.url()).searchParams.getAll(name)).toEqual([]);
    expect(new URL(page.url()).searchParams.get("q")).toBe("persistent");
    await page.emulateMedia({ media: "print" });
    const printed = [".items .what", ".total", ".facets", ".ordering", "input[name=q]"].map((each) =>
      page.locator(each).first().isVisible(),
    );
    expect(await Promise.all(printed)).toEqual([true, true, false, false, false]);
    await context?.close();
  });

  test("R19a no page needs what its policy forbids", async () => {
    const context = await browser?.newContext();
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    const complaints: string[] = [];
    const elsewhere: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url)) elsewhere.push(request.url());
    });
    for (const name of GUEST_PAGES) await page.goto(`${server.url}${paths[name]}`);
    await signIn(page);
    for (const name of OWN_PAGES) await page.goto(`${server.url}${paths[name]}`);
    await context?.close();
    // Chromium asks for an icon by itself.
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  test.each([
    ["evil.html", "text/html", "<script>document.title='ran'</script><p>hello</p>"],
    [
      "evil.svg",
      "image/svg+xml",
      "<svg xmlns='http://www.w3.org/2000/svg'><script>document.title='ran'</script></svg>",
    ],
    [
      "evil.xhtml",
      "application/xhtml+xml",
      "<html xmlns='http://www.w3.org/1999/xhtml'><script>document.title='ran'</script></html>",
    ],
    ["evil.txt", "text/plain", "<html><script>document.title='ran'</script></html>"],
    ["evil.pdf", "application/pdf", "<html><script>document.title='ran'</script></html>"],
  ])("R19a a stored %s cannot run script on our origin, opened or embedded", async (name, mediaType, bytes) => {
    const item = await world.publish({ files: [await world.file(name, bytes, { mediaType })] });
    const context = await browser?.newContext({ acceptDownloads: true });
    const page = await context?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    const url = `${server.url}/records/${item.id}/files/${name}`;
    const ran: string[] = [];
    page.on("console", (message) => ran.push(message.text()));
    // Where it is a download the navigation ends without a page.
    await page.goto(url).catch(() => null);
    expect(await page.title()).not.toBe("ran");
    await page.goto(`${server.url}/robots.txt`);
    const script = `new Promise((done) => { const frame = document.createElement("iframe"); frame.src = ${JSON.stringify(url)};
      frame.onload = () => { let title = ""; try { title = frame.contentDocument?.title ?? ""; } catch { title = "closed"; } done(title); };
      document.body.append(frame); setTimeout(() => done("timeout"), 1500); })`;
    expect(await page.evaluate(script)).not.toBe("ran");
    await context?.close();
  });
});
