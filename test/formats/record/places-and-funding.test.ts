// Places, funding, schemes of identifiers, custom fields, access: what they take, how it reports anything else (R37).
import { describe, expect, test } from "bun:test";
import { writeAccess } from "../../../src/formats/record/access.ts";
import { detectScheme, readIdentifier, SCHEMES, shownIdentifier } from "../../../src/formats/record/identifiers.ts";
import { missingToPublish, type PreviousRecord } from "../../../src/formats/record/record.ts";
import { EMPTY_METADATA } from "../../../src/model/metadata/metadata.ts";
import type { JsonObject } from "../../../src/shared/json/read.ts";
import { most } from "../../../src/shared/limits.ts";
import { agentOf } from "../../support/cited-items.ts";
import {
  faultsOf,
  PERSON,
  readBody,
  readMembers,
  SMALLEST,
  shown,
  shownCustom,
  TODAY,
} from "../../support/record-bodies.ts";

const MISSING = "Missing data for required field.";
const WRONG_COORDINATES = "geometry.coordinates: Not valid coordinates of this type.";
const place = (feature: JsonObject) => readMembers({ locations: { features: [feature] } });
/** Positions written as in WKT: `1 2, 3 4`. */
const positions = (text: string): number[][] => text.split(", ").map((each) => each.split(" ").map(Number));

