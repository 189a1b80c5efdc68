// Uploads of a draft's files in a real Chromium (R43): in parts, broken off and resumed, refused before the first byte.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { type Server, serve } from "../../src/main/process/serve.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/processes.ts";
import { setUpWorld } from "../support/world.ts";

const MIB = 1024 * 1024;

describe.skipIf(!hasBrowser)("uploads in Chromium", () => {
  let server: Server;
  let browser: Browser | null = null;
  const folder = temporaryFolder("uploads");
  const world = setUpWorld({
    repository: { env: { SVC_MAX_UPLOAD_BYTES: "40 MiB", SVC_BASE_URL: "http://127.0.0.1" } },
    recordFiles: true,
  });
  const bytes = Uint8Array.from({ length: 20 * MIB }, (_, at) => (at * 7 + (at >> 12)) % 251);
  const large = join(folder.path, "large.bin");
  beforeAll(async () => {
    writeFileSync(large, bytes);
    for (const name of ["small.txt", "third.txt"]) writeFileSync(join(folder.path, name), "small");
    writeFileSync(join(folder.path, "huge.bin"), new Uint8Array(41 * MIB));
    server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0 });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop(1000);
    folder.remove();
  });

  async function signedIn(): Promise<Page> {
    const page = await browser?.newPage();
    if (page === undefined) throw new TypeError("The browser did not start");
    await page.goto(`${server.url}/account/login`);
    await page.fill("#token", world.people.registered.token);
    await page.click("main button");
    await page.waitForURL(/\/account\/tokens$|\/$/);
    return page;
  }
  const draftPage = async (page: Page): Promise<number> => {
    const id = await world.draft("registered");
    await page.goto(`${server.url}/deposit/${id}/files`);
    return id;
  };
  const stored = async (id: number, key: string) =>
    (await world.json("registered", "GET", world.fileOf(id, key))).json as { status?: string; size?: number };

  test("R43 a file cut in the middle goes on when the same file is chosen again; the parts that arrived are not sent twice", async () => {
    const page = await signedIn();
    const id = await draftPage(page);
    const sent: string[] = [];
    const watch = (route: Route): Promise<void> => {
      const [, part = ""] = /\/content\/(\d+)$/.exec(new URL(route.request().url()).pathname) ?? [];
      sent.push(part);
      // The last part never arrives, and nothing after it: as if the cable were pulled.
      return part === "3" ? route.abort("connectionreset") : route.continue();
    };
    await page.route(/\/draft\/files\/[^/]+\/content\/\d+$/, watch);
    await page.setInputFiles("input[type=file]", large);
    await page.waitForSelector("text=15 MiB of 20 MiB");
    expect((await stored(id, "large.bin")).status).toBe("pending");
    // The browser goes away; another one goes on another day.
    await page.close();
    const other = await signedIn();
    await other.goto(`${server.url}/deposit/${id}/files`);
    sent.length = 0;
    await other.route(/\/draft\/files\/[^/]+\/content\/\d+$/, (route) => {
      sent.push(/\/content\/(\d+)$/.exec(new URL(route.request().url()).pathname)?.[1] ?? "");
      return route.continue();
    });
    await other.setInputFiles("input[type=file]", large);
    await other.waitForSelector("table a:has-text('large.bin')");
    expect(sent).toEqual(["3"]);
    const whole = await world.ask("registered", "GET", `${world.fileOf(id, "large.bin")}/content`);
    expect([whole.status, (await stored(id, "large.bin")).size]).toEqual([200, bytes.length]);
    await other.close();
  }, 120_000);

  test("R43 several files at once; too large ones and taken names are refused before the first byte", async () => {
    const page = await signedIn();
    const id = await draftPage(page);
    const requests: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/draft/files"))
        requests.push(`${request.method()} ${decodeURIComponent(request.url())}`);
    });
    await page.setInputFiles("input[type=file]", [join(folder.path, "huge.bin")]);
    await page.waitForSelector(".uploads .wrong");
    expect(await page.textContent(".uploads .wrong")).toBe("This file is too large: at most 40 MiB.");
    expect(requests.filter((request) => request.includes("huge"))).toEqual([]);
    await page.setInputFiles("input[type=file]", [join(folder.path, "small.txt"), join(folder.path, "small.txt")]);
    await page.waitForSelector("text=There is a file of this name already.");
    await page.waitForSelector("text=Uploaded");
    expect((await stored(id, "small.txt")).status).toBe("completed");
    await page.close();
  }, 60_000);

  test("R43 pausing sends no further part; cancelling removes what was sent", async () => {
    const page = await signedIn();
    const id = await draftPage(page);
    let held: (() => void)[] = [];
    await page.route(/\/content\/\d+$/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.setInputFiles("input[type=file]", large);
    await page.waitForSelector("text=Pause");
    while (held.length < 2) await Bun.sleep(10);
    await page.click(".uploads button:has-text('Pause')");
    await page.waitForSelector("text=Paused");
    await page.click(".uploads button:has-text('Cancel')");
    for (const go of held) go();
    held = [];
    await page.locator(".uploads li").waitFor({ state: "detached" });
    for (let tries = 0; tries < 100 && (await stored(id, "large.bin")).status === "pending"; tries += 1)
      await Bun.sleep(20);
    expect((await stored(id, "large.bin")).status).not.toBe("completed");
    await page.close();
  }, 60_000);

  test("R43 cancelling removes no whole file, which another window has uploaded meanwhile", async () => {
    const page = await signedIn();
    const id = await draftPage(page);
    await page.route(/large\.bin/, () => new Promise(() => {}));
    await page.route(/large2\.bin/, () => new Promise(() => {}));
    const whole = async (key: string) => {
      const register = { headers: { "content-type": "application/json" }, body: JSON.stringify([{ key }]) };
      await world.ask("registered", "POST", `/api/records/${id}/draft/files`, register);
      const content = { headers: { "content-type": "application/octet-stream" }, body: "theirs" };
      await world.ask("registered", "PUT", `${world.fileOf(id, key)}/content`, content);
      await world.ask("registered", "POST", `${world.fileOf(id, key)}/commit`);
      expect((await stored(id, key)).status).toBe("completed");
    };
    // Refused: the name is taken by now.
    await whole("small.txt");
    await page.setInputFiles("input[type=file]", join(folder.path, "small.txt"));
    await page.waitForSelector(".uploads button:has-text('Go on')");
    const removed: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "DELETE") removed.push(request.url());
    });
    await page.click(".uploads button:has-text('Cancel')");
    // Waiting: two others are being sent.
    const [one, two] = [large, join(folder.path, "large2.bin")];
    writeFileSync(two, bytes);
    await page.setInputFiles("input[type=file]", [one, two, join(folder.path, "third.txt")]);
    await whole("third.txt");
    await page.click(".uploads li:has-text('third.txt') button:has-text('Cancel')");
    await page.waitForTimeout(300);
    expect(removed).toEqual([]);
    for (const key of ["small.txt", "third.txt"]) expect((await stored(id, key)).status).toBe("completed");
    await page.close();
  }, 60_000);

  test("P.175 R43 a file that grows while it is read is refused in a sentence, and nothing of it becomes a file", async () => {
    const page = await signedIn();
    const id = await draftPage(page);
    const growing = join(folder.path, "growing.bin");
    writeFileSync(growing, bytes);
    let isGrown = false;
    page.on("request", (request) => {
      if (isGrown || !request.url().endsWith("/content/2")) return;
      appendFileSync(growing, "more");
      isGrown = true;
    });
    await page.setInputFiles("input[type=file]", growing);
    await page.waitForSelector("text=The file was changed, moved or deleted after it was chosen.");
    expect((await stored(id, "growing.bin")).status).toBe("pending");
    expect((await world.commit("registered", id, "growing.bin")).status).toBe(400);
    // The file as it is now, chosen again, takes the place of what was sent.
    await page.goto(`${server.url}/deposit/${id}/files`);
    await page.setInputFiles("input[type=file]", growing);
    for (let tries = 0; tries < 1000 && (await stored(id, "growing.bin")).status !== "completed"; tries += 1)
      await Bun.sleep(20);
    expect(await stored(id, "growing.bin")).toMatchObject({ status: "completed", size: bytes.length + 4 });
    await page.close();
  }, 60_000);

  test("R43 a pause before the upload has begun holds it until it is resumed", async () => {
    const page = await signedIn();
    const id = await draftPage(page);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const sent: string[] = [];
    await page.route(/\/draft\/files/, async (route) => {
      const method = route.request().method();
      if (method === "GET") await held;
      else sent.push(method);
      await route.continue();
    });
    await page.setInputFiles("input[type=file]", join(folder.path, "small.txt"));
    await page.click(".uploads button:has-text('Pause')");
    release();
    await page.waitForTimeout(500);
    expect([sent, await page.textContent(".uploads li p")]).toEqual([[], "Paused"]);
    await page.click(".uploads button:has-text('Resume')");
    await page.waitForSelector("table a:has-text('small.txt')");
    expect((await stored(id, "small.txt")).status).toBe("completed");
    await page.close();
  }, 60_000);
});
