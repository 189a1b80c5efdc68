// A list of search hits as a table: the columns a request asks for, and the rows made of the hits, page by page
// (specification 3, "List export"; R29).
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GUEST, type Viewer } from "../../../src/auth/account.ts";
import { readRows } from "../../../src/formats/tsv/cells.ts";
import { addressesUnder } from "../../../src/model/items/addresses.ts";
import type { Item, ItemContent } from "../../../src/model/items/item.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { itemTypeReading } from "../../../src/repository/items/item-type-reading.ts";
import { headingOf, LIST_COLUMNS, sentToList } from "../../../src/repository/search/detail/list-columns.ts";
import { listLines } from "../../../src/repository/search/detail/list-rows.ts";
import type { SearchPage } from "../../../src/repository/search/query/finder.ts";
import { parseJson } from "../../../src/shared/json/read.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { ARTICLE } from "../../model/item-types/support.ts";
import { aContent, aFile, titled } from "../../support/world/items.ts";
import { setUpWorld } from "../../support/world.ts";

const column = (roCrateKey: string, name: Readonly<Record<string, string>> = { en: roCrateKey }) => ({
  name,
  roCrateKey,
});

const manyLanguages = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, `Heading ${at}`]));

const readListColumns = (body: unknown) => sentToList(LIST_COLUMNS, body)();

describe("LIST_COLUMNS", () => {
  test("S3.3.1 S3.3.11 1,000 columns and 50 languages are read", () => {
    expect(readListColumns(Array(1_000).fill(column("name")))).toHaveLength(1_000);
    expect(readListColumns([column("name", manyLanguages(50))])[0]?.name.size).toBe(50);
  });

  test("S3.3.1 S3.3.2 S3.3.3 reads a heading for each language and the key; other members are left alone", () => {
    const [title, creator] = readListColumns([
      { name: { en: "title", ja: "タイトル" }, roCrateKey: "subjectOf", width: 7 },
      column("creator"),
    ]);
    expect([title?.key, creator?.key]).toEqual(["subjectOf", "creator"]);
    expect([...(title?.name ?? [])]).toEqual([
      ["en", "title"],
      ["ja", "タイトル"],
    ]);
  });

  test.each<readonly [string, unknown, string]>([
    ["no body", null, "the body must be a list"],
    ["an object", {}, "must be a list"],
    ["a text", "title", 'the body must be a list, not "title"'],
    ["no column", [], "the body must have 1 to 1000 columns, not 0"],
    ["1,001 columns", Array(1_001).fill(column("name")), "the body must have 1 to 1000 columns, not 1001"],
    ["51 languages", [column("name", manyLanguages(51))], "[0].name must have 1 to 50 languages, not 51"],
    ["a column that is none", [column("name"), 7], "[1] must be an object, not 7"],
    ["a column that is null", [null], "[0] must be an object"],
    ["no name", [{ roCrateKey: "name" }], "[0].name must be an object"],
    ["a name that is a text", [{ name: "Title", roCrateKey: "name" }], '[0].name must be an object, not "Title"'],
    ["a name that is a list", [{ name: ["Title"], roCrateKey: "name" }], "[0].name must be an object"],
    ["a name without a language", [column("name", {})], "[0].name must have 1 to 50 languages, not 0"],
    ["a heading that is a number", [{ name: { en: 7 }, roCrateKey: "name" }], '[0].name["en"] must be a string, not 7'],
    ["a heading too long", [column("name", { en: "x".repeat(1_001) })], "may have 1000 characters at most"],
    ["a heading with half a character", [column("name", { en: "\ud800" })], "must be text without NUL"],
    ["a language too long", [column("name", { ["x".repeat(36)]: "Title" })], "may have 35 characters at most"],
    ["no key", [{ name: { en: "Title" } }], "[0].roCrateKey must be a string"],
    ["an empty key", [column("", { en: "Title" })], "[0].roCrateKey must not be empty"],
    ["a key too long", [column("x".repeat(201))], "[0].roCrateKey may have 200 characters at most"],
    ["a key with NUL", [column("a\0")], "must be text without NUL"],
  ])("S3.3.11 R9 %s is refused with the place and the value", (_what, body, message) => {
    expect(() => readListColumns(body)).toThrow(Refusal);
    expect(() => readListColumns(body)).toThrow("Invalid Request Header or Body: ");
    expect(() => readListColumns(body)).toThrow(message);
  });

  test("S3.3.11 R9 whatever JSON is sent is read, or refused as invalid", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        try {
          expect(readListColumns(parseJson(JSON.stringify(json))).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error instanceof Refusal && error.status).toBe(400);
        }
      }),
    );
  });

  test.each([
    ["ja", "題"],
    ["ja-jp", "題"],
    ["en", "Title"],
    ["fr", "Title"],
    ["__proto__", "Title"],
  ])("S3.3.2 S3.3.8 asked for in %s the heading is %s: as asked, else English", (language, heading) => {
    const [title] = readListColumns([column("name", { de: "Titel", ja: "題", en: "Title" })]);
    if (title === undefined) throw new Error("There is a column");
    expect(headingOf(title, language)).toBe(heading);
  });

  test("S3.3.2 S3.3.8 a language is the same in every case", () => {
    const [title] = readListColumns([column("name", { "zh-HANT": "題名", EN: "Title" })]);
    if (title === undefined) throw new Error("There is a column");
    expect(["zh-hant", "en", "fr"].map((language) => headingOf(title, language))).toEqual(["題名", "Title", "Title"]);
  });

  test("S3.3.2 without the language and English it is the first one", () => {
    const [title] = readListColumns([column("name", { de: "Titel", fr: "Titre" })]);
    if (title === undefined) throw new Error("There is a column");
    expect(headingOf(title, "ja")).toBe("Titel");
  });
});

