// The interface for harvesters over HTTP (R31, R36): every answer is held against the grammar of the protocol
// (test/support/oai-answers.ts).
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { textOf } from "../../src/shared/xml/element.ts";
import { hasJpcoarData, hasXmllint, schemaErrors } from "../support/jpcoar-schema.ts";
import { type OaiRead, readOai, texts } from "../support/oai-answers.ts";
import { aContent, aFile, titled } from "../support/world/items.ts";
import { INDEXES, type RepositoryWorld } from "../support/world/repository.ts";
import { openWorld, setUpWorld } from "../support/world.ts";
import { childElements } from "../support/xml-elements.ts";

const ID = (id: number): string => `oai:repo.example.org:${String(id).padStart(8, "0")}`;
const LIST = "verb=ListRecords&metadataPrefix=oai_dc";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

const ids: number[] = [];
const at = (): string => world.time.now;

async function ask(query: string, asking: Pick<RepositoryWorld, "ask"> = world): Promise<OaiRead> {
  const { status, headers, text } = await asking.ask(null, "GET", `/oai?${query}`);
  expect([status, headers.get("content-type")]).toEqual([200, "text/xml; charset=utf-8"]);
  return readOai(text);
}

function pass(seconds: number): void {
  world.time.now = new Date(Date.parse(world.time.now) + seconds * 1000).toISOString();
}

async function publish(index: number, title: string): Promise<number> {
  const viewer = await world.viewer("registered");
  const files = [aFile("paper.pdf", { mediaType: "application/pdf" })];
  const content = aContent({ indexes: index === 0 ? [] : [index], metadata: titled(title), files });
  return (await world.items.createAndPublish(viewer, { content })).item.id;
}

async function changeIndex(id: number, change: object): Promise<void> {
  const node = await world.store.indexes.index(id);
  if (node === null) throw new Error(`There is no index ${id}`);
  await world.store.transact(async (tx) => {
    await tx.indexes.updateIndex({ ...node, ...change });
    await tx.indexes.raiseTreeRevision();
  });
}

const world = setUpWorld({
  repository: {
    env: { SVC_OAI_PAGE_SIZE: "3", SVC_OAI_ADMIN_MAIL: "oai@example.org", SVC_OAI_RATE_PER_MINUTE: "0" },
  },
});
beforeAll(async () => {
  for (const title of ["A", "B", "C", "D", "E", "F", "G"]) {
    ids.push(await publish(title < "F" ? INDEXES.open : INDEXES.below, title));
    pass(10);
  }
  await ask(LIST);
  pass(10);
});

describe("Identify", () => {
  test("S3.O.1 R31 R36 Identify has what harvesters must know", async () => {
    const { body, request } = await ask("verb=Identify");
    expect(textOf(request)).toBe("https://repo.example.org/oai");
    const of = (name: string): readonly string[] => (body === null ? [] : texts(body, name));
    expect(of("repositoryName")).toEqual(["Arkstone"]);
    expect(of("baseURL")).toEqual(["https://repo.example.org/oai"]);
    expect(of("adminEmail")).toEqual(["oai@example.org"]);
    expect(of("deletedRecord")).toEqual(["persistent"]);
    expect(of("granularity")).toEqual(["YYYY-MM-DDThh:mm:ssZ"]);
    const [earliest = ""] = of("earliestDatestamp");
    const first = (await ask(LIST)).records[0]?.datestamp;
    expect(earliest).toBe(first ?? "");
    const descriptions = body === null ? [] : childElements(body).filter(({ name }) => name === "description");
    expect(descriptions.map((each) => childElements(each)[0]?.name)).toEqual(["oai-identifier", "eprints"]);
  });

  test("S3.O.1 R36 identifiers keep their host when the repository moves", async () => {
    const moved = world.under({
      SVC_BASE_URL: "https://new.example.net",
      SVC_OAI_HOST: "repo.example.org",
      SVC_OAI_RATE_PER_MINUTE: "0",
    });
    const { records } = await ask(LIST, moved);
    expect(records[0]?.identifier).toBe(ID(ids[0] ?? 0));
    const { body } = await ask("verb=Identify", moved);
    expect(body === null ? [] : texts(body, "baseURL")).toEqual(["https://new.example.net/oai"]);
  });
});

