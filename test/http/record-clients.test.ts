// What clients of existing record repositories send (R37): paths with a slash at the end, keys with slashes, documents
// in other formats, whole records sent back, content sent twice.
import { expect, test } from "bun:test";
import { canonicalPath } from "../../plugins/repository/record-dialect.ts";
import { METADATA, RECORD, recordCalls } from "../support/record-calls.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true, recordFiles: true });
const calls = recordCalls(world);

test.each([
  ["/api/records/", "/api/records"],
  ["/api/records/7/draft/", "/api/records/7/draft"],
  ["/api/", "/api/"],
  ["/api/records//", "/api/records//"],
  ["/records/7/", "/records/7/"],
  ["/api/records/7/files/a", "/api/records/7/files/a"],
  ["/api/records/7/files/a/b.txt", "/api/records/7/files/a%2Fb.txt"],
  ["/api/records/7/draft/files/a/b/c.txt/content", "/api/records/7/draft/files/a%2Fb%2Fc.txt/content"],
  ["/api/records/7/draft/files/a/content/content/", "/api/records/7/draft/files/a%2Fcontent/content"],
  ["/api/records/7/draft/files/a/b/commit", "/api/records/7/draft/files/a%2Fb/commit"],
  ["/api/records/7/draft/files/a/b/content/12", "/api/records/7/draft/files/a%2Fb/content/12"],
  ["/api/records/7/draft/files/a/content/x", "/api/records/7/draft/files/a/content/x"],
  ["/api/records/7/draft/files/a%2Fb/content", "/api/records/7/draft/files/a%2Fb/content"],
])("S3.6.80 R37 the path %s is answered as %s", (sent, canonical) => {
  expect(canonicalPath(sent)).toBe(canonical);
});

test("S3.6.1 R37 a path with a slash at the end is answered as the path without it, with its query and its body", async () => {
  const made = await calls.call("registered", "POST", "/", RECORD);
  expect([made.status, made.json.metadata.title]).toEqual([201, "On tides"]);
  const { id } = made.json;
  expect((await calls.call("registered", "GET", `/${id}/draft/`)).json.metadata.title).toBe("On tides");
  expect((await calls.call("registered", "POST", `/${id}/draft/actions/publish/`)).status).toBe(202);
  expect((await calls.call(null, "GET", `/${id}/`)).json.id).toBe(id);
  for (const path of ["/api/requests/", "/api/user/records/?size=1", "/api/records/?q=tides", "/api/communities/"]) {
    const [slash, bare] = [
      await world.ask("registered", "GET", path),
      await world.ask("registered", "GET", path.replace(/\/(\?|$)/, "$1")),
    ];
    expect([path, slash.status, slash.json]).toEqual([path, 200, bare.json]);
  }
  expect((await world.ask("registered", "GET", "/api/requests//")).status).toBe(404);
  expect((await world.ask("registered", "GET", "/api/nothing/")).status).toBe(404);
});

test("S3.6.80 R37 the slashes of a key may be in the path unencoded", async () => {
  const id = await world.draft("registered");
  await world.register("registered", id, { key: "data/north/tides.csv" }, { key: "tides.csv" });
  const at = `${world.filesOf(id)}/data/north/tides.csv`;
  const body = new TextEncoder().encode("day,height\n");
  const sent = await world.ask("registered", "PUT", `${at}/content`, { body });
  expect([sent.status, sent.json.key, sent.json.size]).toEqual([200, "data/north/tides.csv", 11]);
  expect((await world.ask("registered", "POST", `${at}/commit`)).json.status).toBe("completed");
  expect((await world.ask("registered", "GET", at)).json.key).toBe("data/north/tides.csv");
  expect((await world.ask("registered", "GET", `${at}/content`)).text).toBe("day,height\n");
  expect((await world.json("registered", "GET", world.fileOf(id, "tides.csv"))).json.status).toBe("pending");
  expect((await world.ask("registered", "GET", `${world.filesOf(id)}/data/south/tides.csv`)).status).toBe(404);
  expect((await world.ask("registered", "DELETE", `${world.filesOf(id)}/tides.csv`)).status).toBe(204);
  await world.publish("registered", id);
  const published = await world.ask(null, "GET", `/api/records/${id}/files/data/north/tides.csv/content`);
  expect([published.status, published.text]).toEqual([200, "day,height\n"]);
});