describe("places", () => {
  test.each([
    { geometry: { type: "Point", coordinates: [-32.94682, -60.63932] } },
    { geometry: { type: "MultiPoint", coordinates: positions("1 2, 3 4") } },
    { geometry: { type: "Polygon", coordinates: [positions("0 0, 1 0, 1 1, 0 1, 0 0")] } },
    { place: "test location place" },
    { description: "test location description" },
    {
      identifiers: [
        { identifier: "Q39", scheme: "wikidata" },
        { identifier: "https://www.geonames.org/2660646", scheme: "geonames" },
      ],
    },
  ])("S3.6.56: %j is a place and shown as it was sent", (feature) => {
    const { metadata, errors } = place(feature as JsonObject);
    expect(errors).toEqual([]);
    expect(shown(metadata).locations).toEqual({ features: [feature] });
  });

  test("S3.6.56: a point is a point of the canonical metadata, which every format prints", () => {
    const { metadata } = place({ geometry: { type: "Point", coordinates: [139.7, 35.6] } });
    expect(metadata.locations).toEqual([{ point: { longitude: "139.7", latitude: "35.6" }, places: [], ids: [] }]);
  });

  test.each([
    [{}, ".locations: At least one of ['geometry', 'place', 'identifiers', 'description'] must be present."],
    [{ geometry: { type: "invalid", coordinates: [1, 2] } }, ".geometry.type: Unsupported value: invalid"],
    [{ geometry: { type: "Point" } }, `.geometry.coordinates: ${MISSING}`],
    [{ geometry: { type: "MultiPoint", coordinates: [1, 2] } }, `.${WRONG_COORDINATES}`],
    [{ geometry: { type: "Point", coordinates: [1, 91] } }, `.${WRONG_COORDINATES}`],
    [{ geometry: { type: "Polygon", coordinates: [positions("0 0, 1 0, 1 1, 0 1")] } }, `.${WRONG_COORDINATES}`],
    [
      { identifiers: [{ identifier: "x", scheme: "wikidata" }] },
      ".identifiers.0.identifier: Invalid Wikidata identifier.",
    ],
  ])("S3.6.56: the place %j gives %j", (feature, faulty) => {
    expect(faultsOf(place(feature as JsonObject))).toEqual([`metadata.locations.features.0${faulty}`]);
  });

  const ring = (west: number, end = `${west} 0`): number[][] =>
    positions(`${west} 0, ${west + 1} 0, ${west + 1} 1, ${end}`);

  test.each([
    ["Point", [180, 90], true],
    ["Point", [-180, -90], true],
    ["Point", [180.1, 0], false],
    ["Point", [-180.1, 0], false],
    ["Point", [0, 90.1], false],
    ["Point", [0, -90.1], false],
    // Longitude comes first.
    ["Point", [90, 91], false],
    ["Point", [91, 90], true],
    ["Point", [1, 2, 8_848.5], true],
    ["Point", [1, 2, -11_034], true],
    ["Point", [1, 2, "3"], false],
    ["Point", [1, 2, 3, 4], false],
    ["Point", [1], false],
    ["Point", [], false],
    ["Point", ["1", "2"], false],
    ["Point", [1, null], false],
    ["Point", [[1, 2]], false],
    ["Point", null, false],
    ["MultiPoint", [[1, 2]], true],
    ["MultiPoint", [], false],
    ["MultiPoint", positions("1 2, 1 91"), false],
    ["MultiPoint", positions("1 2 3, 4 5 6"), true],
    ["LineString", positions("1 2, 3 4"), true],
    ["LineString", positions("1 2"), false],
    ["LineString", positions("1 2, 181 4"), false],
    ["MultiLineString", [positions("1 2, 3 4"), positions("5 6, 7 8")], true],
    ["MultiLineString", [positions("1 2, 3 4"), positions("5 6")], false],
    ["Polygon", [ring(0)], true],
    ["Polygon", [ring(0), ring(5)], true],
    ["Polygon", [ring(0), ring(5, "5 1")], false],
    ["Polygon", [positions("0 0, 1 0, 0 0")], false],
    ["Polygon", ring(0), false],
    ["MultiPolygon", [[ring(0)], [ring(5), ring(7)]], true],
    ["MultiPolygon", [[ring(0)], [ring(5), ring(7, "7 1")]], false],
    ["MultiPolygon", [ring(0)], false],
  ])("S3.6.56: %s with the coordinates %j: %p", (type, coordinates, isValid) => {
    const feature = { geometry: { type, coordinates } } as JsonObject;
    const { metadata, errors } = readMembers({ locations: { features: [{ place: "Before" }, feature] } });
    expect(faultsOf({ errors })).toEqual(isValid ? [] : [`metadata.locations.features.1.${WRONG_COORDINATES}`]);
    if (isValid) expect(shown(metadata).locations).toEqual({ features: [{ place: "Before" }, feature] });
  });

  test("S3.6.56: a point of the model has no height: one with a height is kept as it was sent", () => {
    const geometry = { type: "Point", coordinates: [139.7, 35.6, 12.5] };
    const { metadata } = place({ geometry });
    expect(metadata.locations).toEqual([{ geometry, places: [], ids: [] }]);
    const negative = place({ geometry: { type: "Point", coordinates: [-70.5, -33.25] } });
    expect(negative.metadata.locations).toEqual([
      { point: { longitude: "-70.5", latitude: "-33.25" }, places: [], ids: [] },
    ]);
  });

  test("S3.6.56: a box of another interface is shown as the polygon of its corners, a point as it is", () => {
    const metadata = {
      ...EMPTY_METADATA,
      locations: [
        { box: { west: "10", east: "20.5", south: "-5", north: "30" }, places: [], ids: [] },
        { point: { longitude: "-1.5", latitude: "60" }, places: [], ids: [] },
        { point: { longitude: "", latitude: "60" }, places: [{ value: "Elsewhere" }], ids: [] },
      ],
    };
    expect(shown(metadata).locations).toEqual({
      features: [
        { geometry: { type: "Polygon", coordinates: [positions("10 -5, 20.5 -5, 20.5 30, 10 30, 10 -5")] } },
        { geometry: { type: "Point", coordinates: [-1.5, 60] } },
        { place: "Elsewhere" },
      ],
    });
  });

  test("S3.6.56: features are a list", () => {
    expect(faultsOf(readMembers({ locations: { features: {} } }))).toEqual([
      "metadata.locations.features: Not a valid list.",
    ]);
  });
});