describe("ListMetadataFormats", () => {
  test("S3.O.2 R31 S3.6.192 Q.201 names every format once (jpcoar for jpcoar_2.0 too, as existing repositories do); of a record too", async () => {
    const prefixes = ({ body }: OaiRead) =>
      body === null ? [] : childElements(body).flatMap((each) => texts(each, "metadataPrefix"));
    const datacite = ["datacite", "oai_datacite"];
    const expected = ["oai_dc", "jpcoar_2.0", "jpcoar", ...datacite, "oai_openaire", "marcxml"];
    expect(prefixes(await ask("verb=ListMetadataFormats"))).toEqual(expected);
    const ofRecord = prefixes(await ask(`verb=ListMetadataFormats&identifier=${ID(ids[0] ?? 0)}`));
    expect(ofRecord).toEqual(prefixes(await ask("verb=ListMetadataFormats")));
    expect((await ask(`verb=ListMetadataFormats&identifier=${ID(999_999)}`)).errors).toEqual(["idDoesNotExist"]);
  });

  const JPCOAR = "https://github.com/JPCOAR/schema/blob/master/2.0/";
  const JPCOAR_XSD = "https://raw.githubusercontent.com/JPCOAR/schema/master/2.0/jpcoar_scm.xsd";
  const KERNEL = "http://datacite.org/schema/kernel-4";
  const KERNEL_XSD = "http://schema.datacite.org/meta/kernel-4.6/metadata.xsd";
  const ENVELOPE = "http://schema.datacite.org/oai/oai-1.1/";
  const OAIRE = "http://namespace.openaire.eu/schema/oaire/";
  const MARC_XSD = "http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd";
  test.each([
    ["oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/", "http://www.openarchives.org/OAI/2.0/oai_dc.xsd", "dc"],
    ["jpcoar_2.0", JPCOAR, JPCOAR_XSD, "jpcoar"],
    ["datacite", KERNEL, KERNEL_XSD, "resource"],
    ["oai_datacite", ENVELOPE, `${ENVELOPE}oai.xsd`, "oai_datacite"],
    ["oai_openaire", OAIRE, "https://www.openaire.eu/schema/repo-lit/4.0/openaire.xsd", "resource"],
    ["marcxml", "http://www.loc.gov/MARC21/slim", MARC_XSD, "record"],
  ])(
    "S3.6.192 %s is named with its namespace and schema, and every record is harvested in it",
    async (prefix, namespace, schema, root) => {
      const { body } = await ask("verb=ListMetadataFormats");
      const formats = body === null ? [] : childElements(body);
      const format = formats.find((each) => texts(each, "metadataPrefix")[0] === prefix);
      expect(format === undefined ? null : [texts(format, "metadataNamespace"), texts(format, "schema")]).toEqual([
        [namespace],
        [schema],
      ]);
      const harvested: string[] = [];
      for (const [at, id] of ids.entries()) {
        const [record] = (await ask(`verb=GetRecord&metadataPrefix=${prefix}&identifier=${ID(id)}`)).records;
        const metadata = record?.metadata;
        harvested.push(record?.identifier ?? "");
        expect([id, metadata?.name, metadata?.namespace]).toEqual([id, root, namespace]);
        expect(JSON.stringify(metadata)).toContain(`"${"ABCDEFG"[at]}"`);
      }
      expect(harvested).toEqual(ids.map(ID));
      const unknown = await ask(`verb=GetRecord&metadataPrefix=${prefix}x&identifier=${ID(ids[0] ?? 0)}`);
      expect(unknown.errors).toEqual(["cannotDisseminateFormat"]);
    },
  );

  test.skipIf(!hasJpcoarData || !hasXmllint)("S3.O.2 R36 records in JPCOAR are valid, and as exported", async () => {
    const [id = 0] = ids;
    const { records } = await ask(`verb=GetRecord&metadataPrefix=jpcoar_2.0&identifier=${ID(id)}`);
    const [record] = records;
    if (record?.metadata === null || record === undefined) throw new Error("There is no metadata");
    const { text } = await world.ask(null, "GET", `/oai?verb=GetRecord&metadataPrefix=jpcoar&identifier=${ID(id)}`);
    const inner = /<metadata>\n([\s\S]*)<\/metadata>/.exec(text)?.[1] ?? "";
    expect(schemaErrors([`<?xml version="1.0" encoding="UTF-8"?>\n${inner}`])).toBe("");
    const exported = await world.ask(null, "GET", `/records/${id}/export/jpcoar`);
    expect(exported.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${inner}`);
  });

  test.each([
    ["oai_dc", "dublincore"],
    ["datacite", "datacite-xml"],
    ["oai_openaire", "openaire"],
    ["marcxml", "marcxml"],
  ])(
    "S3.6.186 R38 records in %s are byte for byte what the interface of exports gives as %s",
    async (prefix, format) => {
      // One of the tree, and one of a community.
      for (const id of [ids[0] ?? 0, ids[6] ?? 0]) {
        const { text } = await world.ask(
          null,
          "GET",
          `/oai?verb=GetRecord&metadataPrefix=${prefix}&identifier=${ID(id)}`,
        );
        const inner = /<metadata>\n([\s\S]*)<\/metadata>/.exec(text)?.[1] ?? "";
        const exported = await world.ask(null, "GET", `/records/${id}/export/${format}`);
        expect(exported.status).toBe(200);
        expect(exported.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${inner}`);
      }
    },
  );
});

