// What a stranger deposits holds nothing: every reader over texts and lists so long that looking twice would take
// minutes (R9a).
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { anvlReader } from "../../src/ark/anvl.ts";
import { NOID_LIST } from "../../src/ark/foreign-exports.ts";
import { headerProblem } from "../../src/ark/import-row.ts";
import { SHIPPED_ITEM_TYPES } from "../../src/assets/item-types/index.ts";
import { parseBagInfo, parseManifest } from "../../src/formats/bagit/tag-files.ts";
import { readBibtex } from "../../src/formats/import/bibtex-entries.ts";
import { detectFormat } from "../../src/formats/import/detect.ts";
import { importRis } from "../../src/formats/import/ris.ts";
import { importSchemaOrg } from "../../src/formats/import/schema-org.ts";
import { readJpcoar } from "../../src/formats/jpcoar/read.ts";
import { epubParts } from "../../src/formats/text/packed.ts";
import { readItemTable } from "../../src/formats/tsv/read.ts";
import { identifierKey, nameKey } from "../../src/model/agents/author.ts";
import { goneFrom, missingRequired } from "../../src/model/item-types/checks.ts";
import { type Field, type FormValues, holdsValue } from "../../src/model/item-types/definition.ts";
import { fromForm } from "../../src/model/item-types/from-form.ts";
import { readItemType } from "../../src/model/item-types/read-definition.ts";
import { toForm } from "../../src/model/item-types/to-form.ts";
import { identifierText, storedKeys } from "../../src/model/metadata/duplicate-keys.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { valueWord } from "../../src/repository/search/document/record-fields.ts";
import { tokenSet } from "../../src/repository/search/document/tokens.ts";
import { htmlToText } from "../../src/shared/html/html-text.ts";
import { canParseUrl } from "../../src/shared/http/web-url.ts";
import type { Json } from "../../src/shared/json/json.ts";
import { csvReader } from "../../src/shared/text/csv.ts";
import { boundedCompatible, normalForm, searchedText } from "../../src/shared/text/text.ts";
import type { Row } from "../../src/shared/text/text-lines.ts";
import { runWithoutYielding } from "../../src/shared/time/event-loop.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { checkDistinct } from "../../src/shared/zip/limits.ts";
import { crate, onlyItem, readCrate } from "../formats/linked-data/crates.ts";
import { agentOf } from "../support/cited-items.ts";
import { giantAt } from "../support/giant-metadata.ts";
import { jpcoarOf } from "../support/package-builder.ts";

/** In one pass each takes well under a second; again from every place, minutes to hours. */
const MOST_MS = 5_000;
const ROOT = join(import.meta.dirname, "../..");

/**
 * What a piece of work gives or refuses, which it may not take long over: time of the processor, so that a busy machine
 * makes nothing slow.
 */
function soon(work: () => unknown, most = MOST_MS): unknown {
  const before = process.cpuUsage();
  let outcome: unknown;
  try {
    outcome = work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    outcome = error.message;
  }
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(most);
  return outcome;
}

const MILLION = 1_000_000;

/** Two kinds of marks that normalization sorts: each of the second kind goes before all of the first. */
const marks = (count: number): string => `a${"\u0301".repeat(count / 2)}${"\u0323".repeat(count / 2)}`;

