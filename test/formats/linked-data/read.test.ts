// What JSON-LD packages describe: RO-Crate and SWORD's metadata document, as others write them (R13a, R14, step 9 of
// the specification).
import { describe, expect, test } from "bun:test";
import { EMPTY_METADATA } from "../../../src/model/metadata/metadata.ts";
import { agentOf } from "../../support/cited-items.ts";
import { crate, onlyItem, readCrate, readSword, TODAY, vector } from "./crates.ts";

const NII = {
  names: [{ value: "National Institute of Examples" }],
  ids: [{ scheme: "ROR", value: "00ws30h19", uri: "https://ror.org/00ws30h19" }],
};
const AGENT = agentOf({ kind: null, names: [] });

describe("R14 A crate that standard tools write", () => {
  const item = onlyItem(readCrate(vector("standard-crate.json"), ["data set/lake.csv", "plots/a.png"]));

  test("R14 ro-crate-default reads titles, people, places, funding and dates of schema.org", () => {
    const { extra: _extra, relations: _relations, ...metadata } = item.metadata;
    const { extra: _none, relations: _noneEither, ...empty } = EMPTY_METADATA;
    expect(metadata).toEqual({
      ...empty,
      type: { id: "other" },
      titles: [
        { value: "Temperatures of lake Biwa", kind: "main" },
        { value: "琵琶湖の水温", lang: "ja", kind: "alternative" },
      ],
      creators: [
        {
          ...AGENT,
          kind: "personal",
          names: [{ full: "Josiah Carberry", family: "Carberry", given: "Josiah" }],
          ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097", uri: "https://orcid.org/0000-0002-1825-0097" }],
          emails: ["jc@example.org"],
          affiliations: [NII],
        },
        {
          ...AGENT,
          kind: "personal",
          names: [
            { full: "情報, 花子", lang: "ja" },
            { full: "Joho, Hanako", lang: "en" },
          ],
        },
      ],
      contributors: [{ ...AGENT, names: [{ full: "A. Helper" }] }],
      rights: [{ id: "cc-by-4.0", text: [], uri: "https://creativecommons.org/licenses/by/4.0/" }],
      subjects: [{ text: { value: "limnology" } }, { text: { value: "temperature" } }],
      descriptions: [{ value: "Measured every hour.", kind: "Abstract", html: false }],
      publishers: [{ names: NII.names }],
      publicationDate: "2023-04-01",
      dates: [{ date: "2022-12-31", type: "Created" }],
      languages: ["eng"],
      versionLabel: "1.2",
      identifiers: [{ scheme: "DOI", value: "10.5555/biwa.1", uri: "https://doi.org/10.5555/biwa.1" }],
      temporals: [{ value: "2022" }],
      locations: [{ point: { longitude: "136.08", latitude: "35.25" }, places: [{ value: "Lake Biwa" }], ids: [] }],
      funding: [{ funder: NII }],
      references: [
        {
          text: "https://doi.org/10.5555/other",
          ident: { scheme: "DOI", value: "10.5555/other", uri: "https://doi.org/10.5555/other" },
        },
      ],
    });
  });

  test("R14 takes the files that hasPart leads to, folders included, and keeps a file on the web as a link that is not fetched", () => {
    expect(item.files).toEqual([
      { path: "data set/lake.csv", mediaType: "text/csv", label: "Hourly table" },
      { path: "plots/a.png", mediaType: "image/png" },
    ]);
    expect(item.metadata.relations).toContainEqual({
      type: "hasPart",
      ident: { scheme: "URI", value: "https://www.example.org/map.png" },
      titles: [{ value: "Map" }],
    });
    expect(item.notes[0]).toBe(
      "The file https://www.example.org/map.png is on the web: it is kept as a link and was not fetched",
    );
  });

  test("R4a R14 keeps what has no place in the metadata, with its path, and reports it", () => {
    expect(item.metadata.extra).toEqual([
      { format: "ro-crate", path: "accessibilitySummary", value: "Plain tables" },
      { format: "ro-crate", path: "https://orcid.org/0000-0002-1825-0097 jobTitle", value: "Professor" },
      {
        format: "ro-crate",
        path: "@graph #run",
        value: { "@id": "#run", "@type": "CreateAction", name: "Measurement", result: { "@id": "./" } },
      },
    ]);
    expect(item.notes).toContain(
      "Kept as written, without a place in the metadata: accessibilitySummary, https://orcid.org/0000-0002-1825-0097 jobTitle",
    );
  });

  test("R14 a crate of a name alone works: resource type other and pubdate today are supplied", () => {
    const bare = onlyItem(readCrate(crate({ name: "Bare" })));
    expect(bare.metadata).toEqual({
      ...EMPTY_METADATA,
      titles: [{ value: "Bare", kind: "main" }],
      type: { id: "other" },
    });
    expect(bare.instructions).toEqual({ openDate: TODAY });
    expect(bare.notes).toEqual([]);
  });

  test("R14 a crate with dc: terms and JPCOAR relations, as existing clients write them, is read by the same mapping", () => {
    const relation = {
      relationType: "isVersionOf",
      "jpcoar:relatedIdentifier": { identifierType: "DOI", value: "10.5555/v" },
    };
    const dc = { "dc:title": [{ value: "題名", language: "ja" }], "jpcoar:relation": [{ "@id": "#r" }] };
    const { metadata } = onlyItem(readCrate(crate(dc, { "@id": "#r", ...relation })));
    expect(metadata.titles).toEqual([{ value: "題名", lang: "ja", kind: "main" }]);
    expect(metadata.relations).toEqual([
      { type: "isVersionOf", ident: { scheme: "DOI", value: "10.5555/v" }, titles: [] },
    ]);
    expect(metadata.extra).toEqual([]);
  });

  test("R14 full names of terms and prefixes of the document's own context mean the same as short ones", () => {
    const { metadata } = onlyItem(
      readCrate({
        "@context": [
          "https://w3id.org/ro/crate/1.1/context",
          { d: "http://purl.org/dc/terms/", sprache: "schema:inLanguage" },
        ],
        "@graph": [
          { "@id": "ro-crate-metadata.json", about: { "@id": "./" } },
          {
            "@id": "./",
            "http://schema.org/name": "N",
            "schema:version": "2",
            "d:issued": "2001",
            "wk:index": [12, "34"],
          },
        ],
      }),
    );
    expect([metadata.titles[0]?.value, metadata.versionLabel]).toEqual(["N", "2"]);
    expect(metadata.dates).toEqual([{ date: "2001", type: "Issued" }]);
  });

  test("R14 a resource type is found by its label or its COAR address, in any case", () => {
    const typeOf = (written: string) => onlyItem(readCrate(crate({ name: "x", "dc:type": written }))).metadata.type;
    expect(typeOf("Journal Article")).toEqual({ id: "publication-article", label: "Journal Article" });
    expect(typeOf("http://purl.org/coar/resource_type/c_ddb1/")?.id).toBe("dataset");
    expect(typeOf("pamphlet")).toEqual({ id: "other", label: "pamphlet" });
  });
});

