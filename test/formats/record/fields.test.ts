// Every field of a record in the tools' model: what it takes, how it reports anything else, under which path (R37).
import { describe, expect, test } from "bun:test";
import { openAccess } from "../../../src/formats/record/access.ts";
import type { JsonObject } from "../../../src/shared/json/read.ts";
import { agentOf } from "../../support/cited-items.ts";
import { faultsOf, PERSON, readBody, readMembers, shown, TODAY } from "../../support/record-bodies.ts";

const faults = (members: JsonObject) => faultsOf(readMembers(members));
const MISSING = "Missing data for required field.";
const NULL = "Field may not be null.";
const WRONG_KIND = "Invalid value. Choose one of ['organizational', 'personal'].";
const DATE = "Please provide a valid date or interval.";
const person = (members: JsonObject, others: JsonObject = {}): JsonObject => ({
  creators: [{ person_or_org: { type: "personal", family_name: "Brown", ...members }, ...others }],
});
const org = (members: JsonObject): JsonObject => ({
  creators: [{ person_or_org: { type: "organizational", ...members } }],
});

describe("what a record must state", () => {
  test("S3.6.40: the smallest record is read without a fault", () => {
    expect(faults({})).toEqual([]);
  });

  test("S3.6.40: an empty body lacks type, creators, title and date of publication", () => {
    expect(faultsOf(readBody({ metadata: {} })).toSorted()).toEqual([
      `metadata.creators: ${MISSING}`,
      `metadata.publication_date: ${MISSING}`,
      `metadata.resource_type: ${MISSING}`,
      `metadata.title: ${MISSING}`,
    ]);
    expect(faultsOf(readBody({}))).toEqual(faultsOf(readBody({ metadata: {} })));
  });

  test("S3.6.40: an empty text counts as a missing date of publication, an empty list as missing creators", () => {
    expect(faults({ publication_date: "" })).toEqual([`metadata.publication_date: ${MISSING}`]);
    expect(faults({ creators: [] })).toEqual([`metadata.creators: ${MISSING}`]);
  });

  test.each([
    [{ title: null }, `metadata.title: ${NULL}`],
    [{ title: 3 }, "metadata.title: Not a valid string."],
    [{ creators: null }, `metadata.creators: ${NULL}`],
    [{ creators: {} }, "metadata.creators: Not a valid list."],
    [{ creators: ["Brown"] }, "metadata.creators.0._schema: Invalid input type."],
    [{ resource_type: "dataset" }, "metadata.resource_type._schema: Invalid input type."],
    [{ resource_type: null }, `metadata.resource_type: ${NULL}`],
    [{ resource_type: {} }, `metadata.resource_type.id: ${MISSING}`],
    [{ resource_type: { id: "nothing" } }, "metadata.resource_type.id: Invalid value nothing."],
    [{ foo: "FOO" }, "metadata.foo: Unknown field."],
    [{ __proto: 1 }, "metadata.__proto: Unknown field."],
    [person({ nick: "x" }), "metadata.creators.0.person_or_org.nick: Unknown field."],
  ])("S3.6.41: %j is refused in the words clients know", (members, fault) => {
    expect(faults(members as JsonObject)).toContain(fault);
  });

  test("S3.6.41: every unknown field is reported, not only the first", () => {
    expect(faults({ foo: 1, bar: 2 })).toEqual(["metadata.foo: Unknown field.", "metadata.bar: Unknown field."]);
  });

  test.each(["ab", ""])("S3.6.42: the title %j is too short", (title) => {
    expect(faults({ title })).toEqual(["metadata.title: Shorter than minimum length 3."]);
  });

  test("S3.6.42: three characters are a title, whatever they are made of", () => {
    for (const title of ["abc", "研究論文", "𠮟𠮟𠮟"]) expect(faults({ title })).toEqual([]);
    expect(faults({ title: "𠮟𠮟" })).toEqual(["metadata.title: Shorter than minimum length 3."]);
  });

  test.each([
    "2020",
    "2020-12",
    "2020-12-31",
    "2018/2020-09",
    "2020-01-01/2020-12",
    "2020-12/",
    "/2020-12",
    "1923",
    "2030",
  ])("S3.6.43: %s is a date of publication", (publication_date) => {
    const { metadata, errors } = readMembers({ publication_date });
    expect(errors).toEqual([]);
    expect(metadata.publicationDate).toBe(publication_date);
  });

  test.each([
    "endoftheworld",
    "2021-01/2020-12",
    "2020-13",
    "2020-02-30",
    "2020-12-31T10:00:00Z",
    "31.12.2020",
    "2020/2021/2022",
    "/",
    "500",
  ])("S3.6.43: %s is not a date of publication", (publication_date) => {
    const { metadata, errors } = readMembers({ publication_date });
    expect(errors).toEqual([{ field: "metadata.publication_date", messages: [DATE] }]);
    expect(metadata.publicationDate).toBeUndefined();
  });

  test.each([
    [{ date: "2020-12-31T10:00:00Z", type: { id: "other" } }, []],
    [{ date: "1939/1945", type: { id: "other" }, description: "A date" }, []],
    [{ date: "2020" }, [`metadata.dates.0.type: ${MISSING}`]],
    [{ type: { id: "other" } }, [`metadata.dates.0.date: ${MISSING}`]],
    [{ date: "soon", type: { id: "other" } }, [`metadata.dates.0.date: ${DATE}`]],
    [{ date: "2021-01/2020-12", type: { id: "other" } }, [`metadata.dates.0.date: ${DATE}`]],
    [{ date: "2020", type: { id: "someday" } }, ["metadata.dates.0.type.id: Invalid value someday."]],
  ])("S3.6.44: the date %j gives %j", (date, faulty) => {
    expect(faults({ dates: [date] as JsonObject[] })).toEqual(faulty);
  });

  test("S3.6.44: dates show their type and description, and have a language while they are the same", () => {
    const dates = [
      { date: "1939/1945", type: { id: "other" }, description: "A date" },
      { date: "2020", type: { id: "collected" } },
    ];
    const { metadata, errors } = readMembers({ dates });
    expect(errors).toEqual([]);
    expect(shown(metadata).dates).toMatchObject(dates);
    const japanese = metadata.dates.map((date) => ({ ...date, lang: "ja" }));
    const previous = { metadata: { ...metadata, dates: japanese }, access: openAccess(TODAY) };
    const changed = readMembers({ dates: [{ ...dates[0], date: "1940" }, dates[1] ?? {}] as JsonObject[] }, previous);
    expect(changed.metadata.dates.map(({ date, lang }) => [date, lang])).toEqual([
      ["1940", undefined],
      ["2020", "ja"],
    ]);
  });
});

