// `bun test/pages/screenshots.ts FOLDER [NAME]...`: pictures of every page, or of some, for people to look at: both
// languages, a phone and a desktop, light and dark. The names state page, width, language, scheme.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
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

async function main([folder = "", ...names]: readonly string[]): Promise<number> {
  if (folder === "" || !hasBrowser) {
    process.stderr.write("Usage: bun test/pages/screenshots.ts FOLDER [NAME]... (needs Chromium)\n");
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
      await page.screenshot({ path, fullPage: true, clip });
    }
    await page.context().close();
  };
  for (const look of LOOKS) {
    await shoot(look, GUEST_PAGES, false);
    await shoot(look, OWN_PAGES, true);
  }
  await browser.close();
  await server.stop(1000);
  return 0;
}

async function pageFor(browser: Browser, { lang, width, scheme }: Look) {
  const viewport = { width, height: width < 600 ? 740 : 900 };
  const context = await browser.newContext({ locale: lang, viewport, colorScheme: scheme });
  return await context.newPage();
}

// Jobs and threads of the world go on by themselves.
process.exit(await main(process.argv.slice(2)));
