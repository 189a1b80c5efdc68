// Interfaces meet (R3, R2f): deposited by SWORD, edited by the records interface, given a new version, printed as
// JPCOAR: nothing is lost that nobody took away.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeJpcoar } from "../../src/formats/jpcoar/write.ts";
import { EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { cratePackage, freshTitle, type Package, tablePackage, xmlPackage } from "../support/deposit-requests.ts";
import { type RecordAnswer, recordCalls } from "../support/record-calls.ts";
import { anAgent } from "../support/world/authors.ts";
import { recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });
const calls = recordCalls(world);
beforeAll(async () => {
  const workflow = await world.workflow();
  sender = await world.token("registered", undefined, { registrationType: 2, workflow });
});

const jpcoar = (metadata: Metadata): string =>
  writeJpcoar({ metadata, files: [], landingPage: "https://elsewhere.example.com/1", ark: null, accessRights: null })
    .xml;

/** Much of what JPCOAR knows and the tools' model does not. */
const en = (value: string) => ({ value, lang: "en" });
const ja = (value: string) => ({ value, lang: "ja" });
const YAMADA = anAgent({
  kind: "personal",
  names: [
    { full: "山田, 花子", family: "山田", given: "花子", lang: "ja" },
    { full: "Yamada, Hanako", family: "Yamada", given: "Hanako", lang: "en" },
  ],
  alternatives: [en("H. Y.")],
  ids: [{ scheme: "e-Rad_Researcher", value: "12345678" }],
  affiliations: [{ names: [ja("京都大学"), en("Kyoto University")], ids: [] }],
});
const RICH = (): Metadata => ({
  ...EMPTY_METADATA,
  type: {
    id: "publication-article",
    label: "departmental bulletin paper",
    uri: "http://purl.org/coar/resource_type/c_6501",
  },
  titles: [
    { ...ja(freshTitle()), kind: "main" },
    { ...en("A paper on tides"), kind: "main" },
    { value: "ベツメイ", lang: "ja-Kana", kind: "alternative" },
  ],
  creators: [YAMADA],
  contributors: [anAgent({ kind: null, names: [{ full: "鈴木, 一郎", lang: "ja" }] })],
  subjects: [{ text: ja("歴史"), scheme: "NDC" }],
  descriptions: [
    { ...ja("抄録 a < b"), kind: "Abstract", html: false },
    { ...ja("目次"), kind: "TableOfContents", html: false },
  ],
  publishers: [{ names: [ja("京都大学")], publisherType: "dc" }],
  dates: [
    { date: "2020-03-04", type: "Issued" },
    { date: "昭和20年", type: "dcterms", lang: "ja" },
  ],
  languages: ["jpn"],
  identifiers: [{ scheme: "DOI", value: "https://doi.org/10.5555/x" }],
  relations: [{ type: "isPartOf", titles: [en("Only a title")] }],
  temporals: [ja("昭和")],
  funding: [{ funder: { names: [en("JSPS")], ids: [] }, award: { number: "1", titles: [ja("課題")] } }],
  containers: [
    {
      titles: [ja("紀要")],
      ids: [{ scheme: "NCID", value: "AN1" }],
      volume: "5",
      pageStart: "1",
      pageEnd: "9",
      place: "flat",
    },
  ],
  degree: {
    number: "甲1",
    names: [ja("博士")],
    granted: "2020-03-23",
    grantors: [{ names: [ja("京都大学")], ids: [] }],
  },
  conferences: [
    { names: [en("OR")], sequence: "7", sponsors: [en("S")], venues: [], places: [en("Tokyo")], country: "JPN" },
  ],
  editions: [ja("改訂版")],
});

const DEPOSITS: readonly (readonly [string, () => Package])[] = [
  ["JPCOAR", () => xmlPackage(jpcoar(RICH()))],
  ["TSV", () => tablePackage()],
  ["RO-Crate", () => cratePackage()],
];