describe("R9a texts whose normal form is long to make or long itself", () => {
  const names: Agent = agentOf({ names: [{ family: marks(10_000), given: "B" }] });
  const metadata = (text: string): Metadata => ({
    ...EMPTY_METADATA,
    titles: [{ value: text, kind: "main" }],
    creators: Array.from({ length: 100 }, () => names),
    identifiers: Array.from({ length: 100 }, (_, at) => ({ scheme: marks(9_000), value: `${at}${marks(9_000)}` })),
  });
  const works: readonly (readonly [string, (text: string) => unknown])[] = [
    ["words of a search index", (text) => tokenSet([text], { characters: 1_000_000, tokens: 20_000 }).size],
    ["the normal form", (text) => normalForm(text, "NFC").length],
    ["the key of a name", nameKey],
    ["the key of an identifier", (text) => identifierKey("ORCID", text)],
    ["keys of duplicates", (text) => runWithoutYielding(storedKeys(metadata(text))).length],
    ["a column that is searched", (text) => searchedText(text).length],
    ["the host of an address", (text) => canParseUrl(`https://${text}.org/`)],
    ["the paths of a ZIP", (text) => checkDistinct([text, `${text}b`])],
    ["a search of records", (text) => valueWord(text)],
  ];
  test.each(works)("R9a %s: a million marks, and 300,000 characters that expand to 18 others", (_, work) => {
    soon(() => work(marks(MILLION)));
    soon(() => work("\ufdfa".repeat(300_000)));
  });

  test("R9a up to 30 marks in a row are normalized as Unicode has it, and so are all other texts", () => {
    for (const text of ["e\u0301", "ﾃﾞｽﾄ", "각", marks(30), `${marks(30)}${marks(30)}`, "ﬁ\ufdfa"]) {
      for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const) {
        expect([text, form, normalForm(text, form)]).toEqual([text, form, text.normalize(form)]);
      }
    }
    expect(normalForm(`${marks(40)}b`, "NFD")).toBe(`a${"\u0323".repeat(10)}${"\u0301".repeat(20)}b`);
    expect(boundedCompatible("ﾃﾞｽﾄ\ufdfa", 4)).toBe("デスト");
  });

  test("R9a no other place normalizes by itself", () => {
    const found = ["src", "db", "plugins"]
      .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true }).map((path) => `${folder}/${path}`))
      // Scripts of pages normalize in the browser that sends.
      .filter((path) => !path.startsWith("src/pages/scripts/"))
      .filter((path) => path.endsWith(".ts") && readFileSync(join(ROOT, path), "utf8").includes(".normalize("));
    expect(found).toEqual(["src/shared/text/text.ts"]);
  });

  test("R9a addresses with an ordinary host are addresses, those with a host that is too long are not", () => {
    const hosts = ["example.org", "日本語.jp", "xn--wgv71a119e.jp", "user:pw@example.org:8080", "a\u0301.example"];
    for (const host of hosts) expect([host, canParseUrl(`https://${host}/x`)]).toEqual([host, true]);
    for (const host of [marks(40), "a".repeat(1_001), "exa mple", "[::"])
      expect([host, canParseUrl(`https://${host}/x`)]).toEqual([host, false]);
    expect(canParseUrl(`\thtt\nps:\\\\u@${marks(40)}/`)).toBe(false);
    expect(canParseUrl(`https://example.org/${"a".repeat(5_000)}`)).toBe(true);
  });
});

