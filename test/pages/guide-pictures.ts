// `bun run pictures`: the pictures of the user's guide (docs/pictures/guide-NAME.png), taken of the demonstration in
// Chromium at one size. A demonstration of a temporary folder is started for them, and stopped.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Browser, Page } from "playwright-core";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { commandOf, freePortRow, temporaryFolder } from "../support/processes.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "pictures");
const JAPANESE_GUIDE = join(import.meta.dirname, "..", "..", "docs", "guide", "ja");
const SIZE = { width: 800, height: 520 };
/** So that the repository stays small. */
const MOST_BYTES = 64_000;

type Cookies = Awaited<ReturnType<ReturnType<Page["context"]>["cookies"]>>;

/** By the end of the file's name: as whom it is taken (null: a guest), and where. */
type Picture = {
  /** Where not all of {@link SIZE} is shown. */
  readonly height?: number;
  readonly as: string | null;
  readonly find: (page: Page, base: string) => Promise<unknown>;
};

const at =
  (path: string) =>
  (page: Page, base: string): Promise<unknown> =>
    page.goto(`${base}${path}`);

/** The newest item in English with files for every viewer. */
async function fullItem(base: string): Promise<string> {
  for (let page = 1; page <= 12; page += 1) {
    const { hits } = await (await fetch(`${base}/api/records?size=25&page=${page}&sort=newest`)).json();
    for (const { id, metadata } of hits.hits) {
      if (metadata.languages?.[0]?.id !== "eng") continue;
      const { entries = [] } = await (await fetch(`${base}/api/records/${id}/files`)).json();
      if (entries.length > 8) return String(id);
    }
  }
  throw new Error("The demonstration has no item with many files");
}

const PICTURES: Readonly<Record<string, Picture>> = {
  front: { as: null, find: at("/") },
  search: { as: null, find: at("/search?q=data") },
  item: {
    as: null,
    height: 400,
    find: async (page, base) => await page.goto(`${base}/records/${await fullItem(base)}`),
  },
  table: {
    as: null,
    find: async (page, base) => await page.goto(`${base}/records/${await fullItem(base)}/view/measurements.csv`),
  },
  community: { as: null, find: at("/communities/rivers-and-lakes") },
  figures: { as: null, find: at("/statistics") },
  deposit: { as: "depositor", find: at("/deposit?type=1") },
  work: { as: "depositor", find: at("/me?tab=records") },
  request: {
    as: "reviewer",
    async find(page, base) {
      await page.goto(`${base}/me?tab=tasks`);
      await page.click('main a[href*="/requests/"]');
    },
  },
};

/** False too where the machine cannot tell: Chromium would draw boxes instead of characters. */
function hasJapaneseFont(): boolean {
  try {
    return execFileSync("fc-list", [":lang=ja"], { encoding: "utf8" }).trim() !== "";
  } catch {
    return false;
  }
}

type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Returns what is too large. */
async function takePictures(browser: Browser, { links, base }: Demo, end: string, locale: string): Promise<string[]> {
  const tooLarge: string[] = [];
  for (const [name, { as, find, height = SIZE.height }] of Object.entries(PICTURES)) {
    const context = await browser.newContext({ viewport: SIZE, locale, colorScheme: "light" });
    if (as !== null) await context.addCookies(await signedIn(browser, links, as));
    const page = await context.newPage();
    await find(page, base);
    const bytes = await page.screenshot({ animations: "disabled", clip: { x: 0, y: 0, width: SIZE.width, height } });
    writeFileSync(join(FOLDER, `guide-${name}${end}.png`), bytes);
    process.stdout.write(`guide-${name}${end}.png  ${bytes.length} bytes  ${new URL(page.url()).pathname}\n`);
    if (bytes.length > MOST_BYTES) tooLarge.push(`guide-${name}${end}.png`);
    await context.close();
  }
  return tooLarge;
}

const sessions = new Map<string, Cookies>();

/** The cookies of a role: its link works once. */
async function signedIn(browser: Browser, links: Demo["links"], role: string): Promise<Cookies> {
  const known = sessions.get(role);
  if (known !== undefined) return known;
  const page = await (await browser.newContext()).newPage();
  await page.goto(links.get(role) ?? "");
  await page.click("main button");
  const cookies = await page.context().cookies();
  sessions.set(role, cookies);
  return cookies;
}

/** The guide in Japanese shows Japanese pictures where there are some. */
function linkJapanesePictures(): void {
  for (const name of readdirSync(JAPANESE_GUIDE)) {
    const path = join(JAPANESE_GUIDE, name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(guide-[a-z]+)\.png/g, "$1-ja.png"));
  }
}

async function main(): Promise<number> {
  if (!hasBrowser) return 1;
  const demo = await startDemo();
  const browser = await startBrowser();
  try {
    const tooLarge = await takePictures(browser, demo, "", "en-GB");
    if (hasJapaneseFont()) {
      tooLarge.push(...(await takePictures(browser, demo, "-ja", "ja-JP")));
      linkJapanesePictures();
    } else {
      process.stdout.write("No Japanese font (fc-list :lang=ja): the guide in Japanese shows the English pictures\n");
    }
    if (tooLarge.length > 0) process.stderr.write(`More than ${MOST_BYTES} bytes: ${tooLarge.join(", ")}\n`);
    return tooLarge.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await demo.stop();
  }
}

async function startDemo() {
  const folder = temporaryFolder("pictures");
  const port = await freePortRow();
  const [program, ...args] = commandOf("demo", folder.path);
  const child = spawn(program, args, {
    env: { ...process.env, SVC_PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let out = "";
  child.stdout.on("data", (text) => {
    out += text;
  });
  const base = `http://127.0.0.1:${port + 2}`;
  await eventually("the demonstration runs", () => out.includes("The demonstration runs"), { withinMs: 300_000 });
  const isFound = async () => (await fetch(`${base}/api/records?size=1`)).status === 200;
  await eventually("its items are found", isFound, { withinMs: 60_000 });
  return {
    base,
    links: new Map(
      [...out.matchAll(/^ {2}(\w+) .*?(http\S+\/account\/login\/\S+)$/gm)].map(([, role = "", link = ""]) => [
        role,
        link,
      ]),
    ),
    async stop() {
      child.kill("SIGINT");
      await ended;
      folder.remove();
    },
  };
}

process.exitCode = await main();