test("Q.201 oai_datacite has the version of the schema, and the document of datacite as it is", async () => {
  const metadataOf = async (prefix: string) => {
    const { text } = await world.ask(
      null,
      "GET",
      `/oai?verb=GetRecord&metadataPrefix=${prefix}&identifier=${ID(ids[0] ?? 0)}`,
    );
    return /<metadata>\n([\s\S]*)<\/metadata>/.exec(text)?.[1] ?? "";
  };
  const envelope = await metadataOf("oai_datacite");
  const [, version = "", payload = ""] =
    /<schemaVersion>([^<]*)<\/schemaVersion>\s*<payload>\n([\s\S]*?)\n\s*<\/payload>/.exec(envelope) ?? [];
  expect(version).toBe("4.6");
  expect(payload.trimEnd()).toBe((await metadataOf("datacite")).trimEnd());
});

describe("ListSets", () => {
  const specs = ({ body }: OaiRead): readonly string[] =>
    body === null ? [] : childElements(body).flatMap((each) => texts(each, "setSpec"));

  test("S3.O.3 R36 R24 sets are indexes that guests browse and that are harvested, and public communities", async () => {
    const sets = ["index", "community", "index:1", "index:20", "index:40", "index:41", "community:c1"];
    expect(specs(await ask("verb=ListSets"))).toEqual(sets);
    await changeIndex(INDEXES.community, { harvestPublicState: false });
    expect(specs(await ask("verb=ListSets"))).toEqual(sets.filter((spec) => !/4[01]$/.test(spec)));
    await changeIndex(INDEXES.community, { harvestPublicState: true });
    const { body } = await ask("verb=ListSets");
    const named = body === null ? [] : childElements(body).flatMap((each) => texts(each, "setName"));
    expect(named[2]).toBe("Sample Index / サンプル");
  });

  test("S3.O.3 S3.O.5 R36 a set holds what is in an index and below it; communities and kinds of sets are sets too", async () => {
    const of = async (set: string) =>
      (await ask(`verb=ListIdentifiers&metadataPrefix=oai_dc&set=${set}`)).records.map(({ identifier }) => identifier);
    const below = ids.slice(5).map(ID);
    for (const set of ["index:41", "index:40", "community:c1", "community"]) expect(await of(set)).toEqual(below);
    expect((await of("index")).length).toBe(3);
    const { records } = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${below[0]}`);
    expect(records[0]?.sets).toEqual(["community:c1", "index:40", "index:41"]);
    for (const none of ["index:999", "nothing", "index:20"]) {
      expect((await ask(`${LIST}&set=${none}`)).errors).toEqual(["noRecordsMatch"]);
    }
  });
});

describe("GetRecord", () => {
  test("S3.O.4 S3.O.9 R36 gives a record by the number of its first version, whichever version is shown", async () => {
    const [id = 0] = ids;
    const viewer = await world.viewer("registered");
    const content = (await world.item(id)).content ?? aContent();
    const before = (await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(id)}`)).records[0];
    pass(10);
    const { item } = await world.items.newVersion(viewer, id, {
      content: { ...content, metadata: titled("A, second") },
    });
    const { records } = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(id)}`);
    const dc = records[0]?.metadata;
    if (dc === null || dc === undefined) throw new Error("There is no metadata");
    expect(texts(dc, "title")).toEqual(["A, second"]);
    expect(texts(dc, "identifier")).toContain(`https://repo.example.org/records/${item.id}`);
    expect(texts(dc, "format")).toEqual(["application/pdf"]);
    expect((records[0]?.datestamp ?? "") > (before?.datestamp ?? "")).toBe(true);
    expect((await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(item.id)}`)).errors).toEqual([
      "idDoesNotExist",
    ]);
    await world.items.remove(REPOSITORY_OPERATOR, item.id);
    pass(10);
  });

  test("S3.O.4 S3.O.10 R36 what guests saw and see no more is deleted for ever; what they never saw is nothing", async () => {
    const id = await publish(INDEXES.open, "Seen");
    const get = async () => (await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(id)}`)).records[0];
    expect((await get())?.isDeleted).toBe(false);
    await world.items.remove(REPOSITORY_OPERATOR, id);
    expect(await get()).toMatchObject({ isDeleted: true, metadata: null, sets: ["index:1"] });
    const hidden = await publish(INDEXES.hidden, "Never seen");
    expect((await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(hidden)}`)).errors).toEqual([
      "idDoesNotExist",
    ]);
    await changeIndex(INDEXES.hidden, { publicState: true });
    const shown = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(hidden)}`);
    expect(shown.records[0]?.isDeleted).toBe(false);
    await changeIndex(INDEXES.hidden, { publicState: false });
    const gone = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(hidden)}`);
    expect(gone.records[0]?.isDeleted).toBe(true);
    pass(10);
  });

  test("S3.O.7 reports everything that is wrong", async () => {
    expect((await ask(`verb=GetRecord&metadataPrefix=marc&identifier=${ID(999_999)}`)).errors.toSorted()).toEqual([
      "cannotDisseminateFormat",
      "idDoesNotExist",
    ]);
    for (const identifier of [
      "oai:repo.example.org:2",
      "oai:other.example.org:00000002",
      "x",
      "oai:repo.example.org:00000002%00",
      "a%20b%3Cc",
    ]) {
      expect((await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${identifier}`)).errors).toEqual([
        "idDoesNotExist",
      ]);
    }
  });
});

