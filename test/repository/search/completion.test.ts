// Completion while typing (R27j): which titles, people and subjects are suggested, to whom, held to a plain scan over
// the items that each reader may see, on both engines and on the oracle of plain arrays.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdLock } from "../../../db/engine/process-lock.ts";
import { openEmbeddedIndex } from "../../../db/search/embedded-index.ts";
import { jsonLog } from "../../../src/adapters/log.ts";
import { typesenseIndex } from "../../../src/adapters/typesense-index.ts";
import { GUEST, REPOSITORY_OPERATOR, type Viewer } from "../../../src/auth/account.ts";
import type { Access } from "../../../src/model/items/item.ts";
import type { AgentName, Metadata, Title } from "../../../src/model/metadata/metadata.ts";
import type { OpenIndex } from "../../../src/repository/search/index/index-port.ts";
import { type Completion, completion, type Suggestion } from "../../../src/repository/search/query/completion.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { collectionsInMemory } from "../../support/typesense/known-collections.ts";
import { standIn } from "../../support/typesense/substitute.ts";
import { aContent, titled } from "../../support/world/items.ts";
import { searching } from "../../support/world/search.ts";
import { setUpWorld } from "../../support/world.ts";

const WHO = REPOSITORY_OPERATOR;
const closing: (() => Promise<void> | void)[] = [];

