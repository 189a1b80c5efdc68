// "Writing through a narrower interface never erases what that interface cannot show" (R3): one part changed, the
// others as they were; and the rules by which the tools' model and JPCOAR meet, each with a vector.
import { describe, expect, test } from "bun:test";
import { openAccess } from "../../../src/formats/record/access.ts";
import { forNewVersion } from "../../../src/formats/record/record.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import type { JsonObject } from "../../../src/shared/json/read.ts";
import { agentOf } from "../../support/cited-items.ts";
import { readBody, shown, shownCustom, TODAY } from "../../support/record-bodies.ts";

const YAMADA: Agent = {
  kind: "personal",
  names: [
    { family: "Yamada", given: "Hanako", lang: "en" },
    { full: "山田, 花子", lang: "ja" },
    { full: "ヤマダ, ハナコ", lang: "ja-Kana" },
  ],
  alternatives: [{ value: "H. Yamada", lang: "en" }],
  ids: [
    { scheme: "ORCID", value: "https://orcid.org/0000-0002-1825-0097", uri: "https://orcid.org/0000-0002-1825-0097" },
    { scheme: "e-Rad_Researcher", value: "12345678" },
  ],
  emails: ["hanako@example.org"],
  affiliations: [
    {
      names: [
        { value: "Kyoto University", lang: "en" },
        { value: "京都大学", lang: "ja" },
      ],
      ids: [{ scheme: "ISNI", value: "0000 0004 0372 2033" }],
    },
  ],
  authorId: 7,
};

/** An item as SWORD deposits it: much of it no tool can show. */
const DEPOSITED: Metadata = {
  ...EMPTY_METADATA,
  type: {
    id: "publication-article",
    label: "departmental bulletin paper",
    uri: "http://purl.org/coar/resource_type/c_6501",
  },
  titles: [
    { value: "研究論文", lang: "ja", kind: "main" },
    { value: "ケンキュウロンブン", lang: "ja-Kana", kind: "alternative" },
    { value: "A paper", lang: "en", kind: "main" },
  ],
  creators: [YAMADA],
  contributors: [{ ...YAMADA, kind: null, role: "DataCurator" }],
  rightsHolders: [YAMADA],
  accessRights: { label: "open access", uri: "http://purl.org/coar/access_right/c_abf2" },
  apc: "Paid",
  rights: [
    {
      id: "cc-by-4.0",
      text: [{ value: "クリエイティブ・コモンズ", lang: "ja" }],
      uri: "https://creativecommons.org/licenses/by/4.0/",
    },
  ],
  subjects: [{ text: { value: "歴史", lang: "ja" }, scheme: "NDC", uri: "https://example.org/200" }],
  descriptions: [
    { value: "目次", lang: "ja", kind: "TableOfContents", html: false },
    { value: "a < b & c", lang: "en", kind: "Abstract", html: false },
    { value: "抄録", lang: "ja", kind: "Abstract", html: false },
  ],
  publishers: [
    {
      names: [
        { value: "京都大学", lang: "ja" },
        { value: "Kyoto University", lang: "en" },
      ],
      place: { value: "Kyoto" },
      publisherType: "jpcoar",
    },
    { names: [{ value: "Second" }] },
  ],
  dates: [
    { date: "2020-03", type: "Issued" },
    { date: "昭和20年", type: "dcterms", lang: "ja" },
  ],
  languages: ["jpn"],
  identifiers: [
    { scheme: "NAID", value: "110000000001" },
    { scheme: "DOI", value: "https://doi.org/10.5555/x" },
  ],
  registration: { scheme: "JaLC", value: "10.5555/x" },
  relations: [
    { type: "isFormatOf", ident: { scheme: "DOI", value: "10.5555/y" }, titles: [{ value: "Of" }] },
    { type: "isPartOf", titles: [{ value: "Only a title" }] },
  ],
  locations: [
    {
      box: { west: "1", east: "2", south: "3", north: "4.50" },
      places: [{ value: "Kyoto" }, { value: "京都" }],
      ids: [],
    },
  ],
  funding: [
    {
      funder: { names: [{ value: "JSPS" }, { value: "学振", lang: "ja" }], ids: [] },
      stream: { ids: [], names: [{ value: "S" }] },
      award: { number: "1", numberType: "JGN", titles: [{ value: "課題", lang: "ja" }] },
    },
  ],
  containers: [
    {
      titles: [
        { value: "紀要", lang: "ja" },
        { value: "Bulletin", lang: "en" },
      ],
      ids: [
        { scheme: "NCID", value: "AN1" },
        { scheme: "PISSN", value: "0028-0836" },
      ],
      volume: "5",
      pageStart: "1",
      pageEnd: "9",
      issued: "2020",
      place: "grouped",
    },
  ],
  degree: {
    number: "甲1",
    names: [{ value: "博士" }],
    granted: "2020-03-23",
    grantors: [{ names: [{ value: "京都大学" }], ids: [{ scheme: "kakenhi", value: "14301" }] }],
  },
  conferences: [
    {
      names: [{ value: "OR" }],
      sequence: "7",
      sponsors: [{ value: "S" }],
      venues: [],
      places: [{ value: "Tokyo" }],
      country: "JPN",
      date: { text: "May", startYear: "2020" },
    },
  ],
  holdingAgent: { ids: [], names: [{ value: "Library" }] },
  custom: { "30002:item_1.a": "own", "svc:x": 1 },
  extra: [{ format: "jpcoar", path: "/x", value: "kept" }],
};