describe("R9a long texts", () => {
  test.each([
    ["a million <", "<".repeat(MILLION), MILLION],
    ["a million < before a >", `${"<".repeat(MILLION)}>`, MILLION + 1],
    ["a million <!", "<!".repeat(MILLION), 2 * MILLION],
    ["a million tags", "<p>".repeat(MILLION), 0],
    ["a million scripts that do not end", "<script>".repeat(MILLION), 0],
    ["a million &", "&#".repeat(MILLION), 2 * MILLION],
    ["a million lines", " \n".repeat(MILLION), 0],
  ])("R9a the words of %s", (_, html, length) => {
    expect(soon(() => htmlToText(html).length)).toBe(length);
  });

  test.each(["/", ".", " ", "\t", "ark:", "/ark:a/a", "doi:10.1/", "https://", "%20", "-", "[", "#"])(
    "R9a an identifier of a million %j",
    (piece) => {
      for (const value of [piece.repeat(MILLION), `https://h/${piece.repeat(MILLION)}\tx`]) {
        const text = soon(() => identifierText({ scheme: "URI", value }));
        expect(text === null || typeof text === "string").toBe(true);
      }
    },
  );

  test.each([
    ["a label of a million blanks", `a${" ".repeat(MILLION)}`, "Line 1 of bag-info.txt has no label"],
    ["a label and a million blanks", `a${" ".repeat(MILLION)}: b`, [["a", "b"]]],
    ["a million blanks before a value", `a:${" \t".repeat(MILLION)}b`, [["a", "b"]]],
    ["a million colons", `a${":".repeat(MILLION)}`, [["a", ":".repeat(MILLION - 1)]]],
  ] as const)("R9a bag-info.txt with %s", (_, text, outcome) => {
    expect(soon(() => parseBagInfo(text))).toEqual(outcome);
  });

  test("R9a bag-info.txt with a million lines that go on", () => {
    const [[, value] = ["", ""]] = soon(() => parseBagInfo(`a: b\n${" x\n".repeat(MILLION)}`)) as [string, string][];
    expect(value.length).toBe(1 + 2 * MILLION);
  });

  test("R9a a manifest with a million blanks", () => {
    const text = `${"a".repeat(63)}${" ".repeat(MILLION)}`;
    expect(soon(() => parseManifest(`${text}\n`, "m.txt", "sha256"))).toBe("Line 1 of m.txt is not a hash and a path");
  });

  test.each([" ", "(", "(1", "1)", ")"])("R9a a table whose item type is called %j again and again", (piece) => {
    const text = `#ItemType\tx${piece.repeat(190_000 / piece.length)}x\thttp://x\r\n#.id\r\n`;
    expect(soon(() => readItemTable(text, []))).toContain("is unknown");
  });
});

const people = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, at) => ({ "@id": `#p${at}`, "@type": "Person", name: `Person ${at}` }));
const links = (count: number): readonly Json[] => Array.from({ length: count }, (_, at) => ({ "@id": `#p${at}` }));