describe("people", () => {
  test("S3.6.45: the name is made of family and given name, whatever was sent", () => {
    const { metadata } = readMembers(person({ given_name: "Troy", name: "Nobody" }));
    expect(shown(metadata).creators).toEqual([
      { person_or_org: { type: "personal", name: "Brown, Troy", family_name: "Brown", given_name: "Troy" } },
    ]);
    expect(shown(readMembers(person({})).metadata).creators).toEqual([
      { person_or_org: { type: "personal", name: "Brown", family_name: "Brown" } },
    ]);
  });

  test("S3.6.45: a name that was written whole is parted at its first comma, whatever language it is in", () => {
    const named = (full: string) => {
      const agent = agentOf({ kind: null, names: [{ full }] });
      return shown({ ...readMembers({}).metadata, creators: [agent] }).creators;
    };
    expect(named("King, Martin Luther, Jr.")).toMatchObject([
      { person_or_org: { family_name: "King", given_name: "Martin Luther, Jr." } },
    ]);
    expect(named("山田，花子")).toMatchObject([{ person_or_org: { family_name: "山田", given_name: "花子" } }]);
  });

  test("S3.6.45: of an organisation only the name is kept", () => {
    const { metadata, errors } = readMembers(org({ name: "Troy Inc.", family_name: "ignored" }));
    expect(errors).toEqual([]);
    expect(shown(metadata).creators).toEqual([{ person_or_org: { type: "organizational", name: "Troy Inc." } }]);
  });

  test.each([
    [{ creators: [{ person_or_org: { name: "Julio" } }] }, `0.person_or_org.type: ${WRONG_KIND}`],
    [{ creators: [{ person_or_org: { name: "Julio", type: "Invalid" } }] }, `0.person_or_org.type: ${WRONG_KIND}`],
    [person({ family_name: "", given_name: "Julio" }), "0.person_or_org.family_name: Family name cannot be blank."],
    [
      { creators: [PERSON, { person_or_org: { type: "organizational" } }] },
      "1.person_or_org.name: Name cannot be blank.",
    ],
    [{ creators: [{}] }, `0.person_or_org: ${MISSING}`],
  ])("S3.6.45: %j is refused under its path", (members, fault) => {
    expect(faults(members as JsonObject)).toContain(`metadata.creators.${fault}`);
  });

  test.each([
    [{ identifier: "0000-0002-1825-0097" }, { identifier: "0000-0002-1825-0097", scheme: "orcid" }],
    [{ identifier: "https://orcid.org/0000-0002-1825-0097" }, { identifier: "0000-0002-1825-0097", scheme: "orcid" }],
    [{ identifier: "https://ror.org/03yrm5c26" }, { identifier: "03yrm5c26", scheme: "ror" }],
    [{ identifier: "gnd:118604740" }, { identifier: "gnd:118604740", scheme: "gnd" }],
    [{ identifier: "0000 0001 1456 7559" }, { identifier: "0000 0001 1456 7559", scheme: "isni" }],
  ])("S3.6.46: the identifier %j is recognised by its form and has one form", (sent, expected) => {
    const { metadata, errors } = readMembers(person({ identifiers: [sent] }));
    expect(errors).toEqual([]);
    expect(JSON.stringify(shown(metadata))).toContain(JSON.stringify([expected]));
  });

  test.each([
    [[{ identifier: "9999-9999-9999-9999", scheme: "orcid" }], ".0.identifier: Invalid ORCID identifier."],
    [[{ identifier: "9999-9999-9999-9999", scheme: "ror" }], ".0.identifier: Invalid ROR identifier."],
    [[{ identifier: "0000-0002-1825-0097", scheme: "unapproved scheme" }], ".0.scheme: Invalid scheme."],
    [[{ identifier: "03yrm5c27", scheme: "ror" }], ".0.identifier: Invalid ROR identifier."],
    [
      [{ identifier: "https://example.org/0000-0002-1825-0097", scheme: "orcid" }],
      ".0.identifier: Invalid ORCID identifier.",
    ],
    [[{ identifier: "gnd:11860474099", scheme: "gnd" }], ".0.identifier: Invalid GND identifier."],
    [[{ identifier: "nobody" }], ".0.scheme: No valid scheme recognized for identifier."],
    [[{ scheme: "orcid" }], `.0.identifier: ${MISSING}`],
    [
      [
        { identifier: "0000-0002-1825-0097", scheme: "orcid" },
        { identifier: "0000-0001-5109-3700", scheme: "orcid" },
      ],
      ": Only one identifier per scheme is allowed.",
    ],
  ])("S3.6.46: the identifiers %j gives %j", (identifiers, faulty) => {
    expect(faults(person({ identifiers } as JsonObject))).toEqual([
      `metadata.creators.0.person_or_org.identifiers${faulty}`,
    ]);
  });

  test("S3.6.46: of two identifiers of one scheme the first is shown, both are kept", () => {
    const ids = ["0000-0002-1825-0097", "0000-0001-5109-3700"].map((value) => ({ scheme: "ORCID", value }));
    const { metadata } = readMembers({});
    const [creator] = metadata.creators.map((agent) => ({ ...agent, ids }));
    const before = { ...metadata, creators: creator === undefined ? [] : [creator] };
    const { creators } = shown(before);
    expect(creators).toMatchObject([
      { person_or_org: { identifiers: [{ identifier: "0000-0002-1825-0097", scheme: "orcid" }] } },
    ]);
    const previous = { metadata: before, access: openAccess(TODAY) };
    const read = readMembers({ title: "Another story", creators: creators ?? [] }, previous);
    expect(read.errors).toEqual([]);
    expect(read.metadata.creators[0]?.ids).toEqual(ids);
  });

  test("S3.6.47: a contributor needs a role of the vocabulary, a creator may have one", () => {
    const { person_or_org } = PERSON;
    expect(faults({ contributors: [{ person_or_org: person_or_org ?? {} }] })).toEqual([
      `metadata.contributors.0.role: ${MISSING}`,
    ]);
    expect(faults({ contributors: [{ ...PERSON, role: { id: "wizard" } }] })).toEqual([
      "metadata.contributors.0.role.id: Invalid value wizard.",
    ]);
    const { metadata, errors } = readMembers({ contributors: [{ ...PERSON, role: { id: "editor" } }] });
    expect(errors).toEqual([]);
    expect(metadata.contributors[0]?.role).toBe("Editor");
    expect(shown(metadata).contributors).toMatchObject([{ role: { id: "editor", title: { en: "Editor" } } }]);
    const creators = [PERSON, { ...PERSON, role: { id: "datacurator" } }];
    const [bare, named] = readMembers({ creators }).metadata.creators;
    expect([bare?.role, named?.role]).toEqual([undefined, "DataCurator"]);
    expect(shown(readMembers({ creators }).metadata).creators).toMatchObject([{}, { role: { id: "datacurator" } }]);
  });

  test("S3.6.48: an affiliation is an entry or a name; the entry brings its names", () => {
    const { metadata, errors } = readMembers(
      person({}, { affiliations: [{ id: "01ggx4157" }, { name: "free-text" }] }),
    );
    expect(errors).toEqual([]);
    expect(metadata.creators[0]?.affiliations).toEqual([
      {
        names: [
          { value: "CERN", lang: "en" },
          { value: "欧州原子核研究機構", lang: "ja" },
        ],
        ids: [{ scheme: "ROR", value: "01ggx4157" }],
      },
      { names: [{ value: "free-text" }], ids: [] },
    ]);
    expect(shown(metadata).creators).toMatchObject([
      { affiliations: [{ id: "01ggx4157", name: "CERN" }, { name: "free-text" }] },
    ]);
  });

  test("S3.6.48: a ROR id that no entry has needs a name; affiliations of contributors are read like those of creators", () => {
    const affiliations = [{ id: "03yrm5c26", name: "CDL" }, { name: "free-text" }];
    const { metadata, errors } = readMembers({
      ...person({}, { affiliations }),
      contributors: [{ ...PERSON, role: { id: "editor" }, affiliations }],
    });
    expect(errors).toEqual([]);
    for (const people of [shown(metadata).creators, shown(metadata).contributors]) {
      expect(people).toMatchObject([{ affiliations }]);
    }
    expect(faults(person({}, { affiliations: [{ id: "03yrm5c26" }] }))).toEqual([
      "metadata.creators.0.affiliations.0.id: Invalid value 03yrm5c26.",
    ]);
  });

  test("S3.6.48: of an affiliation that is there twice one is kept", () => {
    const affiliations = [{ name: "A" }, { name: "B" }, { name: "A" }];
    const { metadata } = readMembers(person({}, { affiliations }));
    expect(shown(metadata).creators).toMatchObject([{ affiliations: [{ name: "A" }, { name: "B" }] }]);
  });

  test.each([
    [[{ name: "A" }, { name: "A" }], ": Duplicated affiliations: A"],
    [[{ id: "01ggx4157" }, { id: "01ggx4157" }], ": Duplicated affiliations: 01ggx4157"],
    [[{ name: "A" }, { name: "A" }, { name: "B" }, { name: "B" }], ": Duplicated affiliations: A, B"],
    [[{}], ".0.affiliations: An existing id or a free text name must be present."],
    [[{ id: "nowhere" }], ".0.id: Invalid value nowhere."],
  ])("S3.6.48: the affiliations %j gives %j", (affiliations, faulty) => {
    expect(faults(person({}, { affiliations } as JsonObject))).toEqual([`metadata.creators.0.affiliations${faulty}`]);
  });
});

