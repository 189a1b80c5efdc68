// Facets of the page of hits as people expect them (R28, R40, R48, R2h; specification 3, rule 8): what is counted is what
// is shown, what was chosen stays in sight, and every value can be reached.
import { beforeAll, describe, expect, spyOn, test } from "bun:test";
import { yearBins } from "../../src/repository/pages/year-bins.ts";
import { aContent, aFile, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
const { access: open } = aContent();
const hit = (title: string, more: object) => ({
  metadata: { ...titled(title), ...more },
  indexes: [1],
});

beforeAll(async () => {
  const issued = (date: string) => ({ publicationDate: date });
  const article = { type: { id: "publication-article", label: "journal article" } };
  const by = (name: string) => ({
    creators: [{ names: [{ full: name }], kind: "personal", ids: [], alternatives: [], emails: [], affiliations: [] }],
  });
  await world.index({ id: 700, indexName: "紀要", indexNameEnglish: "Bulletin" });
  await world.index({ id: 701, parent: 700, indexName: "第一号", indexNameEnglish: "Volume 1" });
  await world.index({ id: 702, parent: 700, indexNameEnglish: "Hidden volume", publicState: false });
  const data = { type: { id: "dataset" }, publicationDate: "2010" };
  const tide = (at: number, more: object) => hit(`Facet tide ${at}`, { ...data, ...more });
  await world.publish({ ...tide(1, { ...issued("2001"), ...article, ...by("Mori, Aya") }), indexes: [701, 702] });
  await world.publish({ ...tide(2, { ...issued("2003-05"), ...article, ...by("Mori, Aya") }), indexes: [701] });
  await world.publish({ ...tide(3, { ...issued("2003"), ...by("Sato, Ken") }), files: [aFile("a.pdf")] });
  await world.publish({ ...tide(4, {}), access: { ...open, files: "restricted" }, files: [aFile("b.pdf")] });
  await world.publish({
    ...tide(5, issued("2010")),
    files: [aFile("c.pdf", { access: "date", accessDate: "2027-01-01" })],
  });
});

const get = async (path: string, lang?: string) => (await world.visitor(lang).get(path)).text;
const titles = (text: string): readonly string[] =>
  [...text.matchAll(/<a class="what"[^>]*>(.*?)<\/a>/g)]
    .map(([, title = ""]) => title.replace(/<\/?mark>/g, ""))
    .sort();
const boxes = (text: string, name: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [
      ...text.matchAll(
        new RegExp(
          `name="${name}" value="([^"]*)"[^>]*><span><label for="[^"]*">([^<]*) <span class="kind">\\((\\d+)\\)`,
          "g",
        ),
      ),
    ].map(([, _value, label = "", count]) => [label, Number(count)]),
  );
const badges = (text: string): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const [, line = ""] of text.matchAll(/<p>([^<]*)<\/p>(?:<p class="snippet">[^<]*<\/p>)?<\/li>/g)) {
    const badge =
      line
        .split(" · ")
        .at(-1)
        ?.replace(/ until .*/, "") ?? "";
    found[badge] = (found[badge] ?? 0) + 1;
  }
  return found;
};

