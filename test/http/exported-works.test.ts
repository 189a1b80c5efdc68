// What a depositor states of a work, as its exports and its page have it, the whole way through the interfaces (R38,
// R19a): the book or journal it appeared in, its title and translations, its DOI and ARK, and characters that strict
// readers refuse.
import { expect, test } from "bun:test";
import { METADATA, recordCalls } from "../support/record-calls.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true, recordFiles: true });
const calls = recordCalls(world);

async function publish(metadata: object, custom_fields: object = {}): Promise<string> {
  const body = { metadata: { ...METADATA, ...metadata }, custom_fields, files: { enabled: false } };
  const made = await calls.call("registered", "POST", "/", body);
  expect([made.status, made.json.errors ?? []]).toEqual([201, []]);
  expect((await calls.call("registered", "POST", `/${made.json.id}/draft/actions/publish`)).status).toBe(202);
  return made.json.id;
}
async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, text } = await world.ask(null, "GET", path, { headers });
  expect([path, status]).toEqual([path, 200]);
  return text;
}
const exported = (id: string, format: string, query = "", headers = {}) =>
  get(`/records/${id}/export/${format}${query}`, headers);

const BOOK = { title: "Tides of the North", pages: "10-12" };
const FORMATS = [
  ["csl", /"container-title": "Tides of the North",\s.*\s?.*"page": "10-12"/],
  ["bibtex", /booktitle += \{Tides of the North\},[\s\S]*pages += \{10--12\}/],
  [
    "jsonld",
    /"pageStart": "10",\s+"pageEnd": "12",\s+"isPartOf": \{\s+"@type": "Book",\s+"name": "Tides of the North"/,
  ],
  ["datacite-json", /"title": "Tides of the North"\s+\}\s+\],\s+"firstPage": "10",\s+"lastPage": "12"/],
  ["datacite-xml", /<title>Tides of the North<\/title>[\s\S]*<firstPage>10<\/firstPage>\s*<lastPage>12<\/lastPage>/],
  ["dublincore", /<dc:source>Tides of the North, 10-12, \(2024-05-01\)<\/dc:source>/],
  ["marcxml", /tag="773"[\s\S]*?"t">Tides of the North<[\s\S]*?"g">p\. 10-12</],
  ["dcat", /<dct:isPartOf>[\s\S]*?Tides of the North/],
  ["jpcoar", /<jpcoar:sourceTitle>Tides of the North<[\s\S]*<jpcoar:pageStart>10<[\s\S]*<jpcoar:pageEnd>12</],
  ["citation", /Tides of the North.*10–12/],
  ["ro-crate", /Tides of the North/],
] as const;

test.each(["publication-section", "publication-conferencepaper"])(
  "R38 S3.6.180 title and pages of the book of a %s without ISBN are in every format with a place for them",
  async (type) => {
    const work = { resource_type: { id: type } };
    const id = await publish(work, { "imprint:imprint": BOOK });
    const without = await publish(work);
    for (const [format, pattern] of FORMATS) {
      expect(await exported(id, format)).toMatch(pattern);
      expect(await exported(without, format)).not.toContain("Tides of the North");
    }
    const page = await get(`/records/${id}`);
    expect(page).toContain('<meta name="citation_firstpage" content="10">');
    expect(page).toContain("Tides of the North");
    expect((await calls.call(null, "GET", `/${id}`)).json.custom_fields).toEqual({ "imprint:imprint": BOOK });
  },
);

test("R38 S3.6.207 a chapter without publisher keeps book and pages as @misc, a paper is @inproceedings", async () => {
  const id = await publish({ resource_type: { id: "publication-section" } }, { "imprint:imprint": BOOK });
  const bibtex = await exported(id, "bibtex");
  expect(bibtex).toMatch(/^@misc/m);
  expect(bibtex).not.toContain("journal");
  const paper = await publish({ resource_type: { id: "publication-conferencepaper" } }, { "imprint:imprint": BOOK });
  expect(await exported(paper, "bibtex")).toMatch(/^@inproceedings/m);
});

test("R38 of a chapter with a series and a book the book is cited, of an article the journal", async () => {
  const custom = { "imprint:imprint": BOOK, "journal:journal": { title: "Lecture Notes", issn: "0302-9743" } };
  const chapter = JSON.parse(
    await exported(await publish({ resource_type: { id: "publication-section" } }, custom), "csl"),
  );
  const expected = ["Tides of the North", "10-12", "0302-9743"];
  expect([chapter["container-title"], chapter.page, chapter.ISSN]).toEqual(expected);
  const article = JSON.parse(await exported(await publish({}, custom), "csl"));
  expect(article["container-title"]).toBe("Lecture Notes");
});