describe("funding", () => {
  test("S3.6.57: funder and award by their entries, or in words", () => {
    const inWords = [
      {
        funder: { name: "Caltech Library" },
        award: {
          number: "111023",
          title: { en: "Launching" },
          identifiers: [
            { identifier: "https://sandbox.zenodo.org/", scheme: "url" },
            { identifier: "10.1234/award", scheme: "doi" },
          ],
        },
      },
      { funder: { name: "A foundation" }, award: { title: { en: "A title alone" } } },
    ];
    const { metadata, errors } = readMembers({
      funding: [{ funder: { id: "00k4n6c32" }, award: { id: "00k4n6c32::755021" } }, ...inWords],
    });
    expect(errors).toEqual([]);
    const award = {
      id: "00k4n6c32::755021",
      number: "755021",
      title: { en: "Personalised treatment", ja: "個別化治療" },
      identifiers: [{ identifier: "https://cordis.example.org/755021", scheme: "url" }],
    };
    expect(shown(metadata).funding).toEqual([
      { funder: { id: "00k4n6c32", name: "European Commission" }, award },
      ...inWords,
    ]);
    expect(metadata.funding[1]?.award?.uri).toBe("https://sandbox.zenodo.org/");
  });

  test.each([
    [{ award: { number: "1" } }, `.funder: ${MISSING}`],
    [{ funder: {} }, ".funder.funder: An existing id or a free text name must be present."],
    [{ funder: { name: "X" }, award: {} }, ".award.award: An existing id or either number or title must be present."],
    [{ funder: { name: "X" }, award: { id: "none" } }, ".award.id: Invalid value none."],
  ])("S3.6.57: the funding %j gives %j", (funding, faulty) => {
    expect(faultsOf(readMembers({ funding: [funding] as JsonObject[] }))).toContain(`metadata.funding.0${faulty}`);
  });
});

describe("schemes of identifiers", () => {
  test.each(["works", "people", "places", "awards"] as const)("S3.6.58: no form of %s is any text", (set) => {
    expect(["some words", "12 or so", "ABC-1"].map((text) => detectScheme(set, text))).toEqual([null, null, null]);
  });

  test.each([
    ["10.1234/foo.bar", "doi", "10.1234/foo.bar"],
    ["doi:10.1234/foo", "doi", "10.1234/foo"],
    ["https://dx.doi.org/10.1234/foo", "doi", "10.1234/foo"],
    ["ark:/13030/tf5p30086k", "ark", "ark:/13030/tf5p30086k"],
    ["https://n2t.net/ark:13030/tf5p30086k", "ark", "ark:13030/tf5p30086k"],
    ["https://hdl.handle.net/2433/12345", "handle", "2433/12345"],
    ["hdl:2433/12345", "handle", "2433/12345"],
    ["http://purl.org/dc/terms/", "purl", "http://purl.org/dc/terms/"],
    ["urn:lsid:ubio.org:namebank:11815", "lsid", "urn:lsid:ubio.org:namebank:11815"],
    ["urn:nbn:de:101:1-201102033592", "urn", "urn:nbn:de:101:1-201102033592"],
    ["1924MNRAS..84..308E", "ads", "1924MNRAS..84..308E"],
    ["arXiv:2001.01234v2", "arxiv", "arXiv:2001.01234v2"],
    ["math.GT/0309136", "arxiv", "arXiv:math/0309136"],
    ["978-3-905673-82-1", "isbn", "978-3-905673-82-1"],
    ["0-306-40615-2", "isbn", "9780306406157"],
    ["1562-6865", "issn", "1562-6865"],
    ["15626865", "issn", "1562-6865"],
    ["4006381333931", "ean13", "4006381333931"],
    ["0A9200212B4A1057", "istc", "0A9200212B4A1057"],
    ["pmid:12082125", "pmid", "12082125"],
    ["Q39", "wikidata", "Q39"],
    ["https://example.org/x", "url", "https://example.org/x"],
    ["RRID:AB_90755", "rrid", "RRID:AB_90755"],
    ["cstr:31253.11.sciencedb", "cstr", "31253.11.sciencedb"],
    ["https://www.cstr.cn/31253.11.sciencedb", "url", "https://www.cstr.cn/31253.11.sciencedb"],
  ])("S3.6.58: %s is recognised as %s", (written, scheme, value) => {
    expect(detectScheme("works", written)).toBe(scheme);
    expect(readIdentifier("works", scheme, written)).toMatchObject({ value });
  });

  test("S3.6.58: each scheme of the list is there, and only those", () => {
    const list =
      "ark arxiv ads crossreffunderid cstr doi ean13 eissn grid handle igsn isbn isni issn istc lissn lsid other pmid purl rrid upc url urn wikidata w3id";
    expect(Object.keys(SCHEMES.works).toSorted()).toEqual(list.split(" ").toSorted());
    expect(Object.keys(SCHEMES.people).toSorted()).toEqual(["gnd", "isni", "orcid", "ror"]);
  });

  test.each([
    ["doi", "11.1234/foo"],
    ["issn", "1562-6866"],
    ["isbn", "978-3-905673-82-2"],
    ["pmid", "x12"],
    ["ark", "13030/x"],
    ["url", "example.org"],
    ["wikidata", "P39"],
    ["arxiv", "1.2"],
    ["eissn", "1562-6866"],
    ["lissn", "1562-6866"],
    ["istc", "0A9200212B4A1058"],
    ["ean13", "4006381333932"],
    ["isbn", "0-306-40615-3"],
  ])("S3.6.58: under %s %s is none", (scheme, written) => {
    expect(readIdentifier("works", scheme, written)).toBe("identifier");
  });

  test.each([
    [{ scheme: "DOI", value: "https://doi.org/10.5555/x" }, "10.5555/x", "doi"],
    [{ scheme: "PISSN", value: "1562-6865" }, "1562-6865", "issn"],
    [{ scheme: "NAID", value: "110000000001" }, "110000000001", "other"],
    [{ scheme: "URI", value: "", uri: "https://example.org/" }, "https://example.org/", "url"],
  ])("S3.6.58: %j, which another interface wrote, is shown as %s of %s", (ident, identifier, scheme) => {
    expect(shownIdentifier("works", ident)).toEqual({ identifier, scheme });
  });
});