const ENGINES: Readonly<Record<string, () => Promise<OpenIndex>>> = {
  "an index of plain arrays": async () => openNaiveIndex,
  "the embedded index": async () => {
    const folder = mkdtempSync(join(tmpdir(), "arkstone-completion-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    return openEmbeddedIndex({ folder, hold: holdLock });
  },
  Typesense: async () => {
    const server = await standIn({ adminKey: "key" });
    closing.push(() => server.stop());
    const log = jsonLog("error", () => {});
    return typesenseIndex({
      urls: [server.url],
      apiKey: "key",
      name: "items",
      collections: collectionsInMemory(),
      log,
    });
  },
};

type Seed = {
  readonly titles: readonly Title[];
  readonly people?: readonly (readonly AgentName[])[];
  readonly subjects?: readonly string[];
  /** Who may see it: everybody, or those named. */
  readonly for?: "owner" | "community" | "embargoed";
};

const main = (value: string, lang?: string): Title => ({
  value,
  kind: "main",
  ...(lang === undefined ? {} : { lang }),
});
const SEEDS: readonly Seed[] = [
  { titles: [main("Climate change and fisheries")], subjects: ["Climatology", "Fish"] },
  { titles: [main("On the climate of cities")], subjects: ["climatology"] },
  { titles: [main("Müller's 'Übergänge' & café — résumé")], people: [[{ family: "Müller", given: "Jörg" }]] },
  {
    titles: [main("クジラの回遊", "ja"), { ...main("Migration of whales", "en"), kind: "translated" }],
    people: [
      [
        { family: "田中", given: "太郎", lang: "ja" },
        { family: "タナカ", given: "タロウ", lang: "ja-Kana" },
        { family: "Tanaka", given: "Taro", lang: "en" },
      ],
    ],
    subjects: ["鯨類", "回遊"],
  },
  { titles: [main("量子計算入門", "ja"), main("リョウシ ケイサン ニュウモン", "ja-Kana")], subjects: ["ﾃﾞｰﾀ構造"] },
  {
    titles: [main("ＦＵＬＬ width データ")],
    people: [[{ full: "Institute of Oceans" }], [{ family: "Smith", given: "Climate Anne" }]],
  },
  { titles: [main("COVID-19 and 🐋 in 2020")], people: [[{ family: "O'Brien", given: "Tara" }]] },
  {
    titles: [main("Secret climate ledger")],
    subjects: ["Climate secrets"],
    people: [[{ family: "Clandestine", given: "Cleo" }]],
    for: "owner",
  },
  {
    titles: [main("Communal climate notes")],
    subjects: ["Climate commons"],
    people: [[{ family: "Commoner", given: "Clio" }]],
    for: "community",
  },
  {
    titles: [main("Embargoed climate plans")],
    subjects: ["Climate embargo"],
    people: [[{ family: "Embargo", given: "Clara" }]],
    for: "embargoed",
  },
];
const NOTHING: Metadata["creators"] = [];

const accessOf = ({ for: whom }: Seed): Partial<{ access: Access; indexes: readonly number[] }> => {
  const open = aContent().access;
  if (whom === undefined) return {};
  if (whom === "embargoed") return { access: { ...open, record: "restricted", embargoUntil: "2199-01-01" } };
  if (whom === "community") return { access: { ...open, record: "restricted" } };
  return { access: { ...open, record: "restricted" } };
};

async function seeded(world: ReturnType<typeof suiteWorld>, open: OpenIndex) {
  const search = await searching(world, open);
  closing.push(() => search.close());
  const owner = await world.person([3]);
  const stranger = await world.person([3]);
  const ids: number[] = [];
  for (const seed of SEEDS) {
    const { titles, people = [], subjects = [] } = seed;
    const creators = people.map((names) => ({
      ...{ kind: "personal" as const, names, alternatives: [], ids: [], emails: [], affiliations: [] },
    }));
    const metadata = titled("", {
      titles,
      creators: creators.length === 0 ? NOTHING : creators,
      subjects: subjects.map((value) => ({ text: { value } })),
    });
    const content = aContent({ metadata, ...accessOf(seed) });
    const { item } = await world.items.createAndPublish(WHO, { content, owner: owner.account?.id ?? 0 });
    ids.push(item.id);
  }
  const member = await world.person([3]);
  const curator = await world.person([3], {
    memberships: [{ communityId: world.community, role: "curator", rootIndex: 1 }],
  });
  const [community = 0, embargoed = 0] = ids.slice(-2);
  await world.store.transact(async (tx) => {
    const parents = await Promise.all(
      [community, embargoed].map(async (id) => (await tx.items.item(id))?.parentId ?? 0),
    );
    const [shared = 0, given = 0] = parents;
    await tx.items.setCommunities(shared, [world.community]);
    await tx.items.setGrants(given, [{ subject: "user", id: member.account?.id ?? 0, permission: "view" }]);
  });
  const completing: Completion = completion({ finder: search.finder, store: world.store });
  const viewers: Readonly<Record<string, Viewer>> = { guest: GUEST, stranger, curator, member, owner, operator: WHO };
  return { search, ids, completing, viewers };
}

/** Written in another way than the product does: accents off, kana as hiragana. */
const plain = (text: string): string =>
  [
    ...text
      .normalize("NFKC")
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[\u0300-\u036f]/g, "")
      .normalize("NFC"),
  ]
    .map((each) => (/[ァ-ヶ]/.test(each) ? String.fromCharCode(each.charCodeAt(0) - 0x60) : each))
    .join("");
const SPACED = /^[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{Extended_Pictographic}]$/u;
/** Words of Latin letters and digits, and runs of the others. */
function cut(text: string): readonly { readonly word: string; readonly end: number; readonly isSpaced: boolean }[] {
  const all: { word: string; end: number; isSpaced: boolean }[] = [];
  for (const { 0: word, index } of plain(text).matchAll(
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\u{1f40b}]+|[\p{sc=Latin}\p{N}]+/gu,
  )) {
    all.push({ word, end: index + word.length, isSpaced: SPACED.test([...word][0] ?? "") });
  }
  return all;
}
function completes(texts: readonly string[], typed: string): boolean {
  const words = texts.flatMap(cut);
  const asked = cut(typed);
  const { length } = plain(typed);
  return asked.every(({ word, end, isSpaced }, at) =>
    words.some((each) => {
      if (each.isSpaced !== isSpaced) return false;
      if (!isSpaced) return each.word.includes(word);
      return at === asked.length - 1 && end === length ? each.word.startsWith(word) : each.word === word;
    }),
  );
}

const SEEN: Readonly<Record<string, readonly Seed["for"][]>> = {
  curator: ["community"],
  member: ["embargoed"],
  owner: ["owner", "community", "embargoed"],
  operator: ["owner", "community", "embargoed"],
};
const shownName = ({ full, family, given, lang }: AgentName): string =>
  full ?? (lang?.startsWith("ja") ? `${family} ${given}` : `${family}, ${given}`);