const BODY: JsonObject = JSON.parse(
  JSON.stringify({ metadata: shown(DEPOSITED), custom_fields: shownCustom(DEPOSITED) }),
);
const previous = { metadata: DEPOSITED, access: openAccess(TODAY) };

function changed(change: (metadata: Record<string, never>) => void): Metadata {
  const body = structuredClone(BODY) as { metadata: Record<string, never> };
  change(body.metadata);
  const read = readBody(body, previous);
  expect(read.errors).toEqual([]);
  return read.metadata;
}

const jsonOf = (metadata: Metadata, member: string) => JSON.stringify(metadata[member as keyof Metadata]);

/** Members of the metadata that are not what they were. */
const others = (metadata: Metadata): readonly string[] =>
  Object.keys({ ...metadata, ...DEPOSITED }).filter((member) => jsonOf(metadata, member) !== jsonOf(DEPOSITED, member));

describe("R3: one part changed, the others as they were", () => {
  test("R3: nothing changed is nothing changed", () => {
    expect(changed(() => {})).toEqual(DEPOSITED);
  });

  // What an answer shows is nested and of many kinds: a change is written as a client writes it.
  type Any = Record<string, ReturnType<typeof JSON.parse>>;
  const cases: readonly [string, string, (shown: Any) => void][] = [
    ["title", "titles", (shown) => (shown.title = "別の論文")],
    ["a second title", "titles", (shown) => (shown.additional_titles[1].title = "Another paper")],
    ["the abstract", "descriptions", (shown) => (shown.description = "<p>New</p>")],
    ["a role", "contributors", (shown) => (shown.contributors[0].role = { id: "editor" })],
    ["an affiliation", "creators", (shown) => (shown.creators[0].affiliations = [{ name: "NII" }])],
    ["a subject", "subjects", (shown) => shown.subjects.push({ subject: "more" })],
    ["publisher", "publishers", (shown) => (shown.publisher = "Acme")],
    ["publication date", "publicationDate", (shown) => (shown.publication_date = "2021")],
    ["languages", "languages", (shown) => (shown.languages = [{ id: "eng" }])],
    ["an identifier", "identifiers", (shown) => shown.identifiers.pop()],
    [
      "related works",
      "relations",
      (shown) => shown.related_identifiers.unshift({ identifier: "10.5555/z", relation_type: { id: "cites" } }),
    ],
    ["a place", "locations", (shown) => (shown.locations.features[0].description = "There")],
    ["the award", "funding", (shown) => (shown.funding[0].award.number = "2")],
    ["type", "type", (shown) => (shown.resource_type = { id: "dataset" })],
    ["rights", "rights", (shown) => delete shown.rights],
  ];
  for (const [name, member, change] of cases) {
    test(`R3: ${name} changed leaves every other member as it was`, () => {
      expect(others(changed(change))).toEqual([member]);
    });
  }

  test("R3: of an entry that is changed the parts that are not stay whole", () => {
    const { creators, contributors } = changed((shown: Any) => {
      shown.creators[0].affiliations = [];
      shown.contributors[0].role = { id: "editor" };
    });
    expect(creators).toEqual([{ ...YAMADA, affiliations: [] }]);
    expect(contributors).toEqual([{ ...YAMADA, kind: null, role: "Editor" }]);
    const { funding } = changed((shown: Any) => (shown.funding[0].funder = { name: "NIH" }));
    expect(funding[0]?.award).toEqual(DEPOSITED.funding[0]?.award);
    const { locations } = changed((shown: Any) => (shown.locations.features[0].place = "Nara"));
    expect(locations[0]?.box).toEqual({ west: "1", east: "2", south: "3", north: "4.50" });
    const { relations } = changed((shown: Any) => (shown.related_identifiers[0].relation_type = { id: "cites" }));
    expect(relations).toEqual([
      { ...relations[0], titles: [{ value: "Of" }], type: "Cites" },
      ...DEPOSITED.relations.slice(1),
    ]);
  });

  test("R3: a name put right keeps who it is by the identifier; somebody else takes nothing over", () => {
    const named = changed((shown: Any) => (shown.creators[0].person_or_org.family_name = "Yamata"));
    expect(named.creators[0]).toEqual({
      ...YAMADA,
      names: [{ family: "Yamata", given: "Hanako", lang: "en" }, ...YAMADA.names.slice(1)],
    });
    const other = changed(
      (shown: Any) =>
        (shown.creators[0] = { person_or_org: { type: "personal", family_name: "Suzuki", given_name: "Ichiro" } }),
    );
    expect(other.creators).toEqual([agentOf({ names: [{ family: "Suzuki", given: "Ichiro" }] })]);
  });

  test("R3: entries that changed places keep their whole values", () => {
    const { titles } = changed((shown: Any) => shown.additional_titles.reverse());
    expect(titles.map(({ value }) => value)).toEqual(["研究論文", "A paper", "ケンキュウロンブン"]);
    expect(titles[2]?.lang).toBe("ja-Kana");
  });

  test("R3: custom fields change their own part of a journal, a degree, a conference", () => {
    const read = (custom_fields: JsonObject) => readBody({ ...BODY, custom_fields }, previous).metadata;
    const shownFields = shownCustom(DEPOSITED);
    const journal = read({
      ...shownFields,
      "journal:journal": { ...(shownFields["journal:journal"] as JsonObject), volume: "6" },
    });
    expect(journal.containers).toEqual([{ ...DEPOSITED.containers[0], volume: "6" } as Metadata["containers"][number]]);
    const meeting = read({ ...shownFields, "meeting:meeting": { title: "OR", dates: "May" } });
    expect(meeting.conferences).toEqual([
      { ...DEPOSITED.conferences[0], places: [] } as unknown as Metadata["conferences"][number],
    ]);
    const thesis = read({ ...shownFields, "thesis:thesis": undefined as never });
    expect(thesis.degree).toEqual({ number: "甲1", names: [], grantors: [] });
    expect(read({}).custom).toEqual(DEPOSITED.custom);
  });
});