describe("lists", () => {
  async function whole(query: string): Promise<OaiRead[]> {
    const pages = [await ask(query)];
    for (
      let token = pages[0]?.token;
      token !== null && token !== undefined && token !== "";
      token = pages.at(-1)?.token
    ) {
      pages.push(await ask(`${query.split("&")[0]}&resumptionToken=${encodeURIComponent(token)}`));
    }
    return pages;
  }

  test("S3.O.5 S3.O.6 R36 go on by tokens, each record once, with size and cursor right", async () => {
    pass(2);
    const pages = await whole(LIST);
    const all = pages.flatMap(({ records }) => records);
    expect(new Set(all.map(({ identifier }) => identifier)).size).toBe(all.length);
    expect(pages.map(({ size }) => size)).toEqual(pages.map(() => all.length));
    expect(pages.map(({ cursor }) => cursor)).toEqual(pages.map((_, page) => 3 * page));
    expect(pages.at(-1)?.token).toBe("");
    expect(all.map(({ datestamp }) => datestamp)).toEqual(all.map(({ datestamp }) => datestamp).toSorted());
    const headers = (await whole("verb=ListIdentifiers&metadataPrefix=oai_dc")).flatMap(({ records }) => records);
    expect(headers.map(({ identifier, isDeleted }) => [identifier, isDeleted])).toEqual(
      all.map(({ identifier, isDeleted }) => [identifier, isDeleted]),
    );
  });

  test("S3.O.6 R36 a token is of one verb, unchanged, and a day old at most; another process takes it too", async () => {
    const { token } = await ask(LIST);
    const resumed = `resumptionToken=${encodeURIComponent(token ?? "")}`;
    const again = await ask(
      `verb=ListRecords&${resumed}`,
      world.under({ SVC_OAI_PAGE_SIZE: "5", SVC_OAI_RATE_PER_MINUTE: "0" }),
    );
    expect(again.records).toHaveLength(5);
    expect(again.cursor).toBe(3);
    const bad = [
      `verb=ListIdentifiers&${resumed}`,
      `verb=ListSets&${resumed}`,
      `verb=ListRecords&${resumed}0`,
      `verb=ListRecords&resumptionToken=${(token ?? "").replace(/^./, (each) => (each === "W" ? "X" : "W"))}`,
      "verb=ListRecords&resumptionToken=x",
      "verb=ListSets&resumptionToken=%00",
    ];
    for (const query of bad) expect((await ask(query)).errors).toEqual(["badResumptionToken"]);
    expect((await ask(`verb=ListRecords&metadataPrefix=oai_dc&${resumed}`)).errors).toEqual(["badArgument"]);
    const now = at();
    pass(86_400);
    expect((await ask(`verb=ListRecords&${resumed}`)).errors).toEqual([]);
    pass(1);
    expect((await ask(`verb=ListRecords&${resumed}`)).errors).toEqual(["badResumptionToken"]);
    expect(at() > now).toBe(true);
  });

  test("S3.O.6 R36 a record that did not change is neither skipped nor repeated while others do", async () => {
    const first = await ask(LIST);
    const answerOf = first.records.map(({ identifier }) => identifier);
    const viewer = await world.viewer("registered");
    const [, , , fourth = 0] = ids;
    const content = (await world.item(fourth)).content ?? aContent();
    pass(3);
    await world.items.revise(viewer, fourth, { content: { ...content, metadata: titled("Changed meanwhile") } });
    pass(3);
    const second = await ask(`verb=ListRecords&resumptionToken=${encodeURIComponent(first.token ?? "")}`);
    const rest = [second];
    for (let token = second.token; token !== null && token !== ""; token = rest.at(-1)?.token ?? null) {
      rest.push(await ask(`verb=ListRecords&resumptionToken=${encodeURIComponent(token)}`));
    }
    const all = [...answerOf, ...rest.flatMap(({ records }) => records.map(({ identifier }) => identifier))];
    const unchanged = all.filter((identifier) => identifier !== ID(fourth));
    expect(new Set(unchanged).size).toBe(unchanged.length);
    for (const id of ids) expect(all).toContain(ID(id));
  });

  test("S3.O.5 S3.O.10 R36 from and until select by datestamp, both included, to the second and to the day", async () => {
    const all = (await whole("verb=ListIdentifiers&metadataPrefix=oai_dc")).flatMap(({ records }) => records);
    const [, second, third] = all;
    const answerOf = async (range: string): Promise<readonly string[]> =>
      (await whole(`verb=ListIdentifiers&metadataPrefix=oai_dc&${range}`)).flatMap(({ records }) =>
        records.map(({ identifier }) => identifier),
      );
    const from = second?.datestamp ?? "";
    expect(await answerOf(`from=${from}&until=${third?.datestamp}`)).toEqual(
      all
        .filter(({ datestamp }) => datestamp >= from && datestamp <= (third?.datestamp ?? ""))
        .map(({ identifier }) => identifier),
    );
    const day = from.slice(0, 10);
    expect(await answerOf(`from=${day}&until=${day}`)).toEqual(
      all.filter(({ datestamp }) => datestamp.startsWith(day)).map(({ identifier }) => identifier),
    );
    expect((await ask(`${LIST}&from=2999-01-01`)).errors).toEqual(["noRecordsMatch"]);
    expect((await ask(`${LIST}&until=1999-01-01`)).errors).toEqual(["noRecordsMatch"]);
  });

  test("S3.O.10 R36 R24 what is hidden in the middle of a list is reported as deleted in the next answer", async () => {
    pass(3);
    const first = await ask(`${LIST}&set=index`);
    await changeIndex(INDEXES.open, { publicState: false });
    const second = await ask(`verb=ListRecords&resumptionToken=${encodeURIComponent(first.token ?? "")}`);
    const open = second.records.filter(({ sets }) => sets.includes("index:1"));
    expect(open.length).toBeGreaterThan(0);
    expect(open.every(({ isDeleted, metadata }) => isDeleted && metadata === null)).toBe(true);
    pass(3);
    // A harvester of the set of an index that is no longer a set receives its records as deleted.
    const gone = await whole(`verb=ListIdentifiers&metadataPrefix=oai_dc&set=index:1`);
    expect(gone.flatMap(({ records }) => records).every(({ isDeleted }) => isDeleted)).toBe(true);
    await changeIndex(INDEXES.open, { publicState: true });
    pass(3);
    const back = await whole(`verb=ListIdentifiers&metadataPrefix=oai_dc&set=index:1`);
    expect(back.flatMap(({ records }) => records).some(({ isDeleted }) => !isDeleted)).toBe(true);
    pass(3);
  });
});