describe("custom fields", () => {
  const FIELDS = {
    "journal:journal": { title: "Nature", issue: "7", volume: "645", pages: "15-23", issn: "0028-0836" },
    "imprint:imprint": { title: "Proceedings", isbn: "978-3-905673-82-1", pages: "1-2", place: "Geneva", edition: "3" },
    "thesis:thesis": {
      university: "Kyoto University",
      department: "Physics",
      type: "PhD",
      date_submitted: "2020-01",
      date_defended: "2020-03-23",
    },
    "meeting:meeting": {
      title: "Open Repositories",
      acronym: "OR",
      dates: "21-22 November 2022",
      place: "Tokyo",
      session: "VI",
      session_part: "1",
      url: "https://example.org/or",
      identifiers: [{ identifier: "10.1234/or", scheme: "doi" }],
    },
    "code:codeRepository": "https://example.org/code",
    "code:programmingLanguage": [{ id: "python" }],
  };

  test("S3.6.59: every family is shown as it was sent", () => {
    const { metadata, errors } = readBody({ metadata: SMALLEST, custom_fields: FIELDS });
    expect(errors).toEqual([]);
    expect(shownCustom(metadata)).toEqual(FIELDS);
  });

  test("S3.6.59: a book without ISBN, one page and code in several words are shown as they were sent", () => {
    const fields = {
      "journal:journal": { title: "Nature", pages: "e12" },
      "imprint:imprint": { title: "Proceedings", pages: "1-2", place: "Geneva" },
      "code:programmingLanguage": [{ id: "python" }, "our own language"],
    };
    const { metadata, errors } = readBody({ metadata: SMALLEST, custom_fields: fields });
    expect(errors).toEqual([]);
    expect(shownCustom(metadata)).toEqual(fields);
    const container = { titles: [{ value: "Nature" }], ids: [{ scheme: "EISSN", value: "1476-4687" }], place: "flat" };
    expect(shownCustom({ ...metadata, containers: [container as (typeof metadata.containers)[number]] })).toMatchObject(
      {
        "journal:journal": { title: "Nature", issn: "1476-4687" },
      },
    );
  });

  test("S3.6.59: what is wrong in a family is left out, the rest of it is kept", () => {
    const { metadata, errors } = readBody({
      metadata: SMALLEST,
      custom_fields: {
        "thesis:thesis": { university: "Kyoto University", date_submitted: "soon", date_defended: "2020" },
        "meeting:meeting": { title: "OR", url: "example" },
        "code:x": 3,
        "code:y": ["python", 3],
        "code:z": "x".repeat(20_001),
      },
    });
    expect(faultsOf({ errors })).toEqual([
      "custom_fields.thesis:thesis.date_submitted: Please provide a valid date or interval.",
      "custom_fields.meeting:meeting.url: You must provide a valid URL.",
      "custom_fields.code:x: Not a valid string.",
      "custom_fields.code:y: Not a valid string.",
      "custom_fields.code:z: Not a valid string.",
    ]);
    expect(shownCustom(metadata)).toEqual({
      "thesis:thesis": { university: "Kyoto University", date_defended: "2020" },
      "meeting:meeting": { title: "OR" },
    });
  });

  test("S3.6.59: what the canonical metadata have a place for is there", () => {
    const { metadata } = readBody({ metadata: SMALLEST, custom_fields: FIELDS });
    expect(metadata.containers).toMatchObject([
      { titles: [{ value: "Nature" }], ids: [{ scheme: "ISSN", value: "0028-0836" }], volume: "645", issue: "7" },
      { titles: [{ value: "Proceedings" }], ids: [{ scheme: "ISBN", value: "978-3-905673-82-1" }] },
    ]);
    expect(metadata.containers.map(({ pageStart, pageEnd, place }) => [pageStart, pageEnd, place])).toEqual([
      ["15", "23", "flat"],
      ["1", "2", "flat"],
    ]);
    expect(metadata.degree).toEqual({
      names: [{ value: "PhD" }],
      grantors: [{ names: [{ value: "Kyoto University" }], ids: [] }],
      granted: "2020-03-23",
    });
    expect(metadata.conferences[0]?.names).toEqual([{ value: "Open Repositories" }]);
    expect(metadata.editions).toEqual([{ value: "3" }]);
  });

  test.each([
    [{ "journal:journal": { title: "X", issn: "1234-5678" } }, "journal:journal.issn: Please provide a valid ISSN."],
    [{ "imprint:imprint": { isbn: "1" } }, "imprint:imprint.isbn: Please provide a valid ISBN."],
    [{ "meeting:meeting": { url: "example" } }, "meeting:meeting.url: You must provide a valid URL."],
    [
      { "thesis:thesis": { date_defended: "soon" } },
      "thesis:thesis.date_defended: Please provide a valid date or interval.",
    ],
    [{ "journal:journal": { colour: "red" } }, "journal:journal.colour: Unknown field."],
    [{ "shop:price": 3 }, "shop:price: Unknown field."],
  ])("S3.6.59: %j gives %j", (custom_fields, faulty) => {
    expect(faultsOf(readBody({ metadata: SMALLEST, custom_fields: custom_fields as JsonObject }))).toEqual([
      `custom_fields.${faulty}`,
    ]);
  });

  test("S3.6.59: custom fields that are left out are untouched, an empty object takes away what is shown", () => {
    const first = readBody({ metadata: SMALLEST, custom_fields: FIELDS });
    expect(readBody({ metadata: SMALLEST }, first).metadata).toEqual(first.metadata);
    expect(shownCustom(readBody({ metadata: SMALLEST, custom_fields: {} }, first).metadata)).toEqual({});
  });
});

