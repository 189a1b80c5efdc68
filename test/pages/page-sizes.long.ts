// Script and style of every page, as they travel (P.3).
import { beforeAll, expect, test } from "bun:test";
import { filesOfPage, gzipBytes, PAGE_BYTES_MAX } from "../support/page-sizes.ts";
import { EVERY_PAGE, everyPage } from "../support/world/all-pages.ts";
import { setUpWorld } from "../support/world.ts";

let paths: Readonly<Record<string, string>> = {};
const world = setUpWorld({ pages: EVERY_PAGE });
beforeAll(async () => {
  paths = await everyPage(world);
});

test("P.3 no page loads more than 60 KB of script and style, and none from elsewhere", async () => {
  const [guest, admin] = [world.visitor(), world.visitor()];
  await admin.signIn(await world.token(world.admin));
  let withStyle = 0;
  for (const [name, path] of Object.entries(paths)) {
    for (const browser of [guest, admin]) {
      const { status, text } = await browser.get(path, { accept: "text/html" });
      if (status === 303) continue;
      const files = filesOfPage(text);
      const bytes = files.reduce((sum, file) => sum + gzipBytes(file), 0);
      expect([name, bytes <= PAGE_BYTES_MAX]).toEqual([name, true]);
      withStyle += Number(files.some((file) => file.name === "style.css"));
    }
  }
  expect(withStyle).toBeGreaterThan(40);
});