/** What a plain scan suggests a Japanese reader, each once. */
function scanned(typed: string, name: string): readonly string[] {
  const found = new Map<string, string>();
  const add = (kind: string, text: string) => found.set(`${kind}: ${plain(text)}`, `${kind}: ${text}`);
  if (cut(typed).length === 0) return [];
  for (const seed of SEEDS.filter(({ for: whom }) => whom === undefined || SEEN[name]?.includes(whom))) {
    const having = seed.titles.filter(({ value }) => completes([value], typed));
    const begins = having.find(({ value }) => plain(value).startsWith(plain(typed).trim()));
    const title = begins ?? having[0];
    if (title !== undefined) add("title", (title.lang === "ja-Kana" ? seed.titles[0] : title)?.value ?? "");
    for (const names of seed.people ?? []) {
      const texts = (each: AgentName) => [shownName(each), `${each.family ?? ""}${each.given ?? ""}`];
      if (!completes(names.flatMap(texts), typed)) continue;
      const shown = names.find((each) => each.lang !== "ja-Kana" && completes(texts(each), typed)) ?? names[0];
      if (shown !== undefined) add("person", shownName(shown));
    }
    for (const subject of seed.subjects ?? []) if (completes([subject], typed)) add("subject", subject);
  }
  return [...found.values()];
}

const suiteWorld = () => setUpWorld({ items: { arks: false } });

const texts = (all: readonly Suggestion[]): readonly string[] => all.map(({ kind, text }) => `${kind}: ${text}`);