describe("R14 A crate in JPCOAR's terms, as research data managers send it", () => {
  const item = onlyItem(readCrate(vector("jpcoar-crate.json"), ["files/photo.jpg"]));

  test("R14 reads people with names by language, identifiers, roles and affiliations", () => {
    expect(item.metadata.creators).toEqual([
      {
        ...AGENT,
        kind: "personal",
        names: [
          { full: "Suzuki, Ichiro", family: "Suzuki", given: "Ichiro", lang: "en" },
          { full: "鈴木, 一郎", family: "鈴木", given: "一郎", lang: "ja" },
        ],
        ids: [{ scheme: "e-Rad_Researcher", value: "90000001" }],
        affiliations: [
          {
            names: [
              { value: "Example University", lang: "en" },
              { value: "例示大学", lang: "ja" },
            ],
            ids: [],
          },
        ],
      },
    ]);
    expect(item.metadata.contributors).toEqual([
      {
        ...AGENT,
        kind: "organizational",
        names: [{ full: "Example Institute", lang: "en" }],
        ids: [{ scheme: "ROR", value: "https://ror.org/00ws30h19" }],
        role: "HostingInstitution",
      },
    ]);
  });

  test("R14 reads titles, descriptions, rights, subjects, funding, dates, journal and degree", () => {
    const { metadata } = item;
    expect(metadata.titles).toEqual([
      { value: "Birds", lang: "en", kind: "main" },
      { value: "鳥", lang: "ja", kind: "main" },
    ]);
    expect(metadata.descriptions).toEqual([{ value: "About birds", lang: "en", kind: "Methods", html: false }]);
    expect(metadata.type).toEqual({
      id: "dataset",
      label: "experimental data",
      uri: "http://purl.org/coar/resource_type/63NG-B465/",
    });
    expect(metadata.accessRights).toEqual({
      label: "restricted access",
      uri: "http://purl.org/coar/access_right/c_16ec",
    });
    expect(metadata.rights).toEqual([
      {
        id: "cc0-1.0",
        text: [{ value: "CC0 1.0 Universal", lang: "en" }],
        uri: "https://creativecommons.org/publicdomain/zero/1.0/",
      },
    ]);
    expect(metadata.subjects).toEqual([{ text: { value: "Life Science", lang: "en" }, scheme: "e-Rad_field" }]);
    expect(metadata.funding).toEqual([
      {
        funder: {
          names: [{ value: "Example Agency", lang: "en" }],
          ids: [{ scheme: "ROR", value: "https://ror.org/00097mb19" }],
        },
        stream: {
          ids: [{ scheme: "JGN_fundingStream", value: "JPX" }],
          names: [{ value: "Programme", lang: "en" }],
        },
        award: { number: "JP000001", numberType: "JGN", titles: [{ value: "Project", lang: "en" }] },
      },
    ]);
    expect(metadata.dates).toEqual([{ date: "2024-01-02", type: "Collected" }]);
    expect(metadata.containers).toEqual([
      {
        titles: [{ value: "Journal of Birds", lang: "en" }],
        ids: [{ scheme: "PISSN", value: "1234-5679" }],
        volume: "3",
        pageStart: "1",
        place: "flat",
      },
    ]);
    expect(metadata.degree).toEqual({ number: "甲第1号", names: [{ value: "博士", lang: "ja" }], grantors: [] });
    expect(metadata.locations).toEqual([
      { point: { longitude: "139.7", latitude: "35.6" }, places: [{ value: "Tokyo" }], ids: [] },
    ]);
  });

  test("R14 takes flags and files, and leaves nothing over: a plain title next to one with its language is the same title", () => {
    expect(item.instructions).toEqual({ index: ["1000"], publishStatus: "private", split: false, openDate: TODAY });
    expect(item.files).toEqual([
      { path: "files/photo.jpg", mediaType: "image/jpeg", access: "login", displayType: "preview" },
    ]);
    expect(item.metadata.extra).toEqual([]);
    expect(item.notes).toEqual([]);
  });
});

