// Completing metadata by DOI: what Crossref and DataCite state, what is filled in, and everything that can go wrong on
// the way (R14).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { COMPLETION_MAX_BYTES, completionSource } from "../../src/adapters/metadata-completion.ts";
import { completeFrom, doiOf } from "../../src/formats/completion/complete.ts";
import { readCrossref } from "../../src/formats/completion/crossref.ts";
import { readDatacite } from "../../src/formats/completion/datacite.ts";
import { EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { isMetadata } from "../../src/model/metadata/metadata-schema.ts";
import { metadataCompletion } from "../../src/repository/deposit/metadata-completion.ts";
import { draftImport } from "../../src/repository/records/draft-import.ts";
import { Refusal } from "../../src/shared/refusal.ts";
import { agentOf } from "../support/cited-items.ts";
import { aViewer } from "../support/world/tree.ts";

const DOI = "10.5555/a(b)/ü";
const CROSSREF = {
  status: "ok",
  message: {
    type: "journal-article",
    title: ["Water &amp; <i>light</i>"],
    subtitle: ["A study"],
    author: [
      {
        given: "Josiah",
        family: "Carberry",
        ORCID: "http://orcid.org/0000-0002-1825-0097",
        affiliation: [{ name: "Brown University" }],
      },
      { name: "The Group" },
      { affiliation: [] },
    ],
    editor: [{ family: "Ed" }],
    abstract: "<jats:p>We &lt; measured&#x20;it.</jats:p>",
    publisher: "Example Press",
    published: { "date-parts": [[2021, 3, 9]] },
    language: "en",
    license: [
      { URL: "https://creativecommons.org/licenses/by/4.0/" },
      { URL: "https://creativecommons.org/licenses/by/4.0/" },
    ],
    "container-title": ["Journal of Lakes"],
    "issn-type": [{ type: "print", value: "1234-5679" }],
    volume: "12",
    issue: 3,
    page: "10-22",
    funder: [{ name: "JSPS", DOI: "10.13039/501100001691", award: ["A1", "A2"] }],
  },
};
const DATACITE = {
  data: {
    attributes: {
      types: { resourceTypeGeneral: "Dataset" },
      titles: [
        { title: "Lake data", lang: "en" },
        { title: "湖", titleType: "TranslatedTitle" },
      ],
      creators: [
        {
          name: "Joho, Hanako",
          nameType: "Personal",
          givenName: "Hanako",
          familyName: "Joho",
          nameIdentifiers: [{ nameIdentifier: "https://orcid.org/0000-0001-5109-3700", nameIdentifierScheme: "ORCID" }],
          affiliation: [
            "NII",
            {
              name: "SOKENDAI",
              affiliationIdentifier: "https://ror.org/0516ah480",
              affiliationIdentifierScheme: "ROR",
            },
          ],
        },
      ],
      contributors: [{ name: "Lab", contributorType: "HostingInstitution" }],
      publisher: { name: "Zenodo" },
      publicationYear: 2022,
      subjects: [{ subject: "limnology", subjectScheme: "LCSH", valueUri: "https://id.loc.gov/x" }],
      dates: [
        { date: "2020/2021", dateType: "Collected" },
        { date: "2022", dateType: "Other" },
      ],
      language: "ja",
      version: "1.0",
      sizes: ["3 files"],
      formats: ["text/csv"],
      rightsList: [{ rights: "CC0", rightsUri: "https://creativecommons.org/publicdomain/zero/1.0/" }],
      descriptions: [
        { description: "What", descriptionType: "Abstract" },
        { description: "More", descriptionType: "SeriesInformation" },
      ],
      relatedIdentifiers: [
        { relationType: "IsSupplementTo", relatedIdentifier: "10.5555/p", relatedIdentifierType: "DOI" },
        { relationType: "Compiles", relatedIdentifier: "x", relatedIdentifierType: "URL" },
      ],
      geoLocations: [
        { geoLocationPlace: "Biwa", geoLocationPoint: { pointLongitude: 136.08, pointLatitude: "35.25" } },
        {
          geoLocationBox: {
            westBoundLongitude: 1,
            eastBoundLongitude: 2,
            southBoundLatitude: 3,
            northBoundLatitude: 4,
          },
        },
      ],
      fundingReferences: [
        {
          funderName: "JSPS",
          funderIdentifier: "501100001691",
          funderIdentifierType: "Crossref Funder ID",
          awardNumber: "19K",
          awardTitle: "Lakes",
        },
      ],
      container: { title: "Lakes", identifier: "1234-5679", identifierType: "ISSN", firstPage: "1", lastPage: "9" },
    },
  },
};

const PERSON = agentOf({});

describe("R14 What the services state", () => {
  test("R14 Crossref: title, people, journal, licence and awards, markup taken out", () => {
    expect(readCrossref(CROSSREF)).toEqual({
      type: { id: "publication-article", label: "journal article" },
      titles: [
        { value: "Water & light", kind: "main" },
        { value: "A study", kind: "subtitle" },
      ],
      creators: [
        {
          ...PERSON,
          names: [{ full: "Carberry, Josiah", family: "Carberry", given: "Josiah" }],
          ids: [{ scheme: "ORCID", value: "0000-0002-1825-0097", uri: "https://orcid.org/0000-0002-1825-0097" }],
          affiliations: [{ names: [{ value: "Brown University" }], ids: [] }],
        },
        { ...PERSON, kind: "organizational", names: [{ full: "The Group" }] },
      ],
      contributors: [{ ...PERSON, names: [{ full: "Ed", family: "Ed" }], role: "Editor" }],
      descriptions: [{ value: "We < measured it.", kind: "Abstract", html: false }],
      publishers: [{ names: [{ value: "Example Press" }] }],
      publicationDate: "2021-03-09",
      languages: ["eng"],
      subjects: [],
      rights: [{ id: "cc-by-4.0", text: [], uri: "https://creativecommons.org/licenses/by/4.0/" }],
      containers: [
        {
          titles: [{ value: "Journal of Lakes" }],
          ids: [{ scheme: "PISSN", value: "1234-5679" }],
          volume: "12",
          issue: "3",
          pageStart: "10",
          pageEnd: "22",
          place: "flat",
        },
      ],
      funding: ["A1", "A2"].map((number) => ({
        funder: {
          names: [{ value: "JSPS" }],
          ids: [
            { scheme: "Crossref Funder", value: "10.13039/501100001691", uri: "https://doi.org/10.13039/501100001691" },
          ],
        },
        award: { number, titles: [] },
      })),
    });
  });

  test("R14 DataCite: title kinds, affiliations, dates, relations, places and funding", () => {
    expect(readDatacite(DATACITE)).toEqual({
      type: { id: "dataset", label: "dataset" },
      titles: [
        { value: "Lake data", lang: "en", kind: "main" },
        { value: "湖", kind: "translated" },
      ],
      creators: [
        {
          ...PERSON,
          names: [{ full: "Joho, Hanako", family: "Joho", given: "Hanako" }],
          ids: [{ scheme: "ORCID", value: "0000-0001-5109-3700", uri: "https://orcid.org/0000-0001-5109-3700" }],
          affiliations: [
            { names: [{ value: "NII" }], ids: [] },
            { names: [{ value: "SOKENDAI" }], ids: [{ scheme: "ROR", value: "https://ror.org/0516ah480" }] },
          ],
        },
      ],
      contributors: [{ ...PERSON, kind: null, names: [{ full: "Lab" }], role: "HostingInstitution" }],
      publishers: [{ names: [{ value: "Zenodo" }] }],
      publicationDate: "2022",
      subjects: [{ text: { value: "limnology" }, scheme: "LCSH", uri: "https://id.loc.gov/x" }],
      dates: [{ date: "2020/2021", type: "Collected" }],
      languages: ["jpn"],
      versionLabel: "1.0",
      sizes: [{ value: "3 files" }],
      formats: [{ value: "text/csv" }],
      rights: [{ id: "cc0-1.0", text: [{ value: "CC0" }], uri: "https://creativecommons.org/publicdomain/zero/1.0/" }],
      descriptions: [
        { value: "What", kind: "Abstract", html: false },
        { value: "More", kind: "Other", html: false },
      ],
      relations: [{ type: "isSupplementTo", ident: { scheme: "DOI", value: "10.5555/p" }, titles: [] }],
      locations: [
        { point: { longitude: "136.08", latitude: "35.25" }, places: [{ value: "Biwa" }], ids: [] },
        { box: { west: "1", east: "2", south: "3", north: "4" }, places: [], ids: [] },
      ],
      funding: [
        {
          funder: { names: [{ value: "JSPS" }], ids: [{ scheme: "Crossref Funder", value: "501100001691" }] },
          award: { number: "19K", titles: [{ value: "Lakes" }] },
        },
      ],
      containers: [
        {
          titles: [{ value: "Lakes" }],
          ids: [{ scheme: "ISSN", value: "1234-5679" }],
          pageStart: "1",
          pageEnd: "9",
          place: "flat",
        },
      ],
    });
  });

  test.each([
    {},
    { message: 7 },
    { message: { title: "x", author: {}, license: [null] } },
    { data: { attributes: { titles: [{}], creators: [[]] } } },
  ])("R14 %j gives nothing and harms nothing", (document) => {
    for (const found of [readCrossref(document), readDatacite(document)]) {
      expect(completeFrom(EMPTY_METADATA, found)).toEqual({ metadata: EMPTY_METADATA, filled: [] });
    }
  });

  test("R14 fills what is absent only: what the depositor stated stays, `other` supplied by a mapping counts as absent", () => {
    const present: Metadata = {
      ...EMPTY_METADATA,
      type: { id: "other" },
      titles: [{ value: "Mine", kind: "main" }],
      languages: ["fra"],
      identifiers: [{ scheme: "DOI", value: DOI }],
    };
    const { metadata, filled } = completeFrom(present, readCrossref(CROSSREF));
    expect(isMetadata(metadata)).toBe(true);
    expect([metadata.titles, metadata.languages, metadata.identifiers]).toEqual([
      present.titles,
      ["fra"],
      present.identifiers,
    ]);
    expect(filled).toEqual([
      ...[
        "type",
        "creators",
        "contributors",
        "rights",
        "descriptions",
        "publishers",
        "publicationDate",
        "funding",
        "containers",
      ],
    ] as typeof filled);
    expect(completeFrom(metadata, readCrossref(CROSSREF)).filled).toEqual([]);
  });

  test.each([
    [[{ scheme: "doi", value: "https://doi.org/10.5555/X" }], [], "10.5555/X"],
    [
      [{ scheme: "URI", value: "https://doi.org/10.5555/X" }],
      [{ type: "isVersionOf", ident: { scheme: "DOI", value: "10.5555/v" }, titles: [] }],
      "10.5555/v",
    ],
    [
      [{ scheme: "DOI", value: "nonsense" }],
      [{ type: "isPartOf", ident: { scheme: "DOI", value: "10.5555/v" }, titles: [] }],
      null,
    ],
    [[{ scheme: "DOI", value: `10.5555/${"x".repeat(500)}` }], [], null],
  ] as const)("R14 the DOI of %j and %j is %s", (identifiers, relations, doi) => {
    expect(doiOf({ ...EMPTY_METADATA, identifiers, relations })).toBe(doi);
  });
});

describe("R14 Asking a service", () => {
  const asked: { path: string; accept: string | undefined; agent: string | undefined }[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  let server: Server;
  let base = "";
  const json = (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) => {
    answer = (_request, response) => response.writeHead(status, headers).end(JSON.stringify(value));
  };
  const source = (name: "Crossref" | "DataCite" = "Crossref", more: { readonly timeoutMs?: number } = {}) =>
    completionSource({ name, baseUrl: `${base}/mirror/`, userAgent: "Arkstone/test", ...more });

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push({ path: request.url ?? "", accept: request.headers.accept, agent: request.headers["user-agent"] });
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a port, not a path
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("R14 sends the DOI as one part of the path, below the address of the settings", async () => {
    json(CROSSREF);
    asked.length = 0;
    const found = await source().lookUp(DOI);
    expect(found.kind === "found" && JSON.parse(new TextDecoder().decode(found.document))).toEqual(CROSSREF);
    await source("DataCite").lookUp(DOI);
    expect(asked).toEqual([
      { path: "/mirror/works/10.5555%2Fa(b)%2F%C3%BC", accept: "application/json", agent: "Arkstone/test" },
      { path: "/mirror/dois/10.5555%2Fa(b)%2F%C3%BC", accept: "application/json", agent: "Arkstone/test" },
    ]);
  });

  test("R14 an unknown DOI, an error and a service that is away are distinguished, and none throws", async () => {
    json({}, 404);
    expect(await source().lookUp(DOI)).toEqual({ kind: "unknown" });
    json({}, 503);
    expect(await source().lookUp(DOI)).toEqual({ kind: "failed", reason: "it answered 503" });
    const away = completionSource({ name: "Crossref", baseUrl: "http://127.0.0.1:1", userAgent: "x" });
    expect(await away.lookUp(DOI)).toEqual({ kind: "failed", reason: "it could not be reached" });
  });

  test("R14 follows a redirect on the same host, no other, and not for ever", async () => {
    answer = (request, response) =>
      request.url === "/moved" ? response.end("{}") : response.writeHead(302, { location: "/moved" }).end();
    expect((await source().lookUp(DOI)).kind).toBe("found");
    json({}, 302, { location: "http://169.254.169.254/latest/meta-data" });
    expect(await source().lookUp(DOI)).toEqual({ kind: "failed", reason: "it wanted to redirect to 169.254.169.254" });
    json({}, 307, { location: "/again" });
    expect(await source().lookUp(DOI)).toEqual({ kind: "failed", reason: "it redirected more than 3 times" });
  });

  test("R14 stops at the size limit and at the time limit, also in the middle of an answer", async () => {
    answer = (_request, response) => response.end(Buffer.alloc(COMPLETION_MAX_BYTES + 1, 0x20));
    expect(await source().lookUp(DOI)).toEqual({ kind: "failed", reason: "its answer is larger than 4194304 bytes" });
    answer = (_request, response) => void response.writeHead(200).write("{");
    expect(await source("Crossref", { timeoutMs: 200 }).lookUp(DOI)).toEqual({
      kind: "failed",
      reason: "it did not answer within 200 ms",
    });
  });

  test("R14 the order of the client record decides, a later service fills what the earlier ones left, and everything is reported", async () => {
    answer = (request, response) =>
      response.end(JSON.stringify(request.url?.includes("/works/") ? CROSSREF : DATACITE));
    const completing = metadataCompletion([source("Crossref"), source("DataCite")]);
    const own = { ...EMPTY_METADATA, identifiers: [{ scheme: "DOI", value: DOI }] };
    const { metadata, notes } = await completing(own, ["Original", "datacite", "JaLC API", "CrossRef"]);
    expect(metadata.titles[0]?.value).toBe("Lake data");
    expect(metadata.containers[0]?.titles[0]?.value).toBe("Lakes");
    expect(notes[0]).toBe('The metadata service "JaLC API" is not configured here.');
    expect(notes[1]?.startsWith("Filled in from DataCite: type, titles, creators, ")).toBe(true);
    expect(notes[2]).toBe("Crossref had nothing to add.");
  });

  test("R14 off unless configured, no DOI, an unknown one and an unreadable answer: reported in a note, never an error", async () => {
    const own = { ...EMPTY_METADATA, identifiers: [{ scheme: "DOI", value: "10.5555/x" }] };
    const notesOf = async (sources: readonly ReturnType<typeof source>[], metadata: Metadata) => {
      const done = await metadataCompletion(sources)(metadata, []);
      expect(done.metadata).toEqual(metadata);
      return done.notes;
    };
    expect(await notesOf([], own)).toEqual(["Metadata completion is not configured here: nothing was filled in."]);
    expect(await notesOf([source()], EMPTY_METADATA)).toEqual([
      "Metadata completion needs a DOI, and the package names none.",
    ]);
    json({}, 404);
    expect(await notesOf([source()], own)).toEqual(["Crossref does not know the DOI 10.5555/x."]);
    answer = (_request, response) => response.end("<html>");
    expect(await notesOf([source()], own)).toEqual(["The answer of Crossref could not be read."]);
    json({}, 500);
    expect(await notesOf([source()], own)).toEqual([
      "Crossref could not be asked for the DOI 10.5555/x: it answered 500.",
    ]);
  });
});

test("P.155 one account asks for two DOIs at once, which leaves room for others, and for more when they are answered", async () => {
  let answer = Promise.withResolvers<void>();
  const slow = async () => {
    await answer.promise;
    return { kind: "unknown" } as const;
  };
  // Looking up needs nothing else.
  const unused = {} as never;
  const lookUps = [{ name: "Crossref" as const, lookUp: slow }];
  const { lookUp } = draftImport({ records: unused, items: unused, lookUps });
  const ask = async (account: number): Promise<string> => {
    try {
      await lookUp(aViewer(account, [3]), "10.5555/a");
      return "found";
    } catch (error) {
      return error instanceof Refusal ? error.kind : String(error);
    }
  };
  const first = [ask(1), ask(1), ask(2), ask(2), ask(3), ask(3), ask(4), ask(4)];
  expect([await ask(1), await ask(5)]).toEqual(["unavailable", "unavailable"]);
  answer.resolve();
  expect(await Promise.all(first)).toEqual(Array.from(first, () => "not_found"));
  answer = Promise.withResolvers();
  const again = [ask(1), ask(1), ask(1), ask(5)];
  answer.resolve();
  expect(await Promise.all(again)).toEqual(["not_found", "not_found", "unavailable", "not_found"]);
});