describe("access", () => {
  const faults = (access: JsonObject) => faultsOf(readBody({ metadata: SMALLEST, access }));

  test.each([
    [{ files: "restricted" }, [`access.record: ${MISSING}`]],
    [{ record: "public" }, [`access.files: ${MISSING}`]],
    [{ record: "invalid", files: "public" }, ["access.record: 'record' must be either 'public' or 'restricted'"]],
    [{ record: "public", files: "invalid" }, ["access.record: 'files' must be either 'public' or 'restricted'"]],
    [{ record: "public", files: "public" }, []],
  ])("S3.6.61: the access %j gives %j", (access, faulty) => {
    expect(faults(access as JsonObject)).toEqual(faulty);
  });

  test("S3.6.61: each of both is what was sent, and stays what it was where that is wrong", () => {
    const read = (access: JsonObject, previous: PreviousRecord | null = null) => {
      const { record, files } = readBody({ metadata: SMALLEST, access }, previous).access;
      return [record, files];
    };
    for (const [record, files] of [
      ["public", "restricted"],
      ["restricted", "public"],
      ["restricted", "restricted"],
    ] as const) {
      expect(read({ record, files })).toEqual([record, files]);
      const previous = readBody({ metadata: SMALLEST, access: { record, files } });
      expect(read({ record: "x", files: "x" }, previous)).toEqual([record, files]);
    }
  });

  test("S3.6.62: an embargo is kept with its day and its reason, and shown until it ends", () => {
    const embargo = { active: true, until: "2131-01-01", reason: "secret!" };
    const { access } = readBody({ metadata: SMALLEST, access: { record: "public", files: "restricted", embargo } });
    expect(access).toMatchObject({ embargoUntil: "2131-01-01", embargoReason: "secret!" });
    expect(writeAccess(access, "embargoed", TODAY).embargo).toEqual(embargo);
    expect(writeAccess(access, "restricted", "2131-01-01").embargo).toEqual({ active: false, reason: "secret!" });
  });

  test.each([
    [{ active: true, until: "2131-01-01", reason: "secret!" }, []],
    [{ active: false }, []],
    [{ active: false, until: null, reason: null }, []],
    [{ active: false, until: "1999-01-01" }, []],
    [{ active: true, until: "1999-01-01" }, ["access.embargo.until: Embargo end date must be set to a future date."]],
    [{ active: true, until: TODAY }, ["access.embargo.until: Embargo end date must be set to a future date."]],
    [{ active: false, until: TODAY }, []],
    [{ active: false, until: "soon" }, ["access.embargo.until: Not a valid date."]],
    [{ active: "yes", until: "2131-01-01" }, ["access.embargo.active: Not a valid boolean."]],
    [{ active: true }, ["access.embargo.until: Embargo end date must be set to a future date."]],
    [{ active: false, until: "2131-01-01" }, ["access.embargo.until: Embargo end date must be unset or in the past."]],
  ])("S3.6.62: the embargo %j gives %j", (embargo, faulty) => {
    expect(faults({ record: "public", files: "restricted", embargo } as JsonObject)).toEqual(faulty);
  });
});

