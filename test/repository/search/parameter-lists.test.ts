// Parameters of item search over items with several values (specification 3, "Query parameters" and rules 3 to 6; R27):
// the second value finds as the first does, and a value of another kind does not.
import { describe, expect, test } from "bun:test";
import type { ItemFile } from "../../../src/model/items/item.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { documentMaker } from "../../../src/repository/search/document/item-document.ts";
import { parametersOf, sortOf, whereOf } from "../../../src/repository/search/query/parameters.ts";
import type { SearchSettings } from "../../../src/repository/search/settings/settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../src/repository/search/settings/shipped-settings.ts";
import { agentOf } from "../../support/cited-items.ts";
import { isTrueOf } from "../../support/naive-index.ts";
import { aContent, aFile } from "../../support/world/items.ts";

const NOW = "2026-11-20T10:00:00.000Z";
const SETTINGS: SearchSettings = {
  ...SHIPPED_SEARCH_SETTINGS,
  fields: {
    ...{ text1: ["editions.value"], text10: ["formats.value"] },
    ...{ integer_range1: ["containers.volume"], integer_range5: ["containers.issue"] },
    ...{ float_range1: ["sizes.value"], float_range5: ["containers.numPages"] },
    ...{ date_range1: ["dates[type=Submitted].date"], date_range5: ["dates[type=Accepted].date"] },
  },
};
const make = documentMaker(SETTINGS);

type Facts = { readonly files?: readonly ItemFile[]; readonly indexes?: readonly (readonly number[])[] };

/** Whether an item that has these metadata, files and lineages of indexes is found. */
function isFound(parameters: string, metadata: Partial<Metadata>, { files = [], indexes = [] }: Facts = {}): boolean {
  const content = aContent({ metadata: { ...EMPTY_METADATA, ...metadata }, files });
  const node = {
    publicState: true,
    publicDate: null,
    browsingRole: [-99],
    browsingGroup: [],
    owner: 1,
    deleted: false,
  };
  const lineages = indexes.map((lineage) => lineage.map((id, at) => ({ ...node, id, parent: lineage[at + 1] ?? 0 })));
  const times = { createdAt: NOW, updatedAt: NOW, publishedAt: NOW };
  const document = make(
    {
      item: {
        ...{ id: 3, parentId: 103, versionIndex: 1, state: "published", revision: 1, content, ark: null },
        ...{ isLatest: true, depositedBy: null, depositedOnBehalfOf: null, ...times },
      },
      parent: { id: 103, owner: 1, shared: [], communities: [], defaultCommunity: null, review: null, latest: 3 },
      ...{ content, lineages: lineages as never, itemType: null, fileTexts: new Map() },
    },
    NOW.slice(0, 10),
  );
  return document !== null && isTrueOf(whereOf(parametersOf(parameters), SETTINGS), document);
}

/** Those of the values of a parameter that find the item. */
const hits = (name: string, values: readonly string[], ...item: [Partial<Metadata>, Facts?]): readonly string[] =>
  values.filter((value) => isFound(new URLSearchParams({ [name]: value }).toString(), ...item));

const agent = (more: Partial<Agent>): Agent => ({
  ...agentOf({ names: [] }),
  ...more,
});
const valuesOf = (list: keyof SearchSettings["choices"]) => SETTINGS.choices[list].map(({ value }) => value);

