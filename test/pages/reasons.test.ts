// Why an item is a hit, on the page of hits (R27k, R35, R2h): words in their context, in other forms, and in files that
// the reader may read.
import { beforeAll, expect, test } from "bun:test";
import { aContent, aFile, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
const TEXT = `First page.${" Nothing of it.".repeat(300)}\fSecond page\n\fOn the third page a narwhal swims by.`;
const open = "c1".repeat(32);
const closed = "c2".repeat(32);

async function withText(sha256: string, text: string): Promise<void> {
  const at = world.time.now;
  await world.store.transact((tx) => tx.fullText.saveText({ sha256, state: "done", reason: "", reader: 1, at, text }));
}

beforeAll(async () => {
  await world.publish({ metadata: titled("Coastal fisheries of the north") });
  await world.publish({
    metadata: {
      ...titled("Whales in records"),
      publishers: [{ names: [{ value: "Tidewater Press" }], places: [] }],
    } as never,
    files: [aFile("report.pdf", { sha256: open, storageKey: "k1" })],
  });
  await world.publish({
    metadata: titled("Kept whales"),
    access: { ...aContent().access, files: "restricted" },
    files: [aFile("kept.pdf", { sha256: closed, storageKey: "k2" })],
  });
  await withText(open, TEXT);
  await withText(closed, TEXT.replace("a narwhal", "another narwhal"));
});

const get = async (path: string, lang?: string) => (await world.visitor(lang).get(path)).text;

test("R27k a word in another form is marked, and the hit states it, in both languages", async () => {
  const text = await get("/search?q=fishery");
  expect(text).toContain("Coastal <mark>fisheries</mark> of the north");
  expect(text).toContain('<p class="kind">Found by &quot;fisheries&quot;</p>');
  expect(await get("/search?q=fishery", "ja")).toContain("「fisheries」で見つかりました");
  const asAsked = await get("/search?q=fisheries");
  expect([asAsked.includes("<mark>fisheries</mark>"), asAsked.includes("Found by")]).toEqual([true, false]);
});

test("R27k names are marked, and words of other metadata are shown in their context", async () => {
  expect(await get("/search?q=doe+fisheries")).toContain("<p><mark>Doe</mark>, Ada</p>");
  expect(await get("/search?q=tidewater")).toContain('<p class="snippet"><mark>Tidewater</mark> Press</p>');
});

test("R27k R35 R2h a word of a file is shown with its page, to those who may read the file", async () => {
  const text = await get("/search?q=narwhal");
  expect(text).toContain("In report.pdf, page 3:");
  expect(text).toContain("a <mark>narwhal</mark> swims by.");
  expect([text.includes("kept.pdf"), text.includes("another")]).toEqual([false, false]);
  expect(await get("/search?q=narwhal", "ja")).toContain("report.pdfの3ページ:");
  const own = world.visitor();
  await own.signIn(await world.token(world.owner));
  const seen = (await own.get("/search?q=narwhal")).text;
  expect(seen).toContain("In kept.pdf, page 3:");
  expect(seen).toContain("another <mark>narwhal</mark>");
});