describe("what is wrong", () => {
  test.each([
    ["", "badVerb"],
    ["verb=Nonsense", "badVerb"],
    ["verb=identify", "badVerb"],
    ["verb=Identify&verb=Identify", "badVerb"],
    ["verb=__proto__", "badVerb"],
    ["verb=Identify&x=1", "badArgument"],
    ["verb=Identify&resumptionToken=x", "badArgument"],
    ["verb=Identify&identifier=x", "badArgument"],
    ["verb=ListMetadataFormats&resumptionToken=x", "badArgument"],
    ["verb=ListMetadataFormats&metadataPrefix=oai_dc", "badArgument"],
    ["verb=GetRecord&resumptionToken=x", "badArgument"],
    [`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(1)}&set=index`, "badArgument"],
    ["verb=ListSets&set=index", "badArgument"],
    [`${LIST}&identifier=${ID(1)}`, "badArgument"],
    ["verb=ListRecords", "badArgument"],
    ["verb=GetRecord&metadataPrefix=oai_dc", "badArgument"],
    [`${LIST}&from=2024-02-30`, "badArgument"],
    [`${LIST}&from=2024-01-01T00:00:00`, "badArgument"],
    [`${LIST}&from=2024-01-01T24:00:00Z`, "badArgument"],
    [`${LIST}&from=2024-01-01&until=2024-01-02T00:00:00Z`, "badArgument"],
    [`${LIST}&from=2024-01-02&until=2024-01-01`, "badArgument"],
    [`${LIST}&from=2024-01-01&from=2024-01-01`, "badArgument"],
    [`${LIST}&set=`, "badArgument"],
    [`${LIST}&set=a::b`, "badArgument"],
    [`${LIST}&set=%00`, "badArgument"],
    ["verb=ListRecords&metadataPrefix=a%20b", "badArgument"],
    ["verb=ListRecords&metadataPrefix=marc", "cannotDisseminateFormat"],
    ["verb=%ED%A0%80%FF", "badVerb"],
  ])("S3.O.7 %s: %s, with nothing echoed where the request is not understood", async (query, code) => {
    const { errors, request } = await ask(query);
    expect(new Set(errors)).toEqual(new Set([code]));
    if (code === "badVerb" || code === "badArgument") expect(request.attributes).toEqual([]);
  });

  test("S3.O.7 several complaints are reported at once", async () => {
    const { errors } = await ask("verb=ListRecords&from=x&until=y&z=1");
    expect(errors).toHaveLength(4);
    expect((await ask(`${LIST}&set=${"a".repeat(5_000)}`)).errors).toEqual(["badArgument"]);
    expect((await ask(`verb=ListRecords&${"x=1&".repeat(300)}`)).errors).toEqual(["badArgument"]);
  });
});