describe("lists of choices", () => {
  test("S3.1.4 a number names the same choice as long as the lists are the shipped ones", () => {
    expect(valuesOf("sbjscheme").join(" ")).toBe("BSH DDC LCC LCSH MeSH NDC NDLC NDLSH UDC Other SciVal");
    expect(valuesOf("fd_attr").join(" ")).toBe(
      "Accepted Available Collected Copyrighted Created Issued Submitted Updated Valid",
    );
    expect(valuesOf("id_attr").join(" ")).toBe(
      "identifier URI fullTextURL selfDOI ISBN ISSN NCID pmid doi NAID ichushi",
    );
    expect(valuesOf("lang").join(" ")).toBe("jpn eng fra ita deu spa zho rus lat msa epo ara ell kor other");
    expect(valuesOf("version").join(" ")).toBe("accepted published draft submitted updated");
    const types = valuesOf("type");
    expect([13, 14, 15, 16, 17, 24, 33, 34, 37, 38, 45, 46].map((at) => types[at])).toEqual([
      ...["map", "conference object", "conference proceedings", "conference poster", "dataset", "patent", "sound"],
      ...["thesis", "doctoral thesis", "interactive resource", "workflow", "other"],
    ]);
  });

  test.each([
    ["AM", "accepted"],
    ["VoR", "published"],
    ["AO", "draft"],
    ["SMUR", "submitted"],
    ["CVoR", "updated"],
    ["EVoR", "updated"],
  ])("S3.1.27 an item of the version type %s is found by %s alone", (label, word) => {
    expect(hits("version", valuesOf("version"), { versionType: { label } })).toEqual([word]);
  });

  test.each([
    ["journal", "periodical"],
    ["other periodical", "periodical"],
    ["conference output", "conference object"],
    ["conference presentation", "conference object"],
    ["conference proceedings", "conference proceedings"],
    ["papyrus", "other"],
  ])("S3.1.23 an item of the type %s is found by %s alone", (label, word) => {
    expect(hits("type", valuesOf("type"), { type: { id: "x", label } })).toEqual([word]);
  });

  test.each(["by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd"].map((kind, at) => [kind, at] as const))(
    "S3.1.33 CC %s is found by its choice alone, by version",
    (kind, at) => {
      const licensed = (id: string) => hits("license", valuesOf("license"), { rights: [{ id, text: [] }] });
      expect(licensed(`cc-${kind}-4.0`)).toEqual([`license_${at}`]);
      expect(licensed(`cc-${kind}-3.0`)).toEqual([`license_${at + 6}`]);
    },
  );

  test("S3.1.33 every licence of an item and of its files finds it", () => {
    const rights = [
      { id: "cc-by-4.0", text: [] },
      { id: "cc0-1.0", text: [] },
    ];
    const files = [
      aFile("a.pdf", { license: "cc-by-nd-3.0" }),
      aFile("b.pdf", { license: "https://example.org/terms" }),
    ];
    expect(hits("license", valuesOf("license"), { rights }, { files })).toEqual([
      ...["license_12", "license_8", "license_0", "license_free"],
    ]);
    expect(hits("license", valuesOf("license"), {})).toEqual([]);
  });

  test("S3.1.24 every language finds, and one that the list lacks is other", () => {
    expect(hits("lang", valuesOf("lang"), { languages: ["eng", "ell", "tha"] })).toEqual(["eng", "ell", "other"]);
    expect(hits("lang", valuesOf("lang"), { languages: ["kor"] })).toEqual(["kor"]);
  });

  test("S3.1.14 every subject finds under its own scheme", () => {
    const subjects = [
      { text: { value: "one" }, scheme: "NDC" },
      { text: { value: "two" }, scheme: "UDC" },
      { text: { value: "three" }, scheme: "SciVal" },
      { text: { value: "four" } },
    ];
    const found = (subject: string) =>
      valuesOf("sbjscheme").filter((sbjscheme) => isFound(`subject=${subject}&sbjscheme=${sbjscheme}`, { subjects }));
    expect(["one", "two", "three", "four", "five"].map(found)).toEqual([["NDC"], ["UDC"], ["SciVal"], ["Other"], []]);
    expect(isFound("subject=one&subject=two&sbjscheme=NDC,UDC", { subjects })).toBe(true);
    expect(isFound("subject=one&subject=two&sbjscheme=NDC", { subjects })).toBe(false);
  });
});