describe("R9a many values", () => {
  test("R9a four million keywords in one text are refused before they are split", () => {
    const outcome = soon(() => readCrate(crate({ name: "x", keywords: "a,".repeat(500_000) })));
    expect(outcome).toBe("Cannot take keywords: its text holds more than 10000 values");
    const kept = onlyItem(readCrate(crate({ name: "x", keywords: "a,".repeat(9_999) })));
    expect(kept.metadata.subjects.length).toBeGreaterThan(9_000);
  });

  test("R9a a text of more than a MiB is refused before it is read", () => {
    const outcome = soon(() => readCrate(crate({ name: "x", description: "x".repeat(1_048_577) })));
    expect(outcome).toContain("has 1048577 characters, 1048576 are read at most");
  });

  test("R9a 100,000 authors are refused before one of them is read", () => {
    const document = crate({ name: "x", author: links(99_990) }, ...people(99_990));
    expect(soon(() => readCrate(document))).toContain("a list has 99990 members, 20000 are read at most");
  });

  test("R9a 20,000 authors are read", () => {
    const document = crate({ name: "x", author: links(20_000) }, ...people(20_000));
    const items = soon(() => readCrate(document)) as ReturnType<typeof readCrate>;
    expect(onlyItem(items).metadata.creators.length).toBe(20_000);
  });

  test("R9a a short document that links make long is refused", () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `Name ${at}`);
    const same = Array.from({ length: 20_000 }, () => ({ "@id": "#org" }));
    const document = crate({ name: "x", author: same }, { "@id": "#org", "@type": "Organization", name: names });
    expect(soon(() => readCrate(document))).toBe(
      "Cannot read the graph: entities that many others link to expand it to too many values",
    );
  });

  test("R9a an entity of many types that many link to is refused", () => {
    const types = Array.from({ length: 20_000 }, (_, at) => `Type${at}`);
    const same = Array.from({ length: 20_000 }, () => ({ "@id": "#org" }));
    const document = crate({ name: "x", author: same }, { "@id": "#org", "@type": types, name: "x" });
    expect(soon(() => readCrate(document))).toContain("expand it to too many values");
  });

  test("R9a a long text that many link to is refused", () => {
    const same = Array.from({ length: 10_000 }, () => ({ "@id": "#text" }));
    const document = crate({ name: "x", keywords: same }, { "@id": "#text", name: "x".repeat(1_000_000) });
    expect(soon(() => readCrate(document))).toContain("expand it to too many values");
  });

  test("R9a a table of 10,000 items is refused before one of them is read", () => {
    const row = "\t".repeat(100);
    const head = `#ItemType\tSimple item type(2)${row}\r\n#.id${row}\r\n#\r\n#\r\n#\r\n`;
    const outcome = soon(() => readItemTable(head + `1${row}\r\n`.repeat(9_990), TYPES, 1));
    expect(outcome).toBe("the package describes 9990 items, only one can be registered at a time");
  });

  test("R9a rights in 20,000 languages are one right, read in one pass", () => {
    const rights = Array.from({ length: 20_000 }, (_, at) => right(`x-${at}`)).join("");
    const { item } = soon(() => readJpcoar(record(rights))) as ReturnType<typeof readJpcoar>;
    expect(item.metadata.rights.map(({ text }) => text.length)).toEqual([20_000]);
  });

  test("R9a more than 20,000 elements of one name are refused", () => {
    const outcome = soon(() => readJpcoar(record(right("en").repeat(20_001))));
    expect(outcome).toContain('there are more than 20000 elements "dc:rights"');
  });

  test("R9a more than 100 prefixes in the scope of an element are refused, however many elements declare one", () => {
    const declared = (depth: number): string =>
      Array.from({ length: 60 }, (_, at) => `xmlns:p${depth}-${at}="https://x/${at}"`).join(" ");
    const open = Array.from({ length: 50 }, (_, at) => `<a ${declared(at)}>`).join("");
    const inner = '<b xmlns:q="https://q/"/>'.repeat(100_000);
    expect(soon(() => parseXml(`${open}${inner}${"</a>".repeat(50)}`))).toContain(
      "more than 100 prefixes are declared",
    );
  });

  test("R9a a namespace that many attributes carry has at most 1,000 characters", () => {
    const named = (length: number): string => {
      const attributes = Array.from({ length: 60 }, (_, at) => ` p:a${at}=""`).join("");
      return `<a xmlns:p="${"n".repeat(length)}">${`<b${attributes}/>`.repeat(20_000)}</a>`;
    };
    expect(soon(() => parseXml(named(1_001)))).toContain('" of "xmlns:p" is longer than 1000 characters');
    expect(soon(() => parseXml(named(1_000)).children.length)).toBe(20_000);
  });

  test("R9a a namespace of a JSON-LD context that many terms carry has at most 1,000 characters", () => {
    const terms = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p:t${at}`, "x"]));
    const document = (length: number) => ({
      "@context": ["https://schema.org", { p: `https://schema.org/${"n".repeat(length - 19)}` }],
      "@type": "Book",
      name: "T",
      ...terms,
    });
    expect(soon(() => importSchemaOrg(document(1_000_000), 1_500_000))).toBe(
      `Cannot read the @context: "p": "https://schema.org/${"n".repeat(21)}…" has 1000000 characters, namespaces have at most 1000 characters`,
    );
    expect(soon(() => importSchemaOrg(document(1_000), 1_500_000))).toMatchObject({
      metadata: { titles: [{ value: "T" }] },
    });
  });

  test("R9a an EPUB that names a chapter again and again names it once, and no more chapters than are read", () => {
    const item = (at: number): string => `<item id="c${at}" href="c${at}.xhtml"/><itemref idref="c${at}"/>`;
    const items = Array.from({ length: 20_000 }, (_, at) => item(at)).join("");
    const document = `<package>${item(0)}${'<itemref idref="c0"/>'.repeat(400_000)}${items}</package>`;
    const { paths } = soon(() => epubParts(document, `${"folder/".repeat(140)}book.opf`)) as ReturnType<
      typeof epubParts
    >;
    expect(paths).toHaveLength(10_000);
    expect(paths.slice(0, 2)).toEqual(["c0", "c1"].map((name) => `${"folder/".repeat(140)}${name}.xhtml`));
  });

  test("R9a RIS of many values, long lines and lines without a tag is read in one pass, and its format known at once", () => {
    const values = (tag: string): string => `${tag}  - ${"a, b ".repeat(50)}\n`.repeat(19_000);
    for (const tag of ["AU", "KW", "N1", "SN", "UR", "DA", "XX"]) {
      const text = `TY  - JOUR\n${values(tag)}ER  -`;
      expect(soon(() => importRis(text).length)).toBe(1);
      expect(soon(() => detectFormat(text))).toBe("ris");
    }
    expect(soon(() => importRis(`TY  - JOUR\nAB  - a\n${"x \n".repeat(200_000)}`).length)).toBe(1);
    expect(soon(() => importRis(`TY  - JOUR\nAU  - ${"A".repeat(MILLION)}\nDA  - ${"1".repeat(MILLION)}`).length)).toBe(
      1,
    );
    expect(soon(() => importRis(`${" ".repeat(MILLION)}TY`))).toContain("Line 1: ");
    expect(soon(() => detectFormat("@".repeat(MILLION)))).toBe("bibtex");
  });

  test("R9a macros of BibTeX that each repeat the one before are refused before they are joined", () => {
    const doubling = (levels: number): string => {
      const strings = Array.from({ length: levels }, (_, at) => `@string{m${at + 1} = m${at} # m${at}}\n`);
      return `@string{m0 = "abcdefgh"}\n${strings.join("")}@book{x, title = m${levels}}`;
    };
    const tooDeep = (line: number, level: number) =>
      `Line ${line}: the field "m${level + 1}" with the macro "m${level}" expands the macros of the file to more than 1048576 characters`;
    for (const levels of [27, 29, 60, 10_000]) expect(soon(() => readBibtex(doubling(levels)))).toBe(tooDeep(18, 16));
    const [book] = readBibtex(doubling(14));
    expect(book?.fields.get("title")).toBe("abcdefgh".repeat(2 ** 14));
    // One that is used often counts as often.
    const often = (uses: number) =>
      `@string{j = "${"x".repeat(1_024)}"}${Array.from({ length: uses }, (_, at) => `@book{b${at}, title = {T} # j}`).join("")}`;
    const first = often(999);
    expect(readBibtex(first).map(({ fields }) => fields.get("title")?.length)).toEqual(Array(999).fill(1_025));
    expect(
      soon(() => readBibtex(`@string{j = "${"x".repeat(60_000)}"}${first.slice(first.indexOf("@book"))}`)),
    ).toContain('the field "title" with the macro "j" expands the macros of the file to more than 1048576 characters');
  });
});

