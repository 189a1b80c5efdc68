// Which hits come first (R27b): by the fields that words are in, whatever stop words say, and without a word about items
// that the caller may not see.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { GUEST, REPOSITORY_OPERATOR } from "../../../src/auth/account.ts";
import type { ItemQuery } from "../../../src/repository/search/query/finder.ts";
import { anyOf } from "../../../src/repository/search/query/query-text.ts";
import { NEWEST_WORK, rankingOf } from "../../../src/repository/search/query/ranking.ts";
import { readerQuestion } from "../../../src/repository/search/query/reader-question.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { asked, searching, words } from "../../support/world/search.ts";
import { openWorld } from "../../support/world.ts";

type Opened = Awaited<ReturnType<typeof opened>>;
async function opened() {
  const world = await openWorld({ items: { arks: false } });
  const search = await searching(world);
  const owner = (await world.person([3])).account?.id ?? 0;
  const publish = async (title: string, description = "", more: Parameters<typeof titled>[1] = {}, isOpen = true) => {
    const descriptions = description === "" ? [] : [{ value: description, kind: "Abstract", html: false }];
    const plain = aContent({ metadata: titled(title, { descriptions, ...more }) });
    const content = isOpen ? plain : { ...plain, access: { ...plain.access, record: "restricted" as const } };
    return (await world.items.createAndPublish(REPOSITORY_OPERATOR, { content, owner })).item.id;
  };
  const query = (text: string, more: Partial<ItemQuery> = {}): ItemQuery =>
    asked({
      where: anyOf(text.split(" ").map((word) => words(word))),
      ranking: rankingOf(text.split(" ")),
      sort: [NEWEST_WORK],
      ...more,
    });
  const find = (text: string, more: Partial<ItemQuery> = {}) => search.finder.find(GUEST, query(text, more));
  const ids = async (text: string): Promise<readonly number[]> => (await find(text)).items.map(({ item }) => item.id);
  /** As the search page asks. */
  const read = async (text: string): Promise<readonly number[]> => {
    const question = readerQuestion(new Map([["q", [text]]]), await search.finder.settings(), "records");
    return (await search.finder.find(GUEST, asked(question))).items.map(({ item }) => item.id);
  };
  return { publish, find, ids, read, close: () => search.close().then(world.close) };
}

const closing: (() => Promise<void>)[] = [];
let to: Opened;
beforeEach(async () => {
  to = await opened();
  closing.push(to.close);
});
afterAll(async () => {
  for (const close of closing) await close();
});

describe("R27b the best match comes first", () => {
  test("title before creators and subjects, these before descriptions, all words before one", async () => {
    const described = await to.publish("Winds", "about fossils and much else");
    const subject = await to.publish("Winds", "", { subjects: [{ text: { value: "fossils" } }] });
    const title = await to.publish("Fossils");
    const both = await to.publish("Fossils in amber");
    await to.publish("Winds of the north");
    expect(await to.ids("fossils")).toEqual([title, both, subject, described]);
    expect(await to.ids("fossils amber")).toEqual([both, title, subject, described]);
  });

  test("neighbours before words that are apart, a repeated word before one that occurs once, the newer work of equals", async () => {
    const apart = await to.publish("Sea sponges of the deep");
    const together = await to.publish("Sponges of the deep sea");
    expect(await to.ids("deep sea")).toEqual([together, apart]);
    const once = await to.publish("Notes", "On amber. On trees, on leaves.");
    const twice = await to.publish("Notes", "On amber. On amber, on leaves.");
    expect(await to.ids("amber")).toEqual([twice, once]);
    const older = await to.publish("Moss", "", { publicationDate: "1999-01-01" });
    const newer = await to.publish("Moss", "", { publicationDate: "2019-01-01" });
    const oldest = await to.publish("Moss", "", { publicationDate: "1899-01-01" });
    expect(await to.ids("moss")).toEqual([newer, older, oldest]);
  });

  test("stop words never decide, whatever titles have of them; alone they are words as others are", async () => {
    const meant = await to.publish("Coastal fisheries");
    await to.publish("What are the impacts on the what and the are");
    const what = await to.publish("What is what");
    const [first] = await to.ids("what are the coastal fisheries");
    expect(first).toBe(meant);
    expect((await to.ids("what is"))[0]).toBe(what);
    expect(rankingOf(["was", "sind", "die", "Fischerei"]).map(({ places }) => places[0]?.of)).toEqual([
      { kind: "token", field: "all", token: "fischerei" },
    ]);
  });

  test("what a caller may not see changes neither the order nor what words weigh", async () => {
    for (const title of ["Amber", "Moss", "Amber and moss", "Winds"]) await to.publish(title);
    const page = { number: 1, size: 2 };
    const before = await to.find("amber moss", { page });
    for (let at = 0; at < 5; at += 1) await to.publish(`Amber ${at}`, "amber amber", {}, false);
    const after = await to.find("amber moss", { page });
    expect(after).toEqual(before);
    expect(after.next).not.toBeNull();
  });

  test("R28 pages after a cursor continue the order while items are added that change what words weigh", async () => {
    const all: number[] = [];
    for (let at = 0; at < 12; at += 1) {
      all.push(
        await to.publish(at % 2 === 0 ? `Amber ${at}` : `Moss ${at}`, at % 3 === 0 ? "amber and moss" : "amber"),
      );
    }
    const whole = await to.ids("amber moss");
    expect([...whole].sort((a, b) => a - b)).toEqual(all);
    const followed: number[] = [];
    let page: ItemQuery["page"] = { number: 1, size: 3 };
    for (;;) {
      const found = await to.find("amber moss", { page });
      followed.push(...found.items.map(({ item }) => item.id));
      if (found.next === null) break;
      page = { cursor: found.next, size: 3 };
      await to.publish("Winds of many kinds", "amber");
    }
    expect(followed.filter((id) => all.includes(id))).toEqual([...whole]);
    await expect(to.find("amber winds", { page })).rejects.toThrow("not a cursor of this search");
  });
});

