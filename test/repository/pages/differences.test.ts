// What differs between two states of an item, with its limits (R44).
import { expect, test } from "bun:test";
import { contentDifferenceInParts } from "../../../src/repository/pages/differences.ts";
import { runWithoutYielding } from "../../../src/shared/time/event-loop.ts";
import { aContent, titled } from "../../support/world/items.ts";

const LONG = "tide ".repeat(5_000);
const withSubjects = (title: string, last: string, count: number) =>
  aContent({
    metadata: {
      ...titled(title),
      subjects: Array.from({ length: count }, (_, at) => ({ text: { value: `${LONG}${at} ${last}` } })),
    },
  });

test("R44 words are compared up to a number of characters in all; of later values the whole went and came", () => {
  const difference = (count: number) =>
    runWithoutYielding(
      contentDifferenceInParts(withSubjects("Old tides", "old", count), withSubjects("New tides", "new", count), "en"),
    );
  const kindsOf = (count: number, field: string) =>
    difference(count)
      .fields.find((each) => each.field === field)
      ?.values.map((parts) => parts.map(({ kind }) => kind).join(" "));
  const [inWords, whole] = ["same gone new", "gone new"];
  expect(kindsOf(2, "subjects")).toEqual([inWords, inWords]);
  expect(kindsOf(5, "subjects")).toEqual([inWords, inWords, inWords, whole, whole]);
  expect(kindsOf(5, "title")).toEqual(["gone new same"]);
});

test("R44 a main title that changed is one field, another title another", () => {
  const content = (main: string, other: string) => {
    const metadata = titled(main);
    const subtitle = { value: other, lang: "en", kind: "subtitle" } as const;
    return aContent({ metadata: { ...metadata, titles: [...metadata.titles, subtitle] } });
  };
  const fields = (after: ReturnType<typeof aContent>) =>
    runWithoutYielding(contentDifferenceInParts(content("Winds", "Of the north"), after, "en")).fields.map(
      ({ field, values }) => [field, values.length],
    );
  expect(fields(content("Seas", "Of the north"))).toEqual([["title", 1]]);
  expect(fields(content("Winds", "Of the south"))).toEqual([["otherTitles", 1]]);
});