test("S3.6.80 R37 content is sent again with another length until it is committed; an announced size is held each time", async () => {
  const id = await world.draft("registered");
  await world.register("registered", id, { key: "free" }, { key: "held", size: 3 });
  for (const text of ["one", "three", "", "seven!!"]) {
    const { status, json } = await world.content("registered", id, "free", text);
    expect([text, status, json.size]).toEqual([text, 200, text.length]);
  }
  expect((await world.commit("registered", id, "free")).json.size).toBe(7);
  expect((await world.ask("registered", "GET", `${world.fileOf(id, "free")}/content`)).text).toBe("seven!!");
  for (const [text, status] of [
    ["abcd", 400],
    ["abc", 200],
    ["ab", 400],
    ["xyz", 200],
    ["", 400],
  ] as const) {
    expect([text, (await world.content("registered", id, "held", text)).status]).toEqual([text, status]);
  }
  expect((await world.commit("registered", id, "held")).json.size).toBe(3);
  expect((await world.ask("registered", "GET", `${world.fileOf(id, "held")}/content`)).text).toBe("xyz");
});

test("S3.6.99 R37 who may not fetch files gets 403 before anything in the body is faulted", async () => {
  const id = await world.draft("registered");
  for (const url of ["https://elsewhere.example/a", "no address", undefined]) {
    const files = [{ key: "" }, { key: "a", transfer: { type: "F", url } }];
    expect([url, (await world.register("registered", id, ...files)).status]).toEqual([url, 403]);
    expect([url, (await world.register("admin", id, ...files)).status]).toEqual([url, 400]);
  }
  expect((await world.register("registered", id, { key: "" })).status).toBe(400);
  // What may not be known to be there is 404, whatever the body.
  const wrong = { metadata: 7, enabled: "no" };
  for (const path of [world.filesOf(id), world.fileOf(id, "a")]) {
    expect((await world.json("other", "PUT", path, wrong)).status).toBe(404);
    expect((await world.json("registered", "PUT", path, wrong)).status).toBe(400);
  }
  expect((await world.json("other", "POST", world.filesOf(id), [])).status).toBe(404);
});

test("S3.6.3 R37 a record that is read, put back whole and published makes no revision", async () => {
  const metadata = {
    ...METADATA,
    description: "<p>On <b>tides</b> &amp; moons</p>",
    additional_titles: [{ title: "Über Gezeiten", type: { id: "translated-title" }, lang: { id: "deu" } }],
    subjects: [{ subject: "tides" }, { subject: "moon" }],
    languages: [{ id: "eng" }, { id: "deu" }],
    identifiers: [{ scheme: "doi", identifier: "10.1234/whole" }],
    contributors: [
      { person_or_org: { type: "organizational", name: "Harbour Office" }, role: { id: "other" } },
      { person_or_org: { type: "personal", family_name: "Roe" }, role: { id: "editor" } },
    ],
  };
  const rich = { ...RECORD, metadata, custom_fields: {} };
  const id = await calls.published("registered", rich);
  const withFiles = await calls.create("registered", { metadata: METADATA });
  for (const key of ["a.txt", "b.txt"]) await world.upload("registered", Number(withFiles), key, key);
  await calls.publish("registered", withFiles);
  for (const each of [id, withFiles]) {
    const { json } = await calls.call("registered", "GET", `/${each}`);
    expect(json.revision_id).toBe(1);
    await calls.call("registered", "POST", `/${each}/draft`);
    const saved = await calls.call("registered", "PUT", `/${each}/draft`, json);
    expect([saved.status, saved.json.errors, saved.json.revision_id]).toEqual([200, undefined, 1]);
    expect((await calls.publish("registered", each)).json.revision_id).toBe(1);
    const draft = (await calls.call("registered", "POST", `/${each}/draft`)).json;
    expect((await calls.call("registered", "PUT", `/${each}/draft`, draft)).json.revision_id).toBe(1);
    expect((await calls.publish("registered", each)).json.revision_id).toBe(1);
  }
  const first = { enabled: true, default_preview: "b.txt", order: ["b.txt", "a.txt"] };
  await calls.call("registered", "POST", `/${withFiles}/draft`);
  await calls.call("registered", "PUT", `/${withFiles}/draft`, { metadata: METADATA, files: first });
  expect((await calls.publish("registered", withFiles)).json).toMatchObject({ revision_id: 2, files: first });
});

test("S3.6.3 R37 a body that is not an object saves nothing", async () => {
  const id = await calls.create("registered");
  for (const body of [[1], "x", null, undefined]) {
    const { status, json } = await calls.call("registered", "PUT", `/${id}/draft`, body);
    expect([status, json.errors]).toEqual([400, [{ field: "_schema", messages: ["Invalid input type."] }]]);
  }
  expect((await calls.call("registered", "GET", `/${id}/draft`)).json.metadata.title).toBe("On tides");
});

