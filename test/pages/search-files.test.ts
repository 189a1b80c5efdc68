// The hits of a search as files (issue 26): exactly the hits, in their order, as the reader may see them.
import { beforeAll, describe, expect, test } from "bun:test";
import process from "node:process";
import { importRis } from "../../src/formats/import/ris.ts";
import { readRis } from "../../src/formats/import/ris-records.ts";
import { readRows } from "../../src/formats/tsv/cells.ts";
import { hitExport } from "../../src/repository/search/detail/hit-export.ts";
import { bibtexEntries } from "../support/bibtex-reader.ts";
import { agentOf, person } from "../support/cited-items.ts";
import { aContent, aFile, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
const { access: open } = aContent();
const ids: Record<string, number> = {};

beforeAll(async () => {
  const publish = async (name: string, more: object, rest: object = {}) => {
    const { id } = await world.publish({ metadata: { ...titled(name), ...more }, ...rest });
    ids[name] = id;
  };
  const ada = person("Doe", "Ada", { ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097" }] });
  const hanako = agentOf({ names: [{ family: "山田", given: "花子", lang: "ja" }] });
  const formula = { creators: [agentOf({ names: [{ full: '=HYPERLINK("https://evil.example","x")' }] })] };
  await publish("Export gamma", {
    type: { id: "publication-article" },
    creators: [ada, hanako],
    publicationDate: "2021-03-04",
    subjects: [{ text: { value: 'tides, and "seas"' } }, { text: { value: "潮" } }],
    identifiers: [{ scheme: "DOI", value: "10.5555/gamma" }],
  });
  await publish("Export alpha", { type: { id: "dataset" }, ...formula }, { files: [aFile("a.csv")] });
  await publish(
    "＝1+1 export beta",
    { type: { id: "dataset" } },
    { access: { ...open, files: "restricted" }, files: [aFile("b.csv")] },
  );
  await publish("Export secret", { type: { id: "dataset" } }, { access: { ...open, record: "restricted" } });
});

const get = async (path: string, lang?: string) => await world.visitor(lang).get(path);
const rowsOf = (text: string) => {
  const [head, ...rows] = readRows(text, ",").map(({ cells }) => cells);
  return rows.map((cells) => Object.fromEntries((head ?? []).map((name, at) => [name, cells[at] ?? ""])));
};
const hitsIn = (text: string): readonly number[] =>
  [...text.matchAll(/<a class="what" href="\/records\/(\d+)"/g)].map(([, id]) => Number(id));

describe("the hits of the search page as a file", () => {
  test("Q.21 every format has exactly the hits of the page, filtered and in its order", async () => {
    for (const query of ["q=export&sort=wtl", "q=export&sort=-wtl", "q=export", "Resource+Type=dataset", "q=exprot"]) {
      const shown = hitsIn((await get(`/search?${query}`)).text);
      expect([query, shown.length > 1]).toEqual([query, true]);
      const file = async (format: string) => (await get(`/search/export?${query}&format=${format}`)).text;
      expect(rowsOf(await file("csv")).map(({ id }) => Number(id))).toEqual([...shown]);
      const ris = readRis(await file("ris")).map(({ values }) => values.find(([tag]) => tag === "ID")?.[1]);
      expect(ris.map(Number)).toEqual([...shown]);
      expect(JSON.parse(await file("csl")).map(({ id }: { id: string }) => Number(id))).toEqual([...shown]);
      expect(bibtexEntries(await file("bibtex")).map(({ label }) => Number(/\d+$/.exec(label)?.[0]))).toEqual([
        ...shown,
      ]);
    }
  });

  test("Q.21 no hit: a table with its head alone, an empty list, and no links on the page", async () => {
    expect(rowsOf((await get("/search/export?q=nonesuch&format=csv")).text)).toEqual([]);
    expect(JSON.parse((await get("/search/export?q=nonesuch&format=csl")).text)).toEqual([]);
    expect((await get("/search/export?q=nonesuch&format=ris")).text).toBe("");
    expect((await get("/search?q=nonesuch")).text).not.toContain("/search/export");
  });

  test("Q.21 the page links to each format with its filters and order, and states how many items a file has", async () => {
    const { text } = await get("/search?q=export&sort=wtl&size=50&page=1&Resource+Type=dataset");
    expect(text).toContain("Download all 2 items as");
    for (const format of ["ris", "bibtex", "csl", "csv"]) {
      expect(text).toContain(
        `href="/search/export?q=export&amp;sort=wtl&amp;Resource+Type=dataset&amp;format=${format}"`,
      );
    }
    expect((await get("/search?q=export", "ja")).text).toContain("3件すべてをダウンロード:");
  });

  test("Q.22 the CSV has its columns, names no hidden item, and nothing in it is a formula for a spreadsheet", async () => {
    const { text, headers } = await get("/search/export?q=export&sort=wtl&format=csv");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="search.csv"');
    const bytes = await world.handler(new Request("http://repository.test/search/export?q=export&format=csv"), {
      addressOf: () => "192.0.2.7",
    });
    expect([...new Uint8Array(await bytes.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(text.startsWith("id,url,ark,doi,title,creators,orcids,type,date,version,access,")).toBe(true);
    expect(text).not.toContain("secret");
    const rows = rowsOf(text);
    expect(rows.find(({ title }) => title === "Export gamma")).toMatchObject({
      id: String(ids["Export gamma"]),
      url: `http://repository.test/records/${ids["Export gamma"]}`,
      doi: "10.5555/gamma",
      creators: "Doe, Ada; 山田, 花子",
      orcids: "0000-0002-1825-0097",
      type: "publication-article",
      date: "2021-03-04",
      access: "metadata-only",
      subjects: 'tides, and "seas"; 潮',
    });
    expect(rows.map(({ access }) => access).sort()).toEqual(["metadata-only", "open", "restricted"]);
    const cells = rows.flatMap((row) => Object.values(row));
    expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
    expect(cells).toContain("'＝1+1 export beta");
    expect(cells.some((cell) => cell.startsWith("'=HYPERLINK"))).toBe(true);
  });

  test("Q.21 RIS is read back with names in both scripts", async () => {
    const works = importRis((await get("/search/export?q=gamma&format=ris")).text);
    expect(works.map(({ metadata }) => metadata.creators.map(({ names: [name] }) => name))).toEqual([
      [
        { family: "Doe", given: "Ada" },
        { family: "山田", given: "花子" },
      ],
    ]);
  });

  test("Q.21 those who may read more get more, and a wrong format or search is refused", async () => {
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    const text = (await owner.get("/search/export?q=export&format=csv")).text;
    expect(rowsOf(text).map(({ title }) => title)).toContain("Export secret");
    expect((await get("/search/export?q=export&format=pdf")).status).toBe(400);
    expect((await get("/search/export?q=export")).status).toBe(400);
    expect((await get(`/search/export?format=csv&q=${"a+".repeat(2_000)}`)).status).toBe(400);
  });
});

test("Q.23 programs get the hits of item search as the same files, in its order", async () => {
  const ask = (query: string) => get(`/api/v1/records/export?${query}`);
  for (const query of ["q=export&sort=wtl", "q=export&sort=-wtl", "Resource+Type=dataset"]) {
    const found = JSON.parse((await get(`/api/v1/records?${query}`)).text);
    const shown = found.search_results.map(({ id }: { id: string }) => id);
    expect([query, shown.length > 1]).toEqual([query, true]);
    expect(rowsOf((await ask(`${query}&format=csv`)).text).map(({ id }) => id)).toEqual(shown);
    expect(JSON.parse((await ask(`${query}&format=csl`)).text).map(({ id }: { id: string }) => id)).toEqual(shown);
  }
  const wrong = await ask("q=export&format=pdf");
  expect([wrong.status, JSON.parse(wrong.text).message]).toEqual([
    400,
    'format "pdf" is not one of ris, bibtex, csl, csv',
  ]);
  const authorization = `Bearer ${await world.token(world.owner)}`;
  const own = await world.visitor().get("/api/v1/records/export?q=export&format=ris", { authorization });
  expect(own.text).toContain("Export secret");
});

describe("hits of the search page", () => {
  test("Q.30 a hit has the ORCID iD of people with a name to hear, and its version; a wrong iD has no mark", async () => {
    const wrong = person("Roe", "Bob", { ids: [{ scheme: "ORCID", value: "0000-0002-1825-0000" }] });
    const right = person("Poe", "Cid", { ids: [{ scheme: "orcid", value: "https://orcid.org/0000-0001-5109-3700" }] });
    const metadata = { ...titled("Heron delta"), creators: [wrong, right] };
    const first = await world.publish({ metadata });
    await world.items.newVersion(world.owner, first.id, { content: aContent({ metadata }) });
    const { text } = await get("/search?q=heron");
    expect(
      [...text.matchAll(/<a href="https:\/\/orcid\.org\/([^"]+)"[^>]*aria-label="([^"]*)"/g)].map(([, ...all]) => all),
    ).toEqual([["0000-0001-5109-3700", "ORCID iD of Poe, Cid: 0000-0001-5109-3700"]]);
    expect(text).toMatch(/Version 2 · Metadata only/);
    expect((await get("/search?q=gamma")).text).not.toContain("Version 1");
    expect((await get("/search?q=heron", "ja")).text).toMatch(
      /aria-label="Poe, CidのORCID iD[:：] ?0000-0001-5109-3700"/,
    );
  });

  test("Q.31 every filter is a chip that one press removes, also without hits", async () => {
    const { text } = await get(
      "/search?q=nonesuch&title=Tides&creator=Doe&type=dataset&lang=jpn&lang=en&iid=1&author=5&Access=open",
    );
    const chips = [...text.matchAll(/<a href="([^"]*)" aria-label="Without: ([^"]*)"/g)].map(([, href = "", label]) => {
      return [label, [...new URL(href.replaceAll("&amp;", "&"), "http://x").searchParams.keys()].join(" ")];
    });
    const all = "q title creator type lang lang iid author Access";
    expect(chips).toEqual([
      ["Title: Tides", all.replace(" title", "")],
      ["Creator: Doe", all.replace(" creator", "")],
      [expect.stringMatching(/^Type: /), all.replace(" type", "")],
      ["Language: Japanese", all.replace(" lang", "")],
      ["iid: 1", all.replace(" iid", "")],
      ["author: 5", all.replace(" author", "")],
      ["Access: Open access", all.replace(" Access", "")],
    ]);
    expect(text).toContain('<a href="/search?q=nonesuch&amp;lang=en">Without all of these</a>');
    expect((await get("/search?q=nonesuch")).text).not.toContain("Without all of these");
  });

  test("Q.32 bars of the histogram lead to their years, as the rows of the table do", async () => {
    await world.publish({ metadata: { ...titled("Plover one"), publicationDate: "2001" } });
    await world.publish({ metadata: { ...titled("Plover two"), publicationDate: "2003" } });
    const { text } = await get("/search?q=plover");
    const bars = [...text.matchAll(/<a href="([^"]*)" tabindex="-1"><title>([^<]*)<\/title><rect /g)].map(
      ([, ...all]) => all,
    );
    const rows = [...text.matchAll(/<th scope="row"><a href="([^"]*)">(\d+)<\/a><\/th><td>(\d+)</g)];
    expect(bars).toEqual(rows.map(([, href, year, count]) => [href ?? "", `${year}: ${count}`]));
    expect(bars).toHaveLength(2);
    expect(hitsIn((await get((bars[0]?.[0] ?? "").replaceAll("&amp;", "&"))).text)).toHaveLength(1);
  });

  test("R48 badge, Access facet and export agree about items of every kind, for guests and the owner", async () => {
    const file = (name: string, date: string | null = null) =>
      date === null ? aFile(name) : aFile(name, { access: "date", accessDate: date });
    const closed = (name: string) => aFile(name, { access: "closed" });
    const later = "2031-01-01";
    const kinds: Readonly<Record<string, object>> = {
      open: { files: [file("a"), file("b")] },
      partly: { files: [file("a"), closed("b")] },
      "partly until": { files: [file("a"), file("b", later)] },
      restricted: { files: [closed("a")] },
      "all restricted": { files: [file("a")], access: { ...open, files: "restricted" } },
      embargoed: { files: [file("a", later), file("b", later)] },
      "embargo of all": { files: [file("a")], access: { ...open, files: "restricted", embargoUntil: later } },
      later: { files: [file("a", later), closed("b")] },
      "metadata alone": {},
      "hidden record": { files: [file("a")], access: { ...open, record: "restricted" } },
      "opens later": { files: [file("a")], access: { ...open, openDate: later } },
    };
    for (const [name, more] of Object.entries(kinds))
      await world.publish({ metadata: titled(`Ibis ${name}`), ...more });
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    /** What each badge counts as. */
    const statusOf = (badge: string): string =>
      badge.startsWith("Under embargo")
        ? "embargoed"
        : badge === "Metadata only"
          ? "metadata-only"
          : /^(?:Open access|Partly open(?! from))/.test(badge)
            ? "open"
            : "restricted";
    for (const reader of [world.visitor(), owner]) {
      const { text } = await reader.get("/search?q=ibis&size=50");
      const badges = [...text.matchAll(/<a class="what"[^>]*>(.*?)<\/a>.*?<p>([^<]*)<\/p><\/li>/g)].map(
        ([, title = "", facts = ""]) => [title.replace(/<\/?mark>/g, ""), statusOf(facts.split(" · ").at(-1) ?? "")],
      );
      const rows = rowsOf((await reader.get("/search/export?q=ibis&format=csv")).text);
      expect(badges).toEqual(rows.map(({ title, access }) => [title ?? "", access ?? ""]));
      expect(badges.length).toBe(reader === owner ? 11 : 9);
      const statuses = ["open", "embargoed", "restricted", "metadata-only"];
      for (const status of statuses) {
        const these = rows.filter(({ access }) => access === status).map(({ id }) => Number(id));
        expect([status, hitsIn((await reader.get(`/search?q=ibis&size=50&Access=${status}`)).text)]).toEqual([
          status,
          these,
        ]);
        const counted = new RegExp(
          `name="Access" value="${status}"[^>]*><span><label[^>]*>[^<]*<span class="kind">\\((\\d+)\\)`,
        ).exec(text)?.[1];
        expect([status, Number(counted ?? 0)]).toEqual([status, these.length]);
      }
    }
  });
});

test.skipIf(process.env.ARKSTONE_SLOW !== "1")(
  "Q.21 a file ends after 10,000 hits, however many there are",
  async () => {
    const shown = await world.store.items.outlines(Object.values(ids));
    async function* pages() {
      for (let page = 0; page < 21; page += 1)
        yield Array.from({ length: 500 }, (_, at) => shown[at % shown.length]).flatMap((hit) => hit ?? []);
    }
    const addresses = {
      landingPage: (id: number) => `http://repository.test/records/${id}`,
      arkUrl: (ark: string) => ark,
    };
    const write = hitExport({ items: world.store.items, addresses, repositoryName: "Test", today: () => "2026-01-01" });
    let records = 0;
    for await (const piece of write(pages(), "ris")) records += piece.startsWith("TY  - ") ? 1 : 0;
    expect(records).toBe(10_000);
  },
);