describe("hostile requests", () => {
  const arguments_ = ["metadataPrefix", "identifier", "from", "until", "set", "resumptionToken"];
  const name = fc.constantFrom("verb", ...arguments_, "x", "__proto__");
  const verbs = ["ListRecords", "ListIdentifiers", "GetRecord", "ListSets", "Identify"];
  const dates = ["2026-11-20", "9999-12-31T23:59:59Z", "0000-00-00"];
  const hostile = ["' or 1=1 --", "\uD800", "\u0000", "%", "a".repeat(3_000), "../..", "<x>&amp;"];
  const value = fc.oneof(
    fc.constantFrom(...verbs, "oai_dc", "jpcoar", "index:1"),
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(...dates, ...hostile),
  );

  test("S3.O.7 S3.O.8 whatever the arguments are, the answer is one of the protocol", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 6 }), async (pairs) => {
        const query = pairs.map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`).join("&");
        const { status, text } = await world.ask(null, "GET", `/oai?${query}`);
        expect(status).toBe(200);
        readOai(text);
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });

  test("S3.O.6 a token with any one character changed is none", async () => {
    const { token } = await ask(LIST);
    const text = token ?? "";
    expect(text.length).toBeGreaterThan(50);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom("A", "0", ".", "_", "-"), async (place, character) => {
        if (text[place] === character) return;
        const changed = `${text.slice(0, place)}${character}${text.slice(place + 1)}`;
        const { errors } = await ask(`verb=ListRecords&resumptionToken=${encodeURIComponent(changed)}`);
        expect(errors).toEqual(["badResumptionToken"]);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});

describe("over HTTP", () => {
  test("R36 the records of an answer are read in a number of statements that does not grow with them", async () => {
    let statements = 0;
    const counted = await openWorld({
      repository: {
        env: { SVC_OAI_RATE_PER_MINUTE: "0" },
        onStatement: () => {
          statements += 1;
        },
      },
    });
    const viewer = await counted.viewer("registered");
    const costs: number[] = [];
    for (const more of [2, 30]) {
      for (let n = 0; n < more; n += 1) {
        await counted.items.createAndPublish(viewer, { content: aContent({ indexes: [INDEXES.open] }) });
      }
      counted.time.now = new Date(Date.parse(counted.time.now) + 5_000).toISOString();
      await ask(LIST, counted);
      counted.time.now = new Date(Date.parse(counted.time.now) + 5_000).toISOString();
      await ask(LIST, counted);
      statements = 0;
      expect((await ask(LIST, counted)).records.length).toBeGreaterThanOrEqual(more);
      costs.push(statements);
    }
    expect(costs[1]).toBe(costs[0] ?? 0);
    expect(costs[0]).toBeLessThanOrEqual(20);
  });

  test("R31 every page leads there", async () => {
    const { text } = await world.ask(null, "GET", "/");
    expect(text).toContain('href="/oai?verb=Identify"');
  });

  test("S3.O.8 R31 POST is as GET, with the arguments in a form", async () => {
    const { status, text } = await world.ask(null, "POST", "/oai", { headers: FORM, body: LIST });
    expect(status).toBe(200);
    expect(readOai(text).records).toEqual((await ask(LIST)).records);
    const doubled = await world.ask(null, "POST", "/oai?verb=Identify", { headers: FORM, body: "verb=Identify" });
    expect(readOai(doubled.text).errors).toEqual(["badVerb"]);
  });

  test("S3.O.8 other bodies, too large ones and other methods are refused by their status", async () => {
    const json = { "content-type": "application/json" };
    expect((await world.ask(null, "POST", "/oai", { headers: json, body: "{}" })).status).toBe(415);
    expect((await world.ask(null, "POST", "/oai", { headers: FORM, body: "x".repeat(70_000) })).status).toBe(413);
    const put = await world.ask(null, "PUT", "/oai", { body: "" });
    expect([put.status, put.headers.get("content-type")]).toEqual([405, "text/plain; charset=utf-8"]);
    const head = await world.ask(null, "HEAD", "/oai?verb=Identify");
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("S3.O.8 harvesters have a separate limit, by address", async () => {
    const limited = world.under({ SVC_OAI_RATE_PER_MINUTE: "2" });
    const from = (address: string) => limited.ask(null, "GET", "/oai?verb=Identify", { address });
    expect([(await from("192.0.2.7")).status, (await from("192.0.2.7")).status]).toEqual([200, 200]);
    const third = await from("192.0.2.7");
    const expected = [429, true, '"harvest";q=2;w=60'];
    expect([third.status, third.headers.has("retry-after"), third.headers.get("ratelimit-policy")]).toEqual(expected);
    expect((await from("192.0.2.8")).status).toBe(200);
  });

  test("S3.O.8 R36 characters that XML cannot hold are replaced, markup is escaped", async () => {
    const id = await publish(INDEXES.open, "a\u0001b <c> & d");
    const { records } = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(id)}`);
    const dc = records[0]?.metadata;
    expect(dc === null || dc === undefined ? [] : texts(dc, "title")).toEqual(["a\u{FFFD}b <c> & d"]);
  });
});

