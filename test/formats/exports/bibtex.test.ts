// BibTeX (R38): whatever a record holds, the entry is read back by another reader of BibTeX, with the record's content.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { texText, writeBibtex } from "../../../src/formats/bibtex/write.ts";
import { citedOf } from "../../../src/formats/citation/cited-item.ts";
import { cslItem } from "../../../src/formats/csl/item.ts";
import type { ExportedRecord } from "../../../src/formats/exported-record.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { bibtexEntries, bibtexMeanings } from "../../support/bibtex-reader.ts";
import { ARTICLE, person } from "../../support/cited-items.ts";
import { RECORD, sampleRecords } from "../../support/exported-records.ts";

// The other reader takes ten milliseconds an entry.
const COUNT = process.env.ARKSTONE_SLOW === "1" ? 2_000 : 300;
const hasBiber = spawnSync("biber", ["--version"]).status === 0;
if (!hasBiber) console.error("biber is not installed: BibTeX is read back by citation-js alone");

const of = (metadata: Partial<Metadata>, more: Partial<ExportedRecord> = {}): string =>
  writeBibtex({ ...RECORD, ...more, metadata: { ...EMPTY_METADATA, ...metadata } }).text;
const body = (text: string): string => text.replace(/^%.*\n/gm, "");
/** One for each list of entry types, and one without. */
const TYPE_IDS =
  "publication-article publication-book publication-conferencepaper publication-conferenceproceeding publication-section publication-preprint publication-workingpaper publication-thesis publication-technicalnote software dataset poster".split(
    " ",
  );
const title = (value: string) => [{ value, kind: "main" as const }];

