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

/** PDF.js is larger than a page may be. Nothing of it is loaded but in the frame of a page that shows a PDF. */
const WITH_FRAME = ["viewPdf"];

test("P.3 Q.100 no page but that of a PDF has the frame of PDF.js", async () => {
  const framed: string[] = [];
  for (const [name, path] of Object.entries(paths)) {
    if ((await world.visitor().get(path, { accept: "text/html" })).text.includes("/viewers/pdf")) framed.push(name);
  }
  expect(framed).toEqual(WITH_FRAME);
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