const TYPES = SHIPPED_ITEM_TYPES.map((definition, index) => readItemType(definition, { id: index + 1, version: 1 }));
const right = (lang: string): string =>
  `<dc:rights xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xml:lang="${lang}" rdf:resource="https://creativecommons.org/licenses/by/4.0/">Free</dc:rights>`;
const record = (more: string): string => jpcoarOf().replace(/<\/jpcoar:jpcoar>\s*$/, `${more}</jpcoar:jpcoar>`);

describe("R9a forms with many rows", () => {
  const groups = TYPES.flatMap((definition) =>
    definition.groups
      .filter(({ key, repeatable, fields }) => key !== null && repeatable && fields.some((field) => holdsValue(field)))
      .map((group) => ({ definition, group })),
  );

  /** Rows of a group, each with these fields, in this order. */
  const rowsOf = (group: Field, order: readonly number[], fields: readonly Field[]): FormValues =>
    Object.fromEntries(
      order.flatMap((row) =>
        fields.map(({ key, choices }) => [`${group.key}[${row}].${key}`, choices[0]?.value ?? "en"]),
      ),
    );

  test("R9a rows in any order are read in one pass, whatever group they are of", () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => at);
    const odd = [...rows.filter((at) => at % 2 === 1), ...rows.filter((at) => at % 2 === 0)];
    expect(groups.length).toBeGreaterThan(20);
    soon(() => {
      for (const order of [rows.toReversed(), odd]) {
        for (const { definition, group } of groups) {
          const fields = group.fields.filter((field) => holdsValue(field) && !field.repeatable && field.key !== null);
          fromForm(rowsOf(group, order.slice(0, 2_000), fields.slice(0, 3)), definition);
        }
      }
    }, 60_000);
  }, 200_000);

  test("R9a what is missing of an item of 20,000 authors is reported without reading other fields", () => {
    const metadata = giantAt("creators", 20_000, false);
    for (const definition of TYPES) {
      soon(() => missingRequired(metadata, definition), 800);
      expect(missingRequired({ ...metadata, titles: [] }, definition).length).toBeGreaterThan(0);
    }
  });

  test("R9a one author with 10,000 affiliations is shown in a form", () => {
    const metadata = giantAt("creators.affiliations", 10_000, false);
    for (const definition of TYPES)
      expect(Object.keys(soon(() => toForm(metadata, definition)) as object).length).toBeGreaterThan(10);
  });

  test("R9a what a table could not carry of an item of 10,000 descriptions is reported in one pass", () => {
    const lost = Array.from({ length: 10_000 }, (_, at) => ({ path: `descriptions[${at}]`, value: `Gone ${at}` }));
    const now = giantAt("descriptions", 10_000, false);
    expect(soon(() => goneFrom([now, []], lost))).toEqual(lost);
    expect(goneFrom([{ a: ["Gone 1", { b: "Gone 2" }] }], lost.slice(0, 4)).map(({ path }) => path)).toEqual([
      "descriptions[0]",
      "descriptions[3]",
    ]);
  });

  test("R9a elements that an item keeps are found in one pass, also where all state the same", () => {
    for (const isAlike of [true, false]) {
      const before = giantAt("subjects", 500, isAlike);
      const [definition] = TYPES;
      if (definition === undefined) throw new Error("There is an item type");
      const again = soon(() => fromForm(toForm(before, definition), definition, before)) as ReturnType<typeof fromForm>;
      expect(again.metadata.subjects).toEqual(before.subjects);
    }
  });
});