describe("listLines()", () => {
  let owner: Viewer;
  const world = setUpWorld({ repository: true });
  beforeAll(async () => {
    owner = await world.viewer("registered");
  });

  const published = async (fields: Partial<ItemContent>): Promise<Item> =>
    (await world.items.createAndPublish(owner, { content: aContent(fields) })).item;
  const withTitle = (title: string, more: Partial<Metadata> = {}) => published({ metadata: titled(title, more) });

  type Options = {
    readonly viewer?: Viewer;
    readonly language?: string;
    readonly isGuarded?: boolean;
    readonly page?: number;
    /** Done when hits were found and before they are read. */
    readonly between?: () => Promise<unknown>;
    /** Reported how many items were read at once. */
    readonly read?: (count: number) => void;
  };

  /** The table of these items, found in pages of two. */
  async function table(
    items: readonly Item[],
    columns: readonly object[],
    options: Options = {},
  ): Promise<readonly string[]> {
    const { viewer = GUEST, language = "en", isGuarded = true, page = 2, read, between } = options;
    async function* pages(): AsyncGenerator<SearchPage["items"]> {
      for (let at = 0; at < items.length; at += page) {
        const found = await Promise.all(items.slice(at, at + page).map(({ id }) => world.store.items.outline(id)));
        await between?.();
        yield found.filter((each) => each !== null);
      }
    }
    const { store } = world;
    const needs = {
      items: {
        revision: store.items.revision,
        sizes: store.items.sizes,
        items: (ids: readonly number[]) => {
          read?.(ids.length);
          return store.items.items(ids);
        },
      },
      types: itemTypeReading(store),
      addresses: addressesUnder({ base: "https://repo.example.org", resolver: "https://ark.example.org" }),
      isGuarded,
    };
    const lines: string[] = [];
    for await (const text of listLines(pages(), { viewer, columns: readListColumns(columns), language }, needs))
      lines.push(text);
    return lines;
  }
  const rowsOf = async (...asked: Parameters<typeof table>): Promise<readonly (readonly string[])[]> =>
    readRows((await table(...asked)).join(""), "\t").map(({ cells }) => cells);

  test("S3.3.4 the first line has the headings, then each hit one line, in the order they were found", async () => {
    const items = [await withTitle("One"), await withTitle("Two"), await withTitle("Three")];
    const lines = await table(items, [column("name", { en: "Title" }), column("creator", { en: "Creator" })]);
    expect(lines.join("")).toBe("Title\tCreator\nOne\tDoe, Ada\nTwo\tDoe, Ada\nThree\tDoe, Ada\n");
  });

  test("S3.3.4 R29 without a hit there is the line of headings alone", async () => {
    expect((await table([], [column("name", { en: "Title" })])).join("")).toBe("Title\n");
  });

  test("S3.3.3 R29 a cell has the first value of the key on the root; a key without a value leaves it empty", async () => {
    const metadata = {
      ...ARTICLE,
      subjects: [{ text: { value: "History" } }, { text: { value: "Libraries" } }],
      creators: ["Yamada, Taro", "Sato, Jiro"].map((full) => ({
        ...{ kind: "personal" as const, names: [{ full, lang: "en" }], alternatives: [], ids: [], emails: [] },
        affiliations: [],
      })),
    };
    const item = await published({ metadata, files: [aFile("a.txt")] });
    const keys = [
      "name",
      "creator",
      "keywords",
      "datePublished",
      "subjectOf",
      "mainEntity",
      "@id",
      "nothing",
      "__proto__",
      "hasPart",
    ];
    const [, row] = await rowsOf(
      [item],
      keys.map((key) => column(key)),
    );
    expect(row).toEqual([
      "University libraries in Japan",
      "Yamada, Taro",
      "History",
      "2024-04",
      `https://repo.example.org/records/${item.id}`,
      `https://repo.example.org/records/${item.id}/files/a.txt`,
      "./",
      "",
      "",
      "",
    ]);
  });

  test("S3.3.8 values and headings come in the language asked for", async () => {
    const item = await published({ metadata: ARTICLE });
    const columns = [column("name", { en: "Title", ja: "タイトル" })];
    expect(await rowsOf([item], columns, { language: "ja" })).toEqual([["タイトル"], ["日本の大学図書館"]]);
    expect(await rowsOf([item], columns, { language: "fr" })).toEqual([["Title"], ["University libraries in Japan"]]);
  });

  test("S3.3.2 R29 columns with one heading, or one key, stay apart", async () => {
    const item = await withTitle("One");
    const columns = [
      column("name", { en: "Same" }),
      column("creator", { en: "Same" }),
      column("name", { en: "Again" }),
    ];
    expect(await rowsOf([item], columns)).toEqual([
      ["Same", "Same", "Again"],
      ["One", "Doe, Ada", "One"],
    ]);
  });

  test("R29 cells that a spreadsheet would take for a formula are guarded, headings too, unless the setting is off", async () => {
    const items = await Promise.all(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "a=1"].map((title) => withTitle(title)));
    const columns = [column("name", { en: "=Title" })];
    const guarded = (await rowsOf(items, columns)).flat();
    expect(guarded).toEqual(["'=Title", "'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", "a=1"]);
    const plain = (await rowsOf(items, columns, { isGuarded: false })).flat();
    expect(plain).toEqual(["=Title", "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "a=1"]);
  });

  test("S3.3.4 R29 tabs, quotes and line breaks in a cell are quoted; every line ends with a line feed", async () => {
    const item = await withTitle('a\tb "c"\nd');
    const lines = await table([item], [column("name", { en: "Title" }), column("creator")]);
    expect(lines.join("")).toBe('Title\tcreator\n"a\tb ""c""\nd"\tDoe, Ada\n');
  });

  test("S3.3.4 a row of one empty cell is not an empty line, which readers pass over", async () => {
    const item = await withTitle("One");
    expect((await table([item, item], [column("nothing")])).join("")).toBe('nothing\n""\n""\n');
  });

  test("S3.3.4 whatever a title holds, its cell reads back as it was", async () => {
    const titles = fc.sample(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), 60);
    const items = await Promise.all(titles.map((title) => withTitle(title)));
    const rows = await rowsOf(items, [column("name", { en: "Title" }), column("@id")], { isGuarded: false });
    expect(rows.slice(1).map(([title]) => title)).toEqual(titles);
  });

  test("R2g addresses of people are in nobody's list but whose item it is", async () => {
    const type = itemTypeReading(world.store);
    expect((await type.newest(1))?.definition.roCrate?.root.has("email")).toBe(false);
    const definition = {
      format: "arkstone-item-type-1",
      name: { en: "Letters" },
      groups: [{ key: "note", label: { en: "Note" }, kind: "text" }],
      roCrate: { root: { email: "note" } },
    };
    const id = await world.store.transact(async (tx) => {
      const made = { id: 0, name: { en: "Letters", ja: "Letters" }, deleted: false, definition };
      return (await tx.settings.saveItemType(made, world.time.now)).id;
    });
    const metadata = { ...EMPTY_METADATA, custom: { [`${id}:note`]: "ada@example.org" } };
    const item = await published({ itemType: id, metadata });
    const columns = [column("@id"), column("email")];
    expect((await rowsOf([item], columns))[1]).toEqual(["./", ""]);
    expect((await rowsOf([item], columns, { viewer: owner }))[1]).toEqual(["./", "ada@example.org"]);
  });

  test("S3.3.4 R34 a hit is shown as of the revision that was found, and not at all where its type has no mapping", async () => {
    const changed = await withTitle("As it was found");
    const definition = {
      format: "arkstone-item-type-1",
      name: { en: "Bare" },
      groups: [{ key: "t", label: { en: "T" }, kind: "text" }],
    };
    const bare = await world.store.transact(async (tx) => {
      const made = { id: 0, name: { en: "Bare", ja: "Bare" }, deleted: false, definition };
      return (await tx.settings.saveItemType(made, world.time.now)).id;
    });
    const unmapped = await published({ itemType: bare });
    const hide = { ...aContent().access, record: "restricted" as const };
    const between = () =>
      world.items.revise(owner, changed.id, { content: aContent({ metadata: titled("Secret"), access: hide }) });
    expect(await rowsOf([changed, unmapped], [column("name")], { between })).toEqual([["name"], ["As it was found"]]);
  });

  test("R29 the items of a page are read together, and a page is written before the next is asked for", async () => {
    const items = await Promise.all(Array.from({ length: 7 }, (_, at) => withTitle(`Page ${at}`)));
    const read: number[] = [];
    const lines = await table(items, [column("name")], { page: 3, read: (count) => read.push(count) });
    expect([read, lines.length]).toEqual([[3, 3, 1], 4]);
  });
});