describe("identifiers and dates", () => {
  const related = (scheme: string, value: string) => ({ type: "isPartOf", ident: { scheme, value }, titles: [] });
  const METADATA: Partial<Metadata> = {
    identifiers: [
      { scheme: "URI", value: "https://example.org/ownone" },
      { scheme: "URI", value: "owntwo", uri: "https://example.org/ownthree" },
    ],
    registration: { scheme: "JaLC", value: "10.5555/registered" },
    relations: [
      ...[related("ISBN", "isbnone"), related("ISBN", "isbntwo"), related("ISSN", "issnrelated")],
      ...[related("NCID", "ncidone"), related("PMID【現在不使用】", "pmidone"), related("pmid", "pmidtwo")],
      ...[related("DOI", "doione"), related("NAID", "naidone"), related("ICHUSHI", "ichushione")],
    ],
    containers: ["ISSN", "PISSN", "EISSN", "ISSN-L", "NCID"].map((scheme) => ({
      ...{ titles: [], place: "grouped" as const },
      ids: [{ scheme, value: `container${scheme.toLowerCase().replace("-", "")}` }],
    })),
  };
  const FILES = [aFile("a.pdf"), aFile("b.pdf", { url: "https://files.example.org/filetwo" })];

  test.each([
    ["ownone", ["URI"]],
    ["ownthree", ["URI"]],
    ["registered", ["selfDOI"]],
    ["filetwo", ["fullTextURL"]],
    ["isbntwo", ["identifier", "ISBN"]],
    ["issnrelated", ["identifier"]],
    ["containerissn", ["ISSN"]],
    ["containerpissn", ["ISSN"]],
    ["containereissn", ["ISSN"]],
    ["containerissnl", ["ISSN"]],
    ["ncidone", ["identifier", "NCID"]],
    ["containerncid", ["NCID"]],
    ["pmidone", ["identifier", "pmid"]],
    ["pmidtwo", ["identifier", "pmid"]],
    ["doione", ["identifier", "doi"]],
    ["naidone", ["identifier", "NAID"]],
    ["ichushione", ["identifier", "ichushi"]],
    ["elsewhere", []],
  ])("S3.1.21 the identifier %s is found under %j alone", (id, kinds) => {
    const found = valuesOf("id_attr").filter((kind) => isFound(`id=${id}&id_attr=${kind}`, METADATA, { files: FILES }));
    expect(found).toEqual([...kinds]);
  });

  test("S3.1.6 S3.1.21 several kinds are OR in any order, several identifiers AND", () => {
    expect(["doi,ISBN", "ISBN,doi"].map((kinds) => isFound(`id=doione&id_attr=${kinds}`, METADATA))).toEqual([
      ...[true, true],
    ]);
    expect(isFound("id=doione&id=isbnone&id_attr=doi,ISBN", METADATA)).toBe(true);
    expect(isFound("id=doione&id=isbnone&id_attr=doi", METADATA)).toBe(false);
  });

  test("S3.1.19 dates of the item and of every file find, each under its own type", () => {
    const dates = [{ date: "2018-12-24", type: "Submitted" }];
    const dated = (date: string, type: string) => aFile(`${date}.pdf`, { dates: [{ date, type }] });
    const files = [dated("2019-01-01", "Available"), dated("2020-02-02", "Valid")];
    const found = (day: string) =>
      valuesOf("fd_attr").filter((type) =>
        isFound(`fd_attr=${type}&filedate_from=${day}&filedate_to=${day}`, { dates }, { files }),
      );
    expect(["20181224", "20190101", "20200202", "20200203"].map(found)).toEqual([
      ...[["Submitted"], ["Available"], ["Valid"], []],
    ]);
  });

  test("S3.1.26 a month of granting is found by its first day and by its last, and not by the day after", () => {
    const degree = { names: [], grantors: [], granted: "2019-02" };
    const found = (from: string, to: string) =>
      isFound(`dategranted_from=${from}&dategranted_to=${to}`, { degree, publicationDate: "2021-05-05" });
    expect([found("20190201", "20190201"), found("20190228", "20190228")]).toEqual([true, true]);
    expect([found("20190301", "20190301"), found("2021", "2021")]).toEqual([false, false]);
  });
});

