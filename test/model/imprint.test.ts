// The book that an imprint names without ISBN (R3, R38): what exports, pages and feeds read as the first or last thing
// a work appeared in.
import { describe, expect, test } from "bun:test";
import { withImprint } from "../../src/model/metadata/imprint.ts";
import { type Container, EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";

const within = (title: string, scheme?: string): Container => ({
  titles: [{ value: title }],
  ids: scheme === undefined ? [] : [{ scheme, value: "1" }],
  place: "flat",
});
const of = (id: string, imprint: unknown, containers: readonly Container[] = []): Metadata => ({
  ...EMPTY_METADATA,
  type: { id },
  containers,
  custom: { "imprint:imprint": imprint as string },
});
const titles = (metadata: Metadata) => withImprint(metadata).containers.map((each) => each.titles[0]?.value ?? null);
const SERIES = within("Series", "ISSN");

describe("withImprint()", () => {
  test.each<[string, Metadata, readonly (string | null)[]]>([
    [
      "the book of a chapter comes before its series",
      of("publication-section", { title: "B" }, [SERIES]),
      ["B", "Series"],
    ],
    ["that of a paper too", of("publication-conferencepaper", { title: "B" }, [SERIES]), ["B", "Series"]],
    ["that of an article comes last", of("publication-article", { title: "B" }, [SERIES]), ["Series", "B"]],
    ["pages without a title come last", of("publication-section", { pages: "5" }, [SERIES]), ["Series", null]],
    [
      "a book with ISBN is the book",
      of("publication-section", { title: "B" }, [SERIES, within("I", "ISBN")]),
      ["I", "Series"],
    ],
    ["the same title appears once", of("publication-section", { title: "Series" }, [SERIES]), ["Series"]],
    ["place and edition are not a book", of("publication-section", { place: "Kyoto" }, [SERIES]), ["Series"]],
    ["nor is an empty one", of("publication-section", { title: " ", pages: "" }), []],
    ["nor another value", of("publication-section", ["B"]), []],
    ["nor numbers", of("publication-section", { title: 7, pages: null }), []],
  ])("R3 R38 %s", (_, metadata, expected) => {
    expect(titles(metadata)).toEqual([...expected]);
  });

  test.each([
    ["10-12", { pageStart: "10", pageEnd: "12" }],
    ["xi–xx", { pageStart: "xi", pageEnd: "xx" }],
    ["5", { pageStart: "5" }],
    ["1-2, 5-7", { pageStart: "1-2, 5-7" }],
  ])("R3 pages %s are %j", (pages, expected) => {
    const { containers } = withImprint(of("publication-section", { title: "B", pages }));
    expect(containers).toEqual([{ titles: [{ value: "B" }], ids: [], ...expected, place: "flat" }]);
  });

  test("R3 metadata without an imprint are the same object", () => {
    const metadata = { ...EMPTY_METADATA, containers: [SERIES] };
    expect(withImprint(metadata)).toBe(metadata);
  });
});