describe("writeBibtex()", () => {
  test(`S3.6.206 ${COUNT} records of all kinds are read back, one entry each, with their key and title`, () => {
    for (const record of sampleRecords(COUNT)) {
      const { text } = writeBibtex(record);
      const [entry, ...others] = bibtexEntries(text);
      expect([others, entry?.label.endsWith(String(record.id))]).toEqual([[], true]);
      const [meaning] = bibtexMeanings(text);
      expect([meaning?.URL, meaning?.author?.length ?? 0]).toEqual([
        record.arkUrl ?? record.landingPage,
        entry?.type === "proceedings" ? 0 : (cslItem("7", citedOf(record)).author?.length ?? 0),
      ]);
      expect(text).not.toContain("hidden@example.org");
      expect(text).not.toMatch(/[^\P{Cc}\n]/u);
      expect(writeBibtex(structuredClone(record)).text).toBe(text);
    }
  });

  test.skipIf(!hasBiber)("S3.6.206 biber reads them without complaint", () => {
    const folder = mkdtempSync(join(tmpdir(), "arkstone-biber-"));
    try {
      const records = sampleRecords(COUNT).map((record, id) => ({ ...record, id }));
      writeFileSync(join(folder, "all.bib"), records.map((record) => writeBibtex(record).text).join("\n"));
      const { status } = spawnSync("biber", ["--tool", "--quiet", "all.bib"], { cwd: folder });
      expect(status).toBe(0);
      expect(readFileSync(join(folder, "all_bibertool.bib"), "utf8").match(/^@/gm)).toHaveLength(records.length);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("S3.6.206 an article", () => {
    expect(body(of(ARTICLE))).toBe(`@article{adachi_2015_7,
  author       = {Adachi, Jun and
                  Kitsuregawa, Masaru Jean-Luc},
  title        = {Research on Cyber Infrastructure},
  journal      = {Journal of Information Studies},
  year         = 2015,
  volume       = 12,
  number       = 3,
  pages        = {34--57},
  month        = oct,
  issn         = {1880-697X},
  doi          = {10.15017/64495},
  url          = {https://ark.example.org/ark:99999/b1x7},
  language     = {en},
  keywords     = {data mining, 情報爆発},
  abstract     = {An abstract},
}
`);
  });

  const container = [
    { titles: [{ value: "The Whole" }], ids: [], pageStart: "5", pageEnd: "9", place: "flat" as const },
  ];
  const full = {
    titles: title("T"),
    creators: [person("Doe", "Ada")],
    publicationDate: "2020",
    publishers: [{ names: [{ value: "Press" }] }],
  } satisfies Partial<Metadata>;

  test.each<[string, string, Partial<Metadata>, string]>([
    ["a paper of a conference", "publication-conferencepaper", { containers: container }, "inproceedings"],
    ["one without proceedings", "publication-conferencepaper", {}, "misc"],
    ["proceedings", "publication-conferenceproceeding", {}, "proceedings"],
    ["a chapter", "publication-section", { containers: container }, "incollection"],
    [
      "a chapter of no book",
      "publication-section",
      { containers: [{ titles: [], ids: [], pageStart: "5", place: "flat" }] },
      "inbook",
    ],
    ["a chapter without pages", "publication-section", {}, "misc"],
    ["an article", "publication-article", { containers: container }, "article"],
    ["an article in no journal", "publication-article", {}, "misc"],
    ["a preprint with a note", "publication-preprint", { descriptions: [note("n")] }, "unpublished"],
    ["a working paper without", "publication-workingpaper", {}, "misc"],
    ["a thesis", "publication-thesis", { degree: granted("U") }, "phdthesis"],
    ["a dissertation", "publication-dissertation", { degree: granted("U") }, "phdthesis"],
    ["a book", "publication-book", {}, "book"],
    ["a book without an author", "publication-book", { creators: [] }, "booklet"],
    ["a technical note", "publication-technicalnote", {}, "manual"],
    ["software", "software", {}, "software"],
    ["data", "dataset", {}, "dataset"],
    ["a poster", "poster", {}, "misc"],
  ])("S3.6.207 %s (%s)", (_, id, metadata, entry) => {
    expect(bibtexEntries(of({ ...full, ...metadata, type: { id } }))[0]?.type).toBe(entry);
  });

  test.each(TYPE_IDS)("S3.6.207 %s: no field is twice, and what the work appeared in is once", (id) => {
    const text = of({
      ...{ ...full, type: { id }, degree: granted("U"), descriptions: [note("one"), note("two")] },
      containers: [
        { titles: [{ value: "The Whole" }], ids: [], volume: "4", pageStart: "5", pageEnd: "9", place: "flat" },
      ],
    });
    const fields = [...body(text).matchAll(/^ {2}(\w+) += /gm)].map(([, name]) => name);
    expect(fields).toEqual([...new Set(fields)]);
    expect(text.split("The Whole")).toHaveLength(2);
    expect([text.includes("5--9"), text.includes("{one two}")]).toEqual([true, true]);
    const none = of({ ...full, type: { id }, degree: granted("U") });
    expect(none).not.toMatch(/journal|booktitle|pages|note/);
  });

  test("S3.6.207 a master's thesis is one", () => {
    const type = { id: "publication-thesis", label: "master thesis" };
    expect(body(of({ ...full, type, degree: granted("U") }))).toMatch(/^@mastersthesis\{doe_2020_7,/);
  });

  test.each<[string, string]>([
    ["&", "\\&"],
    ["%", "\\%"],
    ["$", "\\$"],
    ["_", "\\_"],
    ["#", "\\#"],
    ["a{b}", "a\\{b\\}"],
    ["~", "\\textasciitilde{}"],
    ["^", "\\textasciicircum{}"],
    ["\\", "\\textbackslash{}"],
    ["a}b{c", "abc"],
    ["情報 é — “x”", "情報 é — “x”"],
    [" a\n\tb ", "a b"],
  ])("S3.6.208 %p is written %p", (text, escaped) => {
    expect(texText(text)).toBe(escaped);
    expect(of({ titles: title(text) })).toContain(escaped);
  });

  test.each([..."\u{FDD0}\u{FDEF}\u{FFFE}\u{FFFF}\u{1FFFF}\u{10FFFE}\u{D800}"])(
    "S3.6.208 U+%# that strict readers refuse is U+FFFD, its neighbours stay",
    (refused) => {
      expect(texText(`a${refused}情🌊`)).toBe("a\u{FFFD}情🌊");
      const text = of({ titles: title(`a${refused}b`), temporals: [{ value: refused }], identifiers: [] });
      expect([text.includes(refused), text.includes("a\u{FFFD}b")]).toEqual([false, true]);
    },
  );

  test("S3.6.208 what TeX would take for its own is read back as it was", () => {
    const text = "50% of $x_1$ & #2 ~ 3^2 \\ {braces}";
    expect(bibtexMeanings(of({ titles: title(text) }))[0]?.title).toBe(text);
  });

  test.each<[string, ReturnType<typeof person>, string]>([
    ["a person", person("de la Cruz", "Ana María"), "{de la Cruz, Ana María}"],
    [
      "an organisation",
      person("", "", { kind: "organizational", names: [{ full: "Barnes and Noble, Inc." }] }),
      "{{Barnes and Noble, Inc.}}",
    ],
    ["a name that is not to be taken apart", person("", "", { names: [{ full: "Taro Yamada" }] }), "{{Taro Yamada}}"],
    ["a family name with the word and", person("Rock and Roll", "A."), "{{Rock and Roll}, A.}"],
    ["a Japanese name", person("", "", { names: [{ full: "山田, 花子" }] }), "{山田, 花子}"],
  ])("S3.6.209 %s", (_, agent, author) => {
    expect(of({ creators: [agent] })).toContain(`author       = ${author}`);
  });

  test.each<[string, Partial<Metadata>, string]>([
    ["family, year and id", full, "doe_2020_7"],
    ["accents away", { ...full, creators: [person("Müller-Łuk", "A")] }, "muller_uk_2020_7"],
    ["letters that are not plain left away", { ...full, creators: [person("山田", "花子")] }, "2020_7"],
    ["no year", { ...full, publicationDate: "soon" }, "doe_7"],
    ["nothing", {}, "7"],
    ["the earlier end of an interval", { ...full, publicationDate: "2018/2020-09" }, "doe_2018_7"],
  ])("S3.6.209 the key: %s", (_, metadata, key) => {
    expect(bibtexEntries(of(metadata))[0]?.label).toBe(key);
  });

  test("R38 what was left out is a comment before the entry, of which no reader makes an entry", () => {
    const text = of({ ...full, temporals: [{ value: "@article{x}" }] });
    expect(text).toMatch(/^% Period covered left out: the format has no place for it\n@misc\{/);
    expect(bibtexEntries(text)).toHaveLength(1);
  });
});

function note(value: string) {
  return { value, kind: "Other", html: false };
}
function granted(university: string) {
  return { names: [], grantors: [{ names: [{ value: university }], ids: [] }] };
}