describe("texts and lists", () => {
  test.each([
    [{ title: "AA", type: { id: "other" } }, ".title: Shorter than minimum length 3."],
    [{ title: "A story", lang: { id: "eng" } }, `.type: ${MISSING}`],
    [{ type: { id: "other" } }, `.title: ${MISSING}`],
    [{ title: "A story", type: { id: "other" }, lang: { id: "inv" } }, ".lang.id: Invalid value inv."],
  ])("S3.6.49: the additional title %j gives %j", (title, faulty) => {
    expect(faults({ additional_titles: [title] as JsonObject[] })).toEqual([`metadata.additional_titles.0${faulty}`]);
  });

  test.each([
    [{ description: "ab", type: { id: "methods" } }, ".description: Shorter than minimum length 3."],
    [{ description: "<p>long</p>" }, `.type: ${MISSING}`],
    [{ type: { id: "methods" } }, `.description: ${MISSING}`],
  ])("S3.6.49: the additional description %j gives %j", (description, faulty) => {
    expect(faults({ additional_descriptions: [description] as JsonObject[] })).toEqual([
      `metadata.additional_descriptions.0${faulty}`,
    ]);
  });

  test("S3.6.49: titles and descriptions show type and language with their titles", () => {
    const { metadata, errors } = readMembers({
      additional_titles: [{ title: "ローマ物語", type: { id: "translated-title" }, lang: { id: "jpn" } }],
      additional_descriptions: [{ description: "Bla bla bla", type: { id: "table-of-contents" }, lang: { id: "eng" } }],
    });
    expect(errors).toEqual([]);
    expect(metadata.titles[1]).toEqual({ value: "ローマ物語", kind: "translated", lang: "ja" });
    expect(metadata.descriptions).toEqual([{ value: "Bla bla bla", kind: "TableOfContents", lang: "en", html: false }]);
    expect(shown(metadata)).toMatchObject({
      additional_titles: [
        { type: { id: "translated-title", title: {} }, lang: { id: "jpn", title: { en: "Japanese" } } },
      ],
      additional_descriptions: [{ type: { id: "table-of-contents" }, lang: { id: "eng" } }],
    });
  });

  test("S3.6.49: each type of title and description is kept under its word", () => {
    const titles = ["translated-title", "alternative-title", "subtitle", "other"].map((id) => ({
      title: `A ${id}`,
      type: { id },
    }));
    const descriptions = ["series-information", "table-of-contents", "technical-info", "methods", "other"].map(
      (id) => ({ description: `A ${id}`, type: { id } }),
    );
    const { metadata } = readMembers({ additional_titles: titles, additional_descriptions: descriptions });
    expect(metadata.titles.map(({ kind }) => kind)).toEqual(["main", "translated", "alternative", "subtitle", "other"]);
    expect(metadata.descriptions.map(({ kind }) => kind)).toEqual([
      ...["SeriesInformation", "TableOfContents", "TechnicalInfo", "Methods", "Other"],
    ]);
    expect(shown(metadata)).toMatchObject({ additional_titles: titles, additional_descriptions: descriptions });
  });

  test("S3.6.50: what runs goes out of a description, what is formatting stays", () => {
    const { metadata } = readMembers({
      description:
        '<h1>A description</h1> <p onclick="x()">with <script>alert(1)</script>HTML <a href="javascript:x">tags</a></p>',
    });
    expect(shown(metadata).description).toBe("<h1>A description</h1> <p>with HTML tags</p>");
    expect(metadata.descriptions[0]?.html).toBe(true);
    const additional = [{ description: "<p>of <script>alert(1)</script>it</p>", type: { id: "methods" } }];
    expect(readMembers({ additional_descriptions: additional }).metadata.descriptions).toEqual([
      { value: "<p>of it</p>", kind: "Methods", html: true },
    ]);
    expect(metadata.descriptions[0]?.value).toBe("<h1>A description</h1> <p>with HTML tags</p>");
    const deposited = (value: string, html: boolean) => {
      const descriptions = ["Abstract", "Methods"].map((kind) => ({ value, kind, html }));
      const { description, additional_descriptions } = shown({ ...metadata, descriptions });
      expect(additional_descriptions).toMatchObject([{ description }]);
      return description;
    };
    expect(deposited("<p>of <script>alert(1)</script>it</p>", true)).toBe("<p>of it</p>");
    expect(deposited("1 < 2 < 3 & 5 > 4 > 3", false)).toBe("1 &lt; 2 &lt; 3 &amp; 5 &gt; 4 &gt; 3");
    expect(faults({ description: "<p>a</p>" })).toEqual([]);
    expect(faults({ description: "ab" })).toEqual(["metadata.description: Shorter than minimum length 3."]);
  });

  test("S3.6.51: a subject is an entry or words, a language an entry", () => {
    const { metadata, errors } = readMembers({
      subjects: [{ id: "http://id.nlm.nih.gov/mesh/A-D000007" }, { subject: "custom" }],
      languages: [{ id: "dan" }, { id: "eng" }],
    });
    expect(errors).toEqual([]);
    expect(metadata.subjects[0]?.text).toEqual({ value: "Abdominal Injuries", lang: "en" });
    expect(shown(metadata)).toMatchObject({
      subjects: [
        { id: "http://id.nlm.nih.gov/mesh/A-D000007", subject: "Abdominal Injuries", scheme: "MeSH" },
        { subject: "custom" },
      ],
      languages: [
        { id: "dan", title: { en: "Danish" } },
        { id: "eng", title: { en: "English" } },
      ],
    });
    expect(faults({ subjects: [{}], languages: [{ id: "xx" }] })).toEqual([
      "metadata.subjects.0.subjects: An existing id or a free text subject must be present.",
      "metadata.languages.0.id: Invalid value xx.",
    ]);
  });

  test("S3.6.52: an identifier is there once", () => {
    const doi = { identifier: "10.1234/rdm.9999999", scheme: "doi" };
    expect(faults({ identifiers: [doi, { identifier: "ark:/123/456", scheme: "ark" }] })).toEqual([]);
    // Another work, and the same letters under another scheme.
    expect(faults({ identifiers: [doi, { identifier: "10.1234/rdm.8888888", scheme: "doi" }] })).toEqual([]);
    expect(faults({ identifiers: ["issn", "eissn"].map((scheme) => ({ identifier: "0028-0836", scheme })) })).toEqual(
      [],
    );
    for (const again of [doi, { identifier: "https://doi.org/10.1234/rdm.9999999" }]) {
      const { metadata, errors } = readMembers({ identifiers: [doi, again] });
      expect(errors).toEqual([
        { field: "metadata.identifiers", messages: ["Duplicated identifier entry is not allowed."] },
      ]);
      expect(metadata.identifiers).toEqual([{ scheme: "DOI", value: "10.1234/rdm.9999999" }]);
    }
  });

  test.each([
    [{ identifier: "10.1234/foo" }, [`.relation_type: ${MISSING}`]],
    [{ scheme: "doi", relation_type: { id: "requires" } }, [`.identifier: ${MISSING}`]],
    [{ identifier: "10.1234/foo", scheme: "INVALID", relation_type: { id: "requires" } }, [".scheme: Invalid scheme."]],
    [{ identifier: "10.1234/foo", relation_type: "INVALID" }, [".relation_type._schema: Invalid input type."]],
    [{ identifier: "10.1234/foo", relation_type: { id: "requires" }, extra: "field" }, [".extra: Unknown field."]],
    [{ identifier: "10.1234/foo", relation_type: { id: "requires" }, resource_type: { id: "image-photo" } }, []],
  ])("S3.6.53: the related identifier %j gives %j", (related, faulty) => {
    expect(faults({ related_identifiers: [related] as JsonObject[] })).toEqual(
      faulty.map((each) => `metadata.related_identifiers.0${each}`),
    );
  });

  test("S3.6.53: related works show relation and type, each relation under its word", () => {
    const related_identifiers = [
      ...["isvariantformof", "isoriginalformof", "isobsoletedby", "obsoletes", "cites"].map((id, place) => ({
        identifier: `10.1234/${place}`,
        relation_type: { id },
      })),
      { identifier: "10.1234/x", relation_type: { id: "requires" }, resource_type: { id: "image-photo" } },
    ];
    const { metadata, errors } = readMembers({ related_identifiers });
    expect(errors).toEqual([]);
    expect(metadata.relations.map(({ type }) => type)).toEqual([
      ...["isFormatOf", "hasFormat", "isReplacedBy", "replaces", "Cites", "requires"],
    ]);
    expect(shown(metadata).related_identifiers).toMatchObject(related_identifiers);
  });

  test("S3.6.53: a reference has words, and an identifier perhaps", () => {
    const references = [
      { reference: "Nielsen et al,..", identifier: "0000 0001 1456 7559", scheme: "isni" },
      { reference: "x" },
    ];
    const { metadata, errors } = readMembers({ references });
    expect(errors).toEqual([]);
    expect(shown(metadata).references).toEqual(references);
    expect(faults({ references: [{ identifier: "10.1234/foo" }] })).toEqual([
      `metadata.references.0.reference: ${MISSING}`,
    ]);
  });

  test.each([
    [{ sizes: ["11 pages", ""] }, "metadata.sizes.1: Size cannot be a blank string."],
    [{ formats: [" "] }, "metadata.formats.0: Format cannot be a blank string."],
    [{ version: "x".repeat(192) }, "metadata.version: Longer than maximum length 191."],
    [{ publisher: 3 }, "metadata.publisher: Not a valid string."],
  ])("S3.6.54: %j is refused", (members, fault) => {
    expect(faults(members as JsonObject)).toEqual([fault]);
  });

  test("S3.6.54: sizes, formats, version, publisher and copyright are texts", () => {
    const members = {
      sizes: ["11 pages", "3 MB"],
      formats: ["application/pdf", "text/csv"],
      version: "v1.0",
      publisher: "Acme",
      copyright: "© 2020",
    };
    expect(shown(readMembers(members).metadata)).toMatchObject(members);
    // A publisher of whom only the place is known is passed over.
    const { metadata } = readMembers({});
    const publishers = [{ names: [], place: { value: "Kyoto" } }, { names: [{ value: "Second" }] }];
    expect(shown({ ...metadata, publishers }).publisher).toBe("Second");
  });

  const NO_TITLE = ".rights: An existing id or a free text title must be present";
  const BOTH =
    ".rights: Only an existing id or free text title/description/link is accepted, but not both cases at the same time";
  test.each([
    [{}, [NO_TITLE]],
    [{ title: { en: "Mine" }, link: "creativecommons.org" }, [".link: Not a valid URL."]],
    [{ title: { ena: "Mine" } }, [".title: Not a valid locale.", NO_TITLE]],
    [{ title: { en: "Mine", es: "Mío" } }, [".title: Only one value is accepted.", NO_TITLE]],
    [{ id: "nothing" }, [".id: Invalid value nothing."]],
    [{ id: "cc-by-4.0", title: { en: "Mine" } }, [BOTH]],
    [{ id: "cc-by-4.0", link: "https://example.org/" }, [BOTH]],
  ])("S3.6.55: the licence %j gives %j", (right, faulty) => {
    expect(faults({ rights: [right] as JsonObject[] })).toEqual(faulty.map((each) => `metadata.rights.0${each}`));
  });

  test("S3.6.55: a licence of the vocabulary shows its titles and address, one's own its words", () => {
    const own = {
      title: { en: "A custom license" },
      description: { en: "A description" },
      link: "https://customlicense.org/",
    };
    const { metadata, errors } = readMembers({ rights: [own, { id: "cc-by-4.0" }] });
    expect(errors).toEqual([]);
    expect(metadata.rights.map(({ uri }) => uri)).toEqual([
      "https://customlicense.org/",
      "https://creativecommons.org/licenses/by/4.0/",
    ]);
    expect(shown(metadata).rights).toMatchObject([
      own,
      { id: "cc-by-4.0", title: { en: "Creative Commons Attribution 4.0 International" }, props: { scheme: "spdx" } },
    ]);
  });
});
