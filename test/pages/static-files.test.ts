// Scripts and style of the pages (R40, P.1 to P.4): bundled, served under hashed names, kept for good, and small.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { STATIC_FILES, scriptTag } from "../../src/pages/static-files.ts";
import { gzipBytes, PAGE_BYTES_MAX, SCRIPT_BYTES_MAX } from "../support/page-sizes.ts";
import { setUpWorld } from "../support/world.ts";

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