describe("drafts and publishing", () => {
  test("S3.6.63: what is wrong is left out and reported, what is right is kept", () => {
    const { metadata, errors } = readMembers({
      title: "ab",
      publication_date: "never",
      publisher: "Acme",
      sizes: ["", "11 pages"],
      creators: [PERSON, { person_or_org: { type: "organizational" } }],
      identifiers: [{ identifier: "x", scheme: "doi" }, { identifier: "10.1234/x" }],
    });
    expect(errors.map(({ field }) => field).toSorted()).toEqual([
      "metadata.creators.1.person_or_org.name",
      "metadata.identifiers.0.identifier",
      "metadata.publication_date",
      "metadata.sizes.0",
      "metadata.title",
    ]);
    expect(shown(metadata)).toMatchObject({
      publisher: "Acme",
      sizes: ["11 pages"],
      identifiers: [{ identifier: "10.1234/x", scheme: "doi" }],
      creators: [{}, { person_or_org: { type: "organizational" } }],
    });
    expect(faultsOf({ errors: missingToPublish(metadata, null) })).toEqual([
      `metadata.title: ${MISSING}`,
      `metadata.publication_date: ${MISSING}`,
      "metadata.creators.1.person_or_org.name: Name cannot be blank.",
    ]);
  });

  test("S3.6.63: metadata above a limit leave those of the draft as they are; the rest of the body is read", () => {
    const kept = readMembers({ title: "Kept" });
    const [holder] = kept.metadata.creators;
    const holding = (holders: number) => {
      const rightsHolders = holder === undefined ? [] : Array.from({ length: holders }, () => holder);
      return { ...kept, metadata: { ...kept.metadata, rightsHolders } };
    };
    const body = {
      metadata: { ...SMALLEST, title: "New title", creators: [PERSON, PERSON] },
      access: { record: "restricted", files: "public" },
      files: { enabled: false },
    };
    const before = holding(most("authors") - 1);
    const { metadata, access, filesEnabled, errors } = readBody(body, before);
    const excess = `The metadata names ${most("authors") + 1} authors, the maximum is ${most("authors")}.`;
    expect(errors).toEqual([{ field: "metadata", messages: [excess] }]);
    expect([metadata === before.metadata, access.record, filesEnabled]).toEqual([true, "restricted", false]);
    const fitting = readBody(body, holding(most("authors") - 2));
    expect([fitting.errors, fitting.metadata.titles]).toEqual([[], [{ value: "New title", kind: "main" }]]);
    expect(readBody({ metadata: SMALLEST, files: {} }, before).filesEnabled).toBeUndefined();
  });

  test("S3.6.64: type, creators, title and date are needed, and people that can be named", () => {
    expect(faultsOf({ errors: missingToPublish(EMPTY_METADATA, null) })).toEqual(
      ["resource_type", "creators", "title", "publication_date"].map((member) => `metadata.${member}: ${MISSING}`),
    );
    expect(missingToPublish(readMembers({}).metadata, null)).toEqual([]);
    const given = { person_or_org: { type: "personal", given_name: "Troy" } };
    const nameless = readMembers({ creators: [given, PERSON, given], contributors: [PERSON, PERSON] });
    expect(faultsOf({ errors: missingToPublish(nameless.metadata, null) })).toEqual([
      "metadata.creators.0.person_or_org.family_name: Family name cannot be blank.",
      "metadata.creators.2.person_or_org.family_name: Family name cannot be blank.",
      `metadata.contributors.0.role: ${MISSING}`,
      `metadata.contributors.1.role: ${MISSING}`,
    ]);
    const short = { ...readMembers({}).metadata, titles: [{ value: "ab", kind: "main" as const }] };
    expect(faultsOf({ errors: missingToPublish(short, null) })).toEqual([
      "metadata.title: Shorter than minimum length 3.",
    ]);
  });

  test("S3.6.64: what was published by another interface is not asked for again", () => {
    const agent = agentOf({ kind: null, names: [{ full: "山田, 花子" }] });
    const metadata = { ...readMembers({}).metadata, creators: [agent], contributors: [agent] };
    expect(missingToPublish(metadata, metadata)).toEqual([]);
    const kind = "person_or_org.type: Invalid value. Choose one of ['organizational', 'personal'].";
    expect(faultsOf({ errors: missingToPublish(metadata, null) })).toEqual([
      `metadata.creators.0.${kind}`,
      `metadata.contributors.0.${kind}`,
      `metadata.contributors.0.role: ${MISSING}`,
    ]);
    // Only who is still the same is passed over, and each among their own.
    const other = { ...agent, names: [{ full: "鈴木, 一郎" }] };
    const changed = { ...metadata, creators: [agent, other] };
    expect(faultsOf({ errors: missingToPublish(changed, metadata) })).toEqual([`metadata.creators.1.${kind}`]);
    expect(faultsOf({ errors: missingToPublish(metadata, { ...metadata, contributors: [] }) })).toEqual([
      `metadata.contributors.0.${kind}`,
      `metadata.contributors.0.role: ${MISSING}`,
    ]);
  });
});
