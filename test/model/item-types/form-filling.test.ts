// Which fields have suggestions, and how a suggestion fills in a row (src/model/item-types/suggested-fields.ts,
// form-filling.ts): the shipped types and another one.
import { expect, test } from "bun:test";
import type { ItemTypeDefinition } from "../../../src/model/item-types/definition.ts";
import { type FillMode, fillForm } from "../../../src/model/item-types/form-filling.ts";
import { valuesOf } from "../../../src/model/item-types/form-tree.ts";
import { fromForm } from "../../../src/model/item-types/from-form.ts";
import { readPostedForm } from "../../../src/model/item-types/posted-form.ts";
import { readItemType } from "../../../src/model/item-types/read-definition.ts";
import { suggestedFields } from "../../../src/model/item-types/suggested-fields.ts";
import type { Agent, Metadata } from "../../../src/model/metadata/metadata.ts";
import { FULL, SIMPLE } from "./support.ts";

const OWN = readItemType({
  ...{ format: "arkstone-item-type-1", id: 9, version: 1, name: { en: "Map", ja: "地図" } },
  groups: [
    {
      ...{ key: "drawn", label: { en: "Drawn by" }, repeatable: true, place: "contributors" },
      fields: [
        { key: "remark", label: { en: "Remark" }, kind: "text" },
        {
          ...{ key: "called", label: { en: "Name" }, repeatable: true, place: "names" },
          fields: [{ key: "name", label: { en: "Name" }, kind: "text", place: "full" }],
        },
      ],
    },
    {
      ...{ key: "language", label: { en: "Language" }, repeatable: true, place: "languages" },
      fields: [{ key: "code", label: { en: "Code" }, kind: "text", place: "." }],
    },
    { key: "subject", label: { en: "Subject" }, kind: "text" },
    { key: "shelf", label: { en: "Shelf" }, kind: "text", suggest: "indexes" },
  ],
});

const sourcesOf = (type: ItemTypeDefinition): Readonly<Record<string, string>> =>
  Object.fromEntries([...suggestedFields(type)].map(([{ path }, { source }]) => [path, source]));

/** The values of a form after a suggestion was taken, and what would be replaced. */
function filled(
  type: ItemTypeDefinition,
  typed: Readonly<Record<string, string>>,
  field: string,
  values: readonly unknown[],
  mode: FillMode = "all",
) {
  const { tree } = readPostedForm(Object.entries(typed), type);
  const filling = fillForm(tree, type, field, values, mode);
  if (filling === null) throw new TypeError(`${field} has no suggestions`);
  const { metadata } = fromForm(valuesOf(filling.tree), type);
  const replaced = filling.changes.filter(({ before }) => before !== "").map(({ name }) => name);
  return { metadata, replaced, asks: filling.replaces };
}
const namesIn = ({ creators }: Metadata) => creators.map(({ names }) => names);

const NAMES: Agent["names"] = [
  { full: "山田, 太郎", family: "山田", given: "太郎", lang: "ja" },
  { full: "Yamada, Taro", family: "Yamada", given: "Taro", lang: "en" },
];
const ORCID = { scheme: "ORCID", value: "0000-0002-1825-0097", uri: "https://orcid.org/0000-0002-1825-0097" };
const PERSON: Agent = { kind: "personal", names: NAMES, alternatives: [], ids: [ORCID], emails: [], affiliations: [] };

test("P.140 the place of a field gives its source, in the shipped types and in any other; choices have none", () => {
  expect(sourcesOf(SIMPLE)).toEqual({
    "creator.names.name": "people",
    "creator.affiliations.names.name": "affiliations",
    "subject.text": "subjects",
    "rights.text": "licenses",
    "funding.names.name": "funders",
    "funding.award": "awards",
  });
  const full = Object.values(sourcesOf(FULL)).toSorted();
  expect(full).toEqual([
    ...["affiliations", "affiliations", "affiliations", "awards", "awards", "funders", "journals", "journals"],
    ...["licenses", "people", "people", "people", "people", "people", "subjects"],
  ]);
  expect(sourcesOf(OWN)).toEqual({ "drawn.called.name": "people", "language.code": "languages", shelf: "indexes" });
});

test("P.142 lists that show parts of one name are filled in side by side", () => {
  const [creator, field] = ["item_1617186419668.1", "item_1617186419668.1.familyNames.0.familyName"];
  const typed = { "item_1617186419668.0.creatorNames.0.creatorName": "Doe, Ada", [field]: "yama" };
  const { metadata, asks } = filled(FULL, typed, field, [PERSON]);
  expect([asks, namesIn(metadata), metadata.creators[1]?.ids]).toEqual([
    false,
    [[{ full: "Doe, Ada" }], NAMES],
    [ORCID],
  ]);
  const given = `${creator}.givenNames.0.givenName`;
  expect(filled(FULL, { ...typed, [given]: "Jiro" }, field, [PERSON]).replaced).toEqual([field, given]);
});

