// Scripts and style of the pages (R40, P.1 to P.4): bundled, served under hashed names, kept for good, and small.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, readConfig } from "../../src/config.ts";
import { lookOf } from "../../src/main/pages/look.ts";
import { PLAIN_LOOK, STATIC_FILES, scriptTag } from "../../src/pages/static-files.ts";
import { colorProblem, contrast } from "../../src/pages/style/theme.ts";
import { DARK, LIGHT } from "../../src/pages/style/tokens.ts";
import { gzipBytes, PAGE_BYTES_MAX, SCRIPT_BYTES_MAX } from "../support/page-sizes.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
const names = setUpWorld({ names: { file: true } });
const scripts = STATIC_FILES.filter(({ name }) => name.endsWith(".js"));
const FOREVER = "public, max-age=31536000, immutable";

describe("static files", () => {
  test("P.1 every module of src/pages/scripts is one bundled script, and a page names it by its content", () => {
    const modules = readdirSync(join(import.meta.dirname, "../../src/pages/scripts")).filter((name) =>
      name.endsWith(".ts"),
    );
    expect(modules.length).toBeGreaterThan(0);
    expect(scripts.map(({ name }) => name.replace(".js", ".ts")).sort()).toEqual(modules.sort());
    expect(scriptTag("repeatable-group", "/repo").markup).toMatch(
      /^<script type="module" src="\/repo\/static\/repeatable-group-[0-9a-f]{12}\.js"><\/script>\n$/,
    );
    expect(() => scriptTag("nowhere", "")).toThrow('There is no script "nowhere"');
  });

  test("P.2 they are served by both roles with their type, for good", async () => {
    const { handler } = await names.resolver();
    for (const file of STATIC_FILES) {
      const visited = await world.visitor().get(file.path);
      expect([visited.status, visited.headers.get("content-type"), visited.headers.get("cache-control")]).toEqual([
        200,
        file.type,
        FOREVER,
      ]);
      expect(visited.text).toBe(file.body);
      const head = await world.visitor().send(file.path, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length")]).toEqual([
        200,
        `${new TextEncoder().encode(file.body).length}`,
      ]);
      const request = new Request(`http://resolver.test${file.path}`);
      const resolved = await handler(request, { addressOf: () => "192.0.2.1" });
      expect([resolved.headers.get("cache-control"), await resolved.text()]).toEqual([FOREVER, file.body]);
    }
  });

  test("P.2 under the hash of another version a file is answered and not kept; nothing else is there", async () => {
    const [file] = STATIC_FILES;
    const other = (file?.path ?? "").replace(/-[0-9a-f]{12}/, "-000000000000");
    const { headers, text } = await world.visitor().get(other);
    expect([headers.get("cache-control"), text]).toEqual(["no-cache", file?.body ?? ""]);
    for (const path of ["repeatable-group.js", "constructor-000000000000.js", "..%2f..%2fpackage.json", "%00", "%ff"]) {
      expect([path, (await world.visitor().get(`/static/${path}`)).status]).toEqual([path, 404]);
    }
  });

  test("P.3 no script has more than 20 KB, all together with the style no more than 60 KB", () => {
    for (const script of scripts) {
      expect([script.name, gzipBytes(script) <= SCRIPT_BYTES_MAX]).toEqual([script.name, true]);
    }
    expect(STATIC_FILES.reduce((sum, file) => sum + gzipBytes(file), 0)).toBeLessThanOrEqual(PAGE_BYTES_MAX);
  });

  test("P.4 no script makes code from text, and the policy of pages allows none but files of this host", async () => {
    for (const { body } of scripts) expect(body).not.toMatch(/\beval\b|\bnew Function\b|innerHTML|document\.write/);
    const policy = (await world.visitor().get("/")).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain("unsafe");
  });
});