describe("R3: rules of the meeting", () => {
  test("R3: the title is the first main title, a second in another language is a translated title", () => {
    expect(shown(DEPOSITED)).toMatchObject({
      title: "研究論文",
      additional_titles: [
        { title: "ケンキュウロンブン", type: { id: "alternative-title" }, lang: { id: "jpn" } },
        { title: "A paper", type: { id: "translated-title" }, lang: { id: "eng" } },
      ],
    });
  });

  test("R3: the description is the first abstract, as HTML; the rest are additional ones", () => {
    expect(shown(DEPOSITED)).toMatchObject({
      description: "a &lt; b &amp; c",
      additional_descriptions: [
        { description: "目次", type: { id: "table-of-contents" } },
        { description: "抄録", type: { id: "abstract" } },
      ],
    });
  });

  test("R3: the date of publication is as stated, else the date Issued, else the day of the degree", () => {
    expect(shown(DEPOSITED).publication_date).toBe("2020-03");
    expect(shown({ ...DEPOSITED, publicationDate: "2019" }).publication_date).toBe("2019");
    expect(shown({ ...DEPOSITED, dates: [] }).publication_date).toBe("2020-03-23");
  });

  test("R3: a resource type keeps the label its id has elsewhere", () => {
    expect(shown(DEPOSITED).resource_type).toMatchObject({ id: "publication-article" });
    expect(changed((shown: Record<string, unknown>) => (shown.title = "Neu")).type?.label).toBe(
      "departmental bulletin paper",
    );
  });

  test("R3: the name is the first entry, others stay next to it", () => {
    expect(shown(DEPOSITED).creators).toMatchObject([
      { person_or_org: { name: "Yamada, Hanako", family_name: "Yamada" } },
    ]);
  });

  test("R3: a licence of the vocabulary by its address, else free text", () => {
    expect(shown(DEPOSITED).rights).toMatchObject([{ id: "cc-by-4.0" }]);
    const words = { ...DEPOSITED, rights: [{ text: [{ value: "All rights reserved", lang: "en" }] }] };
    expect(shown(words).rights).toEqual([{ title: { en: "All rights reserved" } }]);
  });

  test("R3: a new version has no date of publication and no name of its version", () => {
    const next = forNewVersion({ ...DEPOSITED, publicationDate: "2019", versionLabel: "1.0" });
    expect([next.publicationDate, next.versionLabel]).toEqual([undefined, undefined]);
    expect(next.dates).toEqual(DEPOSITED.dates.slice(1));
    expect(
      shown({ ...next, dates: next.dates, ...{ degree: undefined } } as unknown as Metadata).publication_date,
    ).toBeUndefined();
  });
});
