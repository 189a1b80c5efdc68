// The page of hits and the boxes that lead to it (R27, R28, R34, R40; specification 3, rules 2, 6 and 8).
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { marked, marksOf, snippet } from "../../src/repository/search/query/marking.ts";
import { aContent, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
beforeAll(async () => {
  const abstract = `${"Before the sea there was land. ".repeat(20)}Then the QUANTUM tide came. ${"And after it came rest. ".repeat(20)}`;
  const described = { descriptions: [{ value: abstract, kind: "Abstract", html: false }] };
  await world.publish({ metadata: { ...titled("Quantum tides & <others>"), ...described, languages: ["eng"] } });
  await world.publish({ metadata: { ...titled("量子図書館の研究"), languages: ["jpn"] } });
  await world.publish({ indexes: [1], metadata: { ...titled("図書カード"), languages: ["jpn"] } });
  await world.publish({
    metadata: { ...titled("Zirconium"), languages: ["eng"] },
    access: { ...aContent().access, record: "restricted" },
  });
});

const get = async (path: string, lang?: string) => await world.visitor(lang).get(path);
const hitsIn = (text: string): readonly string[] =>
  [...text.matchAll(/<a class="what"[^>]*>(.*?)<\/a>/g)].map(([, title = ""]) => title.replace(/<\/?mark>/g, ""));

describe("the page of hits", () => {
  test("R40 every page has a search box and shows where programs find the search", async () => {
    for (const path of ["/", "/index", "/index/1", "/account/login", "/records/999"]) {
      const { text } = await get(path);
      expect([path, /class="(?:find|search front)" role="search"/.test(text)]).toEqual([path, true]);
      expect(text).toContain('rel="search" type="application/opensearchdescription+xml"');
    }
  });

  test("R27 words find items, the newest first, and are marked in title and abstract", async () => {
    const { status, text } = await get("/search?q=quantum");
    expect([status, hitsIn(text)]).toEqual([200, ["Quantum tides &amp; &lt;others&gt;"]]);
    expect(text).toContain("<mark>Quantum</mark> tides &amp; &lt;others&gt;");
    expect(text).toContain("… ");
    expect(text).toContain("the <mark>QUANTUM</mark> tide came.");
    expect(hitsIn((await get("/search?q=図書")).text)).toEqual(["図書カード", "量子図書館の研究"]);
    expect((await get("/search?q=ｶｰﾄﾞ")).text).toContain("図書<mark>カード</mark>");
  });

  test("R40 how many were found is in the title, and announced", async () => {
    const { text } = await get("/search?q=図書");
    expect(text).toContain("<title>Search: 図書 (2 items)");
    expect(text).toMatch(/role="status">2 items/);
    expect((await get("/search?q=図書", "ja")).text).toContain("<title>検索: 図書 (2件)");
  });

  test("R28 facets are boxes with counts of the whole, what is chosen is a chip that undoes it", async () => {
    const all = (await get("/search")).text;
    expect(all).toMatch(/name="Language" value="jpn"><span><label for="[^"]*">Japanese <span class="kind">\(2\)/);
    const chosen = (await get("/search?Language=jpn&sort=wtl")).text;
    expect(hitsIn(chosen)).toHaveLength(2);
    expect(chosen).toContain('value="jpn" checked>');
    expect(chosen).toMatch(/name="Language" value="eng"><span><label for="[^"]*">English <span class="kind">\(1\)/);
    expect(chosen).toContain('<a href="/search?sort=wtl" aria-label="Without: Language: Japanese">');
    const gone = (await get("/search?Language=fra")).text;
    expect(gone).toContain('value="fra" checked>');
    expect(gone).toContain("Without: Language: French");
  });

  test("R27f Q.319 a typing error finds what was meant, says so, and leaves a way to what was typed", async () => {
    for (const typed of ["quantun", "qauntum", "uquantum", "quntum", "quanttum", "wuantum", "quatnum"]) {
      const { text } = await get(`/search?q=${typed}`);
      expect([typed, hitsIn(text)]).toEqual([typed, ["Quantum tides &amp; &lt;others&gt;"]]);
      expect(text).toContain(
        `Nothing has &quot;${typed}&quot;. These are the items for <a href="/search?q=quantum">quantum</a>.`,
      );
      expect(text).toContain(`<a href="/search?q=%22${typed}%22">Search for exactly &quot;${typed}&quot;</a>`);
    }
    const insisted = (await get("/search?q=%22quantun%22")).text;
    expect([hitsIn(insisted), insisted.includes("Did you mean")]).toEqual([[], false]);
    const one = (await get("/search?q=tides+quantun")).text;
    expect(one).toContain('<a href="/search?q=tides+quantum">tides quantum</a>');
    expect([hitsIn(one), one.includes("Few items have all")]).toEqual([["Quantum tides &amp; &lt;others&gt;"], false]);
    const widened = (await get("/search?q=nonesuch+quantun")).text;
    expect([hitsIn(widened), widened.includes("Few items have all")]).toEqual([
      ...[["Quantum tides &amp; &lt;others&gt;"], true],
    ]);
    for (const right of ["quantum", "図書", "tides+quantum"]) {
      const { text } = await get(`/search?q=${right}`);
      expect([right, text.includes("Did you mean"), text.includes("Nothing has")]).toEqual([right, false, false]);
    }
    expect((await get("/search?q=quantun", "ja")).text).toContain("「quantun」のまま検索する");
  });

  test("R27f R2h no word of what the reader may not see is suggested", async () => {
    for (const typed of ["zirconiun", "zircoium", "izrconium"]) {
      const { text } = await get(`/search?q=${typed}`);
      expect([typed, hitsIn(text), text.toLowerCase().includes("zirconium")]).toEqual([typed, [], false]);
    }
  });

  test("R40 nothing found: what can be tried, and a way to everything", async () => {
    const { status, text } = await get("/search?q=nonesuch");
    expect(status).toBe(200);
    expect(text).toContain("Nothing was found that you may see.");
    expect(text).toContain('<a href="/search">Show all items</a>');
  });

  test("R40 the address is the search: every field of the form keeps what was asked, the page's language too", async () => {
    const { text } = await get(
      "/search?q=図書&title=図書カード&exact_title_match=true&lang=jpn&lang=ja&iid=1&search_type=1&size=50",
    );
    expect(text).toContain('<html lang="ja">');
    expect(text).toContain('name="title" value="図書カード"');
    expect(text).toContain('<option value="jpn" selected>');
    expect(text).toContain('<input type="hidden" name="iid" value="1">');
    expect(text).toContain('<input type="hidden" name="lang" value="ja">');
    expect(text).toContain('name="search_type" value="1" checked>');
    expect(text).toContain('<option value="50" selected>');
    expect(text).toMatch(/hreflang="en"[^>]*>English/);
    expect(text).toContain("lang=jpn&amp;");
  });

  test("R40 pages follow one another with everything that was asked", async () => {
    await world.index({ id: 810, indexNameEnglish: "Paged" });
    for (let i = 1; i <= 25; i += 1) await world.publish({ indexes: [810], metadata: titled(`Paged ${i}`) });
    const { text } = await get("/search?q=paged&iid=810&sort=pyear");
    expect(hitsIn(text)).toHaveLength(20);
    const next = /<a href="([^"]*)" rel="next">/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toBe("/search?q=paged&iid=810&sort=pyear&page=2");
    const second = (await get(next)).text;
    expect(hitsIn(second)).toHaveLength(5);
    expect(second).toContain("21 to 25 of 25");
    const feed = /rel="alternate" type="application\/atom\+xml" title="[^"]*" href="([^"]*)"/.exec(text)?.[1];
    expect(feed).toBe("/api/opensearch/search?q=paged&amp;iid=810&amp;sort=-controlnumber&amp;format=atom");
  });

  test("R27c a question in a sentence finds what it is about; the page states how it was read", async () => {
    const asked = async (q: string, more = "") => (await get(`/search?q=${encodeURIComponent(q)}${more}`)).text;
    const question = await asked("What is known of quantum tides in the libraries?");
    expect(hitsIn(question)).toEqual(["Quantum tides &amp; &lt;others&gt;"]);
    expect(question).toContain("Few items have all of these words.");
    expect(question).toContain("Searched for: quantum tides libraries?");
    expect(question).toContain("Left out, because they are in very many items: What, is, known, of, in, the");
    expect(hitsIn(await asked("量子図書館はどこにありますか", "&Language=jpn"))[0]).toBe("量子図書館の研究");
    expect(hitsIn(await asked("量子図書館はどこにありますか", "&Language=eng"))).toEqual([]);
    const plain = await asked("quantum tides");
    expect([plain.includes("Few items"), plain.includes("Searched for")]).toEqual([false, false]);
    expect(await asked("paint:quantum")).toContain("Not a field, and searched for as a word: paint");
    expect(await asked("nonesuch nothings")).not.toContain("Few items");
    expect(await asked("title:quantum -rest")).toContain("Searched for: title:quantum -rest");
  });

  test("R34 R2d what a reader may not see is neither found nor counted", async () => {
    const access = {
      record: "restricted",
      openDate: "2026-01-01",
      files: "public",
      embargoUntil: null,
      embargoReason: "",
    } as const;
    await world.publish({ access, metadata: { ...titled("Hush quantum"), languages: ["eng"] } });
    expect(hitsIn((await get("/search?q=quantum")).text)).toHaveLength(1);
    expect((await get("/search")).text).toMatch(
      /value="eng"><span><label for="[^"]*">English <span class="kind">\(1\)/,
    );
    const own = world.visitor();
    await own.signIn(await world.token(world.owner));
    const expected = ["Hush quantum", "Quantum tides &amp; &lt;others&gt;"];
    expect(hitsIn((await own.get("/search?q=quantum")).text)).toEqual(expected);
  });

  test("R9 odd addresses are a page or a refusal, never an error", async () => {
    const long = [`?q=${"a".repeat(9000)}`, `?${"a=1&".repeat(3000)}`];
    const odd = [...long, "?q=%00%ff", "?page=0", "?page=-1&size=x", "?cursor=5", "?page=999999"];
    for (const query of [
      ...odd,
      "?Access=%22%3E%3Cscript%3E",
      "?size=100000",
      "?q=(%20OR%20)",
      "?sort=constructor,__proto__",
    ]) {
      const { status, text } = await get(`/search${query}`);
      expect([query.slice(0, 20), [200, 400].includes(status), text.includes("<script>")]).toEqual([
        query.slice(0, 20),
        true,
        false,
      ]);
    }
  });
});