test("R27e an identifier in any form leads to its item before those that mention it", async () => {
  const doi = { scheme: "DOI", value: "10.5072/moss.2020" };
  const one = await to.publish("Moss", "", { identifiers: [doi], publicationDate: "1999-01-01" });
  const mentions = await to.publish("10.5072/moss.2020", "on 10.5072/moss.2020 DOI", { publicationDate: "2020-01-01" });
  await to.publish("Amber", "", { identifiers: [{ ...doi, value: "10.5072/moss.2021" }] });
  expect(await to.read("DOI: 10.5072/MOSS.2020")).toEqual([one, mentions]);
  expect(await to.read("https://doi.org/10.5072/moss.2020")).toEqual([one]);
  expect(await to.read("10.5072/moss.2020")).toEqual([one, mentions]);
});

test("R27e the word itself comes before its other forms", async () => {
  const other = await to.publish("Institutional repositories", "", { publicationDate: "2020-01-01" });
  const itself = await to.publish("An institutional repository", "", { publicationDate: "1999-01-01" });
  await to.publish("Depositions");
  expect(await to.read("repository")).toEqual([itself, other]);
  expect(await to.read("repositories")).toEqual([other, itself]);
  expect(await to.read('"repository"')).toEqual([itself]);
});

test("R27b a word in hiragana counts as others do, particles do not", async () => {
  const both = await to.publish("学校におけるいじめの影響", "", { publicationDate: "1999-01-01" });
  const bullying = await to.publish("いじめ", "", { publicationDate: "1998-01-01" });
  const schools = await to.publish("学校", "", { publicationDate: "2020-01-01" });
  expect(await to.ids("いじめ 学校")).toEqual([both, bullying, schools]);
  expect((await to.ids("学校 における"))[0]).toBe(schools);
});

test("R27e two words that an item has as one, and a reading without its space", async () => {
  const person = (family: string, given: string, more: readonly object[] = []) => ({
    ...{ kind: "personal" as const, alternatives: [], ids: [], emails: [], affiliations: [] },
    names: [{ family, given }, ...more],
  });
  const reading = { family: "ワタナベ", given: "マコト", lang: "ja-Kana" };
  const joined = await to.publish("Heat", "", { creators: [person("McAllister", "Carlo")] });
  const parted = await to.publish("Cold", "", { creators: [person("Mac Gregor", "Ann")] });
  const read = await to.publish("Rain", "", { creators: [person("渡邊", "誠", [reading])] });
  expect(await to.read("Mc Allister heat")).toEqual([joined]);
  expect(await to.read("MacGregor")).toEqual([parted]);
  for (const name of ["ワタナベマコト", "わたなべまこと", "渡辺誠"]) {
    expect([name, await to.read(name)]).toEqual([name, [read]]);
  }
});