function must({ status, json, text }: RecordAnswer, expected: number): RecordAnswer["json"] {
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${text.slice(0, 500)}`);
  return json;
}

/** Sends through a workflow, which XML asks for. */
let sender: { readonly token: string };

async function deposited(pkg: Package): Promise<number> {
  const answer = await world.deposit(sender, pkg);
  expect(answer.status, answer.text).toBe(202);
  const activity = /activity\/detail\/(A-\d+-\d+)/.exec(answer.text)?.[1] ?? "";
  await world.activities.approve(await world.viewer("approver"), activity, { comment: "", index: null });
  return recidOf(answer);
}

const metadataOf = async (id: number): Promise<Metadata> => {
  const { content } = await world.item(id);
  if (content === null) throw new Error(`${id} has no content`);
  return content.metadata;
};

/** What every deposit below needs to be published by a tool. */
const NEEDED = {
  creators: [{ person_or_org: { type: "personal", family_name: "Doe", given_name: "Ann" } }],
  publication_date: "2024-05-01",
};

describe("R3 interfaces meet", () => {
  for (const [name, build] of DEPOSITS) {
    test(`R3: ${name} deposited, edited by the interface, given a new version: JPCOAR still has all of it`, async () => {
      const id = await deposited(build());
      const before = await metadataOf(id);
      const draft = must(await calls.call("registered", "POST", `/${id}/draft`), 201);
      const body = {
        metadata: { ...NEEDED, ...draft.metadata, title: "Another title" },
        custom_fields: draft.custom_fields,
        access: draft.access,
      };
      expect(must(await calls.call("registered", "PUT", `/${id}/draft`, body), 200).errors ?? []).toEqual([]);
      must(await calls.call("registered", "POST", `/${id}/draft/actions/publish`), 202);
      const main = before.titles.findIndex(({ kind }) => kind === "main");
      const titles = before.titles.map((title, at) => (at === main ? { ...title, value: "Another title" } : title));
      const edited = await metadataOf(id);
      const { creators, publicationDate } = edited;
      const added = {
        ...(before.creators.length === 0 ? { creators } : {}),
        ...(draft.metadata.publication_date === undefined ? { publicationDate } : {}),
      };
      expect(edited).toEqual({ ...before, titles, ...added });

      const next = must(await calls.call("registered", "POST", `/${id}/versions`), 201);
      expect([next.metadata.title, next.metadata.version]).toEqual(["Another title", undefined]);
      const dated = { metadata: { ...next.metadata, publication_date: "2026-11-22" }, files: { enabled: false } };
      must(await calls.call("registered", "PUT", `/${next.id}/draft`, dated), 200);
      must(await calls.call("registered", "POST", `/${next.id}/draft/actions/publish`), 202);
      const version = await metadataOf(Number(next.id));
      const { versionLabel: _label, ...kept } = edited;
      const dates = edited.dates.filter(({ type }) => type !== "Issued");
      expect(version).toEqual({ ...kept, dates, publicationDate: "2026-11-22" });

      const linesOf = (metadata: Metadata): readonly string[] =>
        jpcoar(metadata)
          .split("\n")
          .map((line) => line.trim());
      const printed = new Set(linesOf(version));
      const gone = linesOf(edited).filter((line) => !printed.has(line));
      expect(gone.filter((line) => !/dateType="Issued"|datacite:version/.test(line))).toEqual([]);
    });
  }

  test("R3: an item deposited by SWORD shows what the tools' model has of it", async () => {
    const id = await deposited(xmlPackage(jpcoar(RICH())));
    const { metadata, custom_fields } = must(await calls.call(null, "GET", `/${id}`), 200);
    const creator = { type: "personal", family_name: "山田", given_name: "花子", name: "山田, 花子" };
    expect(metadata).toMatchObject({
      resource_type: { id: "publication-article", title: { en: "Journal article" } },
      additional_titles: [
        { title: "A paper on tides", type: { id: "translated-title" }, lang: { id: "eng" } },
        { title: "ベツメイ", type: { id: "alternative-title" } },
      ],
      creators: [{ person_or_org: creator, affiliations: [{ name: "京都大学" }] }],
      publication_date: "2020-03-04",
      description: "抄録 a &lt; b",
      languages: [{ id: "jpn" }],
    });
    expect(custom_fields).toMatchObject({
      "journal:journal": { title: "紀要", volume: "5", pages: "1-9" },
      "thesis:thesis": { university: "京都大学", type: "博士", date_defended: "2020-03-23" },
      "meeting:meeting": { title: "OR", place: "Tokyo" },
      "imprint:imprint": { edition: "改訂版" },
    });
  });
});

describe("import over HTTP", () => {
  const send = (body: string, type: string, query = "", who: "registered" | null = "registered") =>
    world.ask(who, "POST", `/api/records/import${query}`, { headers: { "content-type": type }, body });
  const BIB = "@article{x, title = {On tides}, author = {Doe, Ann}, year = 2020, journal = {Nature}, file = {x}}";

  test("S3.6.74: a document makes a draft, and what was lost of it is reported", async () => {
    const { status, json, headers } = await send(BIB, "application/x-bibtex");
    expect(status).toBe(201);
    expect(headers.get("etag")).toBe('"1"');
    expect(json).toMatchObject({
      is_draft: true,
      is_published: false,
      lost: ["file: x"],
      metadata: { title: "On tides", publication_date: "2020", resource_type: { id: "publication-article" } },
      custom_fields: { "journal:journal": { title: "Nature" } },
    });
    const { id } = json as { id: string };
    expect((await calls.call("registered", "GET", `/${id}/draft`)).json.metadata.title).toBe("On tides");
  });

  test("S3.6.72: what a draft needs to be published is reported as of any draft", async () => {
    const { status, json } = await send(
      JSON.stringify({ titles: [{ title: "Only a title" }] }),
      "application/json",
      "?format=datacite-json",
    );
    expect(status).toBe(201);
    expect((json as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["metadata.creators", "metadata.publication_date"]),
    );
  });

  test("S3.6.76: a record that was exported is a draft again", async () => {
    const id = await calls.published("registered");
    const { text } = await world.ask(null, "GET", `/api/records/${id}`);
    const { status, json } = await send(text, "application/json");
    expect(status).toBe(201);
    expect(json.metadata).toEqual(JSON.parse(text).metadata);
    expect(json.lost).toEqual(expect.arrayContaining(["pids"]));
  });

  test("S3.6.78 R9a: macros that expand to each other twice are refused with field and macro, and none is left over", async () => {
    const strings = Array.from({ length: 60 }, (_, at) => `@string{m${at + 1} = m${at} # m${at}}\n`).join("");
    const doubled = (level: number) =>
      `@string{m0 = "Tides"}\n${strings.slice(0, strings.indexOf(`@string{m${level + 1} `))}@book{x, title = m${level}}`;
    const before = await world.countItems();
    const { status, json } = await send(doubled(59), "application/x-bibtex");
    expect([status, json.message]).toEqual([
      400,
      'Line 18: the field "m17" with the macro "m16" expands the macros of the file to more than 1048576 characters',
    ]);
    expect(await world.countItems()).toBe(before);
    const made = await send(doubled(3), "application/x-bibtex");
    expect([made.status, (made.json.metadata as { title: string }).title]).toEqual([201, "Tides".repeat(8)]);
  });

  test("S3.6.78: what is not a document of the format is refused in this interface's shape", async () => {
    expect(await send("{", "application/json")).toMatchObject({ status: 400, json: { status: 400 } });
    expect((await send("@article{", "application/x-bibtex")).json.message).toContain("Line 1: ");
    const messages = ["Must be one of datacite-json, datacite-xml, crossref, csl, bibtex, ris, jsonld, json."];
    const expected = { message: "A validation error occurred.", errors: [{ field: "Content-Type", messages }] };
    expect(await send(BIB, "text/plain")).toMatchObject({ status: 400, json: expected });
    expect((await send(BIB, "text/plain", "?format=marc")).json.errors).toMatchObject([{ field: "format" }]);
    expect((await send(`${BIB}\n${BIB}`, "application/x-bibtex")).json.message).toBe(
      "The document holds 2 works, one is imported at a time",
    );
    expect((await send(BIB, "application/x-bibtex", "", null)).status).toBe(401);
    expect((await send(BIB.padEnd(512 * 1024 + 1), "application/x-bibtex")).status).toBe(413);
  });
});
