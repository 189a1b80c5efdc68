// Reading JPCOAR: the rules of the meeting in R3, older forms, and what a record holds beyond the schema.
import { describe, expect, test } from "bun:test";
import { isJpcoarRoot, MAX_EXTRA, MAX_NOTES, readJpcoar } from "../../../src/formats/jpcoar/read.ts";
import { publicationDate } from "../../../src/model/metadata/metadata.ts";
import { DocumentError } from "../../../src/shared/document-error.ts";

const NAMESPACES = [
  'xmlns:jpcoar="https://github.com/JPCOAR/schema/blob/master/2.0/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:dcterms="http://purl.org/dc/terms/"',
  'xmlns:datacite="https://schema.datacite.org/meta/kernel-4/"',
  'xmlns:oaire="http://namespace.openaire.eu/schema/oaire/"',
  'xmlns:dcndl="http://ndl.go.jp/dcndl/terms/"',
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
].join(" ");
const record = (content: string): string => `<jpcoar:jpcoar ${NAMESPACES}>${content}</jpcoar:jpcoar>`;
const item = (content: string) => readJpcoar(record(content)).item;
const metadata = (content: string) => item(content).metadata;

describe("readJpcoar()", () => {
  test("R3 the first dc:title is the main title, one in another language a translation, one in the same language another main title", () => {
    const { titles } = metadata(`
      <dc:title xml:lang="ja">題</dc:title><dc:title xml:lang="en">Title</dc:title><dc:title xml:lang="ja">別の題</dc:title>
      <dc:title xml:lang="ja-Kana">ダイ</dc:title><dc:title>x</dc:title><dcterms:alternative xml:lang="en">Short</dcterms:alternative>`);
    expect(titles).toEqual([
      { value: "題", lang: "ja", kind: "main" },
      { value: "Title", lang: "en", kind: "translated" },
      { value: "別の題", lang: "ja", kind: "main" },
      { value: "ダイ", lang: "ja-Kana", kind: "translated" },
      { value: "x", kind: "main" },
      { value: "Short", lang: "en", kind: "alternative" },
    ]);
  });

  test.each([
    [
      '<datacite:date dateType="Created">2001</datacite:date><datacite:date dateType="Issued">2015-10</datacite:date><dcndl:dateGranted>2014</dcndl:dateGranted>',
      "2015-10",
    ],
    [
      '<datacite:date dateType="Available">2020</datacite:date><dcndl:dateGranted>2017-03-25</dcndl:dateGranted>',
      "2017-03-25",
    ],
    ['<datacite:date dateType="Available">2020</datacite:date>', null],
  ])("R3 the date of publication is the date Issued, else the day the degree was granted (%#)", (content, expected) => {
    expect(publicationDate(metadata(content))).toBe(expected);
  });

  test("R3 names, family names and given names of one language are one name; the agent's kind is the nameType", () => {
    const { creators, contributors } = metadata(`
      <jpcoar:creator creatorType="著">
        <jpcoar:nameIdentifier nameIdentifierScheme="ORCID" nameIdentifierURI="https://orcid.org/0000-0002-1825-0097">0000-0002-1825-0097</jpcoar:nameIdentifier>
        <jpcoar:nameIdentifier nameIdentifierScheme="ISNI" nameIdentifierURI="https://isni.org/isni/0000000121691048"/>
        <jpcoar:nameIdentifier nameIdentifierScheme="ISNI" nameIdentifierURI=" "> </jpcoar:nameIdentifier>
        <jpcoar:creatorName xml:lang="ja" nameType="Personal">安達, 淳</jpcoar:creatorName>
        <jpcoar:creatorName xml:lang="en" nameType="Personal">Adachi, Jun</jpcoar:creatorName>
        <jpcoar:familyName xml:lang="en">Adachi</jpcoar:familyName>
        <jpcoar:givenName xml:lang="en">Jun</jpcoar:givenName>
        <jpcoar:familyName xml:lang="ja-Kana">アダチ</jpcoar:familyName>
        <jpcoar:creatorAlternative>J. A.</jpcoar:creatorAlternative>
        <jpcoar:affiliation><jpcoar:affiliationName xml:lang="en">NII</jpcoar:affiliationName></jpcoar:affiliation>
      </jpcoar:creator>
      <jpcoar:contributor contributorType="Editor"><jpcoar:contributorName nameType="Organizational">NII</jpcoar:contributorName></jpcoar:contributor>`);
    expect(creators).toEqual([
      {
        kind: "personal",
        names: [
          { full: "安達, 淳", lang: "ja" },
          { full: "Adachi, Jun", family: "Adachi", given: "Jun", lang: "en" },
          { family: "アダチ", lang: "ja-Kana" },
        ],
        alternatives: [{ value: "J. A." }],
        ids: [
          { scheme: "ORCID", value: "0000-0002-1825-0097", uri: "https://orcid.org/0000-0002-1825-0097" },
          { scheme: "ISNI", value: "", uri: "https://isni.org/isni/0000000121691048" },
        ],
        emails: [],
        affiliations: [{ names: [{ value: "NII", lang: "en" }], ids: [] }],
        role: "著",
      },
    ]);
    expect(contributors[0]).toMatchObject({ kind: "organizational", role: "Editor", names: [{ full: "NII" }] });
  });

  test("R3 rights get a licence's id by their address; one address in two languages is one right", () => {
    const cc = 'rdf:resource="https://creativecommons.org/licenses/by/4.0/deed.ja"';
    const { rights } = metadata(
      `<dc:rights xml:lang="en" ${cc}>CC BY</dc:rights><dc:rights xml:lang="ja" ${cc}>表示</dc:rights><dc:rights>© NII</dc:rights><dc:rights rdf:resource="https://example.org/t"/>`,
    );
    expect(rights).toEqual([
      {
        id: "cc-by-4.0",
        text: [
          { value: "CC BY", lang: "en" },
          { value: "表示", lang: "ja" },
        ],
        uri: "https://creativecommons.org/licenses/by/4.0/deed.ja",
      },
      { text: [{ value: "© NII" }] },
      { text: [], uri: "https://example.org/t" },
    ]);
  });

  test("R3 the less common elements have their places: rights holder, publisher, funding programme, holding agent, series, catalogue", () => {
    const read = metadata(`
      <jpcoar:rightsHolder><jpcoar:nameIdentifier nameIdentifierScheme="ROR">x</jpcoar:nameIdentifier><jpcoar:rightsHolderName xml:lang="en">NII</jpcoar:rightsHolderName></jpcoar:rightsHolder>
      <jpcoar:publisher><jpcoar:publisherName>P</jpcoar:publisherName><jpcoar:publisherDescription>d1</jpcoar:publisherDescription><jpcoar:publisherDescription>d2</jpcoar:publisherDescription>
        <dcndl:location>Tokyo</dcndl:location><dcndl:publicationPlace>JPN</dcndl:publicationPlace></jpcoar:publisher>
      <dcterms:date xml:lang="ja">江戸時代</dcterms:date>
      <jpcoar:fundingReference><jpcoar:funderIdentifier funderIdentifierType="e-Rad_funder" funderIdentifierTypeURI="https://www.e-rad.go.jp/">1025</jpcoar:funderIdentifier><jpcoar:funderName>JSPS</jpcoar:funderName>
        <jpcoar:fundingStreamIdentifier fundingStreamIdentifierType="JGN_fundingStream">JP</jpcoar:fundingStreamIdentifier><jpcoar:fundingStream>KAKENHI</jpcoar:fundingStream>
        <jpcoar:awardNumber awardURI="https://kaken.nii.ac.jp/1" awardNumberType="JGN">JP1</jpcoar:awardNumber><jpcoar:awardTitle>A</jpcoar:awardTitle></jpcoar:fundingReference>
      <jpcoar:holdingAgent><jpcoar:holdingAgentNameIdentifier nameIdentifierScheme="FANO">FA1</jpcoar:holdingAgentNameIdentifier><jpcoar:holdingAgentName>L</jpcoar:holdingAgentName></jpcoar:holdingAgent>
      <jpcoar:datasetSeries>False</jpcoar:datasetSeries>
      <jpcoar:catalog><dc:title>C</dc:title><jpcoar:license licenseType="metadata" rdf:resource="https://example.org/l">free</jpcoar:license><jpcoar:file><jpcoar:URI objectType="thumbnail">https://example.org/t.png</jpcoar:URI></jpcoar:file></jpcoar:catalog>`);
    expect(read.rightsHolders).toMatchObject([
      { names: [{ full: "NII", lang: "en" }], ids: [{ scheme: "ROR", value: "x" }] },
    ]);
    expect(read.publishers).toEqual([
      {
        names: [{ value: "P" }],
        place: { value: "Tokyo" },
        description: { value: "d1" },
        moreDescriptions: [{ value: "d2" }],
        countries: ["JPN"],
        publisherType: "jpcoar",
      },
    ]);
    expect(read.dates).toEqual([{ date: "江戸時代", type: "dcterms", lang: "ja" }]);
    expect(read.funding).toEqual([
      {
        funder: {
          names: [{ value: "JSPS" }],
          ids: [{ scheme: "e-Rad_funder", value: "1025", schemeUri: "https://www.e-rad.go.jp/" }],
        },
        stream: { ids: [{ scheme: "JGN_fundingStream", value: "JP" }], names: [{ value: "KAKENHI" }] },
        award: { number: "JP1", numberType: "JGN", uri: "https://kaken.nii.ac.jp/1", titles: [{ value: "A" }] },
      },
    ]);
    expect(read.holdingAgent).toEqual({ ids: [{ scheme: "FANO", value: "FA1" }], names: [{ value: "L" }] });
    expect(read.datasetSeries).toBe(false);
    expect(read.catalog).toMatchObject({
      titles: [{ value: "C" }],
      licenses: [{ type: "metadata", uri: "https://example.org/l", text: { value: "free" } }],
      files: [{ uri: "https://example.org/t.png", objectType: "thumbnail" }],
    });
    expect(read.extra).toEqual([]);
  });

  test("R3 R4a what the item appeared in is one container, as from the groups of single fields", () => {
    const { containers } = metadata(`
      <jpcoar:sourceIdentifier identifierType="PISSN">1880-697X</jpcoar:sourceIdentifier><jpcoar:sourceTitle xml:lang="en">Journal</jpcoar:sourceTitle>
      <jpcoar:volume>12</jpcoar:volume><jpcoar:pageStart> 34 </jpcoar:pageStart>`);
    expect(containers).toEqual([
      {
        titles: [{ value: "Journal", lang: "en" }],
        ids: [{ scheme: "PISSN", value: "1880-697X" }],
        volume: "12",
        pageStart: "34",
        place: "flat",
      },
    ]);
  });

  test.each([
    ['<jpcoar:URI label="JIS.pdf">http://example.org/f/1</jpcoar:URI>', "JIS.pdf"],
    ["<jpcoar:URI>https://example.org/f/a%20b.pdf?download=1</jpcoar:URI>", "a b.pdf"],
    ["<jpcoar:URI>https://example.org/f/%E0%A4%A.pdf</jpcoar:URI>", "%E0%A4%A.pdf"],
    ['<jpcoar:URI label="Full text">papers/a.pdf</jpcoar:URI>', "papers/a.pdf"],
    ['<jpcoar:URI label="only.pdf"/>', "only.pdf"],
    ["<jpcoar:URI>https://example.org</jpcoar:URI>", ""],
  ])("R13a the file %s is a claim on the file %p", (content, path) => {
    expect(item(`<jpcoar:file>${content}</jpcoar:file>`).files[0]?.path).toBe(path);
  });

  test("R13a a file's type, sizes, dates and version are claimed as worded", () => {
    const { files } =
      item(`<jpcoar:file><jpcoar:URI objectType="fulltext" label="a.pdf">https://example.org/1</jpcoar:URI><jpcoar:mimeType>application/pdf</jpcoar:mimeType>
      <jpcoar:extent>3MB</jpcoar:extent><jpcoar:extent>24 pages</jpcoar:extent><datacite:date dateType="Issued">2015</datacite:date><datacite:version>2</datacite:version></jpcoar:file>`);
    expect(files).toEqual([
      {
        path: "a.pdf",
        mediaType: "application/pdf",
        label: "a.pdf",
        objectType: "fulltext",
        version: "2",
        url: "https://example.org/1",
        dates: [{ date: "2015", type: "Issued" }],
        extents: ["3MB", "24 pages"],
      },
    ]);
  });

  test("R13a of two files that would claim one path the first does, and that is reported", () => {
    const file = (host: string): string =>
      `<jpcoar:file><jpcoar:URI label="a.pdf">https://${host}/1</jpcoar:URI></jpcoar:file>`;
    const { files, notes } = item(`${file("one.example")}${file("two.example")}<jpcoar:file/><jpcoar:file/>`);
    expect(files.map(({ path, url }) => [path, url])).toEqual([
      ["a.pdf", "https://one.example/1"],
      ["", "https://two.example/1"],
      ["", undefined],
      ["", undefined],
    ] as never);
    expect(notes).toEqual(['More than one file of the record is "a.pdf"; the first one counts']);
  });

  test("R3 what the schema has no place for is kept in extra with its path, and reported", () => {
    const { metadata: read, notes } = item(`
      <dc:title>T</dc:title><dc:creator>Who</dc:creator><x:note xmlns:x="urn:x" level="1"><x:b>deep</x:b></x:note>
      <jpcoar:creator><jpcoar:creatorName xml:lang="en" mood="good">N</jpcoar:creatorName><jpcoar:mail>a@example.org</jpcoar:mail></jpcoar:creator>
      <jpcoar:volume>1</jpcoar:volume><jpcoar:volume>2</jpcoar:volume>stray`);
    expect(read.extra).toEqual([
      { format: "jpcoar", path: "jpcoar:jpcoar/text()", value: "stray" },
      { format: "jpcoar", path: "jpcoar:jpcoar/dc:creator[1]", value: { name: "dc:creator", text: "Who" } },
      {
        format: "jpcoar",
        path: "jpcoar:jpcoar/{urn:x}note[1]",
        value: { name: "{urn:x}note", attributes: { level: "1" }, children: [{ name: "{urn:x}b", text: "deep" }] },
      },
      { format: "jpcoar", path: "jpcoar:jpcoar/jpcoar:creator[1]/jpcoar:creatorName[1]/@mood", value: "good" },
      {
        format: "jpcoar",
        path: "jpcoar:jpcoar/jpcoar:creator[1]/jpcoar:mail[1]",
        value: { name: "jpcoar:mail", text: "a@example.org" },
      },
      { format: "jpcoar", path: "jpcoar:jpcoar/jpcoar:volume[2]", value: { name: "jpcoar:volume", text: "2" } },
    ]);
    expect(notes[1]).toBe("jpcoar:jpcoar/dc:creator[1] is not an element of JPCOAR 2.0; it is kept in extra");
    expect(notes[5]).toBe(
      "jpcoar:jpcoar/jpcoar:volume[2] may appear only once; the first one counts; it is kept in extra",
    );
    expect(read.containers[0]?.volume).toBe("1");
  });

  test("R3 values that the schema does not allow are read as written and reported", () => {
    const { metadata: read, notes } = item(
      '<dc:language>Japanese</dc:language><jpcoar:pageStart>e12</jpcoar:pageStart><jpcoar:relation relationType="isAbout"/>',
    );
    expect([read.languages, read.containers[0]?.pageStart, read.relations[0]?.type]).toEqual([
      ["Japanese"],
      "e12",
      "isAbout",
    ]);
    expect(notes).toEqual([
      'jpcoar:jpcoar/dc:language[1] "Japanese" is not what JPCOAR 2.0 allows there',
      'jpcoar:jpcoar/jpcoar:pageStart[1] "e12" is not what JPCOAR 2.0 allows there',
      'jpcoar:jpcoar/jpcoar:relation[1]/@relationType "isAbout" is not what JPCOAR 2.0 allows there',
    ]);
  });

  test("R3 notes are bounded: beyond the limit the rest is counted", () => {
    const { notes, metadata: read } = item("<dc:creator>x</dc:creator>".repeat(MAX_NOTES + 5));
    expect([notes.length, notes.at(-1)]).toEqual([MAX_NOTES + 1, "5 more places of the record are not in JPCOAR 2.0"]);
    expect(read.extra.length).toBe(MAX_NOTES + 5);
    const many = item("<dc:creator>x</dc:creator>".repeat(MAX_EXTRA + 7));
    expect(many.metadata.extra.length).toBe(MAX_EXTRA);
    expect(many.notes).toContain(
      `7 places of the record are neither in JPCOAR 2.0 nor kept in extra, which holds at most ${MAX_EXTRA}`,
    );
  });

  test("R13a a record of strange elements nested around megabytes of text is read without multiplying them", () => {
    const content = `${"<jpcoar:x>".repeat(90)}${"y".repeat(8_000_000)}${"</jpcoar:x>".repeat(90)}`;
    const { notes } = item(content);
    expect(notes).toEqual(["jpcoar:jpcoar/jpcoar:x[1] is not an element of JPCOAR 2.0; it is kept in extra"]);
  });

  test("R13a order does not matter, empty elements have no meaning, and line breaks of the layout are not part of a value", () => {
    const read = metadata(`<dc:type rdf:resource="http://purl.org/coar/resource_type/c_ddb1">
        dataset
      </dc:type><dc:title/><dc:title xml:lang="en">
        A title
      </dc:title><datacite:description descriptionType="Abstract">ends with a space </datacite:description>`);
    expect(read.type).toEqual({ id: "dataset", label: "dataset", uri: "http://purl.org/coar/resource_type/c_ddb1" });
    expect(read.titles).toEqual([{ value: "A title", lang: "en", kind: "main" }]);
    expect(read.descriptions).toEqual([{ value: "ends with a space ", kind: "Abstract", html: false }]);
  });

  test("R3 a record of JPCOAR 1.0 is read with its own names and its APC", () => {
    const { item: read } = readJpcoar(`<jpcoar:jpcoar xmlns:jpcoar="https://github.com/JPCOAR/schema/blob/master/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:datacite="https://schema.datacite.org/meta/kernel-4/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns:oaire="http://namespace.openaire.eu/schema/oaire/" xmlns:rioxxterms="http://www.rioxx.net/schema/v2.0/rioxxterms/">
      <dc:title>T</dc:title><rioxxterms:apc>Paid</rioxxterms:apc><oaire:versiontype rdf:resource="http://purl.org/coar/version/c_970fb48d4fbd8a85">VoR</oaire:versiontype>
      <jpcoar:fundingReference><datacite:funderIdentifier funderIdentifierType="GRID">g</datacite:funderIdentifier><jpcoar:funderName>F</jpcoar:funderName><datacite:awardNumber awardURI="https://example.org/1">1</datacite:awardNumber></jpcoar:fundingReference></jpcoar:jpcoar>`);
    expect(read.metadata).toMatchObject({
      titles: [{ value: "T", kind: "main" }],
      apc: "Paid",
      versionType: { label: "VoR", uri: "http://purl.org/coar/version/c_970fb48d4fbd8a85" },
      funding: [
        { funder: { ids: [{ scheme: "GRID", value: "g" }] }, award: { number: "1", uri: "https://example.org/1" } },
      ],
    });
    expect([read.notes, read.metadata.extra]).toEqual([[], []]);
  });

  test("R13a names no existing item, no item type and no instructions", () => {
    expect(
      item('<jpcoar:identifier identifierType="URI">https://example.org/records/1</jpcoar:identifier>'),
    ).toMatchObject({
      localId: "./",
      existing: { id: null, uri: null },
      itemType: null,
      instructions: {},
      settings: {},
    });
  });

  test.each([
    ["another root", "<record/>", 'root is "record" in the namespace ""'],
    ["the right name in another namespace", '<jpcoar xmlns="urn:x"/>', 'root is "jpcoar" in the namespace "urn:x"'],
    [
      "a DOCTYPE",
      `<!DOCTYPE jpcoar:jpcoar [<!ENTITY x "y">]>${record("<dc:title>&x;</dc:title>")}`,
      "a DOCTYPE is not accepted",
    ],
    ["100,000 levels", record("<dc:title>".repeat(100_000)), "elements lie deeper than"],
    ["an unclosed title", record("<dc:title>"), '"</jpcoar:jpcoar" where "</dc:title>" was expected'],
    ["an undeclared prefix", record("<foo:bar/>"), 'jpcoar:jpcoar/foo:bar[1]: the prefix "foo" is not declared'],
  ])("R13a message 11 refuses %s", (_, document, expected) => {
    let message = "was read";
    try {
      readJpcoar(document);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      message = error.message;
    }
    expect(message).toContain(expected);
  });
});

describe("isJpcoarRoot()", () => {
  test("R13a knows the root by namespace and name", () => {
    const namespace = "https://github.com/JPCOAR/schema/blob/master/2.0/";
    expect(isJpcoarRoot({ namespace, name: "jpcoar" })).toBe(true);
    expect(isJpcoarRoot({ namespace: namespace.replace("2.0", "1.0"), name: "jpcoar" })).toBe(true);
    expect(isJpcoarRoot({ namespace: namespace.replace("2.0", "2.1"), name: "jpcoar" })).toBe(true);
    expect(isJpcoarRoot({ namespace: namespace.replace("2.0", "next"), name: "jpcoar" })).toBe(false);
    expect(isJpcoarRoot({ namespace, name: "creator" })).toBe(false);
    expect(isJpcoarRoot({ namespace: "", name: "jpcoar" })).toBe(false);
  });
});