describe("free fields", () => {
  const METADATA: Partial<Metadata> = {
    editions: [{ value: "editionone" }, { value: "editiontwo" }],
    formats: [{ value: "formatone" }],
    sizes: [{ value: "12.5" }, { value: "99.5" }],
    containers: [
      { titles: [], ids: [], place: "flat", volume: "7", issue: "8.5", numPages: "30.25" },
      { titles: [], ids: [], place: "grouped", volume: "70", issue: "80" },
    ],
    dates: [
      { date: "2018-12-24", type: "Submitted" },
      { date: "2019-12-24", type: "Accepted" },
    ],
  };

  test("S3.1.34 a text finds the words of that field alone, of every value, the last field as the first", () => {
    const words = ["editionone", "editiontwo", "formatone"];
    expect(hits("text1", words, METADATA)).toEqual(["editionone", "editiontwo"]);
    expect(hits("text10", words, METADATA)).toEqual(["formatone"]);
  });

  test.each([
    ["integer_range1", ["7", "70"]],
    ["integer_range5", ["80"]],
    ["float_range1", ["12.5", "99.5"]],
    ["float_range5", ["30.25"]],
    ["date_range1", ["20181224"]],
    ["date_range5", ["20191224"]],
  ])("S3.1.35 S3.1.36 S3.1.37 %s finds by each of its values, and by those of no other field", (name, values) => {
    const all = ["7", "70", "80", "12.5", "99.5", "30.25", "20181224", "20191224"];
    // What is not a number of the kind leaves the parameter out, as everywhere.
    const usable = all.filter((value) => !name.startsWith("integer") || !value.includes("."));
    const dates = usable.filter((value) => name.startsWith("date") === (value.length === 8));
    expect(dates.filter((value) => isFound(`${name}_from=${value}&${name}_to=${value}`, METADATA))).toEqual([
      ...values,
    ]);
  });

  test("S3.1.35 a broken number is not a value of an integer field", () => {
    expect(isFound("integer_range5_from=8&integer_range5_to=9", METADATA)).toBe(false);
  });
});

test("S3.1.16 markup of a description is not words, where it is markup", () => {
  const described = (html: boolean) => ({
    descriptions: [
      { value: "first", kind: "Other", html: false },
      { value: "<strong>abstract</strong>", kind: "Abstract", html },
    ],
  });
  expect(hits("des", ["first", "abstract", "strong"], described(true))).toEqual(["first", "abstract"]);
  expect(hits("des", ["first", "abstract", "strong"], described(false))).toEqual(["first", "abstract", "strong"]);
});

describe("values that are repeated", () => {
  const METADATA: Partial<Metadata> = {
    titles: [
      { value: "One", lang: "en", kind: "main" },
      { value: "Two", lang: "ja", kind: "alternative" },
      { value: "Three", lang: "fr", kind: "other" },
    ],
    temporals: [{ value: "Edo" }, { value: "Meiji" }],
    creators: [
      agent({ ids: [{ scheme: "ORCID", value: "c1" }] }),
      agent({ authorId: 78, ids: [{ scheme: "ORCID", value: "c2" }] }),
    ],
    contributors: [agent({ authorId: 79, ids: [{ scheme: "ORCID", value: "d1" }] })],
  };
  const FACTS: Facts = {
    indexes: [
      [10, 5],
      [20, 6],
    ],
  };

  test.each([
    ["exact_title_match=true&title=One&title=Three", "exact_title_match=true&title=One&title=Four"],
    ["exact_title_match=1&title=Two", "exact_title_match=1&title=two"],
    ["temporal=Edo&temporal=Meiji", "temporal=Edo&temporal=Showa"],
    ["wid=c1&wid=c2", "wid=c1&wid=c3"],
    ["wid=c2", "wid=d1"],
    ["iid=10&iid=6", "iid=10&iid=7"],
    ["iid=20", "iid=30"],
    ["author=78&author=79", "author=78&author=80"],
  ])("S3.1.3 S3.1.6 S3.1.31 S3.1.32 R40 %s finds, %s does not", (finds, misses) => {
    expect([isFound(finds, METADATA, FACTS), isFound(misses, METADATA, FACTS)]).toEqual([true, false]);
  });
});

test("S3.1.7 each sort key orders by its own value", () => {
  const keys = "controlnumber,-wtl,creator,upd,createdate,pyear,publish_date,itemType,temporal";
  expect(sortOf(parametersOf(`sort=${keys}`)).map(({ field, descending }) => (descending ? "-" : "") + field)).toEqual([
    ...["id", "-sorttitle", "sortcreator", "sortupdated", "sortcreated", "sortpublished", "sortopened"],
    ...["sortitemtype", "sorttemporal"],
  ]);
});