describe("facets of the page of hits", () => {
  test("R28a words that every object has are chosen like any value that nothing has", async () => {
    for (const word of ["constructor", "__proto__", "valueOf", "toString", "nothing"]) {
      for (const lang of ["en", "ja"]) {
        const answer = await world.visitor(lang).get(`/search?Access=${word}&Language=${word}&Resource+Type=${word}`);
        expect([word, answer.status, answer.text.includes(`${word}<span aria-hidden`)]).toEqual([word, 200, true]);
      }
    }
  });

  test("R28a type, year, language, access, community, index, creator and subject are counted", async () => {
    const text = await get("/search?q=facet+tide");
    expect(boxes(text, "Resource Type")).toEqual({ "Journal article": 2, Dataset: 3 });
    expect(boxes(text, "Creator")).toEqual({ "Doe, Ada": 2, "Mori, Aya": 2, "Sato, Ken": 1 });
    expect(boxes(text, "Index")).toMatchObject({ Bulletin: 2, "Bulletin › Volume 1": 2 });
    expect(Object.keys(boxes(await get("/search?q=facet+tide", "ja"), "Index"))).toContain("紀要 › 第一号");
    expect(titles(await get("/search?q=facet+tide&Index=700"))).toEqual(["Facet tide 1", "Facet tide 2"]);
  });

  test("R48 access is counted as hits show it, metadata only included, on the day of the question", async () => {
    const expected = { "Metadata only": 2, "Open access": 1, "Restricted access": 1, Embargoed: 1 };
    const text = await get("/search?q=facet+tide");
    expect(boxes(text, "Access")).toEqual(expected);
    expect(badges(text)).toEqual({ "Metadata only": 2, "Open access": 1, "Restricted access": 1, "Under embargo": 1 });
    expect(titles(await get("/search?q=facet+tide&Access=embargoed"))).toEqual(["Facet tide 5"]);
    const before = world.time.now;
    try {
      world.time.now = "2027-01-01T12:00:00.000Z";
      const later = await get("/search?q=facet+tide");
      expect(boxes(later, "Access")).toEqual({ "Metadata only": 2, "Open access": 2, "Restricted access": 1 });
      expect(titles(await get("/search?q=facet+tide&Access=open"))).toEqual(["Facet tide 3", "Facet tide 5"]);
      expect(titles(await get("/search?q=facet+tide&Access=embargoed"))).toEqual([]);
    } finally {
      world.time.now = before;
    }
  });

  test("R28a R2h an index that the reader may not see is no value of a facet", async () => {
    expect(await get("/search?q=facet+tide")).not.toContain("Hidden volume");
    const own = world.visitor();
    await own.signIn(await world.token(world.admin));
    expect((await own.get("/search?q=facet+tide")).text).toContain("Hidden volume");
  });

  test("R28a R2h by an index that the reader may not see nothing is found, as by one that was never there", async () => {
    const admin = world.visitor();
    await admin.signIn(await world.token(world.admin));
    for (const chosen of ["Index=702", "iid=702"]) {
      expect([chosen, titles(await get(`/search?q=facet+tide&${chosen}`))]).toEqual([chosen, []]);
      const own = titles((await admin.get(`/search?q=facet+tide&${chosen}`)).text);
      expect([chosen, own]).toEqual([chosen, ["Facet tide 1"]]);
    }
    const both = await get("/search?q=facet+tide&Index=702&Index=701");
    expect(titles(both)).toEqual(["Facet tide 1", "Facet tide 2"]);
  });

  test("R28a years: from and to, a picture, and the same numbers in a table that leads to them", async () => {
    const text = await get("/search?q=facet+tide");
    expect(text).toMatch(/<input type="text" id="[^"]+" name="Year_from" inputmode="numeric"/);
    expect(text.match(/<rect /g)).toHaveLength(10);
    const rows = [...text.matchAll(/<th scope="row"><a href="([^"]*)">(\d+)<\/a><\/th><td>(\d+)<\/td>/g)];
    expect(rows.map(([, , year, count]) => [year, count])).toEqual([
      ["2001", "1"],
      ["2003", "2"],
      ["2010", "2"],
    ]);
    expect(titles(await get((rows[1]?.[1] ?? "").replaceAll("&amp;", "&")))).toEqual(["Facet tide 2", "Facet tide 3"]);
    const chosen = await get("/search?q=facet+tide&Year_from=2002&Year_to=2009");
    expect(titles(chosen)).toEqual(["Facet tide 2", "Facet tide 3"]);
    expect(chosen).toMatch(/<input type="text" id="[^"]+" name="Year_from" value="2002"/);
    expect(chosen).not.toContain('type="hidden" name="Year_from"');
    expect(chosen).toContain('<a href="/search?q=facet+tide" aria-label="Without: Year: 2002–2009">');
    expect(titles(await get("/search?q=facet+tide&Year_from=2003"))).toHaveLength(4);
  });

  test("R28a R40 what was chosen stays in sight and can be taken back, also without hits", async () => {
    const text = await get("/search?q=facet+tide&Creator=Nobody&Year_to=1900&Index=702");
    expect(text).toContain("Nothing was found that you may see.");
    expect(text).toContain('aria-label="Without: Creator: Nobody"');
    expect(text).toContain('aria-label="Without: Year: –1900"');
    expect(text).toContain('name="Creator" value="Nobody" checked>');
    expect([text.includes('aria-label="Without: Index: 702"'), text.includes("Hidden volume")]).toEqual([true, false]);
  });

  test("R28a every value of a facet can be reached", async () => {
    for (let at = 0; at < 60; at += 1) {
      const subjects = [{ text: { value: `Topic ${String(at).padStart(2, "0")}` } }];
      await world.publish(hit(`Facet many ${at}`, { subjects }));
    }
    const text = await get("/search?q=facet+many");
    expect(Object.keys(boxes(text, "Subject"))).toHaveLength(50);
    expect(text).toContain("45 more");
    const [, all = ""] = /<a href="([^"]*)">All values: Subject<\/a>/.exec(text) ?? [];
    expect(all).toBe("/search?q=facet+many&amp;facet=Subject");
    const whole = await get(all.replaceAll("&amp;", "&"));
    expect([Object.keys(boxes(whole, "Subject")).length, whole.includes("All values")]).toEqual([60, false]);
    const second = await get("/search?q=facet+many&facet=Creator&facet=Subject");
    expect(Object.keys(boxes(second, "Subject"))).toHaveLength(50);
  });

  test("R28a the parameters of an address are encoded a few times, however many links have them", async () => {
    const sent = `q=facet+tide&${Array.from({ length: 100 }, (_, at) => `Creator=Nobody+${at}`).join("&")}`;
    const written = spyOn(URLSearchParams.prototype, "toString");
    const text = await get(`/search?${sent}`);
    const characters = written.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
    written.mockRestore();
    expect(text.match(/aria-label="Without: Creator: /g)).toHaveLength(100);
    expect(text).toContain(`<a href="/search?${sent.replace("&Creator=Nobody+7&", "&").replaceAll("&", "&amp;")}"`);
    expect([characters > 0, characters < 10 * sent.length]).toEqual([true, true]);
  });
});

test("R28 years that are many are counted together, each in one bar", () => {
  const counts = [1850, 1851, 1999, 2024].map((year) => ({ value: String(year), count: 2 }));
  const bins = yearBins(counts);
  expect([bins.length, bins[0], bins.at(-1)]).toEqual([
    18,
    { from: 1850, to: 1859, count: 4 },
    { from: 2020, to: 2029, count: 2 },
  ]);
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(8);
  expect(yearBins([])).toEqual([]);
  expect(yearBins([{ value: "2001", count: 3 }])).toEqual([{ from: 2001, to: 2001, count: 3 }]);
});