describe("records of several indexes and versions", () => {
  const recordOf = async (id: number) =>
    (await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${ID(id)}`)).records[0];
  const setsOf = async (id: number) => (await recordOf(id))?.sets;
  const titlesOf = async (id: number) => {
    const dc = (await recordOf(id))?.metadata;
    return dc === null || dc === undefined ? [] : texts(dc, "title");
  };

  test("S3.O.3 S3.O.4 R36 R24 a record is in the sets of every index that is harvested, and of what lies above", async () => {
    const viewer = await world.viewer("registered");
    const content = aContent({ indexes: [INDEXES.open, INDEXES.below], metadata: titled("In two") });
    const { item } = await world.items.createAndPublish(viewer, { content });
    expect(await setsOf(item.id)).toEqual(["community:c1", "index:1", "index:40", "index:41"]);
    pass(10);
    await changeIndex(INDEXES.below, { harvestPublicState: false });
    expect(await setsOf(item.id)).toEqual(["community:c1", "index:1"]);
    pass(10);
    await changeIndex(INDEXES.below, { harvestPublicState: true });
    expect(await setsOf(item.id)).toEqual(["community:c1", "index:1", "index:40", "index:41"]);
  });

  test("S3.O.3 S3.O.5 R36 a record of two communities is in both sets, and in one when the other is restricted", async () => {
    const c1 = await world.store.communities.community("c1");
    if (c1 === null) throw new Error("There is no community");
    const c2 = { ...c1, id: "00000000-0000-4000-8000-0000000000c2", slug: "c2", rootIndex: null };
    pass(10);
    const from = `${at().slice(0, 19)}Z`;
    const both = await publish(INDEXES.open, "In two communities");
    const alone = await publish(INDEXES.open, "In the second alone");
    const { parentId } = await world.item(both);
    const { parentId: otherParent } = await world.item(alone);
    await world.store.transact(async (tx) => {
      await tx.communities.saveCommunity(c2);
      await tx.items.setCommunities(parentId, [c2.id, c1.id]);
      await tx.items.setCommunities(otherParent, [c2.id]);
    });
    pass(10);
    const identifiers = async (set: string) =>
      (await ask(`verb=ListIdentifiers&metadataPrefix=oai_dc&set=${set}&from=${from}`)).records.map(
        ({ identifier }) => identifier,
      );
    expect(await setsOf(both)).toEqual(["community:c1", "community:c2", "index:1"]);
    expect(await setsOf(alone)).toEqual(["community:c2", "index:1"]);
    expect(await identifiers("community:c1")).toEqual([ID(both)]);
    expect(await identifiers("community:c2")).toEqual([ID(both), ID(alone)]);
    const specs = async () => {
      const { body } = await ask("verb=ListSets");
      const all = body === null ? [] : childElements(body).flatMap((each) => texts(each, "setSpec"));
      return all.filter((spec) => spec.startsWith("community:"));
    };
    expect(await specs()).toEqual(["community:c1", "community:c2"]);
    await world.store.transact((tx) => tx.communities.saveCommunity({ ...c2, visibility: "restricted" }));
    pass(10);
    expect(await setsOf(both)).toEqual(["community:c1", "index:1"]);
    expect(await setsOf(alone)).toEqual(["index:1"]);
    expect(await identifiers("community:c1")).toEqual([ID(both)]);
    expect(await specs()).toEqual(["community:c1"]);
  });

  test("S3.O.4 R36 R24 the newest version that is harvested is shown, and the one before it where the newest is not", async () => {
    const viewer = await world.viewer("registered");
    const first = await publish(INDEXES.open, "First version");
    pass(10);
    const content = aContent({ indexes: [INDEXES.below], metadata: titled("Second version") });
    await world.items.newVersion(viewer, first, { content });
    expect(await titlesOf(first)).toEqual(["Second version"]);
    pass(10);
    await changeIndex(INDEXES.below, { harvestPublicState: false });
    expect(await titlesOf(first)).toEqual(["First version"]);
    pass(10);
    await changeIndex(INDEXES.below, { harvestPublicState: true });
    expect(await titlesOf(first)).toEqual(["Second version"]);
  });

  test("S3.O.3 the description of an index is that of its set, and a restricted community is none", async () => {
    await changeIndex(INDEXES.open, { comment: "Papers of <everybody>" });
    const { body } = await ask("verb=ListSets");
    const linesOf = (element: Parameters<typeof textOf>[0]) =>
      textOf(element)
        .trim()
        .split(/\s*\n\s*/);
    const described = (body === null ? [] : childElements(body)).flatMap((set) =>
      childElements(set)
        .filter(({ name }) => name === "setDescription")
        .map((each) => [texts(set, "setSpec")[0], linesOf(each)]),
    );
    expect(described.slice(0, 4)).toEqual([
      ["index", ["Index tree", "インデックスツリー"]],
      ["community", ["Communities", "コミュニティ"]],
      ["index:1", ["Sample Index", "サンプル", "Papers of <everybody>"]],
      ["index:20", ["Index 20", "Index 20"]],
    ]);
    expect((await recordOf(ids[6] ?? 0))?.sets).toContain("community:c1");
    const community = await world.store.communities.community("c1");
    if (community === null) throw new Error("There is no community");
    await world.store.transact((tx) => tx.communities.saveCommunity({ ...community, visibility: "restricted" }));
    const { body: after } = await ask("verb=ListSets");
    const listed = after === null ? [] : childElements(after).flatMap((each) => texts(each, "setSpec"));
    expect(listed).not.toContain("community:c1");
  });
});