describe("R14 SWORD's metadata document", () => {
  test("R14 sword-default reads dc: and dcterms: terms", () => {
    const item = onlyItem(readSword(vector("metadata-document.json")));
    expect(item.metadata).toEqual({
      ...EMPTY_METADATA,
      type: { id: "publication-article", label: "journal article" },
      titles: [{ value: "The title", kind: "main" }],
      creators: [
        { ...AGENT, names: [{ full: "Carberry, Josiah" }] },
        { ...AGENT, names: [{ full: "情報 太郎" }] },
      ],
      contributors: [{ ...AGENT, names: [{ full: "A.N. Other" }] }],
      rights: [{ id: "cc0-1.0", text: [], uri: "https://creativecommons.org/publicdomain/zero/1.0/" }],
      subjects: [{ text: { value: "lakes" } }, { text: { value: "water" } }],
      descriptions: [{ value: "This is my abstract", kind: "Abstract", html: false }],
      publishers: [{ names: [{ value: "Example Press" }] }],
      dates: [
        { date: "2021-02-03", type: "Issued" },
        { date: "2020", type: "dcterms" },
      ],
      languages: ["jpn"],
      identifiers: [{ scheme: "DOI", value: "10.5555/x1" }],
      relations: [{ type: "isPartOf", ident: { scheme: "URI", value: "http://example.org/collection" }, titles: [] }],
      sizes: [{ value: "12 pages" }],
    });
    expect(item.notes).toEqual([]);
  });

  test("R14 one title is enough", () => {
    const item = onlyItem(readSword({ "@type": "Metadata", "dc:title": "Only a title" }));
    expect(item.metadata.titles).toEqual([{ value: "Only a title", kind: "main" }]);
    expect(item.metadata.type).toEqual({ id: "other" });
    expect(item.instructions.openDate).toBe(TODAY);
  });

  test("R13a the graph form is read too, and its files by paths from the bag or from its payload folder", () => {
    const graph = {
      "@context": "https://swordapp.github.io/swordv3/swordv3.jsonld",
      "@graph": [
        { "@id": "metadata/sword.json", about: { "@id": "#root" } },
        { "@id": "#root", "dc:title": "G", hasPart: [{ "@id": "data/a.txt" }, { "@id": "b.txt" }] },
        { "@id": "data/a.txt", "@type": "File" },
        { "@id": "b.txt", "@type": "File" },
      ],
    };
    const item = onlyItem(readSword(graph, ["a.txt", "b.txt"]));
    expect(item.localId).toBe("#root");
    expect(item.files).toEqual([{ path: "a.txt" }, { path: "b.txt" }]);
  });

  test("a document without anything a repository knows is refused", () => {
    expect(() => readSword({ "@context": "x", hello: "world" })).toThrow(
      'Cannot read metadata/sword.json: it has neither an @graph nor a term of a metadata document such as "dc:title"',
    );
  });
});