const ORCID = "https://orcid.org/0000-0002-1825-0097";
const LICENCE = "https://creativecommons.org/licenses/by/4.0/";
const about = { about: { "@id": "./" }, conformsTo: { "@id": "https://w3id.org/ro/crate/1.1" } };
const text = { name: "Tide tables", datePublished: "2026-05-01", description: "Every day" };
const root = { ...text, license: { "@id": LICENCE } };
const parts = { author: [{ "@id": ORCID }, { "@id": "#office" }], hasPart: [{ "@id": "data.csv" }] };
const CRATE = {
  "@context": "https://w3id.org/ro/crate/1.1/context",
  "@graph": [
    { "@id": "ro-crate-metadata.json", "@type": "CreativeWork", ...about },
    { "@id": "./", "@type": "Dataset", ...root, ...parts, keywords: ["tides", "north"] },
    { "@id": ORCID, "@type": "Person", familyName: "Carberry", givenName: "Josiah" },
    { "@id": "#office", "@type": "Organization", name: "Harbour Office" },
    { "@id": LICENCE, "@type": "CreativeWork", name: "CC BY 4.0" },
    { "@id": "data.csv", "@type": "File", name: "Data" },
  ],
} as const;

test("S3.6.1 R38 an RO-Crate that is sent as a new record is read, and what has no place is named", async () => {
  const profile = 'application/ld+json;profile="https://w3id.org/ro/crate/1.1"';
  for (const type of ["application/json", "application/ld+json", profile]) {
    const { status, json } = await calls.call("registered", "POST", "", CRATE, { "content-type": type });
    expect([type, status]).toEqual([type, 201]);
    const creators = [
      { person_or_org: { type: "personal", family_name: "Carberry", given_name: "Josiah" } },
      { person_or_org: { type: "organizational", name: "Harbour Office" } },
    ];
    const subjects = [{ subject: "tides" }, { subject: "north" }];
    expect(json.metadata).toMatchObject({ title: "Tide tables", description: "Every day", creators, subjects });
    const ids = { resource_type: { id: "dataset" }, rights: [{ id: "cc-by-4.0" }] };
    expect(json.metadata).toMatchObject({ ...ids, publication_date: "2026-05-01" });
    expect((json as unknown as { lost: readonly string[] }).lost.some((each) => each.includes("hasPart"))).toBe(true);
    expect(json.is_draft).toBe(true);
  }
  const csl = [{ id: "x", type: "book", title: "A book of tides" }];
  const book = await calls.call("registered", "POST", "", csl, {
    "content-type": "application/vnd.citationstyles.csl+json",
  });
  expect([book.status, book.json.metadata.title]).toEqual([201, "A book of tides"]);
  // A record of this interface may name a context too.
  const ours = await calls.call("registered", "POST", "", { ...RECORD, "@context": "https://example.org" });
  expect([ours.status, ours.json.metadata.title]).toEqual([201, "On tides"]);
  const empty = await calls.call("registered", "POST", "", { "@graph": [] });
  expect(empty.status).toBe(400);
  const long = { "@context": "https://schema.org", "@type": "Book", name: "x".repeat(600 * 1024) };
  expect((await calls.call("registered", "POST", "", long)).status).toBe(413);
  expect((await calls.call(null, "POST", "", CRATE)).status).toBe(401);
});

test("S3.6.1 R38 a DOI that is none is reported under the field that holds it", async () => {
  const wrong = (body: object) => calls.call("registered", "POST", "", body);
  const both = await wrong({ ...RECORD, pids: { doi: { identifier: "not a doi", provider: "external" } } });
  const expected = [201, [{ field: "pids.doi.identifier", messages: ["Invalid DOI identifier."] }]];
  expect([both.status, both.json.errors]).toEqual(expected);
  const identifiers = [
    { scheme: "isbn", identifier: "978-3-16-148410-0" },
    { scheme: "doi", identifier: "not a doi" },
  ];
  const listed = await wrong({ ...RECORD, metadata: { ...METADATA, identifiers } });
  expect(listed.json.errors).toEqual([
    { field: "metadata.identifiers.1.identifier", messages: ["Invalid DOI identifier."] },
  ]);
  const right = await wrong({
    ...RECORD,
    pids: { doi: { identifier: "https://doi.org/10.1234/right", provider: "external" } },
  });
  expect([right.json.errors, (right.json.pids as Record<string, unknown>).doi]).toEqual([
    undefined,
    { identifier: "10.1234/right", provider: "external" },
  ]);
});