describe("R9a imports and bags", () => {
  test("R9a a line of 250,000 fields, one of them quoted, is read in one pass", () => {
    const rows = soon(() => {
      const reader = csvReader();
      return [...reader.push(`"a"${",".repeat(249_999)}`), ...reader.end()];
    }) as readonly Row<readonly string[]>[];
    expect(rows.map((row) => ("value" in row ? row.value.length : row.wrong))).toEqual([250_000]);
  });

  test("R9a lines with a stray quote look no further than to their end", () => {
    const text = `x"\n`.repeat(300_000);
    const rows = soon(() => [...csvReader().push(text)]) as readonly Row<readonly string[]>[];
    expect(rows.length).toBe(300_000);
  });

  test("R9a a record that goes on for 80,000 lines is put together once", () => {
    const rows = soon(() => {
      const reader = anvlReader(NOID_LIST);
      return [...reader.push(`id: 99999/x\nwho: a\n${" b\n".repeat(80_000)}who: c\n`), ...reader.end()];
    }, 400) as readonly Row<ReadonlyMap<string, string>>[];
    expect(rows.map((row) => ("value" in row ? row.value.get("who")?.length : row.wrong))).toEqual([160_004]);
  });

  test("R9a a heading of 100,000 columns is read once", () => {
    const columns = Array.from({ length: 100_000 }, () => "who");
    expect(soon(() => headerProblem(["ark", ...columns]))).toBe("Column who appears twice");
    expect(soon(() => headerProblem(["ark", "url", "who"]))).toBeNull();
  });
});