describe("the words that were found", () => {
  const marksFor = (words: readonly string[]) => marksOf(words.map((text) => ({ text, field: null, isPhrase: false })));
  const pieces = (query: string) => marksFor(query.split(" "));

  test("R27 they are marked as they are written, whatever their case, width and accents", () => {
    const found = (text: string, query: string) =>
      marked(text, pieces(query)).flatMap((part) => (part.found ? [part.text] : []));
    expect(found("Économie et ECONOMIE", "economie")).toEqual(["Économie", "ECONOMIE"]);
    expect(found("ﾃﾞｰﾀﾍﾞｰｽとデータベース", "データベース")).toEqual(["ﾃﾞｰﾀﾍﾞｰｽ", "データベース"]);
    expect(found("cats and cat", "cat")).toEqual(["cats", "cat"]);
    expect(found("量子計算", "量子")).toEqual(["量子"]);
    expect(found("a b", "")).toEqual([]);
  });

  test("R27 the parts are the text, and no half of a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 })),
        (text, words) => {
          expect(
            marked(text, marksFor(words))
              .map((part) => part.text)
              .join(""),
          ).toBe(text);
          const short = snippet(text.repeat(20), marksFor(words), 100);
          expect(short.every((part) => part.text.isWellFormed())).toBe(true);
        },
      ),
    );
  });
});