test("P.142 names go by language and identifiers by scheme; what belongs to somebody else is replaced or stays", () => {
  const field = "creator.0.names.1.name";
  const typed = {
    ...{ "creator.0.names.0.name": "Suzuki, Jiro", "creator.0.names.0.lang": "en", [field]: "山" },
    ...{ "creator.0.names.2.name": "Szuki", "creator.0.names.2.lang": "fr" },
    ...{ "creator.0.identifiers.0.scheme": "ISNI", "creator.0.identifiers.0.identifier": "0000000121032683" },
  };
  const all = filled(SIMPLE, typed, field, [PERSON]);
  expect([all.asks, all.metadata.creators[0]?.ids]).toEqual([true, [ORCID]]);
  expect(namesIn(all.metadata)[0]?.map(({ full, lang }) => [full, lang])).toEqual([
    ["Yamada, Taro", "en"],
    ["山田, 太郎", "ja"],
  ]);
  const empty = filled(SIMPLE, typed, field, [PERSON], "empty").metadata.creators[0];
  expect(empty?.names.map(({ full, lang }) => [full, lang])).toEqual([
    ["Suzuki, Jiro", "en"],
    ["山田, 太郎", "ja"],
    ["Szuki", "fr"],
  ]);
  expect(empty?.ids.map(({ scheme }) => scheme)).toEqual(["ISNI", "ORCID"]);
});

test("P.142 a field without a place in the row, and other rows, stay as they are", () => {
  const typed = { "drawn.0.called.0.name": "yama", "drawn.0.remark": "In ink", "drawn.1.called.0.name": "Doe, Ada" };
  const { metadata, asks } = filled(OWN, typed, "drawn.0.called.0.name", [PERSON]);
  expect([asks, metadata.custom]).toEqual([false, { "9:drawn[0].remark": "In ink" }]);
  expect(metadata.contributors.map(({ names }) => names.map(({ full }) => full))).toEqual([
    ["山田, 太郎", "Yamada, Taro"],
    ["Doe, Ada"],
  ]);
  expect(filled(OWN, { "language.0.code": "jap" }, "language.0.code", ["jpn"]).metadata.languages).toEqual(["jpn"]);
  const shelf = filled(OWN, { shelf: "riv", subject: "Tides" }, "shelf", ["Papers on rivers"]);
  expect([shelf.asks, shelf.metadata.custom]).toEqual([false, { "9:shelf": "Papers on rivers", "9:subject": "Tides" }]);
});

test("P.140 a definition names a source only where the suggestion is the text of a field without a place", () => {
  const group = { key: "shelf", label: { en: "Shelf" }, kind: "text" };
  const read = (more: object) =>
    readItemType({
      ...{ format: "arkstone-item-type-1", id: 9, version: 1, name: { en: "Map", ja: "地図" } },
      groups: [{ ...group, ...more }],
    });
  expect(read({ suggest: "communities" }).groups[0]?.suggest).toBe("communities");
  expect(() => read({ suggest: "people" })).toThrow("must be one of languages, indexes, communities");
  for (const more of [{ kind: "day" }, { choices: ["a"] }, { place: "versionLabel" }]) {
    expect(() => read({ suggest: "indexes", ...more })).toThrow("is for fields of kind text without place and choices");
  }
});

test("P.142 a journal fills in title and ISSN where the full type has them, flat or grouped", () => {
  const journal = {
    titles: [{ value: "Journal of Tides", lang: "en" }],
    ids: [{ scheme: "ISSN", value: "1234-5679" }],
  };
  const flat = "item_1617186941041.0.subitem_1522650091861";
  const volume = { "item_1617186959569.subitem_1551256328147": "12" };
  const { metadata, asks } = filled(FULL, { [flat]: "tid", ...volume }, flat, [journal]);
  expect([asks, metadata.containers]).toEqual([false, [{ ...journal, volume: "12", place: "flat" }]]);
  const issn = {
    "item_1617186920753.0.subitem_1522646500366": "ISSN",
    "item_1617186920753.0.subitem_1522646572813": "0",
  };
  expect(filled(FULL, { [flat]: "tid", ...issn }, flat, [journal]).replaced).toContain(
    "item_1617186920753.0.subitem_1522646572813",
  );
  const grouped = "item_1617187056579.bibliographic_titles.0.bibliographic_title";
  expect(filled(FULL, { [grouped]: "tid" }, grouped, [journal]).metadata.containers).toEqual([
    { titles: journal.titles, ids: [], place: "grouped" },
  ]);
});

test("P.142 of several wordings of a scheme the one is taken that the item type has room for", () => {
  const field = "item_1617186901218.0.subitem_1522399412622.0.subitem_1522737543681";
  const names = [{ value: "JSPS", lang: "en" }];
  const uri = "https://ror.org/00hhkn466";
  const orgs = ["ROR", "Other"].map((scheme) => ({
    names,
    ids: [{ scheme, value: scheme === "ROR" ? "00hhkn466" : uri }],
  }));
  const { metadata } = filled(FULL, { [field]: "jsp" }, field, orgs);
  expect(metadata.funding[0]?.funder).toEqual({ names, ids: [{ scheme: "Other", value: uri }] });
});
