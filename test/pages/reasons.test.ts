// Why an item is a hit, on the page of hits (R27k, R35, R2h): words in their context, in other forms, and in files that
// the reader may read.
import { beforeAll, expect, test } from "bun:test";
import { GUEST } from "../../src/auth/account.ts";
import { hitReasons } from "../../src/repository/search/detail/hit-reasons.ts";
import { marksOf } from "../../src/repository/search/query/marking.ts";
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

test("R27f a word of few items: those of the word next to it follow, are marked and state it", async () => {
  await world.publish({ metadata: titled("Archaelogy of one cave") });
  for (let at = 0; at < 10; at += 1) await world.publish({ metadata: titled(`Archaeology of site ${at}`) });
  const titles = (text: string) => [...text.matchAll(/<a class="what"[^>]*>(.*?)<\/a>/g)].map(([, title]) => title);
  const text = await get("/search?q=archaelogy");
  expect(text).toContain(
    'Did you mean: <a href="/search?q=archaeology">archaeology</a>. Its items follow those for &quot;archaelogy&quot;.',
  );
  expect(text).toContain('<a href="/search?q=%22archaelogy%22">Search for exactly &quot;archaelogy&quot;</a>');
  expect([titles(text).length, titles(text)[0]]).toEqual([11, "<mark>Archaelogy</mark> of one cave"]);
  expect(titles(text)[1]).toStartWith("<mark>Archaeology</mark> of site");
  expect(text.match(/Found by &quot;Archaeology&quot;/g)).toHaveLength(10);
  expect(titles(await get("/search?q=%22archaelogy%22"))).toHaveLength(1);
  expect(titles(await get("/search?q=archaelogy&sort=wtl"))).toHaveLength(1);
  expect(await get("/search?q=archaelogy", "ja")).toContain("その結果は「archaelogy」の結果の後に表示しています。");
  const applied = await get("/search?q=archaeolgy");
  expect([applied.includes("Nothing has"), applied.includes("Found by &quot;Archaeology&quot;")]).toEqual([true, true]);
});

test("R27l items with words that begin like those of the query follow those that have them", async () => {
  for (const title of ["Hydrothermal vents", "Hydrology of vents", "Hydro and vents", "Vents"]) {
    await world.publish({ metadata: titled(title) });
  }
  const titles = (text: string) =>
    [...text.matchAll(/<a class="what"[^>]*>(.*?)<\/a>/g)].map(([, title = ""]) => title.replace(/<\/?mark>/g, ""));
  const text = await get("/search?q=hydro+vents");
  expect([titles(text)[0], titles(text).slice(1).sort()]).toEqual([
    "Hydro and vents",
    ["Hydrology of vents", "Hydrothermal vents"],
  ]);
  expect(text).toContain("Few items have exactly this. Items with words that begin so follow.");
  expect(text).toContain("<mark>Hydrology</mark> of <mark>vents</mark>");
  expect(text).toContain("Found by &quot;Hydrology&quot;");
  expect(await get("/search?q=hydro+vents", "ja")).toContain("この文字で始まる語");
  expect(titles(await get("/search?q=hydrot"))).toEqual(["Hydrothermal vents"]);
  for (const exact of ["%22hydro%22+vents", "hyd", "hydro+vents&sort=wtl", "hydro+OR+hydrox"]) {
    const found = titles(await get(`/search?q=${exact}`));
    expect([exact, found.includes("Hydrology of vents")]).toEqual([exact, false]);
  }
  expect(titles(await get("/search?q=hydro+-vents"))).toEqual([]);
});

test("R27k names are marked, and words of other metadata are shown in their context", async () => {
  expect(await get("/search?q=doe+fisheries")).toContain("<p><mark>Doe</mark>, Ada</p>");
  expect(await get("/search?q=tidewater")).toContain('<p class="snippet"><mark>Tidewater</mark> Press</p>');
});

test("R2g R27k values of a library's own fields that hold a mail address are neither found nor shown as a reason", async () => {
  const metadata = titled("Notes of a survey");
  await world.publish({
    metadata: { ...metadata, custom: { contact: "Surveyor Quillfeather quill@survey.example", tool: "Plumbline" } },
  });
  const plain = await get("/search?q=plumbline");
  expect(plain).toContain('<p class="snippet"><mark>Plumbline</mark></p>');
  const text = await get("/search?q=quillfeather");
  expect([text.includes("Notes of a survey"), text.includes("survey.example")]).toEqual([false, false]);
  expect(await get("/search?q=quill%40survey.example")).not.toContain("Notes of a survey");
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

test("R27k other requests are answered between the hits of a page", async () => {
  const content = aContent({ metadata: titled("Nothing of it") });
  const items = Array.from({ length: 30 }, (_, at) => ({ id: at + 1, revision: 1, content }));
  const store = {
    items: { sizes: async () => items.map(({ id }) => ({ item: id, bytes: 9 })), items: async () => items },
  };
  const reasons = hitReasons({ store, today: () => "2026-12-01" } as never);
  const hits = items.map((item) => ({ hit: { item }, summary: item }));
  let [turns, isDone] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const found = await reasons.of(GUEST, hits as never, marksOf([{ text: "narwhal", field: null, isPhrase: false }]));
  isDone = true;
  expect([found.size, turns >= 50]).toEqual([0, true]);
});