const titleOf = async (id: string) => {
  const page = await get(`/records/${id}`, { "accept-language": "en" });
  return {
    csl: JSON.parse(await exported(id, "csl")).title,
    bibtex: /title += \{(.*)\},/.exec(await exported(id, "bibtex"))?.[1],
    jsonld: JSON.parse(await exported(id, "jsonld")).name,
    title: /<title>(.*?) · /.exec(page)?.[1],
    h1: /<h1[^>]*>(.*?)<\/h1>/.exec(page)?.[1],
    tag: /<meta name="citation_title" content="(.*?)">/.exec(page)?.[1],
    data: JSON.parse(/ld\+json">(.*?)<\/script>/.exec(page)?.[1] ?? "").name,
    cite: /<p class="cite">(.*?)<\/p>/.exec(page)?.[1],
    citation: await exported(id, "citation", "", { "accept-language": "en" }),
  };
};

test.each([
  ["deu", "Gezeiten der Nordsee"],
  ["fra", "Les marées du Nord"],
  ["rus", "Приливы севера"],
  [null, "Gezeiten der Nordsee"],
])("R38 R19a in every export and on the page the main title (%s) is the title", async (language, title) => {
  const id = await publish({
    title,
    additional_titles: [
      { title: "Tides in English", type: { id: "translated-title" }, lang: { id: "eng" } },
      { title: "潮の満ち引き", type: { id: "translated-title" }, lang: { id: "jpn" } },
    ],
    languages: language === null ? [] : [{ id: language }],
  });
  const { cite, citation, ...titles } = await titleOf(id);
  for (const [where, found] of Object.entries(titles)) expect([where, found]).toEqual([where, title]);
  expect([cite, citation].map((text) => text?.includes(title))).toEqual([true, true]);
  expect(await exported(id, "citation", "?locale=en-US")).toContain("Tides in English");
  // No name is in Japanese: a citation keeps to one language. Nothing is in Korean.
  expect(await exported(id, "citation", "?locale=ja")).toContain(title);
  expect(await exported(id, "citation", "?locale=ko")).toContain(title);
});

test("R38 R19a the item's language counts: an English main title is not replaced where English is asked for", async () => {
  const id = await publish({
    title: "Tides",
    additional_titles: [{ title: "Other words", type: { id: "translated-title" }, lang: { id: "eng" } }],
    languages: [{ id: "eng" }],
  });
  expect(await exported(id, "citation", "?locale=en-US")).toContain("Tides");
  const { citation } = await titleOf(id);
  expect(citation).toContain("Tides");
});

test("R38 S3.6.195 a citation with a DOI has the ARK after it, one without has it once", async () => {
  const identifiers = [{ scheme: "doi", identifier: "10.5555/tides" }];
  const [withDoi, without] = [await publish({ identifiers }), await publish({})];
  for (const style of ["apa", "harvard-cite-them-right", "vancouver"]) {
    for (const id of [withDoi, without]) {
      const ark = (await calls.call(null, "GET", `/${id}`)).json.pids.ark?.identifier ?? "";
      const text = await exported(id, "citation", `?style=${style}`);
      expect(text.split(`https://ark.example.org/${ark}`)).toHaveLength(2);
      expect(text.includes("10.5555/tides")).toBe(id === withDoi);
    }
  }
  const ark = (await calls.call(null, "GET", `/${withDoi}`)).json.pids.ark?.identifier ?? "";
  expect(await get(`/records/${withDoi}`)).toContain(`https://doi.org/10.5555/tides https://ark.example.org/${ark}`);
  expect(await exported(withDoi, "citation")).toEndWith(
    `Available at: https://doi.org/10.5555/tides. https://ark.example.org/${ark}.\n`,
  );
});

test("S3.6.195 every export has the address of the item's own ARK", async () => {
  for (const id of [await publish({}), await publish({})]) {
    const ark = (await calls.call(null, "GET", `/${id}`)).json.pids.ark?.identifier ?? "no ARK";
    for (const [format] of FORMATS) {
      expect([format, (await exported(id, format)).includes(`https://ark.example.org/${ark}`)]).toEqual([format, true]);
    }
  }
});

test("S3.6.75 our own JSON-LD imported again has every creator once", async () => {
  const person = (family_name: string, given_name: string, orcid?: string) => ({
    person_or_org: {
      type: "personal",
      ...{ family_name, given_name },
      identifiers: orcid === undefined ? [] : [{ scheme: "orcid", identifier: orcid }],
    },
  });
  const creators = [person("Doe", "Ann", "0000-0002-1825-0097"), person("Doe", "Ann"), person("Roe", "Bo")];
  const id = await publish({ creators });
  const answer = await world.ask("registered", "POST", "/api/records/import", {
    headers: { "content-type": "application/ld+json" },
    body: await exported(id, "jsonld"),
  });
  expect(answer.text).toContain("Roe");
  expect(answer.text.split('"family_name":"Doe"')).toHaveLength(3);
  expect(answer.text.split('"family_name":"Roe"')).toHaveLength(2);
});

const NONCHARACTERS = ["\u{FDD0}", "\u{FDEF}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFE}", "\u{10FFFF}"];

test("R38 S3.6.196 noncharacters are U+FFFD in every format that others read, letters next to them stay", async () => {
  const mark = NONCHARACTERS.join("");
  const id = await publish({
    title: `Tides ${mark} 潮 🌊`,
    description: `<p>About ${mark} 𝒜</p>`,
    subjects: [{ subject: `one ${mark}` }, { subject: "two" }],
    publisher: `Press ${mark}`,
  });
  for (const format of "jsonld datacite-json datacite-xml dublincore marcxml dcat csl bibtex ris citation jpcoar".split(
    " ",
  )) {
    const text = await exported(id, format);
    expect([format, /\p{Noncharacter_Code_Point}/u.test(text), text.includes("潮 🌊")]).toEqual([format, false, true]);
    expect(text).toContain("\u{FFFD}");
  }
});
