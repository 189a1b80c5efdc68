// What a stranger deposits holds nothing: every reader over texts and lists so long that looking twice would take minutes (R9a).
import { describe, expect, test } from "bun:test";
import process from "node:process";
import { SHIPPED_ITEM_TYPES } from "../../src/assets/item-types/index.ts";
import { headerProblem } from "../../src/ark/import-row.ts";
import { goneFrom, missingRequired } from "../../src/repository/model/item-types/checks.ts";
import { type Field, type FormValues, holdsValue } from "../../src/repository/model/item-types/definition.ts";
import { fromForm } from "../../src/repository/model/item-types/from-form.ts";
import { readItemType } from "../../src/repository/model/item-types/read-definition.ts";
import { toForm } from "../../src/repository/model/item-types/to-form.ts";
import { identifierText } from "../../src/repository/model/duplicate-keys.ts";
import type { Json } from "../../src/shared/json/json.ts";
import { anvlReader } from "../../src/ark/anvl-reader.ts";
import { parseBagInfo, parseManifest } from "../../src/formats/bagit/tag-files.ts";
import { csvReader } from "../../src/shared/csv.ts";
import { NOID_LIST } from "../../src/ark/foreign/noid.ts";
import { htmlToText } from "../../src/shared/html-text.ts";
import { readJpcoar } from "../../src/formats/jpcoar/read.ts";
import type { Row } from "../../src/shared/text-lines.ts";
import { readItemTable } from "../../src/formats/tsv/read.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { crate, onlyItem, readCrate } from "../formats/linked-data/crates.ts";
import { giantAt } from "../support/giant-metadata.ts";
import { jpcoarOf } from "../support/package-builder.ts";

/** In one pass each takes well under a second; again from every place, minutes to hours. */
const MOST_MS = 5_000;

/** What a piece of work gives or refuses, which it may not take long over: time of the processor, so that a busy machine makes nothing slow. */
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
    expect(soon(() => readItemTable(text, []))).toContain("is not known here");
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

  test("R9a a text of more than a MiB is refused before it is looked at", () => {
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
      "Cannot read the graph: entities that many others link to make too many values of it",
    );
  });

  test("R9a an entity of many types that many link to is refused", () => {
    const types = Array.from({ length: 20_000 }, (_, at) => `Type${at}`);
    const same = Array.from({ length: 20_000 }, () => ({ "@id": "#org" }));
    const document = crate({ name: "x", author: same }, { "@id": "#org", "@type": types, name: "x" });
    expect(soon(() => readCrate(document))).toContain("make too many values of it");
  });

  test("R9a a long text that many link to is refused", () => {
    const same = Array.from({ length: 10_000 }, () => ({ "@id": "#text" }));
    const document = crate({ name: "x", keywords: same }, { "@id": "#text", name: "x".repeat(1_000_000) });
    expect(soon(() => readCrate(document))).toContain("make too many values of it");
  });

  test("R9a a table of 10,000 items is refused before one of them is read", () => {
    const row = "\t".repeat(100);
    const head = `#ItemType\tSimple item type(2)${row}\r\n#.id${row}\r\n#\r\n#\r\n#\r\n`;
    const outcome = soon(() => readItemTable(head + `1${row}\r\n`.repeat(9_990), TYPES, 1));
    expect(outcome).toBe("the package describes 9990 items, one at a time is registered");
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

  test("R9a what is missing of an item of 20,000 authors is told without looking at what nothing is asked of", () => {
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

  test("R9a what a table could not carry of an item of 10,000 descriptions is told in one pass", () => {
    const lost = Array.from({ length: 10_000 }, (_, at) => ({ path: `descriptions[${at}]`, value: `Gone ${at}` }));
    const now = giantAt("descriptions", 10_000, false);
    expect(soon(() => goneFrom([now, []], lost))).toEqual(lost);
    expect(goneFrom([{ a: ["Gone 1", { b: "Gone 2" }] }], lost.slice(0, 4)).map(({ path }) => path)).toEqual([
      "descriptions[0]",
      "descriptions[3]",
    ]);
  });

  test("R9a elements that an item keeps are found in one pass, also where all say the same", () => {
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

  test("R9a a heading of 100,000 columns is looked at once", () => {
    const columns = Array.from({ length: 100_000 }, () => "who");
    expect(soon(() => headerProblem(["ark", ...columns]))).toBe("Column who stands twice");
    expect(soon(() => headerProblem(["ark", "url", "who"]))).toBeNull();
  });
});
