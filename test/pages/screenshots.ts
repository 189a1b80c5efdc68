// `bun test/pages/screenshots.ts FOLDER [NAME]...`: pictures of every page, or of some, for people to look at: both
// languages, a phone and a desktop, light and dark. The names state page, width, language, scheme. `--against OTHER`
// compares them with those of another version, made on the same machine, and lists what looks different.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { serve } from "../../src/main/process/serve.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { EVERY_PAGE, everyPage, GUEST_PAGES, OWN_PAGES } from "../support/world/all-pages.ts";
import { pagesWorld } from "../support/world/pages.ts";

/** Pages this tall are cut: they are more of the same. */
const HEIGHT_MAX = 6000;

type Look = { readonly lang: string; readonly width: number; readonly scheme: "light" | "dark" };
const LOOKS: readonly Look[] = ["en", "ja"].flatMap((lang) =>
  [360, 1280].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ lang, width, scheme }))),
);

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { against: { type: "string" } } });
  const [folder = "", ...names] = positionals;
  if (folder === "" || !hasBrowser) {
    process.stderr.write("Usage: bun test/pages/screenshots.ts FOLDER [NAME]... [--against OTHER] (needs Chromium)\n");
    return 2;
  }
  mkdirSync(folder, { recursive: true });
  const world = await pagesWorld(EVERY_PAGE);
  const paths: Readonly<Record<string, string>> = await everyPage(world);
  const token = await world.token(world.admin);
  const server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
  const browser = await startBrowser();
  const isAsked = (name: string): boolean => names.length === 0 || names.includes(name);
  const shoot = async (look: Look, shown: readonly string[], signedIn: boolean): Promise<void> => {
    const page = await pageFor(browser, look);
    if (signedIn) {
      await page.goto(`${server.url}/account/login`);
      await page.fill("#token", token);
      await page.click("main button");
    }
    for (const name of shown.filter(isAsked)) {
      await page.goto(`${server.url}${paths[name]}`);
      const height: number = await page.evaluate("document.documentElement.scrollHeight");
      const clip = { x: 0, y: 0, width: look.width, height: Math.min(height, HEIGHT_MAX) };
      const path = join(folder, `${name}${signedIn ? "-in" : ""}-${look.width}-${look.lang}-${look.scheme}.png`);
      await page.screenshot({ path, fullPage: true, clip, animations: "disabled" });
    }
    await page.context().close();
  };
  for (const look of LOOKS) {
    await shoot(look, GUEST_PAGES, false);
    await shoot(look, OWN_PAGES, true);
  }
  const different = values.against === undefined ? [] : await differing(browser, folder, values.against);
  for (const line of different) process.stdout.write(`${line}\n`);
  await browser.close();
  await server.stop(1000);
  return different.length > 0 ? 1 : 0;
}

/** The share of pixels that differ; null: the pictures have different sizes. */
const PIXELS = `async ([one, other]) => {
  const drawn = async (data) => {
    const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  };
  const [left, right] = [await drawn(one), await drawn(other)];
  if (left.width !== right.width || left.height !== right.height) return null;
  const [a, b] = [new Uint32Array(left.data.buffer), new Uint32Array(right.data.buffer)];
  return a.filter((pixel, at) => pixel !== b[at]).length / a.length;
}`;

/** Less than this is a bar of unknown progress, which no setting holds still. */
const LEAST_SHARE = 0.000_5;

/** A line for each picture of the folder that looks different in the other one, or is not there. */
async function differing(browser: Browser, folder: string, other: string): Promise<readonly string[]> {
  const page = await browser.newPage();
  const lines: string[] = [];
  for (const name of readdirSync(folder).toSorted()) {
    const [ours, theirs] = [join(folder, name), join(other, name)];
    if (!existsSync(theirs)) {
      lines.push(`${name}: new`);
      continue;
    }
    const pictures = [ours, theirs].map((path) => readFileSync(path).toString("base64"));
    if (pictures[0] === pictures[1]) continue;
    const share: number | null = await page.evaluate(`(${PIXELS})(${JSON.stringify(pictures)})`);
    if (share === null || share > LEAST_SHARE)
      lines.push(`${name}: ${share === null ? "another size" : `${(share * 100).toFixed(2)} % of it`}`);
  }
  return lines;
}

async function pageFor(browser: Browser, { lang, width, scheme }: Look) {
  const viewport = { width, height: width < 600 ? 740 : 900 };
  const context = await browser.newContext({ locale: lang, viewport, colorScheme: scheme, reducedMotion: "reduce" });
  return await context.newPage();
}

// Jobs and threads of the world go on by themselves.
process.exit(await main(process.argv.slice(2)));