describe("name, logo and colours by settings", () => {
  const problems = (env: Record<string, string>): readonly string[] => {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.problems : [String(error)];
    }
  };

  test("P.15 a colour that cannot be read stops the start, and the message states its contrast", () => {
    expect(problems({ SVC_COLOR_LIGHT: "8a1c4a", SVC_COLOR_DARK: "FFB0D0" })).toEqual([]);
    expect(problems({ SVC_COLOR_LIGHT: "ffcc00", SVC_COLOR_DARK: "202060" })).toEqual([
      'SVC_COLOR_LIGHT="ffcc00" is not allowed: its contrast on the light background #eef4f4 is 1.36, and must be at least 4.5',
      expect.stringMatching(
        /^SVC_COLOR_DARK="202060" is not allowed: its contrast on the dark background #1d2b2e is 1\.\d\d/,
      ),
    ]);
    for (const color of ["red", "12345", "1234567", "12345g"]) {
      expect(problems({ SVC_COLOR_LIGHT: color })).toEqual([
        expect.stringContaining("a colour as six hexadecimal digits, such as 1f5f6b"),
      ]);
    }
  });

  test("P.15 the contrast is that of WCAG, and the shipped colours have it", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
    expect([colorProblem(LIGHT.accent, "light"), colorProblem(DARK.accent, "dark")]).toEqual([null, null]);
    for (const { paper, card, tint, ink, soft, edge, ...tones } of [LIGHT, DARK]) {
      for (const text of [ink, soft])
        for (const on of [paper, card, tint]) expect(contrast(text, on)).toBeGreaterThan(4.5);
      for (const tone of ["good", "warn", "gone"] as const)
        expect(contrast(tones[tone], tones[`${tone}-tint`])).toBeGreaterThan(4.5);
      expect(contrast(edge, card)).toBeGreaterThan(3);
    }
  });

  test("P.15 both roles link the colours after the style, and show the logo next to the name", async () => {
    const logo = join(mkdtempSync(join(tmpdir(), "arkstone-logo-")), "logo.svg");
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const env = { SVC_COLOR_LIGHT: "8a1c4a", SVC_COLOR_DARK: "ffb0d0", SVC_LOGO: logo, SVC_ROOT_PATH: "/repo" };
    const own = await openWorld({ pages: { env } });
    const { text } = await own.visitor().get("/repo/");
    const [, theme = "", picture = ""] =
      /style-\w+\.css">\n<link rel="stylesheet" href="\/repo(\/static\/theme-\w+\.css)">[\s\S]*<img src="\/repo(\/static\/logo-\w+\.svg)" alt="">Test Repository/.exec(
        text,
      ) ?? [];
    const style = await own.visitor().get(`/repo${theme}`);
    expect(style.text).toContain("(prefers-color-scheme:light){:root{--accent:#8a1c4a;--accent-ink:#ffffff}}");
    expect(style.text).toContain("(prefers-color-scheme:dark){:root{--accent:#ffb0d0;--accent-ink:#000000}}");
    const shown = await own.visitor().get(`/repo${picture}`);
    expect([shown.headers.get("content-type"), shown.headers.get("cache-control")]).toEqual(["image/svg+xml", FOREVER]);
    expect(shown.headers.get("content-security-policy")).toContain("sandbox");
    const { handler } = await names.resolver({ SVC_COLOR_LIGHT: "8a1c4a", SVC_LOGO: logo });
    const page = await (await handler(new Request("http://resolver.test/"), { addressOf: () => "192.0.2.1" })).text();
    expect([page.includes("/static/theme-"), page.includes("/static/logo-")]).toEqual([true, true]);
  });

  test("Q.5 the picture of the first page is shown with its words, and stops the start where it cannot be used", async () => {
    const folder = mkdtempSync(join(tmpdir(), "arkstone-picture-"));
    const path = join(folder, "harbour.jpeg");
    writeFileSync(path, new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]));
    const env = { SVC_FRONT_PICTURE: path, SVC_FRONT_PICTURE_ALT: 'The "old" harbour' };
    const pictured = await openWorld({ pages: { env } });
    const { text } = await pictured.visitor().get("/", { accept: "text/html" });
    const [, src = "", alt = ""] = /<img class="front" src="([^"]+)" alt="([^"]*)">/.exec(text) ?? [];
    expect(alt).toBe("The &quot;old&quot; harbour");
    const picture = await pictured.visitor().get(src);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(picture.headers.get("cache-control")).toContain("immutable");
    writeFileSync(join(folder, "large.png"), new Uint8Array(500 * 1024 + 1));
    const colors = { colorLight: null, colorDark: null, logo: null };
    for (const name of ["none.png", "large.png", "film.gif"]) {
      expect(() => lookOf({ ...colors, frontPicture: join(folder, name) })).toThrow("SVC_FRONT_PICTURE");
    }
  });

  test("P.15 a logo that is not there, too large or of another kind stops the start", () => {
    const folder = mkdtempSync(join(tmpdir(), "arkstone-logo-"));
    writeFileSync(join(folder, "large.png"), new Uint8Array(100 * 1024 + 1));
    const colors = { colorLight: null, colorDark: null };
    for (const [name, why] of [
      ["none.png", "ENOENT"],
      ["large.png", "it is larger"],
      ["logo.gif", "another ending"],
    ] as const) {
      expect(() => lookOf({ ...colors, logo: join(folder, name), frontPicture: null })).toThrow(why);
    }
    expect(lookOf({ ...colors, logo: null, frontPicture: null })).toEqual(PLAIN_LOOK);
  });
});