describe.each(Object.keys(ENGINES))("R27j on %s", (engine) => {
  const world = suiteWorld();
  let made: Awaited<ReturnType<typeof seeded>>;
  const suggested = async (text: string, viewer: Viewer = GUEST, size = 30, language = "en") =>
    texts(await made.completing.suggest(viewer, text, size, language));

  beforeAll(async () => {
    made = await seeded(world, await (ENGINES[engine] as () => Promise<OpenIndex>)());
  });

  afterAll(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test.each([
    [
      "a beginning",
      "cli",
      [
        "title: Climate change and fisheries",
        "title: On the climate of cities",
        "person: Smith, Climate Anne",
        "subject: Climatology",
      ],
    ],
    ["case and width", "ＣＬＩＭＡＴＥ ｃｈ", ["title: Climate change and fisheries"]],
    ["words in any order", "fisheries climate", ["title: Climate change and fisheries"]],
    ["a word that is finished", "cli ", []],
    ["only the last word may be unfinished", "fish climate", []],
    ["accents", "ubergange", ["title: Müller's 'Übergänge' & café — résumé"]],
    ["accents that are typed", "résumé caf", ["title: Müller's 'Übergänge' & café — résumé"]],
    ["a family name", "müll", ["title: Müller's 'Übergänge' & café — résumé", "person: Müller, Jörg"]],
    ["a given name first", "jorg mul", ["person: Müller, Jörg"]],
    ["a family name first", "muller j", ["person: Müller, Jörg"]],
    ["an apostrophe", "o'b", ["person: O'Brien, Tara"]],
    ["an organization", "inst oceans", []],
    ["an organization, word by word", "institute of oc", ["person: Institute of Oceans"]],
    ["hiragana for katakana", "くじ", ["title: クジラの回遊"]],
    ["half width", "ｸｼﾞﾗ", ["title: クジラの回遊"]],
    ["inside of a text without spaces", "回遊", ["title: クジラの回遊", "subject: 回遊"]],
    ["a translated title", "migration of w", ["title: Migration of whales"]],
    ["the reading of a title", "りょうし", ["title: 量子計算入門"]],
    ["the reading of a name", "たなか", ["person: 田中 太郎"]],
    ["given name in kana", "たろう", ["person: 田中 太郎"]],
    ["a name without its space", "田中太", ["person: 田中 太郎"]],
    ["a name in Latin letters", "taro t", ["person: Tanaka, Taro"]],
    ["width of kana in a subject", "でーた", ["title: ＦＵＬＬ width データ", "subject: ﾃﾞｰﾀ構造"]],
    ["a number after a hyphen", "covid-1", ["title: COVID-19 and 🐋 in 2020"]],
    ["an emoji", "🐋", ["title: COVID-19 and 🐋 in 2020"]],
    ["a whole title", "on the climate of cities", ["title: On the climate of cities"]],
    ["nothing", "", []],
    ["punctuation", "*", []],
    ["no such word", "zzz", []],
  ] as const)("%s: %s", async (_what, typed, expected) => {
    const language = /[ぁ-ん]/.test(typed) ? "ja" : "en";
    expect(await suggested(typed, GUEST, 30, language)).toEqual([...expected]);
  });

  test("titles that begin so come first", async () => {
    const [first] = await suggested("on");
    expect(first).toBe("title: On the climate of cities");
  });

  test("where each leads: to the item, or to a search that finds it", async () => {
    const all = await made.completing.suggest(GUEST, "cli", 30, "en");
    expect(all.map(({ path }) => path)).toEqual([
      `/records/${made.ids[0]}`,
      `/records/${made.ids[1]}`,
      "/search?creator=Smith%2C+Climate+Anne",
      "/search?q=subject%3A%22Climatology%22",
    ]);
  });

  test("R2h who sees an item is suggested it, its people and its subjects, and nobody else", async () => {
    const hidden = {
      ledger: ["title: Secret climate ledger", "person: Clandestine, Cleo", "subject: Climate secrets"],
      notes: ["title: Communal climate notes", "person: Commoner, Clio", "subject: Climate commons"],
      plans: ["title: Embargoed climate plans", "person: Embargo, Clara", "subject: Climate embargo"],
    };
    const everybody = await suggested("cl");
    const more = async (name: string) =>
      (await suggested("cl", made.viewers[name] as Viewer)).filter((each) => !everybody.includes(each)).sort();
    expect(everybody.filter((each) => Object.values(hidden).flat().includes(each))).toEqual([]);
    expect(everybody.length).toBe(4);
    expect(await more("stranger")).toEqual([]);
    expect(await more("curator")).toEqual([...hidden.notes].sort());
    expect(await more("member")).toEqual([...hidden.plans].sort());
    expect(await more("owner")).toEqual(Object.values(hidden).flat().sort());
    expect(await more("operator")).toEqual(Object.values(hidden).flat().sort());
  });

  test("whatever is typed, the suggestions are those of a plain scan over what the reader may see", async () => {
    const titles = SEEDS.flatMap(({ titles: of }) => of.map(({ value }) => value));
    const starts = titles.flatMap((title) =>
      [0, 2, 5, 9, 14].flatMap((at) => [1, 2, 4, 7].map((size) => title.slice(at, at + size))),
    );
    for (const [name, viewer] of Object.entries(made.viewers)) {
      for (const text of new Set([...starts, "j", "ta", "ob", "climate s", "たな", "で"])) {
        const found = await suggested(text, viewer, 50, "ja");
        expect([name, text, found.map(plain).sort()]).toEqual([name, text, [...scanned(text, name)].map(plain).sort()]);
      }
    }
  });

  test.each([
    ["10,000 characters", "climate ".repeat(1_250)],
    ["200 words", "c ".repeat(100)],
    ["a run of 200 characters", "クジラ".repeat(66)],
    ["wildcards", "*%_?[a-z]*"],
    ["the language of full text queries", '" OR NEAR(a b) AND NOT title:c* ^d + {e}:'],
    ["backquotes and operators of filters", "`] || id:>0 && (["],
    ["NUL", "\0\0cli\0"],
    ["directions", "\u202e\u2066etamilc\u2069"],
    ["emoji", "👩‍👩‍👧‍👦🏳️‍🌈"],
    ["lone surrogates", "\ud83d \udc0b\ud800"],
    ["private characters", "\u{10ffff}\u{10fffe}a"],
    ["combining marks", `c${"\u0301".repeat(150)}`],
    ["blanks", " \t\n\u3000\u200b"],
  ])("hostile: %s are words like others, or none", async (_what, typed) => {
    const all = await made.completing.suggest(GUEST, typed, 10, "en");
    expect(all.every(({ text }) => !text.includes("Secret"))).toBe(true);
  });

  test("a size is held, and every kind has its share of it", async () => {
    expect(await suggested("c", WHO, 1)).toHaveLength(1);
    const three = await suggested("cli", GUEST, 3);
    expect(three.map((each) => each.split(":")[0])).toEqual(["title", "person", "subject"]);
  });
});

describe("R27j titles that begin with what was typed, older than many that have it elsewhere", () => {
  const world = suiteWorld();

  test.each(["さくら", "カエデ"])("%s", async (typed) => {
    const search = await searching(world, await (ENGINES["the embedded index"] as () => Promise<OpenIndex>)());
    closing.push(() => search.close());
    const owner = (await world.person([3])).account?.id ?? 0;
    for (const title of [`${typed}の記録`, ...Array.from({ length: 30 }, (_, at) => `春の${typed} ${at}`)]) {
      await world.items.createAndPublish(WHO, { content: aContent({ metadata: titled(title) }), owner });
    }
    const completing = completion({ finder: search.finder, store: world.store });
    const [first] = await completing.suggest(GUEST, typed, 10, "ja");
    expect(first?.text).toBe(`${typed}の記録`);
    for (const close of closing.splice(0).reverse()) await close();
  });
});
