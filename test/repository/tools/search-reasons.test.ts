// Why a record is a hit, and how a query was understood, in words for models (R27d).
import { describe, expect, test } from "bun:test";
import { reasonMarks, reasonOf, triesFor, understoodAs } from "../../../src/repository/tools/search-reasons.ts";

const METADATA = {
  title: "Coastal Fisheries and the sea",
  additional_titles: [{ title: "沿岸の漁業" }],
  creators: [{ person_or_org: { name: "Moss, Ada" } }, { person_or_org: { name: "Field, Bo" } }],
  subjects: [{ subject: "Fisheries" }, { id: "x" }],
  description: `${"Before there was land. ".repeat(30)}Then came the coastal storms. ${"And rest. ".repeat(30)}`,
};
const reason = (...words: string[]) => reasonOf(METADATA, reasonMarks(words));

describe("R27d the reason of a hit", () => {
  test("names the words by the member they are in, and shows them in the description", () => {
    expect(reason("fisheries")).toBe("title: fisheries; subjects: fisheries");
    expect(reason("moss", "land", "fossils")).toStartWith("creators: moss; description: Before there was land.");
    const [title, described = ""] = reason("coastal").split("; ");
    expect([title, described.includes("Then came the coastal storms."), described.length < 250]).toEqual([
      ...["title: coastal", true, true],
    ]);
    expect(reason("漁業")).toBe("title: 漁業");
  });

  test("stop words are no reason, unless there is nothing else; a word that is nowhere shown is elsewhere", () => {
    expect(reason("the", "fisheries", "and")).toBe("title: fisheries; subjects: fisheries");
    expect(reason("the")).toStartWith("title: the");
    expect(reason("oysters")).toBe("other metadata, the text of a file, or another form of a word");
    expect(reasonOf({}, reasonMarks(["x"]))).toStartWith("other metadata");
    expect(reasonOf({ title: 5, creators: "x", subjects: [null, 3] }, reasonMarks(["x"]))).toStartWith(
      "other metadata",
    );
  });

  test("R27k another form of a word is named", () => {
    expect(reason("fishery")).toBe('title: fisheries; subjects: fisheries; "Fisheries" is another form of "fishery"');
    expect(reason("A Moss")).toBe("other metadata, the text of a file, or another form of a word");
  });
});

test("R27d one sentence states what was searched for, and in which order", () => {
  const one = { mode: "lucene", effective: "", words: [], sort: "newest", isWidened: false, nearest: null } as const;
  expect(understoodAs(one)).toBe("All records, in the order newest.");
  const words = ["tides", "winds"];
  expect(understoodAs({ ...one, words, effective: "tides winds", sort: "bestmatch" })).toBe(
    'Records with any of "tides", "winds"; those with more of them first, best matches first.',
  );
  expect(understoodAs({ ...one, words, effective: "tides AND winds", sort: "bestmatch" })).toBe(
    "Records that match tides AND winds, best matches first.",
  );
  expect(understoodAs({ ...one, words, mode: "words", effective: "tides winds", sort: "oldest" })).toBe(
    'Not a query expression, so taken as words: records with any of "tides", "winds", in the order oldest.',
  );
  expect(understoodAs({ ...one, words: ["水田の歴史"], effective: "水田の歴史", isWidened: true })).toEndWith(
    "Few have it as it is written: records with parts of it follow.",
  );
  const none = { total: 0, words, meant: null, nearest: null };
  expect([triesFor({ ...none, words: ["tides"] })[0], triesFor(none)[0]]).toEqual([
    "another word for the same, or a more general one",
    "fewer words, or more general ones",
  ]);
  expect(triesFor({ ...none, meant: "tides" })[0]).toBe("the nearest words that records have: tides");
});

test("Q.315 records with the nearest word state it, and so does the sentence on the query", () => {
  const nearest = new Map([["fisherys", "fisheries"]]);
  expect(reasonOf(METADATA, reasonMarks(["fisherys", "land"], nearest))).toEndWith(
    '; "Fisheries" is near to "fisherys"',
  );
  const asked = { mode: "lucene", effective: "fisherys", words: ["fisherys"], sort: "bestmatch" } as const;
  const understood = (typedTotal: number) =>
    understoodAs({ ...asked, isWidened: false, nearest: { typedTotal, words: nearest } });
  expect(understood(0)).toEndWith('No record has "fisherys": these have "fisheries".');
  expect(understood(2)).toEndWith('Few have "fisherys": records with "fisheries" follow.');
  const found = { total: 9, words: ["fisherys"], meant: "fisheries", nearest: { typedTotal: 2, words: nearest } };
  expect(triesFor(found)).toEqual([
    "the nearest words that records have: fisheries",
    'exactly the word as it is written: "fisherys"',
  ]);
});
